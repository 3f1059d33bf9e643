package runs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/netprograms"
	"github.com/turnproof/turnproof/model/program"
)

// This file judges runs on unknown switches by the interpreter on concrete networks.

// network is a concrete network. Depths, spreads and subtrees are those of the tree that the interpreter uses: breadth-first from switch 0.
type network struct {
	*model.Network
	n      int
	linked [][]bool
	dist   [][]int64
	depth  []int64
	spread []int64
	parent []int
}

func concrete(t *testing.T, g netprograms.Graph, vcs int) *network {
	t.Helper()
	net, err := g.Network(vcs)
	if err != nil {
		t.Fatal(err)
	}
	w := &network{Network: net, n: g.Switches, linked: make([][]bool, g.Switches), depth: make([]int64, g.Switches), spread: make([]int64, g.Switches),
		parent: make([]int, g.Switches)}
	for u := range w.linked {
		w.linked[u] = make([]bool, w.n)
	}
	for _, l := range g.Links {
		w.linked[l[0]][l[1]], w.linked[l[1]][l[0]] = true, true
	}
	for u := range w.n {
		w.dist = append(w.dist, w.search(u))
	}
	w.span(t)
	return w
}

// search returns distances by breadth-first search.
func (w *network) search(from int) []int64 {
	dist := slices.Repeat([]int64{-1}, w.n)
	dist[from] = 0
	for list := []int{from}; len(list) > 0; list = list[1:] {
		for v := range w.n {
			if w.linked[list[0]][v] && dist[v] < 0 {
				dist[v] = dist[list[0]] + 1
				list = append(list, v)
			}
		}
	}
	return dist
}

