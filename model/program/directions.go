package program

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file defines the directions of grids, and how a packet arrives at a switch.

// coordinateNames are the names of the first coordinates. cur[d] works for all.
var coordinateNames = []string{"x", "y", "z"}

// Dir is a direction of a grid: 2d is plus in dimension d, 2d+1 is minus. NoDir is the
// direction of a new packet.
type Dir int

// NoDir is no direction.
const NoDir Dir = -1

// Eject is the direction of an output that delivers the packet.
const Eject Dir = -2

// noHop is the direction of an output to a value that no hop leads to. No switch has this port.
const noHop Dir = -3

// Dim returns the dimension.
func (a Dir) Dim() int { return int(a) / 2 }

// Minus reports whether a leads to smaller coordinates.
func (a Dir) Minus() bool { return a&1 == 1 }

// Port returns the port that leads in direction a (see model.Grid).
func (a Dir) Port() model.Port { return model.Port(a + 1) }

// Reverse returns the opposite direction.
func (a Dir) Reverse() Dir { return a ^ 1 }

var dirNames = []string{"E", "W", "N", "S", "U", "D"}

// String returns E, W, N, S, U, D, and then +3, -3, +4, ...
func (a Dir) String() string {
	switch {
	case a == NoDir:
		return "none"
	case a == Eject:
		return ejectName
	case a == noHop:
		return "a hop to a value that no other switch has"
	case int(a) < len(dirNames):
		return dirNames[a]
	case a.Minus():
		return fmt.Sprintf("-%d", a.Dim())
	}
	return fmt.Sprintf("+%d", a.Dim())
}

// ejectName is the name of Eject in programs.
const ejectName = "EJECT"

// Input says how a packet arrived at its switch. A program may read only a part of it, so an
// implementation for symbols need not decide the rest.
type Input interface {
	Dir() Dir   // NoDir for a new packet
	VC() int    // 0 for a new packet
	Wrap() bool // whether it arrived on a wraparound channel
}
