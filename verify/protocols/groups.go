package protocols

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file decides a protocol beside packets that are no messages: those of multicast groups, and management traffic. They can be in each virtual
// network, and hosts consume them at once. Each copy of a packet of a group needs room.

const (
	premiseGroups  = "packets of multicast groups may be in each virtual network, and hosts consume them at once"
	premiseManaged = "management traffic may be in each virtual network, and is consumed at once"
	reasonGroups   = "messages and other packets (multicast, management) have no order of waits, and no messages alone were found that block each other"
)

// decideBeside decides a protocol that has no order of virtual networks. Only messages refute it.
func (x *rule) decideBeside(w *Waits) {
	wormhole := x.q.Switching == model.Wormhole
	proof := w.Prove(wormhole)
	alone := w.Prove(false)
	if x.groups != nil {
		w.addGroups(x.groups)
	}
	if x.isManaged() {
		w.addManagement()
	}
	if proof.IsComplete() {
		proof = w.Prove(wormhole)
	}
	x.claim.Verdict, x.claim.Reason = verify.Undecided, reasonGroups
	switch {
	case proof.IsComplete() && (x.groups != nil || w.HasMulticast()) && x.holdsBranches():
		x.claim.Reason = verify.ReasonCopies
	case proof.IsComplete() && len(proof.Tables) == 0:
		x.claim.Verdict, x.claim.Reason = verify.Proved, ""
		x.proveBy(proof, wormhole)
	case !alone.IsComplete():
		w.copies = nil
		if d := w.FindDeadlock(alone); d != nil {
			x.refuteByPlaces(d, wormhole)
		}
	}
}

// addGroups adds the waits of packets of multicast groups, one for each copy.
func (w *Waits) addGroups(m *model.Multicast) {
	for g := range m.Groups {
		var list []model.VCID
		for _, h := range m.Groups[g].Senders(w.r) {
			list = append(list, w.n.VC(w.n.InjectChannel(h), 0))
		}
		seen := map[model.VCID]bool{}
		for i := 0; i < len(list); i++ {
			in, _ := w.n.Channel(list[i])
			for _, v := range m.Groups[g].Copies(w.r, in, nil) {
				if !w.n.IsLinkVC(v) {
					continue
				}
				for network := range w.networks {
					w.copies = append(w.copies, [2]int32{w.in(network, list[i]), w.in(network, v)})
				}
				if !seen[v] {
					seen[v] = true
					list = append(list, v)
				}
			}
		}
	}
}

// isManaged reports whether the relation has management traffic.
func (x *rule) isManaged() bool { return model.ManagementOf(x.q.Relation) != model.NoManagement }

// addManagement adds the waits of packets from and to management endpoints, one for each next hop.
// Cost: O(states of these packets).
func (w *Waits) addManagement() {
	known := map[[2]int32]bool{}
	for d := range model.DestID(w.r.Destinations()) {
		isManaged, walk := w.n.Host(w.r.DestinationHost(d)).Management, newMessageWalk(w.r, d)
		for h := range model.HostID(w.r.Sources()) {
			if (isManaged || w.n.Host(h).Management) && model.Sends(w.r, h, d) {
				for _, k := range w.r.Inject(h, d, nil) {
					walk.start(model.InjectState(w.r, h, d, k))
				}
			}
		}
		for i := 0; i < len(walk.states); i++ {
			for _, hop := range walk.expand(i) {
				for network := 0; network < w.networks && w.n.IsLinkVC(hop.VC); network++ {
					if wait := [2]int32{w.in(network, walk.states[i].VC), w.in(network, hop.VC)}; !known[wait] {
						known[wait] = true
						w.copies = append(w.copies, wait)
					}
				}
			}
		}
	}
}
