package cert

import (
	"reflect"
	"slices"
)

// This file judges the blocks of a relation before the claims are known.
//
// A caller that makes blocks to find its evidence can have them judged at the same time, so that it makes them once. The
// steps are those of judgeBlocks. Dependencies are collected, as for a relation with symmetries, and compared with
// the ranks when these are known. A certificate that needs more than this is judged by its blocks again: one
// with an escape, with ranks for one next hop of several, with symmetries, or with packets as evidence.
// Memory: besides that of judgeBlocks, one bit for each two VCs of which one enters a switch that the other leaves.

// Early holds what the blocks of a relation show.
type Early struct {
	subject  Subject
	rel      relation
	list     []*reach // by worker
	rejected []bool   // by worker: it rejected a block
}

// EarlyBlocks are blocks that can have been judged before.
type EarlyBlocks interface {
	Blocks
	// Early returns what these blocks show if all have been judged, or nil.
	Early() *Early
}

// NewEarly returns a judge of the blocks of a subject for a number of workers. The subject must be a relation without
// symmetries.
func NewEarly(s *Subject, workers int) (*Early, error) {
	wires, err := Rebuild(&s.Network)
	if err != nil {
		return nil, err
	}
	rel, err := newRelation(s, wires)
	return &Early{*s, rel, make([]*reach, workers), make([]bool, workers)}, err
}

// Judge judges a block. Calls of different workers can be concurrent. If it rejects a block, Check judges all blocks
// again, and reports the rejection.
func (e *Early) Judge(worker int, b *Block) {
	if e.list[worker] == nil {
		e.list[worker] = newReach(&e.rel, nil, nil, nil)
		e.list[worker].deps = newDependencies(&e.rel)
	}
	if e.list[worker].judge(b) != nil {
		e.rejected[worker] = true
	}
}

// fits reports whether the blocks were judged for this relation, and need not be judged again for claims with these orders.
func (e *Early) fits(r *streamed, orders []order, escapes *escapeOrder) bool {
	if e == nil || slices.Contains(e.rejected, true) || escapes != nil || len(r.images) > 0 || len(r.kept) > 0 {
		return false
	}
	for i := range orders {
		if !orders[i].every {
			return false
		}
	}
	own, subject := &e.subject, r.subject
	return own.Waiting == subject.Waiting && reflect.DeepEqual(&own.Network, &subject.Network) && reflect.DeepEqual(own.Relation, subject.Relation)
}
