package reroute

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file gives the new next hops of a relation a lane of their own (the double scheme, see lanes.go), if the network has VCs to spare.
//
// A router that knows on which VC a packet arrives needs no second address: the VC says whether the packet goes by old or by new entries.

// RelationLanes is the two states of a change by a second lane.
type RelationLanes struct {
	VCs    int // that the second lane begins with
	All    int // VCs of both lanes together
	Over   model.Relation
	Back   model.Relation
	Second []model.DestID // destinations with packets in the second lane, ascending
}

// LanesOf returns the change by a second lane, or why there is none.
func LanesOf(c *relations.Change) (*RelationLanes, string) {
	old, now := c.Sides()
	has := c.Network().VCs()
	if c.Drops() {
		return nil, "switches look up the destination only, so a packet in the network would meet new entries"
	}
	first, second := c.UsedVCs()
	l := &RelationLanes{VCs: max(first, second), Second: c.Destinations()}
	if l.All = l.VCs + second; l.All > has {
		return nil, fmt.Sprintf("it takes %d VCs, and the network has %d", l.All, has)
	}
	if classes := max(old.Classes(), now.Classes()); 2*classes > mostClasses {
		return nil, fmt.Sprintf("it takes %d classes of packets, and %d are the most", 2*classes, mostClasses)
	}
	l.Over, l.Back = &laned{l, c.Network(), [2]model.Relation{old, now}}, &laned{l, c.Network(), [2]model.Relation{now, now}}
	return l, ""
}

// laned is a relation with two lanes. Packets of the second lane have classes and VCs of their own.
type laned struct {
	*RelationLanes
	net  *model.Network
	lane [2]model.Relation // by lane
}

// Network implements model.Relation.
func (l *laned) Network() *model.Network { return l.net }

// Classes implements model.Relation.
func (l *laned) Classes() int { return 2 * l.shift() }

// shift returns the first class of the second lane.
func (l *laned) shift() int { return max(l.lane[0].Classes(), l.lane[1].Classes()) }

// Sources implements model.Relation.
func (l *laned) Sources() int { return l.lane[0].Sources() }

// Destinations implements model.Relation.
func (l *laned) Destinations() int { return l.lane[0].Destinations() }

// DestinationHost implements model.Relation.
func (l *laned) DestinationHost(d model.DestID) model.HostID { return l.lane[0].DestinationHost(d) }

// SendsTo implements model.Sender.
func (l *laned) SendsTo(h model.HostID, d model.DestID) bool { return model.Sends(l.lane[0], h, d) }

// Inject implements model.Relation: packets to destinations that change are sent in either lane.
func (l *laned) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	buf = l.lane[0].Inject(h, d, buf)
	if _, ok := slices.BinarySearch(l.Second, d); ok {
		for _, k := range l.lane[1].Inject(h, d, nil) {
			buf = append(buf, k+model.Class(l.shift()))
		}
	}
	return buf
}

// Next implements model.Relation.
func (l *laned) Next(s model.State, buf []model.Hop) []model.Hop {
	lane, from := 0, len(buf)
	if int(s.Class) >= l.shift() {
		lane = 1
	}
	s.Class -= model.Class(lane * l.shift())
	if int(s.VC) < l.net.NumLinkVCs() {
		if s.VC -= model.VCID(lane * l.VCs); s.VC < 0 || !sameChannel(l.net, s.VC, s.VC+model.VCID(lane*l.VCs)) {
			return buf
		}
	}
	buf = l.lane[lane].Next(s, buf)
	for i := range buf[from:] {
		h := &buf[from+i]
		h.Class += model.Class(lane * l.shift())
		if int(h.VC) < l.net.NumLinkVCs() {
			h.VC += model.VCID(lane * l.VCs)
		}
	}
	return buf
}

// sameChannel reports whether two VCs are of one channel.
func sameChannel(n *model.Network, v, w model.VCID) bool {
	c, _ := n.Channel(v)
	d, _ := n.Channel(w)
	return c == d
}
