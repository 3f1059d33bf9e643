package trial

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestPublishedChoices: what papers say of choices by load. Kim et al., ISCA 2008, and Jiang et al., ISCA 2009, of dragonflies:
// if each group sends to the next one, minimal routing accepts at most the load of a global link; UGAL accepts more, and PAR as much
// as Valiant routing; under uniform traffic both accept at least as much as minimal routing. Ahn et al., SC 2009, of HyperX: the
// same of dimension order and DAL.
func TestPublishedChoices(t *testing.T) {
	accepted := func(spec, routing string, rule engine.Selection, traffic string) float64 {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New(routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		res, err := Run(context.Background(), r, Settings{Engine: engine.Options{Select: rule, BufferFlits: 32}, Traffic: traffic,
			Load: 1, Flits: 8, Clocks: 4000, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return res.Accepted
	}
	const dragonfly, hyperx = "dragonfly:a=4,h=2,p=2,vcs=4", "hyperx:4x4,hosts=4,vcs=4"
	by := map[string][2]float64{} // under uniform and adverse traffic
	for _, c := range []struct {
		spec, routing, adverse string
		rule                   engine.Selection
	}{
		{dragonfly, "dragonfly-minimal", "shift:8", ""}, {dragonfly, "dragonfly-valiant", "shift:8", engine.SelectValiant},
		{dragonfly, "dragonfly-ugal", "shift:8", engine.SelectUGAL}, {dragonfly, "dragonfly-par", "shift:8", engine.SelectPAR},
		{hyperx, "hyperx-dor", "shift:4", ""}, {hyperx, "hyperx-dal", "shift:4", engine.SelectWeighted},
	} {
		by[c.routing] = [2]float64{accepted(c.spec, c.routing, c.rule, "uniform"), accepted(c.spec, c.routing, c.rule, c.adverse)}
	}
	minimal, valiant, ugal, par := by["dragonfly-minimal"], by["dragonfly-valiant"], by["dragonfly-ugal"], by["dragonfly-par"]
	dor, dal := by["hyperx-dor"], by["hyperx-dal"]
	for name, holds := range map[string]bool{
		"minimal routing is bounded by a global link":         minimal[1] <= 0.125,
		"Valiant routing is not, and takes half of the links": valiant[1] > 2*minimal[1] && valiant[1] <= 0.5,
		"UGAL accepts more than minimal routing":              ugal[1] > 1.8*minimal[1],
		"PAR accepts as much as Valiant routing":              par[1] > 0.95*valiant[1],
		"Valiant routing loses under uniform traffic":         valiant[0] < 0.85*minimal[0],
		"UGAL and PAR do not":                                 ugal[0] > 0.98*minimal[0] && par[0] > 0.98*minimal[0],
		"dimension order is bounded by a link":                dor[1] <= 0.25,
		"DAL accepts more, and about the same under uniform":  dal[1] > 1.6*dor[1] && dal[0] > 0.9*dor[0],
	} {
		if !holds {
			t.Errorf("%s: does not hold: %v", name, by)
		}
	}
}
