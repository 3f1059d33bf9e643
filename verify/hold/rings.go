package hold

import "slices"

// This file eliminates places of which some form rings with flow control: a ring is eliminated as one place, and has room for one more
// packet, which moves on to the next place of the ring.

// Places returns VCs as places, those of a copy of the network from place first on.
func Places[VC ~int32](first int32, vcs []VC) []int32 {
	list := make([]int32, len(vcs))
	for i, v := range vcs {
		list[i] = first + int32(v)
	}
	return list
}

// RingsOf says which places form rings.
type RingsOf struct {
	Lists [][]int32 // places in the order in which packets take them; a place is in one list at most
	Worms bool      // packets hold several places: each needs all of its next places
	Late  bool      // rings get the least ranks that they can have: packets that may leave a ring then do
}

// Rings collects waits at places and rings, and eliminates them.
type Rings struct {
	*Elimination
	of   RingsOf
	Part []int32 // by place: the number of its ring, or a number of its own
	next []int32 // by place of a ring: the next one; -1 for others
	size int32   // parts, without those for room
	room []int32 // by ring: its wait for room, if Late is set
}

// NewRings returns an elimination without waits.
func NewRings(places int, of RingsOf) *Rings {
	x := &Rings{of: of, Part: slices.Repeat([]int32{-1}, places), next: slices.Repeat([]int32{-1}, places), size: int32(len(of.Lists))}
	for k, list := range of.Lists {
		for i, p := range list {
			x.Part[p], x.next[p] = int32(k), list[(i+1)%len(list)]
		}
	}
	for p := range x.Part {
		if x.Part[p] < 0 {
			x.Part[p] = x.size
			x.size++
		}
	}
	if !of.Late {
		x.Elimination = New(int(x.size))
		return x
	}
	x.Elimination = New(int(x.size) + len(of.Lists))
	for k := range of.Lists {
		x.room = append(x.room, x.Wait(x.size+int32(k)))
	}
	return x
}

// Packet adds the wait of a packet at a place for any of next, or for worms for all of them. The next place of a ring gets room.
func (x *Rings) Packet(at int32, next []int32) {
	var needs []int32
	for _, p := range next {
		switch {
		case p != x.next[at]:
			needs = append(needs, x.Part[p])
		case x.of.Late:
			needs = append(needs, x.size+x.Part[at])
		case !x.of.Worms:
			return
		}
	}
	wait := x.Wait(x.Part[at])
	if x.of.Worms {
		x.All(wait, needs)
		return
	}
	for _, p := range needs {
		x.One(wait, p)
	}
}

// Host adds a wait at a place for one of several alternatives of places, or for all of them if all is set.
func (x *Rings) Host(at int32, any [][]int32, all bool) {
	if all {
		any = [][]int32{slices.Concat(any...)}
	}
	wait := x.Wait(x.Part[at])
	for _, list := range any {
		parts := make([]int32, len(list))
		for i, p := range list {
			parts[i] = x.Part[p]
		}
		x.All(wait, parts)
	}
}

// Ranks runs the elimination, and returns ranks by place, equal in each ring and without gaps, or nil if a place is left.
func (x *Rings) Ranks() []int32 {
	order, _ := x.Run(nil)
	for _, wait := range x.room {
		x.End(wait)
		order, _ = x.Run(nil)
	}
	rankOf, ranks := Ranks(order, int(x.size)+len(x.room)), make([]int32, len(x.Part))
	for p, part := range x.Part {
		if ranks[p] = rankOf[part]; ranks[p] < 0 {
			return nil
		}
	}
	list := slices.Compact(slices.Sorted(slices.Values(ranks)))
	for p, k := range ranks {
		at, _ := slices.BinarySearch(list, k)
		ranks[p] = int32(at)
	}
	return ranks
}
