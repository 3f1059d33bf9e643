package everysize

import "slices"

// This file defines what a program declares: its family, VCs and header states.

// maxDims is the largest number of dimensions, maxVCs of VCs, maxStates of header states.
const (
	maxDims   = 16
	maxVCs    = 64
	maxStates = 256
)

// program is a parsed routing program for one number of dimensions.
type program struct {
	kind     string // "mesh", "torus", "ring", "line", "hypercube", "hyperx", or "network" for programs for any network
	dims     int
	names    []string   // distinct names of sizes; those of an open number of dimensions are n[0], n[1], ...
	sides    []side     // by dimension
	anyDims  string     // the name in mesh(*n) or hypercube(d)
	interval int64      // the length of express links
	axes     []axis     // of families with axes
	wrap     []int      // the dimensions with wraparound of a torus; if nil, all
	where    []*Formula // conditions on sizes
	words    []string   // the same as text
	vcs      int
	states   int
	passes   bool // the program uses EJECT
	draws    bool // the program defines inject
	reads    bool // route has a fourth parameter
	carries  bool // route has a fifth parameter: a switch
	// attributes are the attributes of switches that a program for any network reads.
	attributes map[string]bool
	tables     map[string]bool // names of tables that a program for any network reads
	spans      bool            // a program for any network uses the spanning tree
	list       []*stmt
	global     map[string]bool
}

// side is the length of a dimension: a size or a number.
type side struct {
	size   int // index of names, or -1
	length int64
}

// rings reports whether dimension d has wraparound.
func (p *program) rings(d int) bool {
	return (p.kind == "torus" || p.kind == "ring") && (p.wrap == nil || slices.Contains(p.wrap, d))
}

func (p *program) complete() bool { return p.kind == "hyperx" }

// axis is a kind of links. A link leads from a place x to x+shift if both are on the grid, and the sum of the coordinates times of is a multiple
// of mod. If mod is 0, every place has it.
type axis struct {
	shift, of []int64
	mod       int64
}

// The kinds of families with axes.
const (
	hexGrid   = "hexgrid"
	brickWall = "brickwall"
	express   = "express"
)

func (p *program) hasAxes() bool {
	return p.kind == hexGrid || p.kind == brickWall || p.kind == express
}

// numAxes returns the number of axes.
func (p *program) numAxes() int {
	if p.hasAxes() {
		return len(p.axes)
	}
	return p.dims
}

// bound returns k if f says that a size is at least k.
func bound(f *Formula, v int) (k int64, ok bool) {
	if f.Op != AtLeast || len(f.Form) < v+2 || f.Form[v+1] != 1 {
		return 0, false
	}
	return -f.Form[0], f.Form.plus(variable(v), -1).isConstant()
}

// isRing reports whether a dimension with this size has wraparound.
func (p *program) isRing(size int) bool {
	for d, s := range p.sides {
		if s.size == size && p.rings(d) {
			return true
		}
	}
	return false
}

// least returns the smallest value of a size.
func (p *program) least(size int) int64 {
	least, found := int64(0), false
	for _, f := range p.where {
		if k, ok := bound(f, 3*p.dims+size); ok {
			least, found = max(least, k), true
		}
	}
	switch {
	case found:
		return least
	case p.isRing(size):
		return 3
	}
	return 2
}
