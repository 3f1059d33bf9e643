package ethernet

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file finds symmetries of a fabric: leaves with cables to the same switches, equal numbers of host prefixes, and routes that the
// exchange of the leaves maps to each other. Provers then decide one leaf for all of them.
//
// Cost: O(classes × switches × ports) for each attempt.

// Symmetries implements model.Symmetric. The generators are at most two: one exchanges the first two leaves of each set, the other moves
// all leaves of each set by one.
func (r *relation) Symmetries() []*model.Automorphism {
	if !r.bySwitch || len(r.entrance) > 0 {
		return nil
	}
	sets := r.twins()
	for len(sets) > 0 {
		var list []*model.Automorphism
		bad := model.NoSwitch
		for _, image := range r.permutations(sets) {
			a := r.net.Automorphism(image)
			if a == nil {
				return nil
			}
			if bad = r.breaks(a); bad != model.NoSwitch {
				break
			}
			list = append(list, a)
		}
		if bad == model.NoSwitch {
			return list
		}
		sets = slices.DeleteFunc(sets, func(set []model.SwitchID) bool { return slices.Contains(set, bad) })
	}
	return nil
}

// twins returns the sets of two or more switches with hosts that have cables to the same switches.
func (r *relation) twins() (sets [][]model.SwitchID) {
	hosts := make([]int, r.net.NumSwitches())
	for h := range model.HostID(r.net.NumHosts()) {
		hosts[r.net.Host(h).Switch]++
	}
	of := map[string]int{}
	for u := range model.SwitchID(r.net.NumSwitches()) {
		if hosts[u] == 0 {
			continue
		}
		var near []model.SwitchID
		for _, c := range r.net.Out(u) {
			if r.net.Kind(c) == model.SwitchToSwitch {
				near = append(near, r.net.Head(c))
			}
		}
		slices.Sort(near)
		key := fmt.Sprint(hosts[u], near)
		if _, ok := of[key]; !ok {
			of[key] = len(sets)
			sets = append(sets, nil)
		}
		sets[of[key]] = append(sets[of[key]], u)
	}
	return slices.DeleteFunc(sets, func(set []model.SwitchID) bool { return len(set) < 2 })
}

// permutations returns the two generators as permutations of the switches.
func (r *relation) permutations(sets [][]model.SwitchID) [][]model.SwitchID {
	swap := make([]model.SwitchID, r.net.NumSwitches())
	for u := range swap {
		swap[u] = model.SwitchID(u)
	}
	turn := slices.Clone(swap)
	isLong := false
	for _, set := range sets {
		swap[set[0]], swap[set[1]] = set[1], set[0]
		for i, u := range set {
			turn[u] = set[(i+1)%len(set)]
		}
		isLong = isLong || len(set) > 2
	}
	if isLong {
		return [][]model.SwitchID{swap, turn}
	}
	return [][]model.SwitchID{swap}
}

// breaks returns a switch that a moves and that it may not move, or NoSwitch if a maps routes to routes.
func (r *relation) breaks(a *model.Automorphism) model.SwitchID {
	class := make([]int32, r.switches) // by switch with hosts
	for u := range class {
		class[u] = -1
	}
	for d, h := range r.host {
		class[r.net.Host(h).Switch] = r.class[d]
	}
	var image []model.ChannelID
	for home := range model.SwitchID(r.switches) {
		if class[home] < 0 {
			continue
		}
		for u := range model.SwitchID(r.switches) {
			image = image[:0]
			for _, c := range r.next[class[home]][u] {
				if c != eject {
					c = a.Channel(c)
				}
				image = append(image, c)
			}
			there := r.next[class[a.Switch(home)]][a.Switch(u)]
			if len(image) == len(there) && !slices.ContainsFunc(image, func(c model.ChannelID) bool { return !slices.Contains(there, c) }) {
				continue
			}
			if a.Switch(home) != home {
				return home
			}
			if a.Switch(u) != u {
				return u
			}
			return r.moved(a, r.next[class[home]][u])
		}
	}
	return model.NoSwitch
}

// moved returns a switch that a moves at the other end of one of the channels, or else any that a moves.
func (r *relation) moved(a *model.Automorphism, list []model.ChannelID) model.SwitchID {
	for _, c := range list {
		if c != eject && r.net.Kind(c) == model.SwitchToSwitch && a.Switch(r.net.Head(c)) != r.net.Head(c) {
			return r.net.Head(c)
		}
	}
	u := model.SwitchID(0)
	for a.Switch(u) == u {
		u++
	}
	return u
}
