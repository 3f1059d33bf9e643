package ethernet

import (
	"github.com/turnproof/turnproof/model"
)

// This file has the relation of the routes.

// relation routes frames by the atom of their destination. A hash chooses one of the next hops before a frame waits.
type relation struct {
	net      *model.Network
	switches int                   // switches of the folder; the others stand for host prefixes at several switches
	host     []model.HostID        // by destination
	class    []int32               // by destination
	next     [][][]model.ChannelID // by class and switch; eject stands for the ejection channel of the destination
	entrance [][]model.ChannelID   // by switch that stands for a host prefix, less switches: where frames of its hosts go
	bySwitch bool                  // see SwitchRouted
}

// eject stands for the ejection channel of a destination.
const eject = model.NoChannel

// Network implements model.Relation.
func (r *relation) Network() *model.Network { return r.net }

// Classes implements model.Relation.
func (r *relation) Classes() int { return 1 }

// Sources implements model.Relation.
func (r *relation) Sources() int { return r.net.NumHosts() }

// Destinations implements model.Relation.
func (r *relation) Destinations() int { return len(r.host) }

// DestinationHost implements model.Relation.
func (r *relation) DestinationHost(d model.DestID) model.HostID { return r.host[d] }

// Inject implements model.Relation.
func (r *relation) Inject(_ model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	return append(buf, 0)
}

// Commits implements model.Committer: a hash chooses the next hop.
func (r *relation) Commits(model.State) bool { return true }

// GroupOf implements model.Grouped. The next hops of a frame that has come from another switch depend on its switch only. Frames enter a
// switch that stands for a host prefix from its hosts, or to be delivered there.
func (r *relation) GroupOf(v model.VCID) int {
	c, _ := r.net.Channel(v)
	if u := r.net.Head(c); u != model.NoSwitch && int(u) < r.switches {
		return int(u)
	}
	return r.net.NumSwitches() + int(v)
}

// SwitchRouted implements model.SwitchRouted.
func (r *relation) SwitchRouted() bool { return r.bySwitch }

// Next implements model.Relation.
func (r *relation) Next(s model.State, buf []model.Hop) []model.Hop {
	c, _ := r.net.Channel(s.VC)
	u := r.net.Head(c)
	if u == model.NoSwitch {
		return buf
	}
	for _, out := range r.channels(u, s.Dest) {
		if out == eject {
			out = r.net.EjectChannel(r.host[s.Dest])
		}
		buf = append(buf, model.Hop{VC: r.net.VC(out, 0)})
	}
	return buf
}

// toHost delivers frames.
var toHost = []model.ChannelID{eject}

// channels returns where frames to a destination go at a switch.
func (r *relation) channels(u model.SwitchID, d model.DestID) []model.ChannelID {
	switch {
	case int(u) < r.switches:
		return r.next[r.class[d]][u]
	case r.net.Host(r.host[d]).Switch == u:
		return toHost
	}
	return r.entrance[int(u)-r.switches]
}
