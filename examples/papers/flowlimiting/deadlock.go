package flowlimiting

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// This file decides which gates can freeze (section 4.4).

// gateReadings are the readings of what a closed gate holds back, and of the bits that close it. Section 4.1.7 holds back single flits;
// section 3.3.2 opens and closes a gate for each packet. The paper does not say whose bits close the gate before a VC.
var gateReadings = []struct {
	name string
	unit gate.Unit
	bits gate.VCs
	row  bool // whether bits end at a wraparound channel
}{{"each flit", gate.Flit, gate.Any, false}, {"each flit, bits of the same VC within a row", gate.Flit, gate.Own, true},
	{"each flit, bits of all VCs", gate.Flit, gate.All, false}, {"heads, bits of any VC", gate.Packet, gate.Any, false},
	{"heads, bits of the same VC", gate.Packet, gate.Own, false}}

// gateNames are the readings of Item.Beside.
func gateNames() (list []string) {
	for _, x := range gateReadings {
		list = append(list, x.name)
	}
	return list
}

// Numbers of verdicts in rows.
const (
	proved    = 1
	refuted   = 0
	undecided = -1
)

// deadlocks adds a row for each routing, reading and place.
func deadlocks(ctx context.Context, r *paper.Result) error {
	type point struct {
		routing string
		reading int
		place   gate.Place
	}
	var list []point
	for _, routing := range []string{"dor", "duato", "simple-adaptive"} {
		for k := range gateReadings {
			for _, place := range gate.Places() {
				list = append(list, point{routing, k, place})
			}
		}
	}
	name := func(p point) string { return fmt.Sprintf("%s, %s", p.routing, gateReadings[p.reading].name) }
	values, err := r.Points(ctx, len(list), func(i int) string { return fmt.Sprintf("%s, %s, level 8", name(list[i]), list[i].place) },
		func(ctx context.Context, i int) ([]float64, error) {
			rule := gate.DefaultRule(list[i].place)
			reading := gateReadings[list[i].reading]
			rule.Unit, rule.VCs, rule.WithinRow, rule.Hops, rule.Level = reading.unit, reading.bits, reading.row, 3, 8
			return decideGates(ctx, list[i].routing, rule)
		})
	if err != nil {
		return err
	}
	for i, p := range list {
		word := map[float64]string{proved: "proved", refuted: "deadlock", undecided: "undecided"}[values[i][0]]
		r.AddText(p.routing, string(p.place), gateReadings[p.reading].name, word, values[i][0])
	}
	return nil
}

func decideGates(ctx context.Context, routing string, rule gate.Rule) ([]float64, error) {
	vcs := 3
	if routing == "dor" {
		vcs = 2
	}
	n, err := topo.Parse(fmt.Sprintf("torus:6x6,vcs=%d", vcs))
	if err != nil {
		return nil, err
	}
	rel, err := route.New(routing, n, route.Options{StayOnEscape: routing == "duato"})
	if err != nil {
		return nil, err
	}
	g := &gate.Setup{Rule: rule, Packet: 8, Buffer: 15}
	rep, err := verify.Check(ctx, rel, verify.Options{Conditions: []model.Condition{g}})
	if err != nil {
		return nil, err
	}
	switch rep.DeadlockFree.Verdict {
	case verify.Proved:
		return []float64{proved}, nil
	case verify.Refuted:
		return []float64{refuted}, nil
	}
	return []float64{undecided}, nil
}
