package relations

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file refuses relations that are not of one network and the same traffic.

// sameNetwork returns an error unless both networks have the same switches, cables and endpoints, in the same order.
func sameNetwork(a, b *model.Network) error {
	if a.NumSwitches() != b.NumSwitches() || a.NumLinks() != b.NumLinks() || a.NumHosts() != b.NumHosts() || a.NumEndpoints() != b.NumEndpoints() {
		return fmt.Errorf("different networks: %d switches, %d cables and %d hosts, and %d, %d and %d",
			a.NumSwitches(), a.NumLinks(), a.NumHosts(), b.NumSwitches(), b.NumLinks(), b.NumHosts())
	}
	for u := range model.SwitchID(a.NumSwitches()) {
		if p, q := a.SwitchLabel(u), b.SwitchLabel(u); p != q {
			return fmt.Errorf("different networks: switch %s in the place of %s", q, p)
		}
	}
	for l := range model.LinkID(a.NumLinks()) {
		if p, q := a.Link(l), b.Link(l); p.A != q.A || p.B != q.B || p.APort != q.APort || p.BPort != q.BPort {
			return fmt.Errorf("different networks: a cable from %s to %s in the place of one from %s to %s",
				b.SwitchLabel(q.A), b.SwitchLabel(q.B), a.SwitchLabel(p.A), a.SwitchLabel(p.B))
		}
	}
	for h := range model.HostID(a.NumEndpoints()) {
		p, q := a.Host(h), b.Host(h)
		if p.Switch != q.Switch || p.Port != q.Port || a.HostLabel(h) != b.HostLabel(h) {
			return fmt.Errorf("different networks: %s at %s in the place of %s at %s", b.HostLabel(h), b.SwitchLabel(q.Switch), a.HostLabel(h),
				a.SwitchLabel(p.Switch))
		}
	}
	return nil
}

// sameTraffic returns an error unless both relations have the same sources, destinations and classes.
func (c *Change) sameTraffic() error {
	old, now := c.rel[before], c.rel[after]
	if old.Sources() != now.Sources() || old.Destinations() != now.Destinations() {
		return fmt.Errorf("%d sources and %d destinations, and %d and %d", old.Sources(), old.Destinations(), now.Sources(), now.Destinations())
	}
	seen := map[model.HostID]bool{}
	for d := range model.DestID(old.Destinations()) {
		h := old.DestinationHost(d)
		lid := model.LIDOf(old, d)
		switch {
		case now.DestinationHost(d) != h || model.LIDOf(now, d) != lid:
			return fmt.Errorf("destination %d is %s with one routing, and %s with the other", d, c.net.HostLabel(h), c.net.HostLabel(now.DestinationHost(d)))
		case seen[h] && lid == 0:
			return fmt.Errorf("the routes tell several parts of %s apart, and they may be other parts in the other state", c.net.HostLabel(h))
		}
		seen[h] = true
		for e := range model.HostID(old.Sources()) {
			if err := c.samePair(e, d); err != nil {
				return err
			}
		}
	}
	if c.NumDestinations() == 0 {
		return errors.New("no destinations")
	}
	return nil
}

// samePair returns an error unless a source sends to a destination with the same classes.
func (c *Change) samePair(e model.HostID, d model.DestID) error {
	var sets [2][]model.Class
	for side, r := range c.rel {
		if model.Sends(r, e, d) {
			sets[side] = r.Inject(e, d, nil)
			slices.Sort(sets[side])
		}
	}
	if !slices.Equal(sets[before], sets[after]) {
		return fmt.Errorf("%s sends to %s with the classes %v before, and %v after", c.net.HostLabel(e), c.net.HostLabel(c.rel[before].DestinationHost(d)),
			sets[before], sets[after])
	}
	return nil
}

// lifted is a relation on the network with more VCs. A packet on a VC that the relation does not have has no next hop.
type lifted struct {
	model.Relation
	net *model.Network
}

