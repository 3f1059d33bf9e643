package synth

import (
	"cmp"
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// Turn addition allows turns in pairs, a turn and its reverse. It tries the pairs in order of
// falling traffic and refuses a pair that would close a cycle.
//
// Source: Nakashima, Naruse, Sumimoto and Kumon, IPSJ Trans. ACS 4(4), 2011, section 4. The
// paper's figure 16 tests a turn and then adds the reverse turn without a test. The two turns
// together can close a cycle that neither closes alone. If both are tested, a pair of switches can
// be left without a path: the argument of section 4.2 needs a detour for each refused turn.
// Options.Form lists the variants.
//
// The default, FormSafe, guarantees an acyclic set, since every turn is tested. The set is also
// connected: if a pair of switches has no path, the method starts again with the turns of a
// spanning tree. Cost: cdg.Order, a dynamic topological order, decides whether a turn closes a
// cycle. The order starts from an up*/down* numbering, which most of the turns in use already
// follow.

// Values of Options.Form.
const (
	FormSafe  = "safe"  // both turns are tested; if a pair of switches has no path, FormTree
	FormPaper = "paper" // figure 16: the reverse turn is not tested
	FormBoth  = "both"  // both turns are tested
	FormTree  = "tree"  // the turns of a spanning tree come first; both turns are tested
)

// Values of Options.Equal: the order of turns of equal traffic.
const (
	// EqualSpread goes round robin over the switches and takes the turn whose far ends have the fewest
	// turns. Without traffic it takes turns by port, and switch i starts at its turn i.
	EqualSpread = "spread"
	EqualInTurn = "turn"   // round robin over the switches, by port
	EqualRotate = "rotate" // round robin over the switches; the far end of the first turn changes from switch to switch (section 4.1.3)
	EqualByID   = "id"     // by switch, then by port
	EqualRandom = "random" // random, seeded by Options.Seed
)

// Forms returns the values of Options.Form, the default first.
func Forms() []string {
	return []string{FormSafe, FormPaper, FormBoth, FormTree}
}

// EqualRules returns the values of Options.Equal, the default first.
func EqualRules() []string {
	return []string{EqualSpread, EqualRotate, EqualInTurn, EqualByID, EqualRandom}
}

// addition is the state of turn addition on one network.
type addition struct {
	*work
	turns []model.Turn // one turn of each pair, in the order of the tests
	set   *model.TurnSet
	order *cdg.Order
	// broken is true if FormPaper has closed a cycle. The topological order is then gone.
	broken bool
}

func turnAddition(w *work) (_ *model.TurnSet, err error) {
	if w.o.Form, err = choose("form", w.o.Form, Forms()); err != nil {
		return nil, err
	}
	a := &addition{work: w}
	if err := a.sort(); err != nil {
		return nil, err
	}
	if err := a.add(w.o.Form == FormTree); err != nil {
		return nil, err
	}
	if w.o.Form != FormSafe {
		return a.set, nil
	}
	lost, err := unreached(w.ctx, w.demand, a.set)
	if err != nil {
		return nil, err
	}
	if lost > 0 {
		w.note("testing every turn left pairs without a path, so the turns of a spanning tree were allowed first")
		if err := a.add(true); err != nil {
			return nil, err
		}
	}
	return a.set, nil
}

// add tests all turns and allows those that close no cycle.
func (a *addition) add(treeFirst bool) error {
	tree, err := hv.NewTree(a.net, hv.Center(a.net, 0), hv.Options{})
	if err != nil {
		return err
	}
	if err := a.begin(tree); err != nil {
		return err
	}
	if treeFirst {
		for _, t := range a.turns {
			if tree.Has(model.ChannelID(t.In)) && tree.Has(model.ChannelID(t.Out)) {
				allowPair(a.order, a.set, t)
			}
		}
	}
	for i, t := range a.turns {
		if err := a.ctx.Err(); err != nil && i%1024 == 0 {
			return err
		}
		switch {
		case a.set.Has(t):
		case a.o.Form == FormPaper:
			a.asPrinted(t)
		default:
			allowPair(a.order, a.set, t)
		}
	}
	return nil
}

// asPrinted tests turn t and adds its reverse without a test, as figure 16 does.
func (a *addition) asPrinted(t model.Turn) {
	back := reverse(a.net, t)
	if !a.broken {
		if !a.order.Add(t) {
			return
		}
		a.broken = !a.order.Add(back)
	} else if a.reaches(model.ChannelID(t.Out), model.ChannelID(t.In)) {
		return
	}
	a.set.Add(t)
	a.set.Add(back)
}

// reaches reports whether a path of allowed turns leads from channel c to channel d.
func (a *addition) reaches(c, d model.ChannelID) bool {
	seen := make([]bool, a.net.NumLinkChannels())
	stack := []model.ChannelID{c}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at == d {
			return true
		}
		for _, o := range a.net.Out(a.net.Head(at)) {
			if a.net.Kind(o) == model.SwitchToSwitch && !seen[o] && a.set.Has(model.Turn{In: model.VCID(at), Out: model.VCID(o)}) {
				seen[o] = true
				stack = append(stack, o)
			}
		}
	}
	return false
}

