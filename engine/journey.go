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
