package model

import "fmt"

// Waiting says which of its permitted next hops a packet waits for.
type Waiting string

// The kinds of waiting.
const (
	// WaitAny: a packet waits for all its permitted next VCs and takes the first free one.
	WaitAny Waiting = "any"
	// WaitOne: the next hop of a packet is chosen when the packet arrives on a VC, by a hash or
	// by a router that commits. The packet then waits for this hop only. Any permitted hop can
	// be chosen.
	WaitOne Waiting = "one"
	// WaitMixed: packets wait as under WaitOne in the states that a Committer names, else as
	// under WaitAny.
	WaitMixed Waiting = "mixed"
)

// ParseWaiting reads the value of a flag. It fails if name is neither any nor one.
func ParseWaiting(name string) (Waiting, error) {
	switch w := Waiting(name); w {
	case WaitAny, WaitOne:
		return w, nil
	}
	return "", fmt.Errorf("cannot read waiting %q: want any or one", name)
}

// Committer is a relation that says for each state how packets wait. An example is a table with
// hashed entries and adaptive entries.
type Committer interface {
	Relation
	// Commits reports whether the next hop of a packet in state s is chosen on arrival, as
	// under WaitOne.
	Commits(s State) bool
}

// CommitsIn returns a function that reports whether the next hop in a state of r is chosen on
// arrival. If w is empty, a Committer decides by its method, and any other relation waits as
// under WaitAny. The function is nil if the next hop is never chosen on arrival.
func CommitsIn(r Relation, w Waiting) func(State) bool {
	switch w {
	case WaitAny:
		return nil
	case WaitOne:
		return func(State) bool { return true }
	}
	switch r := r.(type) {
	case Committer:
		return r.Commits
	case *VirtualNetworks:
		return r.commits(w)
	}
	return nil
}
