package local

import (
	"math"
	"slices"

	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file keeps the bounds that inequalities imply for differences of two variables.

// none is the bound of a difference that nothing bounds.
const none = math.MinInt32

// differences has the greatest lower bound of variable j - variable i at i*n + j. Variable 0 is the number 0.
type differences struct {
	n     int
	least []int32
}

func newDifferences(variables int) *differences {
	d := &differences{n: variables + 1}
	d.least = make([]int32, d.n*d.n)
	for i := range d.least {
		d.least[i] = none
	}
	for i := range d.n {
		d.least[i*d.n+i] = 0
	}
	return d
}

func (d *differences) clone() *differences { return &differences{d.n, slices.Clone(d.least)} }

// contradicts reports whether the bounds contradict: to - from >= least.
func (d *differences) contradicts(from, to int, least int64) bool {
	back := d.least[to*d.n+from]
	return back != none && int64(back)+least > 0
}

// implies reports whether the bounds imply: to - from >= least.
func (d *differences) implies(from, to int, least int64) bool {
	known := d.least[from*d.n+to]
	return known != none && int64(known) >= least
}

// add adds: to - from >= least. The bounds must not contradict it.
func (d *differences) add(from, to int, least int64) {
	if d.implies(from, to, least) {
		return
	}
	n, w := d.n, int32(least)
	for i := range n {
		before := d.least[i*n+from]
		if before == none {
			continue
		}
		line := d.least[i*n : (i+1)*n]
		after := d.least[to*n : (to+1)*n]
		for j, x := range after {
			if x != none && before+w+x > line[j] {
				line[j] = before + w + x
			}
		}
	}
}

// solution returns integers that satisfy the bounds.
func (d *differences) solution(variables int) []int64 {
	value := make([]int64, d.n)
	for i := range d.n {
		for j := range d.n {
			if x := d.least[i*d.n+j]; x != none {
				value[j] = max(value[j], int64(x))
			}
		}
	}
	point := make([]int64, variables)
	for v := range min(variables, d.n-1) {
		point[v] = value[v+1] - value[0]
	}
	return point
}

// path returns rows whose sum is the bound of to - from.
func (d *differences) path(from, to int, rows []*fact) []term {
	type arc struct {
		from, to int
		least    int64
		row      *fact
	}
	var arcs []arc
	for _, r := range rows {
		if a, b, least, ok := difference(everysize.Form(r.row)); ok && a != b {
			arcs = append(arcs, arc{a, b, least, r})
		}
	}
	best := make([]int64, d.n)
	by := make([]*arc, d.n)
	for i := range best {
		best[i] = math.MinInt64
	}
	best[from] = 0
	for changed := true; changed; {
		changed = false
		for i := range arcs {
			a := &arcs[i]
			if best[a.from] != math.MinInt64 && best[a.from]+a.least > best[a.to] && a.to != from {
				best[a.to], by[a.to] = best[a.from]+a.least, a
				changed = true
			}
		}
	}
	var list []term
	for v := to; v != from; v = by[v].from {
		list = append(list, term{by[v].row, 1})
	}
	return list
}
