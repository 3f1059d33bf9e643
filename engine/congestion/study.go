package congestion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// This file declares the algorithms, patterns and methods that are compared, and the study's sizes
// and readings.

// Algorithm is a routing algorithm with its parameters in the study.
type Algorithm struct {
	Name    string // name in the paper
	Routing string
	VCs     int
	Select  engine.Selection
	Options route.Options
}

// Algorithms returns the five routing algorithms of the paper (section 4.1.3). The paper
// does not give the number of VCs. Each algorithm has the VCs that it needs, and an
// adaptive one has one more for adaptive hops.
func Algorithms() []Algorithm {
	return []Algorithm{
		{"do", "dor", doVCs, engine.SelectAll, route.Options{}},
		{"sa", "simple-adaptive", 3, engine.SelectLoad, route.Options{}},
		{"cl", "cross-line", 3, engine.SelectAhead, route.Options{}},
		{"dp", "duato", 3, engine.SelectOrder, route.Options{StayOnEscape: true}},
		{"df", "duato-nonminimal", 3, engine.SelectOrder, route.Options{StayOnEscape: true}},
	}
}

// Pattern is a traffic pattern, with its name in the paper (section 4.1.2).
type Pattern struct{ Name, spec string }

// Patterns returns the eight traffic patterns of the paper.
func Patterns() []Pattern {
	return []Pattern{
		{"trns", "transpose"}, {"shfl", "shuffle"}, {"bcmp", "bit-complement"}, {"brev", "bit-reversal"}, {"brot", "bit-rotation"},
		{"torn", "shift"}, {"rpar", "random-pair"}, {"atoa", "all-to-all"},
	}
}

// doVCs is the default number of VCs of dimension order: one for each side of a dateline.
const doVCs = 2

// AllToAll is the pattern that takes about fifty times as long as the others.
const AllToAll = "atoa"

// Kind is a kind of flow limiting.
type Kind string

// Kinds of flow limiting.
const (
	Base       Kind = "BA"
	Throttling Kind = "TE"
	Gating     Kind = "GT"
)

// Method is a method of flow limiting with its parameters. It is comparable.
type Method struct {
	Kind                Kind
	Mobility, Occupancy float64 // for throttling
	Func                string  // for gating
	Place               gate.Place
	Level               int
}

// String returns the kind and the parameters of a method.
func (m Method) String() string {
	switch m.Kind {
	case Throttling:
		return fmt.Sprintf("TE Rth=%g Pn=%g", m.Mobility, m.Occupancy)
	case Gating:
		return fmt.Sprintf("GT(%d) %s %s", m.Level, m.Func, m.Place)
	}
	return string(m.Kind)
}

// Group returns the group of the method in figure 5, which shows the best method of each group:
// BA, TE, GT(0), GT(4) or GT(8).
func (m Method) Group() string {
	if m.Kind == Gating {
		return fmt.Sprintf("GT(%d)", m.Level)
	}
	return string(m.Kind)
}

// Groups returns the names of the groups of methods, in the order of figure 5.
func Groups() []string {
	return []string{"BA", "TE", "GT(0)", "GT(4)", "GT(8)"}
}

// Methods returns the 53 combinations of the paper's parameters (sections 4.1.6 to 4.1.9).
func Methods() []Method {
	list := []Method{{Kind: Base}}
	for _, mobility := range []float64{1, 0.8, 0.6, 0.4} {
		for _, occupancy := range []float64{0.6, 0.4, 0.2, 0.1} {
			list = append(list, Method{Kind: Throttling, Mobility: mobility, Occupancy: occupancy})
		}
	}
	for _, level := range []int{0, 4, 8} {
		for _, f := range gate.Functions() {
			for _, place := range gate.Places() {
				list = append(list, Method{Kind: Gating, Func: f.Name, Place: place, Level: level})
			}
		}
	}
	return list
}

// Study has the sizes and readings of a study. It is comparable.
type Study struct {
	Side    int // switches in a row of the torus, a power of two
	Rounds  int
	Packets int // packets of each host and round; in all-to-all, each host sends one to each other host
	Gap     engine.Clock
	Seed    uint64

	Unit    gate.Unit // what a closed gate holds back
	VCs     gate.VCs
	Buffer  gate.Buffer
	Hops    int
	Exempt  bool
	Room    model.Switching // whether a head needs room for its whole packet or for one flit
	Arbiter engine.Arbiter
	// ReleaseEmpty reverses rule (4) of throttling, see engine.Throttle.
	ReleaseEmpty bool
	Clocks       int  // clocks of an uncongested hop through the router's pipeline, 1 to 5
	DoVCs        int  // VCs of dimension order, 2 or more
	Atomic       bool // whether a VC is given to a packet only when its buffer is empty
	WithinRow    bool // whether VCinfo ends at a wraparound channel
	Next         bool // whether all-to-all begins with the next host, and not with host 0
	// RampTo is the load at the end of a ramp in flits per clock and host, RampClocks the length of
	// the ramp. The network performance measure integrates over loads from 0 to RampTo.
	RampTo     float64
	RampClocks engine.Clock
}

// Default returns the paper's sizes with the default readings. In one reading it contradicts the
// paper: a closed gate holds back heads only. If gates hold back each flit, even dimension-order
// routing freezes, which the paper did not observe.
func Default() Study {
	return Study{Side: 32, Rounds: 10, Packets: 10, Gap: 100, Seed: 1, Unit: gate.Packet, VCs: gate.Own, Buffer: gate.Stored, Hops: 17,
		Room: model.CutThrough, Arbiter: engine.FirstCome, Clocks: 3, DoVCs: doVCs, RampTo: 0.6, RampClocks: 30_000}
}

