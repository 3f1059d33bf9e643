package cert

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// This file specifies version 2 of the format, in which the states of a relation come in blocks.
//
// A file of version 2 differs from one of version 1 as follows. Schema is StreamSchema. The subject
// is a relation without gates. Its lists inject and states are empty, and so are the lists commits
// and escape where version 1 has them. After the claims comes the field "blocks": a list of at least
// one Block, ascending by their first destination. Each destination belongs to one block. Within a
// block, states are ascending by VC and class, and the next hops of a state are ascending as well.
//
// A reader judges the blocks one after the other. So it needs memory for the network and for one
// block, however many destinations there are.

// StreamSchema names the format with blocks.
const StreamSchema = "turnproof.certificate/2"

// Block holds the states of packets to some destinations: their VCs, classes and permitted next hops.
// All destinations of a block are at different endpoints of one switch, and packets to them have the same
// states, with two exceptions. Home stands for VC index 0 of the ejection channel of the packet's own destination.
// The endpoint of a destination does not send to this destination, so the states on its injection
// channel are those of packets to the others.
//
// A state on an injection channel says that its endpoint sends to the destinations with its class.
// If a block has several destinations, all hops of states on injection channels of their endpoints
// are Home, and no hop leads to another VC of their ejection channels.
type Block struct {
	Destinations Ints `json:"destinations"`          // ascending
	VCs          Ints `json:"vcs"`                   // by state; not of ejection channels
	Classes      Ints `json:"classes,omitempty"`     // by state; absent if the relation has one class
	Counts       Ints `json:"counts"`                // by state: number of permitted next hops
	Hops         Ints `json:"hops"`                  // by next hop: its VC, or Home
	HopClasses   Ints `json:"hop_classes,omitempty"` // by next hop; absent if the relation has one class
	// Commits, by state, is present if and only if Subject.Waiting is "mixed" (see Relation.Commits).
	Commits Ints `json:"commits,omitempty"`
	// Escape, by next hop, is present if and only if a claim has the evidence escape (see EvidenceEscape).
	Escape Ints `json:"escape,omitempty"`
}

// Home is the next hop to the ejection channel of the packet's destination.
const Home = -1

// Blocks are the blocks of a relation.
type Blocks interface {
	// Each calls visit for every block in order, from up to workers goroutines at a time; their numbers are
	// 0..workers-1. The block belongs to visit until visit returns. Each returns the error of the first
	// block, in order, for which visit fails, or its own.
	Each(workers int, visit func(worker int, b *Block) error) error
}

// class returns the class of a state or hop from the list of classes.
func class(list Ints, i int) int32 {
	if list == nil {
		return 0
	}
	return list[i]
}

// inOrder calls do for 0..n-1 from up to workers goroutines. It returns the error of the least number that fails; the
// numbers before it have been done then.
func inOrder(workers, n int, do func(worker, i int) error) error {
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			if err := do(0, i); err != nil {
				return err
			}
		}
		return nil
	}
	var next, failed atomic.Int64
	failed.Store(int64(n))
	errs := make([]error, workers)
	at := make([]int64, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < failed.Load(); i = next.Add(1) - 1 {
				if err := do(w, int(i)); err != nil {
					errs[w], at[w] = err, i
					for least := failed.Load(); i < least && !failed.CompareAndSwap(least, i); least = failed.Load() {
					}
					return
				}
			}
		})
	}
	wait.Wait()
	for w, err := range errs {
		if err != nil && at[w] == failed.Load() {
			return err
		}
	}
	return nil
}

// workers returns the number of goroutines that judge blocks.
func workers() int { return runtime.GOMAXPROCS(0) }
