package changeover

import (
	"math"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file is the relation of two tables whose entries change during a simulation.

// never is the clock of a change that does not come.
const never = engine.Clock(math.MaxInt64)

// Entry is the entry of a switch for a destination.
type Entry struct {
	Dest   model.DestID
	Switch model.SwitchID
}

// tables is two tables of one network, and the clock in which each entry changes. It implements engine.Changing. Its own hops are
// those of both entries.
type tables struct {
	old, now *model.Table
	switches int
	at       []engine.Clock // by destination and switch
}

// newTables returns tables all of whose entries stay old.
func newTables(old, now *model.Table) *tables {
	t := &tables{old: old, now: now, switches: old.Network().NumSwitches()}
	t.at = make([]engine.Clock, old.Destinations()*t.switches)
	for i := range t.at {
		t.at[i] = never
	}
	return t
}

// set lets an entry change in a clock.
func (t *tables) set(e Entry, at engine.Clock) { t.at[int(e.Dest)*t.switches+int(e.Switch)] = at }

// differs reports whether the old and the new entry differ.
func (t *tables) differs(e Entry) bool {
	return t.old.Row(e.Dest)[e.Switch] != t.now.Row(e.Dest)[e.Switch]
}

// Network implements model.Relation.
func (t *tables) Network() *model.Network { return t.old.Network() }

// Classes implements model.Relation.
func (t *tables) Classes() int { return t.old.Classes() }

// Sources implements model.Relation.
func (t *tables) Sources() int { return t.old.Sources() }

// Destinations implements model.Relation.
func (t *tables) Destinations() int { return t.old.Destinations() }

// DestinationHost implements model.Relation.
func (t *tables) DestinationHost(d model.DestID) model.HostID { return t.old.DestinationHost(d) }

// SendsTo implements model.Sender.
func (t *tables) SendsTo(h model.HostID, d model.DestID) bool { return t.old.SendsTo(h, d) }

// Inject implements model.Relation.
func (t *tables) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	return t.old.Inject(h, d, buf)
}

// Next implements model.Relation: the hops of both entries.
func (t *tables) Next(s model.State, buf []model.Hop) []model.Hop {
	from := len(buf)
	if buf = t.now.Next(s, t.old.Next(s, buf)); len(buf) == from+2 && buf[from] == buf[from+1] {
		buf = buf[:from+1]
	}
	return buf
}

// At implements engine.Changing.
func (t *tables) At(now engine.Clock) model.Relation { return atClock{t, now} }

// atClock is the relation of a clock.
type atClock struct {
	*tables
	clock engine.Clock
}

// Next implements model.Relation: the hop of the entry that is there.
func (a atClock) Next(s model.State, buf []model.Hop) []model.Hop {
	in, _ := a.Network().Channel(s.VC)
	u := a.Network().Head(in)
	if u != model.NoSwitch && a.at[int(s.Dest)*a.switches+int(u)] <= a.clock {
		return a.now.Next(s, buf)
	}
	return a.old.Next(s, buf)
}
