package minimum

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// This file packs cycles: weights, at most one in sum on each turn. Every cycle has a
// prohibited turn, so as many turns are prohibited as the weights are in sum, at least.
//
// Method: linear programming, by the simplex method with an explicit inverse, cycles
// brought in as they are needed: with the prices of turns at hand a cycle whose turns cost
// less than 1 in sum is one that pays (Dijkstra from each channel). A turn and its reverse
// (the same way backwards) share a row, and a cycle stands for itself and the same
// backwards, half the weight each: of any packing and its mirror image the mean is as
// good, and a step costs a quarter. The bounds of the rows
// are made a little unequal, so that steps are not in vain. What comes out in floating
// point is rounded to weights over a denominator, and each turn is held to it exactly.
// Source: column generation is P. C. Gilmore and R. E. Gomory, Operations Research 9(6),
// 1961; the cycle formulation is that of A. Baharev et al., ACM JEA 26, 2021.
// Cost: rows² for a step, half as many as turns; memory rows² numbers.

// Packing is weighted cycles, a lower bound that can be checked.
type Packing struct {
	Denominator int32     `json:"denominator"`
	Weights     []int32   `json:"weights"` // by cycle, over Denominator
	Cycles      [][]int32 `json:"cycles"`  // the turns of each, as channels that follow one another
}

// Bound is the number of turns that are prohibited at least; where a turn goes with its
// reverse, of pairs.
func (p *Packing) Bound() int {
	return int((p.sum() + int64(p.Denominator) - 1) / int64(p.Denominator))
}

// sum is the weights in sum, over the denominator.
func (p *Packing) sum() (sum int64) {
	for _, w := range p.Weights {
		sum += int64(w)
	}
	return sum
}

// denominator is divisible by all numbers up to ten.
const denominator = 2520

// packer is the linear programme.
type packer struct {
	*instance
	rows    int
	row     []int32   // by turn
	inverse []float64 // of the basis, by row
	value   []float64 // of the basic columns
	basis   []int     // by row: a cycle, or -1-t for the slack of row t
	price   []float64 // by row, of a turn
	columns [][]int32 // turns of each cycle
	known   map[string]bool
	basic   []bool // by cycle
	random  *rand.Rand
	scratch []int32
	work    int64 // done so far, in moves of the annealing, roughly
}

func (x *instance) newPacker(seed uint64) *packer {
	p := &packer{instance: x, known: map[string]bool{}, random: rand.New(rand.NewPCG(seed, 9))}
	p.row = make([]int32, len(x.turns))
	for t := range x.turns {
		if p.row[t] = int32(p.rows); int(p.reverse[t]) < t {
			p.row[t] = p.row[p.reverse[t]]
		} else {
			p.rows++
		}
	}
	room := 2.0 // of a row
	if x.both {
		room = 1
	}
	p.inverse = make([]float64, p.rows*p.rows)
	for t := range p.rows {
		p.inverse[t*p.rows+t] = 1
		p.basis, p.value, p.price = append(p.basis, -1-t), append(p.value, room+1e-4*room*p.random.Float64()), append(p.price, 0)
	}
	return p
}

// pack improves the packing until no cycle pays, ctx ends or enough is packed.
func (p *packer) pack(ctx context.Context, enough func(float64) bool) {
	for ctx.Err() == nil {
		fresh := p.cyclesThatPay()
		p.work += int64(p.channels()*len(p.turns)) / 20
		if len(fresh) == 0 {
			return
		}
		for ctx.Err() == nil {
			j := p.entering()
			if j == none {
				break
			}
			p.step(j)
			p.work += 1 + int64(p.rows*p.rows)/1000
		}
		if enough(p.sum()) {
			return
		}
	}
}

// sum is the weight packed.
func (p *packer) sum() (s float64) {
	for r, b := range p.basis {
		if b >= 0 {
			s += p.value[r]
		}
	}
	return s
}

const tolerance = 1e-9

// none is no column.
const none = -1

