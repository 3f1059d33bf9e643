package synth

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)+math.Abs(b)) }

// naivePaths sums up over pairs of hosts, way by way, what MeasurePaths sums up by
// destination.
type naivePaths struct {
	PathStats
	turn map[model.Turn]float64
}

func waysByHand(set *model.TurnSet, tr *model.Traffic) naivePaths {
	n := set.Network()
	w := naivePaths{PathStats: PathStats{Load: make([]float64, n.NumChannels()), Crossing: make([]float64, n.NumSwitches())}, turn: map[model.Turn]float64{}}
	most := 0.0
	for a := range model.HostID(n.NumHosts()) {
		sum := 0.0
		for b := range model.HostID(n.NumHosts()) {
			sum += tr.Between(a, b)
		}
		most = max(most, sum)
	}
	if most == 0 {
		most = 1
	}
	paths, pairs := 0.0, 0.0
	for v := range model.SwitchID(n.NumSwitches()) {
		dist := distancesByHand(set, v)
		for u := range model.SwitchID(n.NumSwitches()) {
			if u == v {
				continue
			}
			amount, hosts := 0.0, int64(0)
			for a := range model.HostID(n.NumHosts()) {
				for b := range model.HostID(n.NumHosts()) {
					if n.Host(a).Switch == u && n.Host(b).Switch == v {
						amount += tr.Between(a, b) / most
						hosts++
					}
				}
			}
			if hosts == 0 {
				continue
			}
			w.Pairs += hosts
			var first []model.ChannelID
			least := 1 << 20
			for c := range model.ChannelID(n.NumLinkChannels()) {
				if n.Tail(c) == u && dist[c] <= least {
					if dist[c] < least {
						first, least = nil, dist[c]
					}
					if least < 1<<20 {
						first = append(first, c)
					}
				}
			}
			if first == nil {
				w.Unreachable += hosts
				continue
			}
			w.MeanPath += float64(least) * float64(hosts)
			w.MaxPath = max(w.MaxPath, least)
			pairs++
			for _, c := range first {
				paths += w.follow(set, dist, c, amount/float64(len(first)), 1/float64(len(first)))
			}
		}
	}
	w.MeanPath /= math.Max(1, float64(w.Pairs-w.Unreachable))
	w.Paths = paths / math.Max(1, pairs)
	for a := range model.HostID(n.NumHosts()) {
		for b := range model.HostID(n.NumHosts()) {
			w.Load[n.InjectChannel(a)] += tr.Between(a, b) / most
			w.Load[n.EjectChannel(b)] += tr.Between(a, b) / most
		}
	}
	return w
}

// follow walks all shortest paths from c and returns their number.
func (w *naivePaths) follow(set *model.TurnSet, dist []int, c model.ChannelID, amount, unit float64) float64 {
	n := set.Network()
	w.Load[c] += amount
	if dist[c] == 1 {
		return 1
	}
	w.Crossing[n.Head(c)] += unit
	var next []model.ChannelID
	for t := range set.All() {
		if t.In == model.VCID(c) && dist[t.Out] == dist[c]-1 {
			next = append(next, model.ChannelID(t.Out))
		}
	}
	paths := 0.0
	for _, o := range next {
		w.turn[model.Turn{In: model.VCID(c), Out: model.VCID(o)}] += amount / float64(len(next))
		paths += w.follow(set, dist, o, amount/float64(len(next)), unit/float64(len(next)))
	}
	return paths
}

func distancesByHand(set *model.TurnSet, v model.SwitchID) []int {
	n := set.Network()
	dist := make([]int, n.NumLinkChannels())
	for c := range dist {
		dist[c] = 1 << 20
		if n.Head(model.ChannelID(c)) == v {
			dist[c] = 1
		}
	}
	for range dist {
		for t := range set.All() {
			dist[t.In] = min(dist[t.In], dist[t.Out]+1)
		}
	}
	return dist
}

