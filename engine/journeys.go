package engine

// This file records the journeys of followed packets, see journey.go.

// journeys records the followed packets.
type journeys struct {
	follower Follower
	of       []*Journey // by PacketID; nil if the packet is not followed
	before   []int64    // by VC: ID of the packet that got it last, or -1
	freed    []Clock    // by VC: the last clock in which a full buffer got a free slot
}

func newJourneys(s *kernel) (mechanism, error) {
	if s.o.Follow == nil {
		return nil, nil
	}
	t := &journeys{follower: s.o.Follow, before: make([]int64, len(s.vc)), freed: make([]Clock, len(s.vc))}
	for i := range t.before {
		t.before[i] = -1
	}
	return t, nil
}

// clone implements mechanism: copies of a simulation record nothing.
func (t *journeys) clone() mechanism { return nil }

// find returns the journey of a packet, or nil.
func (t *journeys) find(id PacketID) *Journey {
	if int(id) < len(t.of) {
		return t.of[id]
	}
	return nil
}

// start implements observer: it starts the journey of a packet that enters VC v in this clock, if it is followed.
func (t *journeys) start(s *kernel, id PacketID, p *Packet, v int32) {
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
func (j *Journey) arrive(s *kernel, v int32, at Clock) {
	j.Hops = append(j.Hops, Hop{In: s.modelVC(v), Out: -1, Arrived: at, Routed: -1, Granted: -1, Departed: -1, TailDeparted: -1, Before: -1})
}

// tick returns the clock of the switch of a hop.
func (h *Hop) tick(s *kernel) Clock { return s.tickAtEnd(s.vc[s.ofModel(h.In)].in) }

// credit implements observer.
func (t *journeys) credit(s *kernel, v int32, x *vc) {
	if x.credits == 1 {
		t.freed[v] = s.now
	}
}

// routed implements observer.
func (t *journeys) routed(s *kernel, id PacketID) {
	if j := t.find(id); j != nil {
		h := &j.Hops[len(j.Hops)-1]
		h.Routed = onTick(s.now, h.tick(s))
		h.Behind = h.Routed - h.Arrived
	}
}

// grant implements granter.
func (t *journeys) grant(s *kernel, _ int32, x *vc, w int32) {
	if j := t.find(x.id); j != nil {
		h := &j.Hops[len(j.Hops)-1]
		h.Out, h.Granted, h.VC, h.Before = s.modelVC(w), s.now, s.now-h.Routed-s.delay.ask*h.tick(s), t.before[w]
	}
	t.before[w] = s.packet[x.id].id
}

// depart implements departer.
func (t *journeys) depart(s *kernel, _ int32, x *vc) {
	j := t.find(x.id)
	if j == nil {
		return
	}
	w := x.target
	if x.fresh {
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
		if y := s.vc[w].in; s.port[y].eject {
			j.perFlit = max(s.takes[y], h.tick(s))
		} else {
			j.arrive(s, w, s.arrivesAt(y))
		}
	}
	if x.left == 0 {
		j.Hops[j.tail].TailDeparted = s.now
		j.tail++
	}
}

// deliver implements deliverer.
func (t *journeys) deliver(s *kernel, p PacketID) { t.end(s, p, false) }

// drop implements dropper.
func (t *journeys) drop(s *kernel, _ int32, x *vc) {
	if x.left == 0 {
		t.end(s, x.id, true)
	}
}

// end passes on the journey of a packet that has arrived or was dropped.
func (t *journeys) end(s *kernel, id PacketID, dropped bool) {
	if j := t.find(id); j != nil {
		j.Ended, j.Dropped = s.now, dropped
		t.of[id] = nil
		t.follower.Ended(j)
	}
}

// UnderWay returns the journeys of followed packets that are in the network, in any order.
func (s *Sim) UnderWay() (list []*Journey) {
	t := find[*journeys](&s.hooks)
	if t == nil {
		return nil
	}
	for _, j := range t.of {
		if j != nil {
			list = append(list, j)
		}
	}
	return list
}
