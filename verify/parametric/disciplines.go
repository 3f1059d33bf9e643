package parametric

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
)

// This file proves a program for every switching discipline.

// takePathClaims copies the claims about paths that first has decided. They do not depend on the switching discipline.
func (r *Report) takePathClaims(first *Report) {
	r.beside = append(r.beside, first)
	r.beside = append(r.beside, first.Alone...)
	for i, c := range r.Claims {
		if c.Verdict == verify.Undecided && slices.Contains(PathClaims, c.Name) {
			r.Claims[i] = first.Claims[i]
		}
	}
}

// ProveOpen proves p under every switching discipline; o.Switching must be empty. If one
// evidence decides all disciplines, it returns one report. Otherwise it returns a report for
// virtual cut-through and store-and-forward, and one for wormhole.
//
// A refutation under cut-through holds for all disciplines: packets that hold one VC each may
// be short enough for wormhole switching as well.
// Cost: that of Prove, or twice that if the dependency graph of the program has a cycle.
func ProveOpen(ctx context.Context, p *program.Program, o Options) ([]*Report, error) {
	o.source = "left open by the program, each is decided"
	o, alone, err := decideExtra(ctx, p, o)
	if err != nil {
		return nil, err
	}
	first, err := proveBeside(ctx, p, o, alone)
	if err != nil {
		return nil, err
	}
	if first.Verdict == verify.Refuted || first.manyPaths {
		first.Switching = model.Switchings()
		first.Premises = first.premises(o.source)
	}
	if err := first.proveRest(ctx, p, o); err != nil {
		return nil, err
	}
	first.takeExtra(alone)
	if len(first.Switching) == len(model.Switchings()) {
		return []*Report{first}, nil
	}
	o.Switching = model.Wormhole
	second, err := proveBeside(ctx, p, o, alone)
	if err != nil {
		return nil, err
	}
	if err := second.proveFreedom(ctx, p, o); err != nil {
		return nil, err
	}
	second.takeExtra(alone)
	second.takePathClaims(first)
	if second.Verdict == verify.Proved && first.Verdict != verify.Proved {
		return []*Report{second}, nil
	}
	if second.Verdict == verify.Proved {
		second.Switching = []model.Switching{model.Wormhole}
		second.Premises = second.premises(o.source)
	}
	return []*Report{first, second}, nil
}
