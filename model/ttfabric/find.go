package ttfabric

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file finds what keeps packets from moving, whatever the routes: ends of cables that disagree, links with one label for two directions, entries that
// need more slots than a receiver has.

// Findings are these faults.
type Findings struct {
	// Starving are cables whose ends do not agree on deadlock avoidance. The end with it waits for acknowledgements that the other never sends.
	Starving []Starving
	// Mislabelled are the channels with one label for two directions.
	Mislabelled []model.ChannelID
	// Blocked says that an entry with bubble flow control needs two free slots, and receivers have one.
	Blocked bool
}

// Starving is a cable with the deadlock avoidance of both ends.
type Starving struct {
	Cable int
	Ack   [2]bool
}

func (f *Fabric) find() error {
	for i := range f.Cables {
		if ack := f.avoidance(&f.Cables[i]); ack[0] != ack[1] {
			f.Findings.Starving = append(f.Findings.Starving, Starving{i, ack})
		}
	}
	for c := range model.ChannelID(f.Net.NumLinkChannels()) {
		k := &f.kinds[c]
		switch {
		case k.cable >= 0:
			f.judgeCable(c)
		case k.label == f.kinds[c^1].label:
			k.bad = "both ends of the link have the label " + k.label.String()
			f.Findings.Mislabelled = append(f.Findings.Mislabelled, c)
		case f.hasAvoidance(f.at[f.Net.Tail(c)], k.label):
			k.guarded = true
		}
		if k.guarded && f.Options.Slots < 2 {
			f.Findings.Blocked = true
		}
	}
	return nil
}

// hasAvoidance reports whether routers of a mesh with a label have deadlock avoidance, by the config of the mesh.
func (f *Fabric) hasAvoidance(mesh int, l Label) bool {
	c := f.meshes[mesh].Config
	if f.Rules.Ring != RingBubble || c.is1D() && c != Fabric1DRing {
		return false
	}
	if l == ZPort {
		return c.isTorus(0) || c.isTorus(1)
	}
	return c.isTorus(l.axis())
}

// avoidance returns the deadlock avoidance of both ends of a cable.
func (f *Fabric) avoidance(c *Cable) (ack [2]bool) {
	for i := range ack {
		ack[i] = f.Rules.Between != BetweenNever && f.hasAvoidance(c.in[i], c.Ends[i].Label)
	}
	if f.Rules.Between == BetweenEither {
		ack[0] = ack[0] || ack[1]
		ack[1] = ack[0]
	}
	return ack
}

// judgeCable says why a channel of a cable carries nothing.
func (f *Fabric) judgeCable(c model.ChannelID) {
	k := &f.kinds[c]
	cable := &f.Cables[k.cable]
	ack := f.avoidance(cable)
	if ack[0] != ack[1] {
		with := 0
		if ack[1] {
			with = 1
		}
		k.bad = fmt.Sprintf("%s waits for acknowledgements of each arrival, which %s never sends", cable.Ends[with], cable.Ends[1-with])
	}
}
