package figure

// This file places chiplets and the switches of their interposer.

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// chipletPlan shows chiplets from above. The switches of their interposer, which have no value of chiplet, are
// offset to the left and downwards from the chiplet switches above them.
func chipletPlan(n *model.Network) *plan {
	chiplet, values := n.Attribute("chiplet"), attributesOf(n, "x", "y")
	if chiplet == nil || values == nil || !slices.Contains(chiplet, model.NoAttribute) {
		return nil
	}
	p := &plan{at: make([]point, n.NumSwitches()), group: make([]int, n.NumSwitches()), second: make([]bool, n.NumSwitches()),
		straight: true, apart: Dashed, note: "White: the switches of the interposer below the chiplets. Dashed: links between chiplets and interposer."}
	x, y := aboveInterposer(n, chiplet, values[0]), aboveInterposer(n, chiplet, values[1])
	for u, c := range chiplet {
		p.at[u] = point{x[u], y[u]}
		if c == model.NoAttribute {
			p.at[u] = p.at[u].sub(point{beneath, beneath})
			p.second[u], p.group[u] = true, 1
		}
	}
	return p
}

// aboveInterposer returns the positions of all switches along an axis. There is a gap between neighbouring chiplets.
func aboveInterposer(n *model.Network, chiplet, values []int32) []float64 {
	at := make([]float64, len(values))
	first := map[int32]int32{} // by chiplet: its least value
	for u, c := range chiplet {
		if least, ok := first[c]; !ok || values[u] < least {
			first[c] = values[u]
		}
	}
	var starts []int32
	for c, v := range first {
		if c != model.NoAttribute {
			starts = append(starts, v)
		}
	}
	starts = slices.Compact(slices.Sorted(slices.Values(starts)))
	sum, count := map[int32]float64{}, map[int32]float64{} // by value of an interposer switch: the places above it
	for u, c := range chiplet {
		if c != model.NoAttribute {
			before, _ := slices.BinarySearch(starts, first[c])
			at[u] = float64(values[u]-slices.Min(starts)) + (blockGap-1)*float64(before)
		}
	}
	for l := range model.LinkID(n.NumLinks()) {
		a, b := n.Link(l).A, n.Link(l).B
		if chiplet[a] == model.NoAttribute {
			a, b = b, a
		}
		if chiplet[a] != model.NoAttribute && chiplet[b] == model.NoAttribute {
			sum[values[b]] += at[a]
			count[values[b]]++
		}
	}
	index, size := indices(values)
	wide := slices.Max(at)
	for u, c := range chiplet {
		if k := count[values[u]]; c == model.NoAttribute && k > 0 {
			at[u] = sum[values[u]] / k
		} else if c == model.NoAttribute {
			at[u] = wide * float64(index[u]) / float64(max(size-1, 1))
		}
	}
	return at
}
