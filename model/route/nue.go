package route

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file implements Nue routing on any network, with any number of VCs from one on.
//
// The hosts are dealt to the VCs. All packets to a host use its VC, on a tree of one path from each switch. The
// trees of a VC are found one after the
// other, by a search from the destination in the graph of all dependencies of the VC: a dependency that closes a cycle with those already in use is not
// taken. The weight of a channel grows with the paths over it, so that paths are balanced. The dependencies of a spanning tree (the
// escape paths) are in use from
// the beginning. If a search does not reach all switches, its dependencies are dropped and the packets take the spanning tree.
//
// Promise: acyclic and connected on every connected network. Source: Domke, Hoefler, Matsuoka, Routing on the dependency graph: a
// new approach to deadlock-free high-performance
// routing, HPDC 2016, sections 3 and 4. Differences: destinations are dealt in turn instead of by a partition of the graph, the
// spanning tree has the root of up*/down*, and a
// search that ends early does not backtrack. Cycles are found by an order of the channels that is kept up to date (Pearce, Kelly, ACM JEA 11,
// 2006). Cost: O(hosts * links) steps and searches of the order. Memory: 4 bytes for each host and switch. Class: none.

// nue is a relation with a path from each switch to each host.
type nue struct {
	relation
	table [][]model.ChannelID // by host and switch: the next channel
}

func newNue(n *model.Network, o Options) (model.Relation, error) {
	depth, err := depths(n, o.Root)
	if err != nil {
		return nil, err
	}
	r := &nue{relation: relation{net: n}, table: make([][]model.ChannelID, n.NumHosts())}
	for k := range n.VCs() {
		layer := newNueLayer(n, depth)
		for h := k; h < n.NumHosts(); h += n.VCs() {
			r.table[h] = make([]model.ChannelID, n.NumSwitches())
			if !layer.route(n.Host(model.HostID(h)).Switch, r.table[h]) {
				return nil, fmt.Errorf("route: nue needs a connected network; host %s is not reached from all switches", n.HostLabel(model.HostID(h)))
			}
		}
	}
	return r, nil
}

// SwitchRouted implements model.SwitchRouted: the hosts of a switch have several paths.
func (r *nue) SwitchRouted() bool { return false }

// GroupOf implements model.Grouped.
func (r *nue) GroupOf(v model.VCID) int {
	in, _ := r.net.Channel(v)
	return int(r.net.Head(in))
}

// Next implements model.Relation.
func (r *nue) Next(s model.State, buf []model.Hop) []model.Hop {
	in, _ := r.net.Channel(s.VC)
	u, h := r.net.Head(in), r.DestinationHost(s.Dest)
	switch {
	case u == model.NoSwitch:
		return buf // the host consumes the packet
	case u == r.net.Host(h).Switch:
		return append(buf, model.Hop{VC: r.net.VC(r.net.EjectChannel(h), 0), Class: s.Class})
	}
	k := int(h) % r.net.VCs()
	return hop(r.net, r.table[h][u], span{k, k + 1}, s.Class, buf)
}

// nueLayer is a VC with the dependencies in use.
type nueLayer struct {
	net    *model.Network
	inTree []bool              // by channel between switches: its link is in the spanning tree
	weight []uint64            // by channel between switches: paths over it
	after  [][]model.ChannelID // by channel: the channels that depend on it, in use
	before [][]model.ChannelID
	order  []int32  // by channel: its place in an order in which dependencies lead upwards
	mark   []uint32 // by channel: the last search that reached it
	round  uint32
}

func newNueLayer(n *model.Network, depth []uint32) *nueLayer {
	m := n.NumLinkChannels()
	l := &nueLayer{net: n, inTree: make([]bool, m), weight: make([]uint64, m), after: make([][]model.ChannelID, m), before: make([][]model.ChannelID, m),
		order: make([]int32, m), mark: make([]uint32, m)}
	for c := range l.order {
		l.order[c] = int32(c)
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, c := range n.Out(u) { // the first channel to a switch nearer to the root
			if w := n.Head(c); w != model.NoSwitch && depth[w] < depth[u] {
				l.inTree[c], l.inTree[n.Reverse(c)] = true, true
				break
			}
		}
	}
	for c, in := range l.inTree {
		for _, d := range n.Out(n.Head(model.ChannelID(c))) {
			if in && n.Kind(d) == model.SwitchToSwitch && l.inTree[d] && d != n.Reverse(model.ChannelID(c)) {
				l.use(model.ChannelID(c), d)
			}
		}
	}
	return l
}

