package ttfabric

import (
	"fmt"
	"slices"
)

// Label is a port of a chip.
type Label int8

// The labels, in the order in which cables take free ones.
const (
	North Label = iota
	East
	South
	West
	ZPort
	noLabel Label = -1
)

const labels = 5

const labelNames = "NESWZ"

// String returns N, E, S, W or Z.
func (l Label) String() string { return labelNames[l : l+1] }

// ParseLabel returns the label of a name.
func ParseLabel(name string) (Label, error) {
	i := slices.Index([]string{"N", "E", "S", "W", "Z"}, name)
	if i < 0 {
		return noLabel, fmt.Errorf("label %q; want N, E, S, W or Z", name)
	}
	return Label(i), nil
}

// axis returns 0 for N and S, 1 for E and W, and 2 for Z.
func (l Label) axis() int { return [...]int{0, 1, 0, 1, 2}[l] }

// opposite returns the label at the other end of a link within a mesh.
func (l Label) opposite() Label { return [...]Label{South, West, North, East, ZPort}[l] }
