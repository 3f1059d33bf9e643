package transition

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// Entries is a set of entries that packets to a destination may meet at a switch.
type Entries uint8

// The sets of entries.
const (
	OldEntry    Entries = 1
	NewEntry    Entries = 2
	BothEntries         = OldEntry | NewEntry
)

// Change is two forwarding tables of one network, with the same destinations and the same map from classes to VCs.
//
// The classes with which hosts send may differ. Those of the hosts of a switch to a destination change with the entry of the switch for it:
// they are part of the entry. But unless packets never meet two states of the tables, a host may send with either class at any time
// between the first change and the last: its connections change their classes one after the other.
type Change struct {
	Old, New *model.Table
	net      *model.Network
	classes  int
	levels   []bool // by destination and switch: whether hosts of the switch send with other classes; nil if none do
}

// New returns the change between two tables. They must have the same network and destinations, as the result of compare.Align and the new table have.
func New(old, now *model.Table) (*Change, error) {
	a, b := old.Network(), now.Network()
	if used := old.UsedClasses() | now.UsedClasses(); used != old.UsedClasses() || used != now.UsedClasses() {
		old, now = old.WithClasses(used), now.WithClasses(used)
		a, b = old.Network(), now.Network()
	}
	if a.NumSwitches() != b.NumSwitches() || a.NumChannels() != b.NumChannels() || a.VCs() != b.VCs() || old.Destinations() != now.Destinations() ||
		old.Sources() != now.Sources() {
		return nil, fmt.Errorf("the tables are for different networks, destinations or VCs")
	}
	for d := range model.DestID(old.Destinations()) {
		if old.Destination(d) != now.Destination(d) {
			return nil, fmt.Errorf("destination %d of the tables differs", d)
		}
	}
	c := &Change{Old: old, New: now, net: a, classes: old.Classes()}
	c.findLevels()
	return c, nil
}

// Network returns the network of both tables.
func (c *Change) Network() *model.Network { return c.net }

// NumDestinations returns the number of all destinations.
func (c *Change) NumDestinations() int { return c.Old.Destinations() }

// Sides returns both tables.
func (c *Change) Sides() (old, now model.Relation) { return c.Old, c.New }

// Waiting returns how packets wait: there is one next hop.
func (c *Change) Waiting() model.Waiting { return model.WaitAny }

// Drops reports whether packets without a next hop are dropped.
func (c *Change) Drops() bool { return true }

// Relation returns the old table.
func (c *Change) Relation() model.Relation { return c.Old }

// Destinations returns the destinations whose entries differ, ascending.
func (c *Change) Destinations() (list []model.DestID) {
	for d := range model.DestID(c.Old.Destinations()) {
		for u := range model.SwitchID(c.net.NumSwitches()) {
			if c.Differs(d, u) {
				list = append(list, d)
				break
			}
		}
	}
	return list
}

// Switches returns the switches whose entries differ, ascending.
func (c *Change) Switches() (list []model.SwitchID) {
	for u := range model.SwitchID(c.net.NumSwitches()) {
		for d := range model.DestID(c.Old.Destinations()) {
			if c.Differs(d, u) {
				list = append(list, u)
				break
			}
		}
	}
	return list
}

// Differs reports whether the entries of switch u for destination d differ: the ports, or the classes with which hosts of the switch send.
// Two ports without a cable differ if their numbers do.
func (c *Change) Differs(d model.DestID, u model.SwitchID) bool {
	return c.Old.Row(d)[u] != c.New.Row(d)[u] || c.levels != nil && c.levels[int(d)*c.net.NumSwitches()+int(u)]
}

// Mixed is the relation of packets that meet the entries of Meets. It implements model.Relation. A packet that meets both entries of a
// switch chooses its next hop when it arrives (model.WaitOne).
type Mixed struct {
	*Change
	Meets func(d model.DestID, u model.SwitchID) Entries
}

// AnyMixture returns the relation of packets that may meet both entries of each switch.
func (c *Change) AnyMixture() *Mixed {
	return &Mixed{c, func(model.DestID, model.SwitchID) Entries { return BothEntries }}
}

// Classes implements model.Relation.
func (m *Mixed) Classes() int { return m.classes }

// Sources implements model.Relation.
func (m *Mixed) Sources() int { return m.Old.Sources() }

// Destinations implements model.Relation.
func (m *Mixed) Destinations() int { return m.Old.Destinations() }

// DestinationHost implements model.Relation.
func (m *Mixed) DestinationHost(d model.DestID) model.HostID { return m.Old.DestinationHost(d) }

// SendsTo implements model.Sender.
func (m *Mixed) SendsTo(h model.HostID, d model.DestID) bool {
	return m.Old.SendsTo(h, d) || m.New.SendsTo(h, d)
}

// Inject implements model.Relation.
func (m *Mixed) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	return m.inject(h, d, m.Meets(d, m.net.Host(h).Switch), buf)
}

// Next implements model.Relation.
func (m *Mixed) Next(s model.State, buf []model.Hop) []model.Hop {
	in, _ := m.net.Channel(s.VC)
	u := m.net.Head(in)
	if u == model.NoSwitch {
		return buf
	}
	set, from := m.Meets(s.Dest, u), len(buf)
	if set&OldEntry != 0 {
		buf = m.Old.Next(s, buf)
	}
	if set&NewEntry != 0 && (set&OldEntry == 0 || m.Differs(s.Dest, u)) {
		if buf = m.New.Next(s, buf); len(buf) == from+2 && buf[from] == buf[from+1] {
			buf = buf[:from+1]
		}
	}
	return buf
}

// After returns the table after some steps, with the classes with which hosts send then. The last step of a change has the new entries for
// switches as well.
func (c *Change) After(part Part, steps []Step) *model.Table {
	t := c.Old.Clone()
	for _, s := range steps {
		for _, p := range s.Parts {
			switch {
			case s.Kind == Stop:
			case part == Switch:
				c.changeSwitch(t, model.SwitchID(p))
			default:
				t.CopyRow(c.New, model.DestID(p))
			}
		}
	}
	if !c.SameClasses() {
		t.SetClasses(c.classesAfter(part, steps), c.New.VCMap())
		t = t.WithClasses(c.New.UsedClasses())
	}
	return t
}

// changeSwitch gives a switch of t its new entries.
func (c *Change) changeSwitch(t *model.Table, u model.SwitchID) {
	for d := range model.DestID(t.AllDestinations()) {
		if p, ok := c.New.Port(u, d); ok {
			t.SetPort(u, d, p)
		} else {
			t.ClearPort(u, d)
		}
	}
}
