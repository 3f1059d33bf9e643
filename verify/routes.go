package verify

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file decides whether each pair of source and destination is connected, and whether
// a packet can be forwarded for ever.
//
// A pair is connected if it has a class, and from every state that its packets can
// reach some path leads to the destination. A relation is livelock-free if no packet can
// come back to a state. For deterministic routing this means: no forwarding loops.

// Routes are counts and witnesses of the paths of all packets.
type Routes struct {
	Pairs       int64 // ordered pairs of source and destination
	Unreachable int64 // pairs that are not connected
	Pathless    int64 // of these, pairs without any path; the packets of the others can get lost on some path
	Longest     int   // switches on the longest path; meaningless if Loop is not nil
	// Lost is a packet of an unreachable pair, or nil. LostEnd is one of the constants cert.End...
	Lost    *cdg.Packet
	LostEnd string
	// Loop is a packet whose path ends in a state that it visited before, or nil.
	Loop *cdg.Packet
}

// followRoutes follows all packets of a table.
func followRoutes(ctx context.Context, t *model.Table) (Routes, error) {
	if classesAgree(t) {
		return followTable(ctx, t)
	}
	f := newFollowers(t)
	groups := cdg.Groups(t)
	err := cdg.EachGroup(ctx, t, parallel.Workers(len(groups)), groups, func(w int, group *cdg.Group, s *cdg.Space) error {
		f.visit(w, group, s)
		return nil
	})
	return f.routes(), err
}

// classesAgree reports whether packets of all classes have the same paths: each pair has
// a class, and no packet is dropped because of its class.
func classesAgree(t *model.Table) bool {
	if t.VCMap() == nil && t.UsedClasses()>>model.DropVC != 0 {
		return false
	}
	if m := t.VCMap(); m != nil && m.Drops(t.UsedClasses()) {
		return false
	}
	if t.ClassSets() == nil && !t.HasManagementClasses() {
		return true
	}
	for d := range model.DestID(t.Destinations()) {
		for h := range model.HostID(t.Sources()) {
			if model.Sends(t, h, d) && t.ClassesOf(h, d) == 0 {
				return false
			}
		}
	}
	return true
}

// followers follow the packets of a relation, one on each processor.
type followers []*follower

func newFollowers(r model.Relation) followers {
	list := make(followers, parallel.Workers(r.Destinations()))
	for w := range list {
		list[w] = &follower{rel: r}
	}
	return list
}

// visit follows the packets to a group of destinations. It is a cdg.Visit.
func (f followers) visit(worker int, group *cdg.Group, s *cdg.Space) {
	f[worker].followGroup(group, s)
}

// routes returns the counts of all, and the witnesses to the least destinations.
func (f followers) routes() (all Routes) {
	for _, x := range f {
		all.Pairs, all.Unreachable, all.Pathless = all.Pairs+x.Pairs, all.Unreachable+x.Unreachable, all.Pathless+x.Pathless
		all.Longest = max(all.Longest, x.Longest)
		if x.Lost != nil && (all.Lost == nil || x.Lost.Dest < all.Lost.Dest) {
			all.Lost, all.LostEnd = x.Lost, x.LostEnd
		}
		if x.Loop != nil && (all.Loop == nil || x.Loop.Dest < all.Loop.Dest) {
			all.Loop = x.Loop
		}
	}
	return all
}

// follower follows packets by their states, one group of destinations at a time.
// Cost: O(reachable states × hops).
type follower struct {
	Routes
	rel      model.Relation
	arriving []bool // by state: some path leads to the destination
	lost     []bool // by state: a packet can reach a state without a path to the destination
	back     cdg.Backward
	left     []unsorted // by key
	todo     []int32
}

// unsorted is a node while removeNodes removes nodes in topological order.
type unsorted struct {
	into  int32 // hops into it from nodes that are not removed yet
	depth int32 // most switches that a packet passes before it
	node  int32 // its place among the nodes
}

