package synth

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// Turn prohibition (TP) repeats: choose a switch, prohibit all turns at this switch between its
// remaining links, remove the switch.
//
// The set is acyclic: of the switches on a cycle of channels, consider the one removed first. Both
// of its links on the cycle remained then, so the turn between them is prohibited. The set is
// connected unless Select is SelectAnywhere. Terminals are, at first, the switches with hosts. A
// switch is removed only if the remaining terminals stay in one part without it. A terminal that
// is removed makes a neighbor in this part, its heir, a terminal. By induction backwards all
// terminals reach each other: a removed terminal reaches its heir, and from there all others, by a
// turn that is allowed, since its own link is gone when the heir is removed. (If all switches,
// with hosts or without, had to stay connected, a fat tree would lose the turns that it depends
// on.) Sources: Starobinski, Karpovsky and Zakrevski, IEEE/ACM ToN 11(3), 2003, remove the switch
// of least degree and keep the rest connected. Nakashima et al., 2011, sections 2.3.2 and 5.1,
// remove the switch with the least traffic of turns. They do not mention connectivity: a ring of
// four can be disconnected. Cost: for each candidate a search, which ends when it has met all
// terminals, and O(degree³) for the traffic.

// Values of Options.Select: which switch is removed next.
const (
	SelectTraffic  = "traffic"  // least traffic of turns, if the remaining terminals stay connected
	SelectDegree   = "degree"   // fewest remaining links, if the remaining terminals stay connected
	SelectAnywhere = "anywhere" // least traffic of turns, even if the terminals are separated
)

// Values of Options.Totals: which turns of a switch count.
const (
	TotalsLeft  = "left"  // turns between remaining links
	TotalsFirst = "first" // all turns of the switch
)

// Selections returns the values of Options.Select, the default first.
func Selections() []string {
	return []string{SelectTraffic, SelectDegree, SelectAnywhere}
}

// TotalRules returns the values of Options.Totals, the default first.
func TotalRules() []string {
	return []string{TotalsLeft, TotalsFirst}
}

// prohibition is the state of turn prohibition on one network. Ties go to the switch with fewer
// remaining links, then to the smaller ID.
type prohibition struct {
	net      *model.Network
	weight   *TurnTraffic
	o        Options
	taken    []bool
	terminal []bool    // by switch
	ends     int       // number of remaining terminals
	total    []float64 // by switch: the traffic of its turns
	unit     float64   // totals that differ by less are equal
	links    []int     // by switch: number of remaining links
	queue    []model.SwitchID
	place    []int // by switch: index in queue, or -1
	seen     []uint32
	round    uint32
	allowed  *model.TurnSet
	searched []model.SwitchID
}

func turnProhibition(w *work) (_ *model.TurnSet, err error) {
	if w.o.Select, err = choose("selection", w.o.Select, Selections()); err != nil {
		return nil, err
	}
	if w.o.Totals, err = choose("rule for totals", w.o.Totals, TotalRules()); err != nil {
		return nil, err
	}
	weight, err := w.traffic()
	if err != nil {
		return nil, err
	}
	p := newProhibition(w, weight)
	for p.Len() > 0 {
		if err := w.ctx.Err(); err != nil {
			return nil, err
		}
		u := p.pick()
		p.take(u)
		w.res.Removed = append(w.res.Removed, u)
	}
	return p.allowed, nil
}

func newProhibition(w *work, weight *TurnTraffic) *prohibition {
	n := w.net
	k := n.NumSwitches()
	p := &prohibition{net: n, weight: weight, o: w.o, taken: make([]bool, k), terminal: make([]bool, k), total: make([]float64, k), links: make([]int, k),
		place: make([]int, k), seen: make([]uint32, k), allowed: allTurns(n)}
	for _, u := range w.demand.Switches() {
		p.terminal[u] = true
		p.ends++
	}
	for u := range model.SwitchID(k) {
		for a := range p.into(u) {
			p.links[u]++
			for b := range p.outOf(u) {
				if b != n.Reverse(a) {
					p.total[u] += weight.Of(model.Turn{In: model.VCID(a), Out: model.VCID(b)})
				}
			}
		}
		p.place[u] = len(p.queue)
		p.queue = append(p.queue, u)
	}
	if p.unit = slack * slices.Max(p.total); p.unit == 0 {
		p.unit = 1
	}
	heap.Init(p)
	return p
}

