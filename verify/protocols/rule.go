package protocols

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"

	_ "github.com/turnproof/turnproof/verify/cert/messages" // the judges of the evidence
)

// This file decides whether the messages of a protocol can block each other, exactly for virtual
// cut-through and store-and-forward. Under wormhole switching it proves by an order of all waits, by
// the order of virtual networks or, with multicast classes, by an order of copies. It refutes by messages that fit into one buffer.

func init() {
	verify.RegisterCondition(verify.ConditionKind{Name: model.ConditionProtocol, Claim: cert.ClaimMessages,
		Rule: func(c model.Condition) verify.Rule { return &rule{protocol: c.(*model.Protocol)} }})
	verify.RegisterCondition(verify.ConditionKind{Name: model.ConditionClasses, Claim: cert.ClaimMessages,
		Rule: func(c model.Condition) verify.Rule { return &rule{protocol: c.(*model.Protocol)} }})
}

// The theorems about protocols, and the premise of a deadlock of their messages.
const (
	theoremNetworkOrder = "messages wait only for messages of later virtual networks, so those of the last one are consumed, " +
		"then those of each earlier one (Song and Pinkston 2003, for a graph of classes)"
	theoremMessageElimination = "every message and every transaction in a table waits for places of greater rank: for all that it needs, " +
		"or in one of its alternatives; so the one at the place of greatest rank moves"
	theoremMessageOrder = "every message and every transaction in a table waits only for places of greater rank, so the one at the " +
		"place of greatest rank moves"
	theoremCopyOrder = "every holder of a place leads to holders of greater rank only, where a multicast message holds each branch " +
		"that it has been given, and waits for all others"
	theoremMessageDeadlock = "a set of places, each with a message at its front all of whose alternatives need room at a place of the set, " +
		"or with transactions that wait for a message at such a place"
	theoremMessageWorms = "messages of any lengths, each of which holds the last places of its path and waits only for places of the set, " +
		"with transactions that wait for such a message"
	theoremNoMessages = "a refutation by clauses: no messages and transactions can be at places where each waits only for places of the others"

	premisePlaces = "buffers, queues and tables may be as small, and messages as many, as the deadlock needs; any host of a role may " +
		"take part in a transaction with any other"
)

// Outcome is the detail of an answer about classes of messages. It is empty unless messages block each other.
type Outcome struct {
	// Packets are two packets between two hosts, one in each direction, if two classes of a list share a virtual network.
	Packets []*cdg.Packet
	// Deadlock is a deadlock of the messages of a protocol.
	Deadlock *Deadlock
}

// OutcomeOf returns the outcome of the classes of messages of a report. It is empty if they are not refuted.
func OutcomeOf(rep *verify.Report) Outcome {
	if a := rep.Added(cert.ClaimMessages); a != nil {
		o, _ := a.Detail.(Outcome)
		return o
	}
	return Outcome{}
}

// rule decides a protocol, or a list of classes of messages.
type rule struct {
	protocol *model.Protocol
	gates    *gate.Setup  // or nil
	flow     *bubble.Flow // or nil
	groups   *model.Multicast
	q        *verify.Question
	claim    verify.Claim
	evidence cert.Claim
	outcome  Outcome
}

func (x *rule) Condition() model.Condition { return x.protocol }

func (x *rule) Bind(context.Context, *verify.Question, *cert.Subject) error { return nil }

func (x *rule) Decide(ctx context.Context, q *verify.Question) (*verify.Answer, error) {
	x.q, x.evidence = q, cert.Claim{Claim: cert.ClaimMessages}
	decide := x.decideProtocol
	if x.protocol.IsList() {
		decide = x.decideClasses
	}
	if err := decide(ctx); err != nil {
		return nil, err
	}
	answer := &verify.Answer{Claim: x.claim, Evidence: x.evidence, Premises: []model.Premise{x.premise()}, Detail: x.outcome}
	if !x.protocol.IsList() && !x.protocol.SamePairs() {
		answer.OtherPairs = reasonOtherPairs
	}
	return answer, nil
}