// use takes the dependency from a to b into use. It returns false, and changes nothing, if the dependency closes a cycle.
func (l *nueLayer) use(a, b model.ChannelID) bool {
	for _, d := range l.after[a] {
		if d == b {
			return true
		}
	}
	if l.order[a] >= l.order[b] && !l.reorder(a, b) {
		return false
	}
	l.after[a] = append(l.after[a], b)
	l.before[b] = append(l.before[b], a)
	return true
}

// reorder moves the channels that lead to a before those that b leads to. It returns false if b leads to a.
func (l *nueLayer) reorder(a, b model.ChannelID) bool {
	least, most := l.order[b], l.order[a]
	ahead := l.reach(b, l.after, func(c model.ChannelID) bool { return l.order[c] <= most })
	if a == b || l.mark[a] == l.round {
		return false
	}
	behind := l.reach(a, l.before, func(c model.ChannelID) bool { return l.order[c] >= least })
	byOrder := func(c, d model.ChannelID) int { return cmp.Compare(l.order[c], l.order[d]) }
	slices.SortFunc(ahead, byOrder)
	slices.SortFunc(behind, byOrder)
	moved := append(behind, ahead...)
	places := make([]int32, len(moved))
	for i, c := range moved {
		places[i] = l.order[c]
	}
	slices.Sort(places)
	for i, c := range moved {
		l.order[c] = places[i]
	}
	return true
}

// reach returns the channels that a search from c meets.
func (l *nueLayer) reach(c model.ChannelID, edges [][]model.ChannelID, within func(model.ChannelID) bool) []model.ChannelID {
	l.round++
	l.mark[c] = l.round
	list := []model.ChannelID{c}
	for i := 0; i < len(list); i++ {
		for _, d := range edges[list[i]] {
			if l.mark[d] != l.round && within(d) {
				l.mark[d] = l.round
				list = append(list, d)
			}
		}
	}
	return list
}

// drop takes the last dependency of a and b out of use.
func (l *nueLayer) drop(a, b model.ChannelID) {
	l.after[a] = l.after[a][:len(l.after[a])-1]
	l.before[b] = l.before[b][:len(l.before[b])-1]
}

// route fills next with the tree to v. It returns false if a switch is not connected to v.
func (l *nueLayer) route(v model.SwitchID, next []model.ChannelID) bool {
	settled, added := l.search(v, next, false)
	if len(settled) < len(next) {
		for i := len(added) - 1; i >= 0; i-- {
			l.drop(added[i][0], added[i][1])
		}
		if settled, _ = l.search(v, next, true); len(settled) < len(next) {
			return false
		}
	}
	paths := make([]uint64, len(next))
	for i := len(settled) - 1; i > 0; i-- {
		u := settled[i]
		paths[u]++
		l.weight[next[u]] += paths[u]
		paths[l.net.Head(next[u])] += paths[u]
	}
	return true
}

// search finds the next channels to v by weight, over the spanning tree only if tree is set. It returns the switches that it
// reaches, in order, and the dependencies that it has taken
// into use.
func (l *nueLayer) search(v model.SwitchID, next []model.ChannelID, tree bool) (settled []model.SwitchID, added [][2]model.ChannelID) {
	n := l.net
	for u := range next {
		next[u] = model.NoChannel
	}
	done, hopWeight := make([]bool, len(next)), uint64(len(next)*len(next))
	queue := &nueQueue{{at: v, out: model.NoChannel}}
	for queue.Len() > 0 {
		x := heap.Pop(queue).(nueEntry)
		if done[x.at] {
			continue
		}
		if x.out != model.NoChannel {
			if after := next[n.Head(x.out)]; after != model.NoChannel {
				known := len(l.after[x.out])
				if !l.use(x.out, after) {
					continue
				}
				if len(l.after[x.out]) > known {
					added = append(added, [2]model.ChannelID{x.out, after})
				}
			}
		}
		done[x.at], next[x.at] = true, x.out
		settled = append(settled, x.at)
		for _, c := range n.Out(x.at) {
			w, back := n.Head(c), n.Reverse(c)
			if w == model.NoSwitch || done[w] || tree && !l.inTree[c] {
				continue
			}
			heap.Push(queue, nueEntry{x.distance + hopWeight + l.weight[back], w, back})
		}
	}
	return settled, added
}

// nueEntry is a switch with a channel by which its packets may go.
type nueEntry struct {
	distance uint64
	at       model.SwitchID
	out      model.ChannelID
}

// nueQueue is a heap by distance, then channel.
type nueQueue []nueEntry

func (q nueQueue) Len() int      { return len(q) }
func (q nueQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q nueQueue) Less(i, j int) bool {
	if q[i].distance != q[j].distance {
		return q[i].distance < q[j].distance
	}
	return q[i].out < q[j].out
}
func (q *nueQueue) Push(x any) { *q = append(*q, x.(nueEntry)) }
func (q *nueQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
