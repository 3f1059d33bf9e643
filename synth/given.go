package synth

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/lists"
)

// This file puts turns in a given order.

// given moves the turns of Options.OrderFile to the front, in the order of the file. A line stands for all
// turns between two neighbours of a switch, in both directions.
func (a *addition) given() error {
	list, err := lists.ReadOrder(a.o.OrderFile, a.net, format.Options{})
	if err != nil {
		return err
	}
	rank := map[[3]model.SwitchID]int{}
	for i, p := range list {
		key := passOf(p.From, p.At, p.To)
		if _, twice := rank[key]; twice {
			return fmt.Errorf("%s: the turn from %s through %s to %s is given twice", a.o.OrderFile, a.net.SwitchName(p.From), a.net.SwitchName(p.At),
				a.net.SwitchName(p.To))
		}
		rank[key] = i
	}
	found := map[[3]model.SwitchID]bool{}
	at := func(t model.Turn) int {
		key := passOf(a.net.Tail(model.ChannelID(t.In)), a.middle(t), a.net.Head(model.ChannelID(t.Out)))
		found[key] = true
		if k, ok := rank[key]; ok {
			return k
		}
		return len(list)
	}
	slices.SortStableFunc(a.turns, func(s, t model.Turn) int { return cmp.Compare(at(s), at(t)) })
	for _, p := range list {
		if !found[passOf(p.From, p.At, p.To)] {
			return fmt.Errorf("%s: no turn leads from %s through %s to %s", a.o.OrderFile, a.net.SwitchName(p.From), a.net.SwitchName(p.At),
				a.net.SwitchName(p.To))
		}
	}
	return nil
}

// passOf is the same for both directions.
func passOf(from, at, to model.SwitchID) [3]model.SwitchID {
	return [3]model.SwitchID{min(from, to), at, max(from, to)}
}
