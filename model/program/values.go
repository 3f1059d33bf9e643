package program

import (
	"fmt"

	"go.starlark.net/starlark"
)

// This file defines the values of programs other than numbers and lists: directions, places,
// the input of a packet, and channels.

// eject is Eject as a Starlark value.
type eject struct{}

func (eject) String() string        { return ejectName }
func (eject) Type() string          { return "ejection" }
func (eject) Freeze()               {}
func (eject) Truth() starlark.Bool  { return true }
func (eject) Hash() (uint32, error) { return 0, fmt.Errorf("%s cannot be a key", ejectName) }

// direction is a Dir as a Starlark value.
type direction Dir

func (a direction) String() string        { return Dir(a).String() }
func (a direction) Type() string          { return "direction" }
func (a direction) Freeze()               {}
func (a direction) Truth() starlark.Bool  { return true }
func (a direction) Hash() (uint32, error) { return uint32(a)*0x9e3779b1 + 1, nil }
func (a direction) AttrNames() []string   { return []string{"dim", "sign"} }

// Attr implements starlark.HasAttrs.
func (a direction) Attr(name string) (starlark.Value, error) {
	switch name {
	case "dim":
		return starlark.MakeInt(Dir(a).Dim()), nil
	case "sign":
		if Dir(a).Minus() {
			return starlark.MakeInt(-1), nil
		}
		return starlark.MakeInt(1), nil
	}
	return nil, nil
}

// place is the coordinates of a switch as a Starlark value.
type place []starlark.Value

func (p place) String() string {
	text := "("
	for d, x := range p {
		if d > 0 {
			text += ", "
		}
		text += x.String()
	}
	return text + ")"
}

func (p place) Type() string               { return "place" }
func (p place) Freeze()                    {}
func (p place) Truth() starlark.Bool       { return true }
func (p place) Hash() (uint32, error)      { return 0, fmt.Errorf("a place cannot be a key") }
func (p place) Len() int                   { return len(p) }
func (p place) Index(i int) starlark.Value { return p[i] }
func (p place) Iterate() starlark.Iterator { return starlark.Tuple(p).Iterate() }
func (p place) AttrNames() []string        { return coordinateNames[:min(len(p), len(coordinateNames))] }
func (p place) Attr(name string) (starlark.Value, error) {
	for d, known := range coordinateNames {
		if name == known && d < len(p) {
			return p[d], nil
		}
	}
	return nil, nil
}

// input is an Input as a Starlark value.
type input struct {
	Input
	complete bool // in a HyperX network, where hops have a dimension but no direction
}

func (i input) String() string        { return "inp" }
func (i input) Type() string          { return "input" }
func (i input) Freeze()               {}
func (i input) Truth() starlark.Bool  { return true }
func (i input) Hash() (uint32, error) { return 0, fmt.Errorf("inp cannot be a key") }
func (i input) AttrNames() []string   { return []string{"dir", "dim", "vc", "wrap"} }

// Attr implements starlark.HasAttrs.
func (i input) Attr(name string) (starlark.Value, error) {
	switch name {
	case "dir":
		if i.complete {
			return nil, fmt.Errorf("hops of hyperx have no direction; use inp.dim")
		}
		if a := i.Dir(); a != NoDir {
			return direction(a), nil
		}
		return starlark.None, nil
	case "dim":
		if a := i.Dir(); a != NoDir {
			return starlark.MakeInt(a.Dim()), nil
		}
		return starlark.None, nil
	case "vc":
		return starlark.MakeInt(i.VC()), nil
	case "wrap":
		return starlark.Bool(i.Wrap()), nil
	}
	return nil, nil
}

// channel is the argument of rank as a Starlark value.
type channel struct {
	dir  Dir
	vc   int
	wrap bool
}

func (c channel) String() string        { return "out" }
func (c channel) Type() string          { return "channel" }
func (c channel) Freeze()               {}
func (c channel) Truth() starlark.Bool  { return true }
func (c channel) Hash() (uint32, error) { return 0, fmt.Errorf("a channel cannot be a key") }
func (c channel) AttrNames() []string   { return []string{"dir", "dim", "vc", "wrap"} }

// Attr implements starlark.HasAttrs.
func (c channel) Attr(name string) (starlark.Value, error) {
	switch name {
	case "dir":
		return direction(c.dir), nil
	case "dim":
		return starlark.MakeInt(c.dir.Dim()), nil
	case "vc":
		return starlark.MakeInt(c.vc), nil
	case "wrap":
		return starlark.Bool(c.wrap), nil
	}
	return nil, nil
}

// unknownPlace is a place whose coordinates must not be read.
type unknownPlace struct{}

func (unknownPlace) String() string        { return "place" }
func (unknownPlace) Type() string          { return "unknown place" }
func (unknownPlace) Freeze()               {}
func (unknownPlace) Truth() starlark.Bool  { return true }
func (unknownPlace) Hash() (uint32, error) { return 0, fmt.Errorf("a place cannot be a key") }
