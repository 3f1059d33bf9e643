package turnaddition

import (
	"context"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// This file checks the statements of the paper on single fat trees, and the one on the 2-D turn model.

var turnModel = []string{"lturn-alpha", "lturn-beta", "rturn-alpha", "rturn-beta"}

// treeReadings are the readings of the tree of the 2-D turn model, which the paper does not give.
var treeReadings = []struct {
	name string
	tree hv.Options
}{{"parent first", hv.Options{Parent: hv.FirstSeen}},
	{"parent first, children from last to first", hv.Options{Parent: hv.FirstSeen, Children: hv.ByIDDown}},
	{"parent highest", hv.Options{Parent: hv.HighestID}}}

// treeNames are the readings of Item.Beside.
func treeNames() (list []string) {
	for _, x := range treeReadings {
		list = append(list, x.name)
	}
	return list
}

// turnModelTrees are the networks on which the 2-D turn model is compared with up*/down*.
var turnModelTrees = []string{"fattree:k=8", "fattree-pair:k=4,join=top,wires=straight", "fattree-pair:k=4,join=top,wires=crossed",
	"fattree-pair:k=4,join=middle,wires=straight", "fattree-pair:k=4,join=middle,wires=crossed", "fattree-pair:k=4,join=bottom,wires=straight"}

// singleTree counts the prohibited turns of the three methods on a fat tree. On this tree and on joined ones it compares the
// turns of the turn model with those of up*/down*.
func singleTree(ctx context.Context, r *paper.Result) error {
	const spec = "fattree:k=8"
	n, err := topo.Parse(spec)
	if err != nil {
		return err
	}
	for _, m := range methods {
		set, err := synth.New(ctx, m.name, n, m.o)
		if err != nil {
			return err
		}
		w, err := synth.MeasurePaths(ctx, set.Allowed, model.NewDemand(n, model.UniformTraffic(n)))
		if err != nil {
			return err
		}
		r.AddRow(spec+" "+m.name, "prohibited turns", "", nan, float64(synth.Count(set.Allowed).Prohibited))
		r.AddRow(spec+" "+m.name, "throughput 1/M", "", nan, w.Throughput())
	}
	for i, reading := range treeReadings {
		for _, spec := range turnModelTrees {
			if !r.Wants(i, reading.name) {
				continue
			}
			if err := turnModelRow(ctx, r, spec, reading.name, reading.tree); err != nil {
				return err
			}
		}
	}
	return nil
}

// turnModelRow compares all methods of the turn model with up*/down* from the same root.
func turnModelRow(ctx context.Context, r *paper.Result, spec, reading string, tree hv.Options) error {
	n, err := topo.Parse(spec)
	if err != nil {
		return err
	}
	traffic := model.UniformTraffic(n)
	if strings.HasPrefix(spec, "fattree-pair:") {
		if traffic, err = model.HalvesTraffic(n, 1, 0.01); err != nil {
			return err
		}
	}
	up, err := synth.New(ctx, updown, n, synth.Options{Root: "traffic", Traffic: traffic})
	if err != nil {
		return err
	}
	unlike := 0
	for _, method := range turnModel {
		set, err := synth.New(ctx, method, n, synth.Options{Root: fmt.Sprint(up.Tree.Root), Tree: tree, Traffic: traffic})
		if err != nil {
			return err
		}
		unlike = max(unlike, set.Allowed.Difference(up.Allowed))
	}
	r.AddRow(spec+" L-turn, R-turn", "prohibited by up*/down*", reading, nan, float64(synth.Count(up.Allowed).Prohibited))
	r.AddRow(spec+" L-turn, R-turn", "turns unlike up*/down*", reading, nan, float64(unlike))
	return nil
}

func singleTreeClaims() []paper.Claim {
	at := func(m, q string) [2]string { return [2]string{"fattree:k=8 " + m, q} }
	return []paper.Claim{
		{Name: "turn-addition/single-tree-equal", Section: "section 5.3",
			Statement: "On a single fat tree the three methods balance traffic equally well", Published: "equal",
			Judge: paper.Needs([][2]string{at("updown", "throughput 1/M"), at("tp", "throughput 1/M"), at("turn-addition", "throughput 1/M")},
				func(v []float64) paper.Finding {
					return paper.Decide(v[0] == v[1] && v[1] == v[2], fmt.Sprintf("1/M %.4g, %.4g, %.4g on fattree:k=8", v[0], v[1], v[2]))
				})},
		{Name: "turn-addition/turn-model-as-updown", Section: "section 6",
			Statement: "On fat trees, single and joined, the 2-D turn model prohibits the same turns as up*/down*",
			Published: "same", LeftOpen: "The paper gives neither parents nor the order of children. Where all links outside the tree " +
				"lead to the left and up, the turn model is up*/down*",
			Judge: func(r *paper.Result) paper.Finding {
				same, unlike := 0, 0.0
				for _, spec := range turnModelTrees {
					x := r.Row(spec+" L-turn, R-turn", "turns unlike up*/down*")
					if x == nil {
						return paper.Lacking()
					}
					if unlike = max(unlike, x.Ours); x.Ours == 0 {
						same++
					}
				}
				text := fmt.Sprintf("the same on %d of %d trees", same, len(turnModelTrees))
				if unlike > 0 {
					text += fmt.Sprintf(", up to %g others", unlike)
				}
				return paper.Decide(unlike == 0, text)
			}},
	}
}
