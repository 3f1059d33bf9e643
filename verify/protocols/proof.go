package protocols

import (
	"maps"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/hold"
)

// This file eliminates places that always get room, and makes ranks of the order.

// eliminate eliminates places until nothing changes: a place is eliminated if each wait at it has an
// alternative whose places are all eliminated, or, if all is true, if the places of all alternatives are. It returns
// the eliminated places in order, and by place whether it is left. The places of gone come first in any case.
func (w *Waits) eliminate(gone map[int32]bool, all bool) (order []int32, left []bool) {
	x := hold.New(w.size())
	for _, m := range w.list {
		if m.free && !all {
			continue
		}
		wait := x.Wait(m.place)
		if all {
			x.All(wait, slices.Concat(m.any...))
			continue
		}
		for _, places := range m.any {
			x.All(wait, places)
		}
	}
	for _, hop := range w.copies {
		x.One(x.Wait(hop[0]), hop[1])
	}
	return x.Run(gone)
}

// Proof is what is known of a protocol: tables that are never part of a deadlock, in the order in
// which this was found, with ranks for each of them; and, if nothing is left, ranks of all places.
type Proof struct {
	Tables cert.Ints
	Ranks  cert.Ints
	gone   map[int32]bool
	left   []bool // by place; nil if nothing is left
}

// IsComplete reports whether all places are eliminated.
func (p *Proof) IsComplete() bool { return p.left == nil }

// mostTables bounds the tables that are examined alone.
const mostTables = 600

// Prove eliminates places and tables. A table that is several places (tables.go) is one of these in a
// deadlock. So one of them is never part of a deadlock if it is eliminated when the others of its host are gone.
func (w *Waits) Prove(all bool) *Proof {
	p := &Proof{gone: map[int32]bool{}}
	for examined, more := 0, true; more; {
		var order []int32
		if order, p.left = w.eliminate(p.gone, all); len(order) == w.size() {
			p.left = nil
			p.addRanks(order, w.size())
			return p
		}
		more = false
		for i := range w.tables {
			at := int32(w.networks*(w.links+w.endpoints) + i)
			sorts := w.tablesOf[w.tables[i].tableOwner]
			if !p.left[at] || len(sorts) == 1 || p.gone[at] || examined == mostTables {
				continue
			}
			examined++
			without := maps.Clone(p.gone)
			for _, other := range sorts {
				without[other] = without[other] || other != at
			}
			if order, left := w.eliminate(without, all); !left[at] {
				p.addRanks(order, w.size())
				p.Tables, p.gone[at], more = append(p.Tables, int32(i)), true, true
			}
		}
	}
	return p
}

// addRanks adds the ranks of an order of elimination of n places.
func (p *Proof) addRanks(order []int32, n int) { p.Ranks = append(p.Ranks, hold.Ranks(order, n)...) }
