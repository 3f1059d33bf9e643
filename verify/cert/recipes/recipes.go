// Package recipes judges answers about recipes, which are lists of packets' paths: which paths to leave out so that no dependency cycle is
// left, and why fewer are not enough. It shares no code with the search for them.
//
// A dependency is a hop from one VC of a path to the next. A ring is a list of VCs that flow control keeps from filling up
// (docs/theorems/bubbles.md). A cycle within one ring is harmless, any other is not.
package recipes

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// Recipe is what an answer is about.
type Recipe struct {
	VCs   int
	Paths [][]int32 // by path: its VCs between switches
	Ring  []int32   // by VC: the number of its ring, or -1; nil without rings
	Next  []int32   // by VC of a ring: the next VC of the ring
}

// Answer is an answer with its evidence.
type Answer struct {
	Dropped []int32 // the paths that are left out, ascending
	Ranks   []int32 // by VC: the other paths go to greater ranks, or to the next VC of a ring in the rank of the ring
	// Cycles are dependency cycles of the recipe, none within a ring. Steps are a proof that each set that breaks them all leaves out at least as many
	// paths (cert.JudgeClauses on the clauses of Formula). Both are empty if no path is left out, and of an answer that does not claim to be the best.
	Cycles [][]int32
	Steps  []int32
}

// claim names what is judged, in rejections.
const claim = "recipe"

// Judge returns an error unless the paths that an answer keeps have no harmful cycle.
func Judge(r *Recipe, a *Answer) error {
	if len(a.Ranks) != r.VCs || !slices.IsSorted(a.Dropped) {
		return cert.Reject(claim, "%d ranks of %d VCs, or paths that are not ascending", len(a.Ranks), r.VCs)
	}
	drop := map[int32]bool{}
	for _, p := range a.Dropped {
		if p < 0 || int(p) >= len(r.Paths) || drop[p] {
			return cert.Reject(claim, "path %d is left out twice, or is none", p)
		}
		drop[p] = true
	}
	for p, path := range r.Paths {
		if drop[int32(p)] {
			continue
		}
		for i := 1; i < len(path); i++ {
			v, w := path[i-1], path[i]
			if !r.isVC(v) || !r.isVC(w) {
				return cert.Reject(claim, "path %d has VC %d or %d", p, v, w)
			}
			if a.Ranks[w] <= a.Ranks[v] && !(a.Ranks[w] == a.Ranks[v] && r.isMove(v, w)) {
				return cert.Reject(claim, "path %d goes from VC %d to VC %d, which has no greater rank", p, v, w)
			}
		}
	}
	return r.checkRings()
}

func (r *Recipe) isVC(v int32) bool { return v >= 0 && int(v) < r.VCs }

// isMove reports whether a hop goes to the next VC of a ring.
func (r *Recipe) isMove(v, w int32) bool {
	return r.Ring != nil && r.Ring[v] >= 0 && r.Ring[v] == r.Ring[w] && r.Next[v] == w
}

// checkRings judges the form of the rings. VCs of one rank with moves between them are in one ring, because moves stay in a ring.
func (r *Recipe) checkRings() error {
	if r.Ring == nil {
		return nil
	}
	if len(r.Ring) != r.VCs || len(r.Next) != r.VCs {
		return cert.Reject(claim, "%d rings of VCs, and %d next VCs, of %d VCs", len(r.Ring), len(r.Next), r.VCs)
	}
	before := map[int32]bool{}
	for v, ring := range r.Ring {
		if ring < 0 {
			continue
		}
		if w := r.Next[v]; !r.isVC(w) || r.Ring[w] != ring || before[w] {
			return cert.Reject(claim, "VC %d has no next VC in its ring", v)
		}
		before[r.Next[v]] = true
	}
	return nil
}

// JudgeLeast returns an error unless every set of paths without which no harmful cycle is left has at least as many paths as the answer leaves out.
func JudgeLeast(r *Recipe, a *Answer) error {
	if len(a.Dropped) == 0 {
		return nil
	}
	f, err := NewFormula(r, a.Cycles, len(a.Dropped)-1)
	if err != nil {
		return err
	}
	return cert.JudgeClauses(claim, f.Variables, f.Clauses, a.Steps, func(int32, []int32) bool { return false })
}

// JudgeCycle returns an error unless the VCs are a harmful cycle, each of whose dependencies a path of the recipe has.
func JudgeCycle(r *Recipe, cycle []int32) error {
	_, err := NewFormula(r, [][]int32{cycle}, 0)
	return err
}

