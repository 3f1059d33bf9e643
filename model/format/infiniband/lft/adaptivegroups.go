package lft

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file converts groups of ports of adaptive tables to groups of channels, and reports what
// was read.

// groupOf returns the index in f.groups of a group of the current switch, or 0 if no port of the
// group has a cable.
func (f *adaptiveReader) groupOf(key groupKey) int32 {
	if g, ok := f.numbers[key]; ok {
		return g
	}
	g := model.PortGroup{Commits: key.commits}
	ports := slices.Clone(f.ports[key.group])
	slices.Sort(ports)
	for _, p := range slices.Compact(ports) {
		if c := f.ix.Net.OutAt(f.at, p); c != model.NoChannel {
			g.Out = append(g.Out, c)
		} else {
			f.loose++
		}
	}
	place := int32(0)
	if len(g.Out) > 0 {
		place = int32(len(f.groups))
		f.groups = append(f.groups, g)
	}
	f.numbers[key] = place
	return place
}

// compare records whether an entry of a second or later table of the switch differs from the first
// table.
func (f *adaptiveReader) compare(lid uint16, port, state, group int) {
	want := []model.Port{model.Port(port)}
	hashed := false
	if state != farStatic {
		out := f.groups[f.groupOf(groupKey{group, state == farHashed})].Out
		want, hashed = f.portsOf(out), state == farHashed && len(out) > 1
	}
	got, gotHashed := f.current(lid)
	if !slices.Equal(got, want) || hashed != gotHashed {
		f.several[f.at] = true
	}
}

// current returns the ports of the entry in the switch's first table, and whether a hash chooses
// among them.
func (f *adaptiveReader) current(lid uint16) ([]model.Port, bool) {
	if row := f.of[lid]; row != nil && row[f.at] > 0 {
		g := f.groups[row[f.at]-1]
		return f.portsOf(g.Out), g.Commits && len(g.Out) > 1
	}
	if d := f.ix.ByLID[lid]; d >= 0 {
		if p, ok := f.table.Port(f.at, model.DestID(d)); ok {
			return []model.Port{p}, false
		}
	} else if s := f.strays[lid]; s != nil && s.port[f.at] >= 0 {
		return []model.Port{model.Port(s.port[f.at])}, false
	}
	return []model.Port{255}, false
}

// portsOf returns the ports at which the channels leave their switch.
func (f *adaptiveReader) portsOf(out []model.ChannelID) []model.Port {
	ports := make([]model.Port, len(out))
	for i, c := range out {
		ports[i] = f.ix.Net.TailPort(c)
	}
	return ports
}

// adaptive returns the adaptive table, or nil if no entry needs one.
func (f *adaptiveReader) adaptive() *model.AdaptiveTable {
	if len(f.of) == 0 {
		return nil
	}
	t := model.NewAdaptiveTable(f.table, f.groups)
	for d := range model.DestID(f.table.AllDestinations()) {
		for u, g := range f.of[f.table.Destination(d).LID] {
			if g > 0 {
				t.SetGroup(model.SwitchID(u), d, int(g)-1)
			}
		}
	}
	return t
}

// report adds the premise on adaptive routing, and warnings for entries that a user may expect to
// be read differently.
func (f *adaptiveReader) report() {
	file := textfile.Base(f.src.Name)
	value := "none: every entry has one port"
	if f.kinds[farFree]+f.kinds[farHashed] > 0 {
		value = fmt.Sprintf("%s take any port of a group, %s a port chosen by hash, for every service level", textfile.Counted(f.kinds[farFree],
			"Free entry"), textfile.Counted(f.kinds[farHashed], "HBF entry"))
		value = strings.ReplaceAll(value, "entrys", "entries")
	}
	f.found.AddPremise(model.PremiseAdaptive, value, file)
	f.found.IsAdaptive = f.kinds[farFree]+f.kinds[farHashed] > 0
	if f.loose > 0 {
		f.found.Warnf("%s: %s of groups without a cable in %s: no packet takes them", file, textfile.Counted(f.loose, "port"),
			textfile.Base(f.found.Topology()))
	}
	if total := f.count(f.empty); total > 0 {
		f.found.Warnf("%s: the group of %s has no port with a cable, so packets are dropped there: switch %s", file,
			strings.ReplaceAll(textfile.Counted(total, "entry"), "entrys", "entries"), names(f.ix.Net, f.empty))
	}
	if len(f.several) > 0 {
		f.found.Doubts = append(f.found.Doubts, model.Doubt{Premise: model.PremiseAdaptive, Claims: []string{"deadlock-free", "connected", "livelock-free"},
			Reason: fmt.Sprintf("%s has several private tables (PLFT) with different entries for %s, and does not tell which packets use which: %s",
				file, strings.ReplaceAll(textfile.Counted(len(f.several), "switch"), "switchs", "switches"), names(f.ix.Net, f.several)),
			Next: "no file that is read tells it; let the subnet manager route with one table (ar_updn), and run ibdiagnet --routing again"})
	}
}

func (f *adaptiveReader) count(by map[model.SwitchID]int) (total int) {
	for _, k := range by {
		total += k
	}
	return total
}

// names lists the switches among the keys of by.
func names[T any](n *model.Network, by map[model.SwitchID]T) string {
	var list textfile.NameList
	for _, u := range slices.Sorted(maps.Keys(by)) {
		list.Add("%s", n.SwitchName(u))
	}
	return list.String()
}