// TestMeasureWaysByHand also takes sets that leave pairs without a way.
func TestMeasureWaysByHand(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 0))
	for i := range 150 {
		n := randomNetwork(r, 7)
		tr := randomTraffic(r, n)
		if tr == nil {
			tr = model.UniformTraffic(n)
		}
		set := allTurns(n)
		share := r.Float64()
		for turn := range model.Turns(n, false) {
			if r.Float64() > share*2 {
				set.Remove(turn)
			}
		}
		d := model.NewDemand(n, tr)
		got, err := MeasurePaths(context.Background(), set, d)
		if err != nil {
			t.Fatal(err)
		}
		want := waysByHand(set, tr)
		if got.Pairs != want.Pairs || got.Unreachable != want.Unreachable || got.MaxPath != want.MaxPath || !near(got.MeanPath, want.MeanPath) || !near(got.Paths, want.Paths) {
			t.Fatalf("network %d: pairs %d, %d unreachable, paths of %v, at most %d, %v a pair; want %d, %d, %v, %d, %v", i,
				got.Pairs, got.Unreachable, got.MeanPath, got.MaxPath, got.Paths, want.Pairs, want.Unreachable, want.MeanPath, want.MaxPath, want.Paths)
		}
		if !slices.EqualFunc(got.Load, want.Load, near) || !slices.EqualFunc(got.Crossing, want.Crossing, near) {
			t.Fatalf("network %d: loads\n%v, want\n%v; crossing\n%v, want\n%v", i, got.Load, want.Load, got.Crossing, want.Crossing)
		}
		for turn := range model.Turns(n, false) {
			if !near(got.OfTurn(n, turn), want.turn[turn]) {
				t.Fatalf("network %d: turn %v carries %v, want %v", i, turn, got.OfTurn(n, turn), want.turn[turn])
			}
		}
		most := 0.0
		for _, x := range want.Load {
			most = max(most, x)
		}
		load, c := got.MaxLoad()
		if !near(load, most) || most > 0 && (!near(want.Load[c], most) || !near(got.Throughput(), 1/most)) || most == 0 && got.Throughput() != 0 {
			t.Fatalf("network %d: most loaded is %d with %v, throughput %v; want %v", i, c, load, got.Throughput(), most)
		}
		if lost := unreachedPairs(d, set); got.Unreachable != lost {
			t.Fatalf("network %d: %d and %d unreachable", i, got.Unreachable, lost)
		}
	}
}

// TestTurnTrafficTooMuch: turns of a hub that take more memory than machines have are refused.
func TestTurnTrafficTooMuch(t *testing.T) {
	net, err := topo.Parse("star:65537,hosts=0") // 65536² turns at the hub, 32 GiB
	if err != nil {
		t.Fatal(err)
	}
	want := "synth: the traffic of 4295032832 turns, allowed are 1073741824"
	if _, err := NewTurnTraffic(t.Context(), model.NewDemand(net, model.UniformTraffic(net))); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestTurnTraffic: if no turn is prohibited, a packet splits over the links on shortest
// paths, which are the shortest legal ones, so the traffic of turns is the load of turns.
func TestTurnTraffic(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 0))
	for i := range 150 {
		n := randomNetwork(r, 8)
		tr := randomTraffic(r, n)
		if tr == nil {
			tr = model.UniformTraffic(n)
		}
		d := model.NewDemand(n, tr)
		weight, err := NewTurnTraffic(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		want := waysByHand(allTurns(n), tr)
		for turn := range model.Turns(n, false) {
			if !near(weight.Of(turn)*Scale(d), want.turn[turn]) {
				t.Fatalf("network %d: turn %v has traffic %v, want %v", i, turn, weight.Of(turn)*Scale(d), want.turn[turn])
			}
			if !near(weight.Pair(turn), weight.Of(turn)+weight.Of(reverse(n, turn))) || weight.Sampled {
				t.Fatalf("network %d: pair %v", i, turn)
			}
		}
	}
}

// TestOnePathTraffic: with one path per pair, the traffic of a turn is that of the pairs whose path has
// the turn. Every path is a shortest one.
func TestOnePathTraffic(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 0))
	for i := range 150 {
		n := randomNetwork(r, 8)
		tr := randomTraffic(r, n)
		if tr == nil {
			tr = model.UniformTraffic(n)
		}
		d := model.NewDemand(n, tr)
		got, err := onePathTraffic(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		paths, err := NewOnePaths(t.Context(), allTurns(n), d, PathsBalanced)
		if err != nil {
			t.Fatal(err)
		}
		list, err := paths.List()
		if err != nil {
			t.Fatal(err)
		}
		want := map[model.Turn]float64{}
		for _, p := range list {
			for k := 1; k < len(p.VCs); k++ {
				want[model.Turn{In: p.VCs[k-1], Out: p.VCs[k]}] += tr.Between(p.Source, p.Dest)
			}
			from, to := n.Host(p.Source).Switch, n.Host(p.Dest).Switch
			if least := int(hv.Hops(n, to)[from]); len(p.VCs) > 0 && len(p.VCs) != least {
				t.Fatalf("network %d: a path of %d links, the shortest has %d", i, len(p.VCs), least)
			}
		}
		for turn := range model.Turns(n, false) {
			if !near(got.Of(turn), want[turn]) {
				t.Fatalf("network %d: turn %v has traffic %v, want %v", i, turn, got.Of(turn), want[turn])
			}
		}
	}
}

