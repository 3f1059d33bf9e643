package verify

import (
	"math/bits"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file looks for an escape, which shows adaptive routing free of deadlock
// under wormhole switching though its dependency graph has cycles (J. Duato,
// IEEE TPDS 4(12), 1993; the theorem and its proof stand in verify/cert/escape.go).
//
// Promise: what is returned is an escape. That none is found does not mean that
// there is a deadlock: only the VCs that the relation names, and sets of VC
// indices, the smaller ones first, are tried.
// Cost: one numbering (cdg.NumberEscape) per try.

// maxTries bounds the sets of VC indices that are tried.
const maxTries = 1 << 8

type foundEscape struct {
	ranks  []int32
	escape cdg.Escape
}

// closed reports whether packets on escape VCs stay on escape VCs. Then a packet
// that stands behind another one holds adaptive VCs only, or the other one is on
// its way along the escape, so that VCs need not be atomic.
func (f *foundEscape) closed(r model.Relation) bool {
	is := true
	n := r.Network()
	eachState(r, func(s model.State, hops []model.Hop) {
		if !n.IsLinkVC(s.VC) || f.ranks[s.VC] < 0 {
			return
		}
		for _, h := range hops {
			is = is && (!n.IsLinkVC(h.VC) || f.escape(s, h))
		}
	})
	return is
}

// findEscape returns an escape of r with its numbering, or why there is none. In states for which
// commits returns true all hops must be escape hops; if commits is nil, there are none.
func findEscape(r model.Relation, commits func(model.State) bool) (*foundEscape, string) {
	const why = "the dependency graph has a cycle, no escape was found among sets of VCs of the same index, and packets that hold one VC each cannot block themselves"
	if _, ok := r.(*model.Table); ok {
		return nil, why
	}
	n := r.Network()
	try := func(is func(v model.VCID) bool) *foundEscape {
		escape := func(s model.State, h model.Hop) bool {
			return n.IsLinkVC(h.VC) && (is(h.VC) || commits != nil && commits(s))
		}
		if e := cdg.NumberEscape(r, escape); e != nil && e.Ranks != nil {
			return &foundEscape{e.Ranks, escape}
		}
		return nil
	}
	if e, ok := r.(model.Escaper); ok {
		if f := try(e.EscapeVC); f != nil {
			return f, ""
		}
	}
	for size := 1; size < n.VCs(); size++ {
		for set := range uint(min(1<<min(n.VCs(), 16), maxTries)) {
			if bits.OnesCount(set) != size {
				continue
			}
			if f := try(func(v model.VCID) bool { _, i := n.Channel(v); return set>>i&1 != 0 }); f != nil {
				return f, ""
			}
		}
	}
	return nil, why
}

// escapeFlags lists, hop by hop in the order of the certificate, which hops
// are escape hops.
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
