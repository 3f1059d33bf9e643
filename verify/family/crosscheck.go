package family

import (
	"context"

	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify/smt"
)

// ClosedWalk asks Z3 whether the steps of a set allow a closed walk whose moves sum to
// zero. If the set is not acyclic, the result is Sat. It supports families whose moves are defined
// by differences of coordinates: all except H/V graphs on canonical trees.
func ClosedWalk(ctx context.Context, s *space.Space, set space.Set, limit smt.Limit) (smt.Result, error) {
	w := smt.Walk{Coordinates: len(s.Coords)}
	for _, p := range s.Places {
		rows := [][]int{}
		for _, c := range p.Move {
			rows = append(rows, append(append([]int{}, c.Head...), c.Least))
		}
		w.Rows = append(w.Rows, rows)
	}
	for _, e := range s.Steps(set) {
		w.Steps = append(w.Steps, [2]int{e.From, e.To})
	}
	return smt.ClosedWalk(ctx, w, limit)
}
