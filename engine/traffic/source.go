package traffic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// Packets of a pattern at a steady load.
//
// Method: the gap between two packets of a host is drawn at once. This is the same process as a
// trial in every clock. The process is stationary from clock 0 on: every clock has the same
// average load. Packets are drawn several at once, which is faster; each host has its own random
// numbers, so this changes no packet.

// Options are the options of a steady load. Load, and Flits or Mixed, are required.
type Options struct {
	// Load is the load of the busiest host in flits per clock, 0 to 1. Other hosts have Load ×
	// Share.
	Load  float64
	Flits int // length of a packet
	Seed  uint64
	// Mixed, if not empty, replaces Flits: each length is drawn with equal probability; a length
	// that is named twice counts twice.
	Mixed []int
	// Burst is the average number of packets in a burst. If 0 or 1, there are no bursts. During a
	// burst a host creates packets at Peak flits a clock, by default 1. Load must not exceed Peak.
	Burst float64
	Peak  float64
	// Dests gives, by host, the destination used for the host, see Destinations. If nil, it is the
	// destination of the same number.
	Dests []model.DestID
}

// Steady is a source of steady load.
type Steady struct {
	pattern Pattern
	o       Options
	packet  float64 // log of 1 - the probability of a packet in a clock of a burst
	host    []stream
}

// stream is the state of a host.
type stream struct {
	pcg     rand.PCG
	rand    rand.Rand    // draws from pcg
	sends   bool         // whether more packets can be drawn
	packet  float64      // log of 1 - the probability of a packet in a clock, without bursts
	off     float64      // average clocks between bursts
	clock   engine.Clock // clock of the last packet drawn
	packets int64        // packets taken so far
	left    engine.Clock // remaining packets of this burst
	next    [drawnAhead]draw
	taken   int // packets of next that are taken
	drawn   int // packets of next
}

// drawnAhead is the number of packets that are drawn at once.
const drawnAhead = 8

// draw is a packet that is drawn.
type draw struct {
	created engine.Clock
	dest    model.DestID
	flits   int32
}

// New returns a source for n's hosts. It fails for an impossible load.
func New(n *model.Network, p Pattern, o Options) (*Steady, error) {
	if o.Peak == 0 {
		o.Peak = 1
	}
	if err := o.check(n.NumHosts()); err != nil {
		return nil, err
	}
	length := o.mean()
	s := &Steady{pattern: p, o: o, host: make([]stream, n.NumHosts()), packet: math.Log1p(-o.Peak / length)}
	for h := range s.host {
		x := &s.host[h]
		x.pcg = *rand.NewPCG(o.Seed, uint64(h))
		x.rand = *rand.New(&x.pcg)
		x.clock = -1
		load := o.Load * Share(p, model.HostID(h))
		if x.sends = load > 0; !x.sends {
			continue
		}
		x.packet = math.Log1p(-load / length)
		if o.Burst > 1 {
			s.begin(x, load)
		}
	}
	return s, nil
}

func (o *Options) check(hosts int) error {
	lengths := o.Mixed
	if len(lengths) == 0 {
		lengths = []int{o.Flits}
	}
	for _, k := range lengths {
		if k < 1 || k > math.MaxInt32 {
			return fmt.Errorf("traffic: packets of %d flits, at least 1 is needed", k)
		}
	}
	switch {
	case !(o.Load >= 0 && o.Load <= 1):
		return fmt.Errorf("traffic: a load of %v flits per clock and host, allowed are 0 to 1", o.Load)
	case o.Burst != 0 && !(o.Burst >= 1 && o.Burst <= 1e9):
		return fmt.Errorf("traffic: bursts of %v packets, allowed are 1 to 1e9", o.Burst)
	case !(o.Peak > 0 && o.Peak <= 1):
		return fmt.Errorf("traffic: bursts of %v flits per clock, allowed are more than 0 and up to 1", o.Peak)
	case o.Burst > 1 && o.Load > o.Peak:
		return fmt.Errorf("traffic: a load of %v flits per clock and host is more than bursts of %v give", o.Load, o.Peak)
	}
	return checkDests(o.Dests, hosts)
}

// mean returns the average length of a packet.
func (o *Options) mean() float64 {
	if len(o.Mixed) == 0 {
		return float64(o.Flits)
	}
	sum := 0.0
	for _, k := range o.Mixed {
		sum += float64(k)
	}
	return sum / float64(len(o.Mixed))
}

// Offered returns the average load over all hosts, in flits per clock and host. It is less than
// Options.Load if some hosts send less than the busiest one.
func (s *Steady) Offered() float64 {
	sum := 0.0
	for h := range s.host {
		sum += s.o.Load * Share(s.pattern, model.HostID(h))
	}
	return sum / float64(len(s.host))
}

// Next implements engine.Source. The ID of a host's packet k is k*hosts + host.
func (s *Steady) Next(h model.HostID) (engine.Packet, bool) {
	x := &s.host[h]
	if x.taken == x.drawn && !s.draw(h, x) {
		return engine.Packet{}, false
	}
	d := &x.next[x.taken]
	x.taken++
	id := x.packets*int64(len(s.host)) + int64(h)
	x.packets++
	return engine.Packet{Created: d.created, Source: h, Dest: d.dest, Flits: int(d.flits), ID: id}, true
}

// draw draws the next packets of host h, and reports whether there are any.
func (s *Steady) draw(h model.HostID, x *stream) bool {
	x.taken, x.drawn = 0, 0
	for x.sends && x.drawn < drawnAhead {
		flits := s.o.Flits
		if len(s.o.Mixed) > 0 {
			flits = s.o.Mixed[x.rand.IntN(len(s.o.Mixed))]
		}
		x.clock += s.gap(x)
		d := s.pattern.Dest(h, &x.rand)
		if d == model.NoHost || x.clock >= never-1 {
			x.sends = false
			break
		}
		x.next[x.drawn] = draw{x.clock, dest(s.o.Dests, d), int32(flits)}
		x.drawn++
	}
	return x.drawn > 0
}

// Separate implements engine.Separate: hosts have their own random numbers, and the patterns of this
// package the position of each host.
func (s *Steady) Separate() bool { return forkPattern(s.pattern) != nil }

// Fork implements engine.Forker.
func (s *Steady) Fork() engine.Source {
	p := forkPattern(s.pattern)
	if p == nil {
		return nil
	}
	c := *s
	c.pattern, c.host = p, slices.Clone(s.host)
	for h := range c.host {
		c.host[h].rand = *rand.New(&c.host[h].pcg)
	}
	return &c
}

// gap draws the clocks from one packet to the next.
func (s *Steady) gap(x *stream) engine.Clock {
	if s.o.Burst <= 1 {
		return geometric(&x.rand, x.packet)
	}
	return s.pause(x) + geometric(&x.rand, s.packet)
}

// never is larger than the clocks of any run.
const never engine.Clock = 1 << 60

// geometric draws the number of trials up to a success. log is the log of 1 - the probability of
// success.
func geometric(random *rand.Rand, log float64) engine.Clock {
	if math.IsInf(log, -1) {
		return 1
	}
	trials := math.Log(1-random.Float64()) / log
	if !(trials < float64(never)) { // also true for NaN, when the probability is too small for log
		return never
	}
	return 1 + engine.Clock(trials)
}
