package figure

// This file finds positions for switches without Graphviz: by the coordinates of a grid, or by attributes that say how a
// network is built (groups, stages, chiplets, ...). A network from a file gets the same positions as one of a family
// if its file states these attributes. plans.go computes the positions of each structure.

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// plan has a position for every switch.
type plan struct {
	at       []point // by switch, in any unit, y upwards
	straight bool    // lines are straight and pass behind switches
	round    bool    // switches are on ellipses: lines within a group bend away from the centre
	aligned  bool    // lines along a row bend below it, along a column to its left
	extra    point   // additional space around each switch, in inches
	tight    float64 // distance of the nearest two dots in inches; 0 means pinDots
	group    []int   // by switch: its group, or nil
	apart    Style   // of lines between groups
	pale     bool    // whether lines between groups are paler
	second   []bool  // by switch: whether its box is white, or nil
	note     string
}

// structures are the known structures. The first one is used that applies and gives every switch its own position.
var structures = []func(*model.Network) *plan{
	gridPlan, slimFlyPlan, butterflyPlan, cubeCyclesPlan, chipletPlan, meshPlan, groupPlan, coordinatePlan, ringPlan,
}

// planOf returns the plan of a network, or nil if no structure applies.
func planOf(n *model.Network) *plan {
	for _, of := range structures {
		if p := of(n); p != nil && !p.collides() {
			return p
		}
	}
	return nil
}

// position returns a function for Options.Position that places the switches as p does, or nil for nil.
func (p *plan) position() func(model.SwitchID) (x, y float64, ok bool) {
	if p == nil {
		return nil
	}
	return func(u model.SwitchID) (x, y float64, ok bool) { return p.at[u].x, p.at[u].y, true }
}

// collides reports whether two switches have the same position.
func (p *plan) collides() bool {
	sorted := slices.SortedFunc(slices.Values(p.at), func(a, b point) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	for i := range sorted[1:] {
		if sorted[i] == sorted[i+1] {
			return true
		}
	}
	return false
}

// attributesOf returns the values of attributes by name, then by switch. It returns nil if the network lacks one of them, or if a
// switch has no value.
func attributesOf(n *model.Network, names ...string) [][]int32 {
	var list [][]int32
	for _, name := range names {
		values := n.Attribute(name)
		if values == nil || slices.Contains(values, model.NoAttribute) {
			return nil
		}
		list = append(list, values)
	}
	return list
}

// indices returns the values as indices of the sorted different values, and their number.
func indices(values []int32) (index []int, count int) {
	sorted := slices.Compact(slices.Sorted(slices.Values(values)))
	index = make([]int, len(values))
	for u, v := range values {
		index[u], _ = slices.BinarySearch(sorted, v)
	}
	return index, len(sorted)
}
