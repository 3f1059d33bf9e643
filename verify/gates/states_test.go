package gates_test

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file is the judge of verdicts with gates: all states of a tiny network, flit by flit.
//
// One move takes one flit over one hop, or a packet into the network. A gate sees all buffers at once. An
// endpoint consumes packets flit by flit, and as many at a time as its channel has VCs. A packet that is
// dropped leaves at once. A state is a deadlock if some packets in it keep each other from moving: none of
// their flits could move if the others were gone.

// judgedPacket is a packet in the network. Its head is at the last place.
type judgedPacket struct {
	dest  model.DestID
	class model.Class
	vcs   []model.VCID // by place, its tail first
	flits []int        // by place; those that have left are not counted
}

func (p *judgedPacket) head() model.VCID { return p.vcs[len(p.vcs)-1] }

// judgedState is the packets in the network, and by VC those that it holds, in their order.
type judgedState struct {
	packets []judgedPacket
	queues  [][]int
}

func (s *judgedState) clone() *judgedState {
	c := &judgedState{slices.Clone(s.packets), make([][]int, len(s.queues))}
	for i := range c.packets {
		c.packets[i].vcs, c.packets[i].flits = slices.Clone(s.packets[i].vcs), slices.Clone(s.packets[i].flits)
	}
	for v := range s.queues {
		c.queues[v] = slices.Clone(s.queues[v])
	}
	return c
}

// key returns equal keys for states that differ in the numbers of packets only.
func (s *judgedState) key() string {
	number := make([]int, len(s.packets))
	var key []byte
	known := 0
	for v, queue := range s.queues {
		for _, p := range queue {
			x := &s.packets[p]
			if number[p] == 0 {
				known++
				number[p] = known
				key = append(key, byte(x.dest), byte(x.class), byte(x.head()+1))
			}
			key = append(key, byte(number[p]))
			for j, w := range x.vcs {
				if w == model.VCID(v) {
					key = append(key, byte(j), byte(x.flits[j]))
				}
			}
		}
		key = append(key, 255)
	}
	return string(key)
}

// states visits the states of a relation with gates.
type states struct {
	r      model.Relation
	n      *model.Network
	g      *gate.Setup
	gates  *gate.Gates
	counts []bool // by packet of the state in question: it counts
}

func newStates(r model.Relation, g *gate.Setup) (*states, error) {
	gates, err := g.Rule.On(r)
	return &states{r: r, n: r.Network(), g: g, gates: gates}, err
}

func (x *states) isEjection(v model.VCID) bool {
	c, _ := x.n.Channel(v)
	return x.n.Kind(c) == model.Eject
}

// of returns the packets of VC v that count.
func (x *states) of(s *judgedState, v model.VCID) (list []int) {
	for _, p := range s.queues[v] {
		if x.counts == nil || x.counts[p] {
			list = append(list, p)
		}
	}
	return list
}

func (x *states) taken(s *judgedState, v model.VCID) (flits int) {
	for p := range s.packets {
		for j, w := range s.packets[p].vcs {
			if w == v && (x.counts == nil || x.counts[p]) {
				flits += s.packets[p].flits[j]
			}
		}
	}
	return flits
}

// isOpen reports whether the hop from VC from to VC to has no gate, or an open one.
func (x *states) isOpen(s *judgedState, from, to model.VCID) bool {
	in, _ := x.n.Channel(from)
	if !x.gates.Has(in, to) {
		return true
	}
	nearly := func(v model.VCID) bool {
		used := x.taken(s, v)
		if x.g.Rule.Buffer == gate.Reserved {
			used = len(x.of(s, v)) * x.g.Packet
		}
		return x.g.Buffer-used <= x.g.Rule.Level
	}
	c, index := x.n.Channel(to)
	info := uint64(0)
	for i := 0; i < x.g.Rule.Hops && c != model.NoChannel; i++ {
		some, every := false, true
		for k := range x.n.VCs() {
			some, every = some || nearly(x.n.VC(c, k)), every && nearly(x.n.VC(c, k))
		}
		if x.g.Rule.VCs == gate.Own && nearly(x.n.VC(c, index)) || x.g.Rule.VCs == gate.Any && some || x.g.Rule.VCs == gate.All && every {
			info |= 1 << i
		}
		c = x.gates.Ahead(c)
	}
	return !x.gates.Closed(info)
}

// hasRoom reports whether a head may enter VC v.
func (x *states) hasRoom(s *judgedState, v model.VCID) bool {
	list := x.of(s, v)
	if x.isEjection(v) {
		return len(list) < x.n.VCs()
	}
	if len(list) > 0 && slices.Contains(s.packets[list[len(list)-1]].vcs[1:], v) {
		return false // its tail has not come
	}
	return x.taken(s, v)+x.g.Packet <= x.g.Buffer
}

// place returns the VC at which a state counts what enters v: all VCs to an endpoint are one.
func (x *states) place(v model.VCID) model.VCID {
	if x.isEjection(v) {
		c, _ := x.n.Channel(v)
		return x.n.VC(c, 0)
	}
	return v
}

