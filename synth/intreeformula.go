package synth

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file is step 3 of InTrees: a SAT formula for an in-tree. This step makes the search
// complete.

// solve searches for a tree with the SAT solver. If there is none, it returns *NoInTree with a
// small set of switches that cannot be served together.
func (f *forest) solve(ctx context.Context) error {
	limit := sat.Limit{Time: f.o.Limit}
	s, x, served := f.formula()
	var want []sat.Lit
	for _, l := range served {
		if l != 0 {
			want = append(want, l)
		}
	}
	switch s.Solve(ctx, limit, want...) {
	case sat.Sat:
		for c, l := range x {
			if l != 0 && s.True(l) {
				f.choice[f.net.Tail(model.ChannelID(c))] = model.ChannelID(c)
			} else if u := f.net.Tail(model.ChannelID(c)); f.choice[u] == model.ChannelID(c) {
				f.choice[u] = model.NoChannel
			}
		}
		return nil
	case sat.Unknown:
		if err := ctx.Err(); err != nil {
			return err
		}
		return fmt.Errorf("in-tree to switch %d: %w", f.root, ErrUndecided)
	}
	none := &NoInTree{Dest: f.root, Shortest: f.o.Shortest}
	core := fewest(ctx, s, limit)
	for u, l := range served {
		for _, k := range core {
			if l == k {
				none.Sources = append(none.Sources, model.SwitchID(u))
			}
		}
	}
	return none
}

// formula returns clauses that describe an in-tree. x, by channel, means that the channel is
// chosen. served, by switch with hosts, means that the switch has a choice and a path that is
// short enough. A literal of 0 means that there is no such variable.
func (f *forest) formula() (s sat.Solver, x, served []sat.Lit) {
	s = sat.New()
	x, served = make([]sat.Lit, len(f.live)), make([]sat.Lit, len(f.out))
	for _, b := range f.Order {
		if c := model.ChannelID(b); f.net.Tail(c) != f.root {
			x[c] = s.Var()
		}
	}
	for u, out := range f.out {
		var list, right []sat.Lit
		for _, c := range out {
			if x[c] == 0 {
				continue
			}
			if list = append(list, x[c]); !f.o.Shortest || f.Dist[c] == f.need[u] {
				right = append(right, x[c])
			}
		}
		sat.AtMostOne(s, list)
		if f.hosts[u] > 0 && model.SwitchID(u) != f.root {
			served[u] = s.Var()
			s.Add(append(right, -served[u])...)
		}
	}
	for c, l := range x {
		if l != 0 && f.net.Head(model.ChannelID(c)) != f.root {
			clause := []sat.Lit{-l}
			for _, d := range f.After(model.VCID(c)) {
				if x[d] != 0 && f.joins(model.ChannelID(c), model.ChannelID(d)) {
					clause = append(clause, x[d])
				}
			}
			s.Add(clause...)
		}
	}
	return s, x, served
}

// fewest returns an unsatisfiable core from which no literal can be removed, as far as the limit
// allows.
func fewest(ctx context.Context, s sat.Solver, limit sat.Limit) []sat.Lit {
	core := s.Core()
	for i := 0; i < len(core); {
		less := append(append([]sat.Lit(nil), core[:i]...), core[i+1:]...)
		if s.Solve(ctx, limit, less...) == sat.Unsat {
			core = less
		} else {
			i++
		}
	}
	return core
}
