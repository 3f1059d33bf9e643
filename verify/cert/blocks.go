package cert

import (
	"cmp"
	"runtime"
	"slices"
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
// A relation can have symmetries. No endpoint has two destinations then, the image of the endpoint of a destination
// has a destination, and Subject.Multicast is absent. Let D be the destinations of a block. The images of D under the
// symmetries, any number of them one after the other, are different sets without common destinations. Each destination
// belongs to one of these sets for exactly one block. The states of packets to the image of a destination
// are the images of those to the destination. If symmetries lead from D to a set in several ways, a claim must hold
// for each of them. Evidence is of the kinds numbering, acyclic-cdg, walk, lost-packet, longest-path and forwarding-loop, and the packets
// that it shows are to destinations in blocks.
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

// sort puts states and next hops in the order of a file, and removes repeated hops. A hop is repeated
// if its VC and class are.
func (b *Block) sort() {
	first := make([]int32, len(b.VCs)+1)
	order := make([]int32, len(b.VCs))
	for i, k := range b.Counts {
		first[i+1], order[i] = first[i]+k, int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int {
		return cmp.Or(cmp.Compare(b.VCs[x], b.VCs[y]), cmp.Compare(class(b.Classes, int(x)), class(b.Classes, int(y))))
	})
	s := &Block{Destinations: b.Destinations}
	var hops []int32
	for _, i := range order {
		hops = hops[:0]
		for j := first[i]; j < first[i+1]; j++ {
			hops = append(hops, j)
		}
		hop := func(x, y int32) int {
			return cmp.Or(cmp.Compare(b.Hops[x], b.Hops[y]), cmp.Compare(class(b.HopClasses, int(x)), class(b.HopClasses, int(y))))
		}
		slices.SortFunc(hops, hop)
		hops = slices.CompactFunc(hops, func(x, y int32) bool { return hop(x, y) == 0 })
		s.VCs, s.Counts = append(s.VCs, b.VCs[i]), append(s.Counts, int32(len(hops)))
		s.Classes, s.Commits = appendAt(s.Classes, b.Classes, i), appendAt(s.Commits, b.Commits, i)
		for _, j := range hops {
			s.Hops = append(s.Hops, b.Hops[j])
			s.HopClasses, s.Escape = appendAt(s.HopClasses, b.HopClasses, j), appendAt(s.Escape, b.Escape, j)
		}
	}
	*b = *s
}

// appendAt appends entry i of from to list, if from is present.
func appendAt(list, from Ints, i int32) Ints {
	if from == nil {
		return list
	}
	return append(list, from[i])
}

// isSorted reports whether states and next hops are in the order of a file.
func (b *Block) isSorted() bool {
	j := 0
	for i := range b.VCs {
		if i > 0 && !ascending([]int32{b.VCs[i-1], class(b.Classes, i-1)}, []int32{b.VCs[i], class(b.Classes, i)}) {
			return false
		}
		end := j + int(b.Counts[i])
		for j++; j < end; j++ {
			if !ascending([]int32{b.Hops[j-1], class(b.HopClasses, j-1)}, []int32{b.Hops[j], class(b.HopClasses, j)}) {
				return false
			}
		}
		j = end
	}
	return true
}

// inOrder calls do for 0..n-1 from up to workers goroutines. It returns the error of the least number that fails; the
// numbers before it have been done then.
func inOrder(workers, n int, do func(worker, i int) error) error {
	var wait sync.WaitGroup
	var lock sync.Mutex
	var next atomic.Int64
	least, first := atomic.Int64{}, error(nil) // the least number that failed, and its error
	least.Store(int64(n))
	for w := range min(workers, n) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < least.Load(); i = next.Add(1) - 1 {
				if err := do(w, int(i)); err != nil {
					lock.Lock()
					if i < least.Load() {
						least.Store(i)
						first = err
					}
					lock.Unlock()
				}
			}
		})
	}
	wait.Wait()
	return first
}

// workers returns the number of goroutines that judge blocks.
func workers() int { return runtime.GOMAXPROCS(0) }

// ascending reports whether a is less than b in lexicographic order.
func ascending(a, b []int32) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}
