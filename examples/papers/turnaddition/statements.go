package turnaddition

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/verify"
)

// This file checks the program of the paper, its example and its statement on reachability.

// twoRings returns two rings of three switches, joined by a path over switch 6. The paper's program leaves a
// cycle of ten channels there, see docs/turn-methods-reference.md.
func twoRings() (*model.Network, error) {
	b := model.NewBuilder()
	for range 7 {
		b.AddSwitch(model.Switch{})
	}
	ports := make([]model.Port, 7)
	for _, l := range [][2]model.SwitchID{{0, 1}, {0, 4}, {1, 4}, {2, 3}, {2, 5}, {3, 5}, {4, 6}, {5, 6}} {
		ports[l[0]]++
		ports[l[1]]++
		b.AddLink(l[0], ports[l[0]], l[1], ports[l[1]])
	}
	for u := range model.SwitchID(7) {
		b.AddHost(model.Host{Switch: u, Port: 9})
	}
	return b.Build()
}

// printedProgram makes the sets of the printed program and of the default form.
func printedProgram(ctx context.Context, r *paper.Result) error {
	n, err := twoRings()
	if err != nil {
		return err
	}
	return paper.WithFile(files, "files/rings.order", func(file string) error {
		for _, x := range []struct{ name, form string }{{"as printed", synth.FormPaper}, {"both turns tested", synth.FormBoth}, {"our default",
			synth.FormSafe}} {
			if err := programRow(ctx, r, n, x.name, synth.Options{Form: x.form, OrderFile: file}); err != nil {
				return err
			}
		}
		return nil
	})
}

func programRow(ctx context.Context, r *paper.Result, n *model.Network, name string, o synth.Options) error {
	set, err := synth.New(ctx, "turn-addition", n, o)
	if err != nil {
		return err
	}
	rep, err := verify.CheckTurns(ctx, set.Allowed, verify.TurnOptions{})
	if err != nil {
		return err
	}
	w, err := synth.MeasurePaths(ctx, set.Allowed, model.NewDemand(n, model.UniformTraffic(n)))
	if err != nil {
		return err
	}
	r.AddRow(name, "channels of a loop", "", nan, float64(len(rep.Cycle)))
	r.AddRow(name, "pairs without a path", "", nan, float64(w.Unreachable))
	return nil
}

func programClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-addition/program-acyclic", Statement: "The printed program leaves no loop of turns",
		Reason: "It adds the reverse of a turn untested, and both can close a loop together",
		Judge: paper.Needs([][2]string{{"as printed", "channels of a loop"}}, func(v []float64) paper.Finding {
			return paper.Decide(v[0] == 0, fmt.Sprintf("a loop of %g channels on 7 switches", v[0]))
		})}}
}

// workedExample adds the turns of figure 18 in the order of the paper.
func workedExample(ctx context.Context, r *paper.Result) error {
	n, err := topo.Parse("mesh:3x2")
	if err != nil {
		return err
	}
	return paper.WithFile(files, "files/example.order", func(file string) error {
		set, err := synth.New(ctx, "turn-addition", n, synth.Options{OrderFile: file, Form: synth.FormPaper})
		if err != nil {
			return err
		}
		for _, x := range []struct {
			name      string
			published float64 // 1 if the paper allows the turn
		}{{"DAB", 1}, {"ABE", 1}, {"EDA", 1}, {"BED", 0}, {"ABC", 1}, {"DEF", 1}, {"EBC", 1}, {"CFE", 1}, {"FEB", 1}, {"BCF", 0}} {
			in, out := channel(n, x.name[0], x.name[1]), channel(n, x.name[1], x.name[2])
			word, number := "prohibited", 0.0
			if set.Allowed.Has(model.Turn{In: model.VCID(in), Out: model.VCID(out)}) {
				word, number = "allowed", 1
			}
			r.AddText("turn "+x.name, "ours", "", word, number)
			r.AddText("turn "+x.name, "paper", "", map[float64]string{1: "allowed", 0: "prohibited"}[x.published], x.published)
		}
		return nil
	})
}

// channel returns the channel between two switches, which have letters.
func channel(n *model.Network, from, to byte) model.ChannelID {
	for _, c := range n.Out(model.SwitchID(from - 'A')) {
		if n.Kind(c) == model.SwitchToSwitch && n.Head(c) == model.SwitchID(to-'A') {
			return c
		}
	}
	return model.NoChannel
}

func exampleClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-addition/example", Statement: "In the example the turns BED and BCF are prohibited, and the other eight allowed",
		Published: "BED and BCF", Judge: func(r *paper.Result) paper.Finding {
			same, all := 0, 0
			for _, x := range r.Rows {
				if x.Quantity == "ours" {
					if all++; r.Row(x.Item, "paper").Ours == x.Ours {
						same++
					}
				}
			}
			return paper.Decide(same == all && all == 10, fmt.Sprintf("%d of %d turns as in the paper", same, all))
		}}}
}

// reachable counts pairs of hosts without a path on random networks.
func reachable(ctx context.Context, r *paper.Result) error {
	for _, x := range []struct{ name, form string }{{"as printed", synth.FormPaper}, {"our default", synth.FormSafe}} {
		v, err := r.Points(ctx, r.Seeds, func(i int) string { return fmt.Sprintf("%s, seed %d", x.form, i) }, func(ctx context.Context,
			i int) ([]float64, error) {
			n, err := topo.Parse(randomSpec(30, i+1))
			if err != nil {
				return nil, err
			}
			set, err := synth.New(ctx, "turn-addition", n, synth.Options{Form: x.form})
			if err != nil {
				return nil, err
			}
			w, err := synth.MeasurePaths(ctx, set.Allowed, model.NewDemand(n, model.UniformTraffic(n)))
			if err != nil {
				return nil, err
			}
			return []float64{float64(w.Pairs), float64(w.Unreachable)}, nil
		})
		if err != nil {
			return err
		}
		pairs, lost := 0.0, 0.0
		for _, y := range v {
			pairs, lost = pairs+y[0], lost+y[1]
		}
		r.AddRow(x.name, "pairs of hosts", "", nan, pairs)
		r.AddRow(x.name, "without a path", "", nan, lost)
	}
	return nil
}

func reachableClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-addition/reachable", Section: "section 4.2", Statement: "Turn addition leaves a path between all servers",
		Judge: paper.Needs([][2]string{{"as printed", "without a path"}, {"our default", "without a path"}, {"as printed", "pairs of hosts"}},
			func(v []float64) paper.Finding {
				return paper.Decide(v[0] == 0 && v[1] == 0, fmt.Sprintf("%.0f of %.0f pairs without a path as printed, %.0f by our default", v[0],
					v[2], v[1]))
			})}}
}
