package local

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
)

// This file judges theorems about every network on all small networks, with all numbers of switches. The judge walks through the
// states of each program as the interpreter runs it. It shares no code with the search and the checker.

// labelled returns the connected networks of n switches, with all numbers of switches.
func labelled(n int) (list [][][2]int) {
	var pairs [][2]int
	for v := range n {
		for u := range v {
			pairs = append(pairs, [2]int{u, v})
		}
	}
	for bits := range 1 << len(pairs) {
		var links [][2]int
		for i, p := range pairs {
			if bits>>i&1 == 1 {
				links = append(links, p)
			}
		}
		if joined(n, links) {
			list = append(list, links)
		}
	}
	return list
}

func joined(n int, links [][2]int) bool {
	group := make([]int, n)
	for u := range group {
		group[u] = u
	}
	for _, l := range links {
		a, b := group[l[0]], group[l[1]]
		for u := range group {
			if group[u] == b {
				group[u] = a
			}
		}
	}
	for _, g := range group {
		if g != group[0] {
			return false
		}
	}
	return true
}

func build(t *testing.T, n, vcs int, links [][2]int) *model.Network {
	t.Helper()
	b := model.NewBuilder()
	port := make([]model.Port, n)
	for u := range n {
		b.AddSwitch(model.Switch{})
		port[u] = 1
	}
	for _, l := range links {
		b.AddLink(model.SwitchID(l[0]), port[l[0]], model.SwitchID(l[1]), port[l[1]])
		port[l[0]]++
		port[l[1]]++
	}
	for u := range n {
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: port[u]})
	}
	b.SetVCs(vcs)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// packet is a state of a packet to a destination.
type packet struct {
	in  model.ChannelID
	vc  int
	at  model.SwitchID
	dst model.SwitchID
}

// judge returns which claims fail on a network, of "deadlock-free" (by a cycle of dependencies), "connected" and "livelock-free".
func judge(t *testing.T, p *program.Program, n *model.Network) map[string]bool {
	t.Helper()
	i, err := p.OnNetwork(n)
	if err != nil {
		t.Fatal(err)
	}
	fails := map[string]bool{}
	needs := map[[2]int]map[[2]int]bool{} // a channel and its VC
	for dst := range model.SwitchID(n.NumSwitches()) {
		next := map[packet][]packet{}
		var list []packet
		for src := range model.SwitchID(n.NumSwitches()) {
			if src != dst {
				list = append(list, packet{model.NoChannel, 0, src, dst})
			}
		}
		for len(list) > 0 {
			x := list[0]
			list = list[1:]
			if _, done := next[x]; done || x.at == dst {
				continue
			}
			out, _, err := i.RouteAt(x.at, dst, x.in, x.vc, 0)
			if err != nil || len(out) == 0 {
				fails["connected"] = true
			}
			next[x] = nil
			for _, o := range out {
				c := n.OutAt(x.at, model.Port(o.Dir+1))
				y := packet{c, o.VC, n.Head(c), dst}
				next[x] = append(next[x], y)
				list = append(list, y)
				if x.in != model.NoChannel {
					from := [2]int{int(x.in), x.vc}
					if needs[from] == nil {
						needs[from] = map[[2]int]bool{}
					}
					needs[from][[2]int{int(c), o.VC}] = true
				}
			}
		}
		graph := map[string]map[string]bool{}
		for x, ys := range next {
			graph[fmt.Sprint(x)] = map[string]bool{}
			for _, y := range ys {
				graph[fmt.Sprint(x)][fmt.Sprint(y)] = true
			}
		}
		if cyclic(graph) {
			fails["livelock-free"] = true
		}
	}
	if cyclic(needs) {
		fails["deadlock-free"] = true
	}
	return fails
}

// cyclic removes vertices without successors until none is left.
func cyclic[V comparable](next map[V]map[V]bool) bool {
	for {
		var free []V
		for x, ys := range next {
			out := false
			for y := range ys {
				if _, inside := next[y]; inside {
					out = true
				}
			}
			if !out {
				free = append(free, x)
			}
		}
		if len(free) == 0 {
			return len(next) > 0
		}
		for _, x := range free {
			delete(next, x)
		}
	}
}

