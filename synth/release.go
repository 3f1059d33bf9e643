package synth

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// release allows prohibited turns that close no cycle.
//
// Afterwards no prohibited turn can be allowed without closing a cycle (with BothDirections: no
// turn together with its reverse). Turns are tried by falling traffic, then in the order of
// model.Turns. A refused turn stays refused, since the set only grows. A set that is not acyclic
// stays as it is. Cost: see cdg.Order.

func (w *work) release(set *model.TurnSet) error {
	order, ok := orderOf(set)
	if !ok {
		w.note("nothing was released: the set is cyclic")
		return nil
	}
	weight, err := w.traffic()
	if err != nil {
		return err
	}
	prohibited := slices.Collect(set.Complement().All())
	value := weight.Of
	if w.o.BothDirections {
		value = weight.Pair
	}
	slices.SortStableFunc(prohibited, func(a, b model.Turn) int { return cmp.Compare(value(b), value(a)) })
	released := 0
	for i, t := range prohibited {
		if err := w.ctx.Err(); err != nil && i%1024 == 0 {
			return err
		}
		switch {
		case set.Has(t): // already allowed together with its reverse
		case w.o.BothDirections:
			released += allowPair(order, set, t)
		case order.Add(t):
			set.Add(t)
			released++
		}
	}
	w.note("%d turns released", released)
	return nil
}

// orderOf returns a topological order of the turns of set, and false if set has a cycle.
func orderOf(set *model.TurnSet) (*cdg.Order, bool) {
	rank, ok := cdg.FromTurns(set).Numbering()
	if !ok {
		return nil, false
	}
	order := cdg.NewOrder(set.Network(), rank)
	for t := range set.All() {
		order.Add(t)
	}
	return order, true
}

// allowPair allows a turn and its reverse if the two together close no cycle. It returns the
// number of turns that it added: one of the two may have been allowed before.
func allowPair(order *cdg.Order, set *model.TurnSet, t model.Turn) int {
	back := reverse(set.Network(), t)
	added := make([]model.Turn, 0, 2)
	for _, x := range []model.Turn{t, back} {
		if set.Has(x) {
			continue
		}
		if !order.Add(x) {
			for _, y := range added {
				order.Remove(y)
				set.Remove(y)
			}
			return 0
		}
		set.Add(x)
		added = append(added, x)
	}
	return len(added)
}
