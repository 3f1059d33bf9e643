package ttfabric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file states the flow control of rings.

// Line is a ring: a line of a mesh with a wrap link, in one direction.
type Line struct {
	Mesh  int // its ID
	Label Label
	// Channels are in the order of the packets.
	Channels []model.ChannelID
}

// Rings returns the rings of all meshes, guarded or not.
func (f *Fabric) Rings() (list []Line) {
	for i := range f.meshes {
		m := &f.meshes[i]
		for l := range Label(4) {
			if !m.wraps[l.axis()] || m.Dims[l.axis()] < 3 {
				continue
			}
			for line := range m.Dims[1-l.axis()] {
				at := line
				if l.axis() == 1 {
					at = line * m.Dims[1]
				}
				ring := Line{Mesh: m.ID, Label: l}
				for range m.Dims[l.axis()] {
					ring.Channels = append(ring.Channels, f.out[m.first+at][l])
					at, _ = m.neighbor(at, l)
				}
				list = append(list, ring)
			}
		}
	}
	return list
}

// addFlow states the bubble flow control of VC 0 in the network.
func (f *Fabric) addFlow() error {
	if f.Rules.Ring != RingBubble {
		return nil
	}
	flow := &model.FlowControl{Rule: "bubble,rings=stated", Packet: 1, Buffer: f.Options.Slots, Rings: [][]model.ChannelID{}}
	for _, r := range f.Rings() {
		flow.Rings = append(flow.Rings, r.Channels)
	}
	if len(flow.Rings) == 0 || f.Options.Slots < 2 {
		return nil
	}
	var off []string
	for _, p := range f.Options.Unguarded {
		u := f.meshOf(p.Mesh).first + p.Chip.Chip
		c := f.out[u][p.Label]
		if c == model.NoChannel || !slices.ContainsFunc(flow.Rings, func(ring []model.ChannelID) bool { return slices.Contains(ring, c) }) {
			return fmt.Errorf("unguarded: %s is on no ring", p)
		}
		off = append(off, f.Chip(model.SwitchID(u)).String()+">"+f.Chip(f.Net.Head(c)).String())
	}
	if len(off) > 0 {
		flow.Rule += ",off=" + strings.Join(off, "+") + ",from=rings"
	}
	n, err := f.Net.WithFlowControl(flow)
	f.Net = n
	return err
}

// IsProtected reports whether bubble flow control guards all entries to a ring on a VC.
func (f *Fabric) IsProtected(ring Line, vc int) bool {
	return vc == 0 && f.Rules.Ring == RingBubble && f.Options.Slots >= 2 && !slices.ContainsFunc(f.Options.Unguarded, func(p Port) bool {
		return slices.Contains(ring.Channels, f.out[f.meshOf(p.Mesh).first+p.Chip.Chip][p.Label])
	})
}
