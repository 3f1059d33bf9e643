package modeltest

import (
	"github.com/turnproof/turnproof/model"
)

// Shuttle returns a routing on a line of three switches with two hosts at each. Host 4, at switch
// 2, sends to host 5 there; no other host sends. Packets take the given number of hops away from
// switch 2 and the same number back. There they are delivered or start the same tour again. No
// lengths of packets deadlock: a worm can always leave when its head is back at switch 2, because
// no other packet waits there.
func Shuttle(away int) *Relation {
	b := model.NewBuilder()
	for u := range model.SwitchID(3) {
		b.AddSwitch(model.Switch{})
		for port := range model.Port(2) {
			b.AddHost(model.Host{Switch: u, Port: 3 + port})
		}
	}
	b.AddLink(0, 1, 1, 2)
	b.AddLink(1, 1, 2, 2)
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	r := &Relation{Net: n, Dests: []model.HostID{5}}
	r.Injects = func(h model.HostID, _ model.DestID) []model.Class {
		if h == 4 {
			return []model.Class{0}
		}
		return nil
	}
	to := func(u, v model.SwitchID) model.Hop {
		for _, c := range n.Out(u) {
			if n.Kind(c) == model.SwitchToSwitch && n.Head(c) == v {
				return model.Hop{VC: n.VC(c, 0)}
			}
		}
		panic("no channel")
	}
	far := model.SwitchID(2 - away)
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		at := n.Head(c)
		switch {
		case n.Kind(c) == model.Inject:
			return []model.Hop{to(2, 1)}
		case at == 2:
			return []model.Hop{{VC: n.VC(n.EjectChannel(5), 0)}, to(2, 1)}
		case at == far:
			return []model.Hop{to(at, at+1)}
		}
		return []model.Hop{to(at, 2*at-n.Tail(c))} // straight on
	}
	return r
}
