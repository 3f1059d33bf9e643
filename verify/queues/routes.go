package queues

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/waits"
)

// This file has the states that packets can be in.

// node is a state of a packet with its next states.
type node struct {
	model.State
	hops    []*node // next states on VCs between switches
	leaves  bool    // a hop leads to a host, or there is no hop
	commits bool    // the packet waits for one of several hops, which is chosen
	asked   bool    // the hops are known
}

// trail is a state of a packet with the states before it.
type trail struct {
	*node
	before *trail // nil for the state at the host
}

// routes are the states that have been asked for.
type routes struct {
	rel     model.Relation
	links   model.VCID // number of VCs between switches
	commits func(model.State) bool
	nodes   map[model.State]*node
	buf     []model.Hop
}

func newRoutes(r model.Relation, commits func(model.State) bool) *routes {
	return &routes{rel: r, links: model.VCID(r.Network().NumLinkVCs()), commits: commits, nodes: map[model.State]*node{}}
}

// node returns the node of a state, whose hops need not be known.
func (x *routes) node(s model.State) *node {
	n := x.nodes[s]
	if n == nil {
		n = &node{State: s}
		x.nodes[s] = n
	}
	return n
}

// expand asks for the hops of a node.
func (x *routes) expand(n *node) {
	if n.asked {
		return
	}
	n.asked = true
	x.buf = x.rel.Next(n.State, x.buf[:0])
	n.commits = x.commits != nil && waits.IsChoice(x.buf) && x.commits(n.State)
	n.leaves = len(x.buf) == 0
	for _, h := range x.buf {
		if h.VC >= x.links {
			n.leaves = true
			continue
		}
		n.hops = append(n.hops, x.node(model.State{VC: h.VC, Dest: n.Dest, Class: h.Class}))
	}
}