// outOf yields the channels from u to remaining switches.
func (p *prohibition) outOf(u model.SwitchID) func(func(model.ChannelID) bool) {
	return func(yield func(model.ChannelID) bool) {
		for _, c := range p.net.Out(u) {
			if p.net.Kind(c) == model.SwitchToSwitch && !p.taken[p.net.Head(c)] && !yield(c) {
				return
			}
		}
	}
}

func (p *prohibition) into(u model.SwitchID) func(func(model.ChannelID) bool) {
	return func(yield func(model.ChannelID) bool) {
		for c := range p.outOf(u) {
			if !yield(p.net.Reverse(c)) {
				return
			}
		}
	}
}

// pick removes the first eligible switch from the queue and lets its heir inherit. Among equal
// totals (or degrees) it prefers a switch without which all switches stay connected, so that no
// turn is prohibited needlessly.
func (p *prohibition) pick() model.SwitchID {
	var kept []model.SwitchID
	second, heir := model.NoSwitch, model.NoSwitch // eligible, but separates switches without terminals
	for p.Len() > 0 {
		u := heap.Pop(p).(model.SwitchID)
		if second != model.NoSwitch && p.before(second, u) {
			kept = append(kept, u)
			break
		}
		to, ok := p.spare(u)
		switch {
		case p.o.Select == SelectAnywhere || ok && p.whole(u):
			return p.choose(u, to, append(kept, second))
		case ok && second == model.NoSwitch:
			second, heir = u, to
		default:
			kept = append(kept, u)
		}
	}
	return p.choose(second, heir, kept)
}

// before reports whether u comes before v by the criterion of Options.Select.
func (p *prohibition) before(u, v model.SwitchID) bool {
	if p.o.Select == SelectDegree {
		return p.links[u] < p.links[v]
	}
	return p.coarse(u) < p.coarse(v)
}

// choose selects u, lets its heir inherit, and puts the others back into the queue.
func (p *prohibition) choose(u, heir model.SwitchID, kept []model.SwitchID) model.SwitchID {
	for _, v := range kept {
		if v != model.NoSwitch {
			heap.Push(p, v)
		}
	}
	p.inherit(u, heir)
	return u
}

// whole reports whether the remaining neighbors of u reach each other without u.
func (p *prohibition) whole(u model.SwitchID) bool {
	p.round++
	p.seen[u] = p.round
	first := true
	for c := range p.outOf(u) {
		if v := p.net.Head(c); p.seen[v] != p.round {
			if !first {
				return false
			}
			p.part(v, -1)
			first = false
		}
	}
	return true
}

// inherit removes u from the terminals and makes heir a terminal, if there is one.
func (p *prohibition) inherit(u, heir model.SwitchID) {
	if p.terminal[u] {
		p.terminal[u] = false
		p.ends--
	}
	if heir != model.NoSwitch && !p.terminal[heir] {
		p.terminal[heir] = true
		p.ends++
	}
}

// spare reports whether the remaining terminals stay in one part without u. If u is a terminal, it
// also returns the neighbor in that part that inherits: a terminal if possible, then the neighbor
// at the lowest port. Some switch is always spare: a leaf of a tree that spans the terminals'
// part, or a switch outside that part.
func (p *prohibition) spare(u model.SwitchID) (heir model.SwitchID, ok bool) {
	others := p.ends
	if p.terminal[u] {
		others--
	}
	if others == 0 {
		return model.NoSwitch, true
	}
	p.round++
	p.seen[u] = p.round
	for c := range p.outOf(u) {
		first := p.net.Head(c)
		if p.seen[first] == p.round {
			continue
		}
		switch p.part(first, others) {
		case 0:
		case others:
			return p.heir(u, first), true
		default:
			return model.NoSwitch, false
		}
	}
	return model.NoSwitch, !p.terminal[u] // the terminals are in another part than u
}

