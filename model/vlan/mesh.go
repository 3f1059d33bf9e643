package vlan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file builds the VLANs of a mesh that carry dimension-order routing.
//
// Source: Otsuka et al., VLAN Ethernet, section 3. Its N^M is a mesh of equal sides; here sides
// may differ, because no argument of the paper needs equal sides. Promise (theorem 1): a frame
// from switch (x0, ..., xM-1) in VL(-, x1, ..., xM-1 | A), A = (0, 1, ..., M-1), takes the
// dimension-order shortest path to every switch. A proof for every size:
// examples/routing-programs/published, vlan-dor.mesh.star.

// VL returns the links of the VLAN topology VL(at | order) (definition 3), a spanning tree: one
// line along dimension order[0] through at, from each of its switches a line along order[1],
// and so on. at[order[0]] is ignored. It fails if the network is not a full mesh.
func VL(n *model.Network, at, order []int) ([]model.LinkID, error) {
	g, err := meshOf(n, order)
	if err != nil {
		return nil, err
	}
	if len(at) != g.Dims() {
		return nil, fmt.Errorf("vlan: %d coordinates on a mesh of %d dimensions", len(at), g.Dims())
	}
	for d, x := range at {
		if d != order[0] && (x < 0 || x >= g.Sides[d]) {
			return nil, fmt.Errorf("vlan: coordinate %d in dimension %d, which has %d", x, d, g.Sides[d])
		}
	}
	place := make([]int, g.Dims()) // by dimension: its index in order
	for i, d := range order {
		place[d] = i
	}
	var links []model.LinkID
	var coords []int
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		along, _, _ := g.PortDirection(k.APort)
		coords = g.Coords(k.A, coords[:0])
		on := true
		for d, x := range coords {
			on = on && (place[d] <= place[along] || x == at[d])
		}
		if on {
			links = append(links, l)
		}
	}
	return links, nil
}

// meshOf returns the grid of a full mesh. It fails for other networks and if order is not an
// order of the dimensions.
func meshOf(n *model.Network, order []int) (*model.Grid, error) {
	g := n.Grid()
	if g == nil || slices.Contains(g.Wrap, true) || g.Place != nil || !wholeMesh(n, g) {
		return nil, errors.New("vlan: these VLANs need a full mesh")
	}
	sorted := slices.Sorted(slices.Values(order))
	if len(sorted) != g.Dims() || sorted[0] != 0 || sorted[len(sorted)-1] != g.Dims()-1 || len(slices.Compact(sorted)) != g.Dims() {
		return nil, fmt.Errorf("vlan: order %v is no order of dimensions 0 to %d", order, g.Dims()-1)
	}
	return g, nil
}

// wholeMesh reports whether the network has each link of the grid exactly once.
func wholeMesh(n *model.Network, g *model.Grid) bool {
	links := 0
	for _, side := range g.Sides {
		links += n.NumSwitches() / side * (side - 1)
	}
	if n.NumLinks() != links {
		return false
	}
	for l := range model.LinkID(links) {
		if _, _, ok := g.PortDirection(n.Link(l).APort); !ok {
			return false
		}
	}
	return true
}

// DimensionOrder returns the DOR VLAN set of a mesh (definition 4): a VLAN for each line along
// dimension order[0], with identifiers from first on. The hosts at the switches of a line send
// in its VLAN. If order is nil, it is x, y, z, ... All hosts are members of all VLANs. It fails
// if there are more lines than identifiers.
func DimensionOrder(n *model.Network, order []int, first int) (*Set, error) {
	return AcrossDimension(n, order, 0, first)
}

// AcrossDimension returns a set that also carries dimension-order routing, with a VLAN for each
// line along dimension order[pivot]. The number of VLANs is smallest if this dimension is the
// longest. A frame is sent in the VLAN of the pivot line that its path uses. The VLAN thus
// follows from the destination's coordinates in dimensions before the pivot and from the
// source's in dimensions after it. With pivot 0 (definition 4) it follows from the source
// alone. The tree is VL(line | pivot, the dimensions before it from last to first, the
// dimensions after it from first to last).
func AcrossDimension(n *model.Network, order []int, pivot, first int) (*Set, error) {
	if order == nil && n.Grid() != nil {
		order = dimensions(n.Grid())
	}
	g, err := meshOf(n, order)
	if err != nil {
		return nil, err
	}
	if pivot < 0 || pivot >= g.Dims() {
		return nil, fmt.Errorf("vlan: pivot %d of %d dimensions", pivot, g.Dims())
	}
	along := slices.Clone(order[:pivot+1])
	slices.Reverse(along)
	along = append(along, order[pivot+1:]...)
	if err := CheckCount(n.NumSwitches()/g.Sides[along[0]], first); err != nil {
		return nil, err
	}
	list, line, err := lines(n, along, first)
	if err != nil {
		return nil, err
	}
	s, err := New(n, list)
	if err != nil {
		return nil, err
	}
	at := make([]int, g.Dims())
	for i := range s.use {
		h, to := model.HostID(i/n.NumHosts()), model.HostID(i%n.NumHosts())
		if h == to {
			continue
		}
		for j, d := range order {
			at[d] = 0
			if j < pivot {
				at[d] = g.Coord(n.Host(to).Switch, d)
			} else if j > pivot {
				at[d] = g.Coord(n.Host(h).Switch, d)
			}
		}
		s.use[i] = uint16(line[g.At(at)] + 1)
	}
	return s, nil
}

// lines returns a VLAN for each line along dimension order[0], with its place by its
// first switch.
func lines(n *model.Network, order []int, first int) (list []VLAN, line map[model.SwitchID]int, err error) {
	hosts, line := AllHosts(n), map[model.SwitchID]int{}
	for u := range model.SwitchID(n.NumSwitches()) {
		at := n.Grid().Coords(u, nil)
		if at[order[0]] != 0 {
			continue
		}
		links, err := VL(n, at, order)
		if err != nil {
			return nil, nil, err
		}
		line[u] = len(list)
		list = append(list, VLAN{ID: first + len(list), Links: links, Hosts: hosts})
	}
	return list, line, nil
}

func dimensions(g *model.Grid) []int {
	order := make([]int, g.Dims())
	for d := range order {
		order[d] = d
	}
	return order
}

// CheckCount fails if the given number of VLANs does not fit the identifiers from first on.
func CheckCount(vlans, first int) error {
	if first < 1 || first > MaxID {
		return fmt.Errorf("vlan: the first identifier is %d; want 1 to %d", first, MaxID)
	}
	if room := MaxID - first + 1; vlans > room {
		return fmt.Errorf("vlan: it takes %d VLANs; 802.1Q has identifiers up to %d, from %d on these are %d", vlans, MaxID, first, room)
	}
	return nil
}

// AllHosts returns all hosts of a network.
func AllHosts(n *model.Network) []model.HostID {
	list := make([]model.HostID, n.NumHosts())
	for h := range list {
		list[h] = model.HostID(h)
	}
	return list
}
