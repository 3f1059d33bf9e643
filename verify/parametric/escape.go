package parametric

import (
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/model/program"
)

// This file defines escapes: outputs that a packet is always permitted, and on which a rank
// rises although the whole dependency graph has cycles.
//
// An escape is the outputs to certain channels, or the first or last output of each path.
// Under virtual cut-through and store-and-forward every waiting packet needs one permitted
// channel of greater rank than its own; other permitted channels do no harm.

// escape selects among the outputs of a path.
type escape struct {
	nodes map[node]bool // whole nodes; if nil, last decides
	last  bool          // selects the last output, otherwise the first
}

// outputsOf returns the outputs of a path that belong to the escape.
func (e *escape) outputsOf(p *path) []program.Output {
	switch {
	case e.nodes != nil:
		return slices.DeleteFunc(slices.Clone(p.outputs), func(o program.Output) bool { return !e.nodes[node{dir: o.Dir, vc: o.VC}] })
	case len(p.outputs) == 0:
		return nil
	case e.last:
		return p.outputs[len(p.outputs)-1:]
	}
	return p.outputs[:1]
}

// has reports whether dependency d belongs to the escape. If e is nil, every dependency does.
func (e *escape) has(d dependency) bool {
	switch {
	case e == nil:
		return true
	case e.nodes != nil:
		return e.nodes[d.from.whole()] && e.nodes[d.to.whole()]
	case e.last:
		return d.last
	}
	return d.first
}

// isRanked reports whether channels of a node have a rank of the escape.
func (e *escape) isRanked(n node) bool { return e == nil || e.nodes == nil || e.nodes[n.whole()] }

// selected returns the outputs of a path that belong to the escape. If e is nil, all do.
func (e *escape) selected(p *path) []program.Output {
	if e == nil {
		return p.outputs
	}
	return e.outputsOf(p)
}

// leadsTo reports whether an escape output of a path leads to class c. If e is nil, all outputs count.
func (e *escape) leadsTo(p *path, c class) bool {
	return slices.ContainsFunc(e.selected(p), c.isOf)
}

// bySize returns the non-empty sets below end, small ones first.
func bySize(end uint) (sets []uint) {
	for s := uint(1); s < end; s++ {
		sets = append(sets, s)
	}
	slices.SortStableFunc(sets, func(a, b uint) int { return bits.OnesCount(a) - bits.OnesCount(b) })
	return sets
}