// begin allows no turn and numbers the channels by up*/down* on a tree.
func (a *addition) begin(tree *hv.Tree) error {
	up, err := tree.UpChannels("")
	if err != nil {
		return err
	}
	set := model.NewTurnSet(a.net)
	for t := range model.Turns(a.net, false) {
		if up[t.In] || !up[t.Out] {
			set.Add(t)
		}
	}
	rank, ok := cdg.FromTurns(set).Numbering()
	if !ok {
		panic("synth: up*/down* is cyclic")
	}
	a.set, a.order = model.NewTurnSet(a.net), cdg.NewOrder(a.net, rank)
	return nil
}

// sort sorts the turns by traffic, then by Options.Equal.
func (a *addition) sort() error {
	weight, err := a.traffic()
	if err != nil {
		return err
	}
	rule, err := choose("order of equal turns", a.o.Equal, EqualRules())
	if err != nil {
		return err
	}
	var value []float64
	for t := range model.Turns(a.net, false) {
		if back := reverse(a.net, t); t.In < back.In || t.In == back.In && t.Out <= back.Out {
			a.turns = append(a.turns, t)
		}
	}
	slices.SortFunc(a.turns, func(s, t model.Turn) int { return a.compareByPlace(s, t) })
	value = make([]float64, len(a.turns))
	at := make([]int, len(a.turns))
	for i, t := range a.turns {
		value[i], at[i] = weight.Pair(t), i
	}
	slices.SortStableFunc(at, func(i, j int) int { return cmp.Compare(value[j], value[i]) })
	sorted := make([]model.Turn, 0, len(at))
	random := rand.New(rand.NewPCG(a.o.Seed, 1))
	fair := make([]int32, a.net.NumSwitches())
	for i := 0; i < len(at); {
		j := i + 1
		for j < len(at) && value[at[i]]-value[at[j]] <= slack*value[at[i]] {
			j++
		}
		slices.Sort(at[i:j])
		class := make([]model.Turn, 0, j-i)
		for _, k := range at[i:j] {
			class = append(class, a.turns[k])
		}
		switch {
		case rule == EqualSpread && value[at[i]] > 0:
			class = a.spread(class, fair)
		case rule == EqualSpread || rule == EqualInTurn:
			class = inTurn(a.bySwitch(class), rule == EqualSpread)
		case rule == EqualRotate:
			class = inTurn(a.rotated(a.bySwitch(class)), false)
		case rule == EqualRandom:
			random.Shuffle(len(class), func(x, y int) { class[x], class[y] = class[y], class[x] })
		}
		sorted = append(sorted, class...)
		i = j
	}
	a.turns = sorted
	if a.o.OrderFile != "" {
		return a.given()
	}
	return nil
}

// middle returns the switch of turn t.
func (a *addition) middle(t model.Turn) model.SwitchID { return a.net.Head(model.ChannelID(t.In)) }

