package verify

import (
	"context"
	"math/bits"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/worms"
)

// This file searches for an escape. An escape proves adaptive routing deadlock-free under
// wormhole switching although the dependency graph has cycles (J. Duato, IEEE Transactions on
// Parallel and Distributed Systems 4(12), 1993). verify/cert/escape.go has the theorem and
// its proof.
//
// Promise: the result is an escape. The search tries the VCs that the relation names, then sets of VC indices,
// small sets first, then any hops (package worms). If none is found, no escape exists, or the states are
// too many. A deadlock need not exist then.
// Cost: one numbering (cdg.NumberEscape) for each try.

// maxTries bounds the sets of VC indices that are tried.
const maxTries = 1 << 8

type numberedEscape struct {
	ranks  []int32
	escape cdg.Escape
}

// findEscape returns an escape of r with its numbering, or nil and the reason. In states for
// which commits returns true, all hops must be escape hops. If commits is nil, no state commits.
func findEscape(ctx context.Context, r model.Relation, commits func(model.State) bool) (*numberedEscape, string, error) {
	const why = "the dependency graph has a cycle, no escape exists, and packets that hold one VC each cannot block themselves"
	if _, ok := r.(*model.Table); ok {
		return nil, why, nil
	}
	n := r.Network()
	try := func(is func(v model.VCID) bool) (*numberedEscape, error) {
		links := model.VCID(n.NumLinkVCs())
		chosen := make([]bool, links)
		for v := range chosen {
			chosen[v] = is(model.VCID(v))
		}
		escape := func(s model.State, h model.Hop) bool {
			return h.VC < links && (chosen[h.VC] || commits != nil && commits(s))
		}
		e, err := cdg.NumberEscape(ctx, r, escape, commits == nil)
		if e == nil || e.Ranks == nil {
			return nil, err
		}
		return &numberedEscape{e.Ranks, escape}, err
	}
	if e, ok := r.(model.Escaper); ok {
		if f, err := try(e.EscapeVC); f != nil || err != nil {
			return f, "", err
		}
	}
	for size := 1; size < n.VCs(); size++ {
		for set := range uint(min(1<<min(n.VCs(), 16), maxTries)) {
			if bits.OnesCount(set) != size {
				continue
			}
			if f, err := try(func(v model.VCID) bool { _, i := n.Channel(v); return set>>i&1 != 0 }); f != nil || err != nil {
				return f, "", err
			}
		}
	}
	g, err := worms.New(ctx, r, commits)
	if g == nil || err != nil {
		return nil, why, err
	}
	if ranks, escape := g.Escape(); ranks != nil {
		return &numberedEscape{ranks, escape}, "", nil
	}
	return nil, why, nil
}

// escapeFlags returns a flag for each hop, in the order of the certificate: 1 for an escape hop.
func escapeFlags(r model.Relation, escape cdg.Escape) cert.Ints {
	flags := cert.Ints{}
	eachState(r, func(s model.State, hops []model.Hop) {
		for _, h := range hops {
			flag := int32(0)
			if escape(s, h) {
				flag = 1
			}
			flags = append(flags, flag)
		}
	})
	return flags
}
