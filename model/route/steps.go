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
	// Weights are the weights of the steps, at least 1, or nil. Those of a step that occurs twice are added.
	Weights []uint32
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
	if s.Weights != nil {
		r.weights = make([]uint32, len(s.List))
	}
	r.spread(s.List, s.Weights)
	r.sort()
	if s.Weights != nil {
		return &weightedSteps{r}, nil
	}
	return r, nil
}

// weightedSteps is a stepRouting whose steps have weights.
type weightedSteps struct{ *stepRouting }

// HopWeights implements model.HopWeighted.
func (r *weightedSteps) HopWeights(s model.State, buf []uint32) []uint32 {
	if first, last := r.stepsOf(s); first < last {
		return append(buf, r.weights[first:last]...)
	}
	if in, _ := r.net.Channel(s.VC); r.delivered(in, s.Dest) {
		buf = append(buf, 1)
	}
	return buf
}

// spread stores the steps by destination, in the order of the list.
func (r *stepRouting) spread(list []Step, weights []uint32) {
	for _, x := range list {
		r.first[x.Dest+1]++
	}
	for d := range r.dests {
		r.first[d+1] += r.first[d]
	}
	free := slices.Clone(r.first)
	for k, x := range list {
		i := free[x.Dest]
		if weights != nil {
			r.weights[i] = weights[k]
		}
		free[x.Dest]++
		r.state[i], r.hops[i] = x.Place*int32(r.classes)+int32(x.Class), x.Hop
	}
}

// sort sorts the steps to each destination by state, and removes those that occur twice.
func (r *stepRouting) sort() {
	type step struct {
		state  int32
		hop    model.Hop
		weight uint32
	}
	var work []step
	kept, begin := 0, 0
	for d := range r.dests {
		end := r.first[d+1]
		work = work[:0]
		for i := begin; i < end; i++ {
			x := step{state: r.state[i], hop: r.hops[i]}
			if r.weights != nil {
				x.weight = r.weights[i]
			}
			work = append(work, x)
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
			known := slices.Index(r.hops[same:kept], x.hop)
			if r.weights != nil && known >= 0 {
				r.weights[same+known] = addWeights(r.weights[same+known], x.weight)
			}
			if known >= 0 {
				continue
			}
			r.state[kept], r.hops[kept] = x.state, x.hop
			if r.weights != nil {
				r.weights[kept] = x.weight
			}
			kept++
		}
		begin = end
	}
	r.first[len(r.dests)] = kept
	r.state, r.hops = r.state[:kept], r.hops[:kept]
}

// addWeights returns the sum, or the largest weight if that is less.
func addWeights(a, b uint32) uint32 { return uint32(min(uint64(a)+uint64(b), math.MaxUint32)) }

type stepRouting struct {
	net      *model.Network
	classes  int
	dests    []model.HostID
	bySwitch bool
	delivers bool
	first    []int       // by destination: its first step; one more
	state    []int32     // by step: place × classes + class, ascending for each destination
	hops     []model.Hop // by step
	weights  []uint32    // by step, or nil
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
	if first, last := r.stepsOf(s); first < last {
		return append(buf, r.hops[first:last]...)
	}
	if in, _ := r.net.Channel(s.VC); r.delivered(in, s.Dest) {
		buf = append(buf, model.Hop{VC: r.net.VC(r.net.EjectChannel(r.dests[s.Dest]), 0), Class: s.Class})
	}
	return buf
}

// delivered reports whether packets on channel in that have no steps are delivered to d: at the switch of d with Delivers, or
// from a host to itself.
func (r *stepRouting) delivered(in model.ChannelID, d model.DestID) bool {
	h := r.dests[d]
	return r.delivers && r.net.Head(in) == r.net.Host(h).Switch || in == r.net.InjectChannel(h)
}

// stepsOf returns the range of the steps of a state. There are none for a packet that is delivered.
func (r *stepRouting) stepsOf(s model.State) (first, last int) {
	in, _ := r.net.Channel(s.VC)
	u := r.net.Head(in)
	if u == model.NoSwitch || r.delivers && u == r.net.Host(r.dests[s.Dest]).Switch {
		return 0, 0
	}
	state := int32(r.GroupOf(s.VC)*r.classes) + int32(s.Class)
	first = r.from(s.Dest, state)
	for last = first; last < r.first[s.Dest+1] && r.state[last] == state; {
		last++
	}
	return first, last
}
