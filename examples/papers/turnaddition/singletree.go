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

// treeMethods are the methods on a single fat tree. The paper gives neither the order of equal turns nor the root among equal ones.
var treeMethods = []struct {
	name, method string
	o            synth.Options
}{{updown, updown, synth.Options{Root: "traffic"}}, {"tp", "tp", synth.Options{}}, {"turn-addition", "turn-addition", synth.Options{}},
	{turnsByNumber, "turn-addition", synth.Options{Equal: synth.EqualByID}}}

const (
	turnsByNumber = "turn-addition, equal turns by number"
	unlikeUpdown  = "turns unlike up*/down*"
	unlikeNearest = "turns unlike up*/down* from the nearest root"
)

// singleTree counts the prohibited turns of the three methods on a fat tree, and those in which they differ from up*/down*. On this tree
// and on joined ones it compares the turns of the turn model with those of up*/down*.
func singleTree(ctx context.Context, r *paper.Result) error {
	const spec = "fattree:k=8"
	n, err := topo.Parse(spec)
	if err != nil {
		return err
	}
	var roots []*model.TurnSet // up*/down* from each switch
	for u := range n.NumSwitches() {
		set, err := synth.New(ctx, updown, n, synth.Options{Root: fmt.Sprint(u)})
		if err != nil {
			return err
		}
		roots = append(roots, set.Allowed)
	}
	var first *model.TurnSet
	for _, m := range treeMethods {
		set, err := synth.New(ctx, m.method, n, m.o)
		if err != nil {
			return err
		}
		w, err := synth.MeasurePaths(ctx, set.Allowed, model.NewDemand(n, model.UniformTraffic(n)))
		if err != nil {
			return err
		}
		if first == nil {
			first = set.Allowed
		}
		least := set.Allowed.Difference(first)
		r.AddRow(spec+" "+m.name, "prohibited turns", "", nan, float64(synth.Count(set.Allowed).Prohibited))
		r.AddRow(spec+" "+m.name, "throughput 1/M", "", nan, w.Throughput())
		r.AddRow(spec+" "+m.name, unlikeUpdown, "", nan, float64(least))
		for _, root := range roots {
			least = min(least, set.Allowed.Difference(root))
		}
		r.AddRow(spec+" "+m.name, unlikeNearest, "", nan, float64(least))
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
	r.AddRow(spec+" L-turn, R-turn", unlikeUpdown, reading, nan, float64(unlike))
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
		{Name: "turn-addition/single-tree-same-turns", Section: "section 5.3",
			Statement: "On a single fat tree the three methods prohibit the same turns", Published: "same",
			LeftOpen: "Neither the order of equal turns nor the root among equal ones is given",
			Judge: paper.Needs([][2]string{at("updown", "prohibited turns"), at("tp", unlikeUpdown), at("turn-addition", unlikeUpdown), at("tp", unlikeNearest),
				at(turnsByNumber, unlikeNearest)}, func(v []float64) paper.Finding {
				f := paper.Decide(v[1]+v[2] == 0, fmt.Sprintf("%g each; TP differs from up*/down* in %g, turn addition in %g; in %g from another root, "+
					"%g with equal turns by number", v[0], v[1], v[2], v[3], v[4]))
				if v[3]+v[4] == 0 {
					f.Verdict = paper.Open
				}
				return f
			})},
		{Name: "turn-addition/turn-model-as-updown", Section: "section 6",
			Statement: "On fat trees, single and joined, the 2-D turn model prohibits the same turns as up*/down*",
			Published: "same", LeftOpen: "Parents and the order of children are not given; only (a) gives table 2 of the turn model's paper",
			Judge: func(r *paper.Result) paper.Finding {
				same, unlike := 0, 0.0
				for _, spec := range turnModelTrees {
					x := r.Row(spec+" L-turn, R-turn", unlikeUpdown)
					if x == nil {
						return paper.Lacking()
					}
					if unlike = max(unlike, x.Ours); x.Ours == 0 {
						same++
					}
				}
				text := fmt.Sprintf("on %d of %d", same, len(turnModelTrees))
				if unlike > 0 {
					text += fmt.Sprintf(", up to %g others", unlike)
				}
				return paper.Decide(unlike == 0, text)
			}},
	}
}
