package relations

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file puts a relation on another state of its network: cables, and switches without hosts, may be gone or new. Packets whose next hop has
// lost its cable are dropped, and packets at a new switch have no old next hops.

// Moved is the cables and switches that only one of two states of a network has.
type Moved struct{ Gone, New, SwitchesGone, SwitchesNew []string }

// align returns the relation on network n, and how the networks differ. It fails if hosts differ, or if each network has a cable or a switch that
// the other lacks.
func align(r model.Relation, n *model.Network) (model.Relation, *Moved, error) {
	old := r.Network()
	if old.OneWayLinks()+n.OneWayLinks() > 0 && !slices.Equal(oneWay(old), oneWay(n)) {
		return nil, nil, errors.New("different networks: the links of one direction differ, and a change of direction is not compared")
	}
	m := &aligned{Relation: r, net: n.WithVCs(old.VCs()), oldOf: map[model.ChannelID]model.ChannelID{}, newOf: map[model.ChannelID]model.ChannelID{}}
	diff := &Moved{}
	switches, err := m.switches(diff)
	if err != nil {
		return nil, nil, err
	}
	cables := map[string]model.ChannelID{} // of n, by both ends
	for c := range model.ChannelID(n.NumLinkChannels()) {
		cables[ends(n, c)] = c
	}
	for c := range model.ChannelID(old.NumLinkChannels()) {
		to, ok := cables[ends(old, c)]
		if ok {
			m.pair(c, to)
		} else if c%2 == 0 {
			diff.Gone = append(diff.Gone, ends(old, c))
		}
	}
	for c := model.ChannelID(0); int(c) < n.NumLinkChannels(); c += 2 {
		if _, ok := m.oldOf[c]; !ok {
			diff.New = append(diff.New, ends(n, c))
		}
	}
	if gone, added := firstOf(diff.SwitchesGone, diff.Gone), firstOf(diff.SwitchesNew, diff.New); gone != "" && added != "" {
		return nil, nil, fmt.Errorf("different networks: only the old one has %s, and only the new one has %s", gone, added)
	}
	if err := m.hosts(switches); err != nil || len(diff.New) == 0 {
		return m, diff, err
	}
	return m, diff, m.arrivals(diff)
}

// oneWay returns the ends of the links of one direction, sorted.
func oneWay(n *model.Network) (list []string) {
	for l := range model.LinkID(n.NumLinks()) {
		if n.IsOneWay(l) {
			list = append(list, ends(n, model.ChannelID(2*l)))
		}
	}
	slices.Sort(list)
	return list
}

// firstOf names the first of switches and cables, or returns "".
func firstOf(switches, cables []string) string {
	switch {
	case len(switches) > 0:
		return "the switch " + switches[0]
	case len(cables) > 0:
		return "the cable " + cables[0]
	}
	return ""
}

// ends names a channel by its ends.
func ends(n *model.Network, c model.ChannelID) string {
	u, v := n.Tail(c), n.Head(c)
	return fmt.Sprintf("%s port %s - %s port %s", n.SwitchLabel(u), n.PortLabel(u, n.TailPort(c)), n.SwitchLabel(v), n.PortLabel(v, n.HeadPort(c)))
}

// aligned is a relation on another state of its network.
type aligned struct {
	model.Relation
	net          *model.Network
	oldOf, newOf map[model.ChannelID]model.ChannelID
}

func (m *aligned) pair(old, now model.ChannelID) { m.newOf[old], m.oldOf[now] = now, old }

// switches returns the new number of each old switch that is left.
func (m *aligned) switches(diff *Moved) (map[model.SwitchID]model.SwitchID, error) {
	old, n := m.Relation.Network(), m.net
	byName := map[string]model.SwitchID{}
	for u := range model.SwitchID(n.NumSwitches()) {
		byName[n.SwitchLabel(u)] = u
	}
	to, known := map[model.SwitchID]model.SwitchID{}, map[string]bool{}
	for u := range model.SwitchID(old.NumSwitches()) {
		name := old.SwitchLabel(u)
		if known[name] = true; len(known) != int(u)+1 {
			return nil, fmt.Errorf("two switches have the name %s", name)
		}
		if v, ok := byName[name]; ok {
			to[u] = v
		} else {
			diff.SwitchesGone = append(diff.SwitchesGone, name)
		}
	}
	if len(byName) != n.NumSwitches() {
		return nil, fmt.Errorf("%d switches have %d names", n.NumSwitches(), len(byName))
	}
	for v := range model.SwitchID(n.NumSwitches()) {
		if name := n.SwitchLabel(v); !known[name] {
			diff.SwitchesNew = append(diff.SwitchesNew, name)
		}
	}
	return to, nil
}

