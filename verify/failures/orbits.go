package failures

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file lists sets of parts that fail at once, one of each orbit under the symmetries of a routing.

// Set is a set of links or switches that fail at once.
type Set struct {
	Links    []model.LinkID
	Switches []model.SwitchID
	Like     int // the number of sets that are symmetric to this one, itself included
}

// Label names the parts.
func (x *Set) Label(n *model.Network) (text string) {
	join := func(part string) {
		if text != "" {
			text += " and "
		}
		text += part
	}
	for _, l := range x.Links {
		join(linkLabel(n, n.Link(l)))
	}
	for _, u := range x.Switches {
		join(n.SwitchLabel(u))
	}
	return text
}

// Hosts lists the hosts at failed switches.
func (x *Set) Hosts(n *model.Network) []string {
	list := []string{}
	for _, u := range x.Switches {
		list = append(list, hostsAt(n, u)...)
	}
	return list
}

// Sets lists the sets of one or two links or switches, one of each orbit: the first one. symmetries generate a group of automorphisms.
//
// Cost: O(sets × symmetries).
func Sets(n *model.Network, kind Kind, atOnce int, symmetries []*model.Automorphism) (list []Set) {
	count := n.NumLinks()
	if kind == Switches {
		count = n.NumSwitches()
	}
	image := func(a *model.Automorphism, i int) int {
		if kind == Switches {
			return int(a.Switch(model.SwitchID(i)))
		}
		return int(a.Channel(model.ChannelID(2*i)) / 2)
	}
	index := func(i, j int) int { // of the pair i <= j; a single part is a pair of itself
		return i*count + j
	}
	orbit := map[int]int{} // by pair: its number in list
	for i := range count {
		last := i
		if atOnce > 1 {
			last = count - 1
		}
		for j := i; j <= last; j++ {
			if _, seen := orbit[index(i, j)]; seen || atOnce > 1 && i == j {
				continue
			}
			orbit[index(i, j)] = len(list)
			todo, like := [][2]int{{i, j}}, 0
			for ; len(todo) > 0; like++ {
				x := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				for _, a := range symmetries {
					p, q := image(a, x[0]), image(a, x[1])
					p, q = min(p, q), max(p, q)
					if _, seen := orbit[index(p, q)]; !seen {
						orbit[index(p, q)] = len(list)
						todo = append(todo, [2]int{p, q})
					}
				}
			}
			list = append(list, setOf(kind, slices.Compact([]int{i, j}), like))
		}
	}
	return list
}

func setOf(kind Kind, parts []int, like int) Set {
	x := Set{Like: like}
	for _, i := range parts {
		if kind == Switches {
			x.Switches = append(x.Switches, model.SwitchID(i))
		} else {
			x.Links = append(x.Links, model.LinkID(i))
		}
	}
	return x
}

// mostStates bounds the states for which Kept compares next hops.
const mostStates = 1 << 23

// Kept returns the automorphisms of a list that r keeps: the next hops of the image of a state are the images of its next hops. Relations with
// several classes, or with several destinations of a host, have none.
//
// Cost: O(automorphisms × VCs × destinations). If there are too many states, it returns nil.
func Kept(r model.Relation, list []*model.Automorphism) (keeping []*model.Automorphism) {
	n := r.Network()
	dest := make([]model.DestID, n.NumEndpoints())
	for h := range dest {
		dest[h] = -1
	}
	for d := range model.DestID(r.Destinations()) {
		h := r.DestinationHost(d)
		if dest[h] >= 0 {
			return nil
		}
		dest[h] = d
	}
	if r.Classes() > 1 || len(list)*n.NumVCs()*r.Destinations() > mostStates {
		return nil
	}
	for _, a := range list {
		if onNet := withImage(n, a); onNet != nil && keeps(r, onNet, dest) {
			keeping = append(keeping, a)
		}
	}
	return keeping
}

// withImage returns the automorphism on n, which may have another number of VCs.
func withImage(n *model.Network, a *model.Automorphism) *model.Automorphism {
	image := make([]model.SwitchID, n.NumSwitches())
	for u := range image {
		image[u] = a.Switch(model.SwitchID(u))
	}
	return n.Automorphism(image)
}

// keeps reports whether a relation of one class keeps a symmetry. dest has the destination of each endpoint, or -1.
func keeps(r model.Relation, a *model.Automorphism, dest []model.DestID) bool {
	n := r.Network()
	commits, _ := r.(model.Committer)
	var here, there []model.Hop
	for d := range model.DestID(r.Destinations()) {
		e := dest[a.Host(r.DestinationHost(d))]
		if e < 0 {
			return false
		}
		for h := range model.HostID(n.NumEndpoints()) {
			g := a.Host(h)
			if model.Sends(r, h, d) != model.Sends(r, g, e) || model.Sends(r, h, d) && len(r.Inject(h, d, nil)) != len(r.Inject(g, e, nil)) {
				return false
			}
		}
		for v := range model.VCID(n.NumVCs()) {
			c, _ := n.Channel(v)
			if n.Kind(c) == model.Eject {
				continue
			}
			s, t := model.State{VC: v, Dest: d}, model.State{VC: a.VC(v), Dest: e}
			here, there = r.Next(s, here[:0]), r.Next(t, there[:0])
			for i := range here {
				here[i].VC = a.VC(here[i].VC)
			}
			if !sameSet(here, there) || commits != nil && commits.Commits(s) != commits.Commits(t) {
				return false
			}
		}
	}
	return true
}

func sameSet(a, b []model.Hop) bool {
	order := func(x, y model.Hop) int { return int(x.VC) - int(y.VC) }
	slices.SortFunc(a, order)
	slices.SortFunc(b, order)
	return slices.Equal(a, b)
}
