package quality_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/quality"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// This file holds the measures against definitions: all paths packet by packet, all permutations, all rounds.

// judge has the paths of a routing by host and address, as strings of channels. It takes them from Relation.Next.
type judge struct {
	net   *model.Network
	rel   model.Relation
	paths map[[2]int][]model.ChannelID
	lost  int
}

func newJudge(r model.Relation) *judge {
	j := &judge{r.Network(), r, map[[2]int][]model.ChannelID{}, 0}
	for h := range j.net.NumHosts() {
		for d := range r.Destinations() {
			to := r.DestinationHost(model.DestID(d))
			if int(to) >= j.net.NumHosts() || int(to) == h {
				continue
			}
			path, ok := j.follow(model.HostID(h), model.DestID(d))
			if !ok {
				j.lost++
				continue
			}
			j.paths[[2]int{h, d}] = path
		}
	}
	return j
}

// follow sends one packet. It gives up after 1,000 hops.
func (j *judge) follow(h model.HostID, d model.DestID) ([]model.ChannelID, bool) {
	classes := j.rel.Inject(h, d, nil)
	if len(classes) == 0 {
		return nil, false
	}
	s, path := model.InjectState(j.rel, h, d, classes[0]), []model.ChannelID{}
	for range 1000 {
		hops := j.rel.Next(s, nil)
		if len(hops) == 0 {
			return nil, false
		}
		c, _ := j.net.Channel(hops[0].VC)
		if j.net.Kind(c) == model.Eject {
			return path, j.net.HostOf(c) == j.rel.DestinationHost(d)
		}
		path, s.VC, s.Class = append(path, c), hops[0].VC, hops[0].Class
	}
	return nil, false
}

// distances are those of Floyd and Warshall.
func (j *judge) distances() [][]int {
	k := j.net.NumSwitches()
	d := make([][]int, k)
	for u := range d {
		d[u] = slices.Repeat([]int{math.MaxInt / 4}, k)
		d[u][u] = 0
	}
	for l := range j.net.NumLinks() {
		x := j.net.Link(model.LinkID(l))
		d[x.A][x.B], d[x.B][x.A] = 1, 1
	}
	for w := range d {
		for u := range d {
			for v := range d {
				d[u][v] = min(d[u][v], d[u][w]+d[w][v])
			}
		}
	}
	return d
}

// hosts returns the pairs of hosts with a path over a channel.
func (j *judge) hosts(c model.ChannelID) map[[2]int]bool {
	over := map[[2]int]bool{}
	for pair, path := range j.paths {
		if slices.Contains(path, c) {
			over[[2]int{pair[0], int(j.rel.DestinationHost(model.DestID(pair[1])))}] = true
		}
	}
	return over
}

// matching is the size of a largest set of pairs without a common sender or receiver, by augmenting paths of single hosts.
func matching(hosts int, over map[[2]int]bool) (size int) {
	sender := slices.Repeat([]int{-1}, hosts)
	for a := range hosts {
		met := map[int]bool{}
		var try func(a int) bool
		try = func(a int) bool {
			for b := range hosts {
				if over[[2]int{a, b}] && !met[b] {
					met[b] = true
					if sender[b] < 0 || try(sender[b]) {
						sender[b] = a
						return true
					}
				}
			}
			return false
		}
		if try(a) {
			size++
		}
	}
	return size
}

// exhaustive is the same by all permutations.
func exhaustive(hosts int, over map[[2]int]bool) (most int) {
	order := make([]int, hosts)
	for i := range order {
		order[i] = i
	}
	var visit func(k, load int)
	visit = func(k, load int) {
		if k == hosts {
			most = max(most, load)
			return
		}
		for i := k; i < hosts; i++ {
			order[k], order[i] = order[i], order[k]
			more := 0
			if over[[2]int{k, order[k]}] {
				more = 1
			}
			visit(k+1, load+more)
			order[k], order[i] = order[i], order[k]
		}
	}
	visit(0, 0)
	return most
}

