package states

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file converts multicast tables and multicast messages.

// addGroups adds the packets of multicast tables. They are in each virtual network, cause nothing and belong to no transaction.
func (k *converter) addGroups() {
	if k.Multicast == nil {
		return
	}
	for v := range k.networks {
		k.classes = append(k.classes, class{network: v})
		if k.c.Messages != nil {
			k.c.Messages.Classes = append(k.c.Messages.Classes, Class{Flits: k.Packets[0]})
		}
		for g := range k.Multicast.Groups {
			k.addGroup(len(k.classes)-1, g)
		}
	}
}

// addGroup adds the packets of group g in the virtual network of a class.
func (k *converter) addGroup(class, g int) {
	group := &k.Multicast.Groups[g]
	for _, h := range group.Senders(k.r) {
		at := model.State{VC: k.n.VC(k.n.InjectChannel(h), 0), Class: group.Class}
		k.c.Streams = append(k.c.Streams, Stream{k.placeOf(placeKey{class: class, at: at, group: g + 1}), k.Packets, noOrigin})
	}
}

// copyGroup adds the copies of a packet of a multicast table.
func (k *converter) copyGroup(p int, x placeKey) {
	y := k.c.Places[p]
	y.All = true
	ch, _ := k.n.Channel(x.at.VC)
	for _, v := range k.Multicast.Groups[x.group-1].Copies(k.r, ch, nil) {
		q := Leave
		if k.n.IsLinkVC(v) {
			q = k.placeOf(placeKey{class: x.class, at: model.State{VC: v, Class: x.at.Class}, group: x.group})
		}
		y.Next = append(y.Next, q)
	}
	k.c.Places[p] = y
}

// startCopies returns the places in which a multicast message begins.
func (k *converter) startCopies(class int, h model.HostID, to []int) []int {
	v := k.n.VC(k.n.InjectChannel(h), 0)
	x := placeKey{class: class, at: model.State{VC: v}}
	for _, t := range to {
		d, ok := k.destOf(t)
		if model.HostID(t) == h || !ok {
			continue
		}
		for _, c := range k.r.Inject(h, d, nil) {
			x.to = append(x.to, model.State{Dest: d, Class: c})
			break
		}
	}
	if x.to == nil {
		return nil
	}
	return []int{k.placeOf(x)}
}

// copyMessage adds the copies of a multicast message: one for each next VC of its destinations.
func (k *converter) copyMessage(p int, x placeKey) {
	y := k.c.Places[p]
	y.All = true
	var next []placeKey
	for _, to := range x.to {
		hops := k.r.Next(model.State{VC: x.at.VC, Dest: to.Dest, Class: to.Class}, nil)
		if len(hops) > 1 {
			k.fail("copies want one next hop for each destination; the routing has %d", len(hops))
		}
		if len(hops) == 0 {
			continue
		}
		if !k.n.IsLinkVC(hops[0].VC) {
			y.Next = append(y.Next, Leave)
			continue
		}
		i := slices.IndexFunc(next, func(z placeKey) bool { return z.at.VC == hops[0].VC })
		if i < 0 {
			i = len(next)
			next = append(next, placeKey{class: x.class, at: model.State{VC: hops[0].VC}})
		}
		next[i].to = append(next[i].to, model.State{Dest: to.Dest, Class: hops[0].Class})
	}
	for _, z := range next {
		q := k.placeOf(z)
		y.Next = append(y.Next, q)
	}
	k.c.Places[p] = y
}
