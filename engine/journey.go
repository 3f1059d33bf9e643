package engine

import "github.com/turnproof/turnproof/model"

// This file records the journeys of single packets (Options.Follow): when the head of a packet
// arrives at each switch, is routed, gets its output VC and departs, and what it waited for.
//
// Only the general kernel records journeys. A recorded packet moves in the same clocks as without
// the record (TestJourneysChangeNothing). The times are stored as they occur, and each wait follows
// from them: a head that is routed in clock r may get a VC from r+ask on, and may depart one clock
// later (Paper: in the same clock). Only the packet that owns a VC uses its slots. So a head that
// got a full VC waits for a credit until the first slot becomes free, and for the switch after
// that.

// Follower chooses the packets whose journeys are recorded, and receives the journeys.
type Follower interface {
	// Follow reports whether to record packet p, which leaves its host.
	Follow(p *Packet) bool
	// Ended receives the journey of a packet that has arrived or was dropped.
	Ended(j *Journey)
}

// Journey is the path of a packet through the network. Clocks that have not come yet are -1.
type Journey struct {
	Packet
	Injected Clock // the head leaves the host
	Ended    Clock // the tail reaches the host, or the packet is dropped
	Dropped  bool
	Hops     []Hop // by switch
	perFlit  Clock // clocks of a flit on the channel to the host
	tail     int   // index of the hop that the tail departs from next
}

// Hop is the stay of a packet at a switch.
type Hop struct {
	In, Out      model.VCID // the VC in whose buffer it waits; the VC that it gets, or -1
	Arrived      Clock      // of the head
	Routed       Clock      // the head is in front of its VC, and is routed
	Granted      Clock      // the head gets Out
	Departed     Clock      // the head wins the switch
	TailDeparted Clock

	Behind Clock // clocks behind other packets in In; with store-and-forward, also until the tail has come
	VC     Clock // clocks until an output VC was free and granted
	Credit Clock // clocks until a slot of Out was free
	Switch Clock // clocks until the head won the switch, or until a slow channel or a gate let it pass
	Before int64 // ID of the packet that had Out before, or -1
}

// Times divides the latency of a packet that has arrived. All of them add up to Ended - Created.
type Times struct {
	Source                     Clock // at the host, behind earlier packets or for room
	Behind, VC, Credit, Switch Clock // sums over the hops
	Tail                       Clock // until the tail left the last switch, beyond the time that its flits need
	Moving                     Clock // without competition
}

// Waits returns the clocks that the packet waited.
func (t *Times) Waits() Clock {
	return t.Source + t.Behind + t.VC + t.Credit + t.Switch + t.Tail
}

// Times returns where the packet spent its time. The packet must have arrived.
func (j *Journey) Times() (t Times) {
	t.Source = j.Injected - j.Created
	for i := range j.Hops {
		h := &j.Hops[i]
		t.Behind += h.Behind
		t.VC += h.VC
		t.Credit += h.Credit
		t.Switch += h.Switch
	}
	last := &j.Hops[len(j.Hops)-1]
	t.Tail = last.TailDeparted - last.Departed - Clock(j.Flits-1)*j.perFlit
	t.Moving = j.Ended - j.Created - t.Waits()
	return t
}

// journeys records the followed packets.
type journeys struct {
	follower Follower
	of       []*Journey // by PacketID; nil if the packet is not followed
	before   []int64    // by VC: ID of the packet that got it last, or -1
	freed    []Clock    // by VC: the last clock in which a full buffer got a free slot
}

func newJourneys(s *Sim, f Follower) *journeys {
	t := &journeys{follower: f, before: make([]int64, len(s.vc)), freed: make([]Clock, len(s.vc))}
	for i := range t.before {
		t.before[i] = -1
	}
	return t
}

// find returns the journey of a packet, or nil.
func (t *journeys) find(id PacketID) *Journey {
	if int(id) < len(t.of) {
		return t.of[id]
	}
	return nil
}

// begin starts the journey of a packet that enters VC v in this clock, if it is followed.
func (t *journeys) begin(s *Sim, id PacketID, p *Packet, v int32) {
	if !t.follower.Follow(p) {
		return
	}
	for int(id) >= len(t.of) {
		t.of = append(t.of, nil)
	}
	j := &Journey{Packet: *p, Injected: s.now, Ended: -1}
	j.arrive(s, v, s.arrivesAt(s.vc[v].in))
	t.of[id] = j
}

// arrive adds the hop at the switch that VC v enters.
func (j *Journey) arrive(s *Sim, v int32, at Clock) {
	j.Hops = append(j.Hops, Hop{In: s.modelVC(v), Out: -1, Arrived: at, Routed: -1, Granted: -1, Departed: -1, TailDeparted: -1, Before: -1})
}

// tick returns the clock of the switch of a hop.
func (h *Hop) tick(s *Sim) Clock { return s.tickAtEnd(s.vc[s.ofModel(h.In)].in) }

// routed notes that the head of packet id is routed in this clock.
func (t *journeys) routed(s *Sim, id PacketID) {
	if j := t.find(id); j != nil {
		h := &j.Hops[len(j.Hops)-1]
		h.Routed = onTick(s.now, h.tick(s))
		h.Behind = h.Routed - h.Arrived
	}
}

// granted notes that packet id gets VC w in this clock.
func (t *journeys) granted(s *Sim, id PacketID, w int32) {
	if j := t.find(id); j != nil {
		h := &j.Hops[len(j.Hops)-1]
		h.Out, h.Granted, h.VC, h.Before = s.modelVC(w), s.now, s.now-h.Routed-s.delay.ask*h.tick(s), t.before[w]
	}
	t.before[w] = s.packet[id].id
}

// leaves notes that a flit of packet id leaves for VC w through port out in this clock. head says
// whether it is the head, tail whether it is the tail.
func (t *journeys) leaves(s *Sim, id PacketID, w int32, out *port, head, tail bool) {
	j := t.find(id)
	if j == nil {
		return
	}
	if head {
		h := &j.Hops[len(j.Hops)-1]
		may := h.Granted // the first clock in which it could depart
		if s.o.Timing != Paper {
			may += h.tick(s)
		}
		h.Departed = s.now
		if from := t.freed[w]; from > may {
			h.Credit = from - may
		}
		h.Switch = s.now - may - h.Credit
		if y := s.vc[w].in; out.eject {
			j.perFlit = max(s.takes[y], h.tick(s))
		} else {
			j.arrive(s, w, s.arrivesAt(y))
		}
	}
	if tail {
		j.Hops[j.tail].TailDeparted = s.now
		j.tail++
	}
}

// end passes on the journey of a packet that has arrived or was dropped.
func (t *journeys) end(s *Sim, id PacketID, dropped bool) {
	if j := t.find(id); j != nil {
		j.Ended, j.Dropped = s.now, dropped
		t.of[id] = nil
		t.follower.Ended(j)
	}
}

// UnderWay returns the journeys of followed packets that are in the network, in any order.
func (s *Sim) UnderWay() (list []*Journey) {
	if s.journeys == nil {
		return nil
	}
	for _, j := range s.journeys.of {
		if j != nil {
			list = append(list, j)
		}
	}
	return list
}
