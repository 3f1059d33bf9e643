package protocols

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file decides whether classes of messages that cause each other can block each other, if no protocol says more. For
// example, a host consumes a request only when it can send the reply. Package verify/cert/messages has the proof.

// The theorems about lists of classes, and the premise of a deadlock of classes that share a virtual network: hosts that only send requests and
// hosts that only answer do not block each other.
const (
	theoremNetworks = "Song and Pinkston 2003: each class of messages has its own virtual network, so the messages of " +
		"the last class are consumed, then those of each earlier class"
	theoremShared = "Song and Pinkston 2003: two hosts have filled the paths to each other with messages, and each " +
		"waits to send a message that these block"
	theoremDeadlocked = "a deadlock of one virtual network is a deadlock of the whole network"

	premiseAnyToAny = "any host may send messages of any class to any other"
)

// decideClasses decides the claim from the verdict on one virtual network.
func (x *rule) decideClasses(ctx context.Context) (err error) {
	m := x.protocol
	x.claim.Premises = []string{
		"a host consumes a message once it has sent the messages that this one causes, and messages of the last class always",
		"hosts keep the messages of each virtual network in queues of their own",
	}
	networks := make(cert.Ints, len(m.Network))
	for i, v := range m.Network {
		networks[i] = int32(v)
	}
	x.evidence.Messages = &networks
	switch {
	case m.Networks() < len(m.Names):
		var why string
		if x.outcome.Packets, why, err = findPacketsBothWays(ctx, x.q.Relation); err != nil {
			return err
		}
		x.claim.Verdict, x.claim.Theorem, x.evidence.Evidence = verify.Refuted, theoremShared, cert.EvidenceSharedNetwork
		x.claim.Premises = append(x.claim.Premises, premiseAnyToAny)
		x.claim.Reason = fmt.Sprintf("%s share a virtual network", m.Shared())
		x.evidence.Packets = encode.Packets(x.outcome.Packets)
		if x.outcome.Packets == nil {
			x.claim.Verdict, x.claim.Theorem, x.claim.Reason = verify.Undecided, "", why
		}
	case x.q.DeadlockFree == verify.Proved && x.keepsRoom():
		x.claim.Verdict, x.claim.Reason = verify.Undecided, reasonRest
	case x.q.DeadlockFree == verify.Proved:
		x.claim.Verdict, x.claim.Theorem, x.evidence.Evidence = verify.Proved, theoremNetworks, cert.EvidenceNetworks
	case x.q.DeadlockFree == verify.Refuted:
		x.claim.Verdict, x.claim.Theorem, x.evidence.Evidence = verify.Refuted, theoremDeadlocked, cert.EvidenceDeadlocked
		x.claim.Reason = "each virtual network has the deadlock"
	default:
		x.claim.Verdict, x.claim.Reason = verify.Undecided, "it is also undecided whether a single virtual network is deadlock-free"
	}
	return nil
}

// mostLossyPairs bounds the pairs of hosts with lossy packets that findPacketsBothWays tries.
const mostLossyPairs = 1000

// findPacketsBothWays returns two packets between two hosts, one in each direction, such
// that no packet between these hosts can be lost. It prefers hosts at different switches.
// If it finds no such hosts, it returns nil and the reason.
// Cost: the states of two destinations for each pair tried, in most networks one pair.
func findPacketsBothWays(ctx context.Context, r model.Relation) (both []*cdg.Packet, why string, err error) {
	n := r.Network()
	lossy := 0
	first := map[model.HostID]model.DestID{}
	for d := model.DestID(r.Destinations()) - 1; d >= 0; d-- {
		first[r.DestinationHost(d)] = d
	}
	for _, apart := range []bool{true, false} {
		for a := range model.HostID(min(r.Sources(), n.NumHosts())) {
			for b := a + 1; int(b) < min(r.Sources(), n.NumHosts()); b++ {
				if err := ctx.Err(); err != nil {
					return nil, "", err
				}
				if lossy == mostLossyPairs {
					return nil, fmt.Sprintf("packets of %d pairs of hosts can be lost, which frees their queues; no other pair was tried", lossy), nil
				}
				da, ok := first[a]
				db, ok2 := first[b]
				if !ok || !ok2 || !model.Sends(r, a, db) || (n.Host(a).Switch != n.Host(b).Switch) != apart {
					continue
				}
				there, back := shortestPacket(r, a, db), shortestPacket(r, b, da)
				switch {
				case there == nil || back == nil:
				case canBeLost(r, there) || canBeLost(r, back):
					lossy++
				default:
					return []*cdg.Packet{there, back}, "", nil
				}
			}
		}
	}
	if lossy > 0 {
		return nil, "packets of any two hosts that send to each other can be lost, which frees their queues", nil
	}
	return nil, "no two hosts send to each other", nil
}

// canBeLost reports whether some packet with the source, destination and class of p can
// reach a state with no next hop, or the ejection channel of another host.
func canBeLost(r model.Relation, p *cdg.Packet) bool {
	n := r.Network()
	end := n.EjectChannel(r.DestinationHost(p.Dest))
	seen, queue := map[model.State]bool{p.Path[0]: true}, []model.State{p.Path[0]}
	var hops []model.Hop
	for ; len(queue) > 0; queue = queue[1:] {
		if hops = r.Next(queue[0], hops[:0]); len(hops) == 0 {
			return true
		}
		for _, hop := range hops {
			c, _ := n.Channel(hop.VC)
			to := model.State{VC: hop.VC, Dest: p.Dest, Class: hop.Class}
			switch {
			case c == end:
			case n.Kind(c) == model.Eject:
				return true
			case !seen[to]:
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return false
}

// shortestPacket returns a packet of h on a shortest path to d, or nil if there is no path.
func shortestPacket(r model.Relation, h model.HostID, d model.DestID) *cdg.Packet {
	end := r.Network().EjectChannel(r.DestinationHost(d))
	type step struct {
		at     model.State
		before int
	}
	var steps []step
	seen := map[model.State]bool{}
	for _, k := range r.Inject(h, d, nil) {
		s := model.InjectState(r, h, d, k)
		seen[s] = true
		steps = append(steps, step{s, -1})
	}
	for i := 0; i < len(steps); i++ {
		if c, _ := r.Network().Channel(steps[i].at.VC); c == end {
			p := &cdg.Packet{Source: h, Dest: d}
			for k := i; k >= 0; k = steps[k].before {
				p.Path = append([]model.State{steps[k].at}, p.Path...)
			}
			return p
		}
		if c, _ := r.Network().Channel(steps[i].at.VC); r.Network().Kind(c) == model.Eject {
			continue
		}
		for _, hop := range r.Next(steps[i].at, nil) {
			if s := (model.State{VC: hop.VC, Dest: d, Class: hop.Class}); !seen[s] {
				seen[s] = true
				steps = append(steps, step{s, i})
			}
		}
	}
	return nil
}
