package compare

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
)

// Entry is a table entry that differs.
type Entry struct {
	Switch   model.SwitchID // of the new network
	LID      uint16         // of the destination, 0 if it has none
	Old, New *model.Port    // if nil, there is no entry
}

// TableDiff is the difference between the tables of an old and a new network.
type TableDiff struct {
	Entries []Entry // by LID, then by switch; only switches of both networks
	Common  int     // number of entries of either table at these switches
	// A pair is a host and an address of another host. Pairs is the larger number of pairs of
	// the two states. PairsGone exist only in the old state, PairsNew only in the new state.
	Pairs, PairsGone, PairsNew int64
	Paths                      int64 // pairs of both states with another path, other VCs included
	Levels                     int64 // pairs of both states with other service levels
	Moved                      []MovedHost
	LIDsElsewhere              int // LIDs of both states that belong to another host
}

// MovedHost is a host of both networks whose LID or LMC differs.
type MovedHost struct {
	Host           model.HostID // of the new network
	OldLID, NewLID uint16
	OldLMC, NewLMC uint8
}

// matching maps the switches and hosts of the old network to those of the new network.
type matching struct {
	old, now *model.Table
	switches [][2]model.SwitchID
	oldOf    []model.SwitchID // by new switch; NoSwitch if the old network does not have it
	sources  [][2]model.HostID

	// Switches and hosts of the new network from these on are gone: see withGone.
	switchesLeft int
	hostsLeft    model.HostID
}

func pairUp(old, now *model.Table) *matching {
	a, b := old.Network(), now.Network()
	p := &matching{old: old, now: now, oldOf: make([]model.SwitchID, b.NumSwitches()), switchesLeft: b.NumSwitches(), hostsLeft: model.HostID(b.NumHosts())}
	switches := map[string]model.SwitchID{}
	for u := range model.SwitchID(a.NumSwitches()) {
		switches[switchKey(a, u)] = u
	}
	for v := range model.SwitchID(b.NumSwitches()) {
		u, ok := switches[switchKey(b, v)]
		if p.oldOf[v] = u; !ok {
			p.oldOf[v] = model.NoSwitch
			continue
		}
		p.switches = append(p.switches, [2]model.SwitchID{u, v})
	}
	hosts := map[string]model.HostID{}
	for h := range model.HostID(a.NumHosts()) {
		hosts[hostKey(a, h)] = h
	}
	for h := range model.HostID(b.NumHosts()) {
		if g, ok := hosts[hostKey(b, h)]; ok {
			p.sources = append(p.sources, [2]model.HostID{g, h})
		}
	}
	return p
}

// DiffTables compares two tables.
func DiffTables(old, now *model.Table) *TableDiff {
	p, d := pairUp(old, now), &TableDiff{}
	p.diffEntries(d)
	p.diffPaths(d)
	p.diffLIDs(d)
	return d
}

// byAddress returns the destinations of a table by their key.
func byAddress(t *model.Table, key func(model.DestID) string) map[string]model.DestID {
	found := make(map[string]model.DestID, t.Destinations())
	for d := range model.DestID(t.Destinations()) {
		found[key(d)] = d
	}
	return found
}

// lidKey returns a key function that identifies a destination by LID, or by host if it has no
// LID.
func lidKey(t *model.Table) func(model.DestID) string {
	return func(d model.DestID) string {
		if lid := t.Destination(d).LID; lid != 0 {
			return fmt.Sprint(lid)
		}
		return hostKey(t.Network(), t.DestinationHost(d))
	}
}

// hostAddressKey returns a key function that identifies a destination by its host and the
// offset from the host's base LID.
func hostAddressKey(t *model.Table) func(model.DestID) string {
	return func(d model.DestID) string {
		h := t.DestinationHost(d)
		return fmt.Sprint(hostKey(t.Network(), h), " ", int(t.Destination(d).LID)-int(t.Network().Host(h).LID))
	}
}

// diffEntries compares the entries for each LID of either table.
func (p *matching) diffEntries(d *TableDiff) {
	olds, news := byAddress(p.old, lidKey(p.old)), byAddress(p.now, lidKey(p.now))
	port := func(t *model.Table, dests map[string]model.DestID, key string, u model.SwitchID) *model.Port {
		if dest, ok := dests[key]; ok {
			if at, ok := t.Port(u, dest); ok {
				return &at
			}
		}
		return nil
	}
	compare := func(key string, lid uint16) {
		for _, u := range p.switches {
			a, b := port(p.old, olds, key, u[0]), port(p.now, news, key, u[1])
			if a == nil && b == nil {
				continue
			}
			if d.Common++; a == nil || b == nil || *a != *b {
				d.Entries = append(d.Entries, Entry{u[1], lid, a, b})
			}
		}
	}
	for dest := range model.DestID(p.now.Destinations()) {
		key := lidKey(p.now)(dest)
		compare(key, p.now.Destination(dest).LID)
		if e, ok := olds[key]; ok && hostKey(p.old.Network(), p.old.DestinationHost(e)) != hostKey(p.now.Network(), p.now.DestinationHost(dest)) {
			d.LIDsElsewhere++
		}
	}
	for dest := range model.DestID(p.old.Destinations()) {
		if key := lidKey(p.old)(dest); !has(news, key) {
			compare(key, p.old.Destination(dest).LID)
		}
	}
	slices.SortStableFunc(d.Entries, func(a, b Entry) int { return int(a.LID) - int(b.LID) })
}