// premise returns the premise about messages.
func (x *rule) premise() model.Premise {
	p := model.Premise{Name: model.PremiseMessages, Value: "classes " + strings.Join(x.protocol.Names, ", "), Source: "--classes"}
	if !x.protocol.IsList() {
		p.Source = cmp.Or(x.protocol.Source, p.Source)
		p.Value = strings.Join(append([]string{p.Value}, x.q.Open(x.claim.Premises)...), "; ")
	}
	return p
}

// reasonOtherPairs is why a deadlock of the packets of all classes is none of packets in virtual networks, which never meet.
const reasonOtherPairs = "packets of all classes together could block each other, but classes have virtual networks of their own and go between other pairs: " +
	"message-deadlock-free decides them"

// The reasons why nothing is decided of messages at gates.
const (
	reasonRest  = "a gate by flit can hold back the rest of a message for which a host has taken its room, and another message waits for this room"
	reasonGates = "gates hold messages back, so only an order of virtual networks is a proof, each of which is deadlock-free: there is none"
)

// decideProtocol decides the claim about the messages of a protocol.
func (x *rule) decideProtocol(ctx context.Context) error {
	places := NewPlaces(x.q.Relation, x.protocol)
	x.claim = verify.Claim{Verdict: verify.Proved, Premises: Premises(x.protocol)}
	if x.groups != nil {
		x.claim.Premises = append(x.claim.Premises, premiseGroups)
	}
	if x.isManaged() {
		x.claim.Premises = append(x.claim.Premises, premiseManaged)
	}
	x.evidence.Protocol = Encode(x.protocol)
	if x.q.DeadlockFree == verify.Proved && places.HasNetworkOrder() && !x.keepsRoom() {
		x.claim.Theorem, x.evidence.Evidence = theoremNetworkOrder, cert.EvidenceNetworkOrder
		return nil
	}
	if x.gates != nil {
		if x.claim.Verdict, x.claim.Reason = verify.Undecided, reasonGates; x.keepsRoom() {
			x.claim.Reason = reasonRest
		}
		return nil
	}
	w, err := Collect(places, x.q.Commits)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case x.flow != nil && x.isManaged():
		x.claim.Verdict, x.claim.Reason = verify.Undecided, reasonManaged
		return nil
	case x.flow != nil:
		return x.decideInRings(ctx, w)
	case x.groups != nil || x.isManaged():
		x.decideBeside(w)
		return nil
	}
	wormhole := x.q.Switching == model.Wormhole
	proof := w.Prove(wormhole)
	if proof.IsComplete() && x.holdsBranches() && places.HasMulticast() {
		x.decideLongCopies(w)
		return nil
	}
	if proof.IsComplete() {
		x.proveBy(proof, wormhole)
		return nil
	}
	if wormhole {
		proof = w.Prove(false)
	}
	if !proof.IsComplete() {
		x.outcome.Deadlock = w.FindDeadlock(proof)
	}
	if x.outcome.Deadlock == nil {
		return x.decideByClauses(ctx, w)
	}
	x.refuteByPlaces(x.outcome.Deadlock, wormhole)
	return nil
}

// proveBy proves the claim by ranks.
func (x *rule) proveBy(proof *Proof, wormhole bool) {
	x.claim.Theorem, x.evidence.Evidence = theoremMessageElimination, cert.EvidenceMessageElimination
	if wormhole {
		x.claim.Theorem, x.evidence.Evidence = theoremMessageOrder, cert.EvidenceMessageNumbering
	}
	x.evidence.Ranks, x.evidence.Tables = &proof.Ranks, &proof.Tables
}

// refuteByPlaces refutes the claim by a deadlock of messages that hold one place each.
func (x *rule) refuteByPlaces(d *Deadlock, wormhole bool) {
	if x.refute(d, theoremMessageDeadlock, cert.EvidenceMessageDeadlock); wormhole {
		x.claim.Premises = append(x.claim.Premises, verify.PremiseShort)
	}
}

// refute refutes the claim by a deadlock.
func (x *rule) refute(d *Deadlock, theorem, evidence string) {
	x.outcome.Deadlock = d
	x.claim.Verdict, x.claim.Theorem, x.claim.Reason, x.evidence.Evidence = verify.Refuted, theorem, d.Text(x.protocol), evidence
	x.claim.Premises = append(x.claim.Premises, premisePlaces)
	d.Write(&x.evidence)
}

