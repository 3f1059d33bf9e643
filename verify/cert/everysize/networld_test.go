package everysize

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	starlark "github.com/turnproof/turnproof/model/program"
)

// This file judges runs on unknown switches, and facts of all networks, on concrete networks: programs are run by the interpreter of
// package program, and every fact is evaluated with every quantified condition tried out on all switches.

// world is a concrete network.
type world struct {
	n      int
	linked [][]bool
	dist   [][]int64
	attr   map[string][]int64
	net    *model.Network
	tree   *tree
}

// randomWorld returns a connected network with attributes below a small number.
func randomWorld(rng *rand.Rand, names []string) *world {
	w := &world{n: 2 + rng.IntN(4), attr: map[string][]int64{}}
	b := model.NewBuilder()
	port := make([]model.Port, w.n)
	w.linked = make([][]bool, w.n)
	for u := range w.n {
		w.linked[u] = make([]bool, w.n)
		b.AddSwitch(model.Switch{})
		port[u] = 1
	}
	join := func(u, v int) {
		b.AddLink(model.SwitchID(u), port[u], model.SwitchID(v), port[v])
		port[u]++
		port[v]++
		w.linked[u][v], w.linked[v][u] = true, true
	}
	for u := 1; u < w.n; u++ {
		join(u, rng.IntN(u))
	}
	for range rng.IntN(2 * w.n) {
		if u, v := rng.IntN(w.n), rng.IntN(w.n); u != v && !w.linked[u][v] {
			join(u, v)
		}
	}
	for _, name := range names {
		values, short := make([]int64, w.n), make([]int32, w.n)
		for u := range values {
			values[u] = int64(rng.IntN(3))
			short[u] = int32(values[u])
		}
		w.attr[name] = values
		b.SetAttribute(name, short)
	}
	for u := range w.n {
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: port[u]})
	}
	b.SetVCs(2)
	var err error
	if w.net, err = b.Build(); err != nil {
		panic(err)
	}
	w.measure()
	w.tree = w.span(nil)
	return w
}

// measure computes distances by Floyd and Warshall.
func (w *world) measure() {
	w.dist = make([][]int64, w.n)
	for u := range w.n {
		w.dist[u] = make([]int64, w.n)
		for v := range w.n {
			if w.dist[u][v] = 1000; u == v {
				w.dist[u][v] = 0
			} else if w.linked[u][v] {
				w.dist[u][v] = 1
			}
		}
	}
	for k := range w.n {
		for u := range w.n {
			for v := range w.n {
				w.dist[u][v] = min(w.dist[u][v], w.dist[u][k]+w.dist[k][v])
			}
		}
	}
}

// value evaluates a variable for an assignment of switches to terms.
func (w *world) value(n *vocabulary, v int, at map[term]int) int64 {
	a := n.apps[v]
	var args []int
	for _, t := range a.args {
		u, ok := at[t]
		if !ok {
			panic(fmt.Sprintf("term %d of %s has no switch", t, a.fn))
		}
		args = append(args, u)
	}
	switch {
	case a.fn == "id":
		return int64(args[0])
	case a.fn == "distance":
		return w.dist[args[0]][args[1]]
	case a.fn == "linked":
		if w.linked[args[0]][args[1]] {
			return 1
		}
		return 0
	case a.fn == "depth":
		return w.tree.depth[args[0]]
	case a.fn == "spread":
		return w.tree.spread[args[0]]
	case a.fn == "below":
		if w.tree.below(args[0], args[1]) {
			return 1
		}
		return 0
	case a.fn == "port":
		return int64(100 + 100*args[0] + args[1])
	case a.fn == ".next()":
		return w.next(args[0], args[1])
	case strings.HasPrefix(a.fn, ".mark("):
		return int64((7*args[0]+3*args[1]+len(a.fn)+int(a.fn[len(a.fn)-2])+len(w.linked[0]))%11) % 3
	case strings.HasPrefix(a.fn, "."):
		return w.attr[a.fn[1:]][args[0]]
	}
	if w.example(n, n.someOf(v), args) != nil {
		return 1
	}
	return 0
}

// next returns the switch with the smallest number that is linked to u and nearer to d: the table next of the generator lash.
func (w *world) next(u, d int) int64 {
	for v := range w.n {
		if w.linked[u][v] && w.dist[v][d] < w.dist[u][d] {
			return int64(v)
		}
	}
	return int64(u)
}

