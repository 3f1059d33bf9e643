package verify

import (
	"context"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file has the checker judge the states of a relation while the prover explores them. So an acyclic relation is
// explored once. A cyclic one needs other evidence, for which the checker reads the states again.

// sampling is how many groups of destinations there are for each one in the sample of prepareEarly.
const sampling = 16

// prepareEarly sets blocks.early and returns the function that has the checker judge the states of a group. If a sample of
// the groups closes a cycle already, or other evidence is wanted, the checker judges nothing early.
func (r *Report) prepareEarly(ctx context.Context, groups []cdg.Group) (cdg.Visit, error) {
	nothing := func(int, *cdg.Group, *cdg.Space) {}
	if r.blocks == nil || r.Multicast() != nil || r.given.escape() {
		return nothing, nil
	}
	var sample []cdg.Group
	for i := 0; i < len(groups); i += sampling {
		sample = append(sample, groups[i])
	}
	g, err := cdg.BuildSymmetric(ctx, r.Relation, sample, nil, nil)
	if err != nil {
		return nil, err
	}
	if _, ok := g.Numbering(); !ok {
		return nothing, nil
	}
	list := make([]cert.Block, parallel.Workers(len(groups)))
	if r.blocks.early, err = cert.NewEarly(&r.subject, len(list)); err != nil {
		return nil, err
	}
	return func(worker int, group *cdg.Group, s *cdg.Space) {
		r.blocks.fill(&list[worker], group.Dests, s)
		r.blocks.early.Judge(worker, &list[worker])
	}, nil
}

// Early implements cert.EarlyBlocks.
func (b *blocks) Early() *cert.Early { return b.early }
