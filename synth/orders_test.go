package synth

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file looks for orders of turns with which the forms of turn addition
// fail. Sets of turns are rows of bits here, and share no code with the package.

// tiny is a network of at most 32 links. Channel 2i goes from the first switch
// of link i to the second, 2i+1 back, as in model.
type tiny struct {
	n     int
	links [][2]int
	pairs [][2]int // turns, one of each pair: channel in, channel out
	out   []uint64 // by switch: channels out of it
	into  []uint64
}

func newTiny(n int, links [][2]int) *tiny {
	g := &tiny{n: n, links: links, out: make([]uint64, n), into: make([]uint64, n)}
	for i, l := range links {
		g.out[l[0]] |= 1 << (2 * i)
		g.into[l[1]] |= 1 << (2 * i)
		g.out[l[1]] |= 1 << (2*i + 1)
		g.into[l[0]] |= 1 << (2*i + 1)
	}
	for u := range n {
		for a := range 2 * len(links) {
			for b := range 2 * len(links) {
				if g.into[u]>>a&1 != 0 && g.out[u]>>b&1 != 0 && a/2 < b/2 {
					g.pairs = append(g.pairs, [2]int{a, b})
				}
			}
		}
	}
	return g
}

// back is the reverse of a turn.
func back(t [2]int) [2]int { return [2]int{t[1] ^ 1, t[0] ^ 1} }

// rows are allowed turns: by channel in, the channels out.
type rows []uint64

func (r rows) flip(t [2]int) { r[t[0]] ^= 1 << t[1] }

func (r rows) has(t [2]int) bool { return r[t[0]]>>t[1]&1 != 0 }

// spread returns what can be reached from a set of channels, the set included.
func (r rows) spread(seen uint64) uint64 {
	for next := seen; next != 0; {
		b := bits.TrailingZeros64(next)
		fresh := r[b] &^ seen
		seen |= fresh
		next = next&(next-1) | fresh
	}
	return seen
}

// closes reports whether turn t, allowed or not, lies on a cycle.
func (r rows) closes(t [2]int) bool { return r.spread(1<<t[1])>>t[0]&1 != 0 }

func (r rows) cyclic() bool {
	for a, next := range r {
		if r.spread(next)>>a&1 != 0 {
			return true
		}
	}
	return false
}

// add allows a turn and its reverse, unless that closes a cycle. By symmetry
// a cycle goes through the turn if it goes through the reverse.
func (r rows) add(t [2]int) bool {
	r.flip(t)
	r.flip(back(t))
	if r.closes(t) {
		r.flip(t)
		r.flip(back(t))
		return false
	}
	return true
}

// lost counts the pairs of switches without a way.
func (g *tiny) lost(r rows) (pairs int) {
	for u := range g.n {
		seen := r.spread(g.out[u])
		for v := range g.n {
			if u != v && seen&g.into[v] == 0 {
				pairs++
			}
		}
	}
	return pairs
}

// losing searches all sets that testing both can end with, in any order, for one
// that leaves a pair without a way: sets without cycles, each turn with its
// reverse, none of which can be added. It returns nil if there is none, and false if
// it has stopped before the end.
func (g *tiny) losing(steps int) (found rows, all bool) {
	r := make(rows, 2*len(g.links))
	var refused [][2]int
	var grow func(i int) bool
	grow = func(i int) bool { // true: go on
		if steps--; steps < 0 {
			return false
		}
		if g.lost(r) == 0 {
			return true // more turns lose no way
		}
		most := slices.Clone(r)
		for _, t := range g.pairs[i:] {
			most.flip(t)
			most.flip(back(t))
		}
		for _, t := range refused {
			most.flip(t)
			most.flip(back(t))
			closes := most.closes(t)
			most.flip(t)
			most.flip(back(t))
			if !closes {
				return true // this one cannot be refused any more
			}
		}
		if i == len(g.pairs) {
			found = slices.Clone(r)
			return false
		}
		t := g.pairs[i]
		if r.add(t) {
			on := grow(i + 1)
			r.flip(t)
			r.flip(back(t))
			if !on {
				return false
			}
		}
		refused = append(refused, t)
		on := grow(i + 1)
		refused = refused[:len(refused)-1]
		return on
	}
	grow(0)
	return found, steps >= 0
}