func has(m map[string]model.DestID, key string) bool { _, ok := m[key]; return ok }

// diffPaths compares the paths of each pair of a host and an address of another host, on all processors.
func (p *matching) diffPaths(d *TableDiff) {
	olds := byAddress(p.old, hostAddressKey(p.old))
	walks := make([]*walk, parallel.Workers(p.now.Destinations()))
	for i := range walks {
		walks[i] = &walk{matching: p}
	}
	err := parallel.Do(context.Background(), len(walks), p.now.Destinations(), func(w, i int) error {
		dest := model.DestID(i)
		if e, ok := olds[hostAddressKey(p.now)(dest)]; ok {
			walks[w].compare([2]model.DestID{e, dest})
		}
		return nil
	})
	if err != nil {
		panic(err) // no task returns an error
	}
	common := int64(0)
	for _, w := range walks {
		common += w.pairs
		d.Levels += w.levels
		d.Paths += w.paths
	}
	before, after := pairsOf(p.old), pairsOf(p.now)
	d.Pairs, d.PairsGone, d.PairsNew = max(before, after), before-common, after-common
}

// walk compares the paths to one destination after another, and counts pairs.
type walk struct {
	*matching
	pairs, levels, paths int64 // of both states; those with other service levels; those with other paths
	classes              [2][]model.Class
	hops                 [2][]model.Hop
	_                    [64]byte // keeps two workers off one line of a cache
}

// compare compares the paths of all hosts to a destination.
func (w *walk) compare(dest [2]model.DestID) {
	for _, h := range w.sources {
		if !model.Sends(w.now, h[1], dest[1]) {
			continue
		}
		w.pairs++
		if w.old.ClassesOf(h[0], dest[0]) != w.now.ClassesOf(h[1], dest[1]) {
			w.levels++
		}
		if w.differ(h, dest) {
			w.paths++
		}
	}
}

// pairsOf counts the pairs of a host and an address that it sends to.
func pairsOf(t *model.Table) (pairs int64) {
	for dest := range model.DestID(t.Destinations()) {
		for h := range model.HostID(t.Network().NumHosts()) {
			if model.Sends(t, h, dest) {
				pairs++
			}
		}
	}
	return pairs
}

// diffLIDs lists the hosts of both networks whose LID or LMC changed.
func (p *matching) diffLIDs(d *TableDiff) {
	for _, h := range p.sources {
		a, b := p.old.Network().Host(h[0]), p.now.Network().Host(h[1])
		if a.LID != b.LID || a.LMC != b.LMC {
			d.Moved = append(d.Moved, MovedHost{h[1], a.LID, b.LID, a.LMC, b.LMC})
		}
	}
}

// differ follows packets of a pair through both tables and reports whether a hop differs.
func (w *walk) differ(h [2]model.HostID, dest [2]model.DestID) bool {
	w.classes[0], w.classes[1] = w.old.Inject(h[0], dest[0], w.classes[0][:0]), w.now.Inject(h[1], dest[1], w.classes[1][:0])
	if !slices.Equal(w.classes[0], w.classes[1]) {
		return true
	}
	for _, k := range w.classes[0] {
		s, t := model.InjectState(w.old, h[0], dest[0], k), model.InjectState(w.now, h[1], dest[1], k)
		for range w.now.Network().NumSwitches() + 1 {
			x, y := w.old.Next(s, w.hops[0][:0]), w.now.Next(t, w.hops[1][:0])
			w.hops = [2][]model.Hop{x, y}
			if len(x) != len(y) {
				return true
			}
			if len(x) == 0 {
				break
			}
			if !w.sameHop(x[0], y[0]) {
				return true
			}
			s.VC, t.VC = x[0].VC, y[0].VC
		}
	}
	return false
}

// sameHop reports whether two hops leave the same switch through the same port and VC.
func (p *matching) sameHop(x, y model.Hop) bool {
	a, b := p.old.Network(), p.now.Network()
	c, i := a.Channel(x.VC)
	d, k := b.Channel(y.VC)
	return i == k && p.oldOf[b.Tail(d)] == a.Tail(c) && a.TailPort(c) == b.TailPort(d)
}
