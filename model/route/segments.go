package route

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file implements segment-based routing (SR) on any network.
//
// The links are divided into segments, one after the other. A segment begins at a visited switch, passes switches that no earlier segment
// has visited, and ends at a visited switch, possibly that of its begin. At one switch inside it, a packet must not turn from one
// link of the segment to the other. A
// segment of a single link has no inside: at its second switch, a packet must not turn between this link and links of earlier
// segments. A link that is in no cycle is no
// segment. A packet takes any shortest path without a prohibited turn.
//
// Promise: acyclic and connected. A cycle has a last segment, which it passes from end to end, over the prohibited turn. From every
// switch inside a segment one
// end is reached over the segment, and no turn between the end's earlier links and the segment is prohibited. Source: Mejía, Flich,
// Duato, Reinemo, Skeie, Segment-based routing: an efficient fault-tolerant routing algorithm for meshes and tori, IPDPS 2006,
// section 3. Differences: the paper
// leaves open where in a segment the turn is prohibited; we take the middle. Searches for segments are breadth first, by port. Class: none.

// segments finds the segments of a network with one VC.
type segments struct {
	net     *model.Network
	allowed *model.TurnSet
	visited []bool // by switch
	used    []bool // by channel: its link is in a segment, or in no cycle
	order   []model.SwitchID
}

func newSegments(n *model.Network, o Options) (model.Relation, error) {
	one := n.WithVCs(1)
	start := model.SwitchID(0)
	if o.Root != nil {
		if start = *o.Root; start < 0 || int(start) >= n.NumSwitches() {
			return nil, fmt.Errorf("route: segments: no switch %d for the root; want 0 to %d", start, n.NumSwitches()-1)
		}
	} else if n.NumSwitches() > 0 {
		start = hv.Center(n, 0)
	}
	s := &segments{net: one, allowed: model.NewTurnSet(one), visited: make([]bool, n.NumSwitches()), used: make([]bool, one.NumLinkChannels())}
	for t := range model.Turns(one, false) {
		s.allowed.Add(t)
	}
	s.cover(start)
	for u := range model.SwitchID(n.NumSwitches()) { // other components
		if !s.visited[u] {
			s.cover(u)
		}
	}
	return FromTurns(s.lift(n), false), nil
}

// lift returns the turns for all VCs of n.
func (s *segments) lift(n *model.Network) *model.TurnSet {
	if n.VCs() == 1 {
		return s.allowed
	}
	lifted := model.NewTurnSet(n)
	for t := range s.allowed.All() {
		for i := range n.VCs() {
			for j := range n.VCs() {
				lifted.Add(model.Turn{In: n.VC(model.ChannelID(t.In), i), Out: n.VC(model.ChannelID(t.Out), j)})
			}
		}
	}
	return lifted
}

// cover divides the component of a switch into segments.
func (s *segments) cover(start model.SwitchID) {
	s.visit(start)
	for i := len(s.order) - 1; i < len(s.order); i++ {
		for _, c := range s.net.Out(s.order[i]) {
			if s.net.Kind(c) == model.SwitchToSwitch && !s.used[c] {
				s.add(s.segment(c))
			}
		}
	}
}

func (s *segments) visit(u model.SwitchID) {
	s.visited[u] = true
	s.order = append(s.order, u)
}

// segment returns the shortest segment that begins with channel c, or c alone if it is in no cycle.
func (s *segments) segment(c model.ChannelID) []model.ChannelID {
	before := map[model.SwitchID]model.ChannelID{s.net.Head(c): c}
	if s.visited[s.net.Head(c)] {
		return []model.ChannelID{c}
	}
	for queue := []model.SwitchID{s.net.Head(c)}; len(queue) > 0; queue = queue[1:] {
		for _, x := range s.net.Out(queue[0]) {
			w := s.net.Head(x)
			if w == model.NoSwitch || s.used[x] || x == s.net.Reverse(c) || x == s.net.Reverse(before[queue[0]]) {
				continue
			}
			if s.visited[w] {
				path := []model.ChannelID{x}
				for at := queue[0]; ; at = s.net.Tail(before[at]) {
					path = append(path, before[at])
					if before[at] == c {
						slices.Reverse(path)
						return path
					}
				}
			}
			if _, known := before[w]; !known {
				before[w] = x
				queue = append(queue, w)
			}
		}
	}
	return []model.ChannelID{c}
}

// add adds a segment and prohibits its turns.
func (s *segments) add(path []model.ChannelID) {
	n := s.net
	first, last := path[0], path[len(path)-1]
	switch {
	case len(path) > 1:
		i := len(path) / 2
		s.prohibit(path[i-1], path[i])
	case s.visited[n.Head(first)]:
		for _, x := range n.Out(n.Head(first)) {
			if n.Kind(x) == model.SwitchToSwitch && s.used[x] {
				s.prohibit(first, x)
			}
		}
	}
	for _, c := range path {
		s.used[c], s.used[n.Reverse(c)] = true, true
		if c != last || !s.visited[n.Head(c)] {
			s.visit(n.Head(c))
		}
	}
}

// prohibit prohibits the turn from channel in to channel out, and the opposite one.
func (s *segments) prohibit(in, out model.ChannelID) {
	n := s.net
	s.allowed.Remove(model.Turn{In: n.VC(in, 0), Out: n.VC(out, 0)})
	s.allowed.Remove(model.Turn{In: n.VC(n.Reverse(out), 0), Out: n.VC(n.Reverse(in), 0)})
}