// figure16 searches for an order with which figure 16 closes a cycle: a closed
// walk over turn t and its reverse, such that its other turns, each with its
// reverse, close no cycle even with t. Nothing returned means that there is none.
func (g *tiny) figure16(t [2]int) (walk []int) {
	r := make(rows, 2*len(g.links))
	r.flip(t)
	type state struct {
		at   int
		half bool // over the reverse of t already
		set  string
	}
	seen := map[state]bool{}
	var grow func(at int, half bool) bool
	grow = func(at int, half bool) bool {
		if at == t[0] {
			return half
		}
		s := state{at, half, fmt.Sprint(r)}
		if seen[s] {
			return false
		}
		seen[s] = true
		walk = append(walk, at)
		for next := g.out[g.links[at/2][1-at%2]] &^ (1 << (at ^ 1)); next != 0; next &= next - 1 {
			turn := [2]int{at, bits.TrailingZeros64(next)}
			switch {
			case turn == back(t):
				if !half && grow(turn[1], true) {
					return true
				}
			case r.has(turn):
				if grow(turn[1], half) {
					return true
				}
			default:
				r.flip(turn)
				r.flip(back(turn))
				if !r.cyclic() && grow(turn[1], half) {
					return true
				}
				r.flip(turn)
				r.flip(back(turn))
			}
		}
		walk = walk[:len(walk)-1]
		return false
	}
	if grow(t[1], false) {
		return append(walk, t[0])
	}
	return nil
}

// shapes returns one graph of each isomorphism class, fewest links first.
func shapes(n, parallel int) (list [][][2]int) {
	seen := map[string]bool{}
	connectedGraphs(n, parallel, func(links [][2]int) {
		w, v := make([]byte, n*n), make([]byte, n*n)
		for _, l := range links {
			w[l[0]*n+l[1]]++
			w[l[1]*n+l[0]]++
		}
		if seen[string(w)] {
			return
		}
		for p := range permutations(n) {
			for i := range n {
				for j := range n {
					v[p[i]*n+p[j]] = w[i*n+j]
				}
			}
			seen[string(v)] = true
		}
		list = append(list, links)
	})
	return list
}

// permutations yields those of 0 to n-1, in the same slice.
func permutations(n int) func(func([]int) bool) {
	return func(yield func([]int) bool) {
		p := identity(n)
		var permute func(k int) bool
		permute = func(k int) bool {
			if k == n {
				return yield(p)
			}
			for i := k; i < n; i++ {
				p[k], p[i] = p[i], p[k]
				on := permute(k + 1)
				p[k], p[i] = p[i], p[k]
				if !on {
					return false
				}
			}
			return true
		}
		permute(0)
	}
}

// inOrder runs a form on n with turns, as channel in and channel out, first, and
// the others after them.
func inOrder(t testing.TB, n *model.Network, form string, first [][2]int) *model.TurnSet {
	t.Helper()
	w := newWork(context.Background(), n, Options{Form: form})
	a := &addition{work: w}
	if err := a.sort(); err != nil {
		t.Fatal(err)
	}
	var turns []model.Turn
	for _, f := range first {
		turns = append(turns, model.Turn{In: model.VCID(f[0]), Out: model.VCID(f[1])})
	}
	a.turns = append(turns, a.turns...)
	if err := a.add(form == FormTree); err != nil {
		t.Fatal(err)
	}
	return a.set
}

// orderOfWalk turns the walk of figure16 into an order: the turns other than t and
// its reverse, then t.
func orderOfWalk(walk []int) (order [][2]int) {
	t := [2]int{walk[len(walk)-1], walk[0]}
	for i, a := range walk[:len(walk)-1] {
		if turn := [2]int{a, walk[i+1]}; turn != back(t) {
			order = append(order, turn)
		}
	}
	return append(order, t)
}

// switchesOf names the channels of a walk by the switches that they leave.
func (g *tiny) switchesOf(walk []int) (list []int) {
	for _, c := range walk {
		list = append(list, g.links[c/2][c%2])
	}
	return list
}