// JudgePacking returns how many paths every set leaves out that breaks these cycles: for each cycle, as many as have its dependency with
// the fewest paths. It fails if a path has dependencies of two of the cycles, or a cycle is harmless or none.
func JudgePacking(r *Recipe, cycles [][]int32) (least int, err error) {
	owner := map[edge]int{}
	count := map[edge]int{}
	for i, c := range cycles {
		if _, err := NewFormula(r, [][]int32{c}, 0); err != nil {
			return 0, err
		}
		for k, v := range c {
			owner[edge{v, c[(k+1)%len(c)]}] = i + 1
		}
	}
	for p, path := range r.Paths {
		of := 0
		for i := 1; i < len(path); i++ {
			e := edge{path[i-1], path[i]}
			o := owner[e]
			if o == 0 {
				continue
			}
			if of != 0 && of != o {
				return 0, cert.Reject(claim, "path %d has dependencies of cycles %d and %d", p, of-1, o-1)
			}
			of = o
			count[e]++
		}
	}
	for _, c := range cycles {
		fewest := len(r.Paths)
		for k, v := range c {
			fewest = min(fewest, count[edge{v, c[(k+1)%len(c)]}])
		}
		least += fewest
	}
	return least, nil
}

// Formula says that at most Most paths are left out and that all cycles are broken. Variable p + 1 says that path p is left out, for the
// paths that have a dependency of a cycle; further variables say that all paths with a dependency are left out, and count.
type Formula struct {
	Variables int
	Clauses   [][]int32
	Paths     []int32 // by variable of a path, from 1 on: the path
}

// edge is a dependency.
type edge struct{ from, to int32 }

// NewFormula returns the formula. It fails if a cycle is none of the recipe, or is within a ring.
func NewFormula(r *Recipe, cycles [][]int32, most int) (*Formula, error) {
	wanted, order, err := r.edgesOf(cycles)
	if err != nil {
		return nil, err
	}
	users := make([][]int32, len(order))
	for p, path := range r.Paths {
		for i := 1; i < len(path); i++ {
			if n, ok := wanted[edge{path[i-1], path[i]}]; ok {
				users[n] = append(users[n], int32(p))
			}
		}
	}
	f := &Formula{}
	of := map[int32]int32{} // by path: its variable
	for n, list := range users {
		if len(list) == 0 {
			return nil, cert.Reject(claim, "no path goes from VC %d to VC %d", order[n].from, order[n].to)
		}
		for _, p := range list {
			if of[p] == 0 {
				f.Paths = append(f.Paths, p)
				of[p] = int32(len(f.Paths))
			}
		}
	}
	f.Variables = len(f.Paths)
	broken := make([]int32, len(order))
	for n, list := range users {
		f.Variables++
		broken[n] = int32(f.Variables)
		for _, p := range list {
			f.Clauses = append(f.Clauses, []int32{-broken[n], of[p]})
		}
	}
	for _, c := range cycles {
		var clause []int32
		for k, v := range c {
			clause = append(clause, broken[wanted[edge{v, c[(k+1)%len(c)]}]])
		}
		slices.Sort(clause)
		f.Clauses = append(f.Clauses, slices.Compact(clause))
	}
	f.atMost(most)
	return f, nil
}

// atMost adds clauses for a counter: at most most of the paths are left out. Source: C. Sinz, Towards an optimal CNF encoding of Boolean
// cardinality constraints, CP 2005.
func (f *Formula) atMost(most int) {
	n := len(f.Paths)
	if most >= n {
		return
	}
	if most == 0 {
		for x := range int32(n) {
			f.Clauses = append(f.Clauses, []int32{-(x + 1)})
		}
		return
	}
	base := int32(f.Variables)
	count := func(i, k int) int32 { return base + int32(i*most+k) + 1 } // more than k of the paths up to i
	f.Variables += (n - 1) * most
	for i := range n - 1 {
		x := int32(i) + 1
		f.Clauses = append(f.Clauses, []int32{-x, count(i, 0)})
		if i == 0 {
			continue
		}
		for k := range most {
			f.Clauses = append(f.Clauses, []int32{-count(i-1, k), count(i, k)})
			if k > 0 {
				f.Clauses = append(f.Clauses, []int32{-x, -count(i-1, k-1), count(i, k)})
			}
		}
	}
	for i := 1; i < n; i++ {
		f.Clauses = append(f.Clauses, []int32{-int32(i) - 1, -count(i-1, most-1)})
	}
}

// Size returns the size of a formula, for limits.
func (f *Formula) Size() string {
	return fmt.Sprintf("%d variables, %d clauses", f.Variables, len(f.Clauses))
}

// edgesOf numbers the dependencies of cycles, and returns them in order.
func (r *Recipe) edgesOf(cycles [][]int32) (wanted map[edge]int32, order []edge, err error) {
	wanted = map[edge]int32{}
	for i, c := range cycles {
		harmful := false
		for k, v := range c {
			e := edge{v, c[(k+1)%len(c)]}
			if !r.isVC(v) || !r.isVC(e.to) {
				return nil, nil, cert.Reject(claim, "cycle %d has VC %d", i, v)
			}
			harmful = harmful || !r.isMove(e.from, e.to)
			if _, ok := wanted[e]; !ok {
				wanted[e] = int32(len(order))
				order = append(order, e)
			}
		}
		if !harmful {
			return nil, nil, cert.Reject(claim, "cycle %d of %d VCs is within a ring", i, len(c))
		}
	}
	return wanted, order, nil
}
