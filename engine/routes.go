package engine

import (
	"encoding/binary"

	"turnproof/model"
)

// This file asks the relation, once for each state that packets come to, and
// numbers the different answers.
//
// Memory: four bytes for each VC that enters a switch, destination and class, as
// far as that is not more than maxCached; beyond, the relation is asked anew.

const maxCached = 1 << 27

// routes keeps what heads may ask for.
type routes struct {
	classes, dests int
	rowOf          []int32 // by VC: where its row of answers begins
	answer         []int32 // by row, destination and class: 1 + its number; 0: not asked yet
	first          []int32 // by answer, into hops; one more at the end
	hops           []hopSet
	number         map[string]int32 // of an answer, by its text
	asked          []model.Hop
	text           []byte
}

func newRoutes(r model.Relation) *routes {
	x := &routes{classes: r.Classes(), dests: r.Destinations(), first: []int32{0}, number: map[string]int32{}}
	n := r.Network()
	if k := n.NumVCs() * x.classes * x.dests; k <= maxCached {
		x.answer, x.rowOf = make([]int32, k), make([]int32, n.NumVCs())
		for v := range x.rowOf {
			x.rowOf[v] = int32(v * x.classes * x.dests)
		}
	}
	return x
}

// maxAhead bounds the states that are asked for before the simulation.
const maxAhead = 1 << 20

// ahead asks for all states and keeps equal rows once, which saves room in the
// processor's caches.
func (r *routes) ahead(s *Sim) {
	width := r.classes * r.dests
	if len(r.answer) == 0 || len(r.answer) > maxAhead {
		return
	}
	rows := map[string]int32{}
	packed := r.answer[:0]
	row, text := make([]int32, width), make([]byte, 0, 4*width)
	for v := range r.rowOf {
		if c, _ := s.net.Channel(model.VCID(v)); s.net.Kind(c) == model.Eject {
			continue
		}
		text = text[:0]
		for i := range row {
			row[i] = 1 + r.ask(s, int32(v), model.DestID(i/r.classes), model.Class(i%r.classes))
			text = binary.LittleEndian.AppendUint32(text, uint32(row[i]))
		}
		at, known := rows[string(text)]
		if !known {
			at = int32(len(packed))
			rows[string(text)] = at
			packed = append(packed, row...)
		}
		r.rowOf[v] = at
	}
	r.answer = append([]int32(nil), packed...)
}

// sets returns the hop sets of an answer.
func (r *routes) sets(answer int32) []hopSet { return r.hops[r.first[answer]:r.first[answer+1]] }

// of returns the number of what a head on VC v may ask for.
func (r *routes) of(s *Sim, v int32, d model.DestID, class model.Class) int32 {
	if r.answer == nil {
		return r.ask(s, v, d, class)
	}
	at := &r.answer[int(r.rowOf[v])+int(d)*r.classes+int(class)]
	if *at == 0 {
		*at = 1 + r.ask(s, v, d, class)
	}
	return *at - 1
}

// ask asks the relation. VCs in a row on one channel with one class become one
// set; at the destination's switch all VCs of its channel do.
func (r *routes) ask(s *Sim, v int32, d model.DestID, class model.Class) int32 {
	c, _ := s.net.Channel(model.VCID(v))
	at := model.VCID(v)
	if s.net.Kind(c) == model.Inject {
		at = s.net.VC(c, 0) // where packets start, whatever the VC
	}
	r.asked = s.rel.Next(model.State{VC: at, Dest: d, Class: class}, r.asked[:0])
	from := len(r.hops)
	for _, h := range r.asked {
		o, _ := s.net.Channel(h.VC)
		last := len(r.hops) - 1
		switch {
		case s.net.Kind(o) == model.Eject:
			r.hops = append(r.hops, hopSet{int32(s.net.VC(o, 0)), int16(s.vcs), int16(h.Class)})
		case last >= from && r.hops[last].lo+int32(r.hops[last].n) == int32(h.VC) && r.hops[last].class == int16(h.Class) && s.at[r.hops[last].lo].ch == int32(o):
			r.hops[last].n++
		default:
			r.hops = append(r.hops, hopSet{int32(h.VC), 1, int16(h.Class)})
		}
	}
	r.text = r.text[:0]
	for _, h := range r.hops[from:] {
		r.text = binary.LittleEndian.AppendUint32(r.text, uint32(h.lo))
		r.text = binary.LittleEndian.AppendUint32(r.text, uint32(uint16(h.n))|uint32(uint16(h.class))<<16)
	}
	k, known := r.number[string(r.text)]
	if known {
		r.hops = r.hops[:from]
		return k
	}
	k = int32(len(r.first) - 1)
	r.first = append(r.first, int32(len(r.hops)))
	r.number[string(r.text)] = k
	return k
}
