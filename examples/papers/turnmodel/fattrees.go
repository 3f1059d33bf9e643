package turnmodel

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/synth"
)

// This file compares the turn model with up*/down* on fat trees. The paper gives neither the parents in the tree nor the order of
// children in preorder. If every link outside the tree leads to the left and up, the turn model prohibits the turns of up*/down*. That is
// so if each switch is below the last of its possible parents, and also if it is below the first one and the last child is visited first.
// If it is below the first one and children have the order of discovery, each of these links leads to the right and up, whatever the
// numbers of the switches. The counts of table 2 tell the trees apart.

// treeReadings are the readings of the tree on fat trees.
var treeReadings = []struct {
	name string
	o    synth.Options
}{
	{"root leaf0, parent first", synth.Options{Root: "leaf0", Tree: hv.Options{Parent: hv.FirstSeen}}},
	{"root leaf0, parent first, children from last to first", synth.Options{Root: "leaf0",
		Tree: hv.Options{Parent: hv.FirstSeen, Children: hv.ByIDDown}}},
	{"root leaf0, parent highest", synth.Options{Root: "leaf0", Tree: hv.Options{Parent: hv.HighestID}}},
}

// treeNames are the readings of Item.Beside.
func treeNames() (list []string) {
	for _, x := range treeReadings {
		list = append(list, x.name)
	}
	return list
}

var fatTreeSpecs = []string{"fattree:k=4", "fattree:k=6", "fattree:k=8", "fattree:k=8,levels=2", "fattree:k=16"}

// fatTrees measures 1/M, and counts the turns in which each method differs from up*/down* with root leaf0.
func fatTrees(ctx context.Context, r *paper.Result) error {
	specs := fatTreeSpecs
	if r.Quick {
		specs = specs[:4]
	}
	for i, x := range treeReadings {
		if !r.Wants(i, x.name) {
			continue
		}
		for _, spec := range specs {
			v, err := r.Points(ctx, len(turnMethods), func(i int) string { return fmt.Sprintf("%s, %s, %s", spec, turnMethods[i], x.name) },
				func(ctx context.Context, i int) ([]float64, error) { return fatTree(ctx, spec, turnMethods[i], x.o) })
			if err != nil {
				return err
			}
			for i, method := range turnMethods {
				item := spec + " " + method
				r.AddRow(item, "throughput 1/M", x.name, nan, v[i][0])
				r.AddRow(item, "prohibited turns", x.name, nan, v[i][1])
				r.AddRow(item, "turns unlike up*/down*", x.name, nan, v[i][2])
			}
		}
		if err := fatTreeCounts(ctx, r, x.name, x.o); err != nil {
			return err
		}
	}
	return nil
}

// onTable2 is the item of the counts of L-turn/α on the networks of table 2, with the tree of a reading.
const onTable2 = "networks of table 2, lturn-alpha"

func fatTreeCounts(ctx context.Context, r *paper.Result, reading string, o synth.Options) error {
	o.Root = "crossing-free"
	v, err := r.Points(ctx, 10, func(i int) string { return fmt.Sprintf("%s, seed %d, %s", onTable2, i+1, reading) },
		func(ctx context.Context, i int) ([]float64, error) {
			m, err := made(ctx, irregular(i+1), "lturn-alpha", o)
			if err != nil {
				return nil, err
			}
			return counts(m), nil
		})
	if err != nil {
		return err
	}
	for k := range 3 {
		r.AddRow(onTable2, columns[k], reading, table2["lturn-alpha"][k], column(v, k)...)
	}
	return nil
}

// fatTree returns 1/M of a method, its prohibited turns, and the turns that either the method or up*/down* prohibits.
func fatTree(ctx context.Context, spec, method string, o synth.Options) ([]float64, error) {
	m, err := made(ctx, spec, method, o)
	if err != nil {
		return nil, err
	}
	up, err := made(ctx, spec, "updown", synth.Options{Root: "leaf0"})
	if err != nil {
		return nil, err
	}
	n := m.Allowed.Network()
	w, err := synth.MeasurePaths(ctx, m.Allowed, model.NewDemand(n, model.UniformTraffic(n)))
	if err != nil {
		return nil, err
	}
	return []float64{w.Throughput(), float64(synth.Count(m.Allowed).Prohibited), float64(m.Allowed.Difference(up.Allowed))}, nil
}

func fatTreeClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-model/fat-trees-equal", Statement: "On fat trees up*/down*, L-turn and R-turn are all optimal, without a difference",
		LeftOpen: treesOpen,
		Judge: func(r *paper.Result) paper.Finding {
			unlike, least := 0.0, 1.0
			for _, spec := range fatTreeSpecs {
				if r.Row(spec+" updown", "throughput 1/M") == nil && spec == "fattree:k=16" {
					continue // a quick run
				}
				for _, method := range turnMethods {
					m, d := r.Row(spec+" "+method, "throughput 1/M"), r.Row(spec+" "+method, "turns unlike up*/down*")
					if m == nil || d == nil {
						return paper.Lacking()
					}
					least, unlike = min(least, m.Ours), max(unlike, d.Ours)
				}
			}
			text := "1/M 1, turns of up*/down*"
			if unlike > 0 || least < 1-1e-6 {
				text = fmt.Sprintf("1/M down to %.2g, up to %g turns unlike up*/down*", least, unlike)
			}
			pairs, deviation := r.Row(onTable2, "PPT"), r.Row(onTable2, "SDPT")
			if pairs == nil || deviation == nil {
				return paper.Lacking()
			}
			text += fmt.Sprintf("; PPT %.1f, SDPT %.2f on the networks of table 2", pairs.Ours, deviation.Ours)
			return paper.Decide(unlike == 0 && least > 1-1e-6, text)
		}}}
}

// treesOpen is what the paper leaves open of trees.
const treesOpen = "The paper gives neither parents nor the order of children. Its table 2 (L-turn/α: PPT 18.9, SDPT 2.225) is that of (a), under which " +
	"the claim fails for any numbering, but no tree of these gives table 3"
