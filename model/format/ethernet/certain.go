package ethernet

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file makes the two relations of frames with DSCPs, and divides the verdict by priority.
//
// The first relation has all dependencies of the fabric, and maybe more (see qos.go). The second has no other ones, and maybe fewer: a frame
// that may have been dropped once is in no lossless group from then on, and a frame waits for its own group only. So a proof for the first
// and a refutation of the second hold for the fabric. The first is judged; the second decides whether a deadlock of it is one of the fabric.

// settle returns the first relation, without waiting where frames are dropped if this may matter (see dropping.go).
func (c *classed) settle() *classed {
	if len(c.doubts) == 0 && !c.drops || !c.isCyclic(nil) {
		return c
	}
	return c.dropping()
}

// Stated implements model.StatedRelation: the second relation.
func (c *classed) Stated() model.Relation {
	if len(c.doubts) == 0 || !c.frees {
		return nil
	}
	r, s := *c.relation, *c
	s.relation, s.sure, s.frees = &r, true, false
	return &s
}

// isCyclic reports whether virtual channels between switches depend on each other in a circle. It visits every state that a frame can reach, also
// from further states, if a function names these by destination.
func (c *classed) isCyclic(further func(*classed, model.DestID) []model.State) bool {
	next, seen := map[model.VCID][]model.VCID{}, map[[2]model.VCID]bool{}
	done := map[model.SwitchID]bool{}
	for d := range model.DestID(c.Destinations()) {
		at := c.net.Host(c.DestinationHost(d)).Switch
		if c.SwitchRouted() && done[at] {
			continue
		}
		done[at] = true
		var starts []model.State
		if further != nil {
			starts = further(c, d)
		}
		c.visit(d, starts, func(s model.State, h model.Hop) {
			if from, to := s.VC, h.VC; c.net.IsLinkVC(from) && c.net.IsLinkVC(to) && !seen[[2]model.VCID{from, to}] {
				seen[[2]model.VCID{from, to}] = true
				next[from] = append(next[from], to)
			}
		})
	}
	return hasCircle(next)
}

// visit calls see for each hop that frames to a destination can reach, also from further states.
func (c *classed) visit(d model.DestID, further []model.State, see func(s model.State, h model.Hop)) {
	var todo []model.State
	known := map[model.State]bool{}
	add := func(s model.State) {
		if !known[s] {
			known[s] = true
			todo = append(todo, s)
		}
	}
	for _, s := range further {
		add(s)
	}
	for h := range model.HostID(c.Sources()) {
		if model.Sends(c, h, d) {
			for _, k := range c.Inject(h, d, nil) {
				add(model.InjectState(c, h, d, k))
			}
		}
	}
	var hops []model.Hop
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		hops = c.Next(s, hops[:0])
		for _, h := range hops {
			see(s, h)
			add(model.State{VC: h.VC, Dest: d, Class: h.Class})
		}
	}
}

// hasCircle reports whether a graph has a circle. It removes vertices without successors.
func hasCircle[T comparable](next map[T][]T) bool {
	degree, before := map[T]int{}, map[T][]T{}
	var todo []T
	for v, list := range next {
		degree[v] = len(list)
		for _, w := range list {
			before[w] = append(before[w], v)
			if next[w] == nil && len(before[w]) == 1 {
				todo = append(todo, w)
			}
		}
	}
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, v := range before[w] {
			if degree[v]--; degree[v] == 0 {
				delete(degree, v)
				todo = append(todo, v)
			}
		}
	}
	return len(degree) > 0
}

// Alone is the frames that hosts send in one priority group.
type Alone struct {
	Group    int
	DSCPs    []int
	Relation model.Relation
}

// ByPriority returns the frames of each lossless group by which they enter the fabric, without the others. It returns nil if the folder does
// not say which priorities are lossless. DSCPs that all switches treat the same are one, of which the first is named.
func (f *Found) ByPriority() (list []Alone) {
	if f.classed == nil {
		return nil
	}
	c := f.classed
	of := map[int][]model.Class{}
	for _, k := range c.starts {
		for _, group := range c.entersIn(k) {
			of[group] = append(of[group], k)
		}
	}
	for group := range lossy {
		if of[group] == nil {
			continue
		}
		one := *c
		one.starts = of[group]
		a := Alone{Group: group, Relation: one.settle()}
		for _, k := range of[group] {
			a.DSCPs = append(a.DSCPs, c.numbers.list[k].outer)
		}
		list = append(list, a)
	}
	return list
}

// entersIn returns the lossless groups of frames of a class at the ports of hosts.
func (c *classed) entersIn(k model.Class) (groups []int) {
	ports := map[*dumps.PortQoS]bool{}
	for h := range model.HostID(c.net.NumHosts()) {
		if p := c.receive[c.net.InjectChannel(h)]; p != nil {
			ports[p] = true
		}
	}
	for _, p := range c.distinctPorts() {
		group := groupOf(p.TCToGroup, p.DSCPToTC[c.numbers.list[k].outer])
		if ports[p] && isLosslessGroup(p, group) && !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	return groups
}

// remarkDoubts returns what is unknown about DSCPs that ports or rules set.
func (c *classed) remarkDoubts() (list []string) {
	for u, sw := range c.b.switches {
		if sw.QoS.Unread != "" {
			list = append(list, sw.QoS.File+": "+sw.QoS.Unread+", which is not read")
		}
		if c.end[u] >= 0 && slices.ContainsFunc(c.distinctPorts(), func(p *dumps.PortQoS) bool { return p.TCToDSCP != nil }) {
			list = append(list, sw.QoS.File+": a tunnel, and tc_to_dscp_map of a port: it is not known which of them sets the DSCP")
		}
	}
	c.kinds(func(_ hopKind, e hopExample) {
		if text := c.where(e) + " have a traffic class without an entry in tc_to_dscp_map"; e.unmarked && !slices.Contains(list, text) {
			list = append(list, text)
		}
	})
	if len(list) > 3 {
		list = append(list[:3], fmt.Sprintf("and %d more", len(list)-3))
	}
	return list
}
