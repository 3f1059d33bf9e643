package streams

// This file defines a problem, and what happens in it.
//
// A node of a route is a resource with the node before it. Node 0 is the root, a buffer that the sender
// writes into. A node without successors is a leaf, a buffer that a receiver takes words from. The nodes
// from a buffer down to the next buffers of the route, with these, are the stage of the buffer.
//
//  1. A resource is held by at most one packet. A packet that is sent asks for the root. Where it is the first
//     packet of a buffer and has a word there, it asks for the nodes of the stage, each once it holds the one before.
//     If several packets ask for a free resource, any of them gets it.
//  2. The sender writes words of the packet into the root while that has room. A word moves from a buffer to
//     the next buffers of the stage when the packet is the first of the buffer, holds all nodes of the stage, and all these buffers have room. Words that
//     a leaf drops need none.
//  3. When the last word of the packet has left the buffer, the packet gives back the nodes of the stage, and leaves the buffer.
//     It gives back the root when its last word is written. Packets are in a buffer in the order in which they got it.
//  4. An agent runs its program. Send waits until the last word is written into the root; Take until as many words
//     were at the front of the buffer as it wants; Acquire until the counter has the amount, which it subtracts. Release
//     adds. If several agents can acquire, any of them does.
//
// A run ends when nothing can happen. It hangs if a required agent has not ended its program.

// Problem is a set of agents and what they share.
type Problem struct {
	Name      string
	Resources []Resource
	Counters  []Counter
	Routes    []Route
	Agents    []Agent
	// Notes say what a reader assumed or left out.
	Notes []string
}

// Resource is an arbiter or a link if Words is 0, else a buffer.
type Resource struct {
	Name  string
	Words int
}

// Counter is a semaphore with its first value.
type Counter struct {
	Name  string
	Value int
}

// Route is a tree of resources. Parents come before their children.
type Route struct {
	Name  string
	Nodes []Node
}

// Node is one resource of a route. Parent is the index of the node before it, or -1 at the root. A leaf drops the first
// Drop words of each packet when they arrive, such as a header.
type Node struct{ Resource, Parent, Drop int }

// Agent runs a program.
type Agent struct {
	Name     string
	Required bool // a run in which it does not end hangs
	Program  []Action
}

// Kind is what an action does.
type Kind int

// The kinds of actions.
const (
	Send    Kind = iota // a packet of Amount words on route Object
	Take                // Amount words of buffer Object; of packets of Route only, unless it is -1
	Acquire             // Amount of counter Object
	Release             // Amount of counter Object
	Repeat              // the next Object actions Amount times, or for ever if Amount is 0
)

// Action is a step of a program.
type Action struct {
	Kind   Kind
	Object int
	Amount int
	Route  int // of Take
}

// Upstream returns, for each node of a route, the nearest node before it that is a buffer, or -1 at the root.
func (p *Problem) Upstream(r *Route) []int {
	up := make([]int, len(r.Nodes))
	for i, n := range r.Nodes {
		switch {
		case n.Parent < 0:
			up[i] = -1
		case p.Resources[r.Nodes[n.Parent].Resource].Words > 0:
			up[i] = n.Parent
		default:
			up[i] = up[n.Parent]
		}
	}
	return up
}
