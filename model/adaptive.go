package model

// AdaptiveTable is a forwarding table in which an entry can name a group of ports (InfiniBand
// adaptive routing). Entries without a group are the entries of Table. If an entry has a group,
// the channel in the row of Table has no effect.
//
// A switch does not send a packet back over the cable on which it arrived if the group has
// another cable.
type AdaptiveTable struct {
	*Table
	groups []PortGroup
	of     [][]int32 // by destination and switch: 1 + index into groups, 0 for no group; a nil row has no groups
}

// PortGroup is a set of channels out of one switch.
type PortGroup struct {
	Out     []ChannelID // ascending; if empty, packets are dropped
	Commits bool        // a hash chooses the channel when the packet arrives, as under WaitOne
}

// NewAdaptiveTable returns a table with the entries of t and the given groups. No entry names a
// group yet.
func NewAdaptiveTable(t *Table, groups []PortGroup) *AdaptiveTable {
	return &AdaptiveTable{Table: t, groups: groups, of: make([][]int32, t.AllDestinations())}
}

// SetGroup makes switch u forward packets to destination d through group number g.
func (t *AdaptiveTable) SetGroup(u SwitchID, d DestID, g int) {
	if t.of[d] == nil {
		t.of[d] = make([]int32, t.net.NumSwitches())
	}
	t.of[d][u] = int32(g) + 1
}

// WithTable returns an adaptive table with the same groups over another table with the same
// destinations, whose network has the same channels.
func (t *AdaptiveTable) WithTable(other *Table) *AdaptiveTable {
	return &AdaptiveTable{other, t.groups, t.of}
}

// Group returns the group of the entry of switch u for d, or nil if the entry has none.
func (t *AdaptiveTable) Group(u SwitchID, d DestID) *PortGroup {
	if row := t.of[d]; row != nil && row[u] > 0 {
		return &t.groups[row[u]-1]
	}
	return nil
}

// HasCommits reports whether a hash chooses among the ports of any group.
func (t *AdaptiveTable) HasCommits() bool {
	for _, row := range t.of {
		for _, g := range row {
			if g > 0 && t.groups[g-1].Commits && len(t.groups[g-1].Out) > 1 {
				return true
			}
		}
	}
	return false
}

// Next implements Relation.
func (t *AdaptiveTable) Next(s State, buf []Hop) []Hop {
	in, _ := t.net.Channel(s.VC)
	u := t.net.Head(in)
	if u == NoSwitch || t.used>>uint(s.Class)&1 == 0 {
		return buf
	}
	g := t.Group(u, s.Dest)
	if g == nil {
		return t.Table.Next(s, buf)
	}
	back := t.net.Reverse(in)
	for _, out := range g.Out {
		if out != back || len(g.Out) == 1 {
			buf = t.appendHop(buf, in, out, s.Class)
		}
	}
	return buf
}

// appendHop appends the hop of a packet of class k from channel in to channel out, unless the
// packet is dropped there.
func (t *AdaptiveTable) appendHop(buf []Hop, in, out ChannelID, k Class) []Hop {
	vc := t.HopVC(in, out, k)
	if vc == DropVC {
		return buf
	}
	if int(out) >= t.net.NumLinkChannels() {
		vc = 0
	}
	return append(buf, Hop{t.net.VC(out, vc), k})
}

// Commits implements Committer.
func (t *AdaptiveTable) Commits(s State) bool {
	in, _ := t.net.Channel(s.VC)
	u := t.net.Head(in)
	if u == NoSwitch {
		return false
	}
	g := t.Group(u, s.Dest)
	return g != nil && g.Commits
}

// PartialDrop finds a hop that drops packets of class k although other channels of the same
// group do not drop them. It returns the channel in, the channel out of the group, and the
// class, or false if no such hop exists. Cost per switch: channels times channels of its groups
// times classes.
func (t *AdaptiveTable) PartialDrop() (in, out ChannelID, k Class, ok bool) {
	if t.vcs == nil || !t.vcs.Drops(t.used) {
		return
	}
	type entry struct {
		u SwitchID
		g int32
	}
	seen := map[entry]bool{}
	for _, row := range t.of {
		for u, g := range row {
			e := entry{SwitchID(u), g}
			if g == 0 || seen[e] {
				continue
			}
			seen[e] = true
			if in, out, k, ok = t.partialDropAt(e.u, &t.groups[g-1]); ok {
				return
			}
		}
	}
	return
}

// partialDropAt is PartialDrop for group g at switch u.
func (t *AdaptiveTable) partialDropAt(u SwitchID, g *PortGroup) (in, out ChannelID, k Class, ok bool) {
	for _, c := range t.net.Out(u) {
		in = t.net.Reverse(c)
		for k := range Class(t.Classes()) {
			if t.used>>uint(k)&1 == 0 {
				continue
			}
			drops, last := 0, NoChannel
			for _, out := range g.Out {
				if t.HopVC(in, out, k) == DropVC {
					drops, last = drops+1, out
				}
			}
			if drops > 0 && drops < len(g.Out) {
				return in, last, k, true
			}
		}
	}
	return 0, 0, 0, false
}
