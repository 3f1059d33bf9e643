package linear

import "math/bits"

// This file finds a point that satisfies inequalities, or multipliers that show that there is none, in 64-bit
// integers.
//
// Method: a dictionary writes the slack of each inequality in terms of variables that are 0. While a slack is
// negative, a variable that can increase it takes its place. Variables without a sign come first, then the smallest
// number (Bland's rule), so the search terminates. For tens of inequalities, a few microseconds per exchange.

// Point is a rational point: x[j] = Num[j]/Den[j].
type Point struct{ Num, Den []int64 }

// Feasible looks for a point with c + a·x >= 0 for each row (c, a...). Rows may be shorter than 1+variables. If there is none, it
// returns multipliers, at least 0, of which the sum of the rows is a negative constant. If a number exceeds 64 bits,
// ok is false.
func Feasible(rows [][]int64, variables int) (p *Point, multipliers []int64, ok bool) {
	d := newDictionary(rows, variables)
	for {
		leave := d.violated()
		if leave < 0 {
			return d.point(), nil, true
		}
		enter := d.entering(leave)
		if enter < 0 {
			return nil, d.multipliers(leave), true
		}
		if !d.exchange(leave, enter) {
			return nil, nil, false
		}
	}
}

// dictionary: den[i] * basic[i] = cell[i][0] + sum of cell[i][1+j] * free[j]. Variables have the numbers 0..n-1, the slack of
// row i has n+i.
type dictionary struct {
	n     int
	rows  int
	cell  [][]int64
	den   []int64
	basic []int
	free  []int
}

func newDictionary(rows [][]int64, n int) *dictionary {
	d := &dictionary{n: n, rows: len(rows)}
	space := make([]int64, len(rows)*(n+1))
	for i, row := range rows {
		line := space[i*(n+1) : (i+1)*(n+1)]
		copy(line, row)
		d.cell, d.den, d.basic = append(d.cell, line), append(d.den, 1), append(d.basic, n+i)
	}
	for j := range n {
		d.free = append(d.free, j)
	}
	return d
}

// violated returns the line of the negative slack with the smallest number, or -1.
func (d *dictionary) violated() int {
	best := -1
	for i, line := range d.cell {
		if line[0] < 0 && d.basic[i] >= d.n && (best < 0 || d.basic[i] < d.basic[best]) {
			best = i
		}
	}
	return best
}

// entering returns the column of a variable that can increase the slack of a line, or -1.
func (d *dictionary) entering(i int) int {
	best := -1
	for j, v := range d.free {
		c := d.cell[i][1+j]
		if c > 0 || c < 0 && v < d.n {
			if best < 0 || v < d.free[best] {
				best = j
			}
		}
	}
	return best
}

// exchange makes variable free[j] basic in line i. It returns false on overflow.
func (d *dictionary) exchange(i, j int) bool {
	line := d.cell[i]
	c := line[1+j]
	// den*b = line + c*f, so c*f = den*b - line without f.
	line[1+j] = -d.den[i]
	if c > 0 {
		for k := range line {
			line[k] = -line[k]
		}
	}
	d.den[i] = max(c, -c)
	d.basic[i], d.free[j] = d.free[j], d.basic[i]
	for k := range d.cell {
		if k == i || d.cell[k][1+j] == 0 {
			continue
		}
		if !d.substitute(k, i, j) {
			return false
		}
	}
	return true
}

// substitute replaces column j in line k by line i, for the variable that is basic there now.
func (d *dictionary) substitute(k, i, j int) bool {
	line, by, c := d.cell[k], d.cell[i], d.cell[k][1+j]
	g := gcd64(c, d.den[i])
	scale, c := d.den[i]/g, c/g
	line[1+j] = 0
	common := int64(0)
	for v := range line {
		x, ok1 := mul64(line[v], scale)
		y, ok2 := mul64(by[v], c)
		sum := x + y
		if !ok1 || !ok2 || (sum > x) != (y > 0) && y != 0 {
			return false
		}
		line[v] = sum
		common = gcd64(common, sum)
	}
	den, ok := mul64(d.den[k], scale)
	if !ok {
		return false
	}
	if common = gcd64(common, den); common > 1 {
		for v := range line {
			line[v] /= common
		}
		den /= common
	}
	d.den[k] = den
	return true
}

func (d *dictionary) point() *Point {
	p := &Point{make([]int64, d.n), make([]int64, d.n)}
	for j := range p.Den {
		p.Den[j] = 1
	}
	for i, v := range d.basic {
		if v < d.n {
			g := max(gcd64(d.cell[i][0], d.den[i]), 1)
			p.Num[v], p.Den[v] = d.cell[i][0]/g, d.den[i]/g
		}
	}
	return p
}

// multipliers returns those of a line that cannot increase: den*slack = negative constant - others.
func (d *dictionary) multipliers(i int) []int64 {
	list := make([]int64, d.rows)
	list[d.basic[i]-d.n] = d.den[i]
	g := d.den[i]
	for j, v := range d.free {
		if c := -d.cell[i][1+j]; c != 0 {
			list[v-d.n] = c
			g = gcd64(g, c)
		}
	}
	for k := range list {
		list[k] /= g
	}
	return list
}

func gcd64(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// mul64 returns a*b, and false on overflow.
func mul64(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
	if hi != 0 || lo >= 1<<62 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}
