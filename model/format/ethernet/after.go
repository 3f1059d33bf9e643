package ethernet

import (
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file has the fabric after a failure of cables and switches.

// Down is what fails: cables, by one of their ports, and switches.
type Down struct {
	Cables   []Cable
	Switches []int
}

// Cable is a cable, by its port with the smaller number of the switch.
type Cable struct{ a, b end }

// State is the fabric after a failure.
type State struct {
	Relation model.Relation
	Found    *Found
	Doubts   []model.Doubt
}

// Cables returns the cables between switches, in the order of the links of the network.
func (f *Fabric) Cables() []Cable {
	var list []Cable
	for _, e := range f.b.sortedPorts() {
		if there := f.b.peer[e]; compareEnds(e, there) < 0 {
			list = append(list, Cable{e, there})
		}
	}
	return list
}

// Switches returns the number of switches of the folder.
func (f *Fabric) Switches() int { return len(f.b.switches) }

// SwitchName returns the name of a switch.
func (f *Fabric) SwitchName(u int) string { return f.b.switches[u].Name }

// CableName names a cable by its ports.
func (f *Fabric) CableName(c Cable) string { return f.b.text(c.a) + " - " + f.b.text(c.b) }

// Lost returns the host prefixes all of whose switches fail.
func (f *Fabric) Lost(x Down) []string {
	list := []string{}
	for _, h := range f.b.hosts {
		if !slices.ContainsFunc(h.homes, func(u int) bool { return !slices.Contains(x.Switches, u) }) {
			list = append(list, h.key.Prefix().String())
		}
	}
	return list
}

// NextHops returns the ports by which each switch sends frames to the first address of a host prefix, in natural order. Switches that drop or
// deliver them have none.
func (f *Fabric) NextHops(p netip.Prefix) map[string][]string {
	ports := map[string][]string{}
	for _, a := range f.b.atoms {
		if !a.key.Prefix().Contains(p.Addr()) || a.key.Prefix().Bits() != p.Bits() {
			continue
		}
		for u := range f.b.fibs {
			for _, e := range f.b.hopsAt(a.class, u).ports {
				ports[f.SwitchName(u)] = append(ports[f.SwitchName(u)], e.port)
			}
		}
	}
	return ports
}

// HasPriorities reports whether the dumps say which priorities are lossless.
func (f *Fabric) HasPriorities() bool { return f.hasQoS }

// HostPrefixes returns the host prefixes, ascending.
func (f *Fabric) HostPrefixes() (list []netip.Prefix) {
	for _, h := range f.b.hosts {
		list = append(list, h.key.Prefix())
	}
	return list
}

// After returns the fabric after a failure, with the routes that r computes. The error names a limit that the network exceeds.
func (f *Fabric) After(x Down, r *Rerouting) (*State, error) {
	b, doubts := f.without(x), []model.Doubt(nil)
	if r.plan == nil {
		doubts = b.prune(f.b, x)
		doubts = append(doubts, b.lostFrames(f.b, x)...)
	} else {
		doubts = b.reroute(f.b, r, x)
	}
	doubts = append(doubts, r.doubt...)
	rel, err := b.build()
	if err != nil {
		return nil, err
	}
	s := &State{Relation: rel, Found: b.found(rel)}
	if f.hasQoS {
		if s, err = b.classify(rel); err != nil {
			return nil, err
		}
	}
	s.Doubts = append(s.Doubts, b.tunnelsWithoutMaps()...)
	s.Found.fabric, s.Doubts = &Fabric{b, rel, f.hasQoS}, append(doubts, s.Doubts...)
	return s, nil
}

// classify returns the fabric with the priorities of its files config_db.json, and the doubts about these.
func (b *builder) classify(rel *relation) (*State, error) {
	c, err := b.newClassed(rel)
	if err != nil {
		return nil, err
	}
	c = c.settle()
	var stated format.Routed
	c.stateAll(&stated)
	return &State{Relation: c, Found: b.found(rel), Doubts: stated.Doubts}, nil
}

// without returns the builder of what is left, without routes: hosts and atoms of failed switches are gone.
func (f *Fabric) without(x Down) *builder {
	c := *f.b.cabling
	c.peer = maps.Clone(c.peer)
	b := &builder{cabling: &c, failed: map[end]bool{}}
	for e, there := range f.b.peer {
		if slices.Contains(x.Switches, e.sw) || slices.Contains(x.Switches, there.sw) {
			b.failed[e] = true
		}
	}
	for _, cable := range x.Cables {
		b.failed[cable.a], b.failed[cable.b] = true, true
	}
	f.b.failChannels(b.failed)
	for e := range b.failed {
		delete(c.peer, e)
	}
	left := make([]int, len(f.b.hosts))
	for i, h := range f.b.hosts {
		homes := slices.DeleteFunc(slices.Clone(h.homes), func(u int) bool { return slices.Contains(x.Switches, u) })
		left[i] = len(b.hosts)
		if len(homes) > 0 {
			b.hosts = append(b.hosts, hostPrefix{h.key, homes})
		} else {
			left[i] = -1
		}
	}
	for i, a := range f.b.atoms {
		if left[a.host] >= 0 {
			b.atoms, b.kept = append(b.atoms, atom{key: a.key, host: left[a.host]}), append(b.kept, i)
		}
	}
	return b
}

// prune sets the routes if no switch computes new ones. A switch stops to use a next hop whose port is down. If no next hop of a route is
// left, the route is gone, and frames go by the longest prefix that is left, as zebra and the kernel do it. It returns a doubt if the dumps
// have a further route of the same prefix, such as a static one of a larger distance: it takes over, and the dumps do not say all of it.
func (b *builder) prune(whole *builder, x Down) (doubts []model.Doubt) {
	b.fibs = slices.Clone(whole.fibs)
	changed := map[int]bool{}
	for e := range b.failed {
		changed[e.sw] = true
	}
	for u := range b.fibs {
		switch {
		case slices.Contains(x.Switches, u):
			b.fibs[u] = fib{table: nil}
		case changed[u] && b.fibs[u].table != nil:
			b.fibs[u] = b.fibs[u].without(b.failed)
			if k, ok := b.takesOver(whole.fibs[u].table, b.fibs[u].table); ok && doubts == nil {
				doubts = bothClaims(premiseRerouting, "", fmt.Sprintf("%s has a further route of %s, which takes over when the next hops of the "+
					"first are gone: it is not followed", whole.switches[u].Name, k.Prefix()), "")
				doubts[0].Firm, doubts[1].Firm = true, true
			}
		}
	}
	b.classes = divide(b.fibs, b.hosts, b.atoms)
	return doubts
}

// hasBackup reports whether the dumps of some switch have a further route of a prefix.
func (b *builder) hasBackup() bool {
	return slices.ContainsFunc(b.fibs, func(f fib) bool { return f.table != nil && len(f.table.Backup) > 0 })
}

// takesOver returns a prefix of hosts whose route is gone, and of which the dump has a further route.
func (b *builder) takesOver(before, left *dumps.Table) (dumps.Key, bool) {
	for _, e := range before.Entries {
		if _, isLeft := slices.BinarySearchFunc(left.Entries, e.Key, compareEntry); isLeft || !before.Backup[e.Key] {
			continue
		}
		if slices.ContainsFunc(b.atoms, func(a atom) bool { return e.Key.Contains(a.key) }) {
			return e.Key, true
		}
	}
	return dumps.Key{}, false
}

// without returns the routes of a switch whose ports in failed are down.
func (f *fib) without(failed map[end]bool) fib {
	list, gone := make([]hops, len(f.hops)), make([]bool, len(f.hops))
	for s, h := range f.hops {
		list[s] = h
		list[s].ports = slices.DeleteFunc(slices.Clone(h.ports), func(e end) bool { return failed[e] })
		gone[s] = len(h.ports) > 0 && len(list[s].ports) == 0 && !h.local && !h.discard && !h.tunnel
	}
	t := *f.table
	t.Entries = slices.Clone(t.Entries)
	kept := t.Entries[:0]
	for _, e := range t.Entries {
		if !gone[e.Set] {
			kept = append(kept, e)
		}
	}
	t.Entries = kept
	left := newFIB(&t, list)
	left.own = f.own
	return left
}

// WriteRoutes writes everything that the state after a failure depends on, for a checksum.
func (f *Fabric) WriteRoutes(w io.Writer, r *Rerouting) {
	fmt.Fprintln(w, r.Word, r.network.AS, r.network.Level)
	for u, x := range f.b.fibs {
		fmt.Fprintln(w, f.b.switches[u].Name, x.hops)
		if x.table != nil {
			fmt.Fprintln(w, x.table.Entries, x.table.Aggregates)
		}
	}
}
