package verify

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file decides whether the messages of a protocol can block each other, exactly for virtual
// cut-through and store-and-forward. Under wormhole switching it proves by an order of all waits, or
// by the order of virtual networks, and refutes by messages that fit into one buffer.

// decideProtocol decides the claim about the messages of a protocol.
func decideProtocol(ctx context.Context, rep *Report, c *cert.Certificate) error {
	p := rep.Protocol
	x := newProtocolPlaces(rep.Relation, p)
	claim := Claim{Name: cert.ClaimMessages, Verdict: Proved, Premises: protocolPremises(p)}
	evidence := cert.Claim{Claim: cert.ClaimMessages, Protocol: makeProtocol(p)}
	if rep.DeadlockFree.Verdict == Proved && x.networkOrder() {
		claim.Theorem, evidence.Evidence = theoremNetworkOrder, cert.EvidenceNetworkOrder
		return rep.finishProtocol(claim, evidence, c)
	}
	w, err := collectMessageWaits(x, rep.commits)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	wormhole := rep.Switching == model.Wormhole
	proof := w.prove(wormhole)
	if proof.left == nil {
		claim.Theorem, evidence.Evidence = theoremMessageElimination, cert.EvidenceMessageElimination
		if wormhole {
			claim.Theorem, evidence.Evidence = theoremMessageOrder, cert.EvidenceMessageNumbering
		}
		evidence.Ranks, evidence.Tables = &proof.ranks, &proof.tables
		return rep.finishProtocol(claim, evidence, c)
	}
	if wormhole {
		proof = w.prove(false)
	}
	if proof.left != nil {
		tries := 0
		rep.MessageDeadlock = w.findDeadlock(proof.left, proof.gone, &tries)
	}
	if rep.MessageDeadlock == nil {
		return rep.decideMessagesByClauses(ctx, w, claim, evidence, c)
	}
	claim.Verdict, claim.Theorem, evidence.Evidence = Refuted, theoremMessageDeadlock, cert.EvidenceMessageDeadlock
	claim.Premises = append(claim.Premises, premisePlaces)
	if wormhole {
		claim.Premises = append(claim.Premises, premiseShort)
	}
	claim.Reason = rep.MessageDeadlock.text(p)
	rep.MessageDeadlock.write(&evidence)
	return rep.finishProtocol(claim, evidence, c)
}

// decideMessagesByClauses decides a protocol where short messages and an order of all waits decide nothing.
func (rep *Report) decideMessagesByClauses(ctx context.Context, w *messageWaits, claim Claim, evidence cert.Claim, c *cert.Certificate) error {
	wormhole := rep.Switching == model.Wormhole
	if rep.noSearch {
		claim.Verdict, claim.Reason = Undecided, "waits form a cycle, and only a solver could decide whether messages close it"
		return rep.finishProtocol(claim, evidence, c)
	}
	found, steps, why := w.decideByClauses(ctx, rep.commits, wormhole)
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case found != nil:
		rep.MessageDeadlock = found
		claim.Verdict, claim.Theorem, evidence.Evidence = Refuted, theoremMessageDeadlock, cert.EvidenceMessageDeadlock
		claim.Premises = append(claim.Premises, premisePlaces)
		if wormhole {
			claim.Theorem, evidence.Evidence = theoremMessageWorms, cert.EvidenceMessageWorms
			claim.Premises = append(claim.Premises, premiseWorms)
		}
		claim.Reason = found.text(rep.Protocol)
		found.write(&evidence)
	case steps == nil:
		claim.Verdict, claim.Reason = Undecided, why
	case wormhole && !rep.sizes.areAtomic():
		claim.Verdict, claim.Reason = Undecided, "no messages block each other, but this is a proof only if a VC takes a new packet when it is empty; "+
			rep.sizes.Text()
	default:
		claim.Theorem, evidence.Evidence, evidence.Steps = theoremNoMessages, cert.EvidenceNoMessages, steps
		if wormhole {
			claim.Premises = append(claim.Premises, premiseAlone, premiseEqual)
		}
	}
	return rep.finishProtocol(claim, evidence, c)
}

// finishProtocol stores the claim, and adds its evidence to the certificate.
func (r *Report) finishProtocol(claim Claim, evidence cert.Claim, c *cert.Certificate) error {
	if r.MessageFree = claim; claim.Verdict != Undecided {
		evidence.Verdict = string(claim.Verdict)
		c.Claims = append(c.Claims, evidence)
	}
	return nil
}

