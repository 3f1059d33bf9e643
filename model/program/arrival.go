package program

import "github.com/turnproof/turnproof/model"

// This file defines known arrivals of packets.

// arrival is a packet that arrives at switch u in direction dir.
type arrival struct {
	u         model.SwitchID
	dir       Dir
	vc, state int
}

// knownInput is the Input of a known arrival. read is set when the program uses it.
type knownInput struct {
	arrival
	wrap bool
	read bool
}

func (i *knownInput) Dir() Dir   { i.read = true; return i.dir }
func (i *knownInput) VC() int    { i.read = true; return i.vc }
func (i *knownInput) Wrap() bool { i.read = true; return i.wrap }

// hyperXInput says how a packet arrived at a switch of a HyperX network: its Dir is 2d.
type hyperXInput struct {
	*knownInput
	sides, at []int
}

// Dir implements Input. The port by which the packet came leads back along its dimension.
func (i hyperXInput) Dir() Dir {
	if a := i.knownInput.Dir(); a != NoDir {
		d, _ := HopTo(i.sides, i.at, a.Port())
		return Dir(2 * d)
	}
	return NoDir
}
