package engine

import (
	"encoding/binary"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file asks the relation once for each state and numbers the different answers. An answer
// names ports by their number at the switch, so that there are few answers.
//
// Memory: one byte for each VC that enters a switch, destination and class while there are at most
// 255 answers, then four bytes. Beyond maxCached states every lookup asks the relation.

const maxCached = 1 << 28

// hopSet is a set of permitted output VCs: a mask of VCs of one output port.
type hopSet struct {
	mask  uint64
	port  int16
	class int16
	again bool // whether an earlier set of the answer has the same port
}

// routes stores the answers of the relation.
type routes struct {
	rel            model.Relation
	classes, dests int
	rows           []rowOf          // by VC
	small          []uint8          // by row, destination and class: 1 + the number of the answer, or 0 if not asked yet
	large          []int32          // as small, if there are more answers than fit into a byte
	sets           [][]hopSet       // by number of the answer
	only           []hopSet         // by number of the answer: its set, if it has only one
	number         map[string]int32 // by the bytes of an answer: its number
	asked          []model.Hop
	scratch        []hopSet
	text           []byte
}

// rowOf says where the answers for heads on a VC are.
type rowOf struct {
	at   int   // start of its row of answers, or -1 if it leads to a host
	outs int32 // start of its switch's output ports in Sim.outs
}

func newRoutes(s *Sim, rel model.Relation) *routes {
	r := &routes{rel: rel, classes: rel.Classes(), dests: rel.Destinations(), number: map[string]int32{}}
	width, rows := r.classes*r.dests, 0
	r.rows = make([]rowOf, len(s.vc))
	for v := range r.rows {
		p := &s.port[v/s.vcs]
		switch {
		case p.eject:
			r.rows[v] = rowOf{at: -1}
		case s.hostOf[v/s.vcs] >= 0 && v%s.vcs > 0:
			r.rows[v] = r.rows[v-1] // packets start here; all VCs have the same answers
		default:
			r.rows[v] = rowOf{rows * width, p.outBase}
			rows++
		}
	}
	if width > 0 && rows <= maxCached/width {
		r.small = make([]uint8, rows*width)
		r.ahead(s, rows, width)
	}
	return r
}

// maxAhead is the largest number of states for which the relation is asked before the simulation
// starts.
const maxAhead = 1 << 20

// ahead asks for all states and stores equal rows once, which saves cache memory.
func (r *routes) ahead(s *Sim, rows, width int) {
	if rows*width > maxAhead {
		return
	}
	for v, row := range r.rows {
		for i := range width {
			if row.at >= 0 && r.small != nil {
				r.of(s, int32(v), model.DestID(i/r.classes), model.Class(i%r.classes))
			}
		}
	}
	if r.small == nil {
		return // more answers than fit into a byte: do not merge rows
	}
	known := map[string]int{}
	packed := make([]uint8, 0, rows*width)
	for v, of := range r.rows {
		if of.at < 0 {
			continue
		}
		row := r.small[of.at : of.at+width]
		first, ok := known[string(row)]
		if !ok {
			first = len(packed)
			known[string(row)] = first
			packed = append(packed, row...)
		}
		r.rows[v].at = first
	}
	r.small = append([]uint8(nil), packed...)
}

// of returns the number of the answer for a head on VC v with destination d and the given class.
func (r *routes) of(s *Sim, v int32, d model.DestID, class model.Class) int32 {
	i := r.rows[v].at + int(d)*r.classes + int(class)
	if r.small != nil {
		if a := r.small[i]; a > 0 {
			return int32(a) - 1
		}
	} else if r.large != nil {
		if a := r.large[i]; a > 0 {
			return a - 1
		}
	}
	return r.keep(i, r.ask(s, v, d, class))
}

// keep stores the number of the answer for state i, and returns it.
func (r *routes) keep(i int, answer int32) int32 {
	if r.small != nil && answer >= 255 {
		r.large = make([]int32, len(r.small))
		for j, a := range r.small {
			r.large[j] = int32(a)
		}
		r.small = nil
	}
	switch {
	case r.small != nil:
		r.small[i] = uint8(answer + 1)
	case r.large != nil:
		r.large[i] = answer + 1
	}
	return answer
}

// ask asks the relation for one state and returns the number of the answer. Consecutive VCs of one
// channel with one class, in ascending order, become one set. At the destination's switch all VCs
// of the channel to the host become one set.
func (r *routes) ask(s *Sim, v int32, d model.DestID, class model.Class) int32 {
	n := s.net
	at := s.modelVC(v)
	if s.hostOf[s.vc[v].in] >= 0 {
		at = n.VC(s.chanOf[s.vc[v].in], 0)
	}
	r.asked = r.rel.Next(model.State{VC: at, Dest: d, Class: class}, r.asked[:0])
	r.scratch = r.scratch[:0]
	for _, h := range r.asked {
		c, i := n.Channel(h.VC)
		set := hopSet{mask: 1 << i, port: int16(n.OutIndex(c)), class: int16(h.Class)}
		if n.Kind(c) == model.Eject {
			set.mask = 1<<s.vcs - 1
		}
		if k := len(r.scratch) - 1; k >= 0 && r.scratch[k].port == set.port && r.scratch[k].class == set.class && r.scratch[k].mask < set.mask {
			r.scratch[k].mask |= set.mask // later VCs of the same port, in the order of the mask
		} else {
			set.again = slices.ContainsFunc(r.scratch, func(x hopSet) bool { return x.port == set.port })
			r.scratch = append(r.scratch, set)
		}
	}
	r.text = r.text[:0]
	for _, h := range r.scratch {
		r.text = binary.LittleEndian.AppendUint64(r.text, h.mask)
		r.text = binary.LittleEndian.AppendUint32(r.text, uint32(uint16(h.port))|uint32(uint16(h.class))<<16)
	}
	k, known := r.number[string(r.text)]
	if !known {
		k = int32(len(r.sets))
		r.sets = append(r.sets, append([]hopSet(nil), r.scratch...))
		r.number[string(r.text)] = k
		if r.only = append(r.only, hopSet{}); len(r.scratch) == 1 {
			r.only[k] = r.scratch[0]
		}
	}
	return k
}
