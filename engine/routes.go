package engine

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"github.com/turnproof/turnproof/model"
)

// This file asks the relation once for each state and numbers the different answers. An answer
// names ports by their number at the switch, so that there are few answers.
//
// Memory: one byte for each VC that enters a switch, destination and class while there are at most
// 255 answers, then four bytes. VCs of one group (model.Grouped) count once. The table of a large
// network has fewer columns or rows where the relation allows it, see routelines.go. Beyond
// maxCached states every lookup asks the relation.

const maxCached = 1 << 28

// hopSet is a set of permitted output VCs: a mask of VCs of one output port.
type hopSet struct {
	mask  uint64
	port  int16
	class int16
	again bool // whether an earlier set of the answer has the same port
}

// routes stores the answers of the relation. Parts of a divided simulation (parts.go) have copies,
// which share the table and the list of answers.
type routes struct {
	rel            model.Relation
	classes, dests int
	vcs            int                                  // of a channel
	rows           []rowOf                              // by VC
	columns        *columns                             // nil if a row has a column for each destination
	small          []uint8                              // by row, destination and class: 1 + the number of the answer, or 0 if not asked yet
	large          []int32                              // as small, if there are more answers than fit into a byte
	answers                                             // those known to this copy
	weighs         func(model.State, []uint32) []uint32 // see model.HopWeightsOf
	stepWeights    []uint32                             // of the answer in scratch
	number         map[string]int32                     // by the bytes of an answer: its number
	isShared       bool                                 // whether this is a copy for a part
	full           bool                                 // whether this copy had an answer that does not fit into a byte
	shared         *sharedAnswers
	asked          []model.Hop
	scratch        []hopSet
	text           []byte
}

// answers are different answers of the relation.
type answers struct {
	sets [][]hopSet // by number of the answer
	only []hopSet   // by number of the answer: its set, if it has only one
	wide []uint64   // by number of the answer: its VCs by place, if there are at most 64
	// weights are the weights of the hops in the order of the sets, by number of the answer; nil without weights.
	weights [][]uint32
}

// sharedAnswers numbers the answers that any copy has got.
type sharedAnswers struct {
	sync.Mutex
	answers
	number map[string]int32 // by the bytes of an answer: its number
}

// rowOf says where the answers for heads on a VC are.
type rowOf struct {
	at   int   // start of its row of answers
	outs int32 // start of its switch's output ports in Sim.outs
}

// newRoutes returns the answers of rel. A table of more than the given number of entries is made smaller if the
// relation allows it; a smaller table is filled at once.
func newRoutes(s *state, rel model.Relation, many int) *routes {
	r := &routes{rel: rel, weighs: model.HopWeightsOf(rel), classes: rel.Classes(), dests: rel.Destinations(), vcs: s.vcs, number: map[string]int32{},
		shared: &sharedAnswers{number: map[string]int32{}}}
	rows := r.groupRows(s)
	width, entries := r.classes*r.dests, 0
	if width > 0 && rows > many/width {
		if r.columns = r.bySwitch(s); r.columns != nil {
			width = r.classes * s.net.NumSwitches()
			r.columns.grid, entries = r.byLine(s)
		}
	}
	if entries == 0 && width > 0 && rows <= maxCached/width {
		entries = rows * width
	}
	for v := range r.rows {
		r.rows[v].at *= width
	}
	if 0 < entries && entries <= maxCached {
		r.small = make([]uint8, entries)
	}
	if r.columns != nil {
		r.columns.ask(r, s)
	} else if r.small != nil && entries <= many {
		r.ahead(s, width)
		r.merge(s, width)
	}
	return r
}

// groupRows numbers the rows: one for each group of VCs. It returns the number of rows.
func (r *routes) groupRows(s *state) (rows int) {
	groups, grouped := r.rel.(model.Grouped)
	known := map[int]int{}
	r.rows = make([]rowOf, len(s.vc))
	for v := range r.rows {
		p := &s.port[v/s.vcs]
		if p.eject {
			continue
		}
		if s.hostOf[v/s.vcs] >= 0 && v%s.vcs > 0 {
			r.rows[v] = r.rows[v-1] // packets start here; all VCs have the same answers
			continue
		}
		row := rows
		if grouped {
			group := groups.GroupOf(s.modelVC(int32(v)))
			if first, ok := known[group]; ok {
				row = first
			}
			known[group] = row
		}
		r.rows[v] = rowOf{row, p.outBase}
		rows = max(rows, row+1)
	}
	return rows
}

// maxAhead is the largest number of states for which the relation is asked before the simulation
// starts.
const maxAhead = 1 << 20

// ahead asks for all states.
func (r *routes) ahead(s *state, width int) {
	for v := range r.rows {
		for i := range width {
			if !s.port[v/s.vcs].eject {
				r.of(s, int32(v), model.DestID(i/r.classes), model.Class(i%r.classes))
			}
		}
	}
}