// TestFigure16Smallest: figure 16 as printed closes no cycle on networks of at
// most four switches without parallel links, in whatever order the turns come,
// nor on five switches with at most eight links, nor on six with at most seven. With
// up to two parallel links the first have four switches and six links, with three three and six.
// It is enough to look at whole networks: an order of a part can be gone through first.
func TestFigure16Smallest(t *testing.T) {
	for _, c := range []struct {
		switches, parallel, most int
		want                     string
		cycle                    int
	}{
		{3, 1, 99, "", 0},
		{4, 1, 99, "", 0},
		{5, 1, 99, "0-1 0-2 0-3 0-4 1-2 1-3 1-4 2-3 2-4", 12},
		{6, 1, 8, "0-1 0-2 0-3 0-4 0-5 1-4 1-5 2-3", 10},
		{2, 5, 99, "", 0},
		{2, 6, 99, "0-1 0-1 0-1 0-1 0-1 0-1", 8},
		{3, 2, 99, "", 0},
		{3, 3, 99, "0-1 0-1 0-1 0-2 0-2 0-2", 8},
		{4, 2, 6, "0-1 0-1 0-2 0-2 0-3 0-3", 8},
	} {
		found := false
		for _, links := range shapes(c.switches, c.parallel) {
			if len(links) > c.most || found {
				continue
			}
			g := newTiny(c.switches, links)
			for _, p := range g.pairs {
				walk := g.figure16(p)
				if walk == nil {
					walk = g.figure16(back(p))
				}
				if walk == nil {
					continue
				}
				found = true
				if got := formatLinks(links); got != c.want {
					t.Errorf("%d switches, %d parallel: %s, want %s", c.switches, c.parallel, got, c.want)
				}
				n := fromLinks(c.switches, links)
				order := orderOfWalk(walk)
				rep, err := verify.CheckTurns(context.Background(), inOrder(t, n, FormPaper, order), verify.TurnOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if rep.Acyclic.Verdict != verify.Refuted || len(rep.Cycle) != c.cycle {
					t.Errorf("%s: %v as printed: acyclic %s, a cycle of %d", formatLinks(links), order, rep.Acyclic.Verdict, len(rep.Cycle))
				}
				t.Logf("%s: turns %v, walk %v, cycle of %d", formatLinks(links), order, g.switchesOf(walk), len(rep.Cycle))
				for _, form := range []string{FormBoth, FormTree} {
					set := inOrder(t, n, form, order)
					if !isAcyclic(set) {
						t.Errorf("%s: form %s closes a cycle", formatLinks(links), form)
					}
				}
				break
			}
		}
		if found != (c.want != "") {
			t.Errorf("%d switches, %d parallel: found %v", c.switches, c.parallel, found)
		}
	}
}

// TestBothSmallest: testing both leaves no pair without a way on networks of at
// most five switches without parallel links, in whatever order the turns come;
// nor on four with two parallel links. With them, five switches and six links do.
func TestBothSmallest(t *testing.T) {
	type size struct{ switches, parallel, most int }
	sizes := []size{{3, 1, 99}, {4, 1, 99}, {5, 1, 99}, {2, 6, 99}, {3, 2, 99}, {4, 2, 8}}
	if long() {
		sizes = append(sizes, size{6, 1, 99}, size{3, 3, 99}, size{4, 2, 99})
	}
	for _, c := range sizes {
		whole, stopped := 0, 0
		for _, links := range shapes(c.switches, c.parallel) {
			if len(links) > c.most {
				continue
			}
			g := newTiny(c.switches, links)
			found, all := g.losing(3_000_000)
			if found != nil {
				t.Errorf("%s: %d pairs are lost", formatLinks(links), g.lost(found))
			}
			if all {
				whole++
			} else {
				stopped++
			}
		}
		t.Logf("%+v: %d networks searched, %d more in part", c, whole, stopped)
		if stopped > 0 && !long() {
			t.Errorf("%+v: %d networks not searched to the end", c, stopped)
		}
	}
	for _, links := range shapes(5, 2) {
		if len(links) > 6 {
			break
		}
		found, _ := newTiny(5, links).losing(3_000_000)
		if lost, want := found != nil, formatLinks(links) == "0-3 0-4 0-4 1-2 1-2 1-3"; lost != want {
			t.Errorf("%s: pairs are lost: %v", formatLinks(links), lost)
		}
	}
}

// rings are two rings joined by a path over one switch, which has the highest
// number: the turn over it, and its reverse, close a cycle only together.
var rings = []struct {
	links  string
	group  []int32 // by switch; no traffic between 0 and 1
	cycle  int     // as printed
	lost   int64   // testing both
	groups string
}{
	{"0-1 0-4 1-4 2-3 2-5 3-5 4-6 5-6", []int32{0, 0, 1, 1, 0, 1, 2}, 10, 18, "two triangles"},
	{"0-2 0-2 1-3 1-3 2-4 3-4", []int32{0, 1, 0, 1, 2}, 8, 8, "two double links"},
}

// TestRings is the pair of networks on which traffic alone makes figure 16 close a
// cycle, and testing both lose pairs.
func TestRings(t *testing.T) {
	for _, c := range rings {
		n := parseLinks(c.links)
		traffic, err := model.GroupTraffic(n, c.group, [][]float64{{1, 0, 1}, {0, 1, 1}, {1, 1, 1}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []struct {
			form      string
			acyclic   verify.Verdict
			connected verify.Verdict
		}{
			{FormPaper, verify.Refuted, verify.Proved}, {FormBoth, verify.Proved, verify.Refuted},
			{FormTree, verify.Proved, verify.Proved}, {FormSafe, verify.Proved, verify.Proved},
		} {
			res, err := New(context.Background(), "turn-addition", n, Options{Form: f.form, Equal: EqualByID, Traffic: traffic})
			if err != nil {
				t.Fatal(err)
			}
			rep, err := verify.CheckTurns(context.Background(), res.Allowed, verify.TurnOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Acyclic.Verdict != f.acyclic || rep.Connected.Verdict != f.connected {
				t.Errorf("%s, %s: acyclic %s, connected %s", c.groups, f.form, rep.Acyclic.Verdict, rep.Connected.Verdict)
			}
			if f.form == FormBoth && rep.Unreachable != c.lost {
				t.Errorf("%s: %d pairs lost, want %d", c.groups, rep.Unreachable, c.lost)
			}
			if f.form == FormPaper && len(rep.Cycle) != c.cycle {
				t.Errorf("%s: a cycle of %d, want %d: %v", c.groups, len(rep.Cycle), c.cycle, cycleOf(t, res.Allowed))
			}
			if noted := len(res.Notes) > 0; noted != (f.form == FormSafe) {
				t.Errorf("%s, %s: notes %v", c.groups, f.form, res.Notes)
			}
		}
	}
}

// TestAnyOrder checks turn addition with random orders of turns. Testing both directions leaves no
// cycle. With the turns of a tree first, no pair is left without a path. The package agrees with a
// second implementation on bit rows.
func TestAnyOrder(t *testing.T) {
	times := longtest.Cases(300, 30_000)
	r := rand.New(rand.NewPCG(5, 0))
	for i := range times {
		n := randomNetwork(r, 8)
		if n.NumLinks() > 32 {
			continue
		}
		var links [][2]int
		for l := range model.LinkID(n.NumLinks()) {
			links = append(links, [2]int{int(n.Link(l).A), int(n.Link(l).B)})
		}
		g := newTiny(n.NumSwitches(), links)
		r.Shuffle(len(g.pairs), func(i, j int) { g.pairs[i], g.pairs[j] = g.pairs[j], g.pairs[i] })
		both, printed := make(rows, 2*len(links)), make(rows, 2*len(links)) // as the forms both and paper
		for _, p := range g.pairs {
			both.add(p)
			if !printed.closes(p) {
				printed.flip(p)
				printed.flip(back(p))
			}
		}
		for form, want := range map[string]rows{FormBoth: both, FormPaper: printed} {
			set := inOrder(t, n, form, g.pairs)
			for turn := range model.Turns(n, false) {
				if set.Has(turn) != want.has([2]int{int(turn.In), int(turn.Out)}) {
					t.Fatalf("network %d (%s), form %s, order %v: turn %v is allowed %v", i, formatLinks(links), form, g.pairs, turn, set.Has(turn))
				}
			}
		}
		if g.lost(printed) > 0 {
			t.Fatalf("network %d (%s): figure 16 leaves pairs without a way, order %v: docs/turn-methods-reference.md says not refuted", i, formatLinks(links), g.pairs)
		}
		if both.cyclic() {
			t.Fatalf("network %d (%s): testing both closes a cycle, order %v", i, formatLinks(links), g.pairs)
		}
		set := inOrder(t, n, FormTree, g.pairs)
		rep, err := verify.CheckTurns(context.Background(), set, verify.TurnOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved {
			t.Fatalf("network %d (%s), form tree, order %v: acyclic %s, connected %s", i, formatLinks(links), g.pairs, rep.Acyclic.Verdict, rep.Connected.Verdict)
		}
	}
}