// TestAllSmallNetworks: the programs of trees do what is proved on all connected networks of up to four switches, in long runs five,
// with all numbers of the switches, and on random networks of up to nine.
func TestAllSmallNetworks(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 31))
	for _, name := range []string{"tree", "updown", "lturn-alpha", "lturn-beta", "rturn-alpha", "rturn-beta", "duato-updown"} {
		p := parse(t, name)
		judged := 0
		look := func(n int, links [][2]int) {
			judged++
			net := build(t, n, p.VCs, links)
			fails := judge(t, p, net)
			if name == "duato-updown" { // its dependencies have cycles; all states show that it is deadlock-free
				if delete(fails, "deadlock-free"); n <= 3 {
					free(t, p, net)
				}
			}
			if len(fails) > 0 {
				t.Fatalf("%s is proved for every network; on %d switches, links %v, it is not %v", name, n, links, fails)
			}
		}
		most := 4
		if longtest.On() {
			most = 5
		}
		for n := 2; n <= most; n++ {
			for _, links := range labelled(n) {
				look(n, links)
			}
		}
		for range longtest.Share(200, 8) {
			n := 5 + r.IntN(5)
			var links [][2]int
			for v := 1; v < n; v++ {
				links = append(links, [2]int{r.IntN(v), v})
			}
			for range r.IntN(2 * n) {
				u, v := r.IntN(n), r.IntN(n)
				if u != v {
					links = append(links, [2]int{u, v}) // links may be parallel
				}
			}
			perm := r.Perm(n)
			for k, l := range links {
				links[k] = [2]int{perm[l[0]], perm[l[1]]}
			}
			look(n, links)
		}
		if judged < 50 {
			t.Errorf("%d networks", judged)
		}
	}
}

