package engine

// This file lists where mechanisms take part in a simulation.

// mechanism is something that a simulation does beside routing packets and counting credits: gates, flow control of rings,
// messages, records. It is a value with a state of its own, and implements those of the interfaces in this file that it needs,
// and freezer, checker or placer. A plain simulation has no mechanisms.
type mechanism interface {
	// clone returns a copy for a copy of the simulation, or nil if the copy needs none.
	clone() mechanism
}

// Interfaces of mechanisms. In their methods x is the record of VC v.
type (
	// watcher sees the buffer of each VC.
	watcher interface {
		// arrive is called when a flit has arrived in the buffer of v.
		arrive(s *kernel, v int32, x *vc)
		// refill is called when the packets of v have changed.
		refill(s *kernel, v int32)
	}
	// observer sees what heads wait for.
	observer interface {
		// start is called when a host puts packet p, whose number is id, into v.
		start(s *kernel, id PacketID, p *Packet, v int32)
		// routed is called when the head of packet id is about to be routed.
		routed(s *kernel, id PacketID)
		// credit is called when a slot of v has become free.
		credit(s *kernel, v int32, x *vc)
	}
	// narrower decides which of the permitted VCs a head waits for.
	narrower interface {
		// narrow returns the VCs of one port that the head of v waits for, and whether it does not wait for all. The head has
		// the given answer of the routing, which is not empty.
		narrow(s *kernel, v, answer int32) (one hopSet, is bool)
	}
	// preparer is called before the heads in s.heads are routed.
	preparer interface{ prepare(s *kernel) }
	// selector chooses one of the VCs that a head can get now.
	selector interface {
		// choose returns one of the VCs in list, which is not empty and which it may reorder, or -1 if the head of v does not
		// request any of them yet.
		choose(s *kernel, v int32, list []int32) int32
	}
	// closer withholds VCs from heads.
	closer interface {
		// open returns the VCs of mask at port o that the head of v may request now. A head without any requests again in each
		// clock. mask is not 0.
		open(s *kernel, v, o int32, mask uint64) uint64
		// admits reports whether the head of v may still have w after other heads have got their VCs in this clock.
		admits(s *kernel, v, w int32) bool
	}
	// granter is called when the head of v gets w.
	granter interface {
		grant(s *kernel, v int32, x *vc, w int32)
	}
	// holder holds back flits in the middle of packets.
	holder interface {
		hold(s *kernel)    // before flits are chosen
		release(s *kernel) // after they have moved
	}
	// departer is called when a flit of v leaves for x.target: the head if x.fresh is true, the tail if x.left is 0.
	departer interface {
		depart(s *kernel, v int32, x *vc)
	}
	// tailer is called when the tail of the front packet of v leaves for x.target.
	tailer interface {
		tail(s *kernel, v int32, x *vc)
	}
	// deliverer is called when the tail of packet p has reached its host.
	deliverer interface{ deliver(s *kernel, p PacketID) }
	// dropper is called when flits of the front packet of v are discarded: the last ones if x.left is 0.
	dropper interface {
		drop(s *kernel, v int32, x *vc)
	}
	// keeper lets packets without a permitted VC keep their place for ever, in place of being dropped, if keeps returns true.
	keeper interface{ keeps() bool }
	// ticker is called at the end of each clock.
	ticker interface{ tick(s *kernel) }
	// throttler stops hosts.
	throttler interface {
		// created returns the clock in which the next packet of host x is created, or a later one than t in which to ask again.
		created(x *host, t Clock) Clock
		// holdsBack reports whether host x may not start a packet now.
		holdsBack(x *host) bool
	}
	// endpoints decides what hosts send and consume, in place of the rule that a host sends the packets of its source in order and
	// consumes what arrives.
	endpoints interface {
		serve(s *kernel)                        // at the start of a clock
		admit(s *kernel, heads []int32) []int32 // returns the heads that may request their VCs; it may use the memory of heads
		inject(s *kernel)                       // lets the hosts in s.sending send
		unroutable()                            // a packet of the source has no route
		began(p PacketID) Clock                 // the creation of the request that p belongs to
		isIdle() bool                           // whether no host has anything to do
		unsent(f func(v, flits int32))          // calls f for each VC with a packet that its host has sent in part, and the rest
	}
)

// hooks are the mechanisms of a simulation, by what they do.
type hooks struct {
	mechanisms []mechanism
	watchers   []watcher
	observers  []observer
	narrowers  []narrower
	preparers  []preparer
	selector   selector // nil if heads request all VCs
	closers    []closer
	granters   []granter
	holders    []holder
	departers  []departer
	tailers    []tailer
	deliverers []deliverer
	droppers   []dropper
	tickers    []ticker
	keeper     keeper    // nil if packets without a permitted VC are dropped
	throttler  throttler // nil if hosts are not throttled
	endpoints  endpoints // nil if hosts send the packets of their sources
}

// add adds a mechanism.
func (h *hooks) add(m mechanism) {
	h.mechanisms = append(h.mechanisms, m)
	register(&h.watchers, m)
	register(&h.observers, m)
	register(&h.narrowers, m)
	register(&h.preparers, m)
	register(&h.closers, m)
	register(&h.granters, m)
	register(&h.holders, m)
	register(&h.departers, m)
	register(&h.tailers, m)
	register(&h.deliverers, m)
	register(&h.droppers, m)
	register(&h.tickers, m)
	if x, ok := m.(selector); ok {
		h.selector = x
	}
	if x, ok := m.(keeper); ok && x.keeps() {
		h.keeper = x
	}
	if x, ok := m.(throttler); ok {
		h.throttler = x
	}
	if x, ok := m.(endpoints); ok {
		h.endpoints = x
	}
}

// register appends m to a list if it is a T.
func register[T any](to *[]T, m mechanism) {
	if x, ok := m.(T); ok {
		*to = append(*to, x)
	}
}

// clone returns copies of all mechanisms.
func (h *hooks) clone() (c hooks) {
	for _, m := range h.mechanisms {
		if x := m.clone(); x != nil {
			c.add(x)
		}
	}
	return c
}

// find returns the mechanism of type T, or the zero value.
func find[T mechanism](h *hooks) (m T) {
	for _, x := range h.mechanisms {
		if y, ok := x.(T); ok {
			return y
		}
	}
	return m
}
