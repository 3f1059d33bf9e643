package ethernet

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/turnproof/turnproof/model"
)

// New prepares a run. It fails for invalid options and flows, for a network with more VCs than
// Ethernet has priorities, and for a flow whose path has no next hop, several next hops without a hash, or no
// end. Cost: O(channels × priorities + hops of all flows).
func New(rel model.Relation, flows []Flow, o Options) (*Sim, error) {
	o, err := settled(o)
	if err != nil {
		return nil, err
	}
	n := rel.Network()
	if err := checkNetwork(n); err != nil {
		return nil, err
	}
	s := &Sim{
		net: n, o: o, z: sizesOf(o), flows: append([]Flow(nil), flows...), unused: none, scanAt: never,
		random:  rand.New(rand.NewPCG(o.Seed, 0x65746865)),
		source:  make([]source, len(flows)),
		channel: make([]channel, n.NumChannels()),
		queue:   make([]queue, n.NumVCs()),
		account: make([]account, n.NumVCs()),
	}
	for c := range s.channel {
		off := 1 + o.ClockPPM/1e6*(2*s.random.Float64()-1)
		if kind := n.Kind(model.ChannelID(c)); kind != model.SwitchToSwitch {
			off /= float64(o.Servers)
		}
		s.channel[c] = channel{frame: max(Time(float64(s.z.frame)*off), 1), sending: none, blocked: none, waiters: none,
			reverse: int32(n.Reverse(model.ChannelID(c)))}
	}
	for v := range s.queue {
		s.queue[v] = queue{first: none, last: none}
	}
	s.count.make(s)
	for i := range s.flows {
		f := &s.flows[i]
		s.source[i] = source{interval: min(float64(8*o.PayloadBytes)/f.Rate*float64(Second), 1e18), start: int32(len(s.place)), next: none}
		if err := s.addPath(rel, f, i); err != nil {
			return nil, fmt.Errorf("ethernet: flow %d: %w", i, err)
		}
		s.begin(int32(i))
	}
	s.findSuspects()
	return s, nil
}

// Run simulates from an empty network to the end of the window, or to a freeze.
func Run(ctx context.Context, rel model.Relation, flows []Flow, o Options) (*Result, error) {
	s, err := New(rel, flows, o)
	if err != nil {
		return nil, err
	}
	if err := s.Run(ctx, s.o.Warmup+s.o.Window); err != nil {
		return nil, err
	}
	return s.Result(), nil
}

// Run simulates up to and including time until, or to a freeze (unless Options.GoOn is set). A
// frozen run does not continue. Run returns the error of ctx; the run can be continued afterwards.
// Cost: 60 ns for an event with up to 256 switches, 150 ns with 1024 (AMD EPYC, Go 1.26). A frame
// has three events a hop.
func (s *Sim) Run(ctx context.Context, until Time) error {
	for i := 1; s.deadlock == nil || s.o.GoOn; i++ {
		if i&0xfff == 0 && ctx.Err() != nil {
			return fmt.Errorf("ethernet: stopped at %v s: %w", s.now.Seconds(), ctx.Err())
		}
		kind, at := s.calendar.next()
		if min(at, s.scanAt) > until {
			s.now = max(s.now, until)
			if s.scanAt < never {
				s.scan() // a search is due later, but the run ends
			}
			return nil
		}
		if s.scanAt <= at {
			s.now = s.scanAt
			s.scan()
			continue
		}
		s.now = at
		s.handle(kind)
	}
	return nil
}

// handle processes the first event, which is of the given kind.
func (s *Sim) handle(kind int) {
	s.count.events++
	if kind >= kinds {
		e := s.calendar.takeUneven()
		if kind == created {
			s.due(e.which)
		} else {
			s.frameSent(e.which)
		}
		return
	}
	e := s.calendar.lane[kind].take()
	switch kind {
	case controlSent:
		s.controlSent(e.which)
	case received:
		s.received(e.which)
	case queued:
		s.forward(e.which)
	case pauseArrived:
		s.obey(e.which, uint8(e.arg))
	case watched:
		s.detect(e.which)
	case restored:
		s.restore(e.which)
	}
}
