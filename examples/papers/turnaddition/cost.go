package turnaddition

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// This file runs the program of figure 16 and counts its steps: as printed, where a search visits a turn again on each path to it, and
// with a mark on each visited turn, a repair. As printed a search never ends if it enters a loop of turns without the added one. Such
// loops exist because the program adds the reverse of a turn untested.

// cost counts the turns that the searches of the program visit, on a random network of each size, and the networks on which it never ends.
func cost(ctx context.Context, r *paper.Result) error {
	for _, size := range []int{10, 30, 50, 70} {
		item := fmt.Sprintf("%d switches", size)
		for _, x := range []struct {
			name, key string
			marks     bool
		}{{"visited / n^2", "as printed, without marks", false}, {"visited / n^2, with marks", "with a mark on each visited turn", true}} {
			v, err := r.One(ctx, fmt.Sprintf("visits, %d switches, %s", size, x.key), func(context.Context) ([]float64, error) {
				n, err := topo.Parse(costSpec(size, 1))
				if err != nil {
					return nil, err
				}
				turns, visits, _ := distinct(n, 1, func(next nextTurns, t model.Turn) (bool, float64, bool) {
					loop, count := hasLoop(next, t, x.marks)
					return loop, count, true
				})
				return []float64{turns, visits}, nil
			})
			if err != nil {
				return err
			}
			if !x.marks {
				r.AddRow(item, "turns n", "", nan, v[0])
			}
			r.AddRow(item, x.name, "", nan, v[1]/v[0]/v[0])
		}
	}
	for _, size := range []int{20, 70} {
		v, err := r.One(ctx, fmt.Sprintf("endless, %d switches", size), func(context.Context) ([]float64, error) {
			endless := 0.0
			for seed := 1; seed <= costNetworks; seed++ {
				n, err := topo.Parse(costSpec(size, seed))
				if err != nil {
					return nil, err
				}
				if _, _, ends := distinct(n, uint64(seed), endsOf); !ends {
					endless++
				}
			}
			return []float64{endless}, nil
		})
		if err != nil {
			return err
		}
		r.AddRow(costItem(size), neverEnds, "", nan, v[0])
	}
	return nil
}

const (
	costNetworks = 400
	neverEnds    = "on which it never ends"
)

func costItem(size int) string { return fmt.Sprintf("%d networks of %d switches", costNetworks, size) }

func costSpec(size, seed int) string {
	return fmt.Sprintf("random:switches=%d,degree=4,seed=%d", size, seed)
}

// nextTurns has the allowed turns by their input channel.
type nextTurns map[model.VCID][]model.Turn

// distinct adds all turns of a network in a random order, from a seed. check searches for a loop through a turn. distinct returns the number of turns
// and of steps, and whether all searches end.
func distinct(n *model.Network, order uint64, check func(nextTurns, model.Turn) (loop bool, steps float64, ends bool)) (turns, steps float64, ends bool) {
	var list []model.Turn
	for t := range model.Turns(n, false) {
		list = append(list, t)
	}
	rand.New(rand.NewPCG(order, 1)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	next := nextTurns{}
	decided := map[model.Turn]bool{}
	for _, t := range list {
		if decided[t] {
			continue
		}
		back := model.Turn{In: reversed(n, t.Out), Out: reversed(n, t.In)}
		decided[t], decided[back] = true, true
		next[t.In] = append(next[t.In], t) // addturn
		loop, count, ends := check(next, t)
		if !ends {
			return float64(len(list)), steps, false
		}
		if steps += count; loop {
			next[t.In] = next[t.In][:len(next[t.In])-1] // delturn
		} else {
			next[back.In] = append(next[back.In], back)
		}
	}
	return float64(len(list)), steps, true
}

// hasLoop is checkloop of figure 16. It also returns how many turns it took from its stack.
func hasLoop(next nextTurns, t model.Turn, marks bool) (loop bool, visited float64) {
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

// endsOf decides whether checkloop as printed ends, and what it returns. The program takes turns from its stack in the order of a
// depth-first search that begins with the last next turn. It never ends if it enters a turn again that it has not left.
func endsOf(next nextTurns, t model.Turn) (loop bool, steps float64, ends bool) {
	const entered, left = 1, 2
	state := map[model.Turn]int{}
	var visit func(at model.Turn) bool // whether the search goes on
	visit = func(at model.Turn) bool {
		state[at] = entered
		list := next[at.Out]
		if loop = slices.Contains(list, t); loop {
			return false
		}
		for _, u := range slices.Backward(list) {
			if state[u] == entered || state[u] == 0 && !visit(u) {
				return false
			}
		}
		state[at] = left
		return true
	}
	done := visit(t)
	return loop, 0, done || loop
}

func reversed(n *model.Network, v model.VCID) model.VCID {
	c, i := n.Channel(v)
	return n.VC(n.Reverse(c), i)
}

func costClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-addition/square-cost", Statement: "Deciding all n turns takes O(n^2) steps", Published: "O(n^2)",
		Reason: "Figure 16 marks no visited turn; marks are a repair",
		Judge: func(r *paper.Result) paper.Finding {
			most, printed, marked := 0.0, "", 0.0
			for _, x := range r.Rows {
				switch x.Quantity {
				case "visited / n^2":
					most = max(most, x.Ours)
					printed += fmt.Sprintf(", %.2f", x.Ours)
				case "visited / n^2, with marks":
					marked = max(marked, x.Ours)
				}
			}
			few, many := r.Row(costItem(20), neverEnds), r.Row(costItem(70), neverEnds)
			if printed == "" || few == nil || many == nil {
				return paper.Lacking()
			}
			return paper.Decide(most <= 1 && few.Ours+many.Ours == 0, fmt.Sprintf("%s n^2 visits, at most %.2f with marks; it never ends on %g of %d "+
				"networks of 20 switches, %g of %d of 70", printed[2:], marked, few.Ours, costNetworks, many.Ours, costNetworks))
		}}}
}
