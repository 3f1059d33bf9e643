package layers

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
)

// This file decides whether k VCs are enough for all demands. It states clauses for some demands. If these have no
// solution, the others have none either. Otherwise the others are added to the solution greedily, and those that
// find no VC join the clauses (lazy constraints; G. Dantzig, R. Fulkerson and S. Johnson, Operations Research 2(4),
// 1954, for cuts).

// mostClauses bounds the size of a formula: the choices of VCs and the dependencies of all demands.
const mostClauses = 2_000_000

// decider decides about demands.
type decider struct {
	net     *model.Network // with one VC
	mode    Mode
	demands []demand
	random  *rand.Rand
}

// weight returns the number of clauses of a demand, about.
func (x *decider) weight(u, k int) int {
	d := &x.demands[u]
	if x.mode == PerHop {
		k *= k
	}
	return (len(d.turns) + len(d.path)) * k
}

// decide searches for k VCs. It begins with the demands of start. If the result is Sat, vcs has the VCs by demand.
// If it is Unsat, core are demands for which k VCs are not enough.
func (x *decider) decide(ctx context.Context, k int, start []int) (vcs [][]int32, core []int, result clausal.Result) {
	active := slices.Clone(start)
	for {
		size := 0
		list := make([]demand, len(active))
		for i, u := range active {
			list[i] = x.demands[u]
			size += x.weight(u, k)
		}
		if size > mostClauses {
			return nil, nil, clausal.Unknown
		}
		f := newFormula(x.mode, k, list, x.net.NumLinkChannels())
		of, result := f.solve(ctx)
		switch result {
		case clausal.Unsat:
			_, needed := f.refutation()
			for _, i := range needed {
				core = append(core, active[i])
			}
			return nil, core, result
		case clausal.Unknown:
			return nil, nil, result
		}
		vcs, failed := x.extend(f, k, active, of)
		if len(failed) == 0 {
			return vcs, nil, clausal.Sat
		}
		active = append(active, failed[:min(len(failed), max(20, len(active)/2))]...)
	}
}

// extend adds the other demands to a solution. It returns those that find no VC.
func (x *decider) extend(f *formula, k int, active []int, of []int32) (vcs [][]int32, failed []int) {
	p := newPlacer(x.net, x.mode, k)
	vcs = make([][]int32, len(x.demands))
	for i, u := range active {
		n := 1
		if x.mode.byHop() {
			n = len(x.demands[u].path)
		}
		vcs[u] = of[f.first[i]:][:n]
		if _, ok := p.put(&x.demands[u], vcs[u]); !ok {
			panic("layers: a solution of the clauses closes a cycle")
		}
	}
	for _, u := range x.random.Perm(len(x.demands)) {
		if vcs[u] == nil {
			if vcs[u] = p.place(&x.demands[u], x.random); vcs[u] == nil {
				failed = append(failed, u)
			}
		}
	}
	return vcs, failed
}

// shrink returns a part of core for which k VCs are not enough, and the steps that show it, once the demands that
// the last refutation does not need are left out.
func (x *decider) shrink(ctx context.Context, k int, core []int) (smaller []int, steps []int32) {
	for {
		list := make([]demand, len(core))
		for i, u := range core {
			list[i] = x.demands[u]
		}
		f := newFormula(x.mode, k, list, x.net.NumLinkChannels())
		if _, r := f.solve(ctx); r != clausal.Unsat {
			return core, nil
		}
		steps, needed := f.refutation()
		if len(needed) == len(core) {
			return core, steps
		}
		smaller := make([]int, len(needed))
		for i, at := range needed {
			smaller[i] = core[at]
		}
		core = smaller
	}
}
