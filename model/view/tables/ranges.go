package tables

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file divides the destinations of each switch into ranges with the same next hops, as in interval routing
// (N. Santoro, R. Khatib, Labelling and implicit routing in networks, The Computer Journal 28(1), 1985).

// Range is consecutive destinations with the same set of outputs. A destination that no packet at the switch has
// belongs to the range before it, or to the first range.
type Range struct {
	First, Last model.DestID
	Set         []uint64 // see Lookup.At
}

// Ranges returns the fewest ranges of a switch that cover all destinations, in ascending order. If no packet
// passes the switch, there are none. The form of the table must be Next.
func (l *Lookup) Ranges(u model.SwitchID) (list []Range) {
	last := int32(0) // the set of the last range
	for d, set := range l.ofSwitch(u) {
		if set != 0 && set != last {
			list = append(list, Range{First: model.DestID(d), Set: l.pool.sets[set]})
			last = set
		}
	}
	for i := range list {
		if list[i].Last = model.DestID(l.Dest - 1); i+1 < len(list) {
			list[i].Last = list[i+1].First - 1
		}
	}
	if len(list) > 0 {
		list[0].First = 0
	}
	return list
}

// ofSwitch returns the sets of a switch by input and destination.
func (l *Lookup) ofSwitch(u model.SwitchID) []int32 {
	per := len(l.at) / l.Switches
	return l.at[int(u)*per : (int(u)+1)*per]
}

// OutputsOf returns the members of a set.
func (l *Lookup) OutputsOf(set []uint64) (list []Output) {
	for k := range l.Classes {
		for p := range l.Ports {
			for v := range l.VCs {
				o := Output{model.Port(p), v, model.Class(k)}
				if i := l.Bit(o); set[i/64]>>(i%64)&1 != 0 {
					list = append(list, o)
				}
			}
		}
	}
	return list
}

// exceptions returns the number of destinations of a switch that do not have its most frequent set, without those that
// no packet has.
func (l *Lookup) exceptions(u model.SwitchID) int {
	count, all := map[int32]int{}, 0
	for _, set := range l.ofSwitch(u) {
		if set != 0 {
			count[set]++
			all++
		}
	}
	most := 0
	for _, k := range count {
		most = max(most, k)
	}
	return all - most
}

// distinctRows returns the number of different rows of a switch. Rows without a set do not count.
func (l *Lookup) distinctRows(u model.SwitchID) int {
	seen := map[string]bool{rowKey(make([]int32, l.Dest)): true}
	for row := range slices.Chunk(l.ofSwitch(u), l.Dest) {
		seen[rowKey(row)] = true
	}
	return len(seen) - 1
}
