package figure

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// focus is the set of switches that a drawing is about.
type focus struct {
	in    []bool // by switch: whether it is in the set
	count int
}

// focusOn returns the focus of the options, or nil.
func focusOn(n *model.Network, o Options) *focus {
	if len(o.Focus) == 0 {
		return nil
	}
	return focusOf(n, func(yield func(model.VCID)) {
		for _, v := range o.Focus {
			yield(v)
		}
	})
}

// focusOf returns the switches at the ends of the VCs that each yields.
func focusOf(n *model.Network, each func(func(model.VCID))) *focus {
	f := &focus{in: make([]bool, n.NumSwitches())}
	each(func(v model.VCID) {
		ch, _ := n.Channel(v)
		for _, u := range []model.SwitchID{n.Tail(ch), n.Head(ch)} {
			if u != model.NoSwitch && !f.in[u] {
				f.in[u] = true
				f.count++
			}
		}
	})
	return f
}

// keep returns a function that reports whether a switch is drawn: nil in a small network, where
// all are drawn; in a larger one, those in focus are drawn.
func (f *focus) keep(n *model.Network, o Options) func(model.SwitchID) bool {
	if f == nil || n.NumSwitches() <= orDefault(o.MaxSwitches, MaxSwitches) {
		return nil
	}
	return func(u model.SwitchID) bool { return f.in[u] }
}

// note adds a note about switches that are left out.
func (f *focus) note(c *canvas) {
	if f == nil {
		return
	}
	switches := 0
	for _, i := range c.node {
		if i >= 0 {
			switches++
		}
	}
	if out := c.n.NumSwitches() - switches; out > 0 {
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("Drawn: %d of %s; cables to the other %d are left out.",
			switches, pluralOf(c.n.NumSwitches(), "switch", "switches"), out))
	}
}