// Sizes of section 4.1.1. A ring buffer of 16 flits can hold 15.
const (
	packetFlits = 8
	bufferFlits = 15
)

// Point is one simulation. It is comparable.
type Point struct {
	Algorithm, Pattern string
	Method             Method
	Control            engine.ControlPath
	Load               float64 // if not 0, the load rises to this value within Clocks
	Clocks             engine.Clock
}

// String identifies a point, for messages.
func (p Point) String() string {
	text := fmt.Sprintf("%s %s %s, %s control", p.Algorithm, p.Pattern, p.Method, p.Control)
	if p.Load > 0 {
		text += fmt.Sprintf(", load to %g", p.Load)
	}
	return text
}

// algorithm returns the algorithm with the given name.
func algorithm(name string) (*Algorithm, error) {
	i := slices.IndexFunc(Algorithms(), func(a Algorithm) bool { return a.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("congestion: no algorithm %q", name)
	}
	return &Algorithms()[i], nil
}

// relation builds the routing relation of an algorithm.
func (s *Study) relation(a *Algorithm) (model.Relation, error) {
	vcs := a.VCs
	if a.Name == "do" {
		vcs = s.DoVCs
	}
	n, err := topo.Parse(fmt.Sprintf("torus:%dx%d,vcs=%d", s.Side, s.Side, vcs))
	if err != nil {
		return nil, err
	}
	return route.New(a.Routing, n, a.Options)
}

// settings returns the settings of a point's simulation.
func (s *Study) settings(p *Point) (trial.Settings, error) {
	a, err := algorithm(p.Algorithm)
	if err != nil {
		return trial.Settings{}, err
	}
	i := slices.IndexFunc(Patterns(), func(x Pattern) bool { return x.Name == p.Pattern })
	if i < 0 {
		return trial.Settings{}, fmt.Errorf("congestion: no pattern %q", p.Pattern)
	}
	spec := Patterns()[i].spec
	packets := s.Packets
	switch spec {
	case "shift":
		spec = fmt.Sprintf("shift:%d", s.Side/2)
	case "all-to-all":
		packets = s.Side*s.Side - 1
		if !s.Next {
			spec = "all-to-all:first"
		}
	}
	e := engine.Options{Switching: s.Room, Atomic: s.Atomic, Select: a.Select, Arbiter: s.Arbiter, MaxFlits: packetFlits, BufferFlits: bufferFlits,
		Control: p.Control, Delays: delays(s.Clocks)}
	switch m := p.Method; m.Kind {
	case Throttling:
		e.Throttle = &engine.Throttle{Mobility: m.Mobility, Occupancy: m.Occupancy, ReleaseEmpty: s.ReleaseEmpty}
	case Gating:
		rule, err := s.rule(a, m)
		if err != nil {
			return trial.Settings{}, err
		}
		e.Gate = rule
	}
	t := trial.Settings{Engine: e, Traffic: spec, NoSelf: true, Flits: packetFlits, Seed: s.Seed}
	if p.Load > 0 {
		t.Load, t.Clocks = p.Load, p.Clocks
	} else {
		t.Packets, t.Rounds = packets, s.Rounds
	}
	return t, nil
}

// rule returns the gating rule of a method under the study's readings.
func (s *Study) rule(a *Algorithm, m Method) (*gate.Rule, error) {
	f, err := gate.ParseFunc(m.Func)
	if err != nil {
		return nil, err
	}
	return &gate.Rule{Place: m.Place, Func: f, Level: m.Level, Hops: s.Hops, Unit: s.Unit, VCs: s.VCs, Buffer: s.Buffer, Exempt: s.Exempt && a.VCs > 2,
		WithinRow: s.WithinRow}, nil
}

// gap returns the number of clocks between two rounds of a pattern (section 4.1.4).
func (s *Study) gap(pattern string) engine.Clock {
	if pattern == AllToAll {
		return 10 * s.Gap
	}
	return s.Gap
}

// delays returns the delays of a router whose uncongested hop takes the given number of clocks.
func delays(clocks int) *engine.Delays {
	d := engine.Delays{Link: 1}
	for i, part := range []*int{&d.SwitchAlloc, &d.VCAlloc, &d.Route, &d.Traversal} {
		if clocks > i+1 {
			*part = 1
		}
	}
	return &d
}

// Readings describes the readings of a study in one line.
func (s *Study) Readings() string {
	rounds := fmt.Sprintf("%d rounds", s.Rounds)
	if s.Rounds == 1 {
		rounds = "1 round"
	}
	list := []string{fmt.Sprintf("%dx%d", s.Side, s.Side), rounds, "gates by " + string(s.Unit),
		"bits of " + string(s.VCs) + " VCs", "slots " + string(s.Buffer),
		fmt.Sprintf("%d bits", s.Hops), string(s.Room), string(s.Arbiter), fmt.Sprintf("%d clocks a hop", s.Clocks)}
	if s.Exempt {
		list = append(list, "escape exempt")
	}
	for _, x := range []struct {
		set  bool
		text string
	}{{s.ReleaseEmpty, "an empty network is released"}, {s.DoVCs != doVCs, fmt.Sprintf("do with %d VCs", s.DoVCs)}, {s.Atomic, "atomic VCs"},
		{s.Next, "all-to-all from the next host"}, {s.WithinRow, "bits within a row"}, {s.RampTo != 0.6, fmt.Sprintf("ramps to %g", s.RampTo)},
		{s.RampClocks != 30_000, fmt.Sprintf("ramps of %d clocks", s.RampClocks)}, {s.Seed != 1, fmt.Sprintf("seed %d", s.Seed)}} {
		if x.set {
			list = append(list, x.text)
		}
	}
	return strings.Join(list, ", ")
}
