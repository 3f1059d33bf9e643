package parametric

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify/smt"
)

// opened returns a prover of the claim livelock-free of a program, with its classes, for a choice of failures.
func opened(t *testing.T, p *program.Program, faults ...int) *prover {
	t.Helper()
	f, err := newFamily(p, 2, faults...)
	if err != nil {
		t.Fatal(err)
	}
	made := &prover{Options: Options{Progress: func(string) {}}, report: &Report{}, system: &system{family: f, ctx: t.Context(), limit: 10e9,
		claims: []string{"livelock-free"}, pathsOnly: true, facts: newFacts()}}
	if err := made.explorePaths(); err != nil {
		t.Fatal(err)
	}
	if err := made.findClasses(); err != nil {
		t.Fatal(err)
	}
	return made
}

// TestCellRanks: ranks in pieces rise on every hop of every packet on small meshes, and at each place one piece applies. The
// test finds directions and places of channels itself.
func TestCellRanks(t *testing.T) {
	if !smt.Available() {
		t.Skip("needs Z3")
	}
	p := example(t, "link-fault-corrected.star")
	made := opened(t, p)
	found, err := made.piecewise(made.dependencies(nil))
	if err != nil || found == nil {
		t.Fatal(found, err)
	}
	pieces := 0
	for _, list := range found {
		pieces += len(list)
	}
	if pieces <= len(found) {
		t.Errorf("%d pieces for %d nodes", pieces, len(found))
	}
	for n := 2; n <= 4; n++ {
		for m := 2; m <= 4; m++ {
			judgeCellRanks(t, p, made.family, found, n, m)
		}
	}
}

// judgeCellRanks checks that ranks rise on the hops of all packets of a mesh.
func judgeCellRanks(t *testing.T, p *program.Program, f *family, found ranks, n, m int) {
	t.Helper()
	net, err := topo.Parse(fmt.Sprintf("mesh:%dx%d", n, m))
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := p.Relation(t.Context(), net)
	if err != nil {
		t.Fatal(err)
	}
	net = r.Network()
	hops := 0
	for d := range model.DestID(r.Destinations()) {
		to := int(net.Host(r.DestinationHost(d)).Switch)
		rank := func(v model.VCID) []int64 {
			c, _ := net.Channel(v)
			tail, head := int(net.Tail(c)), int(net.Head(c))
			at := map[int]program.Dir{1: 0, -1: 1, n: 2, -n: 3}[head-tail]
			point := f.point([]int{tail % n, tail / n}, []int{to % n, to / n}, []int{n, m})
			var values []int64
			for _, piece := range found[node{dir: at}] {
				if !allHold(piece.guard, point) {
					continue
				}
				if values != nil {
					t.Fatalf("two pieces apply at %v", point)
				}
				for _, x := range piece.tuple {
					values = append(values, x.at(point))
				}
			}
			if values == nil {
				t.Fatalf("no piece applies at %v, direction %v", point, at)
			}
			return values
		}
		seen := map[model.State]bool{}
		var walk func(s model.State)
		walk = func(s model.State) {
			if seen[s] {
				return
			}
			seen[s] = true
			for _, h := range r.Next(s, nil) {
				if !net.IsLinkVC(h.VC) {
					continue
				}
				if net.IsLinkVC(s.VC) {
					if hops++; slices.Compare(rank(s.VC), rank(h.VC)) >= 0 {
						t.Fatalf("%dx%d: the rank does not rise from %v to %v, destination %d", n, m, rank(s.VC), rank(h.VC), to)
					}
				}
				walk(model.State{VC: h.VC, Class: h.Class, Dest: d})
			}
		}
		for h := range model.HostID(net.NumHosts()) {
			if net.Host(h).Switch != model.SwitchID(to) {
				walk(model.State{VC: net.VC(net.InjectChannel(h), 0), Dest: d})
			}
		}
	}
	if n > 2 && hops == 0 {
		t.Errorf("%dx%d: no hops", n, m)
	}
}

