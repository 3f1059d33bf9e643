package route

import (
	"fmt"
	"math"

	"github.com/turnproof/turnproof/model"
)

// This file makes a relation of explicit paths, one or more for a pair of
// hosts, exactly: a packet keeps to the path that its source has drawn.
//
// Source: none needed; source routing, and what a program or another tool has
// worked out.
// A packet's state is (VC, destination, class), so two paths to one destination
// that part after a common VC need different classes. Paths get them first fit,
// in the order given; a set that follows from the destination needs class 0 only.
// Memory: a hash table with an entry for each VC of a path, those shared counted
// once. Premises: no path comes back to a VC.
// Class: tells paths apart; several classes of one pair are several paths.

// Path is a way for packets of one pair of hosts: VCs between switches, none
// where both hosts are at one switch.
type Path struct {
	Source, Dest model.HostID
	VCs          []model.VCID
	Weight       uint32 // with which the source draws it; 0 counts as 1
}

type pathSet struct {
	net     *model.Network
	classes int
	next    map[model.State]model.VCID
	inject  map[[2]model.HostID][]drawn
}

// drawn is a class of a pair, with the weight with which the source draws it.
type drawn struct {
	class  model.Class
	weight uint32
}

// Paths returns the relation of the given paths on n. A pair without a path
// has no route.
func Paths(n *model.Network, paths []Path) (model.Relation, error) {
	r := &pathSet{net: n, classes: 1, next: map[model.State]model.VCID{}, inject: map[[2]model.HostID][]drawn{}}
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

// CheckPath returns why p is not a path of n, or nil.
func CheckPath(n *model.Network, p Path) error {
	for _, h := range []model.HostID{p.Source, p.Dest} {
		if h < 0 || int(h) >= n.NumHosts() {
			return fmt.Errorf("no host %d, hosts are 0 to %d", h, n.NumHosts()-1)
		}
	}
	if p.Source == p.Dest {
		return fmt.Errorf("from host %d to itself", p.Source)
	}
	at, seen := n.Host(p.Source).Switch, map[model.VCID]bool{}
	for i, v := range p.VCs {
		if v < 0 || !n.IsLinkVC(v) {
			return fmt.Errorf("hop %d: %d is no VC between switches, those are 0 to %d", i, v, n.NumLinkVCs()-1)
		}
		if seen[v] {
			return fmt.Errorf("hop %d comes back to VC %d", i, v)
		}
		seen[v] = true
		c, _ := n.Channel(v)
		if n.Tail(c) != at {
			return fmt.Errorf("hop %d leaves switch %s, the packet is at %s", i, n.SwitchName(n.Tail(c)), n.SwitchName(at))
		}
		at = n.Head(c)
	}
	if to := n.Host(p.Dest).Switch; at != to {
		return fmt.Errorf("ends at switch %s, host %s is at %s", n.SwitchName(at), n.HostLabel(p.Dest), n.SwitchName(to))
	}
	return nil
}

// add gives p the first class in which it agrees with the paths before it. The weights of a path
// that is given twice are added.
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
	r.inject[pair] = append(r.inject[pair], drawn{k, weight})
	return nil
}

// walk goes along p in class k. It reports whether no other way is known from
// a state on it, or with enter writes the way down.
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
	if h := model.HostID(s.Dest); s.VC == r.net.VC(r.net.InjectChannel(h), 0) { // from a host to itself
		buf = append(buf, model.Hop{VC: r.net.VC(r.net.EjectChannel(h), 0), Class: s.Class})
	}
	return buf
}
