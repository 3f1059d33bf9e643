package gates

import (
	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file states as clauses that packets block each other. In a model of the clauses each of them waits for others; chosen.go
// reads it, and gather.go decides whether these packets can arrive.
//
// A VC between switches is filled in one of six ways, or not at all. (1) Whole packets: the first one waits. (2) The end of a
// packet whose head is beyond a closed gate. (3) The same with whole packets behind it. (4) The beginning of a packet whose last
// flit is before a closed gate of injection; its head waits. (5) A packet passes through: its tail is before a closed gate,
// and its head is beyond the VC. (6) The end of a packet as in (2), and behind it the beginning of another one (joins.go). A packet
// whose tail is before a gate and whose head has arrived keeps an endpoint from others.
//
// Packets with flits in three places or more are left out, and so are some numbers of flits. So clauses without a model prove
// nothing.

// formula is the clauses.
type formula struct {
	*subject
	s       *stateSets
	clauses [][]int32
	last    int32     // the last variable
	open    [][][]int // by number of bits that a gate sees: the bits outside of each greatest set that does not close it

	whole, ending, stacked, begun []int32   // by VC between switches: it is filled in way 1, 2, 3, 4
	joined                        []int32   // by VC between switches: it is filled in way 6
	joins                         []int32   // by hop: a packet takes it and joins another one, or 0
	nearly, blocked, shut         []int32   // by VC between switches: its bit is set; it has no room; its gate is closed
	some                          []int32   // by channel between switches: the bit of any VC is set or, if the gates ask so, those of all
	kept                          []int32   // by endpoint: packets that have arrived in part keep its ejection channel
	waits                         []int32   // by wait: the first packet on the VC waits so
	arriving, resting             *chains   // nil if gates do not stop a packet midway
	ways                          [][]int32 // by VC: the ways to fill it
	leaving                       [][]int32 // by VC: the gates before which the tail of a packet there may be
	goals                         []int32   // one of them is true
	same                          []int32   // by variable: the one that has replaced it (periodic.go), or nil
}

// maxOpenSets bounds the clauses for each gate.
const maxOpenSets = 500

// newFormula returns the clauses of a relation with the states of s, or nil if they are too many. If joins is false, no VC is
// filled in way 6.
func newFormula(g *subject, s *stateSets, joins bool) *formula {
	f := &formula{subject: g, s: s, waits: make([]int32, len(g.At)), ways: make([][]int32, g.n.NumVCs()), leaving: make([][]int32, g.n.NumVCs())}
	for _, list := range []*[]int32{&f.whole, &f.nearly, &f.blocked, &f.shut} {
		*list = f.freshList(g.size)
	}
	f.some, f.kept = f.freshList(g.n.NumLinkChannels()), f.freshList(g.n.NumEndpoints())
	f.ending, f.stacked, f.begun, f.joined = make([]int32, g.size), make([]int32, g.size), make([]int32, g.size), make([]int32, g.size)
	stopsMidway := g.sizes.Rule.Unit == gate.Flit && g.sizes.Packet > 1
	if stopsMidway {
		f.ending, f.stacked, f.begun = f.freshList(g.size), f.freshList(g.size), f.freshList(g.size)
	}
	if joins = joins && stopsMidway; joins {
		f.joined = f.freshList(g.size)
	}
	for v := range g.size {
		if f.ways[v] = append(f.ways[v], f.whole[v]); stopsMidway {
			f.ways[v] = append(f.ways[v], f.ending[v], f.stacked[v])
		}
		if joins {
			f.ways[v] = append(f.ways[v], f.joined[v])
		}
		f.goals = append(f.goals, f.whole[v])
	}
	if !f.addBits() {
		return nil
	}
	f.addWaits()
	if stopsMidway {
		f.arriving, f.resting = f.addChains(false), f.addChains(true)
		if joins {
			f.addJoins()
		}
		f.addEndings()
	}
	f.addArrivals()
	for v, list := range f.ways {
		if f.atMostOne(list); v < g.size {
			f.addBlocked(v)
		}
	}
	f.add(f.goals...)
	return f
}

func (f *formula) fresh() int32 {
	f.last++
	return f.last
}

func (f *formula) freshList(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = f.fresh()
	}
	return list
}

func (f *formula) add(lits ...int32) { f.clauses = append(f.clauses, lits) }

// atMostOne adds clauses that at most one literal of a list is true.
func (f *formula) atMostOne(list []int32) {
	if len(list) <= 5 {
		for i, a := range list {
			for _, b := range list[:i] {
				f.add(-a, -b)
			}
		}
		return
	}
	before := int32(0) // one of those before is true
	for _, a := range list {
		now := f.fresh()
		f.add(-a, now)
		if before != 0 {
			f.add(-before, now)
			f.add(-before, -a)
		}
		before = now
	}
}

