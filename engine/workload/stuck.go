package workload

import (
	"fmt"
	"strings"
)

// This file explains why a workload waits for itself.

// waitsFor returns the operation that op waits for, and a text. NoOp means that none can help.
func (x *runner) waitsFor(op OpID, requires map[OpID][]OpID) (OpID, string) {
	o, s := &x.g.Ops[op], &x.ops[op]
	if s.start < 0 {
		if list := requires[op]; len(list) > 0 {
			return list[0], "requires"
		}
		return NoOp, ""
	}
	if o.Kind != Recv {
		return NoOp, ""
	}
	for y := range OpID(len(x.g.Ops)) {
		if p := &x.g.Ops[y]; p.Kind == Send && p.Peer == o.Rank && x.ops[y].start < 0 && x.match.fits(y, op) {
			return y, "waits for"
		}
	}
	return NoOp, ""
}

// stuck returns the error of a workload in which no operation can start or end. It follows the
// operations that wait for each other until one appears again.
func (x *runner) stuck() error {
	requires, first := map[OpID][]OpID{}, NoOp
	x.g.Requires(func(op, on OpID, start bool) {
		if x.ops[op].start < 0 && x.ops[on].end < 0 && (!start || x.ops[on].start < 0) {
			requires[op] = append(requires[op], on)
		}
	})
	for i := range x.ops {
		if x.ops[i].end < 0 && x.ops[i].start >= 0 {
			first = OpID(i)
			break
		}
	}
	if first == NoOp {
		return fmt.Errorf("internal error: %d operations never start", x.open)
	}
	var chain []string
	seen := map[OpID]bool{}
	for op := first; ; {
		seen[op] = true
		on, how := x.waitsFor(op, requires)
		if on == NoOp {
			break
		}
		if len(chain) < 10 {
			chain = append(chain, fmt.Sprintf("%s rank %d's %s (%s)", how, x.g.Ops[on].Rank, x.g.Describe(on), x.g.At(on)))
		}
		if op = on; seen[op] {
			break
		}
	}
	text := "no rank sends a message that it can take"
	if len(chain) > 0 {
		text = "it " + strings.Join(chain, ", which ")
	}
	return x.g.errorAt(first, "deadlock of the workload at clock %d, %d operations never end: the %s gets no message: %s", x.now, x.open,
		x.g.Describe(first), text)
}
