package figure

import (
	"math"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file places the meshes of a fabric of several meshes, such as a TT-Fabric: each mesh as a grid, and the meshes in rows, in the order of
// their numbers.

// meshGap is the distance of neighbouring meshes, in distances of neighbouring switches.
const meshGap = 1.8

// meshPlan needs the attributes mesh, x and y: the place of a switch within its mesh. Cables between meshes are dashed.
func meshPlan(n *model.Network) *plan {
	values := attributesOf(n, "mesh", "x", "y")
	if values == nil {
		return nil
	}
	mesh, meshes := indices(values[0])
	x, y := values[1], values[2]
	columns := int(math.Ceil(math.Sqrt(float64(meshes))))
	wide, high := make([]float64, columns), make([]float64, (meshes+columns-1)/columns)
	for u, m := range mesh {
		wide[m%columns], high[m/columns] = max(wide[m%columns], float64(x[u])), max(high[m/columns], float64(y[u]))
	}
	left, below := make([]float64, columns), make([]float64, len(high))
	for i := 1; i < columns; i++ {
		left[i] = left[i-1] + wide[i-1] + meshGap
	}
	for i := len(high) - 2; i >= 0; i-- { // the first row is on top
		below[i] = below[i+1] + high[i+1] + meshGap
	}
	p := &plan{at: make([]point, n.NumSwitches()), aligned: true, group: mesh, apart: Dashed}
	if meshes > 1 {
		p.note = "Dashed, grey: cables between meshes."
	}
	for u, m := range mesh {
		p.at[u] = point{left[m%columns] + float64(x[u]), below[m/columns] + float64(y[u])}
	}
	if slices.Max(wide)+slices.Max(high) == 0 { // meshes of one switch each say nothing of places
		return nil
	}
	return p
}