// followGroup follows the packets to the destinations of a group, given the states of its first one. If no
// packet can return to a state, and every state has hops, to the destination or to states, then all
// packets arrive.
func (f *follower) followGroup(group *cdg.Group, s *cdg.Space) {
	arrives, loops := f.removeNodes(s.Nodes, s.NumKeys, s.NextKeys)
	if !arrives {
		f.back.Of(s)
		f.markArriving(s)
		f.markLost(s)
	}
	if loops && f.Loop == nil {
		f.Loop = f.loopPacket(s)
	}
	f.countPairs(s, group, arrives)
}

// markBackward marks all states from which a state in todo can be reached.
func (f *follower) markBackward(mark []bool) {
	for len(f.todo) > 0 {
		j := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		for _, i := range f.back.Before(j) {
			if !mark[i] {
				mark[i] = true
				f.todo = append(f.todo, i)
			}
		}
	}
}

// markArriving marks the states from which some path leads to the destination.
func (f *follower) markArriving(s *cdg.Space) {
	f.arriving = cleared(f.arriving, len(s.States))
	for i := range s.States {
		_, next := s.HopsOf(i)
		for _, j := range next {
			if j == cdg.Delivered && !f.arriving[i] {
				f.arriving[i] = true
				f.todo = append(f.todo, int32(i))
			}
		}
	}
	f.markBackward(f.arriving)
}

// markLost marks the states from which a packet can get lost.
func (f *follower) markLost(s *cdg.Space) {
	f.lost = cleared(f.lost, len(s.States))
	for i := range s.States {
		if f.lossAt(s, i) != "" {
			f.lost[i] = true
			f.todo = append(f.todo, int32(i))
		}
	}
	f.markBackward(f.lost)
}

// lossAt returns how a packet is lost in state i, or "" if it is not lost there.
func (f *follower) lossAt(s *cdg.Space, i int) string {
	_, next := s.HopsOf(i)
	for _, j := range next {
		if j == cdg.WrongHost {
			return cert.EndWrongHost
		}
	}
	switch {
	case len(next) == 0:
		return cert.EndDropped
	case !f.arriving[i]:
		return cert.EndLooping
	}
	return ""
}

// countPairs counts the pairs of all groups in the orbit of a group, and the unreachable ones. If arrives is true, no
// packet is lost.
func (f *follower) countPairs(s *cdg.Space, group *cdg.Group, arrives bool) {
	n, dests := f.rel.Network(), len(group.Dests)
	own := f.rel.DestinationHost(s.Dest)
	if dests > 1 && int(own) < f.rel.Sources() {
		f.Pairs += int64(group.Orbit) * int64(dests-1) // to the other destinations at its switch
	}
	state := 0 // the injection states come first, by endpoint
	for h := range model.HostID(f.rel.Sources()) {
		if !model.Sends(f.rel, h, s.Dest) {
			continue
		}
		pairs := int64(dests)
		if dests > 1 && n.Host(h).Switch == n.Host(own).Switch && f.receives(h) {
			pairs--
		}
		pairs *= int64(group.Orbit)
		f.Pairs += pairs
		first, lost, somePath := state, -1, arrives
		for ; state < len(s.States) && s.From[state] < 0 && s.States[state].VC == n.VC(n.InjectChannel(h), 0); state++ {
			if arrives {
				continue
			}
			if f.lost[state] && lost < 0 {
				lost = state
			}
			somePath = somePath || f.arriving[state]
		}
		if !somePath || state == first {
			f.Pathless += pairs
		}
		switch {
		case state == first:
			f.addLost(&cdg.Packet{Source: h, Dest: s.Dest}, cert.EndNoClass, pairs)
		case lost >= 0 && f.Lost != nil:
			f.Unreachable += pairs
		case lost >= 0:
			path, end := f.lostPath(s, lost)
			f.addLost(&cdg.Packet{Source: h, Dest: s.Dest, Path: path}, end, pairs)
		}
	}
}

// receives reports whether host h has a destination. In a group of several destinations, all hosts do.
func (f *follower) receives(h model.HostID) bool { return int(h) < f.rel.Network().NumHosts() }

