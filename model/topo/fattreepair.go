package topo

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file joins two fat trees.
//
// Source: turn-addition paper, sections 3.2 and 5.3: two 3-level fat trees of k-port switches,
// joined at the top, middle or bottom switches. The networks of the paper have (k/2)² joining
// links. The paper does not say which of the k²/2 middle switches have them:
// FatTreePairOptions.Spread lists the readings.

// joins are the levels at which fat trees can be joined, by level.
var joinLevels = []string{"bottom", "middle", "top"}

// The readings of where joining links are, if there are fewer links than switches.
const (
	SpreadFirst = "first" // link i at switch i mod n of the level: all switches of the first subtrees
	SpreadEven  = "even"  // link i at switch ⌊i*n/links⌋: some switches of every subtree
)

// The readings of which two switches a joining link connects.
const (
	WiresStraight = "straight" // corresponding switches
	WiresCrossed  = "crossed"  // link x*(k/2)+y of one tree with y*(k/2)+x of the other
)

// FatTreePairOptions describes how two fat trees are joined.
type FatTreePairOptions struct {
	Join   string // bottom, middle or top; defaults to top
	Links  int    // number of joining links; defaults to (k/2)²
	Spread string // SpreadFirst or SpreadEven; defaults to SpreadFirst
	// Wires is WiresStraight or WiresCrossed; defaults to WiresStraight. If (k/2)² crossed
	// wires join the middle switches of the first subtrees, there is one link for each pair of
	// a group of top switches of one tree and a group of the other.
	Wires string
}

// FatTreePair returns two fat trees a and b of k-port switches and 3 levels, joined by links
// between corresponding switches of one level. All switches and hosts of a come before those of
// b. A joining link uses one additional port at each end, numbered after all other ports.
func FatTreePair(k int, p FatTreePairOptions, o Options) (*model.Network, error) {
	t, err := newFatTree(k, 3, o)
	if err != nil {
		return nil, err
	}
	if p.Join == "" {
		p.Join = "top"
	}
	if p.Links == 0 {
		p.Links = k / 2 * (k / 2)
	}
	level := slices.Index(joinLevels, p.Join)
	switch {
	case level < 0:
		return nil, fmt.Errorf("fat trees joined at %q, known are %s", p.Join, enumerate(joinLevels, ""))
	case p.Links < 1 || p.Links > MaxChannels/2:
		return nil, fmt.Errorf("%d joining links, allowed are 1 to %d", p.Links, MaxChannels/2)
	case p.Spread != "" && p.Spread != SpreadFirst && p.Spread != SpreadEven:
		return nil, fmt.Errorf("joining links spread %q, known are %s, %s", p.Spread, SpreadFirst, SpreadEven)
	case p.Wires != "" && p.Wires != WiresStraight && p.Wires != WiresCrossed:
		return nil, fmt.Errorf("joining wires %q, known are %s, %s", p.Wires, WiresStraight, WiresCrossed)
	case p.Wires == WiresCrossed && p.Links%(k/2) != 0:
		return nil, fmt.Errorf("%d crossed joining links; want a multiple of k/2=%d", p.Links, k/2)
	}
	first, n := t.level(level)
	s := t.size
	s.switches, s.links, s.hosts = 2*s.switches, 2*s.links+p.Links, 2*s.hosts
	s.ports = max(s.ports, k+(p.Links+n-1)/n)
	if err := s.check(o); err != nil {
		return nil, err
	}
	at := func(i int) int {
		if p.Spread == SpreadEven {
			return first + i*n/p.Links
		}
		return first + i%n
	}
	joining := make([][2]int, p.Links)
	for i := range joining {
		j := i
		if p.Wires == WiresCrossed {
			j = i%(k/2)*(p.Links/(k/2)) + i/(k/2)
		}
		joining[i] = [2]int{at(i), t.size.switches + at(j)}
	}
	return buildTrees(t, 2, o, joining)
}
