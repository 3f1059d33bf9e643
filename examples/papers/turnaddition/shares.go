package turnaddition

import (
	"context"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// This file computes table 2.

// shareReadings are the readings of table 2: the wires, and the order of turns of equal traffic. The first two have those of
// figure 25.
var shareReadings = []joinedReading{
	{name: "crossed wires", wires: topo.WiresCrossed},
	{name: "straight wires", wires: topo.WiresStraight},
	{name: "straight wires, equal turns spread", wires: topo.WiresStraight, setting: setting{equal: synth.EqualSpread}},
	{name: "crossed wires, equal turns spread", wires: topo.WiresCrossed, setting: setting{equal: synth.EqualSpread}},
	{name: "crossed wires, equal turns by number", wires: topo.WiresCrossed, setting: setting{equal: synth.EqualByID}},
}

// wireNames are the readings of Item.Beside for items in which paths have no part.
func wireNames() []string { return []string{shareReadings[0].name, shareReadings[1].name} }

func joiningTurns(ctx context.Context, r *paper.Result) error {
	published := map[int]float64{4: 6.25, 8: 15.23, 16: 19.78, 32: 23.43}
	for i, x := range shareReadings {
		if !r.Wants(i, x.name) {
			continue
		}
		x.paths = synth.PathsDestination
		for _, k := range treeSizes(r.Quick) {
			v, err := x.points(ctx, r, []pair{joinedOf(k, x.wires)}, "turn-addition")
			if err != nil {
				return err
			}
			prohibited, all := v[0][2], v[0][3]
			r.AddRow(servers(k), "prohibited, %", x.name, published[k], 100*prohibited/all)
			r.AddRow(servers(k), "pairs of turns", x.name, nan, prohibited)
			r.AddRow(servers(k), "joining links", x.name, map[int]float64{4: 4, 8: 16, 16: 64, 32: 256}[k], float64(k*k/4))
			r.AddRow(servers(k), "nodes", x.name, map[int]float64{4: 32, 8: 256, 16: 2048, 32: 8192}[k], float64(k*k*k/2))
		}
	}
	return nil
}
