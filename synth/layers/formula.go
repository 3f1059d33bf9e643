package layers

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
)

// This file states as clauses that k VCs are enough for some paths. verify/cert/vccount.go specifies variables
// and clauses, since a refutation of them is evidence.
//
// Clauses about cycles are added when a model has the cycle.

// demand is what needs VCs: a path, or the paths of a pair that share a VC.
type demand struct {
	turns []model.Turn      // unless the mode is by hop
	path  []model.ChannelID // if the mode is by hop
}

// formula states that k VCs are enough for some demands. A vertex is a VC of a channel, c*k+v.
type formula struct {
	mode    Mode
	k       int32
	demands []demand
	first   []int32 // by demand: its first choice; each choice has k variables
	choices int32
	solver  *clausal.Solver
	uses    map[[2]int32]int32 // by dependency of vertices: its variable
	arcs    [][2]int32         // by variable, after those of choices: its dependency
	size    int32              // number of vertices
}

// Kinds of clauses.
const (
	clauseBase = iota
	clauseCycle
	clauseChoice // a choice has a VC
)

func newFormula(mode Mode, k int, demands []demand, channels int) *formula {
	f := &formula{mode: mode, k: int32(k), demands: demands, uses: map[[2]int32]int32{}, size: int32(channels * k)}
	for _, d := range demands {
		f.first = append(f.first, f.choices)
		if mode.byHop() {
			f.choices += int32(len(d.path))
		} else {
			f.choices++
		}
	}
	for u := range demands {
		f.each(u, func(_, _ int32, arc [2]int32) {
			if f.uses[arc] == 0 {
				f.arcs = append(f.arcs, arc)
				f.uses[arc] = f.choices*f.k + int32(len(f.arcs))
			}
		})
	}
	f.solver = clausal.New(int(f.choices*f.k) + len(f.arcs))
	f.addClauses()
	return f
}

// chosen returns the variable: the choice takes VC v.
func (f *formula) chosen(choice, v int32) int32 { return choice*f.k + v + 1 }

// each calls visit for each dependency of a demand. The dependency arises if two variables are true, which may
// be the same.
func (f *formula) each(u int, visit func(x, y int32, arc [2]int32)) {
	for _, t := range f.demands[u].turns {
		for v := range f.k {
			x := f.chosen(f.first[u], v)
			visit(x, x, [2]int32{int32(t.In)*f.k + v, int32(t.Out)*f.k + v})
		}
	}
	for i := range max(0, len(f.demands[u].path)-1) {
		from, to := int32(f.demands[u].path[i]), int32(f.demands[u].path[i+1])
		at := f.first[u] + int32(i)
		for v := range f.k {
			for w := range f.k {
				if v == w || f.mode == PerHop {
					visit(f.chosen(at, v), f.chosen(at+1, w), [2]int32{from*f.k + v, to*f.k + w})
				}
			}
		}
	}
}

func (f *formula) addClauses() {
	for c := range f.choices {
		some := make([]int32, f.k)
		for v := range f.k {
			some[v] = f.chosen(c, v)
		}
		f.solver.Add(clauseChoice, some...)
	}
	for u := range f.demands {
		f.each(u, func(x, y int32, arc [2]int32) {
			if x == y {
				f.solver.Add(clauseBase, -x, f.uses[arc])
			} else {
				f.solver.Add(clauseBase, -x, -y, f.uses[arc])
			}
		})
	}
	switch f.mode {
	case PerRise:
		f.addRises()
	case PerHop:
		f.addFirstUses()
	default:
		for u := range f.first { // VCs are numbered in the order in which the demands use them first
			f.forbid(f.first[u], int32(u)+1, f.k)
		}
	}
}

// forbid says that a choice takes none of the VCs from low up to, not including, high.
func (f *formula) forbid(choice, low, high int32) {
	for v := low; v < high; v++ {
		f.solver.Add(clauseBase, -f.chosen(choice, v))
	}
}

// addRises says that VCs never fall. The first hop takes VC 0, and the last one the last VC: it changes
// nothing else, because only dependencies within a VC matter.
func (f *formula) addRises() {
	for u, d := range f.demands {
		at, last := f.first[u], int32(len(d.path)-1)
		for i := range last {
			for v := range f.k {
				for w := range v {
					f.solver.Add(clauseBase, -f.chosen(at+i, v), -f.chosen(at+i+1, w))
				}
			}
		}
		f.forbid(at, 1, f.k)
		f.forbid(at+last, 0, f.k-1)
	}
}