// example returns switches that satisfy a quantified condition, or nil.
func (w *world) example(n *vocabulary, k int, args []int) []int {
	q := n.some[k]
	at := map[term]int{}
	for i, u := range args {
		at[term(-1-i)] = u
	}
	bound := make([]int, len(q.binders))
	var visit func(i int) bool
	visit = func(i int) bool {
		if i == len(q.binders) {
			return w.holds(n, q.body, at)
		}
		for u := range w.n {
			if b := q.binders[i]; b.of == noTerm || w.linked[at[b.of]][u] {
				at[b.term], bound[i] = u, u
				if visit(i + 1) {
					return true
				}
			}
		}
		return false
	}
	if visit(0) {
		return bound
	}
	return nil
}

func (w *world) holds(n *vocabulary, f *Formula, at map[term]int) bool {
	switch f.Op {
	case AtLeast, Divides:
		sum := f.Form[0]
		for v, c := range f.Form[1:] {
			if c != 0 {
				sum += c * w.value(n, v, at)
			}
		}
		return f.Op == AtLeast && sum >= 0 || f.Op == Divides && sum%f.Mod == 0
	}
	for _, x := range f.Args {
		if w.holds(n, x, at) == (f.Op == Or) {
			return f.Op == Or
		}
	}
	return f.Op == And
}

// witnesses gives switches to the terms that facts introduce, in the order in which they were introduced.
func (w *world) witnesses(n *vocabulary, at map[term]int) {
	keys := slices.SortedFunc(maps.Keys(n.witnesses), func(a, b string) int { return int(n.witnesses[a] - n.witnesses[b]) })
	for _, key := range keys {
		t := n.witnesses[key]
		at[t] = 0
		var from, to, i int
		if _, err := fmt.Sscanf(key, "nearer %d %d", &from, &to); err == nil {
			u, ok1 := at[term(from)]
			v, ok2 := at[term(to)]
			for x := range w.n {
				if ok1 && ok2 && w.linked[u][x] && w.dist[x][v] == w.dist[u][v]-1 {
					at[t] = x
				}
			}
			continue
		}
		if _, err := fmt.Sscanf(key, "child %d %d", &from, &to); err == nil {
			u, ok1 := at[term(from)]
			v, ok2 := at[term(to)]
			if ok1 && ok2 {
				at[t] = max(0, w.tree.child(u, v))
			}
			continue
		}
		if _, err := fmt.Sscanf(key, "parent %d", &from); err == nil {
			if u, ok := at[term(from)]; ok {
				at[t] = max(0, w.tree.parent[u])
			}
			continue
		}
		name, index, _ := strings.Cut(key, "/")
		if _, err := fmt.Sscan(index, &i); err != nil {
			panic(err)
		}
		v := n.index[name]
		var args []int
		for _, s := range n.apps[v].args {
			if u, ok := at[s]; ok {
				args = append(args, u)
			}
		}
		if len(args) == len(n.apps[v].args) {
			if bound := w.example(n, n.someOf(v), args); bound != nil {
				at[t] = bound[i]
			}
		}
	}
}

