package relations

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file lists entries for people.

// Row is the next hops of packets that arrive on a VC, or on any if In is model.NoVC.
type Row struct {
	In       model.VCID
	Old, New []model.VCID
}

// Rows returns the entry of switch u for d: the states in which the next hops differ. If all states there have the same next hops, it
// returns one row.
func (c *Change) Rows(d model.DestID, u model.SwitchID) (list []Row) {
	same := true
	var first *Row
	for i := c.first[d]; i < c.first[d+1]; i++ {
		if c.at(i) != u {
			continue
		}
		old, _ := c.hops[before].of(i)
		now, _ := c.hops[after].of(i)
		row := Row{c.states[i].vc, old, now}
		if first == nil {
			first = &row
		}
		same = same && slices.Equal(first.Old, old) && slices.Equal(first.New, now)
		if !slices.Equal(old, now) {
			list = append(list, row)
		}
	}
	if same && len(list) > 0 {
		return []Row{{model.NoVC, first.Old, first.New}}
	}
	return list
}

// Entries returns how many entries packets can meet, and how many of them differ.
func (c *Change) Entries() (all, changed int) {
	for d := range model.DestID(c.NumDestinations()) {
		met := make([]bool, c.net.NumSwitches())
		for i := c.first[d]; i < c.first[d+1]; i++ {
			met[c.at(i)] = true
		}
		for u, m := range met {
			if m {
				all++
			}
			if c.Differs(d, model.SwitchID(u)) {
				changed++
			}
		}
	}
	return all, changed
}
