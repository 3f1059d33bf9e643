package changeover

import (
	"math"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file is the relation of two routings whose entries change during a simulation.

// never is the clock of a change that does not come.
const never = engine.Clock(math.MaxInt64)

// Entry is the entry of a switch for a destination.
type Entry struct {
	Dest   model.DestID
	Switch model.SwitchID
}

// tables is two routings of one network, and the clock in which each entry changes. It implements engine.Keeping. Its own hops are
// those of both entries.
type tables struct {
	old, now model.Relation
	switches int
	keep     bool
	either   bool                        // hosts send with the classes of both entries at any time
	at       []engine.Clock              // by destination and switch
	only     map[model.State][]model.Hop // the hops that packets of a cycle choose, or nil
}

// newTables returns tables all of whose entries stay old. If keep is true, packets without a next hop keep their VC.
func newTables(old, now model.Relation, keep bool) *tables {
	t := &tables{old: old, now: now, switches: old.Network().NumSwitches(), keep: keep}
	t.at = make([]engine.Clock, old.Destinations()*t.switches)
	for i := range t.at {
		t.at[i] = never
	}
	return t
}

// set lets an entry change in a clock.
func (t *tables) set(e Entry, at engine.Clock) { t.at[int(e.Dest)*t.switches+int(e.Switch)] = at }

// Keeps implements engine.Keeping.
func (t *tables) Keeps() bool { return t.keep }

// Drops implements engine.Dropping.
func (t *tables) Drops(s model.State) bool {
	return len(t.old.Next(s, nil)) == 0 || len(t.now.Next(s, nil)) == 0
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
func (t *tables) SendsTo(h model.HostID, d model.DestID) bool {
	return model.Sends(t.old, h, d) || model.Sends(t.now, h, d)
}

// Inject implements model.Relation: the classes of both tables.
func (t *tables) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	for _, k := range t.now.Inject(h, d, t.old.Inject(h, d, nil)) {
		if !slices.Contains(buf, k) {
			buf = append(buf, k)
		}
	}
	return buf
}

// Next implements model.Relation: the hops of both entries.
func (t *tables) Next(s model.State, buf []model.Hop) []model.Hop {
	from := len(buf)
	buf = t.old.Next(s, buf)
	for _, h := range t.now.Next(s, nil) {
		if !slices.Contains(buf[from:], h) {
			buf = append(buf, h)
		}
	}
	return t.chosen(s, buf, from)
}

// chosen leaves those of the hops from number from on that packets of the cycle choose, if any are among them.
func (t *tables) chosen(s model.State, buf []model.Hop, from int) []model.Hop {
	is := func(h model.Hop) bool { return slices.Contains(t.only[s], h) }
	if t.only == nil || !slices.ContainsFunc(buf[from:], is) {
		return buf
	}
	left := slices.DeleteFunc(buf[from:], func(h model.Hop) bool { return !is(h) })
	return buf[:from+len(left)]
}

// At implements engine.Changing.
func (t *tables) At(now engine.Clock) model.Relation { return atClock{t, now} }

// atClock is the relation of a clock.
type atClock struct {
	*tables
	clock engine.Clock
}

// Inject implements model.Relation: the classes that go with the entry of the switch of h, or those of both entries.
func (a atClock) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	switch {
	case a.either:
		return a.tables.Inject(h, d, buf)
	case a.at[int(d)*a.switches+int(a.Network().Host(h).Switch)] <= a.clock:
		return a.now.Inject(h, d, buf)
	}
	return a.old.Inject(h, d, buf)
}

// Next implements model.Relation: the hop of the entry that is there.
func (a atClock) Next(s model.State, buf []model.Hop) []model.Hop {
	in, _ := a.Network().Channel(s.VC)
	u, from := a.Network().Head(in), len(buf)
	if u != model.NoSwitch && a.at[int(s.Dest)*a.switches+int(u)] <= a.clock {
		return a.chosen(s, a.now.Next(s, buf), from)
	}
	return a.chosen(s, a.old.Next(s, buf), from)
}