// lift returns a relation on net, which has the channels of its network and at least as many VCs.
func lift(r model.Relation, net *model.Network) model.Relation {
	if r.Network().VCs() == net.VCs() {
		return r
	}
	return &lifted{r, net}
}

// Network implements model.Relation.
func (l *lifted) Network() *model.Network { return l.net }

// SendsTo implements model.Sender.
func (l *lifted) SendsTo(h model.HostID, d model.DestID) bool { return model.Sends(l.Relation, h, d) }

// own returns a state with the VC of the relation. ok is false if the relation does not have the VC.
func (l *lifted) own(s model.State) (_ model.State, ok bool) {
	c, i := l.net.Channel(s.VC)
	if i >= l.Relation.Network().VCs() {
		return s, false
	}
	s.VC = l.Relation.Network().VC(c, i)
	return s, true
}

// Commits implements model.Committer.
func (l *lifted) Commits(s model.State) bool {
	commits := model.CommitsIn(l.Relation, "")
	at, ok := l.own(s)
	return ok && commits != nil && commits(at)
}

// Next implements model.Relation.
func (l *lifted) Next(s model.State, buf []model.Hop) []model.Hop {
	at, ok := l.own(s)
	if !ok {
		return buf
	}
	from := len(buf)
	buf = l.Relation.Next(at, buf)
	for i := range buf[from:] {
		c, k := l.Relation.Network().Channel(buf[from+i].VC)
		buf[from+i].VC = l.net.VC(c, k)
	}
	return buf
}

// union is the relation of packets that meet the old or the new entry at each hop.
type union struct{ *Change }

// Classes implements model.Relation.
func (u *union) Classes() int { return max(u.rel[before].Classes(), u.rel[after].Classes()) }

// Sources implements model.Relation.
func (u *union) Sources() int { return u.rel[before].Sources() }

// Destinations implements model.Relation.
func (u *union) Destinations() int { return u.NumDestinations() }

// DestinationHost implements model.Relation.
func (u *union) DestinationHost(d model.DestID) model.HostID { return u.rel[before].DestinationHost(d) }

// SendsTo implements model.Sender.
func (u *union) SendsTo(h model.HostID, d model.DestID) bool { return model.Sends(u.rel[before], h, d) }

// Inject implements model.Relation.
func (u *union) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	return u.rel[before].Inject(h, d, buf)
}

// Next implements model.Relation.
func (u *union) Next(s model.State, buf []model.Hop) []model.Hop {
	return u.next(s, transition.BothEntries, buf)
}

// next appends the next hops by some entries.
func (u *union) next(s model.State, set transition.Entries, buf []model.Hop) []model.Hop {
	from := len(buf)
	for side, r := range u.rel {
		if set>>side&1 != 0 && int(s.Class) < r.Classes() {
			buf = r.Next(s, buf)
		}
	}
	list := buf[from:]
	slices.SortFunc(list, func(a, b model.Hop) int {
		if a.VC != b.VC {
			return int(a.VC) - int(b.VC)
		}
		return int(a.Class) - int(b.Class)
	})
	return buf[:from+len(slices.Compact(list))]
}

// state is the relation of packets that meet the entries of meets.
type state struct {
	union
	meets func(d model.DestID, u model.SwitchID) transition.Entries
}

// State returns the relation of packets that meet given entries of each switch for each destination. If packets choose among several next hops,
// they wait as Waiting says.
func (c *Change) State(meets func(d model.DestID, u model.SwitchID) transition.Entries) model.Relation {
	return &state{union{c}, meets}
}

// Next implements model.Relation.
func (x *state) Next(s model.State, buf []model.Hop) []model.Hop {
	in, _ := x.net.Channel(s.VC)
	u := x.net.Head(in)
	if u == model.NoSwitch {
		return buf
	}
	return x.next(s, x.meets(s.Dest, u), buf)
}
