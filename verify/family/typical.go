package family

import (
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/model/topo"
)

// Typical returns a network of the family of moderate size for simulations: a grid with sides
// 4, 5, ..., otherwise a random network of 16 switches with 4 links each.
func Typical(s *space.Space) (*Member, error) {
	if s.Kind == space.Mesh || s.Kind == space.Torus {
		sides := make([]int, s.Dims)
		for i := range sides {
			sides[i] = 4
			if i == 1 && s.Dims == 2 {
				sides[i] = 5
			}
			if s.Dims > 3 {
				sides[i] = 2
			}
		}
		return Grid(s, sides)
	}
	n, err := topo.Parse("random:switches=16,degree=4,seed=1")
	if err != nil {
		return nil, err
	}
	if s.Kind != space.UpDown {
		return canonicalMember(s, n)
	}
	t, err := hv.NewTree(n, 0, hv.Options{})
	if err != nil {
		return nil, err
	}
	return orderMember(s, n, order(t)), nil
}

// order returns positions of the switches, by depth, then number.
func order(t *hv.Tree) [][]int {
	at := make([][]int, len(t.Depth))
	place := 0
	for depth := int32(0); place < len(at); depth++ {
		for u := range at {
			if t.Depth[u] == depth {
				at[u] = []int{place}
				place++
			}
		}
	}
	return at
}