// free fails the test if a network with cut-through switching has a deadlock.
func free(t *testing.T, p *program.Program, n *model.Network) {
	t.Helper()
	relation, _, err := p.Relation(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	r, err := verify.Check(t.Context(), relation, verify.Options{Switching: model.CutThrough})
	if err != nil {
		t.Fatal(err)
	}
	if r.DeadlockFree.Verdict != verify.Proved {
		t.Errorf("%s on %d switches is %s", p.Name, n.NumSwitches(), r.DeadlockFree.Verdict)
	}
}

// TestJudge: the judge finds what is wrong with programs that are wrong on some small network.
func TestJudge(t *testing.T) {
	for text, want := range map[string]string{
		"    return neighbours(cur)\n": "deadlock-free livelock-free", "    return productive(cur, dst)\n": "deadlock-free",
		"    return [s for s in neighbours(cur) if s.id > cur.id]\n": "connected",
	} {
		p, err := program.Parse("wrong.star", "family = network()\n\ndef route(cur, dst, inp):\n"+text)
		if err != nil {
			t.Fatal(err)
		}
		fails := map[string]bool{}
		for n := 2; n <= 4; n++ {
			for _, links := range append(labelled(n), [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}) {
				size := n
				if len(links) == 5 && links[3] == [2]int{3, 4} {
					size = 5
				}
				for c := range judge(t, p, build(t, size, 1, links)) {
					fails[c] = true
				}
			}
		}
		for _, c := range strings.Fields("connected deadlock-free livelock-free") {
			if fails[c] != strings.Contains(want, c) {
				t.Errorf("%s%s fails: %v", text, c, fails[c])
			}
		}
	}
}

// TestWrongTrees: programs about the tree with one change. No claim is proved that fails on a small network.
func TestWrongTrees(t *testing.T) {
	for _, c := range []struct{ name, from, to, fails string }{
		{"tree", "below(dst, s)", "spread(s) <= spread(dst)", "livelock-free"},
		{"tree", "if below(dst, cur)", "if below(dst, cur) or depth(cur) == 1", "connected"},
		{"tree", "parents(cur)", "[s for s in neighbours(cur) if depth(s) <= depth(cur)]", "deadlock-free"},
		{"tree", "children(cur)", "neighbours(cur)", ""},
		{"updown", "v.id < u.id", "spread(v) < spread(u)", ""}, // right as well
		{"updown", "v.id < u.id", "v.id < u.id and depth(u) == 1", ""},
		{"updown", "v.id < u.id", "u.id != v.id", "deadlock-free"},
		{"updown", "not up(cur, s) and below(dst, s)", "not up(cur, s)", "livelock-free"},
		{"updown", "if up(cur, s)]", "if not up(cur, s)]", "connected"},
	} {
		if c.fails != "livelock-free" && !longtest.On() {
			continue // some seconds each
		}
		p := parse(t, c.name, c.from, c.to)
		r, err := Prove(t.Context(), p, Options{Switches: 4})
		if err != nil {
			t.Fatal(err)
		}
		fails := map[string]bool{}
		for n := 2; n <= 4; n++ {
			for _, links := range labelled(n) {
				for name := range judge(t, p, build(t, n, p.VCs, links)) {
					fails[name] = true
				}
			}
		}
		if c.fails != "" && !fails[c.fails] {
			t.Errorf("%s with %s: %s holds on small networks", c.name, c.to, c.fails)
		}
		for _, claim := range r.Claims {
			if claim.Verdict == verify.Proved && fails[claim.Name] {
				t.Errorf("%s with %s: %s is proved, and fails on a small network", c.name, c.to, claim.Name)
			}
		}
	}
}

// directions begins a program that orders the directions of channels on H/V graphs: LU, LD, RU, RD.
const directions = `family = network()

def way(u, v):
    if spread(v) < spread(u):
        return 0 if depth(v) < depth(u) else 1
    return 3 if depth(v) > depth(u) else 2

def route(cur, dst, inp):
    return [s for s in neighbours(cur) if inp.prev == None or not (%s)]
`

// TestTurnSets: all paths that the 2-D turn model allows are free of deadlock on every network, if all conditional turns are
// prohibited. With those of one method allowed, or with a turn that is always prohibited, some small network has a cycle.
func TestTurnSets(t *testing.T) {
	left, right := "LD>LU RU>LU RD>LU", "RD>RU RD>LD RD>LU"
	for _, c := range []struct{ prohibited, verdict string }{
		{left + " LD>RU LD>RD", "PRP"}, {left + " RU>LD RU>RD", "PRP"}, {right + " LD>RU LU>RU", "PRP"}, {right + " RU>LD LU>LD", "PRP"},
		{left, ""}, {right, ""}, {left + " LD>RU", ""}, {left + " RU>RD", ""}, {"LD>LU RU>LU LD>RU LD>RD", ""}, {right + " LU>RU", ""},
	} {
		if c.prohibited != left+" LD>RU LD>RD" && !longtest.On() {
			continue // one to three seconds each
		}
		var list []string
		for _, turn := range strings.Fields(c.prohibited) {
			in, out, _ := strings.Cut(turn, ">")
			number := map[string]int{"LU": 0, "LD": 1, "RU": 2, "RD": 3}
			list = append(list, fmt.Sprintf("way(inp.prev, cur) == %d and way(cur, s) == %d", number[in], number[out]))
		}
		p, err := program.Parse("turns.star", fmt.Sprintf(directions, strings.Join(list, " or ")))
		if err != nil {
			t.Fatal(err)
		}
		most := 5 // the smallest network with a cycle, if some are allowed
		if c.verdict != "" && !longtest.On() {
			most = 3
		}
		r, err := Prove(t.Context(), p, Options{Switches: most})
		if err != nil {
			t.Fatal(err)
		}
		if got := verdicts(r); got != c.verdict && (c.verdict != "" || got[0] == 'P' || !r.cyclic) {
			t.Errorf("%s: %s, cycle %v, want %q: %+v", c.prohibited, got, r.cyclic, c.verdict, r.Claims)
		}
	}
}

// randomTrees returns a program that picks neighbours by random conditions on the spanning tree. Some of them are right.
func randomTrees(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	condition := func() string {
		atom := func() string {
			return pick("below(dst, s)", "below(s, cur)", "depth(s) < depth(cur)", "spread(s) < spread(cur)", "s in parents(cur)", "s in children(cur)",
				"not below(dst, s)", "depth(s) > depth(cur)", "spread(s) > spread(cur)", "spread(s) <= spread(dst)", "s == dst")
		}
		if r.IntN(3) == 0 {
			return atom()
		}
		return atom() + " and " + atom()
	}
	return fmt.Sprintf("family = network()\n\ndef route(cur, dst, inp):\n    if %s:\n        return [s for s in neighbours(cur) if %s]\n"+
		"    return [s for s in neighbours(cur) if %s or %s]\n",
		pick("below(dst, cur)", "below(dst, cur)", "below(dst, cur)", "below(dst, cur)", "spread(cur) < spread(dst)", "inp.prev != None and below(cur, inp.prev)", "depth(cur) < depth(dst)"),
		pick("below(dst, s) and s in children(cur)", "below(dst, s) and depth(s) > depth(cur)", condition()), pick("s in parents(cur)", condition()), pick("False", condition()))
}

// TestRandomTrees: what is proved of random programs about the tree is true on all connected networks of up to four switches.
func TestRandomTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 31))
	proved, connected := 0, 0
	for range longtest.Share(60, 20) {
		text := randomTrees(r)
		p, err := program.Parse("random.star", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		report, err := Prove(t.Context(), p, Options{Switches: 3, Switching: model.Wormhole, cost: mostCost / 50})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		got := verdicts(report)
		if !strings.Contains(got, "P") {
			continue
		}
		proved++
		if got[1] == 'P' {
			connected++
		}
		for n := 2; n <= 4; n++ {
			for _, links := range labelled(n) {
				fails := judge(t, p, build(t, n, 1, links))
				for _, c := range report.Claims {
					if c.Verdict == verify.Proved && fails[c.Name] {
						t.Fatalf("%s is proved, and fails on %d switches, links %v\n%s", c.Name, n, links, text)
					}
				}
			}
		}
	}
	if proved == 0 || longtest.On() && connected == 0 {
		t.Errorf("%d programs have a proof, %d one of connected", proved, connected)
	}
	t.Logf("%d programs have a proof, %d one of connected", proved, connected)
}