// span reads the spanning tree from programs that tell it: the parent of a switch, and which of two spreads is smaller.
func (w *network) span(t *testing.T) {
	t.Helper()
	tell := func(body string) *program.Instance {
		p, err := program.Parse("tree.star", "family = network()\n\ndef route(cur, dst, inp):\n    return "+body+"\n")
		if err != nil {
			t.Fatal(err)
		}
		i, err := p.OnNetwork(w.Network)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	up, order := tell("parents(cur)"), tell("neighbours(cur) if spread(cur) < spread(dst) else []")
	for cur := range model.SwitchID(w.n) {
		for dst := range model.SwitchID(w.n) {
			if cur == dst {
				continue
			}
			out, _, err := up.RouteAt(cur, dst, model.NoChannel, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range out {
				w.parent[cur] = int(w.Head(w.OutAt(cur, model.Port(o.Dir+1))))
			}
			if out, _, err = order.RouteAt(cur, dst, model.NoChannel, 0, 0); err != nil {
				t.Fatal(err)
			} else if len(out) > 0 {
				w.spread[dst]++
			}
		}
	}
	w.depth = w.dist[0]
}

// value evaluates an atom.
func (w *network) value(t *testing.T, a Atom, at map[Term]int) int64 {
	var u []int
	for _, x := range a.Args {
		k, ok := at[x]
		if !ok {
			t.Fatalf("term %d of %s has no switch", x, a.Fn)
		}
		u = append(u, k)
	}
	is := map[bool]int64{true: 1}
	switch a.Fn {
	case "id":
		return int64(u[0])
	case "distance":
		return w.dist[u[0]][u[1]]
	case "linked":
		return is[w.linked[u[0]][u[1]]]
	case "depth":
		return w.depth[u[0]]
	case "spread":
		return w.spread[u[0]]
	case "below":
		v := u[0]
		for v != u[1] && v != 0 {
			v = w.parent[v]
		}
		return is[v == u[1]]
	case "port":
		return int64(100*u[0] + u[1])
	}
	t.Fatalf("the integer %s", a.Fn)
	return 0
}

func (w *network) holds(t *testing.T, c *Condition, at map[Term]int) bool {
	sum := c.Sum.Number
	for _, p := range c.Sum.Products {
		sum += p.Factor * w.value(t, p.Atom, at)
	}
	switch c.Kind {
	case AtLeast:
		return sum >= 0
	case Divides:
		return sum%c.Divisor == 0
	case Not:
		return !w.holds(t, c.Parts[0], at)
	case Exists:
		found := false
		w.each(c.Vars, at, func(at map[Term]int) { found = found || w.holds(t, c.Parts[0], at) })
		return found
	}
	for _, p := range c.Parts {
		if w.holds(t, p, at) == (c.Kind == Any) {
			return c.Kind == Any
		}
	}
	return c.Kind == All
}

// each calls visit for all switches at some terms.
func (w *network) each(vars []Var, at map[Term]int, visit func(map[Term]int)) {
	if len(vars) == 0 {
		visit(at)
		return
	}
	for u := range w.n {
		if v := vars[0]; v.Free || w.linked[at[v.Of]][u] {
			more := maps.Clone(at)
			more[v.Term] = u
			w.each(vars[1:], more, visit)
		}
	}
}

// free adds the terms of a condition that no quantifier binds, except those of every packet.
func free(c *Condition, bound map[Term]bool, set map[Term]bool) {
	inner := maps.Clone(bound)
	for _, v := range c.Vars {
		inner[v.Term] = true
		if !v.Free && v.Of >= firstFree && !bound[v.Of] && !inner[v.Of] {
			set[v.Of] = true
		}
	}
	for _, p := range c.Sum.Products {
		for _, x := range p.Args {
			if x >= firstFree && !inner[x] {
				set[x] = true
			}
		}
	}
	for _, p := range c.Parts {
		free(p, inner, set)
	}
}

// part is a condition with its free terms.
type part struct {
	*Condition
	terms []Term
}

func partsOf(r *Run) (list []part) {
	conditions := []*Condition{r.When}
	if r.When.Kind == All {
		conditions = r.When.Parts
	}
	for _, c := range conditions {
		set := map[Term]bool{}
		free(c, map[Term]bool{}, set)
		list = append(list, part{c, slices.Sorted(maps.Keys(set))})
	}
	for _, o := range r.Outputs {
		set, bound := map[Term]bool{}, map[Term]bool{}
		for _, v := range o.Vars {
			bound[v.Term] = true
		}
		free(o.When, bound, set)
		if o.Next >= firstFree && !bound[o.Next] {
			set[o.Next] = true
		}
		list = append(list, part{yes, slices.Sorted(maps.Keys(set))})
	}
	return list
}

// try calls test for all switches at free terms that satisfy the parts, until it returns true.
func (w *network) try(t *testing.T, list []part, at map[Term]int, test func(map[Term]int) bool) bool {
	var open []part
	next := Term(-1)
	for _, p := range list {
		k := slices.IndexFunc(p.terms, func(x Term) bool { _, ok := at[x]; return !ok })
		if k >= 0 {
			if open = append(open, p); next < 0 || p.terms[k] < next {
				next = p.terms[k]
			}
		} else if !w.holds(t, p.Condition, at) {
			return false
		}
	}
	if next < 0 {
		return test(at)
	}
	for u := range w.n {
		more := maps.Clone(at)
		more[next] = u
		if w.try(t, open, more, test) {
			return true
		}
	}
	return false
}

// packet is a packet at a switch.
type packet struct {
	cur, dst int
	in       model.ChannelID
	vc       int
}

// parts caches the parts of runs.
var parts = map[*Run][]part{}

// compare returns how a packet contradicts the runs, or "". refused says that a run for the packet is not supported.
func (w *network) compare(t *testing.T, b *Behaviour, i *program.Instance, x packet) (bad string, refused bool) {
	t.Helper()
	cur := model.SwitchID(x.cur)
	real, _, err := i.RouteAt(cur, model.SwitchID(x.dst), x.in, x.vc, 0)
	want := map[string]bool{}
	for _, o := range real {
		want[fmt.Sprintf("%d vc %d", w.Head(w.OutAt(cur, model.Port(o.Dir+1))), o.VC)] = true
	}
	a, at := Class{VC: x.vc}, map[Term]int{Cur: x.cur, Dst: x.dst}
	if x.in == model.NoChannel {
		a.VC = -1
	} else {
		at[Prev] = int(w.Tail(x.in))
	}
	for k := range b.Runs {
		r := &b.Runs[k]
		if r.Class != a {
			continue
		}
		if parts[r] == nil {
			parts[r] = partsOf(r)
		}
		if w.try(t, parts[r], at, func(at map[Term]int) bool {
			if r.Err != nil {
				refused = refused || err == nil
				return true
			}
			got := map[string]bool{}
			for _, o := range r.Outputs {
				w.each(o.Vars, at, func(at map[Term]int) {
					for vc := o.FirstVC; vc <= o.LastVC && w.holds(t, o.When, at); vc++ {
						if w.linked[x.cur][at[o.Next]] {
							got[fmt.Sprintf("%d vc %d", at[o.Next], vc)] = true
						} else {
							got["lost"] = true
						}
					}
				})
			}
			if got["lost"] || err != nil {
				return got["lost"] && err != nil
			}
			return maps.Equal(got, want)
		}) {
			return "", refused
		}
	}
	return fmt.Sprintf("packet at %d to %d, class %v, at %v: no run has the outputs %v, error %v", x.cur, x.dst, a, at, want, err), refused
}

// packets returns all packets of a network.
func (w *network) packets(vcs int) (list []packet) {
	for cur := range w.n {
		for dst := range w.n {
			if cur == dst {
				continue
			}
			list = append(list, packet{cur, dst, model.NoChannel, 0})
			for _, c := range w.Out(model.SwitchID(cur)) {
				for vc := range vcs {
					if w.Kind(c) == model.SwitchToSwitch {
						list = append(list, packet{cur, dst, w.Reverse(c), vc})
					}
				}
			}
		}
	}
	return list
}

// TestRandomPrograms: for packets on all connected graphs of up to 6 switches and on random ones of up to 12, some run has the outputs of the
// interpreter. It compares all packets of networks of up to 4 switches, and some packets of the others.
func TestRandomPrograms(t *testing.T) {
	var small []netprograms.Graph
	for n := 2; n <= 6; n++ {
		small = append(small, netprograms.Graphs(n)...)
	}
	wrong, compared, refusals, programs := 0, 0, 0, longtest.Share(5000, 400)
	for k := range programs {
		r := rand.New(rand.NewPCG(46, uint64(k)))
		shape := []netprograms.Shape{netprograms.Free, netprograms.Free, netprograms.Free, netprograms.Complete, netprograms.Descent}[k%5]
		text := netprograms.Random(r, netprograms.Options{VCs: 1 + k%2, Tree: k%3 == 0, Shape: shape})
		p, err := program.Parse("random.star", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		b, err := Execute(p, func(string) bool { return true })
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		clear(parts)
		failed, refused := "", false
		for at := range len(small) + 3 {
			var g netprograms.Graph
			if at < len(small) {
				g = small[at].Renumbered(r)
			} else {
				g = netprograms.RandomGraph(r, 7+r.IntN(6)).Renumbered(r)
			}
			w := concrete(t, g, p.VCs)
			i, err := p.OnNetwork(w.Network)
			if err != nil {
				t.Fatal(err)
			}
			list := w.packets(p.VCs)
			if r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] }); w.n > 4 {
				list = list[:min(6, len(list))]
			}
			for _, x := range list {
				bad, no := w.compare(t, b, i, x)
				compared++
				refused = refused || no
				if bad != "" && failed == "" {
					failed = bad
				}
			}
		}
		if refused {
			refusals++
		}
		if failed != "" {
			if wrong++; wrong <= 3 {
				t.Errorf("program %d: %s\n%s", k, failed, text)
			}
		}
	}
	t.Logf("%d of %d programs have runs that lack outputs; %d packets compared; %d programs have packets that are refused", wrong, programs, compared, refusals)
	if wrong > 0 || refusals > programs/5 {
		t.Errorf("%d of %d programs have runs that lack outputs, %d are refused", wrong, programs, refusals)
	}
}

// TestLines: reasons why a program is not supported name its line.
func TestLines(t *testing.T) {
	p, err := program.Parse("lines.star", "family = network()\n\ndef route(cur, dst, inp):\n    out = neighbours(cur)\n    if len(out) > len(neighbours(dst)):\n        return out\n    return out\n")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Execute(p, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range b.Runs {
		if r.Err == nil || !strings.HasPrefix(r.Err.Error(), "line 5: ") {
			t.Errorf("%v", r.Err)
		}
	}
}
