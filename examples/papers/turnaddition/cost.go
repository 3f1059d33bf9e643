package turnaddition

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// This file runs the program of figure 16 as it is printed and counts its steps.

// cost counts the turns that the searches of the program visit, on random networks of growing size.
func cost(ctx context.Context, r *paper.Result) error {
	for _, size := range []int{10, 20, 40, 80} {
		v, err := r.One(ctx, fmt.Sprintf("steps, %d switches", size), func(context.Context) ([]float64, error) {
			n, err := topo.Parse(fmt.Sprintf("random:switches=%d,degree=4,seed=1", size))
			if err != nil {
				return nil, err
			}
			turns, visits := steps(n)
			return []float64{turns, visits}, nil
		})
		if err != nil {
			return err
		}
		item := fmt.Sprintf("%d switches", size)
		r.AddRow(item, "turns n", "", nan, v[0])
		r.AddRow(item, "visited turns", "", nan, v[1])
		r.AddRow(item, "visited / n^2", "", nan, v[1]/v[0]/v[0])
	}
	return nil
}

// steps adds all turns of a network in a random order, and returns their number and that of visited turns. A
// search marks the turns that it has visited; the printed one does not, and may visit turns again.
func steps(n *model.Network) (turns, visits float64) {
	var list []model.Turn
	next := map[model.VCID][]model.Turn{} // allowed turns by their input channel
	for t := range model.Turns(n, false) {
		list = append(list, t)
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	decided := map[model.Turn]bool{}
	for _, t := range list {
		if decided[t] {
			continue
		}
		back := model.Turn{In: reversed(n, t.Out), Out: reversed(n, t.In)}
		decided[t], decided[back] = true, true
		loop, seen := false, map[model.Turn]bool{}
		stack := []model.Turn{t}
		for len(stack) > 0 && !loop {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			visits++
			for _, u := range next[at.Out] {
				loop = loop || u.Out == t.In
				if !seen[u] {
					seen[u] = true
					stack = append(stack, u)
				}
			}
		}
		if !loop {
			next[t.In] = append(next[t.In], t)
			next[back.In] = append(next[back.In], back)
		}
	}
	return float64(len(list)), visits
}

func reversed(n *model.Network, v model.VCID) model.VCID {
	c, i := n.Channel(v)
	return n.VC(n.Reverse(c), i)
}

func costClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-addition/square-cost", Statement: "Deciding all n turns takes O(n^2) steps", Published: "O(n^2)",
		Judge: func(r *paper.Result) paper.Finding {
			most, text := 0.0, ""
			for _, x := range r.Rows {
				if x.Quantity == "visited / n^2" {
					most = max(most, x.Ours)
					text += fmt.Sprintf(", %.3f", x.Ours)
				}
			}
			return paper.Decide(text != "" && most <= 1, "visited turns / n^2: "+text[min(2, len(text)):])
		}}}
}
