package family

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify"
)

// This file finds a network of the family on which the turns of a refuted set close a cycle.
//
// Meshes and tori are tried by ascending sides; then each side is reduced while there is a
// cycle. H/V graphs are built around a cycle (tree.go).
//
// Without U-turns the routing by all shortest allowed paths has the cycle as well, so
// "check" refutes it. On a torus sides are at least 4; two hops straight on are then a
// shortest path.

// Witness is a member with a cycle.
type Witness struct {
	*Member
	Cycle []model.VCID
}

// Refute returns a member on which the turns of the set close a cycle. If it finds none among
// those tried, it returns nil.
func (d *Decider) Refute(ctx context.Context, set space.Set) (*Witness, error) {
	switch d.space.Kind {
	case space.Mesh, space.Torus:
		return d.refuteGrid(ctx, set)
	case space.UpDown: // a ring of four with the tree from switch 0
		n, err := network(4, [][2]int{{0, 1}, {1, 2}, {2, 3}, {0, 3}})
		if err != nil {
			return nil, err
		}
		return orderMember(d.space, n, [][]int{{0}, {1}, {3}, {2}}).cycle(ctx, set)
	case space.HV:
		if d.space.Tree == space.CanonicalTree {
			return d.refuteCanonical(ctx, set)
		}
		return d.refuteTree(ctx, set)
	}
	return d.refuteGiven(ctx, set)
}

// mostSwitches bounds the grids that are tried.
const mostSwitches = 1 << 13

func (d *Decider) refuteGrid(ctx context.Context, set space.Set) (*Witness, error) {
	least := 2
	if d.space.Kind == space.Torus {
		least = 4
	}
	for side := least; ; side++ {
		sides, switches := make([]int, d.space.Dims), 1
		for i := range sides {
			sides[i] = side
			switches *= side
		}
		if switches > mostSwitches {
			return nil, nil
		}
		w, err := d.tryGrid(ctx, set, sides)
		if err != nil {
			return nil, err
		}
		if w == nil {
			continue
		}
		for i := range sides {
			for sides[i] > least {
				sides[i]--
				smaller, err := d.tryGrid(ctx, set, sides)
				if err != nil {
					return nil, err
				}
				if smaller == nil {
					sides[i]++
					break
				}
				w = smaller
			}
		}
		return w, nil
	}
}

func (d *Decider) tryGrid(ctx context.Context, set space.Set, sides []int) (*Witness, error) {
	m, err := Grid(d.space, sides)
	if err != nil {
		return nil, err
	}
	return m.cycle(ctx, set)
}

// cycle returns the member with a shortest cycle of allowed turns, or nil if there is none.
func (m *Member) cycle(ctx context.Context, set space.Set) (*Witness, error) {
	rep, err := verify.CheckTurns(ctx, m.Allowed(set), verify.TurnOptions{})
	if err != nil || rep.Cycle == nil {
		return nil, err
	}
	return &Witness{m, rep.Cycle}, nil
}

// Used reports whether the routing by all shortest allowed paths has a deadlock on the member,
// so that "check" refutes it.
func (m *Member) Used(ctx context.Context, set space.Set) (bool, error) {
	rep, err := verify.Check(ctx, route.FromTurns(m.Allowed(set), false), verify.Options{NoPairs: true})
	if err != nil {
		return false, fmt.Errorf("cannot check the routing by shortest paths: %w", err)
	}
	return rep.DeadlockFree.Verdict == verify.Refuted, nil
}