// addLost counts unreachable pairs, and keeps the packet of the first.
func (f *Routes) addLost(p *cdg.Packet, end string, pairs int64) {
	f.Unreachable += pairs
	if f.Lost == nil {
		f.Lost, f.LostEnd = p, end
	}
}

// removeNodes removes nodes in topological order and computes depths. From each state of a node, packets reach the same
// states, so nodes form a loop if and only if states do. It reports whether all packets arrive, and whether there are loops: all
// packets arrive if no nodes are left, each has hops, and none leads to another host. Keys are less than keys.
func (f *follower) removeNodes(nodes []cdg.Node, keys int, nextOf func(cdg.Node) []int32) (arrives, loops bool) {
	f.countHops(nodes, keys, nextOf)
	left := len(nodes)
	arrives = true
	for len(f.todo) > 0 {
		n := nodes[f.todo[len(f.todo)-1]]
		f.todo = f.todo[:len(f.todo)-1]
		left--
		depth := f.left[n.Key].depth + 1
		f.Longest = max(f.Longest, int(depth))
		next := nextOf(n)
		arrives = arrives && len(next) > 0
		for _, y := range next {
			if y < 0 {
				arrives = arrives && y == cdg.Delivered
				continue
			}
			x := &f.left[y]
			x.depth = max(x.depth, depth)
			if x.into--; x.into == 0 {
				f.todo = append(f.todo, x.node)
			}
		}
	}
	return arrives && left == 0, left > 0
}

// countHops counts the hops into each node, and lists the nodes without any.
func (f *follower) countHops(nodes []cdg.Node, keys int, nextOf func(cdg.Node) []int32) {
	f.left = slices.Grow(f.left[:0], keys)[:keys]
	for i, n := range nodes {
		f.left[n.Key] = unsorted{node: int32(i)}
	}
	for _, n := range nodes {
		for _, y := range nextOf(n) {
			if y >= 0 {
				f.left[y].into++
			}
		}
	}
	for i, n := range nodes {
		if f.left[n.Key].into == 0 {
			f.todo = append(f.todo, int32(i))
		}
	}
}

// loopPacket returns a packet that enters a loop and passes it once. If each state is a node, every node that
// removeNodes left has a predecessor that it left, so a backward path ends in a loop.
func (f *follower) loopPacket(s *cdg.Space) *cdg.Packet {
	nodes := make([]cdg.Node, len(s.States))
	for i := range nodes {
		nodes[i] = s.Alone(i)
	}
	f.removeNodes(nodes, len(nodes), s.NextStates)
	at := int32(0)
	for f.left[at].into == 0 {
		at++
	}
	place := map[int32]int{}
	var trail []int32
	for {
		if k, ok := place[at]; ok {
			trail = append(trail[k:], at)
			break
		}
		place[at] = len(trail)
		trail = append(trail, at)
		for _, i := range f.back.Before(at) {
			if f.left[i].into > 0 {
				at = i
				break
			}
		}
	}
	// The trail runs backwards around the loop. Enter the loop at the state
	// that the packet meets first, so that no state before it repeats.
	onLoop := map[int32]bool{}
	for _, i := range trail {
		onLoop[i] = true
	}
	entry := trail[0]
	for i := range s.States { // breadth-first order: the first is met first
		if onLoop[int32(i)] {
			entry = int32(i)
			break
		}
	}
	path := s.PathTo(int(entry))
	around := trail[:len(trail)-1]
	k := 0
	for around[k] != entry {
		k++
	}
	for i := range around {
		path = append(path, s.States[around[(k-1-i+2*len(around))%len(around)]])
	}
	first, _ := f.rel.Network().Channel(path[0].VC)
	return &cdg.Packet{Source: f.rel.Network().HostOf(first), Dest: s.Dest, Path: path}
}

// cleared returns a list of n zeros. It reuses the memory of list if that suffices.
func cleared[T any](list []T, n int) []T {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}
