package minimum

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// This file packs cycles: it gives them weights, with a total of at most 1 on each turn. Every
// cycle has a prohibited turn. So the number of prohibited turns is at least the total weight.
//
// The method is linear programming, by the simplex method with an explicit inverse and column
// generation. Given prices of the turns, a cycle improves the packing if its turns cost less than
// 1 in total. Dijkstra's algorithm from each channel finds such cycles. A turn and its reverse
// share a row, and a cycle represents itself and its reverse, with half the weight each. This
// loses nothing: the average of a packing and its mirror image has the same total. A step then
// costs a quarter. The right sides of the rows differ slightly, to avoid degenerate steps. The
// floating-point result is rounded to weights over a denominator, and the limit of each turn is
// then enforced exactly.
//
// Sources: column generation is by P. C. Gilmore and R. E. Gomory, Operations Research 9(6), 1961.
// The cycle formulation is by A. Baharev et al., ACM JEA 26, 2021. Cost: rows² for a step, with
// half as many rows as turns; the memory is rows² numbers.

// Packing is a set of weighted cycles: a lower bound that can be checked.
type Packing struct {
	Denominator int32     `json:"denominator"`
	Weights     []int32   `json:"weights"` // by cycle, over Denominator
	Cycles      [][]int32 `json:"cycles"`  // each cycle as its channels in order
}

// Bound returns the lower bound on the number of prohibited turns; with Options.Both, on the
// number of pairs of a turn and its reverse.
func (p *Packing) Bound() int {
	return int((p.sum() + int64(p.Denominator) - 1) / int64(p.Denominator))
}

// sum returns the total weight, over the denominator.
func (p *Packing) sum() (sum int64) {
	for _, w := range p.Weights {
		sum += int64(w)
	}
	return sum
}

// denominator is divisible by all numbers up to ten.
const denominator = 2520

// packer is the linear program.
type packer struct {
	*instance
	rows    int
	row     []int32   // by turn: its row
	inverse []float64 // inverse of the basis, row by row
	value   []float64 // by row: the value of its basic column
	basis   []int     // by row: a cycle, or -1-t for the slack of row t
	price   []float64 // by row: the price of its turns
	columns [][]int32 // by cycle: its turns
	known   map[string]bool
	basic   []bool // by cycle: whether it is in the basis
	random  *rand.Rand
	scratch []int32
	work    int64 // work done, roughly in moves of the annealing
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
	room := 2.0 // right side of a row
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

// pack improves the packing until no cycle improves it, ctx ends, or enough returns true for the
// total weight.
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

// sum returns the total weight of the packed cycles.
func (p *packer) sum() (s float64) {
	for r, b := range p.basis {
		if b >= 0 {
			s += p.value[r]
		}
	}
	return s
}

const tolerance = 1e-9

// none is the result of entering if no column improves the packing.
const none = -1

// entering returns the column of largest gain: the index of a cycle, or -2-t for the slack of row
// t with a negative price. It returns none if no column has a gain.
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

// rowsOf returns the rows of the turns of a cycle. With p.both, each row appears once.
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

// step brings column j into the basis.
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

// part is a cycle of turns with its weight in a packing, in units of 1/denominator.
type part struct {
	cycle  []int32
	weight float64
}

// packing returns the present packing with rounded weights. It rounds down, keeps each turn within
// the denominator, and then raises weights where turns have room.
func (p *packer) packing() *Packing {
	pack := &Packing{Denominator: denominator}
	of := make([]int32, len(p.turns)) // by turn: index into room; with p.both, a turn and its reverse share one
	for t := range of {
		if of[t] = int32(t); p.both {
			of[t] = p.row[t]
		}
	}
	room := make([]int32, len(p.turns))
	for t := range room {
		room[t] = denominator
	}
	parts := p.parts()
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

// parts returns the cycles of the present basis with positive weights. Without p.both, half of each weight is that of the
// reverse cycle.
func (p *packer) parts() (parts []part) {
	for r, b := range p.basis {
		if b >= 0 && p.value[r] > 0 {
			if p.both {
				parts = append(parts, part{p.columns[b], p.value[r] * denominator})
				continue
			}
			back := make([]int32, len(p.columns[b]))
			for i, t := range p.columns[b] {
				back[len(back)-1-i] = p.reverse[t]
			}
			half := p.value[r] * denominator / 2
			parts = append(parts, part{p.columns[b], half}, part{back, half})
		}
	}
	return parts
}
