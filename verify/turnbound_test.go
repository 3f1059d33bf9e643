package verify

import (
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify/cert"
)

// TestPacking checks that on a ring of four each direction is a cycle, so at least two turns are
// prohibited. Changed evidence is rejected or shows another bound.
func TestPacking(t *testing.T) {
	n, err := topo.Parse("ring:4")
	if err != nil {
		t.Fatal(err)
	}
	allowed := model.NewTurnSet(n)
	for x := range model.Turns(n, false) {
		if in, _ := n.Channel(x.In); n.Head(in) != 0 {
			allowed.Add(x)
		}
	}
	var cycles cert.Ints
	for _, start := range []model.ChannelID{0, n.Reverse(0)} {
		cycles = append(cycles, 4)
		for c, k := start, 0; k < 4; k++ {
			cycles = append(cycles, int32(c))
			for _, next := range n.Out(n.Head(c)) {
				if n.Kind(next) == model.SwitchToSwitch && next != n.Reverse(c) {
					c = next
					break
				}
			}
		}
	}
	if rep, err := CheckTurns(t.Context(), allowed, TurnOptions{Gossip: true}); err != nil || rep.Bound != 2 {
		t.Errorf("by connectedness alone: %v, %v", rep, err)
	}
	good := func() *cert.Packing {
		return &cert.Packing{Denominator: 2, Weights: cert.Ints{2, 1}, Cycles: slices.Clone(cycles)}
	}
	rep, err := CheckTurns(t.Context(), allowed, TurnOptions{Packing: good()})
	if err != nil || rep.Bound != 2 || rep.Acyclic.Verdict != Proved {
		t.Fatalf("bound %d, %v", rep.Bound, err)
	}
	// The two directions around the ring are reverses of each other, so as pairs they are one cycle.
	one := &cert.Packing{Denominator: 1, Weights: cert.Ints{1}, Cycles: slices.Clone(cycles[:5])}
	if rep, err := CheckTurns(t.Context(), allowed, TurnOptions{Packing: one, Both: true}); err != nil || rep.Bound != 2 {
		t.Errorf("with reverses: %v, %v", rep, err)
	}
	two := &cert.Packing{Denominator: 1, Weights: cert.Ints{1, 1}, Cycles: slices.Clone(cycles)}
	if _, err := CheckTurns(t.Context(), allowed, TurnOptions{Packing: two, Both: true}); err == nil {
		t.Error("the same pairs twice: accepted")
	}
	lopsided := allowed.Clone()
	for x := range lopsided.All() {
		lopsided.Remove(x)
		break
	}
	for _, o := range []TurnOptions{{Packing: one, Both: true}, {Gossip: true, Both: true}} {
		if _, err := CheckTurns(t.Context(), lopsided, o); err == nil {
			t.Errorf("%+v: a turn without its reverse: accepted", o)
		}
	}
	bad := map[string]func(p *cert.Packing){
		"weight":          func(p *cert.Packing) { p.Weights[0] = 3 },
		"no weight":       func(p *cert.Packing) { p.Weights[1] = 0 },
		"denominator":     func(p *cert.Packing) { p.Denominator = 0 },
		"length":          func(p *cert.Packing) { p.Cycles[0] = 3 },
		"no turn":         func(p *cert.Packing) { p.Cycles[1], p.Cycles[2] = p.Cycles[2], p.Cycles[1] },
		"outside":         func(p *cert.Packing) { p.Cycles[1] = 99 },
		"the same twice":  func(p *cert.Packing) { copy(p.Cycles[5:], p.Cycles[:5]) },
		"one weight more": func(p *cert.Packing) { p.Weights = append(p.Weights, 1) },
		"left over":       func(p *cert.Packing) { p.Cycles = append(p.Cycles, 0) },
	}
	for what, change := range bad {
		p := good()
		change(p)
		if _, err := CheckTurns(t.Context(), allowed, TurnOptions{Packing: p}); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
}
