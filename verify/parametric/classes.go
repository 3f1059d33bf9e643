package parametric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/program"
)

// This file defines classes of packets on channels, and the nodes to which ranks belong.

// class is the channels of a direction and VC that carry packets of a header state.
// Wraparound channels have their own classes. Splitters split classes further (split.go): bit i
// of region says that the tail satisfies splitter i.
type class struct {
	dir    program.Dir // NoDir for packets that have just been created
	vc     int
	state  int
	wrap   bool
	region uint
}

// injected is the class of packets that have just been created, in any starting state.
var injected = class{dir: program.NoDir}

// node is a class without its state. Ranks belong to nodes, since a buffer is the same
// whatever its packets carry.
type node struct {
	dir    program.Dir
	vc     int
	wrap   bool
	region uint
	state  int // in proofs about paths only, where ranks belong to packets (pathclaims.go); otherwise 0
}

func (c class) node() node { return node{c.dir, c.vc, c.wrap, c.region, 0} }

// class returns the class of a node that has a header state.
func (n node) class() class { return class{n.dir, n.vc, n.state, n.wrap, n.region} }

// whole returns the node without region and wraparound: a direction and a VC.
func (n node) whole() node { return node{dir: n.dir, vc: n.vc} }

// String returns the class as in reports: E1 wrap [x even].
func (c class) String() string {
	if c.dir == program.NoDir {
		return "source"
	}
	s := c.node().String()
	if c.state != 0 {
		s += fmt.Sprintf(" state %d", c.state)
	}
	return s
}

func (n node) String() string {
	s := fmt.Sprintf("%s%d", n.dir, n.vc)
	if n.wrap {
		s += " wrap"
	}
	if n.region != 0 {
		s += fmt.Sprintf(" part %b", n.region)
	}
	if n.state != 0 {
		s += fmt.Sprintf(" state %d", n.state)
	}
	return s
}

// identifier returns the class as an SMT-LIB identifier.
func (c class) identifier() string {
	if c.dir == program.NoDir {
		return "source"
	}
	dir := strings.NewReplacer("+", "plus", "-", "minus").Replace(c.dir.String())
	s := fmt.Sprintf("%s%d", dir, c.vc)
	if c.wrap {
		s += "_wrap"
	}
	if c.region != 0 {
		s += fmt.Sprintf("_part%b", c.region)
	}
	if c.state != 0 {
		s += fmt.Sprintf("_state%d", c.state)
	}
	return s
}

func compareClasses(a, b class) int {
	key := func(c class) []int {
		w := 0
		if c.wrap {
			w = 1
		}
		return []int{int(c.dir), c.vc, w, int(c.region), c.state}
	}
	return slices.Compare(key(a), key(b))
}

// isOf reports whether an output leads to channels of class c.
func (c class) isOf(o program.Output) bool {
	return o.Dir == c.dir && o.VC == c.vc && o.State == c.state
}
