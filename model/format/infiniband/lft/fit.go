package lft

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file decides whether tables and topology are from the same fabric at the same time. A
// mismatch of at least half of the hosts is an error. A smaller one is a warning, and the verdict
// holds for the files as they are.

// judge compares the tables with the topology after the last line.
func (r *reader) judge() error {
	r.indexPorts()
	if err := r.contradictions(); err != nil {
		return err
	}
	if err := r.checkDropped(); err != nil {
		return err
	}
	r.resolve()
	r.inferLMC()
	if err := r.fit(); err != nil {
		return err
	}
	r.adopt()
	r.reportStrays()
	r.reportCables()
	r.found.TellRouting(textfile.Base(r.src.Name))
	return nil
}

// misfits are LIDs of hosts for which the tables do not fit the topology.
type misfits struct {
	missing   []string // LIDs for which no switch has an entry
	misplaced []string // LIDs that the host's own switch sends to another port
	total     int      // number of LIDs of hosts
}

// minMisfits is the smallest number of misfits for which the tables count as those of another
// fabric. Fewer misfits may be a broken routing.
const minMisfits = 4

// fit fails if the tables are not from the topology's fabric.
func (r *reader) fit() error {
	m, gone := r.misfits(), 0
	for _, s := range r.straysLeft() {
		if s.host == model.NoHost && !r.isWithoutLID(s) {
			gone++
		}
	}
	missing, misplaced := len(m.missing), len(m.misplaced)
	if worst := max(missing, gone); r.isStrict && worst >= minMisfits && 2*worst >= m.total {
		return r.src.FileError("does not fit %s, which has %s of hosts: for %d of them no switch has an entry, and %s of the tables lead to "+
			"no host: do these files belong together?",
			r.found.Topology(), textfile.Counted(m.total, "LID"), missing, textfile.Counted(gone, "other LID"))
	}
	if missing > 0 {
		r.found.Warnf("%s: no switch has an entry for %s of hosts in %s: %s: do these files belong together?", textfile.Base(r.src.Name),
			textfile.Counted(missing, "LID"), textfile.Base(r.found.Topology()), textfile.Capped(m.missing, missing))
	}
	if misplaced > 0 {
		r.found.Warnf("%s: %s of hosts in %s leave the host's own switch by another port: %s: do these files belong together, or were "+
			"cables or LIDs moved between the two dumps?", textfile.Base(r.src.Name), textfile.Counted(misplaced, "LID"), textfile.Base(r.found.Topology()),
			textfile.Capped(m.misplaced, misplaced))
	}
	return nil
}

// misfits checks each LID of a host.
func (r *reader) misfits() (m misfits) {
	n, t := r.ix.Net, r.table
	for d := range model.DestID(t.Destinations()) {
		to := t.Destination(d)
		m.total++
		row, own := t.Row(d), n.Host(to.Host).Switch
		name := fmt.Sprintf("%d (%s)", to.LID, n.HostLabel(to.Host))
		switch c := row[own]; {
		case c == n.EjectChannel(to.Host):
		case c != model.NoChannel:
			p, _ := t.Port(own, d)
			m.misplaced = append(m.misplaced, fmt.Sprintf("%s, port %d instead of %d", name, p, n.Host(to.Host).Port))
		case !slices.ContainsFunc(row, func(c model.ChannelID) bool { return c != model.NoChannel }):
			m.missing = append(m.missing, name)
		}
	}
	return m
}

// reportCables counts the entries that lead to a port without a cable.
func (r *reader) reportCables() {
	type port struct {
		u model.SwitchID
		p model.Port
	}
	at, total := map[port]int{}, 0
	for d := range model.DestID(r.table.AllDestinations()) {
		for u, c := range r.table.Row(d) {
			if c < model.NoChannel {
				p, _ := r.table.Port(model.SwitchID(u), d)
				at[port{model.SwitchID(u), p}]++
				total++
			}
		}
	}
	if total == 0 {
		return
	}
	ports := slices.SortedFunc(maps.Keys(at), func(a, b port) int {
		return cmp.Or(cmp.Compare(a.u, b.u), cmp.Compare(a.p, b.p))
	})
	names := make([]string, len(ports))
	for i, x := range ports {
		names[i] = fmt.Sprintf("port %d of %s (%d)", x.p, r.ix.Net.SwitchName(x.u), at[x])
	}
	lead := "entries lead"
	if total == 1 {
		lead = "entry leads"
	}
	r.found.CablelessEntries = total
	r.found.Warnf("%s: %d %s to a port without a cable in %s: %s; a cable may have been lost since the tables were dumped", textfile.Base(r.src.Name),
		total, lead, textfile.Base(r.found.Topology()), textfile.Capped(names, len(names)))
}
