package classics

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/enumerate"
)

func autonet() paper.Paper {
	return paper.Paper{Name: "autonet-1991", Title: "Autonet: a high-speed, self-configuring local area network using point-to-point links",
		Source: "M. D. Schroeder and others, IEEE Journal on Selected Areas in Communications 9(8), 1991",
		Items: []paper.Item{
			{Name: "autonet-1991/figure-tree", About: "Up directions on a breadth-first spanning tree",
				Drawing: []string{`draw updown random:switches=10,degree=3,seed=1 -r updown,ties=id,root=0 --title "Up directions, root 0"`}},
			{Name: "autonet-1991/every-network", About: "Up*/down* on every network", Compute: upDownEverywhere,
				Evidence: paper.Proof, Claims: []paper.Claim{
					{Name: "autonet-1991/deadlock-free", Statement: "Paths that go up and then down cannot deadlock, on any network",
						Judge: paper.Needs([][2]string{{"up*/down*", "deadlock-free"}}, func(v []float64) paper.Finding {
							return paper.Decide(v[0] == 1,
								"proved for every network")
						})},
					{Name: "autonet-1991/connected", Statement: "Such paths connect all pairs, on any network",
						Judge: paper.Needs([][2]string{{"up*/down*", "connected"}}, func(v []float64) paper.Finding {
							return paper.Decide(v[0] == 1,
								"proved for every network")
						})}}},
		}}
}

func upDownEverywhere(ctx context.Context, r *paper.Result) error {
	e, err := enumerated("updown")
	if err != nil {
		return err
	}
	for _, p := range e.Space.Published() {
		x := enumerate.SetReport{Set: e.Space.All().Minus(p.Prohibited)}
		if err := x.Decide(ctx, e, enumerate.NewWitnesses(e)); err != nil {
			return err
		}
		for _, c := range []struct {
			name string
			ok   bool
		}{{"deadlock-free", x.Free && x.Evidence != nil}, {"connected", x.Connected}} {
			word, number := "no", 0.0
			if c.ok {
				word, number = "yes", 1
			}
			r.AddText("up*/down*", c.name, "", word, number)
		}
	}
	return nil
}

func lturn() paper.Paper {
	return paper.Paper{Name: "l-turn-2001", Title: "L-turn routing: an adaptive routing in irregular networks",
		Source: "M. Koibuchi, A. Funahashi, A. Jouraku and H. Amano, International Conference on Parallel Processing, 2001",
		Notes:  []string{"The later paper on the [2-D turn model](../turn-model/README.md) has the proofs and tables of throughput."},
		Items: []paper.Item{
			{Name: "l-turn-2001/figure-directions", Wide: true, About: "The four directions of an H/V graph",
				Drawing: []string{`draw hv random:switches=10,degree=3,seed=1 -r updown,root=0 --title "H/V graph, root 0"`}},
			{Name: "l-turn-2001/paths", About: "Mean path and balance on random networks with 4 links a switch", Seeds: 10, Readings: true,
				Compute: lturnPaths, Evidence: paper.Sample,
				Claims: []paper.Claim{
					{Name: "l-turn-2001/shorter", Statement: "Paths of L-turn are shorter than those of up*/down* on average",
						Judge:  compareLturn("mean hops", -1),
						Reason: "On 16 switches they are slightly longer; from 32 on they are shorter"},
					{Name: "l-turn-2001/balance", Statement: "L-turn balances traffic better than up*/down*", Judge: compareLturn("throughput 1/M", 1)}}},
		}}
}

var lturnSizes = []int{16, 32, 64, 128}

// lturnRoots are the readings of the root. The first one is that of table 2 of the later paper.
var lturnRoots = []string{"crossing-free", "auto"}

func lturnPaths(ctx context.Context, r *paper.Result) error {
	for k, root := range lturnRoots {
		if !r.Wants(k, "root "+root) {
			continue
		}
		for _, size := range lturnSizes {
			for _, method := range []string{"updown", "lturn-alpha"} {
				if err := lturnRow(ctx, r, size, method, root); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func lturnRow(ctx context.Context, r *paper.Result, size int, method, root string) error {
	v, err := r.Points(ctx, r.Seeds, func(i int) string { return fmt.Sprintf("%d switches, %s, root %s, seed %d", size, method, root, i+1) },
		func(ctx context.Context, i int) ([]float64, error) {
			n, err := topo.Parse(fmt.Sprintf("random:switches=%d,degree=4,hosts=4,seed=%d", size, i+1))
			if err != nil {
				return nil, err
			}
			set, err := synth.New(ctx, method, n, synth.Options{Root: root})
			if err != nil {
				return nil, err
			}
			w, err := synth.MeasurePaths(ctx, set.Allowed, model.NewDemand(n, model.UniformTraffic(n)))
			if err != nil {
				return nil, err
			}
			return []float64{w.MeanPath, w.Throughput()}, nil
		})
	if err != nil {
		return err
	}
	for k, name := range []string{"mean hops", "throughput 1/M"} {
		var list []float64
		for _, x := range v {
			list = append(list, x[k])
		}
		r.AddRow(fmt.Sprintf("%d switches", size), method+" "+name, "root "+root, nan, list...)
	}
	return nil
}

// compareLturn judges whether L-turn is above (sign 1) or below (sign -1) up*/down* at all sizes.
func compareLturn(quantity string, sign float64) func(*paper.Result) paper.Finding {
	return func(r *paper.Result) paper.Finding {
		as, text := 0, ""
		for _, size := range lturnSizes {
			item := fmt.Sprintf("%d switches", size)
			a, b := r.Row(item, "lturn-alpha "+quantity), r.Row(item, "updown "+quantity)
			if a == nil || b == nil {
				return paper.Lacking()
			}
			if sign*(a.Ours-b.Ours) > 0 {
				as++
			}
			text += fmt.Sprintf(", %.3f", a.Ours/b.Ours)
		}
		return paper.Decide(as == len(lturnSizes), "ratios "+text[2:])
	}
}
