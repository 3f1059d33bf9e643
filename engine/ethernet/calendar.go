package ethernet

// This file is the calendar of future events.
//
// Most delays are constants of a run: the time of a PAUSE on a link, of a cable, of a switch, and
// until a PAUSE takes effect. Events of such a kind are therefore added in the order of their
// times, and each kind is a queue. The times of frames depend on the clock of their link, and
// frames are created at varying intervals. These two kinds are a heap. Cost: O(1) for an event of
// a queue, O(log (flows + channels)) for one of the heap. Memory grows only to the largest number
// of simultaneous events. Order: by time, then in the order of adding.

// Kinds of events.
const (
	controlSent  = iota // channel which has sent a PAUSE
	received            // frame which has reached the end of its channel
	queued              // frame which has passed the switch and is to be queued
	pauseArrived        // PAUSE with the mask arg takes effect at the sender of channel which
	watched             // account whose sender has been stopped for Options.Watchdog, unless it was released since
	restored            // account whose sender has been released for Options.Restore, unless it was stopped since
	kinds
	created   = kinds     // a frame of flow which is due
	frameSent = kinds + 1 // channel which has sent the frame that it was sending
)

type event struct {
	at    Time
	order int64 // sequence number of adding
	which int32
	arg   int32
}

func (e *event) before(f *event) bool {
	return e.at < f.at || e.at == f.at && e.order < f.order
}

// lane is a queue of events, a ring of 2^k places.
type lane struct {
	ring        []event
	first, many int
}

func (l *lane) add(e event) {
	if l.many == len(l.ring) {
		grown := make([]event, max(2*l.many, 64))
		for i := range l.many {
			grown[i] = *l.at(i)
		}
		l.ring, l.first = grown, 0
	}
	l.many++
	*l.at(l.many - 1) = e
}

// at returns event i, counted from the first.
func (l *lane) at(i int) *event { return &l.ring[(l.first+i)&(len(l.ring)-1)] }

func (l *lane) take() event {
	e := l.ring[l.first]
	l.first = (l.first + 1) & (len(l.ring) - 1)
	l.many--
	return e
}

type calendar struct {
	lane  [kinds]lane
	heap  []event // the earliest first; arg is the kind
	order int64
}

// add adds an event of a kind with a constant delay.
func (c *calendar) add(kind int, at Time, which, arg int32) {
	c.order++
	c.lane[kind].add(event{at, c.order, which, arg})
}

// next returns the kind of the first event and its time, or never.
func (c *calendar) next() (kind int, at Time) {
	best := event{at: never}
	if len(c.heap) > 0 {
		best = c.heap[0]
		kind = int(best.arg)
	}
	for k := range c.lane {
		l := &c.lane[k]
		if l.many > 0 && l.ring[l.first].before(&best) {
			kind, best = k, l.ring[l.first]
		}
	}
	return kind, best.at
}

const never = Time(1<<63 - 1)

// addUneven adds an event of a kind that is in the heap.
func (c *calendar) addUneven(kind int, at Time, which int32) {
	c.order++
	c.heap = append(c.heap, event{at, c.order, which, int32(kind)})
	h := c.heap
	for i := len(h) - 1; i > 0 && h[i].before(&h[(i-1)/2]); i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
}

func (c *calendar) takeUneven() event {
	h := c.heap
	first, n := h[0], len(h)-1
	h[0] = h[n]
	c.heap = h[:n]
	for i := 0; 2*i+1 < n; {
		k := 2*i + 1
		if k+1 < n && h[k+1].before(&h[k]) {
			k++
		}
		if h[i].before(&h[k]) {
			break
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
	return first
}
