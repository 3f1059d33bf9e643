package trial

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
)

// Settings of a trial. Flits must be given, and Load unless Traffic is a trace.
type Settings struct {
	Engine   engine.Options // MaxFlits is filled in
	Traffic  string         // a pattern of engine/traffic, or trace:FILE; "": uniform
	NoSelf   bool           // of a pattern: no packets of hosts to themselves
	Load     float64        // flits per clock of the busiest host
	Flits    int            // of a packet
	Mixed    []int          // lengths drawn in place of Flits
	Burst    float64        // mean packets of a burst; 0: none
	Peak     float64        // load within a burst; 0: 1
	Packets  int            // not 0: no steady load, so many packets of each host at once,
	Rounds   int            // again and again; 0: once
	Every    engine.Clock   // a round begins so much after the one before
	Clocks   engine.Clock   // 0: 50,000; of traces and collectives: until all have arrived
	Warmup   engine.Clock   // not measured; 0: a fifth of Clocks
	NoWarm   bool           // measure from clock 0 on
	Seed     uint64
	Check    bool // hold the state against what must always hold, at every clock
	Flitwise bool // flit by flit, also where packet events are exact
	// Occupancy is at how many points of time the flits in buffers are counted.
	Occupancy int
	// Report, if not nil, is told of every packet that arrives.
	Report func(engine.Delivery)
	// Progress, if not nil, is told now and then, when a packet arrives, how many of the
	// clocks are over. It changes nothing.
	Progress func(clock, of engine.Clock)
}

// mostClocks ends runs that nothing else ends.
const mostClocks = 1 << 40

// Finite reports whether the traffic ends without a limit on the clocks: a trace does,
// and so do packets that all hosts send at once.
func (s *Settings) Finite() bool { return s.Packets > 0 || strings.HasPrefix(s.Traffic, "trace:") }

// fill puts in the defaults.
func (s *Settings) fill() {
	if s.Traffic == "" {
		s.Traffic = "uniform"
	}
	if s.Clocks == 0 && !s.Finite() {
		s.Clocks = 50_000
	}
	if s.Warmup == 0 && !s.NoWarm && !s.Finite() {
		s.Warmup = s.Clocks / 5
	}
	s.Engine.Seed = s.Seed
	if s.Engine.Throttle != nil {
		t := *s.Engine.Throttle
		t.Starts = s.Packets > 0 // packets of a round are created one after the other
		s.Engine.Throttle = &t
	}
	s.Engine.MaxFlits = s.Flits
	for _, k := range s.Mixed {
		s.Engine.MaxFlits = max(s.Engine.MaxFlits, k)
	}
}

// offer is what is sent.
type offer struct {
	engine.Source
	load    float64 // flits per clock and host in the mean, 0 if it ends by itself
	packets int64   // how many there are, if it does
}

// source makes the packets.
func (s *Settings) source(r model.Relation) (*offer, error) {
	n := r.Network()
	dests, err := traffic.Destinations(r)
	if err != nil {
		return nil, err
	}
	if file, ok := strings.CutPrefix(s.Traffic, "trace:"); ok {
		t, err := traffic.ReadTrace(file, n, traffic.TraceOptions{Flits: s.Flits, Dests: dests})
		if err != nil {
			return nil, err
		}
		return &offer{Source: t, packets: int64(t.Packets())}, nil
	}
	p, err := traffic.NewPattern(s.Traffic, n, s.Seed)
	if err != nil {
		return nil, err
	}
	if s.NoSelf {
		p = traffic.WithoutSelf(p)
	}
	if s.Packets > 0 {
		c, err := traffic.NewCollective(n, p, traffic.CollectiveOptions{Packets: s.Packets, Flits: s.Flits, Rounds: s.Rounds, Every: s.Every, Seed: s.Seed, Dests: dests})
		if err != nil {
			return nil, err
		}
		return &offer{Source: c, packets: c.Packets()}, nil
	}
	t, err := traffic.New(n, p, traffic.Options{Load: s.Load, Flits: s.Flits, Mixed: s.Mixed, Burst: s.Burst, Peak: s.Peak, Seed: s.Seed, Dests: dests})
	if err != nil {
		return nil, err
	}
	return &offer{Source: t, load: t.Offered()}, nil
}

func (s *Settings) check() error {
	switch {
	case s.Warmup < 0 || s.Clocks < 0:
		return fmt.Errorf("trial: %d clocks, the first %d not measured", s.Clocks, s.Warmup)
	case s.Clocks > 0 && s.Warmup >= s.Clocks:
		return fmt.Errorf("trial: of %d clocks the first %d are not measured: none is left", s.Clocks, s.Warmup)
	case s.Flits < 1:
		return fmt.Errorf("trial: packets of %d flits, at least 1 is needed", s.Flits)
	}
	return nil
}
