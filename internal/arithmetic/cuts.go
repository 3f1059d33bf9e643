package arithmetic

import "github.com/turnproof/turnproof/internal/linear"

// This file finds a cut: a sum of rows c + g*(...) >= 0 of which g does not divide the constant c.
//
// Two rows that are negatives of each other are an equation. Equations are solved for variables with coefficient 1 or -1, and
// these variables are replaced in the other rows.

// maxCut bounds coefficients and multipliers of cuts.
const maxCut = 1 << 24

// combination is a row with the multipliers of rows that sum to it. Those of equations may be negative.
type combination struct {
	row  []int64
	mult map[int]int64
}

// minus returns c - k*d, or nil if a number is too large.
func (c *combination) minus(d *combination, k int64) *combination {
	e := &combination{make([]int64, max(len(c.row), len(d.row))), map[int]int64{}}
	copy(e.row, c.row)
	for i, m := range c.mult {
		e.mult[i] = m
	}
	for v, x := range d.row {
		if e.row[v] -= k * x; max(e.row[v], -e.row[v]) > maxCut {
			return nil
		}
	}
	for i, m := range d.mult {
		if e.mult[i] -= k * m; max(e.mult[i], -e.mult[i]) > maxCut {
			return nil
		}
	}
	return e
}

// divisor returns the gcd of the coefficients without the constant.
func divisor(row []int64) (g int64) {
	for _, c := range row[1:] {
		for b := c; b != 0; {
			g, b = b, g%b
		}
	}
	return max(g, -g)
}

// findCut returns the rows of a cut that the point violates, and its result, or nil.
func findCut(rows []*fact, point *linear.Point) ([]term, []int64) {
	opposite := opposites(rows)
	var equations []*combination // solved for a variable each
	var at []int
	reduce := func(i int) *combination {
		c := &combination{trimmed(rows[i].row), map[int]int64{i: 1}}
		for k, e := range equations {
			if at[k] < len(c.row) && c.row[at[k]] != 0 {
				if c = c.minus(e, c.row[at[k]]*e.row[at[k]]); c == nil {
					return nil
				}
			}
		}
		return c
	}
	for i := range rows {
		if j := opposite[i]; j < i { // also if there is none
			continue
		}
		c := reduce(i)
		if c == nil {
			continue
		}
		if terms, row := c.cut(rows, opposite, point); terms != nil {
			return terms, row
		}
		if v := unit(c.row); v > 0 {
			for k, e := range equations {
				if v < len(e.row) && e.row[v] != 0 {
					if d := e.minus(c, e.row[v]*c.row[v]); d != nil {
						equations[k] = d
					}
				}
			}
			equations, at = append(equations, c), append(at, v)
		}
	}
	for i := range rows {
		if c := reduce(i); c != nil {
			if terms, row := c.cut(rows, opposite, point); terms != nil {
				return terms, row
			}
		}
	}
	return nil, nil
}

// opposites returns by row the index of its negation, or -1.
func opposites(rows []*fact) []int {
	list := make([]int, len(rows))
	for i := range rows {
		list[i] = -1
		for j := range rows {
			if isNegation(rows[i].row, rows[j].row) {
				list[i] = j
				break
			}
		}
	}
	return list
}

func isNegation(a, b []int64) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	for v, c := range a {
		other := int64(0)
		if v < len(b) {
			other = b[v]
		}
		if c != -other {
			return false
		}
	}
	return true
}

// unit returns the position of a coefficient 1 or -1, the last one, or 0.
func unit(row []int64) int {
	for v := len(row) - 1; v > 0; v-- {
		if row[v] == 1 || row[v] == -1 {
			return v
		}
	}
	return 0
}

func trimmed(row []int64) []int64 {
	for len(row) > 1 && row[len(row)-1] == 0 {
		row = row[:len(row)-1]
	}
	return row
}

// cut returns the rows and the result of a cut that the point violates, or nil.
func (c *combination) cut(rows []*fact, opposite []int, point *linear.Point) (terms []term, row []int64) {
	g := divisor(c.row)
	if g < 2 || c.row[0]%g == 0 {
		return nil, nil
	}
	row = make([]int64, len(c.row))
	row[0] = floorDiv(c.row[0], g)
	for v, k := range c.row[1:] {
		row[1+v] = k / g
	}
	if num, _ := valueAt(row, point); num >= 0 {
		return nil, nil
	}
	for i := range rows {
		switch m := c.mult[i]; {
		case m > 0:
			terms = append(terms, term{rows[i], m})
		case m < 0 && opposite[i] < 0:
			return nil, nil
		case m < 0:
			terms = append(terms, term{rows[opposite[i]], -m})
		}
	}
	return terms, row
}
