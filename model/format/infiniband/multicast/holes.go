package multicast

import (
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file finds out whether multicast tables are complete, and whether they fit the network.
//
// The tree of a group is symmetric: if a switch sends copies to a second switch, the second one
// has an entry with the port back. A port without a cable, a switch without an entry, and an entry
// without the port back show that the tables are incomplete, stale or of another fabric.
//
// dump_fts -M writes a section for each switch. opensm.mcfdbs has no block for a switch without
// entries, so its end may be missing. Then each missing tree uses only cables between the last
// switch of the file and switches that follow.

// ErrOtherFabric is the cause of an error for tables that belong to another fabric.
var ErrOtherFabric = errors.New("the tables belong to another fabric")

// ErrNoTables is the cause of an error for a file without a multicast table.
var ErrNoTables = errors.New("no multicast table")

// minGaps is the smallest number of gaps for which tables count as those of another fabric.
const minGaps = 2

// gaps are the places where multicast tables do not fit together.
type gaps struct {
	textfile.NameList
	checked int // number of ports of entries that lead to switches, or have no cable
}

// complete returns doubts about the proof of incomplete tables. It fails if sections are missing,
// or if the tables belong to another fabric.
func (r *reader) complete(m *model.Multicast) (doubts []model.Doubt, err error) {
	if err := r.missing(); err != nil {
		return nil, err
	}
	g := r.gaps(m)
	if g.Total >= minGaps && 2*g.Total >= g.checked {
		err := r.src.FileError("does not fit the network: %s: do the files belong together, or is the file truncated?", g).(*textfile.Error)
		err.Err = ErrOtherFabric
		return nil, err
	}
	if g.Total > 0 {
		doubts = append(doubts, r.doubt(fmt.Sprintf("%s is incomplete, or older than a change of the fabric: %s", textfile.Base(r.src.Name), g)))
	}
	if u := r.hidden(); u != model.NoSwitch {
		doubts = append(doubts, r.doubt(fmt.Sprintf("%s may be truncated: trees through %s and switches without a block may be missing, "+
			"and the format has no end mark", textfile.Base(r.src.Name), r.ix.Net.SwitchName(u))))
	}
	return doubts, nil
}

// doubt returns a doubt about a proof.
func (r *reader) doubt(reason string) model.Doubt {
	return model.Doubt{Premise: model.PremiseMulticast, Claims: []string{"deadlock-free", "livelock-free"}, Against: model.AgainstProof,
		Reason: reason, Next: "write the tables again (dump_fts -M > mfts.dump), or omit them with --multicast none"}
}

// missing fails if a switch has no section in the output of dump_fts.
func (r *reader) missing() error {
	if !r.hasCounts {
		return nil
	}
	var list textfile.NameList
	for u := range model.SwitchID(r.ix.Net.NumSwitches()) {
		if !r.seen[u] {
			list.Add("%s", r.ix.Net.SwitchName(u))
		}
	}
	if list.Total == 0 {
		return nil
	}
	return r.src.FileError("no multicast table for switch %s: is the file truncated, or do the files not belong together?", list)
}

// gaps checks each port of each entry.
func (r *reader) gaps(m *model.Multicast) (g gaps) {
	n := r.ix.Net
	for i := range m.Groups {
		group := &m.Groups[i]
		for _, e := range group.Entries {
			for _, p := range e.Ports {
				c := n.OutAt(e.Switch, p)
				if c != model.NoChannel && n.Kind(c) != model.SwitchToSwitch || p == 0 {
					continue
				}
				if g.checked++; c == model.NoChannel {
					g.Add("group 0x%04x: port %d of %s has no cable", group.MLID, p, n.SwitchName(e.Switch))
				} else if text := missingBack(n, group, c); text != "" {
					g.Add("group 0x%04x: %s sends copies by port %d to %s, which has %s", group.MLID, n.SwitchName(e.Switch), p, n.SwitchName(n.Head(c)), text)
				}
			}
		}
	}
	return g
}

// missingBack describes what the switch at the head of c lacks to be the next switch of the tree.
// It returns "" if it lacks nothing.
func missingBack(n *model.Network, group *model.MulticastGroup, c model.ChannelID) string {
	ports := group.Entry(n.Head(c))
	if ports == nil {
		return "no entry"
	}
	for _, p := range ports {
		if p == n.HeadPort(c) {
			return ""
		}
	}
	return fmt.Sprintf("no port %d in its entry", n.HeadPort(c))
}

// hidden returns a switch through which a tree can pass that the end of opensm.mcfdbs would
// contain, or NoSwitch. A tree has hosts at its ends.
func (r *reader) hidden() model.SwitchID {
	if r.hasCounts || r.at == model.NoSwitch {
		return model.NoSwitch
	}
	n := r.ix.Net
	in := make([]bool, n.NumSwitches())
	for u := range model.SwitchID(n.NumSwitches()) {
		in[u] = u == r.at || !r.seen[u] && (!r.isAscending || infiniband.SwitchGUID(n, u) > infiniband.SwitchGUID(n, r.at))
	}
	for changed := true; changed; {
		changed = false
		for u := range in {
			near, hosts := nearWithin(n, model.SwitchID(u), in)
			if in[u] && near < 2 && hosts == 0 {
				in[u], changed = false, true
			}
		}
	}
	for u := range in {
		if near, _ := nearWithin(n, model.SwitchID(u), in); in[u] && near > 1 {
			return model.SwitchID(u)
		}
	}
	return model.NoSwitch
}

// nearWithin counts the neighbours of switch u in the set, and its hosts. A tree uses one of several cables to a neighbour.
func nearWithin(n *model.Network, u model.SwitchID, in []bool) (near, hosts int) {
	seen := map[model.SwitchID]bool{}
	for _, c := range n.Out(u) {
		switch h := n.HostOf(c); {
		case h == model.NoHost && in[n.Head(c)]:
			seen[n.Head(c)] = true
		case h != model.NoHost && !n.Host(h).Management:
			hosts++
		}
	}
	return len(seen), hosts
}