// agree compares the measures with the judge.
func agree(t *testing.T, name string, r model.Relation) {
	t.Helper()
	m, err := quality.Measure(context.Background(), r, quality.Options{Bisections: 3})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	j := newJudge(r)
	if int(m.Pairs) != len(j.paths)+j.lost || int(m.Lost) != j.lost {
		t.Errorf("%s: %d pairs, %d lost; want %d, %d", name, m.Pairs, m.Lost, len(j.paths)+j.lost, j.lost)
	}
	dist, hops, detour := j.distances(), map[int]int64{}, map[int]int64{}
	for pair, path := range j.paths {
		hops[len(path)]++
		a, b := j.net.Host(model.HostID(pair[0])).Switch, j.net.Host(j.rel.DestinationHost(model.DestID(pair[1]))).Switch
		detour[len(path)-dist[a][b]]++
	}
	same(t, name+" hops", m.Hops, hops)
	same(t, name+" detour", m.Detour, detour)
	if n := len(j.paths); n > 0 {
		f := m.Farthest
		if got := len(j.paths[[2]int{int(f.From), int(f.Dest)}]); got != m.MaxHops() {
			t.Errorf("%s: farthest %v has %d hops, want %d", name, f, got, m.MaxHops())
		}
	}
	j.channels(t, name, m)
	j.rounds(t, name, m)
}

func same(t *testing.T, name string, got []int64, want map[int]int64) {
	t.Helper()
	for k, x := range got {
		if want[k] != x {
			t.Errorf("%s: %v, want %v", name, got, want)
			return
		}
		delete(want, k)
	}
	if len(want) > 0 {
		t.Errorf("%s: %v lacks %v", name, got, want)
	}
}

// channels compares the use of each channel, and the worst permutation.
func (j *judge) channels(t *testing.T, name string, m *quality.Measures) {
	t.Helper()
	worst := 0
	for c := range model.ChannelID(j.net.NumLinkChannels()) {
		senders, dests, paths := map[int]bool{}, map[int]bool{}, int64(0)
		for pair, path := range j.paths {
			if slices.Contains(path, c) {
				senders[pair[0]], dests[pair[1]] = true, true
				paths++
			}
		}
		over := j.hosts(c)
		want := quality.Channel{Paths: paths, Sources: len(senders), Addresses: len(dests), Permutation: matching(j.net.NumHosts(), over)}
		if m.Channels[c] != want {
			t.Fatalf("%s: channel %d: %+v, want %+v", name, c, m.Channels[c], want)
		}
		if hosts := j.net.NumHosts(); hosts <= 7 {
			if most := exhaustive(hosts, over); most != want.Permutation {
				t.Fatalf("%s: channel %d: a permutation loads it with %d, not %d", name, c, most, want.Permutation)
			}
		}
		worst = max(worst, want.Permutation)
	}
	p := m.Permutation
	if p.Load != worst || len(p.Pairs) != worst {
		t.Fatalf("%s: worst permutation %d with %d pairs, want %d", name, p.Load, len(p.Pairs), worst)
	}
	from, to := map[model.HostID]bool{}, map[model.HostID]bool{}
	for _, x := range p.Pairs {
		if from[x.From] || to[x.To] || j.rel.DestinationHost(x.Dest) != x.To || !slices.Contains(j.paths[[2]int{int(x.From), int(x.Dest)}], p.Channel) {
			t.Fatalf("%s: %v is no pair of the worst permutation", name, x)
		}
		from[x.From], to[x.To] = true, true
	}
}

