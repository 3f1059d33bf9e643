package failures

import (
	"github.com/turnproof/turnproof/model"
)

// This file keeps a routing as it is when parts of its network fail.

// Keep returns what is left of r without the given links and switches: packets may take the hops of r that are left, and are dropped where
// none is. Hosts at failed switches neither send nor receive. It fails if no switch is left.
//
// The result waits as r does. It has no escape VCs, because those of r may have failed. What is left of a table is a table, if possible: it is
// faster to check.
//
// Cost: that of building the network.
func Keep(r model.Relation, links []model.LinkID, switches []model.SwitchID) (model.Relation, error) {
	n := r.Network()
	left, err := n.Without(links, switches)
	if err != nil {
		return nil, err
	}
	if t, ok := r.(*model.Table); ok && len(switches) == 0 {
		if k := keepTable(t, left); k != nil {
			return k, nil
		}
	}
	k := &kept{whole: r, net: left.WithVCs(n.VCs()), channel: make([]model.ChannelID, n.NumChannels()), old: make([]model.ChannelID, left.NumChannels())}
	k.number(links, switches)
	if _, commits := r.(model.Committer); commits {
		return committing{k}, nil
	}
	return k, nil
}

// kept is a relation on what is left of a network. It implements model.Sender.
type kept struct {
	whole   model.Relation
	net     *model.Network
	channel []model.ChannelID // by channel of the whole network: that of what is left, or NoChannel
	old     []model.ChannelID // by channel of what is left: that of the whole network
	dests   []model.DestID    // by destination: that of the whole network
	sources int
}

// committing is a kept relation that is a Committer.
type committing struct{ *kept }

// Commits implements model.Committer.
func (k committing) Commits(s model.State) bool {
	return k.whole.(model.Committer).Commits(k.stateBefore(s))
}

// number numbers the channels and destinations. Links, switches and hosts keep their order (model.Network.Without).
func (k *kept) number(links []model.LinkID, switches []model.SwitchID) {
	n := k.whole.Network()
	dead, gone := make([]bool, n.NumLinks()), make([]bool, n.NumSwitches())
	for _, u := range switches {
		gone[u] = true
	}
	for _, l := range links {
		dead[l] = true
	}
	for c := range k.channel {
		k.channel[c] = model.NoChannel
	}
	next := model.LinkID(0)
	for l := range model.LinkID(n.NumLinks()) {
		if x := n.Link(l); !dead[l] && !gone[x.A] && !gone[x.B] {
			for side := range model.ChannelID(2) {
				k.join(2*model.ChannelID(l)+side, 2*model.ChannelID(next)+side)
			}
			next++
		}
	}
	host := model.HostID(0)
	for h := range model.HostID(n.NumEndpoints()) {
		if gone[n.Host(h).Switch] {
			continue
		}
		k.join(n.InjectChannel(h), k.net.InjectChannel(host))
		k.join(n.EjectChannel(h), k.net.EjectChannel(host))
		if host++; int(h) < k.whole.Sources() {
			k.sources = int(host)
		}
	}
	for d := range model.DestID(k.whole.Destinations()) {
		if !gone[n.Host(k.whole.DestinationHost(d)).Switch] {
			k.dests = append(k.dests, d)
		}
	}
}

func (k *kept) join(whole, left model.ChannelID) { k.channel[whole], k.old[left] = left, whole }

// hostBefore returns the endpoint of the whole network.
func (k *kept) hostBefore(h model.HostID) model.HostID {
	return k.whole.Network().HostOf(k.old[k.net.InjectChannel(h)])
}

// stateBefore returns the state in the whole network.
func (k *kept) stateBefore(s model.State) model.State {
	return model.State{VC: k.before(s.VC), Dest: k.dests[s.Dest], Class: s.Class}
}

func (k *kept) before(v model.VCID) model.VCID {
	c, i := k.net.Channel(v)
	return k.whole.Network().VC(k.old[c], i)
}

// Network implements model.Relation.
func (k *kept) Network() *model.Network { return k.net }

// Classes implements model.Relation.
func (k *kept) Classes() int { return k.whole.Classes() }

// Sources implements model.Relation.
func (k *kept) Sources() int { return k.sources }

// Destinations implements model.Relation.
func (k *kept) Destinations() int { return len(k.dests) }

// DestinationHost implements model.Relation.
func (k *kept) DestinationHost(d model.DestID) model.HostID {
	n := k.whole.Network()
	return k.net.HostOf(k.channel[n.EjectChannel(k.whole.DestinationHost(k.dests[d]))])
}

// SendsTo implements model.Sender.
func (k *kept) SendsTo(h model.HostID, d model.DestID) bool {
	return model.Sends(k.whole, k.hostBefore(h), k.dests[d])
}

// Inject implements model.Relation.
func (k *kept) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	return k.whole.Inject(k.hostBefore(h), k.dests[d], buf)
}

// Next implements model.Relation.
func (k *kept) Next(s model.State, buf []model.Hop) []model.Hop {
	n, from := k.whole.Network(), len(buf)
	buf = k.whole.Next(k.stateBefore(s), buf)
	list := buf[from:]
	buf = buf[:from]
	for _, h := range list {
		c, vc := n.Channel(h.VC)
		if left := k.channel[c]; left != model.NoChannel {
			buf = append(buf, model.Hop{VC: k.net.VC(left, vc), Class: h.Class})
		}
	}
	return buf
}

// GroupOf implements model.Grouped.
func (k *kept) GroupOf(v model.VCID) int {
	if g, ok := k.whole.(model.Grouped); ok {
		return g.GroupOf(k.before(v))
	}
	return int(v)
}
