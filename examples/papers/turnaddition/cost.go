package turnaddition

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// This file runs the program of figure 16 and counts its steps: as printed, where a search visits a turn again on each path to it, and
// with a mark on each visited turn.

// The readings of the search.
const (
	withoutMarks = "as printed, without marks"
	withMarks    = "with a mark on each visited turn"
)

// cost counts the turns that the searches of the program visit, on random networks of growing size.
func cost(ctx context.Context, r *paper.Result) error {
	for i, reading := range []string{withoutMarks, withMarks} {
		if !r.Wants(i, reading) {
			continue
		}
		for _, size := range []int{10, 30, 50, 70} {
			v, err := r.One(ctx, fmt.Sprintf("visits, %d switches, %s", size, reading), func(context.Context) ([]float64, error) {
				n, err := topo.Parse(fmt.Sprintf("random:switches=%d,degree=4,seed=1", size))
				if err != nil {
					return nil, err
				}
				turns, visits := visits(n, reading == withMarks)
				return []float64{turns, visits}, nil
			})
			if err != nil {
				return err
			}
			item := fmt.Sprintf("%d switches", size)
			r.AddRow(item, "turns n", reading, nan, v[0])
			r.AddRow(item, "visited turns", reading, nan, v[1])
			r.AddRow(item, "visited / n^2", reading, nan, v[1]/v[0]/v[0])
		}
	}
	return nil
}

// visits adds all turns of a network in a random order. It returns their number and that of visited turns.
func visits(n *model.Network, marks bool) (turns, visited float64) {
	var list []model.Turn
	for t := range model.Turns(n, false) {
		list = append(list, t)
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	next := map[model.VCID][]model.Turn{} // allowed turns by their input channel
	decided := map[model.Turn]bool{}
	for _, t := range list {
		if decided[t] {
			continue
		}
		back := model.Turn{In: reversed(n, t.Out), Out: reversed(n, t.In)}
		decided[t], decided[back] = true, true
		next[t.In] = append(next[t.In], t) // addturn
		loop, count := hasLoop(next, t, marks)
		if visited += count; loop {
			next[t.In] = next[t.In][:len(next[t.In])-1] // delturn
		} else {
			next[back.In] = append(next[back.In], back)
		}
	}
	return float64(len(list)), visited
}

// hasLoop is checkloop of figure 16. It also returns how many turns it took from its stack.
func hasLoop(next map[model.VCID][]model.Turn, t model.Turn, marks bool) (loop bool, visited float64) {
	seen := map[model.Turn]bool{}
	for stack := []model.Turn{t}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		visited++
		for _, u := range next[at.Out] {
			if u == t {
				return true, visited
			}
			if !marks || !seen[u] {
				seen[u] = true
				stack = append(stack, u)
			}
		}
	}
	return false, visited
}

func reversed(n *model.Network, v model.VCID) model.VCID {
	c, i := n.Channel(v)
	return n.VC(n.Reverse(c), i)
}

func costClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-addition/square-cost", Statement: "Deciding all n turns takes O(n^2) steps", Published: "O(n^2)",
		Settled: "Figure 16 marks no visited turn. With marks a search visits each turn once",
		Judge: func(r *paper.Result) paper.Finding {
			most, text := 0.0, ""
			for _, x := range r.DefaultRows() {
				if x.Quantity == "visited / n^2" {
					most = max(most, x.Ours)
					text += fmt.Sprintf(", %.2f", x.Ours)
				}
			}
			if text == "" {
				return paper.Lacking()
			}
			return paper.Decide(most <= 1, text[2:]+" n^2 visits")
		}}}
}