// The conditions and lists of random programs.
var (
	wordsOfConditions = []string{"cur.a == dst.a", "cur.a < dst.a", "dst in neighbours(cur)", "any([t.a == dst.a for t in neighbours(cur)])",
		"inp.vc == 0", "inp.prev != None and inp.prev.a < cur.a", "inp.port", "distance(cur, dst) > 1", "cur.id < dst.id",
		"all([t.a <= cur.a for t in neighbours(cur)])", "inp.prev == dst", "cur.b + 1 == dst.a", "not [t for t in switches() if t.a > dst.a]",
		"any([t.b == cur.b for u in neighbours(dst) for t in neighbours(u)])", "len(ports(cur)) != 0", "cur in switches()",
		"below(dst, cur)", "depth(cur) > depth(dst)", "spread(cur) < spread(dst)", "dst in children(cur)", "dst in parents(cur)", "not parents(cur)",
		"any([below(dst, t) for t in children(cur)])", "cur.next(dst) == dst.id", "any([t.next(cur) == dst.id for t in neighbours(dst)])"}
	wordsOfElements = []string{"s.a == dst.a", "s.a < cur.a", "s == dst", "s != inp.prev", "dst in neighbours(s)", "distance(s, dst) < distance(cur, dst)",
		"any([t.a > s.a for t in neighbours(s)])", "s.id > cur.id", "inp.port == None or s != inp.prev", "s.b == cur.b or s.a == 0",
		"below(s, cur)", "below(dst, s)", "depth(s) < depth(cur)", "spread(s) > spread(cur)", "s in children(cur)", "s in parents(cur)",
		"s.id == cur.next(dst)", "s.next(dst) == cur.id", "dst.next(s) > s.id", "any([t.next(s) == dst.id for t in neighbours(s)])"}
	wordsOfBodies = []string{
		"    return [(s, VC) for s in neighbours(cur) if E and E]\n",
		"    return [(p, VC) for p in productive(cur, dst)]\n",
		"    here = [s for s in neighbours(cur) if E]\n    if here:\n        return [(s, VC) for s in here]\n    return [(s, VC) for s in neighbours(cur) if E]\n",
		"    out = []\n    for p in ports(cur):\n        s = p.to\n        if E:\n            out.append((p, VC))\n        elif E:\n            out.append((p, VC))\n    return out\n",
		"    if C:\n        return [(dst, VC)] if dst in neighbours(cur) else []\n    return [(p, VC) for p in ports(cur) if p != inp.port]\n",
		"    for s in neighbours(cur):\n        if E:\n            return [(s, VC)]\n    return neighbours(cur)\n",
		"    list = [s for s in neighbours(cur) if E]\n    if list:\n        return [(list[0], VC)]\n    near = neighbours(cur)\n    return [near[dst.a % len(near)]]\n",
		"    out = [(s, VC) for s in neighbours(cur) if E]\n    out += [(s, VC) for s in neighbours(cur) if E and C]\n    return out\n",
		"    def good(s):\n        return E\n    return [(s, VC if good(s) else VC) for s in neighbours(cur) if not C or good(s)]\n",
		"    return [(t, VC) for s in neighbours(cur) if E for t in neighbours(cur) if t.a <= s.a]\n",
	}
)

// randomProgram returns the text of a program.
func randomProgram(rng *rand.Rand) string {
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	body := pick(wordsOfBodies)
	if rng.IntN(2) == 0 {
		body = "    if " + pick(wordsOfConditions) + ":\n        vc = inp.vc\n    else:\n        vc = 0\n" + body
		body = strings.Replace(body, "VC", "vc", 1)
	}
	var b strings.Builder
	for _, c := range body {
		switch c {
		case 'E':
			b.WriteString("(" + pick(wordsOfElements) + ")")
		case 'C':
			b.WriteString("(" + pick(wordsOfConditions) + ")")
		default:
			b.WriteRune(c)
		}
	}
	text := strings.ReplaceAll(b.String(), "V(", "VC(")
	text = replaceVCs(rng, text)
	return "family = network()\nvcs = 2\ntables = \"lash\"\n\ndef route(cur, dst, inp):\n" + text
}

