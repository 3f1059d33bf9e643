package trial

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
)

// Settings are the settings of a trial. Flits is required, and so is Load unless Traffic is a
// trace.
type Settings struct {
	Engine   engine.Options // MaxFlits is set by Run
	Traffic  string         // a pattern of engine/traffic, or trace:FILE; defaults to uniform
	Matrix   *model.Traffic // if not nil, the traffic; Traffic is only its name then
	NoSelf   bool           // whether a pattern excludes packets from a host to itself
	Messages *Messages      // messages that cause other messages, or nil
	Load     float64        // flits per clock created by the busiest host
	Flits    int            // flits of a packet
	Mixed    []int          // if not empty, the length of each packet is drawn from this list instead of Flits
	Burst    float64        // mean number of packets of a burst; 0: no bursts
	Peak     float64        // load during a burst; defaults to 1
	Packets  int            // if not 0, each host creates this many packets at once, instead of a steady load
	Rounds   int            // number of rounds of such packets; defaults to 1
	Every    engine.Clock   // clocks between the beginnings of two rounds
	Clocks   engine.Clock   // defaults to 50,000; for traces and collectives, until all packets have arrived
	Warmup   engine.Clock   // clocks before measuring starts; defaults to a fifth of Clocks
	NoWarm   bool           // measure from clock 0 on, without warm-up
	Seed     uint64
	Check    bool // check the invariants of the simulator in every clock
	Flitwise bool // simulate flit by flit, even if packet events are exact
	// Occupancy is the number of points in time at which the flits in buffers are counted.
	Occupancy int
	// Report, if not nil, is called for every packet that arrives.
	Report func(engine.Delivery)
	// Progress, if not nil, is called from time to time when a packet arrives, with the number of
	// simulated clocks and the total. It does not affect the result.
	Progress func(clock, of engine.Clock)
	// Watchers see the run. They do not affect the result.
	Watchers []Watcher
}

// DefaultClocks is the length of a run of steady traffic.
const DefaultClocks = 50_000

// mostClocks bounds runs that have no other limit.
const mostClocks = 1 << 40

// Finite reports whether the traffic ends without a limit on the clocks: it is a trace, or packets
// that all hosts send at once.
func (s *Settings) Finite() bool { return s.Packets > 0 || strings.HasPrefix(s.Traffic, "trace:") }

// fill replaces zero values by defaults.
func (s *Settings) fill() {
	if s.Traffic == "" {
		s.Traffic = "uniform"
	}
	if s.Clocks == 0 && !s.Finite() {
		s.Clocks = DefaultClocks
	}
	if s.Warmup == 0 && !s.NoWarm && !s.Finite() {
		s.Warmup = s.Clocks / 5
	}
	s.Engine.Seed = s.Seed
	if s.Engine.Throttle != nil {
		t := *s.Engine.Throttle
		t.Starts = s.Packets > 0 // because a host creates the packets of a round one after the other
		s.Engine.Throttle = &t
	}
	s.Engine.MaxFlits = s.Longest()
}

// offer is the traffic of a trial.
type offer struct {
	engine.Source
	load    float64 // mean flits per clock and host; 0 if the traffic is finite
	packets int64   // number of packets, if the traffic is finite
}

// pattern returns the traffic pattern.
func (s *Settings) pattern(n *model.Network) (traffic.Pattern, error) {
	if s.Matrix != nil {
		return traffic.FromTraffic(n, s.Matrix)
	}
	return traffic.NewPattern(s.Traffic, n, s.Seed)
}

// source creates the source of packets.
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
		return &offer{Source: s.withKinds(t), packets: int64(t.Packets())}, nil
	}
	p, err := s.pattern(n)
	if err != nil {
		return nil, err
	}
	if s.NoSelf {
		p = traffic.WithoutSelf(p)
	}
	p = s.withRoles(p, n.NumHosts())
	if s.Packets > 0 {
		c, err := traffic.NewCollective(n, p, traffic.CollectiveOptions{Packets: s.Packets, Flits: s.Flits, Rounds: s.Rounds, Every: s.Every,
			Seed: s.Seed, Dests: dests})
		if err != nil {
			return nil, err
		}
		return &offer{Source: s.withKinds(c), packets: c.Packets()}, nil
	}
	t, err := traffic.New(n, p, traffic.Options{Load: s.Load, Flits: s.Flits, Mixed: s.Mixed, Burst: s.Burst, Peak: s.Peak, Seed: s.Seed, Dests: dests})
	if err != nil {
		return nil, err
	}
	offered := t.Offered()
	if s.Messages != nil && s.Load > 0 && offered == 0 {
		return nil, fmt.Errorf("trial: with traffic %s no initiator sends to a target", s.Traffic)
	}
	return &offer{Source: s.withKinds(t), load: offered}, nil
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

// meanFlits returns the mean length of a packet.
func (s *Settings) meanFlits() float64 {
	if len(s.Mixed) == 0 {
		return float64(s.Flits)
	}
	sum := 0
	for _, k := range s.Mixed {
		sum += k
	}
	return float64(sum) / float64(len(s.Mixed))
}