// addFirstUses says that the VCs of each channel are numbered in the order in which the paths use them first.
func (f *formula) addFirstUses() {
	used := map[model.ChannelID]int32{}
	for u, d := range f.demands {
		for i, c := range d.path {
			used[c]++
			f.forbid(f.first[u]+int32(i), used[c], f.k)
		}
	}
}

// solve searches for VCs. It returns a VC for each choice, and none unless the result is Sat.
func (f *formula) solve(ctx context.Context) ([]int32, clausal.Result) {
	for {
		if r := f.solver.Solve(ctx); r != clausal.Sat {
			return nil, r
		}
		of := make([]int32, f.choices)
		for c := range of {
			for !f.solver.True(f.chosen(int32(c), of[c])) {
				of[c]++
			}
		}
		cycles := f.cycles(of)
		if len(cycles) == 0 {
			return of, clausal.Sat
		}
		for _, cycle := range cycles {
			f.exclude(cycle)
		}
	}
}

// cycles returns cycles that share no dependency, or none if these VCs close no cycle.
func (f *formula) cycles(of []int32) (list [][]int32) {
	next := make([][]int32, f.size)
	for u := range f.demands {
		f.each(u, func(x, y int32, arc [2]int32) {
			if f.takes(of, x) && f.takes(of, y) && !slices.Contains(next[arc[0]], arc[1]) {
				next[arc[0]] = append(next[arc[0]], arc[1])
			}
		})
	}
	for {
		cycle := cycleIn(next)
		if cycle == nil {
			return list
		}
		cycle = shortened(next, cycle)
		list = append(list, cycle)
		for i, c := range cycle {
			to := cycle[(i+1)%len(cycle)]
			next[c] = slices.DeleteFunc(next[c], func(b int32) bool { return b == to })
		}
	}
}

// takes reports whether a variable of a choice is true.
func (f *formula) takes(of []int32, x int32) bool { return of[(x-1)/f.k] == (x-1)%f.k }

// exclude adds the clause that a cycle does not arise. If no dependency leads from VC to VC, the same holds for
// each VC.
func (f *formula) exclude(cycle []int32) {
	images := f.k
	if f.mode == PerHop {
		images = 1
	}
	for v := range images {
		var clause []int32
		for i := range cycle {
			arc := [2]int32{cycle[i], cycle[(i+1)%len(cycle)]}
			if images > 1 {
				arc = [2]int32{arc[0]/f.k*f.k + v, arc[1]/f.k*f.k + v}
			}
			clause = append(clause, -f.uses[arc])
		}
		f.solver.Add(clauseCycle, clause...)
	}
}

// refutation returns the steps that show that there are no such VCs, and the demands that they need.
func (f *formula) refutation() (steps []int32, needed []int) {
	needs := make([]bool, len(f.demands))
	for _, s := range f.solver.Refutation() {
		if s.Kind == clauseChoice {
			choice := (max(s.Lits[0], -s.Lits[0]) - 1) / f.k
			u, found := slices.BinarySearch(f.first, choice)
			if !found {
				u--
			}
			needs[u] = true
			continue
		}
		steps = append(steps, int32(max(s.Kind, 0)), int32(len(s.Lits)))
		steps = append(steps, s.Lits...)
	}
	for u, n := range needs {
		if n {
			needed = append(needed, u)
		}
	}
	return steps, needed
}

// shortened returns a shortest cycle through the first vertex of the given cycle.
func shortened(next [][]int32, cycle []int32) []int32 {
	start := cycle[0]
	by := map[int32]int32{}
	queue := []int32{start}
	for i := 0; i < len(queue); i++ {
		for _, b := range next[queue[i]] {
			if b == start {
				short := []int32{}
				for c := queue[i]; c != start; c = by[c] {
					short = append(short, c)
				}
				short = append(short, start)
				slices.Reverse(short)
				return short
			}
			if _, ok := by[b]; !ok {
				by[b] = queue[i]
				queue = append(queue, b)
			}
		}
	}
	return cycle
}
