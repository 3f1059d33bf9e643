package program

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/turnproof/turnproof/model"
)

// This file evaluates works(at, a): does the switch at place at have a channel in direction a that has not failed?

// exists is Works of a grid without failures. It compares coordinates, so they may be symbols.
func (i *Instance) exists(at []starlark.Value, a Dir) (bool, error) {
	for d, x := range at {
		least, next := starlark.MakeInt(0), x
		if d == a.Dim() && !i.program.Family.WrapsIn(d) {
			if a.Minus() {
				least = starlark.MakeInt(1)
			} else {
				var err error
				if next, err = arithmetic(i.thread(), syntax.PLUS, x, starlark.MakeInt(1)); err != nil {
					return false, err
				}
			}
		}
		if in, err := ordered(syntax.LE, least, x); err != nil || !in {
			return false, err
		}
		if in, err := ordered(syntax.LT, next, i.sides[d]); err != nil || !in {
			return false, err
		}
	}
	return true, nil
}

// worksOn returns Works of a network whose coordinates are numbers.
func worksOn(n *model.Network) Works {
	g := n.Grid()
	return func(at []starlark.Value, a Dir) (bool, error) {
		coords := make([]int, len(at))
		for d, x := range at {
			k, ok := small(x)
			if !ok {
				return false, fmt.Errorf("works of a place with the coordinate %s", show(x))
			}
			coords[d] = k
		}
		return channelWorks(n, g, coords, a), nil
	}
}

// channelWorks reports whether a channel of n leaves coordinates in direction a.
func channelWorks(n *model.Network, g *model.Grid, coords []int, a Dir) bool {
	for d, x := range coords {
		if x < 0 || x >= g.Sides[d] {
			return false
		}
	}
	u := g.At(coords)
	return u != model.NoSwitch && n.OutAt(u, a.Port()) != model.NoChannel
}

// works is the function of programs.
func works(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
	i := t.Local(instanceKey).(*Instance)
	if i.view != nil {
		return nil, fmt.Errorf("network() has no directions: ports(cur) has the ports that work")
	}
	dir, ok := a[1].(direction)
	if !ok || Dir(dir).Dim() >= len(i.sides) {
		return nil, fmt.Errorf("works(place, direction) of %s; want a direction of the network", show(a[1]))
	}
	var at []starlark.Value
	switch p := a[0].(type) {
	case place:
		at = p
	case starlark.Tuple:
		at = p
	}
	if len(at) != len(i.sides) {
		return nil, fmt.Errorf("works(place, direction) of %s; want a place, or a tuple of %d coordinates", show(a[0]), len(i.sides))
	}
	for _, x := range at {
		if !isNumber(x) {
			return nil, fmt.Errorf("works of a place with the coordinate %s", show(x))
		}
	}
	return boolean(i.works(at, Dir(dir)))
}