// TestCount counts by hand on random sets, and 2d-turn-model, table 3: up*/down* on
// the 8x8 torus prohibits 2.500 turns a switch, standard deviation 2.264, 80 pairs,
// from any root.
func TestCount(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 0))
	for range 200 {
		n := randomNetwork(r, 8)
		set := allTurns(n)
		for turn := range model.Turns(n, false) {
			if r.IntN(2) == 0 {
				set.Remove(turn)
			}
		}
		got := Count(set)
		at := make([]int, n.NumSwitches())
		turns, prohibited, pairs := 0, 0, 0
		for in := range model.ChannelID(n.NumLinkChannels()) {
			for out := range model.ChannelID(n.NumLinkChannels()) {
				if n.Head(in) != n.Tail(out) || n.Reverse(in) == out {
					continue
				}
				turns++
				if set.Has(model.Turn{In: model.VCID(in), Out: model.VCID(out)}) {
					continue
				}
				prohibited++
				at[n.Head(in)]++
				if !set.Has(model.Turn{In: model.VCID(n.Reverse(out)), Out: model.VCID(n.Reverse(in))}) {
					pairs++
				}
			}
		}
		mean, squares := float64(prohibited)/float64(len(at)), 0.0
		for _, x := range at {
			squares += float64(x * x)
		}
		sd := math.Sqrt(max(0, squares/float64(len(at))-mean*mean))
		if got.Turns != turns || got.Prohibited != prohibited || 2*got.PPT != pairs || !slices.Equal(got.PerSwitch, at) || !near(got.PT, mean) || math.Abs(got.SDPT-sd) > 1e-6 {
			t.Fatalf("%+v, want %d of %d, %v, %v (%v), %d", got, prohibited, turns, at, mean, sd, pairs/2)
		}
		if turns > 0 && !near(got.Share(), float64(prohibited)/float64(turns)) || turns == 0 && got.Share() != 0 {
			t.Fatalf("share %v", got.Share())
		}
	}
	torus := parse(t, "torus:8x8")
	for root := range 64 {
		res, err := New(context.Background(), "updown", torus, Options{Root: strconv.Itoa(root)})
		if err != nil {
			t.Fatal(err)
		}
		if p := Count(res.Allowed); p.PT != 2.5 || math.Abs(p.SDPT-2.264) > 0.0005 || p.PPT != 80 {
			t.Errorf("root %d: %v (%v) %d", root, p.PT, p.SDPT, p.PPT)
		}
	}
}

// TestRoots checks that each rule chooses a switch of least cost, and among several the one with
// the least mean distance to hosts.
func TestRoots(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 0))
	for i := range 60 {
		n := randomNetwork(r, 8)
		m := methods[r.IntN(5)]
		tr := randomTraffic(r, n)
		if tr == nil {
			tr = model.UniformTraffic(n)
		}
		d := model.NewDemand(n, tr)
		weight, err := NewTurnTraffic(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		even, err := NewTurnTraffic(context.Background(), model.NewDemand(n, model.UniformTraffic(n)))
		if err != nil {
			t.Fatal(err)
		}
		free := waysByHand(allTurns(n), tr)
		costs := map[string][]float64{}
		far := make([]uint64, n.NumSwitches())
		for u := range model.SwitchID(n.NumSwitches()) {
			res, err := New(context.Background(), m.Name, n, Options{Root: strconv.Itoa(int(u)), Traffic: tr})
			if err != nil {
				t.Fatal(err)
			}
			down, err := New(context.Background(), "updown", n, Options{Root: strconv.Itoa(int(u))})
			if err != nil {
				t.Fatal(err)
			}
			ways, count := waysByHand(res.Allowed, tr), Count(res.Allowed)
			dist := hv.Hops(n, u)
			for h := range model.HostID(n.NumHosts()) {
				far[u] += uint64(dist[n.Host(h).Switch])
			}
			most, onLinks := 0.0, 0.0
			for c, x := range ways.Load {
				most = max(most, x)
				if c < n.NumLinkChannels() {
					onLinks = max(onLinks, x)
				}
			}
			if most > 0 {
				most = -1 / most
			}
			for name, x := range map[string]float64{
				"auto": even.prohibited(down.Allowed), "center": float64(slices.Max(dist)), "mean": 0, "crossing-free": free.Crossing[u],
				"crossing-root": ways.Crossing[u], "crossing-channel": onLinks, "traffic": weight.prohibited(res.Allowed),
				"best-pt": count.PT, "best-sdpt": count.SDPT, "best-ppt": float64(count.PPT), "best-path": ways.MeanPath, "best-throughput": most,
			} {
				costs[name] = append(costs[name], x)
			}
		}
		for _, rule := range RootRules() {
			o := Options{Root: rule.Name, Traffic: tr}
			if rule.trees {
				o.Tree.Parent = hv.FirstSeen // no search over parents and children
			}
			res, err := New(context.Background(), m.Name, n, o)
			if err != nil {
				t.Fatal(err)
			}
			cost, best := costs[rule.Name], 0
			for u := range cost {
				switch {
				case cost[u] < cost[best]-1e-7*math.Abs(cost[best]):
					best = u
				case cost[u] <= cost[best]+1e-7*math.Abs(cost[best]) && rule.Name != "auto" && rule.Name != "center" && far[u] < far[best]:
					best = u
				}
			}
			if got := int(res.Tree.Root); got != best {
				t.Errorf("network %d, %s, rule %s: root %d, want %d; costs %v, distances %v", i, m.Name, rule.Name, got, best, cost, far)
			}
		}
	}
	if u, err := AutoRoot(context.Background(), parseLinks("0-3 1-3 2-3"), hv.Options{}); err != nil || u != 0 {
		t.Errorf("root of a star, on which nothing is prohibited: %d, %v", u, err)
	}
	if _, err := AutoRoot(context.Background(), fromLinks(2, nil), hv.Options{}); err == nil {
		t.Error("a root of two parts")
	}
}

