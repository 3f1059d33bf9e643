package route

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file builds a relation from a list of permitted hops, such as the rows of a table.
//
// Promise: a packet may take exactly the hops of the list. Several hops of a state are a set. Premises:
// none. Cost: sorts the steps to each destination once; each call of Next is a binary search among them.
// Memory: 12 bytes for each step, besides the list.

// Step permits a hop to packets.
type Step struct {
	// Place says where the packets are: the VC on which they entered a switch, or, if Steps.BySwitch is set, the switch.
	Place int32
	Dest  model.DestID
	Class model.Class
	Hop   model.Hop
}

// Steps describes a relation by its steps.
type Steps struct {
	Net      *model.Network
	Classes  int
	Dests    []model.HostID // by destination: its host
	BySwitch bool           // next hops do not depend on the VC of a packet
	// Delivers says that packets at the switch of their destination are delivered, without a step. Otherwise a
	// step leads to the ejection channel.
	Delivers bool
	List     []Step
}

// FromSteps returns the relation. A host sends to a destination with each class for which its packets have a step, or
// class 0 if Delivers is set and the hosts have one switch.
func FromSteps(s Steps) (model.Relation, error) {
	n := s.Net
	places := n.NumVCs()
	if s.BySwitch {
		places = n.NumSwitches()
	}
	if s.Classes < 1 || places > math.MaxInt32/s.Classes {
		return nil, fmt.Errorf("route: %d classes at %d places; want at least 1 class, and at most 2^31 pairs", s.Classes, places)
	}
	for _, x := range s.List {
		if x.Place < 0 || int(x.Place) >= places || x.Dest < 0 || int(x.Dest) >= len(s.Dests) || x.Class < 0 || int(x.Class) >= s.Classes {
			return nil, fmt.Errorf("route: step %+v of %d places, %d destinations and %d classes", x, places, len(s.Dests), s.Classes)
		}
	}
	r := &stepRouting{net: n, classes: s.Classes, dests: slices.Clone(s.Dests), bySwitch: s.BySwitch, delivers: s.Delivers,
		first: make([]int, len(s.Dests)+1), state: make([]int32, len(s.List)), hops: make([]model.Hop, len(s.List))}
	r.spread(s.List)
	r.sort()
	return r, nil
}

// spread stores the steps by destination, in the order of the list.
func (r *stepRouting) spread(list []Step) {
	for _, x := range list {
		r.first[x.Dest+1]++
	}
	for d := range r.dests {
		r.first[d+1] += r.first[d]
	}
	free := slices.Clone(r.first)
	for _, x := range list {
		i := free[x.Dest]
		free[x.Dest]++
		r.state[i], r.hops[i] = x.Place*int32(r.classes)+int32(x.Class), x.Hop
	}
}

// sort sorts the steps to each destination by state, and removes those that occur twice.
func (r *stepRouting) sort() {
	type step struct {
		state int32
		hop   model.Hop
	}
	var work []step
	kept, begin := 0, 0
	for d := range r.dests {
		end := r.first[d+1]
		work = work[:0]
		for i := begin; i < end; i++ {
			work = append(work, step{r.state[i], r.hops[i]})
		}
		byState := func(a, b step) int { return cmp.Compare(a.state, b.state) }
		if !slices.IsSortedFunc(work, byState) {
			slices.SortStableFunc(work, byState)
		}
		r.first[d] = kept
		same := kept // the first step of the present state
		for i, x := range work {
			if i > 0 && work[i-1].state != x.state {
				same = kept
			}
			if !slices.Contains(r.hops[same:kept], x.hop) {
				r.state[kept], r.hops[kept] = x.state, x.hop
				kept++
			}
		}
		begin = end
	}
	r.first[len(r.dests)] = kept
	r.state, r.hops = r.state[:kept], r.hops[:kept]
}

type stepRouting struct {
	net      *model.Network
	classes  int
	dests    []model.HostID
	bySwitch bool
	delivers bool
	first    []int       // by destination: its first step; one more
	state    []int32     // by step: place × classes + class, ascending for each destination
	hops     []model.Hop // by step
}

// Network implements model.Relation.
func (r *stepRouting) Network() *model.Network { return r.net }

// Classes implements model.Relation.
func (r *stepRouting) Classes() int { return r.classes }

// Sources implements model.Relation.
func (r *stepRouting) Sources() int { return r.net.NumHosts() }

// Destinations implements model.Relation.
func (r *stepRouting) Destinations() int { return len(r.dests) }

// DestinationHost implements model.Relation.
func (r *stepRouting) DestinationHost(d model.DestID) model.HostID { return r.dests[d] }

// GroupOf implements model.Grouped.
func (r *stepRouting) GroupOf(v model.VCID) int {
	if !r.bySwitch {
		return int(v)
	}
	c, _ := r.net.Channel(v)
	return int(r.net.Head(c))
}

// from returns the first step to d in a state, or in a later one.
func (r *stepRouting) from(d model.DestID, state int32) int {
	i, _ := slices.BinarySearch(r.state[r.first[d]:r.first[d+1]], state)
	return r.first[d] + i
}

// Inject implements model.Relation.
func (r *stepRouting) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	if r.delivers && r.net.Host(h).Switch == r.net.Host(r.dests[d]).Switch {
		return append(buf, 0)
	}
	place := int32(r.GroupOf(r.net.VC(r.net.InjectChannel(h), 0))) * int32(r.classes)
	for i := r.from(d, place); i < r.first[d+1] && r.state[i] < place+int32(r.classes); i++ {
		if k := model.Class(r.state[i] - place); i == r.first[d] || r.state[i-1] != r.state[i] {
			buf = append(buf, k)
		}
	}
	return buf
}

// Next implements model.Relation.
func (r *stepRouting) Next(s model.State, buf []model.Hop) []model.Hop {
	in, _ := r.net.Channel(s.VC)
	u := r.net.Head(in)
	if u == model.NoSwitch {
		return buf // the host consumes the packet
	}
	h := r.dests[s.Dest]
	home := model.Hop{VC: r.net.VC(r.net.EjectChannel(h), 0), Class: s.Class}
	if r.delivers && u == r.net.Host(h).Switch {
		return append(buf, home)
	}
	none := len(buf)
	state := int32(r.GroupOf(s.VC)*r.classes) + int32(s.Class)
	for i := r.from(s.Dest, state); i < r.first[s.Dest+1] && r.state[i] == state; i++ {
		buf = append(buf, r.hops[i])
	}
	if len(buf) == none && in == r.net.InjectChannel(h) { // a packet from a host to itself
		buf = append(buf, home)
	}
	return buf
}
