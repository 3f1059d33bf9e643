package confirm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify/family"
)

// ProvedClassTurns simulates the routing by all shortest paths of a set of class turns, on a typical
// network of the family.
func ProvedClassTurns(ctx context.Context, s *space.Space, set space.Set) (*Result, error) {
	m, err := family.Typical(s)
	if err != nil {
		return nil, err
	}
	return TurnSet(ctx, m.Allowed(set))
}

// largerGrids is the number of networks on which RefutedClassTurns tries to reach a deadlock.
const largerGrids = 4

// RefutedClassTurns drives the routing of a set of class turns into a deadlock on the network of its
// refutation. If the network is a grid and the simulator reaches no deadlock, it tries larger grids
// as well, since the turns of the set may lead packets around a small cycle.
func RefutedClassTurns(ctx context.Context, s *space.Space, set space.Set, w *family.Witness) (first *Result, err error) {
	m := w.Member
	for range largerGrids {
		sim, err := TurnSet(ctx, m.Allowed(set))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(s.Names(set), " "), err)
		}
		g := m.Net.Grid()
		if sim.Deadlock || g == nil {
			return sim, nil
		}
		if first == nil {
			first = sim
		}
		sides := slices.Clone(g.Sides)
		for i := range sides {
			sides[i]++
		}
		if m, err = family.Grid(s, sides); err != nil {
			return nil, err
		}
	}
	return first, nil
}