// TestCellGraph ranks random graphs. Ranks must rise on every hop. A graph without ranks has a set of hops, each on a cycle of
// them, such that each sum that rises on one falls on another: removing hops one sum at a time ends there.
func TestCellGraph(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	steps := [][]int64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	sums := (&system{family: &family{dims: 2}}).cellSums()
	if len(sums) != 8 {
		t.Fatal(sums)
	}
	ranked := 0
	for range 3000 {
		n := 1 + random.IntN(6)
		type hop struct{ from, to, step int }
		var hops []hop
		h := newCellGraph(n, len(sums))
		for range random.IntN(3 * n) {
			x := hop{random.IntN(n), random.IntN(n), random.IntN(len(steps))}
			if random.IntN(3) > 0 {
				x.step = x.from % len(steps)
			}
			hops = append(hops, x)
			one := change{hops: 1}
			for i, s := range sums {
				switch by := s[0]*steps[x.step][0] + s[1]*steps[x.step][1]; {
				case by > 0:
					one.rising |= 1 << i
				case by < 0:
					one.falling |= 1 << i
				}
			}
			h.link(x.from, x.to).join(one)
		}
		type level struct{ number, sum int }
		rank := make([][]level, n)
		h.rank(h.all(), 0, func(cell, number, sum int) { rank[cell] = append(rank[cell], level{number, sum}) })
		by := func(sum, step int) int64 { return sums[sum][0]*steps[step][0] + sums[sum][1]*steps[step][1] }
		if len(h.unranked) == 0 {
			ranked++
			for _, x := range hops {
				rises := false
				for k := range min(len(rank[x.from]), len(rank[x.to])) {
					a, b := rank[x.from][k], rank[x.to][k]
					if order := cmp.Compare(b.number, a.number); order != 0 {
						rises = order > 0
						break
					}
					if a.sum != b.sum || a.sum < 0 {
						break
					}
					if by(a.sum, x.step) != 0 {
						rises = by(a.sum, x.step) > 0
						break
					}
				}
				if !rises {
					t.Fatalf("no rise on %v: %v to %v", x, rank[x.from], rank[x.to])
				}
			}
			continue
		}
		left := slices.Clone(hops)
		for changed := true; changed; {
			reach := make([][]bool, n)
			for a := range reach {
				reach[a] = make([]bool, n)
				reach[a][a] = true
			}
			for range n {
				for _, x := range left {
					for a := range n {
						reach[a][x.to] = reach[a][x.to] || reach[a][x.from]
					}
				}
			}
			before := len(left)
			left = slices.DeleteFunc(left, func(x hop) bool { return !reach[x.to][x.from] })
			for i := range sums {
				for a := range n {
					mine := func(x hop) bool { return reach[a][x.from] && reach[x.from][a] && reach[a][x.to] && reach[x.to][a] }
					if slices.ContainsFunc(left, func(x hop) bool { return mine(x) && by(i, x.step) < 0 }) {
						continue
					}
					all := slices.Clone(left)
					left = slices.DeleteFunc(left, func(x hop) bool {
						return mine(x) && !slices.ContainsFunc(all, func(y hop) bool { return y.from == x.from && y.to == x.to && by(i, y.step) <= 0 })
					})
				}
			}
			changed = len(left) < before
		}
		if len(left) == 0 {
			t.Fatalf("not ranked: %v", hops)
		}
	}
	if ranked < 500 || ranked > 2900 {
		t.Errorf("%d graphs are ranked", ranked)
	}
}

// TestGuards: a guard has no condition that others imply.
func TestGuards(t *testing.T) {
	g := &cells{system: &system{family: &family{dims: 1}}, conditions: []atom{{form: form{1, 0}}, {form: form{1, -2}}, {form: form{1, 1}, mod: 2}}}
	for want, literals := range map[string][]literal{
		"[{[1 -2] 0 []}]":              {{0, true}, {1, true}},
		"[{[-1 -1] 0 []}]":             {{1, false}, {0, false}},
		"[{[1 0] 0 []} {[-1 1] 0 []}]": {{0, true}, {1, false}},
		"[{[1 2] 2 []}]":               {{2, false}},
	} {
		if got := fmt.Sprint(g.guard(literals)); got != want {
			t.Errorf("%v: %s, want %s", literals, got, want)
		}
	}
}
