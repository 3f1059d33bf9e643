package workload

import (
	"fmt"
	"math"
)

// This file declares the graph of operations.

// Kind says what an operation does.
type Kind uint8

// The kinds of operations.
const (
	Calc Kind = iota
	Send
	Recv
)

// String returns the name of the kind.
func (k Kind) String() string { return [...]string{"calc", "send", "recv"}[k] }

// Any as a peer or tag of a receive takes messages of all ranks or with all tags.
const Any = -1

// NoCPU means that an operation needs no processor.
const NoCPU = -1

// OpID is the index of an operation in Graph.Ops.
type OpID int32

// NoOp is no operation.
const NoOp OpID = -1

// Op is an operation.
type Op struct {
	Amount int64 // bytes of a send or receive, nanoseconds of a calculation
	Tag    int64 // of a send or receive; Any only of a receive
	Rank   int32
	Peer   int32 // the other rank of a send or receive; Any only of a receive
	Line   int32 // position in its file: a line, a node or an operation, see Graph.Unit
	File   int32 // index in Graph.Files
	CPU    int16 // processor of its rank that a send or calculation needs, or NoCPU
	Kind   Kind
}

// Graph is a workload. Readers and generators return graphs that are complete and without cycles
// of dependencies within a rank.
type Graph struct {
	Name  string
	Ranks int
	Ops   []Op
	Files []string // the files that were read
	Unit  string   // what Op.Line counts: line, node, operation or step
	// Wild tells by rank whether it has a receive with Any.
	Wild []bool
	// Notes are remarks of the reader, for example parts of the file that have no effect.
	Notes []string

	channel  []int32 // by operation: its channel, or -1 for calculations and the receives of wild ranks
	channels int
	after    edges // by operation: those that require its end
	started  edges // by operation: those that require its start
	needs    []int32
}

// edges holds lists of operations by operation: list[from[x]:from[x+1]].
type edges struct {
	from []int32
	list []OpID
}

func (e *edges) of(x OpID) []OpID { return e.list[e.from[x]:e.from[x+1]] }

// Limits of a workload.
const (
	MaxRanks = 1 << 20
	maxOps   = 1 << 28
	maxBytes = 1 << 40
	maxTime  = 1 << 44 // nanoseconds of a calculation: almost 5 hours
)

// Messages returns the number of messages, and the sum of their bytes.
func (g *Graph) Messages() (count, bytes int64) {
	for i := range g.Ops {
		if g.Ops[i].Kind == Send {
			count++
			bytes += g.Ops[i].Amount
		}
	}
	return count, bytes
}

// Count returns the number of operations of a kind.
func (g *Graph) Count(k Kind) (count int) {
	for i := range g.Ops {
		if g.Ops[i].Kind == k {
			count++
		}
	}
	return count
}

// Dependencies returns the number of dependencies: requires and irequires.
func (g *Graph) Dependencies() int { return len(g.after.list) + len(g.started.list) }

// Requires calls f for each dependency. start means that op waits for the start of the other.
func (g *Graph) Requires(f func(op, on OpID, start bool)) {
	for i, e := range [...]*edges{&g.after, &g.started} {
		for on := range OpID(len(g.Ops)) {
			for _, op := range e.of(on) {
				f(op, on, i == 1)
			}
		}
	}
}

// At returns the position of an operation as FILE:LINE or as words.
func (g *Graph) At(x OpID) string {
	o := &g.Ops[x]
	file := g.Files[o.File]
	if g.Unit == "line" {
		return fmt.Sprintf("%s:%d", file, o.Line)
	}
	return fmt.Sprintf("%s, %s %d", file, g.Unit, o.Line)
}

// Describe returns what an operation does, without its rank.
func (g *Graph) Describe(x OpID) string {
	o := &g.Ops[x]
	tag := fmt.Sprintf(", tag %d", o.Tag)
	if o.Tag == Any {
		tag = ", any tag"
	}
	switch {
	case o.Kind == Calc:
		return fmt.Sprintf("calculation of %d ns", o.Amount)
	case o.Kind == Send:
		return fmt.Sprintf("send of %s to rank %d%s", Size(o.Amount), o.Peer, tag)
	case o.Peer == Any:
		return fmt.Sprintf("receive of %s from any rank%s", Size(o.Amount), tag)
	}
	return fmt.Sprintf("receive of %s from rank %d%s", Size(o.Amount), o.Peer, tag)
}

// Size returns a number of bytes in words.
func Size(bytes int64) string {
	if bytes == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// Error is an error in a workload with its position.
type Error struct {
	File string
	Unit string // what Line counts: line, node, operation
	Line int    // or 0 for the whole file
	Msg  string
	Err  error // cause, or nil
}

// Error implements error.
func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return e.File + ": " + e.Msg
	case e.Unit == "" || e.Unit == "line":
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s, %s %d: %s", e.File, e.Unit, e.Line, e.Msg)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// errorAt returns an error at the position of operation x.
func (g *Graph) errorAt(x OpID, format string, a ...any) error {
	o := &g.Ops[x]
	return &Error{File: g.Files[o.File], Unit: g.Unit, Line: int(o.Line), Msg: fmt.Sprintf("rank %d: ", o.Rank) + fmt.Sprintf(format, a...)}
}

// clampLine returns a line number that fits Op.Line.
func clampLine(line int) int32 { return int32(min(line, math.MaxInt32)) }