// rounds compares the rounds of all-to-all and the bisections.
func (j *judge) rounds(t *testing.T, name string, m *quality.Measures) {
	t.Helper()
	hosts := j.net.NumHosts()
	first := map[model.HostID]int{}
	for d := j.rel.Destinations() - 1; d >= 0; d-- {
		first[j.rel.DestinationHost(model.DestID(d))] = d
	}
	loads := func(to func(h int) int) (map[model.ChannelID]int, int) {
		load, most := map[model.ChannelID]int{}, 0
		for h := range hosts {
			if k := to(h); k >= 0 {
				for _, c := range j.paths[[2]int{h, first[model.HostID(k)]}] {
					load[c]++
					most = max(most, load[c])
				}
			}
		}
		return load, most
	}
	total, most, free := 0, 0, 0
	for k := 1; k < hosts; k++ {
		_, busiest := loads(func(h int) int { return (h + k) % hosts })
		if total, most = total+busiest, max(most, busiest); busiest <= 1 {
			free++
		}
	}
	if s := m.Shifts; s.Most != most || s.Free != free || math.Abs(s.Mean*float64(hosts-1)-float64(total)) > 1e-6 {
		t.Errorf("%s: rounds %+v, want total %d, most %d, free %d", name, s, total, most, free)
	}
	mean, least := 0.0, math.Inf(1)
	for i := range 3 {
		partner, sum, packets := quality.Halves(hosts, i), 0.0, 0
		load, _ := loads(func(h int) int { return int(partner[h]) })
		for h := range hosts {
			if partner[h] == model.NoHost {
				continue
			}
			if partner[partner[h]] != model.HostID(h) {
				t.Fatalf("%s: the partner of host %d has another partner", name, h)
			}
			packets++
			if path, ok := j.paths[[2]int{h, first[partner[h]]}]; ok {
				worst := 1
				for _, c := range path {
					worst = max(worst, load[c])
				}
				sum += 1 / float64(worst)
			}
		}
		if packets < hosts-1 {
			t.Fatalf("%s: %d of %d hosts have a partner", name, packets, hosts)
		}
		mean, least = mean+sum/float64(packets)/3, min(least, sum/float64(packets))
	}
	if b := m.Bisection; math.Abs(b.Mean-mean) > 1e-9 || math.Abs(b.Least-least) > 1e-9 {
		t.Errorf("%s: bisection %+v, want %v, %v", name, b, mean, least)
	}
}

// TestMeasure compares the measures of named routings with those by the definitions.
func TestMeasure(t *testing.T) {
	for _, c := range [][2]string{{"ring:5", "dor"}, {"mesh:2x3", "dor"}, {"line:3,hosts=2", "dor"}, {"mesh:3x3", "dor"}, {"mesh:3x2,hosts=3", "dor"},
		{"torus:4x4,vcs=2", "dor"}} {
		n, err := topo.Parse(c[0])
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New(c[1], n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		agree(t, fmt.Sprint(c), r)
	}
}

// TestRandomTables compares the measures of random tables, most of which lose packets, with several addresses of a host, and with several
// hosts at a switch.
func TestRandomTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for i := range 300 {
		b, switches := model.NewBuilder(), 2+rng.IntN(4)
		var list []model.SwitchID
		for range switches {
			list = append(list, b.AddSwitch(model.Switch{}))
		}
		next := make([]model.Port, switches)
		port := func(u model.SwitchID) model.Port { next[u]++; return next[u] }
		for u := 1; u < switches; u++ {
			v := model.SwitchID(rng.IntN(u))
			b.AddLink(list[u], port(list[u]), v, port(v))
		}
		for range rng.IntN(4) {
			if u, v := rng.IntN(switches), rng.IntN(switches); u != v {
				b.AddLink(list[u], port(list[u]), list[v], port(list[v]))
			}
		}
		for range 2 + rng.IntN(5) {
			u := list[rng.IntN(switches)]
			b.AddHost(model.Host{Switch: u, Port: port(u)})
		}
		n, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		var dests []model.Destination
		for h := range n.NumHosts() {
			for range 1 + rng.IntN(2) {
				dests = append(dests, model.Destination{Host: model.HostID(h)})
			}
		}
		tab := model.NewTable(n, dests)
		randomRows(rng, n, tab)
		agree(t, fmt.Sprint("table ", i), tab)
	}
}

// randomRows fills a table: near the destination mostly right, else at random.
func randomRows(rng *rand.Rand, n *model.Network, tab *model.Table) {
	for d := range model.DestID(tab.Destinations()) {
		host := n.Host(tab.DestinationHost(d))
		for u := range model.SwitchID(n.NumSwitches()) {
			switch out := n.Out(u); {
			case u == host.Switch && rng.IntN(10) > 0:
				tab.SetPort(u, d, host.Port)
			case rng.IntN(12) > 0:
				tab.SetPort(u, d, n.TailPort(out[rng.IntN(len(out))]))
			}
		}
	}
}

// TestSeveral: a routing with several paths is refused.
func TestSeveral(t *testing.T) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("minimal", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := quality.Measure(context.Background(), r, quality.Options{}); !errors.Is(err, quality.ErrSeveral) {
		t.Errorf("%v", err)
	}
}