// merge stores equal rows once, which saves cache memory.
func (r *routes) merge(s *state, width int) {
	if r.small == nil {
		return // more answers than fit into a byte
	}
	known := map[string]int{}
	packed := make([]uint8, 0, len(r.small))
	for v, of := range r.rows {
		if s.port[v/s.vcs].eject {
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
func (r *routes) of(s *state, v int32, d model.DestID, class model.Class) int32 {
	i, home := r.entry(v, d, class)
	if home >= 0 {
		return home
	}
	if r.small != nil {
		if a := r.small[i]; a > 0 {
			return int32(a) - 1
		}
	} else if r.large != nil {
		if a := r.large[i]; a > 0 {
			return a - 1
		}
	}
	answer := r.keep(i, r.ask(s, v, d, class))
	if r.full && !r.isShared {
		r.widen()
		r.keep(i, answer)
	}
	return answer
}

// entry returns the entry for a head on VC v with destination d and the given class, or, if the head
// is at the switch of d and these answers have no entries, the number of the answer; else -1.
func (r *routes) entry(v int32, d model.DestID, class model.Class) (entry int, home int32) {
	c := r.columns
	switch {
	case c == nil:
		return r.rows[v].at + int(d)*r.classes + int(class), -1
	case c.of[d].outs == r.rows[v].outs:
		return -1, c.home[int(d)*r.classes+int(class)]
	case c.grid != nil:
		return c.grid.index(v, d, class, r.classes), -1
	}
	return r.rows[v].at + int(c.of[d].column)*r.classes + int(class), -1
}

// keep stores the number of the answer for state i, and returns it.
func (r *routes) keep(i int, answer int32) int32 {
	switch {
	case r.small != nil && answer >= 255:
		r.full = true
	case r.small != nil:
		r.small[i] = uint8(answer + 1)
	case r.large != nil:
		r.large[i] = answer + 1
	}
	return answer
}

// widen makes room for more answers than fit into a byte.
func (r *routes) widen() {
	r.large = make([]int32, len(r.small))
	for j, a := range r.small {
		r.large[j] = int32(a)
	}
	r.small, r.full = nil, false
}

// asksAt returns the VC of the model with which the relation is asked about a head on VC v.
func (s *state) asksAt(v int32) model.VCID {
	if in := s.vc[v].in; s.hostOf[in] >= 0 {
		return s.net.VC(s.chanOf[in], 0)
	}
	return s.modelVC(v)
}

// ask asks the relation for one state and returns the number of the answer. Consecutive VCs of one
// channel with one class, in ascending order, become one set. At the destination's switch all VCs
// of the channel to the host become one set.
func (r *routes) ask(s *state, v int32, d model.DestID, class model.Class) int32 {
	n, at := s.net, s.asksAt(v)
	r.asked = r.rel.Next(model.State{VC: at, Dest: d, Class: class}, r.asked[:0])
	r.scratch = r.scratch[:0]
	for _, h := range r.asked {
		c, i := n.Channel(h.VC)
		set := hopSet{mask: 1 << i, port: int16(n.OutIndex(c)), class: int16(h.Class)}
		if n.Kind(c) == model.Eject {
			set.mask = s.ejectionVCs(h.Class)
		}
		if k := len(r.scratch) - 1; k >= 0 && r.scratch[k].port == set.port && r.scratch[k].class == set.class && r.scratch[k].mask < set.mask {
			r.scratch[k].mask |= set.mask // later VCs of the same port, in the order of the mask
		} else {
			set.again = slices.ContainsFunc(r.scratch, func(x hopSet) bool { return x.port == set.port })
			r.scratch = append(r.scratch, set)
		}
	}
	r.text = r.text[:0]
	if r.weighs != nil {
		r.stepWeights = r.weighs(model.State{VC: at, Dest: d, Class: class}, r.stepWeights[:0])
		r.text = binary.LittleEndian.AppendUint32(r.text, uint32(len(r.stepWeights)))
		for _, w := range r.stepWeights {
			r.text = binary.LittleEndian.AppendUint32(r.text, w)
		}
	}
	for _, h := range r.scratch {
		r.text = binary.LittleEndian.AppendUint64(r.text, h.mask)
		r.text = binary.LittleEndian.AppendUint32(r.text, uint32(uint16(h.port))|uint32(uint16(h.class))<<16)
	}
	k, known := r.number[string(r.text)]
	if !known {
		k = r.add()
	}
	return k
}

// add returns the number of the answer in r.scratch, whose bytes are in r.text. This copy does not
// know it yet.
func (r *routes) add() int32 {
	a := r.shared
	a.Lock()
	defer a.Unlock()
	k, known := a.number[string(r.text)]
	if !known {
		k = int32(len(a.sets))
		a.sets = append(a.sets, append([]hopSet(nil), r.scratch...))
		a.number[string(r.text)] = k
		if r.weighs != nil {
			a.weights = append(a.weights, slices.Clone(r.stepWeights))
		}
		if a.only = append(a.only, hopSet{}); len(r.scratch) == 1 {
			a.only[k] = r.scratch[0]
		}
		wide := uint64(0)
		for _, set := range r.scratch {
			wide |= set.mask << (int(set.port) * r.vcs)
		}
		a.wide = append(a.wide, wide)
	}
	r.answers, r.number[string(r.text)] = a.answers, k
	return k
}

// share returns a copy for a part of the simulation.
func (r *routes) share() *routes {
	c := *r
	c.isShared = true
	c.number, c.asked, c.scratch, c.text, c.stepWeights = map[string]int32{}, nil, nil, nil, nil
	return &c
}

// draw returns which of the given number of hops of an answer the random number x selects, in proportion to their weights.
func (r *routes) draw(answer int32, hops int, x uint64) int {
	if r.weighs != nil {
		return model.Choose(r.weights[answer], x)
	}
	return int(x % uint64(hops))
}

// options returns the number of hops in a set. All VCs to a host are one hop.
func (s *state) options(base int32, set hopSet) int {
	if s.port[s.outs[base+int32(set.port)]].eject {
		return 1
	}
	return bits.OnesCount64(set.mask)
}