// part searches the part of switch v, without the switches seen in this round, and returns the
// number of terminals in it. It stops once it has found enough.
func (p *prohibition) part(v model.SwitchID, enough int) (found int) {
	p.searched = append(p.searched[:0], v)
	p.seen[v] = p.round
	for i := 0; i < len(p.searched); i++ {
		if p.terminal[p.searched[i]] {
			if found++; found == enough {
				return found
			}
		}
		for c := range p.outOf(p.searched[i]) {
			if w := p.net.Head(c); p.seen[w] != p.round {
				p.seen[w] = p.round
				p.searched = append(p.searched, w)
			}
		}
	}
	return found
}

// heir returns the neighbor of u that inherits: a terminal if there is one, else first. All of
// them are in one part.
func (p *prohibition) heir(u, first model.SwitchID) model.SwitchID {
	if !p.terminal[u] {
		return model.NoSwitch
	}
	for c := range p.outOf(u) {
		if v := p.net.Head(c); p.terminal[v] {
			return v
		}
	}
	return first
}

// take prohibits the turns at u and removes u.
func (p *prohibition) take(u model.SwitchID) {
	p.taken[u] = true
	for a := range p.into(u) {
		for b := range p.outOf(u) {
			if b != p.net.Reverse(a) {
				p.allowed.Remove(model.Turn{In: model.VCID(a), Out: model.VCID(b)})
			}
		}
	}
	for c := range p.outOf(u) {
		v := p.net.Head(c)
		p.links[v]--
		if p.o.Totals == TotalsLeft {
			p.total[v] -= p.through(c)
		}
		heap.Fix(p, p.place[v])
	}
}

// through returns the traffic of the turns at the head of c that enter or leave by c, over
// remaining links.
func (p *prohibition) through(c model.ChannelID) (sum float64) {
	back := p.net.Reverse(c)
	for b := range p.outOf(p.net.Head(c)) {
		if b != back {
			sum += p.weight.Of(model.Turn{In: model.VCID(c), Out: model.VCID(b)}) +
				p.weight.Of(model.Turn{In: model.VCID(p.net.Reverse(b)), Out: model.VCID(back)})
		}
	}
	return sum
}

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (p *prohibition) Len() int { return len(p.queue) }

// Less implements heap.Interface.
func (p *prohibition) Less(i, j int) bool {
	u, v := p.queue[i], p.queue[j]
	if p.o.Select != SelectDegree {
		if c := cmp.Compare(p.coarse(u), p.coarse(v)); c != 0 {
			return c < 0
		}
	}
	if p.links[u] != p.links[v] {
		return p.links[u] < p.links[v]
	}
	return u < v
}

// coarse rounds the total of a switch. Sums of the same numbers in different orders then are
// equal, and remainders of subtraction vanish.
func (p *prohibition) coarse(u model.SwitchID) float64 { return math.Round(p.total[u] / p.unit) }

// Swap implements heap.Interface.
func (p *prohibition) Swap(i, j int) {
	p.queue[i], p.queue[j] = p.queue[j], p.queue[i]
	p.place[p.queue[i]], p.place[p.queue[j]] = i, j
}

// Push implements heap.Interface.
func (p *prohibition) Push(x any) {
	u := x.(model.SwitchID)
	p.place[u] = len(p.queue)
	p.queue = append(p.queue, u)
}

// Pop implements heap.Interface.
func (p *prohibition) Pop() any {
	u := p.queue[len(p.queue)-1]
	p.queue = p.queue[:len(p.queue)-1]
	p.place[u] = -1
	return u
}