// entering returns a column that pays most: a cycle, or the slack of a turn of negative
// price as -2-t; none if none does.
func (p *packer) entering() int {
	best, most := none, tolerance
	for j, c := range p.columns {
		if p.basic[j] {
			continue
		}
		gain := 1.0
		for _, r := range p.rowsOf(c) {
			gain -= p.price[r]
		}
		if gain > most {
			best, most = j, gain
		}
	}
	for t, price := range p.price {
		if -price > most {
			best, most = -2-t, -price
		}
	}
	return best
}

// rowsOf are the rows of a cycle's turns; where a turn and its reverse are one decision,
// each once.
func (p *packer) rowsOf(cycle []int32) []int32 {
	rows := p.scratch[:0]
	for _, t := range cycle {
		if r := p.row[t]; !p.both || !slices.Contains(rows, r) {
			rows = append(rows, r)
		}
	}
	p.scratch = rows
	return rows
}

// step brings a column into the basis.
func (p *packer) step(j int) {
	n := p.rows
	rows := []int32{int32(-2 - j)}
	gain := 0.0
	if j >= 0 {
		gain, rows = 1, rows[:0]
		rows = append(rows, p.rowsOf(p.columns[j])...)
	}
	direction := make([]float64, n)
	for r := range n {
		row := p.inverse[r*n : (r+1)*n]
		for _, t := range rows {
			direction[r] += row[t]
		}
	}
	for _, t := range rows {
		gain -= p.price[t]
	}
	leave, ratio := -1, math.Inf(1)
	for r, d := range direction {
		if d > tolerance {
			if q := p.value[r] / d; q < ratio {
				leave, ratio = r, q
			}
		}
	}
	if leave < 0 {
		panic("minimum: a cycle can be packed without end")
	}
	pivot := p.inverse[leave*n : (leave+1)*n]
	scale := 1 / direction[leave]
	for i := range pivot {
		pivot[i] *= scale
	}
	for r, d := range direction {
		if r == leave || d == 0 {
			continue
		}
		row := p.inverse[r*n : (r+1)*n]
		for i, x := range pivot {
			if x != 0 {
				row[i] -= d * x
			}
		}
		p.value[r] -= d * ratio
	}
	p.value[leave] = ratio
	for i, x := range pivot {
		p.price[i] += gain * x
	}
	if old := p.basis[leave]; old >= 0 {
		p.basic[old] = false
	}
	if p.basis[leave] = -1 - (-2 - j); j >= 0 {
		p.basis[leave], p.basic[j] = j, true
	}
}

// packing rounds the weights down, holds each turn to the denominator, and fills up
// what is left.
func (p *packer) packing() *Packing {
	pack := &Packing{Denominator: denominator}
	of := make([]int32, len(p.turns)) // what a turn loads: itself, or with its reverse one thing
	for t := range of {
		if of[t] = int32(t); p.both {
			of[t] = p.row[t]
		}
	}
	room := make([]int32, len(p.turns))
	for t := range room {
		room[t] = denominator
	}
	type part struct {
		cycle  []int32
		weight float64
	}
	var parts []part
	for r, b := range p.basis {
		if b >= 0 && p.value[r] > 0 {
			back := make([]int32, len(p.columns[b]))
			for i, t := range p.columns[b] {
				back[len(back)-1-i] = p.reverse[t]
			}
			if p.both {
				parts = append(parts, part{p.columns[b], p.value[r] * denominator})
				continue
			}
			half := p.value[r] * denominator / 2
			parts = append(parts, part{p.columns[b], half}, part{back, half})
		}
	}
	weights := make([]int32, len(parts))
	give := func(i int, most int32) {
		w := most
		var loaded []int32
		for _, t := range parts[i].cycle {
			if !p.both || !slices.Contains(loaded, of[t]) {
				loaded = append(loaded, of[t])
			}
		}
		for _, k := range loaded {
			w = min(w, room[k])
		}
		weights[i] += w
		for _, k := range loaded {
			room[k] -= w
		}
	}
	for i := range parts {
		give(i, int32(parts[i].weight+1e-6))
	}
	for i := range parts {
		give(i, denominator)
	}
	for i, w := range weights {
		if w > 0 {
			channels := make([]int32, len(parts[i].cycle))
			for k, t := range parts[i].cycle {
				channels[k] = p.turns[t].in
			}
			pack.Weights, pack.Cycles = append(pack.Weights, w), append(pack.Cycles, channels)
		}
	}
	return pack
}