// compareByPlace orders turns by switch, then by input port and output port.
func (a *addition) compareByPlace(s, t model.Turn) int {
	ports := func(t model.Turn) (lo, hi model.Port) {
		x, y := a.net.HeadPort(model.ChannelID(t.In)), a.net.TailPort(model.ChannelID(t.Out))
		return min(x, y), max(x, y)
	}
	sl, sh := ports(s)
	tl, th := ports(t)
	return cmp.Or(cmp.Compare(a.middle(s), a.middle(t)), cmp.Compare(sl, tl), cmp.Compare(sh, th))
}

// bySwitch splits a list of turns, sorted by place, into one list for each switch.
func (a *addition) bySwitch(class []model.Turn) (lists [][]model.Turn) {
	for i := 0; i < len(class); {
		j := i + 1
		for j < len(class) && a.middle(class[j]) == a.middle(class[i]) {
			j++
		}
		lists = append(lists, class[i:j])
		i = j
	}
	return lists
}

// inTurn takes one turn from each list in turn, until none is left. If rotate is set, the i-th list
// starts with its turn number i.
func inTurn(lists [][]model.Turn, rotate bool) (out []model.Turn) {
	for round, left := 0, true; left; round++ {
		left = false
		for i, list := range lists {
			if round >= len(list) {
				continue
			}
			if !rotate {
				i = 0
			}
			out, left = append(out, list[(i+round)%len(list)]), true
		}
	}
	return out
}

// rotated returns, for each switch, its turns in an order by which no far end is preferred. Far ends that
// the same switches have turns to form a block, such as the upper switches of a fat tree. The i-th of
// these switches begins a block with its turn i.
func (a *addition) rotated(lists [][]model.Turn) [][]model.Turn {
	users := map[model.SwitchID][]int{} // by far end: the indices of lists with turns to it
	for i, list := range lists {
		for end := range a.farEnds(list) {
			users[end] = append(users[end], i)
		}
	}
	out := make([][]model.Turn, len(lists))
	for i, list := range lists {
		ends := a.farEnds(list)
		blocks, order := map[string][]model.Turn{}, []string{}
		for _, t := range list {
			end := a.farEnd(t, ends)
			key := fmt.Sprint(users[end])
			if _, known := blocks[key]; !known {
				order = append(order, key)
			}
			blocks[key] = append(blocks[key], t)
		}
		for _, key := range order {
			block := blocks[key]
			rank := slices.Index(users[a.farEnd(block[0], ends)], i)
			k := max(rank, 0) % len(block)
			out[i] = append(append(out[i], block[k:]...), block[:k]...)
		}
	}
	return out
}

// farEnds returns the switches that some turns of the list lead to, but not all.
func (a *addition) farEnds(list []model.Turn) map[model.SwitchID]bool {
	times := map[model.SwitchID]int{}
	for _, t := range list {
		times[a.net.Tail(model.ChannelID(t.In))]++
		times[a.net.Head(model.ChannelID(t.Out))]++
	}
	ends := map[model.SwitchID]bool{}
	for u, k := range times {
		if k < len(list) {
			ends[u] = true
		}
	}
	return ends
}

// farEnd returns the end of turn t that is one of ends, or NoSwitch.
func (a *addition) farEnd(t model.Turn, ends map[model.SwitchID]bool) model.SwitchID {
	for _, u := range []model.SwitchID{a.net.Tail(model.ChannelID(t.In)), a.net.Head(model.ChannelID(t.Out))} {
		if ends[u] {
			return u
		}
	}
	return model.NoSwitch
}

// spread takes one turn from each switch, round robin. It prefers the turn whose far ends were
// taken least often, so that no neighbor is favored.
func (a *addition) spread(class []model.Turn, taken []int32) []model.Turn {
	out := make([]model.Turn, 0, len(class))
	lists := a.bySwitch(class)
	queues := make([]*fairQueue, len(lists))
	for i, list := range lists {
		queues[i] = &fairQueue{addition: a, taken: taken}
		for k, t := range list {
			queues[i].items = append(queues[i].items, fairItem{t, uint64(queues[i].cost(t))<<32 | uint64(k)})
		}
		heap.Init(queues[i])
	}
	for len(out) < len(class) {
		for _, q := range queues {
			if t, ok := q.take(); ok {
				out = append(out, t)
			}
		}
	}
	return out
}
