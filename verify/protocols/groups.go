package protocols

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file decides a protocol beside multicast tables. Packets of multicast groups can be in each virtual network. Each copy of such a packet needs
// room, and hosts consume copies at once.

const (
	premiseGroups = "packets of multicast groups may be in each virtual network, and hosts consume them at once"
	reasonGroups  = "messages and packets of multicast groups have no order of what they wait for, and no messages alone were found that block each other"
)

// decideWithGroups decides a protocol that has no order of virtual networks. Only messages refute it.
func (x *rule) decideWithGroups(w *Waits) {
	wormhole := x.q.Switching == model.Wormhole
	proof := w.Prove(wormhole)
	alone := w.Prove(false)
	w.addGroups(x.groups)
	if proof.IsComplete() {
		proof = w.Prove(wormhole)
	}
	x.claim.Verdict, x.claim.Reason = verify.Undecided, reasonGroups
	switch {
	case proof.IsComplete() && x.holdsBranches():
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
