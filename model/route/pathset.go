package route

import (
	"fmt"
	"math"

	"github.com/turnproof/turnproof/model"
)

// This file builds a relation from explicit paths. A pair of hosts has one path or more. A
// packet follows exactly the path that its source draws.
//
// A packet's state is (VC, destination, class). Two paths to one destination that separate
// after a common VC therefore need different classes. Each path gets the first class that fits,
// in the given order. Destination-based paths need only class 0. Memory: a hash table with one
// entry per VC of a path; paths share common entries. Premises: no path returns to a VC. Class:
// distinguishes paths. A pair with several classes has several paths.

// Path is a path for packets of one pair of hosts. VCs lists its VCs between switches, and is
// empty if both hosts are at one switch.
type Path struct {
	Source, Dest model.HostID
	VCs          []model.VCID
	Weight       uint32 // probability weight of the path; 0 means 1
}

type pathSet struct {
	net     *model.Network
	classes int
	next    map[model.State]model.VCID
	inject  map[[2]model.HostID][]weightedClass
}

// weightedClass is a class of a pair and the weight with which the source draws the class.
type weightedClass struct {
	class  model.Class
	weight uint32
}

// Paths returns the relation of the given paths on n. A pair without a path
// has no route.
func Paths(n *model.Network, paths []Path) (model.Relation, error) {
	r := &pathSet{net: n, classes: 1, next: map[model.State]model.VCID{}, inject: map[[2]model.HostID][]weightedClass{}}
	for i, p := range paths {
		if err := CheckPath(n, p); err != nil {
			return nil, fmt.Errorf("route: path %d: %w", i, err)
		}
		if err := r.add(p); err != nil {
			return nil, fmt.Errorf("route: path %d: %w", i, err)
		}
	}
	return r, nil
}

// CheckPath returns an error if p is not a path of n.
func CheckPath(n *model.Network, p Path) error {
	for _, h := range []model.HostID{p.Source, p.Dest} {
		if h < 0 || int(h) >= n.NumHosts() {
			return fmt.Errorf("no host %d; want 0 to %d", h, n.NumHosts()-1)
		}
	}
	if p.Source == p.Dest {
		return fmt.Errorf("path from host %d to itself", p.Source)
	}
	at, seen := n.Host(p.Source).Switch, map[model.VCID]bool{}
	for i, v := range p.VCs {
		if v < 0 || !n.IsLinkVC(v) {
			return fmt.Errorf("hop %d: no VC %d between switches; want 0 to %d", i, v, n.NumLinkVCs()-1)
		}
		if seen[v] {
			return fmt.Errorf("hop %d returns to VC %d", i, v)
		}
		seen[v] = true
		c, _ := n.Channel(v)
		if n.Tail(c) != at {
			return fmt.Errorf("hop %d leaves switch %s but the packet is at %s", i, n.SwitchName(n.Tail(c)), n.SwitchName(at))
		}
		at = n.Head(c)
	}
	if to := n.Host(p.Dest).Switch; at != to {
		return fmt.Errorf("path ends at switch %s but host %s is at %s", n.SwitchName(at), n.HostLabel(p.Dest), n.SwitchName(to))
	}
	return nil
}

// add gives p the lowest class in which p does not contradict earlier paths. If the same path
// is given twice, its weights are added. It fails if their sum overflows.
func (r *pathSet) add(p Path) error {
	k := model.Class(0)
	for !r.walk(p, k, false) {
		k++
	}
	r.walk(p, k, true)
	r.classes = max(r.classes, int(k)+1)
	pair := [2]model.HostID{p.Source, p.Dest}
	weight := max(p.Weight, 1)
	for i := range r.inject[pair] {
		known := &r.inject[pair][i]
		if known.class != k {
			continue
		}
		if known.weight > math.MaxUint32-weight {
			return fmt.Errorf("the weights of this path sum to more than %d", uint32(math.MaxUint32))
		}
		known.weight += weight
		return nil
	}
	r.inject[pair] = append(r.inject[pair], weightedClass{k, weight})
	return nil
}

// walk follows p in class k. It returns false if an earlier path leaves a state of p by another
// hop. If enter is set, walk also records the hops.
func (r *pathSet) walk(p Path, k model.Class, enter bool) bool {
	n := r.net
	at := n.VC(n.InjectChannel(p.Source), 0)
	for i := 0; i <= len(p.VCs); i++ {
		to := n.VC(n.EjectChannel(p.Dest), 0)
		if i < len(p.VCs) {
			to = p.VCs[i]
		}
		s := model.State{VC: at, Dest: model.DestID(p.Dest), Class: k}
		if known, ok := r.next[s]; ok && known != to {
			return false
		}
		if enter {
			r.next[s] = to
		}
		at = to
	}
	return true
}

// Network implements model.Relation.
func (r *pathSet) Network() *model.Network { return r.net }

// Classes implements model.Relation.
func (r *pathSet) Classes() int { return r.classes }

// Sources implements model.Relation.
func (r *pathSet) Sources() int { return r.net.NumHosts() }

// Destinations implements model.Relation.
func (r *pathSet) Destinations() int { return r.net.NumHosts() }

// DestinationHost implements model.Relation.
func (r *pathSet) DestinationHost(d model.DestID) model.HostID { return model.HostID(d) }

// Inject implements model.Relation.
func (r *pathSet) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	for _, x := range r.inject[[2]model.HostID{h, model.HostID(d)}] {
		buf = append(buf, x.class)
	}
	return buf
}

// Weights implements model.Weighted.
func (r *pathSet) Weights(h model.HostID, d model.DestID, buf []uint32) []uint32 {
	for _, x := range r.inject[[2]model.HostID{h, model.HostID(d)}] {
		buf = append(buf, x.weight)
	}
	return buf
}

// Next implements model.Relation.
func (r *pathSet) Next(s model.State, buf []model.Hop) []model.Hop {
	if to, ok := r.next[s]; ok {
		return append(buf, model.Hop{VC: to, Class: s.Class})
	}
	if h := model.HostID(s.Dest); s.VC == r.net.VC(r.net.InjectChannel(h), 0) { // a packet from a host to itself
		buf = append(buf, model.Hop{VC: r.net.VC(r.net.EjectChannel(h), 0), Class: s.Class})
	}
	return buf
}
