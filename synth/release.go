package synth

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file releases prohibited turns that close no cycle.
//
// Promise: afterwards no prohibited turn (with BothDirections: no turn together
// with its reverse) can be released without closing a cycle. Turns are tried
// by falling traffic, then as model.Turns lists them; what is refused once stays
// refused, since the set only grows.
// Premise: the set is acyclic; a set that is not is left as it is.
// Cost: see cdg.Order.

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
		case set.Has(t): // with its reverse
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

// orderOf returns the turns of an acyclic set as an order.
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

// allowPair allows a turn and its reverse, if both together close no cycle. It
// returns how many turns that were: one of them may be there already.
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
