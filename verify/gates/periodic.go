package gates

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file makes the clauses of formula.go fewer: packets repeat along the diagonals of a torus.
//
// Two places are equal if a translation takes one to the other whose coordinates add up to a multiple of the period. What
// fills equal VCs, and the hops that packets have taken there, then have the same variables. Those of escape VCs stay apart,
// because hops between them depend on the place. A model of the new clauses is a model of the old ones.
//
// Cost: O(states × hops + literals).

// diagonals takes places to equal places, one of which stands for all of them.
type diagonals struct {
	*formula
	period  int
	escape  func(model.VCID) bool
	numbers map[model.State]int32
}

// maxRepeated is the number of literals that the solver propagates for each period.
const maxRepeated = 25_000_000

// chooseRepeated searches for a run to a deadlock of packets that repeat, for each period that divides the sides of a torus. The
// relation must have an escape. It first searches without packets before gates of injection: clauses with fewer choices.
func (g *subject) chooseRepeated(ctx context.Context, rel model.Relation, s *stateSets) (*run, error) {
	escaper, ok := rel.(model.Escaper)
	if !ok || rel.Destinations() != g.n.NumEndpoints() {
		return nil, nil
	}
	grid := g.n.Grid()
	if len(grid.Sides) < 2 || grid.Place != nil || slices.Contains(grid.Wrap, false) {
		return nil, nil
	}
	x := g.newChooser(s, true)
	if x == nil {
		return nil, nil
	}
	ways := []bool{false}
	if x.f.arriving != nil && g.sizes.Rule.Place == gate.Both {
		ways = []bool{true, false}
	}
	for _, few := range ways {
		for period := 2; period <= slices.Min(grid.Sides); period++ {
			if slices.ContainsFunc(grid.Sides, func(side int) bool { return side%period != 0 }) {
				continue
			}
			f := x.f.repeated(escaper, period)
			if few {
				f.excludeInjection()
			}
			y := &chooser{f: f, start: x.start, byHops: x.byHops}
			if found, err := y.choose(ctx, maxRepeated); found != nil || err != nil {
				return found, err
			}
		}
	}
	return nil, nil
}

// excludeInjection excludes packets before gates of injection, except those that join others.
func (f *formula) excludeInjection() {
	for _, x := range []*chains{f.arriving, f.resting} {
		for i, at := range f.s.states {
			for e := f.s.first[i]; x != nil && e < f.s.first[i+1]; e++ {
				if x.starts[e] != 0 && !f.n.IsLinkVC(at.VC) {
					f.add(f.rename([]int32{-x.starts[e]})...)
				}
			}
		}
	}
}

// repeated returns the clauses with one variable for those of equal places.
func (f *formula) repeated(rel model.Escaper, period int) *formula {
	all := f.clauses
	less := *f
	f = &less
	d := &diagonals{formula: f, period: period, escape: rel.EscapeVC, numbers: map[model.State]int32{}}
	f.same = make([]int32, f.last+1)
	for v := range f.same {
		f.same[v] = int32(v)
	}
	for i, at := range f.s.states {
		d.numbers[at] = int32(i)
	}
	for v := range model.VCID(f.size) {
		if to := d.moved(v, d.translation(v)); !d.escape(v) {
			for _, list := range [][]int32{f.whole, f.ending, f.stacked, f.begun, f.joined, f.nearly, f.blocked, f.shut} {
				f.same[list[v]] = list[to]
			}
		}
	}
	for _, x := range []*chains{f.arriving, f.resting} {
		if x != nil {
			d.repeatChains(x)
		}
	}
	f.same[0] = 0 // no variable
	f.clauses = make([][]int32, 0, len(all))
	for _, c := range all {
		if c = f.rename(slices.Clone(c)); !slices.ContainsFunc(c, func(l int32) bool { return l > 0 && slices.Contains(c, -l) }) {
			f.clauses = append(f.clauses, c)
		}
	}
	return f
}

// rename returns the literals of a clause by the variables that are left.
func (f *formula) rename(c []int32) []int32 {
	if f.same != nil {
		for i, l := range c {
			if c[i] = f.same[max(l, -l)]; l < 0 {
				c[i] = -c[i]
			}
		}
	}
	slices.Sort(c)
	return slices.Compact(c)
}

// repeatChains does so for the hops of packets whose tails are before gates.
func (d *diagonals) repeatChains(x *chains) {
	for i, at := range d.s.states {
		t := d.translation(at.VC)
		j, ok := d.movedState(at, t)
		if !ok || d.escape(at.VC) {
			continue
		}
		d.same[x.lies[i]], d.same[x.ends[i]] = x.lies[j], x.ends[j]
		for e := d.s.first[i]; e < d.s.first[i+1]; e++ {
			v := d.moved(d.s.vc[e], t)
			k := d.s.first[j] + int32(slices.Index(d.s.vc[d.s.first[j]:d.s.first[j+1]], v))
			if k >= d.s.first[j] && !d.escape(d.s.vc[e]) {
				d.same[x.starts[e]], d.same[x.takes[e]] = x.starts[k], x.takes[k]
				d.same[d.joins[e]] = d.joins[k]
			}
		}
	}
}

// translation returns by dimension how far a VC moves to the equal one that stands for it: its switch gets the coordinates
// k, 0, 0, ... with k less than the period.
func (d *diagonals) translation(v model.VCID) []int {
	c, _ := d.n.Channel(v)
	u := d.n.Head(c)
	if u == model.NoSwitch {
		u = d.n.Tail(c)
	}
	t := d.n.Grid().Coords(u, nil)
	sum := 0
	for k := range t {
		sum += t[k]
		t[k] = -t[k]
	}
	t[0] += sum % d.period
	return t
}

// moved returns the VC to which a translation takes VC v.
func (d *diagonals) moved(v model.VCID, t []int) model.VCID {
	c, k := d.n.Channel(v)
	if d.n.Kind(c) == model.Inject {
		return d.n.VC(d.n.Reverse(d.n.OutAt(d.movedSwitch(d.n.Head(c), t), d.n.HeadPort(c))), k)
	}
	return d.n.VC(d.n.OutAt(d.movedSwitch(d.n.Tail(c), t), d.n.TailPort(c)), k)
}

func (d *diagonals) movedSwitch(u model.SwitchID, t []int) model.SwitchID {
	grid := d.n.Grid()
	at := grid.Coords(u, nil)
	for k, side := range grid.Sides {
		at[k] = ((at[k]+t[k])%side + side) % side
	}
	return grid.At(at)
}

// movedState returns the number of the state to which a translation takes a state.
func (d *diagonals) movedState(s model.State, t []int) (int32, bool) {
	c := d.n.EjectChannel(model.HostID(s.Dest))
	to, _ := d.n.Channel(d.moved(d.n.VC(c, 0), t))
	i, ok := d.numbers[model.State{VC: d.moved(s.VC, t), Dest: model.DestID(d.n.HostOf(to)), Class: s.Class}]
	return i, ok
}
