package queues

import (
	"cmp"
	"context"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file chooses VCs on which packets may block each other.
//
// If a router gives full VCs to packets, the VCs of one index can be enough: the packets ask for no others. So there is a region
// for each index whose VCs depend on each other in a cycle, and one for all VCs that take part in cycles.

// region is some VCs, with the packets that can get there.
type region struct {
	in     []bool         // by VC
	vcs    []model.VCID   // those in the region, then those that packets pass on the way there
	inside int            // number of those in the region
	starts []start        // those that lead into the region at once, then others
	direct int            // number of those that lead into the region at once
	leads  map[*node]bool // whether a packet is in the region or can get there
}

// start is packets that a host can send to a VC.
type start struct {
	source model.HostID
	inject model.VCID
	to     model.VCID
	trails []*trail
}

// mostAlike bounds the cyclic components of VCs of one index that are regions.
const mostAlike = 4

// regions returns the VCs of the regions of a dependency graph.
func regions(g *cdg.Graph) (list [][]model.VCID) {
	vcs, all := model.VCID(g.Network().VCs()), []model.VCID(nil)
	for i := range vcs {
		if vcs > 1 {
			list = append(list, some(g.CyclicAmong(func(v model.VCID) bool { return v%vcs == i }))...)
		}
	}
	parts := g.CyclicComponents()
	for _, p := range parts {
		all = append(all, p...)
	}
	if list = append(list, some(parts)...); len(parts) > 1 && len(all) <= mostVCs {
		list = append(list, all)
	}
	return list
}

// some returns at most mostAlike components, from everywhere in the list.
func some(parts [][]model.VCID) (list [][]model.VCID) {
	count := min(len(parts), mostAlike)
	for k := range count {
		list = append(list, parts[k*len(parts)/count])
	}
	return list
}

// These limits bound the time for large networks.
const (
	mostTrails = 64      // paths of a packet that a run leaves open
	mostHosts  = 64      // in networks with more hosts, packets of a region go from and to hosts beside it
	mostVCs    = 10_000  // of the region of all VCs that take part in cycles
	mostStates = 400_000 // states of packets: more destinations than have about as many states are left out
)

// newRegion returns a region of some VCs.
func (x *routes) newRegion(ctx context.Context, vcs []model.VCID) (*region, error) {
	n := x.rel.Network()
	g := &region{in: make([]bool, x.links), leads: map[*node]bool{}}
	near := make([]bool, n.NumSwitches())
	for _, v := range vcs {
		g.in[v] = true
		c, _ := n.Channel(v)
		near[n.Tail(c)], near[n.Head(c)] = true, true
	}
	isNear := func(h model.HostID) bool { return n.NumEndpoints() <= mostHosts || near[n.Host(h).Switch] }
	var created []*trail
	for _, d := range x.destinations(isNear) {
		for h := range model.HostID(x.rel.Sources()) {
			if isNear(h) && model.Sends(x.rel, h, d) {
				for _, k := range x.rel.Inject(h, d, nil) {
					created = append(created, &trail{node: x.node(model.InjectState(x.rel, h, d, k))})
				}
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	passed := x.findLeads(g, created)
	g.vcs, g.inside = append(slices.Clone(vcs), passed...), len(vcs)
	g.addStarts(n, created)
	return g, nil
}

// destinations returns destinations at hosts that isNear accepts.
func (x *routes) destinations(isNear func(model.HostID) bool) (list []model.DestID) {
	for d := range model.DestID(x.rel.Destinations()) {
		if isNear(x.rel.DestinationHost(d)) {
			list = append(list, d)
		}
	}
	most := max(16, mostStates/int(x.links))
	if len(list) <= most {
		return list
	}
	few := make([]model.DestID, most)
	for i := range few {
		few[i] = list[i*len(list)/most]
	}
	return few
}

// findLeads finds the nodes from which packets get into the region, and returns the VCs outside of it that they pass.
func (x *routes) findLeads(g *region, created []*trail) (passed []model.VCID) {
	var found []*node
	seen := map[*node]bool{}
	for _, t := range created {
		for stack := []*node{t.node}; len(stack) > 0; {
			at := stack[len(stack)-1]
			if stack = stack[:len(stack)-1]; !seen[at] {
				seen[at] = true
				found = append(found, at)
				x.expand(at)
				stack = append(stack, at.hops...)
			}
		}
	}
	for more := true; more; {
		more = false
		for _, at := range slices.Backward(found) {
			if !g.leads[at] && (at.VC < x.links && g.in[at.VC] || slices.ContainsFunc(at.hops, func(to *node) bool { return g.leads[to] })) {
				g.leads[at], more = true, true
				if at.VC < x.links && !g.in[at.VC] {
					passed = append(passed, at.VC)
				}
			}
		}
	}
	slices.Sort(passed)
	return slices.Compact(passed)
}

// addStarts adds the first hops of created packets to the region.
func (g *region) addStarts(n *model.Network, created []*trail) {
	type key struct{ inject, to model.VCID }
	number := map[key]int{}
	for _, t := range created {
		for _, to := range t.hops {
			if !g.leads[to] {
				continue
			}
			k, known := number[key{t.VC, to.VC}]
			if !known {
				k = len(g.starts)
				number[key{t.VC, to.VC}] = k
				c, _ := n.Channel(t.VC)
				g.starts = append(g.starts, start{n.HostOf(c), t.VC, to.VC, nil})
			}
			if s := &g.starts[k]; len(s.trails) < mostTrails {
				s.trails = append(s.trails, &trail{to, t})
			}
		}
	}
	slices.SortFunc(g.starts, func(a, b start) int { return cmp.Or(cmp.Compare(a.inject, b.inject), cmp.Compare(a.to, b.to)) })
	isOutside := func(s start) bool { return !g.in[s.to] }
	outside := slices.DeleteFunc(slices.Clone(g.starts), func(s start) bool { return !isOutside(s) })
	g.starts = slices.DeleteFunc(g.starts, isOutside)
	g.direct = len(g.starts)
	g.starts = append(g.starts, outside...)
}

// permits reports whether a packet takes a hop: it goes to the region, and then stays there.
func (g *region) permits(from, to *node) bool {
	if g.in[from.VC] {
		return g.in[to.VC]
	}
	return g.leads[to]
}
