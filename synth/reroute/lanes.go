package reroute

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file gives new entries a lane of their own: VCs that no packet by old entries uses (the double scheme: T. M. Pinkston, R. Pang and
// J. Duato, IEEE Transactions on Parallel and Distributed Systems 14(3), 2003).
//
// A switch that looks at the destination only needs a second address of each destination for that, with entries and classes of its own. So
// both tables together are one table with more destinations, which any checker of tables judges. Packets stay in their lane, so the
// dependencies of the two lanes have no VC in common.

// Lanes is the two states of a change by a second lane.
type Lanes struct {
	VCs int // of both lanes together
	// Over has the old entries in the first lane and the new ones in the second: packets are sent in either lane, in any order of hosts.
	Over *model.Table
	// Back has the new entries in both lanes: the first lane is used again.
	Back *model.Table
	// Second has the destinations of Over and Back in the second lane, by destination of the change; -1 for those that do not change.
	Second []model.DestID
}

// mostClasses is the number of classes that a table can tell apart without the one that drops packets.
const mostClasses = model.DropVC

// TwoLanes returns the tables of a change by a second lane, or nil if the classes or VCs are not enough, or for management traffic. Memory: that of two tables.
func TwoLanes(c *transition.Change) *Lanes {
	vcs, classes := c.Network().VCs(), c.Old.Classes()
	if c.Old.Management() != model.NoManagement {
		return nil
	}
	if shift := max(vcs, classes); vcs+shift > mostClasses || classes+shift > mostClasses {
		return nil
	}
	l := &Lanes{VCs: 2 * vcs}
	var dests []model.Destination
	top := uint16(0)
	for d := range model.DestID(c.Old.Destinations()) {
		dests = append(dests, c.Old.Destination(d))
		top = max(top, c.Old.Destination(d).LID)
		l.Second = append(l.Second, -1)
	}
	for _, d := range c.Destinations() {
		next := c.Old.Destination(d)
		if next.LID != 0 {
			top++
			next.LID = top
		}
		l.Second[d] = model.DestID(len(dests))
		dests = append(dests, next)
	}
	l.Over, l.Back = l.table(c, dests, c.Old), l.table(c, dests, c.New)
	return l
}

// table returns a table with the entries of first in the first lane and the new ones in the second.
func (l *Lanes) table(c *transition.Change, dests []model.Destination, first *model.Table) *model.Table {
	t := model.NewTable(c.Network(), dests)
	hosts := c.Network().NumHosts()
	shift := c.Old.Classes()
	if c.Old.VCMap() == nil {
		shift = l.VCs / 2
	}
	sets := make([]model.ClassSet, len(dests)*hosts)
	for d, second := range l.Second {
		t.TakeRow(model.DestID(d), first, model.DestID(d))
		if second >= 0 {
			t.TakeRow(second, c.New, model.DestID(d))
		}
		for h := range hosts {
			sets[d*hosts+h] = first.ClassesOf(model.HostID(h), model.DestID(d))
			if second >= 0 {
				sets[int(second)*hosts+h] = c.New.ClassesOf(model.HostID(h), model.DestID(d)) << shift
			}
		}
	}
	t.SetClasses(sets, l.vcMap(c, shift))
	return t
}

// vcMap returns the VC of each class of both lanes, or nil if it is the class.
func (l *Lanes) vcMap(c *transition.Change, shift int) *model.VCMap {
	old, n := c.Old.VCMap(), c.Network()
	if old == nil {
		return nil
	}
	m := model.NewVCMap(n)
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, out := range n.Out(u) {
			for _, back := range n.Out(u) {
				in := n.Reverse(back)
				for k := range model.Class(shift) {
					vc := old.VC(n, in, out, k)
					m.Set(n, u, n.InIndex(in), n.OutIndex(out), k, vc)
					if vc != model.DropVC {
						vc += l.VCs / 2
					}
					m.Set(n, u, n.InIndex(in), n.OutIndex(out), k+model.Class(shift), vc)
				}
			}
		}
	}
	return m
}

// Changed returns the destinations that have a second lane, ascending.
func (l *Lanes) Changed() (list []model.DestID) {
	for d, second := range l.Second {
		if second >= 0 {
			list = append(list, model.DestID(d))
		}
	}
	return slices.Clip(list)
}
