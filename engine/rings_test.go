package engine_test

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// saturated simulates a torus with dimension order, flow control and uniform traffic at full load, and recounts the packets
// in rings at every look.
func saturated(t *testing.T, spec, rule string, packet, buffer int, timing engine.Timing, clocks engine.Clock) (*engine.Deadlock, int64) {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	flow, err := bubble.Parse(rule)
	if err != nil {
		t.Fatal(err)
	}
	pattern, err := traffic.NewPattern("uniform", n, 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := traffic.New(n, pattern, traffic.Options{Load: 1, Flits: packet, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	o := engine.Options{Timing: timing, Switching: flow.Switching(), MaxFlits: packet, BufferFlits: buffer, Flow: &flow, Seed: 1}
	s, err := engine.New(r, source, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	for s.Now() < clocks {
		d, err := s.Watch(context.Background(), 50)
		if err != nil {
			t.Fatal(err)
		}
		if errs := s.Check(); len(errs) > 0 {
			t.Fatalf("%s: %v", rule, errs[0])
		}
		if d != nil {
			return d, s.Delivered()
		}
	}
	return nil, s.Delivered()
}

// TestRings runs tori without datelines at saturation. They freeze without flow control, and never with it, unless entries are
// off or packets are longer than the rule takes them for.
func TestRings(t *testing.T) {
	for _, c := range []struct {
		spec, rule     string
		packet, buffer int
		freezes        bool
	}{
		{"torus:4x4", "bubble", 4, 8, false}, {"torus:5x5", "bubble", 3, 11, false}, {"ring:6", "bubble", 2, 4, false}, {"torus:4x4x4", "bubble", 2, 4, false},
		{"torus:4x4", "critical-bubble", 4, 4, false}, {"ring:5", "critical-bubble", 2, 7, false}, {"torus:5x5", "critical-bubble", 1, 1, false},
		{"torus:4x4", "worm-bubble", 4, 4, false}, {"ring:5", "worm-bubble", 8, 4, false}, {"torus:8x8", "worm-bubble", 5, 2, false},
		{"torus:4x4", "bubble,off=all", 4, 8, true}, {"torus:8x8", "bubble,off=all,from=rings", 4, 8, true}, {"torus:4x4", "bubble,packet=2", 4, 7, true},
		{"torus:4x4", "critical-bubble,packet=2", 4, 4, true}, {"torus:8x8", "critical-bubble,off=all", 4, 4, true},
		{"torus:8x8", "worm-bubble,off=all", 8, 4, true}, {"torus:8x8", "worm-bubble,packet=1", 8, 2, true},
	} {
		for _, timing := range engine.Timings() {
			d, delivered := saturated(t, c.spec, c.rule, c.packet, c.buffer, timing, 4000)
			if d == nil == c.freezes {
				t.Errorf("%s, %s, sizes %d and %d, %s: frozen %t, %d packets arrived", c.spec, c.rule, c.packet, c.buffer, timing, d != nil, delivered)
			}
			if !c.freezes && delivered < 100 {
				t.Errorf("%s, %s: only %d packets arrived", c.spec, c.rule, delivered)
			}
		}
	}
}