// replaceVCs replaces V and the condition that took the place of C by the number of a VC.
func replaceVCs(rng *rand.Rand, text string) string {
	for {
		i := strings.Index(text, "VC(")
		if i < 0 {
			return text
		}
		depth, j := 0, i+2
		for ; ; j++ {
			if text[j] == '(' {
				depth++
			} else if text[j] == ')' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		text = text[:i] + fmt.Sprint(rng.IntN(2)) + text[j+1:]
	}
}

// rounds returns the number of rounds of a test, which is greater in long runs.
func rounds(short, long int) int {
	if os.Getenv("TURNPROOF_LONG") != "" {
		return long
	}
	return short
}

// TestRandomRuns runs random programs on unknown switches, and compares with what the interpreter does on random networks. For each
// packet, some run must have the outputs of the interpreter, or its error. Each run that the packet takes without selected elements
// must have the same outputs.
func TestRandomRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	compared, failed := 0, 0
	for range rounds(60, 600) {
		text := randomProgram(rng)
		p, err := read(text, 0)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		th, err := newNetTheorem(p)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		parsed, err := starlark.Parse("random.star", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for range 3 {
			w := randomWorld(rng, []string{"a", "b"})
			i, err := parsed.OnNetwork(w.net)
			if err != nil {
				t.Fatal(err)
			}
			c, f := compareRuns(t, text, th, w, i)
			compared, failed = compared+c, failed+f
		}
	}
	if compared < 5000 || failed > compared/3 || refused > compared/10 {
		t.Errorf("%d packets compared, %d of them end with an error, %d were refused", compared, failed, refused)
	}
}

func compareRuns(t *testing.T, text string, th *netTheorem, w *world, i *starlark.Instance) (compared, failed int) {
	t.Helper()
	for cur := range w.n {
		for dst := range w.n {
			if cur == dst {
				continue
			}
			for _, a := range w.arrivals(cur, dst, 2) {
				compared++
				if _, _, err := i.RouteAt(model.SwitchID(cur), model.SwitchID(dst), a.in, a.vc, 0); err != nil {
					failed++
				}
				if bad := w.compareOne(th, i, a); bad != "" {
					t.Fatalf("%s\n%s", bad, text)
				}
			}
		}
	}
	return compared, failed
}

// compareOne returns how a packet contradicts the runs, or "".
func (w *world) compareOne(th *netTheorem, i *starlark.Instance, a arrival) string {
	cur, dst := model.SwitchID(a.cur), model.SwitchID(a.dst)
	real, _, err := i.RouteAt(cur, dst, a.in, a.vc, 0)
	want := map[string]bool{}
	for _, o := range real {
		next := w.net.Head(w.net.OutAt(cur, model.Port(o.Dir+1)))
		want[fmt.Sprintf("%d vc %d", next, o.VC)] = true
	}
	class, at := NetClass{VC: a.vc}, map[term]int{atCur: a.cur, atDst: a.dst}
	if a.in == model.NoChannel {
		class.VC = -1
	} else {
		at[atPrev] = int(w.net.Tail(a.in))
	}
	if someRun(th, w, class, at, want, err != nil) {
		return ""
	}
	return fmt.Sprintf("packet at %d to %d, class %s, from %v: no run has the outputs %v, error %v", cur, dst, class, at, want, err)
}

// refused counts the packets of programs with parts that are not supported.
var refused int

// someRun reports whether a packet takes a run with these outputs.
func someRun(th *netTheorem, w *world, class NetClass, at map[term]int, want map[string]bool, fails bool) bool {
	for i := range th.runs {
		r := &th.runs[i]
		if r.class != class {
			continue
		}
		if w.try(th.vocabulary, at, append(conjuncts(th.vocabulary, r.guard), selections(th.vocabulary, r.outputs)...), func(at map[term]int) bool {
			if r.failed != nil {
				if !fails {
					refused++
				}
				return true // an error, or something that is not supported
			}
			got := map[string]bool{}
			for _, o := range r.outputs {
				w.outputs(th.vocabulary, &o, at, 0, got)
			}
			if got["lost"] {
				return fails
			}
			return !fails && maps.Equal(got, want)
		}) {
			return true
		}
	}
	return false
}

// conjunct is a part of a guard, with its terms that a run has selected, ascending.
type conjunct struct {
	part *Formula
	free []term
}

// conjuncts returns the parts of a guard.
func conjuncts(n *vocabulary, guard *Formula) (list []conjunct) {
	parts := []*Formula{guard}
	if guard.Op == And {
		parts = guard.Args
	}
	for _, f := range parts {
		used := map[int]bool{}
		variablesOf(f, used)
		free := map[term]bool{}
		for v := range used {
			for _, x := range n.apps[v].args {
				if x >= firstTerm {
					free[x] = true
				}
			}
		}
		list = append(list, conjunct{f, slices.Sorted(maps.Keys(free))})
	}
	return list
}

// selections returns the terms of outputs that a run has selected from lists without a condition.
func selections(n *vocabulary, outputs []netOutput) (list []conjunct) {
	for _, o := range outputs {
		terms := []term{o.next}
		for _, v := range inOrder(o.guard, nil) {
			terms = append(terms, n.apps[v].args...)
		}
		for _, x := range terms {
			if x >= firstTerm && !slices.ContainsFunc(o.binders, func(b binder) bool { return b.term == x }) {
				list = append(list, conjunct{always, []term{x}})
			}
		}
	}
	return list
}

// try calls test for all switches at the terms of a guard that satisfy it, until test returns true.
func (w *world) try(n *vocabulary, at map[term]int, guard []conjunct, test func(map[term]int) bool) bool {
	var open []conjunct
	first := noTerm
	for _, c := range guard {
		next := slices.IndexFunc(c.free, func(x term) bool { _, ok := at[x]; return !ok })
		if next >= 0 {
			if open = append(open, c); first == noTerm || c.free[next] < first {
				first = c.free[next]
			}
		} else if !w.holds(n, c.part, at) {
			return false
		}
	}
	if first == noTerm {
		return test(at)
	}
	for u := range w.n {
		more := maps.Clone(at)
		more[first] = u
		if w.try(n, more, open, test) {
			return true
		}
	}
	return false
}

// outputs collects what an output stands for.
func (w *world) outputs(n *vocabulary, o *netOutput, at map[term]int, i int, got map[string]bool) {
	if i < len(o.binders) {
		b := o.binders[i]
		for u := range w.n {
			if b.of == noTerm || w.linked[at[b.of]][u] {
				more := maps.Clone(at)
				more[b.term] = u
				w.outputs(n, o, more, i+1, got)
			}
		}
		return
	}
	if !w.holds(n, o.guard, at) {
		return
	}
	for vc := o.vcs[0]; vc < o.vcs[1]; vc++ {
		if next := at[o.next]; w.linked[at[atCur]][next] {
			got[fmt.Sprintf("%d vc %d", next, vc)] = true
		} else {
			got["lost"] = true
		}
	}
}

// TestFactsHold evaluates the facts that proofs may use on random networks, for random switches.
func TestFactsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	premises := []string{
		"", "def premise(u, v):\n    return u.a != v.a or u == v or v in neighbours(u)\n",
		"def premise(u, v):\n    return u.a == v.a or any([b.a == v.a for a in switches() if a.a == u.a for b in neighbours(a)])\n",
		"def premise(u):\n    return any([s.b <= u.b for s in neighbours(u)])\n",
		"def premise(u, v):\n    return distance(u, v) <= 3\n",
		"def premise(u, v):\n    return not any([s.mark(v, 1) == 2 and not any([t.mark(s, 1) >= 1 for t in neighbours(s)]) for s in neighbours(u)])\n",
		"def premise(u, v):\n    return u.mark(v, 1) < 2 or any([s.mark(v, 1) >= 0 and s.mark(u, 0) < 3 for s in neighbours(u)]) or u == v\n",
	}
	checked := 0
	for range rounds(8, 60) {
		text := randomProgram(rng) + premises[rng.IntN(len(premises))]
		p, err := read(text, 0)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		th, err := newNetTheorem(p)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for range 4 {
			w := randomWorld(rng, []string{"a", "b"})
			w.tree = w.span(rng)
			if !w.hasPremise(th) {
				continue
			}
			for range 2 {
				r := &th.runs[rng.IntN(len(th.runs))]
				f := and(r.guard, th.linked(atPrev, atCur))
				for i := range r.outputs {
					f = and(f, or(r.outputs[i].guard, not(r.outputs[i].guard)), th.noOutput(r.outputs[i:i+1], func(*netOutput) bool { return true }))
				}
				base := []term{atCur, atDst, atPrev, atNext}
				levels := th.levels(base)
				level := levels[rng.IntN(len(levels))]
				if rng.IntN(3) == 0 {
					level = levels[len(levels)-1] // witnesses of conditions within conditions, or of the spanning tree
				}
				facts, voc := th.facts(level, f, base)
				at := map[term]int{}
				for x := range term(200) {
					at[x] = rng.IntN(w.n)
				}
				w.witnesses(voc, at)
				for _, fact := range facts {
					if checked++; !w.holds(voc, fact, at) {
						var b strings.Builder
						voc.text(fact, &b)
						t.Fatalf("on a network of %d switches, the fact is wrong: %s\n%s", w.n, b.String(), text)
					}
				}
			}
		}
	}
	if checked < 3000 {
		t.Errorf("%d facts", checked)
	}
}

// hasPremise reports whether the network has the premise of the program.
func (w *world) hasPremise(th *netTheorem) bool {
	for u := range w.n {
		for v := range w.n {
			if th.premise != nil && !w.holds(th.vocabulary, th.premise, map[term]int{atCur: u, atDst: v}) {
				return false
			}
		}
	}
	return true
}