// addBlocked says why VC v has no room.
func (f *formula) addBlocked(v int) {
	clause := []int32{-f.blocked[v]}
	for _, way := range f.ways[v] {
		if way != f.ending[v] || 2*f.sizes.Packet-1 > f.sizes.Buffer {
			clause = append(clause, way)
		}
	}
	f.add(clause...)
}

// addBits says which VCs set bits, and which bits close gates. It reports whether the clauses are few enough.
func (f *formula) addBits() bool {
	packet, nearly := f.sizes.Packet, f.sizes.Buffer-f.sizes.Rule.Level
	fits := f.sizes.Buffer / packet
	first, behind := f.stack()
	for v := range f.size {
		clause := []int32{-f.nearly[v]}
		for _, way := range []struct {
			filled         int32
			flits, packets int
		}{{f.whole[v], fits * packet, fits}, {f.ending[v], packet - 1, 1}, {f.stacked[v], first + behind*packet, 1 + behind}, {f.begun[v], packet - 1, 1},
			{f.joined[v], packet - 1 + f.joinedFlits(), 2}} {
			if f.sizes.Rule.Buffer == gate.Reserved {
				way.flits = way.packets * packet
			}
			if way.filled != 0 && way.flits >= nearly {
				clause = append(clause, way.filled)
			}
		}
		f.add(clause...)
	}
	for c := range model.ChannelID(len(f.some)) {
		any := []int32{-f.some[c]}
		for k := range f.n.VCs() {
			any = append(any, f.nearly[f.n.VC(c, k)])
		}
		if f.vcs == gate.Any {
			f.add(any...)
			continue
		}
		for _, bit := range any[1:] {
			f.add(-f.some[c], bit)
		}
	}
	f.open = make([][][]int, len(f.gates.Weights)+1)
	for v := range model.VCID(f.size) {
		if !f.addShut(v) {
			return false
		}
	}
	return true
}

// addShut says that the bits of VCs close the gate of VC v. Each clause is about bits which alone do not close it.
func (f *formula) addShut(v model.VCID) bool {
	c, index := f.n.Channel(v)
	var bits []int32
	for i := 0; i < len(f.gates.Weights) && c != model.NoChannel; i++ {
		if f.vcs == gate.Own {
			bits = append(bits, f.nearly[f.n.VC(c, index)])
		} else {
			bits = append(bits, f.some[c])
		}
		c = f.gates.Ahead(c)
	}
	sets := f.openSets(len(bits))
	for _, others := range sets {
		clause := []int32{-f.shut[v]}
		for _, i := range others {
			clause = append(clause, bits[i])
		}
		f.add(clause...)
	}
	return len(sets) <= maxOpenSets
}

// openSets returns the bits outside of each greatest set of the first n bits that does not close a gate.
func (f *formula) openSets(n int) (sets [][]int) {
	if f.open[n] != nil {
		return f.open[n]
	}
	for info := range uint64(1) << n {
		var others []int
		isGreatest := !f.gates.Closed(info)
		for i := 0; i < n && isGreatest; i++ {
			if info>>i&1 == 0 {
				others, isGreatest = append(others, i), f.gates.Closed(info|1<<i)
			}
		}
		if isGreatest {
			sets = append(sets, others)
		}
	}
	f.open[n] = sets
	return sets
}

// addWaits says that whole packets wait.
func (f *formula) addWaits() {
	some := make([][]int32, f.size)
	for i, v := range f.At {
		f.waits[i] = f.fresh()
		some[v] = append(some[v], f.waits[i])
		for j, w := range f.Next[i] {
			f.addStopped(f.waits[i], v, w, f.gated[i][j])
		}
	}
	for v := range f.size {
		f.add(append([]int32{-f.whole[v]}, some[v]...)...)
	}
}

// addStopped says that if lit is true, the hop from VC v to w is not possible.
func (f *formula) addStopped(lit int32, v, w model.VCID, gated bool) {
	switch c, _ := f.n.Channel(w); {
	case !f.n.IsLinkVC(w):
		f.add(-lit, f.kept[f.n.HostOf(c)])
	case gated && w != v:
		f.add(-lit, f.blocked[w], f.shut[w])
	default:
		f.add(-lit, f.blocked[w])
	}
}

// stack returns how many flits of a packet that leaves a VC are there if as many packets as possible are behind it, and
// how many these are.
func (f *formula) stack() (first, behind int) {
	for k := 1; k < f.sizes.Packet; k++ {
		if n := (f.sizes.Buffer - k) / f.sizes.Packet; k+n*f.sizes.Packet >= first+behind*f.sizes.Packet {
			first, behind = k, n
		}
	}
	return first, behind
}

// solver returns a solver with the clauses.
func (f *formula) solver() *clausal.Solver {
	s := clausal.New(int(f.last))
	for _, c := range f.clauses {
		s.Add(0, c...)
	}
	return s
}
