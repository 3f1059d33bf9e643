package model

import "fmt"

// This file says which of several permitted next hops a waiting packet takes.

// Waiting is what a packet with several permitted next hops waits for.
type Waiting string

// The kinds of waiting.
const (
	// WaitAny: a packet waits for all its permitted next VCs and takes the first free one.
	WaitAny Waiting = "any"
	// WaitOne: the next hop of a packet is chosen when the packet arrives on a VC, by a hash or by
	// a router that commits. The packet then waits for this hop only. Every permitted hop can be
	// the one that is chosen.
	WaitOne Waiting = "one"
	// WaitMixed: WaitOne in the states that a Committer names, WaitAny in all others.
	WaitMixed Waiting = "mixed"
)

// ParseWaiting reads the value of a flag: any or one.
func ParseWaiting(name string) (Waiting, error) {
	switch w := Waiting(name); w {
	case WaitAny, WaitOne:
		return w, nil
	}
	return "", fmt.Errorf("cannot read waiting %q: want any or one", name)
}

// Committer is a relation that says state by state how packets wait, as a table with hashed and
// with adaptive entries does.
type Committer interface {
	Relation
	// Commits reports whether the next hop of a packet in state s is chosen when the packet
	// arrives, as under WaitOne.
	Commits(s State) bool
}

// CommitsIn returns a function that reports for a state of r whether the next hop is chosen on
// arrival. If w is empty, r decides: a Committer by its method, any other relation as WaitAny. The
// function is nil if no state commits.
func CommitsIn(r Relation, w Waiting) func(State) bool {
	switch w {
	case WaitAny:
		return nil
	case WaitOne:
		return func(State) bool { return true }
	}
	if c, ok := r.(Committer); ok {
		return c.Commits
	}
	return nil
}