// hosts pairs the channels of hosts, which have to be the same in the same order, and of the endpoints inside switches.
func (m *aligned) hosts(switches map[model.SwitchID]model.SwitchID) error {
	old, n := m.Relation.Network(), m.net
	if old.NumHosts() != n.NumHosts() {
		only, of := onlyHost(old, n), "old"
		if only == "" {
			only, of = onlyHost(n, old), "new"
		}
		return fmt.Errorf("different networks: %d hosts, and %d: only the %s one has the host %s", old.NumHosts(), n.NumHosts(), of, only)
	}
	inside := map[model.SwitchID]model.HostID{}
	for h := model.HostID(n.NumHosts()); int(h) < n.NumEndpoints(); h++ {
		inside[n.Host(h).Switch] = h
	}
	for h := range model.HostID(old.NumEndpoints()) {
		at, left := switches[old.Host(h).Switch]
		to, ok := h, true
		if int(h) >= old.NumHosts() {
			to, ok = inside[at]
			ok = ok && left
		} else if a, b := old.HostLabel(h), n.HostLabel(h); a != b || !left || at != n.Host(h).Switch {
			return fmt.Errorf("different networks: the host %s at %s in the place of %s at %s", b, n.SwitchLabel(n.Host(h).Switch), a,
				old.SwitchLabel(old.Host(h).Switch))
		}
		if ok {
			m.pair(old.InjectChannel(h), n.InjectChannel(to))
			m.pair(old.EjectChannel(h), n.EjectChannel(to))
		}
	}
	return nil
}

// onlyHost names a host that a has and b lacks, or returns "".
func onlyHost(a, b *model.Network) string {
	known := map[string]bool{}
	for h := range model.HostID(b.NumHosts()) {
		known[b.HostLabel(h)] = true
	}
	for h := range model.HostID(a.NumHosts()) {
		if name := a.HostLabel(h); !known[name] {
			return name
		}
	}
	return ""
}

// Network implements model.Relation.
func (m *aligned) Network() *model.Network { return m.net }

// SendsTo implements model.Sender.
func (m *aligned) SendsTo(h model.HostID, d model.DestID) bool { return model.Sends(m.Relation, h, d) }

// arrivals finds for each new cable an old channel into the switch that it enters, if that is not new. It fails unless the relation does not
// tell the channels into the switch apart: then a packet that comes by the new cable has the next hops of one that comes by the old channel.
func (m *aligned) arrivals(diff *Moved) error {
	old := m.Relation.Network()
	grouped, ok := m.Relation.(model.Grouped)
	into := map[model.SwitchID]model.ChannelID{} // by old switch: a channel into it, or NoChannel if they have several groups
	for c := model.ChannelID(0); ok && int(c) < old.NumLinkChannels(); c++ {
		before, known := into[old.Head(c)]
		switch {
		case !known:
			into[old.Head(c)] = c
		case before != model.NoChannel && grouped.GroupOf(old.VC(before, 0)) != grouped.GroupOf(old.VC(c, 0)):
			into[old.Head(c)] = model.NoChannel
		}
	}
	at := map[string]model.ChannelID{}
	for u, c := range into {
		at[old.SwitchLabel(u)] = c
	}
	for c := range model.ChannelID(m.net.NumLinkChannels()) {
		if _, ok := m.oldOf[c]; ok {
			continue
		}
		if slices.Contains(diff.SwitchesNew, m.net.SwitchLabel(m.net.Head(c))) {
			continue
		}
		from, ok := at[m.net.SwitchLabel(m.net.Head(c))]
		if !ok || from == model.NoChannel {
			return fmt.Errorf("the old routing does not say what happens to packets that arrive by the new cable %s", ends(m.net, c))
		}
		m.oldOf[c] = from
	}
	return nil
}

// own returns a state on the old network.
func (m *aligned) own(s model.State) (_ model.State, ok bool) {
	c, i := m.net.Channel(s.VC)
	old, ok := m.oldOf[c]
	if ok {
		s.VC = m.Relation.Network().VC(old, i)
	}
	return s, ok
}

// Commits implements model.Committer.
func (m *aligned) Commits(s model.State) bool {
	commits := model.CommitsIn(m.Relation, "")
	at, ok := m.own(s)
	return ok && commits != nil && commits(at)
}

// Next implements model.Relation.
func (m *aligned) Next(s model.State, buf []model.Hop) []model.Hop {
	at, ok := m.own(s)
	if !ok {
		return buf
	}
	for _, h := range m.Relation.Next(at, nil) {
		c, i := m.Relation.Network().Channel(h.VC)
		if to, ok := m.newOf[c]; ok {
			buf = append(buf, model.Hop{VC: m.net.VC(to, i), Class: h.Class})
		}
	}
	return buf
}