// protocolPremises returns the premises of a verdict about p.
func protocolPremises(p *model.Protocol) []string {
	list := []string{
		"a host consumes a message once it has room for all that this one causes, and takes this room at once",
		"hosts keep the messages of each virtual network in queues of their own, and send them in order",
		"messages of a host to itself need no room, and a lost message ends its transaction",
	}
	for c, r := range p.Rules {
		switch {
		case r.Consumed:
			list = append(list, fmt.Sprintf("hosts consume %s in any case", p.Names[c]))
		case r.Multicast:
			list = append(list, fmt.Sprintf("a message of %s is copied where its paths part, and keeps its buffer until each copy has been "+
				"given the next one", p.Names[c]))
		}
		for what, room := range map[string]model.Room{"queue": r.Queue, "table": r.Table} {
			if p.Join(c) == nil && what == "table" || len(r.After) == 0 {
				continue
			}
			if room.Reserved {
				list = append(list, fmt.Sprintf("each host has room in the %s of %s for all unfinished transactions", what, p.Names[c]))
			} else if room.Entries == 0 {
				list = append(list, fmt.Sprintf("the %s of %s has no limit", what, p.Names[c]))
			} else if !p.Fills(c, room) {
				list = append(list, fmt.Sprintf("the %s of %s has %d entries, enough for %d unfinished transactions of each host",
					what, p.Names[c], room.Entries, p.Outstanding))
			}
		}
	}
	slices.Sort(list[3:])
	return list
}

// networkOrder reports whether the virtual networks have an order such that messages wait only for
// later ones. It returns false if there are multicast classes.
func (x *protocolPlaces) networkOrder() bool {
	p := x.p
	after := make([][]bool, x.networks) // by virtual network: those that its messages wait for
	for i := range after {
		after[i] = make([]bool, x.networks)
	}
	for c, r := range p.Rules {
		if r.Multicast {
			return false
		}
		if r.Consumed || len(r.To) == 0 {
			continue
		}
		for _, e := range p.Effects(c) {
			if len(p.Rules[e].To) > 0 && p.Fills(e, p.Rules[e].Queue) {
				after[p.Network[c]][p.Network[e]] = true
			}
		}
		for _, j := range p.Joins(c) {
			if slices.Contains(p.Openers(j), c) && p.Fills(j, p.Rules[j].Table) {
				x.addTableNetworks(j, after[p.Network[c]], make([]bool, len(p.Rules)))
			}
		}
	}
	for round := range x.networks + 1 { // remove networks that wait for none
		gone := -1
		for v := range after {
			if after[v] != nil && !slices.Contains(after[v], true) {
				gone = v
				break
			}
		}
		if gone < 0 {
			return round == x.networks
		}
		after[gone] = nil
		for v := range after {
			if after[v] != nil {
				after[v][gone] = false
			}
		}
	}
	return true
}

// addTableNetworks sets the virtual networks of the messages that a transaction in the table of join j waits
// for. seen has the joins that are done.
func (x *protocolPlaces) addTableNetworks(j int, into, seen []bool) {
	if seen[j] {
		return
	}
	seen[j] = true
	if r := &x.p.Rules[j]; len(r.To) > 0 && x.p.Fills(j, r.Queue) {
		into[x.p.Network[j]] = true
	}
	for _, h := range x.p.Rules[j].From {
		for _, f := range x.outstanding(j, h) {
			if into[x.p.Network[f.class]] = true; x.p.Join(f.class) != nil {
				x.addTableNetworks(f.class, into, seen)
			}
		}
	}
}

// makeProtocol returns p in the form of verify/cert.
func makeProtocol(p *model.Protocol) *cert.Protocol {
	out := &cert.Protocol{Networks: p.Networks(), Classes: []cert.MessageClass{}}
	count := p.Multiplicity()
	for c, r := range p.Rules {
		k := cert.MessageClass{Name: p.Names[c], Network: p.Network[c], From: hostInts(r.From), To: hostInts(r.To), After: []cert.Ints{},
			ToSender: r.Dest == model.ToSender,
			Several:  count[c] > 1, Queue: p.Fills(c, r.Queue), Table: p.Fills(c, r.Table), Consumed: r.Consumed, Multicast: r.Multicast}
		for _, list := range r.After {
			after := cert.Ints{}
			for _, y := range list {
				after = append(after, int32(y))
			}
			k.After = append(k.After, after)
		}
		out.Classes = append(out.Classes, k)
	}
	return out
}

func hostInts(list []model.HostID) cert.Ints {
	out := cert.Ints{}
	for _, h := range list {
		out = append(out, int32(h))
	}
	return out
}