// bench makes the turn set of a method.
func bench(b *testing.B, method, spec string, o Options) {
	n := parse(b, spec)
	var set *model.TurnSet
	for b.Loop() {
		res, err := New(context.Background(), method, n, o)
		if err != nil {
			b.Fatal(err)
		}
		set = res.Allowed
	}
	p := Count(set)
	b.ReportMetric(p.PT, "PT")
	b.ReportMetric(p.SDPT, "SDPT")
	b.ReportMetric(float64(p.Turns)*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
}

var benchRandom = []struct{ name, spec string }{
	{"random/64", "random:switches=64,degree=4,hosts=4,seed=1"},
	{"random/512", "random:switches=512,degree=4,hosts=4,seed=1"},
	{"random/4096", "random:switches=4096,degree=4,hosts=4,seed=1"},
}

var benchPairs = []struct{ name, spec string }{
	{"fattree-pair/4", "fattree-pair:k=4,join=middle"},
	{"fattree-pair/8", "fattree-pair:k=8,join=middle"},
	{"fattree-pair/16", "fattree-pair:k=16,join=middle"},
}

func BenchmarkTurnAddition(b *testing.B) {
	for _, c := range append(slices.Clone(benchRandom), benchPairs...) {
		b.Run(c.name, func(b *testing.B) { bench(b, "turn-addition", c.spec, Options{}) })
	}
}

func BenchmarkTurnProhibition(b *testing.B) {
	for _, c := range append(slices.Clone(benchRandom), benchPairs...) {
		b.Run(c.name, func(b *testing.B) { bench(b, "tp", c.spec, Options{}) })
	}
}

// BenchmarkLTurn is from a given root, so without the search for one.
func BenchmarkLTurn(b *testing.B) {
	for _, c := range benchRandom {
		b.Run(c.name, func(b *testing.B) { bench(b, "lturn-alpha", c.spec, Options{Root: "0"}) })
	}
}

func BenchmarkMeasureWays(b *testing.B) {
	for _, c := range append(slices.Clone(benchRandom), benchPairs...) {
		b.Run(c.name, func(b *testing.B) {
			n := parse(b, c.spec)
			res, err := New(context.Background(), "updown", n, Options{Root: "center"})
			if err != nil {
				b.Fatal(err)
			}
			d := model.NewDemand(n, model.UniformTraffic(n))
			var w *PathStats
			for b.Loop() {
				if w, err = MeasurePaths(context.Background(), res.Allowed, d); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(w.Throughput(), "throughput")
			b.ReportMetric(w.MeanPath, "links/way")
		})
	}
}

// TestFromTurnsKeepsPaths: the relation of a set has paths of the measured length.
func TestFromTurnsKeepsPaths(t *testing.T) {
	n := parse(t, "torus:4x4")
	for _, m := range Published() {
		res, err := New(context.Background(), m, n, Options{})
		if err != nil {
			t.Fatal(err)
		}
		ways, err := MeasurePaths(context.Background(), res.Allowed, model.NewDemand(n, model.UniformTraffic(n)))
		if err != nil {
			t.Fatal(err)
		}
		rel := route.FromTurns(res.Allowed, true)
		sum, most := 0, 0
		for a := range model.HostID(16) {
			for d := range model.DestID(16) {
				if !model.Sends(rel, a, d) {
					continue
				}
				hops := 0
				for s := model.InjectState(rel, a, d, 0); ; hops++ {
					next := rel.Next(s, nil)
					if len(next) != 1 {
						t.Fatalf("%s: hops %v", m, next)
					}
					if s.VC = next[0].VC; !n.IsLinkVC(s.VC) {
						break
					}
				}
				sum, most = sum+hops, max(most, hops)
			}
		}
		if !near(float64(sum)/240, ways.MeanPath) || most != ways.MaxPath {
			t.Errorf("%s: %v links a way, at most %d; measured %v, %d", m, float64(sum)/240, most, ways.MeanPath, ways.MaxPath)
		}
	}
}