// keepsRoom reports whether a gate by flit can hold back the rest of a message that has taken the room of its host, while another one that
// needs this room has arrived: on another VC of its virtual network, or in another one that causes the same class.
func (x *rule) keepsRoom() bool {
	if x.gates == nil || x.gates.Rule.Unit != gate.Flit {
		return false
	}
	return x.q.Relation.Network().VCs() > 1 || slices.ContainsFunc(x.protocol.Rules, func(r model.ClassRule) bool {
		causes := slices.Concat(r.After...)
		return slices.ContainsFunc(causes, func(c int) bool { return x.protocol.Network[c] != x.protocol.Network[causes[0]] })
	})
}

// decideLongCopies decides a protocol with multicast classes under wormhole switching whose waits have an order. A message
// holds branches while it waits for others, so it needs an order of copies.
func (x *rule) decideLongCopies(w *Waits) {
	ranks := cert.Ints(w.OrderCopies())
	if ranks == nil {
		x.claim.Verdict, x.claim.Reason = verify.Undecided, verify.ReasonCopies
		return
	}
	x.claim.Theorem, x.evidence.Evidence = theoremCopyOrder, cert.EvidenceMessageNumbering
	x.evidence.Ranks, x.evidence.Tables = &ranks, &cert.Ints{}
}

// decideByClauses decides a protocol where short messages and an order of all waits decide nothing.
func (x *rule) decideByClauses(ctx context.Context, w *Waits) error {
	wormhole := x.q.Switching == model.Wormhole
	if x.q.NoSearch {
		x.claim.Verdict, x.claim.Reason = verify.Undecided, "waits form a cycle, and only a solver could decide whether messages close it"
		return nil
	}
	found, steps, why := w.DecideByClauses(ctx, x.q.Commits, wormhole)
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case found != nil:
		if x.refute(found, theoremMessageDeadlock, cert.EvidenceMessageDeadlock); wormhole {
			x.claim.Theorem, x.evidence.Evidence = theoremMessageWorms, cert.EvidenceMessageWorms
			x.claim.Premises = append(x.claim.Premises, verify.PremiseWorms)
		}
		if wormhole && !x.canHoldAll(&x.evidence) {
			x.claim.Verdict, x.claim.Theorem, x.outcome.Deadlock = verify.Undecided, "", nil
			x.claim.Reason = "messages block each other, but only if packets are longer; " + x.q.Facts.Text()
		}
	case steps == nil:
		x.claim.Verdict, x.claim.Reason = verify.Undecided, why
	case wormhole && w.HasMulticast():
		x.claim.Verdict, x.claim.Reason = verify.Undecided, verify.ReasonCopies
	case wormhole && x.q.Contradicted(verify.PremiseAlone, verify.PremiseEqual) != "":
		x.claim.Verdict, x.claim.Reason = verify.Undecided, "no messages block each other, but "+x.q.Contradicted(verify.PremiseAlone, verify.PremiseEqual)
	default:
		x.claim.Theorem, x.evidence.Evidence, x.evidence.Steps = theoremNoMessages, cert.EvidenceNoMessages, steps
		if wormhole {
			x.claim.Premises = append(x.claim.Premises, verify.PremiseAlone, verify.PremiseEqual)
		}
	}
	return nil
}

// canHoldAll reports whether the facts permit that each message holds the VCs that it holds by the evidence.
func (x *rule) canHoldAll(evidence *cert.Claim) bool {
	n := x.q.Relation.Network()
	for i, p := range evidence.Packets {
		var channels []model.ChannelID
		for j := len(p.Path) - 2*int((*evidence.Holds)[i]); j < len(p.Path); j += 2 {
			if c, _ := n.Channel(model.VCID(p.Path[j])); n.Kind(c) == model.SwitchToSwitch {
				channels = append(channels, c)
			}
		}
		if len(channels) > 1 && (!x.q.Facts.CanHold(channels) || x.q.Facts.ShapesHold() == facts.False) {
			return false
		}
	}
	return true
}

// holdsBranches reports whether copies of a multicast message can hold branches while the message waits for others: under wormhole switching,
// unless the facts say that each packet fits into each buffer.
func (x *rule) holdsBranches() bool {
	return x.q.Switching == model.Wormhole && x.q.Facts.WholeCopies() != facts.True
}
