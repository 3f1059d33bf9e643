package changeover

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// lines returns the tables of a ring of four switches that do not use one cable: that from switch cut to the next one.
func lines(t *testing.T, cut ...int) (list []*model.Table) {
	t.Helper()
	n, err := topo.Parse("ring:4,hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cut {
		table := model.NewTable(n, model.AllAddresses(n))
		for d := range model.DestID(table.Destinations()) {
			host := n.Host(table.DestinationHost(d))
			for u := range model.SwitchID(4) {
				if u == host.Switch {
					table.SetPort(u, d, host.Port)
					continue
				}
				place := func(v model.SwitchID) int { return (int(v) + 3 - c) % 4 } // along the line
				to := (u + 3) % 4
				if place(host.Switch) > place(u) {
					to = (u + 1) % 4
				}
				for _, out := range n.Out(u) {
					if n.Kind(out) == model.SwitchToSwitch && n.Head(out) == to {
						table.SetPort(u, d, n.TailPort(out))
					}
				}
			}
		}
		list = append(list, table)
	}
	return list
}

// all returns all entries that differ, and all destinations.
func all(tables []*model.Table) (entries []Entry, dests []model.DestID) {
	for d := range model.DestID(tables[0].Destinations()) {
		dests = append(dests, d)
		for u := range model.SwitchID(4) {
			if tables[0].Row(d)[u] != tables[1].Row(d)[u] {
				entries = append(entries, Entry{d, u})
			}
		}
	}
	return entries, dests
}

// TestMixture changes one line of switches into another, entry by entry: the network freezes. Each of the two alone never does.
func TestMixture(t *testing.T) {
	t.Parallel()
	tables := lines(t, 3, 1)
	entries, _ := all(tables)
	var parts [][]Entry
	for _, e := range entries {
		parts = append(parts, []Entry{e})
	}
	for _, switching := range []model.Switching{model.CutThrough, model.Wormhole} {
		o := Options{Switching: switching, Clocks: 4000, Seed: 1}
		res, err := Mixture(t.Context(), &Change{Old: tables[0], New: tables[1], Parts: parts}, o)
		if err != nil || res.Deadlock == nil || len(res.Deadlock.Packets) < 2 || res.How != ByLoad {
			t.Errorf("%s: %+v, %v: want a deadlock", switching, res, err)
		}
		for i := range tables {
			o.Runs = 3
			res, err := Mixture(t.Context(), &Change{Old: tables[i], New: tables[i], Parts: parts}, o)
			if err != nil || res.Deadlock != nil || res.Runs != 3 || res.Clocks != 12000 {
				t.Errorf("%s, table %d: %+v, %v", switching, i, res, err)
			}
		}
	}
}

// TestSteps: all destinations that change in one step in service freeze the network. If their packets stop before, nothing freezes.
func TestSteps(t *testing.T) {
	t.Parallel()
	tables := lines(t, 3, 1)
	entries, dests := all(tables)
	o := Options{Clocks: 4000, Seed: 1}
	res, err := Steps(t.Context(), tables[0], tables[1], []Step{{Entries: entries}}, o)
	if err != nil || res.Deadlock == nil {
		t.Errorf("in service: %+v, %v: want a deadlock", res, err)
	}
	res, err = Steps(t.Context(), tables[0], tables[1], []Step{{Stop: dests, Entries: entries, Resume: dests}}, o)
	if err != nil || res.Deadlock != nil || res.Runs != 20 {
		t.Errorf("drained: %+v, %v", res, err)
	}
}

// lost is a table without the entries of a switch.
type lost struct {
	*model.Table
	at model.SwitchID
}

func (l lost) Next(s model.State, buf []model.Hop) []model.Hop {
	in, _ := l.Network().Channel(s.VC)
	if l.Network().Head(in) == l.at {
		return buf
	}
	return l.Table.Next(s, buf)
}

// TestKeep: packets that meet a new entry without a next hop keep their VC if the options say so, and freeze. Else they are dropped.
func TestKeep(t *testing.T) {
	t.Parallel()
	old := lines(t, 3)[0]
	now := lost{old, 1}
	var entry []Entry
	for d := range model.DestID(old.Destinations()) {
		if old.Network().Host(old.DestinationHost(d)).Switch == 2 {
			entry = append(entry, Entry{d, 1})
		}
	}
	for _, keep := range []bool{false, true} {
		o := Options{Clocks: 4000, Seed: 1, Keep: keep, Runs: 2}
		res, err := Mixture(t.Context(), &Change{Old: old, New: now, Parts: [][]Entry{entry}}, o)
		if err != nil || (res.Deadlock != nil) != keep {
			t.Errorf("keep %v: %+v, %v", keep, res, err)
		}
	}
}