// heads calls f for each hop that the head of packet p may take. VC NoVC drops the packet.
func (x *states) heads(s *judgedState, p int, f func(h model.Hop)) {
	y := &s.packets[p]
	v := y.head()
	if x.isEjection(v) || y.flits[len(y.flits)-1] == 0 || x.of(s, v)[0] != p || slices.Index(y.vcs, v) < len(y.vcs)-1 {
		return
	}
	hops := x.r.Next(model.State{VC: v, Dest: y.dest, Class: y.class}, nil)
	if len(hops) == 0 {
		f(model.Hop{VC: model.NoVC})
	}
	for _, h := range hops {
		if w := x.place(h.VC); x.hasRoom(s, w) && x.isOpen(s, v, h.VC) {
			f(model.Hop{VC: w, Class: h.Class})
		}
	}
}

// follows reports whether a flit of packet p at place j can follow its head.
func (x *states) follows(s *judgedState, p, j int) bool {
	y := &s.packets[p]
	return j+1 < len(y.vcs) && y.flits[j] > 0 && (x.g.Rule.Unit == gate.Packet || x.isOpen(s, y.vcs[j], y.vcs[j+1]))
}

// advance moves a flit of packet p from place j to the next.
func (x *states) advance(s *judgedState, p, j int) {
	y := &s.packets[p]
	y.flits[j]--
	if !x.isEjection(y.vcs[j+1]) {
		y.flits[j+1]++
	}
	if j > 0 || y.flits[0] > 0 {
		return
	}
	for { // its tail leaves
		v := y.vcs[0]
		s.queues[v] = slices.Delete(s.queues[v], slices.Index(s.queues[v], p), slices.Index(s.queues[v], p)+1)
		y.vcs, y.flits = y.vcs[1:], y.flits[1:]
		if x.isEjection(y.vcs[0]) {
			x.remove(s, p)
			return
		}
		if y.flits[0] > 0 {
			return
		}
	}
}

// remove removes packet p.
func (x *states) remove(s *judgedState, p int) {
	s.packets = slices.Delete(s.packets, p, p+1)
	for v := range s.queues {
		s.queues[v] = slices.DeleteFunc(s.queues[v], func(q int) bool { return q == p })
		queue := s.queues[v]
		for i := range queue {
			if queue[i] > p {
				queue[i]--
			}
		}
	}
}

// enter moves the head of packet p over a hop.
func (x *states) enter(s *judgedState, p int, h model.Hop) {
	if h.VC == model.NoVC {
		x.remove(s, p)
		return
	}
	y := &s.packets[p]
	y.vcs, y.flits, y.class = append(y.vcs, h.VC), append(y.flits, 0), h.Class
	s.queues[h.VC] = append(s.queues[h.VC], p)
	x.advance(s, p, len(y.vcs)-2)
}

// next yields the states after one move.
func (x *states) next(s *judgedState, f func(*judgedState)) {
	for p := range s.packets {
		for j := range s.packets[p].vcs {
			if x.follows(s, p, j) {
				c := s.clone()
				x.advance(c, p, j)
				f(c)
			}
		}
		x.heads(s, p, func(h model.Hop) {
			c := s.clone()
			x.enter(c, p, h)
			f(c)
		})
	}
	for d := range model.DestID(x.r.Destinations()) {
		for host := range model.HostID(x.r.Sources()) {
			if !model.Sends(x.r, host, d) {
				continue
			}
			for _, k := range x.r.Inject(host, d, nil) {
				at := model.InjectState(x.r, host, d, k)
				if len(s.queues[at.VC]) > 0 {
					continue
				}
				c := s.clone()
				p := len(c.packets)
				c.packets = append(c.packets, judgedPacket{d, at.Class, []model.VCID{at.VC}, []int{x.g.Packet}})
				c.queues[at.VC] = append(c.queues[at.VC], p)
				x.heads(c, p, func(h model.Hop) {
					c := c.clone()
					x.enter(c, p, h)
					f(c)
				})
			}
		}
	}
}

// frozen returns the number of packets of s that keep each other from moving.
func (x *states) frozen(s *judgedState) int {
	x.counts = make([]bool, len(s.packets))
	defer func() { x.counts = nil }()
	left := len(s.packets)
	for p := range x.counts {
		x.counts[p] = true
	}
	for more := true; more && left > 0; {
		more = false
		for p := range s.packets {
			if !x.counts[p] {
				continue
			}
			can := false
			for j := range s.packets[p].vcs {
				can = can || x.follows(s, p, j)
			}
			x.heads(s, p, func(model.Hop) { can = true })
			if can {
				x.counts[p], more = false, true
				left--
			}
		}
	}
	return left
}

// deadlocks reports whether some run reaches a deadlock; known is false if there are more than limit states.
func (x *states) deadlocks(limit int) (found, known bool) {
	empty := &judgedState{queues: make([][]int, x.n.NumVCs())}
	seen := map[string]bool{empty.key(): true}
	work := []*judgedState{empty}
	for len(work) > 0 && !found {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		x.next(s, func(c *judgedState) {
			if key := c.key(); !seen[key] && !found {
				seen[key] = true
				work = append(work, c)
				found = x.frozen(c) > 0
			}
		})
		if len(seen) > limit {
			return found, found
		}
	}
	return found, true
}
