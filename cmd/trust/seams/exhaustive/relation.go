package exhaustive

import (
	"math/rand/v2"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// This file draws relations.

// around returns a routing in the plus direction of a ring.
func around(n *model.Network) model.Relation {
	r := listed(n)
	r.NextHops = func(s model.State) []model.Hop {
		if hop, ok := eject(r, s); ok {
			return []model.Hop{hop}
		}
		ch, i := n.Channel(s.VC)
		return []model.Hop{{VC: n.VC(n.OutAt(n.Head(ch), model.PlusPort(0)), i)}}
	}
	return r
}

// listed returns a relation with one class and a destination for each host.
func listed(n *model.Network) *modeltest.Relation {
	r := &modeltest.Relation{Net: n, Injects: func(model.HostID, model.DestID) []model.Class { return []model.Class{0} }}
	for h := range model.HostID(n.NumHosts()) {
		r.Dests = append(r.Dests, h)
	}
	return r
}

// eject returns the hop to the host, at its switch.
func eject(r *modeltest.Relation, s model.State) (model.Hop, bool) {
	n := r.Net
	ch, _ := n.Channel(s.VC)
	h := r.Dests[s.Dest]
	return model.Hop{VC: n.VC(n.EjectChannel(h), 0)}, n.Head(ch) == n.Host(h).Switch
}

// drawRelation draws next hops for each state: any links, with any VCs, sometimes few of them. Packets may pass their
// destination's switch in some relations.
func (d *drawn) drawRelation(rng *rand.Rand, n *model.Network) model.Relation {
	r := listed(n)
	most, passes := 1+rng.IntN(3), rng.IntN(8) == 0
	hops := map[model.State][]model.Hop{}
	for v := range model.VCID(n.NumVCs()) {
		ch, _ := n.Channel(v)
		if n.Kind(ch) == model.Eject {
			continue
		}
		for t := range model.DestID(len(r.Dests)) {
			s := model.State{VC: v, Dest: t}
			var list []model.Hop
			hop, isThere := eject(r, s)
			if isThere {
				list = append(list, hop)
			}
			if !isThere || passes && rng.IntN(2) == 0 {
				list = append(list, drawHops(rng, n, ch, most)...)
			}
			hops[s] = list
		}
	}
	r.NextHops = func(s model.State) []model.Hop { return hops[s] }
	d.say("", "relation %v", hops)
	return r
}

// drawHops draws different hops onto links.
func drawHops(rng *rand.Rand, n *model.Network, in model.ChannelID, most int) (list []model.Hop) {
	out := n.Out(n.Head(in))
	seen := map[model.VCID]bool{}
	for range 10 * most {
		ch := pick(rng, out...)
		v := n.VC(ch, rng.IntN(n.VCs()))
		back := n.Kind(in) == model.SwitchToSwitch && ch == n.Reverse(in)
		if n.Kind(ch) != model.SwitchToSwitch || seen[v] || back && rng.IntN(4) > 0 {
			continue
		}
		seen[v] = true
		if list = append(list, model.Hop{VC: v}); len(list) == most {
			break
		}
	}
	return list
}

// onNetwork returns r on a network with the same channels.
func onNetwork(r model.Relation, n *model.Network) model.Relation {
	if f, ok := r.(model.Flowing); ok {
		return flowing{f, n}
	}
	if e, ok := r.(model.Escaper); ok {
		return escaping{e, n}
	}
	return other{r, n}
}

type (
	flowing struct {
		model.Flowing
		n *model.Network
	}
	escaping struct {
		model.Escaper
		n *model.Network
	}
	other struct {
		model.Relation
		n *model.Network
	}
)

// Network implements model.Relation.
func (x flowing) Network() *model.Network { return x.n }

// Network implements model.Relation.
func (x escaping) Network() *model.Network { return x.n }

// Network implements model.Relation.
func (x other) Network() *model.Network { return x.n }
