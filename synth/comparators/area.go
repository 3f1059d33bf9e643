package comparators

import (
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file counts what a router needs for a circuit.

// Area returns the area of a router on a network with the given sides: it stores its coordinates, and has the
// comparators whose operands are no sizes alone.
func (c *Circuit) Area(sides []int) tables.Area {
	a := tables.Area{Design: "comparators"}
	for _, side := range sides {
		a.Bits += width(side)
	}
	for _, row := range c.Comparators(sides) {
		a.Comparators++
		a.ComparedBits += row.Bits
	}
	return a
}

// Comparison is a comparator for readers.
type Comparison struct {
	Text string // x + 1 <= dx
	Bits int    // of the larger operand
	Uses int    // in branches
}

// Comparators lists the comparators of a router on a network with the given sides.
func (c *Circuit) Comparators(sides []int) (list []Comparison) {
	most := make([]int64, len(c.tree.Names))
	for d, side := range sides {
		most[d], most[c.tree.Dims+d] = int64(side-1), int64(side-1)
		for i := range c.tree.Sizes {
			if c.tree.Sides[d][3*c.tree.Dims+i] != 0 {
				most[3*c.tree.Dims+i] = int64(side)
			}
		}
	}
	for i := range c.comparators {
		x := &c.comparators[i]
		if x.isConstant(c.tree.Dims) {
			continue
		}
		text := c.tree.Text(parametric.Condition{Form: x.form, Mod: x.mod})
		if x.kind == equal {
			text = c.tree.EqualText(x.form)
		}
		list = append(list, Comparison{text, max(1, x.width(most)), x.uses})
	}
	return list
}
