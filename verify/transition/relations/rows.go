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

// Pairs returns how many pairs of a source and another destination send, and of how many the packets by old entries can meet an entry that differs.
func (c *Change) Pairs() (all, changed int64) {
	for d := range model.DestID(c.NumDestinations()) {
		lo, hi := c.first[d], c.first[d+1]
		meets := c.meetChanges(d)
		sources := map[model.HostID]bool{} // whether packets meet a change
		for i := hi - 1; i >= lo && int(c.states[i].vc) >= c.net.NumLinkVCs(); i-- {
			in, _ := c.net.Channel(c.states[i].vc)
			h := c.net.HostOf(in)
			sources[h] = sources[h] || meets[i-lo]
		}
		for h, is := range sources {
			if h == c.rel[before].DestinationHost(d) {
				continue
			}
			if all++; is {
				changed++
			}
		}
	}
	return all, changed
}

// meetChanges reports by state of d whether a packet there can meet an entry that differs, by old entries up to that.
func (c *Change) meetChanges(d model.DestID) []bool {
	lo, hi := c.first[d], c.first[d+1]
	meets, from := make([]bool, hi-lo), make([][]int32, hi-lo)
	var todo []int32
	for i := lo; i < hi; i++ {
		old, next := c.hops[before].of(i)
		if now, _ := c.hops[after].of(i); !slices.Equal(old, now) {
			meets[i-lo] = true
			todo = append(todo, i-lo)
		}
		for _, to := range next {
			if to >= 0 {
				from[to-lo] = append(from[to-lo], i-lo)
			}
		}
	}
	for i := 0; i < len(todo); i++ {
		for _, j := range from[todo[i]] {
			if !meets[j] {
				meets[j] = true
				todo = append(todo, j)
			}
		}
	}
	return meets
}
