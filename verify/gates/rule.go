package gates

import (
	"cmp"
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"

	_ "github.com/turnproof/turnproof/verify/cert/gates" // the judges of the evidence
)

func init() {
	verify.RegisterCondition(verify.ConditionKind{Name: model.ConditionGates, Claim: cert.ClaimDeadlockFree,
		With: []string{model.ConditionClasses, model.ConditionProtocol},
		Rule: func(c model.Condition) verify.Rule { return &rule{c.(*gate.Setup)} }})
}

// The theorems.
const (
	theoremOrder = "in rounds, every VC is shown not to stay taken for ever, and every buffer not to stay nearly " +
		"full for ever (Duato 1996, extended by waiting for buffers ahead)"
	theoremConfiguration = "no flit of these packets can move: each head waits for VCs that other packets keep, or at a " +
		"gate that other packets keep closed; the packets can arrive there one after the other"
	theoremRun = "no flit of these packets can move: each head waits for VCs that other packets keep, or at a gate " +
		"that other packets keep closed; a run from the empty network reaches this state"
	theoremStates = "no run from the empty network reaches packets that keep each other from moving: all states of the " +
		"network have been visited"
)

// rule decides gates.
type rule struct{ setup *gate.Setup }

func (g *rule) Condition() model.Condition { return g.setup }

func (g *rule) Begin(q *verify.Question, _ *verify.Options) error {
	switch {
	case q.Switching == model.Wormhole:
		return fmt.Errorf("cannot decide %s: want %s or %s switching, got %s", model.ConditionGates, model.CutThrough, model.StoreAndForward, q.Switching)
	case q.Switching == model.StoreAndForward && g.setup.Rule.Unit == gate.Flit:
		return fmt.Errorf("cannot decide %s by flit with %s switching: want unit=packet, because a head would wait for flits that a gate stops",
			model.ConditionGates, q.Switching)
	}
	return q.Facts.CheckFixed(q.Relation.Network(), model.ConditionGates, g.setup.Packet, g.setup.Buffer)
}

func (g *rule) Bind(_ context.Context, q *verify.Question, s *cert.Subject) (err error) {
	if q.Waiting != model.WaitAny {
		return fmt.Errorf("cannot decide %s with waiting %s: want waiting any", model.ConditionGates, q.Waiting)
	}
	if s.Gates, err = makeGates(q.Relation, g.setup); err == nil {
		s.Gates.Atomic = g.isAtomic(q)
	}
	return err
}

// isAtomic reports whether a VC takes a packet only when it is empty, although the buffer may have room for one before.
func (g *rule) isAtomic(q *verify.Question) bool {
	return q.Facts.Reuse == facts.WhenEmpty && g.setup.Buffer > g.setup.Packet
}

func (g *rule) Decide(ctx context.Context, q *verify.Question) (*verify.Answer, error) {
	setup := *g.setup
	setup.Late, setup.Stores, setup.Atomic = q.Facts.InstantControl() == facts.False, q.Switching == model.StoreAndForward, g.isAtomic(q)
	d, err := Decide(ctx, q.Relation, &setup, q.Accepts)
	if err != nil {
		return nil, err
	}
	answer := &verify.Answer{Evidence: d.Claim, Premises: []model.Premise{g.sizes(q)}}
	claim := verify.Claim{Verdict: verify.Proved, Premises: append(q.Premises,
		fmt.Sprintf("all packets have %d flits, and a buffer has room for %d", setup.Packet, setup.Buffer))}
	switch d.Claim.Evidence {
	case cert.EvidenceGatedOrder:
		claim.Theorem, claim.Note = theoremOrder, "no set of packets can block itself, whichever gates the packets close"
		claim.Premises = append(claim.Premises, "control information arrives in finite time, and a gate that no blocked packet "+
			"keeps closed opens while a packet waits")
	case cert.EvidenceGatedStates:
		claim.Theorem, claim.Note = theoremStates, "no run reaches packets that block each other, if gates see at once how full the buffers ahead are"
		claim.Premises = append(claim.Premises, "a gate sees at once how full the buffers ahead are, and a flit leaves a "+
			"buffer and enters the next one at the same time")
		answer.Premises = append(answer.Premises, model.Premise{Name: model.PremiseControl, Value: "gates see the buffers ahead at once",
			Source: model.Assumed})
	case "":
		claim.Verdict = verify.Undecided
		claim.Reason = fmt.Sprintf("%d virtual channels may be blocked for ever, but no reachable configuration was found in which they are", d.Left)
		if setup.Late {
			claim.Reason = fmt.Sprintf("%d virtual channels may be blocked for ever if control information takes time", d.Left)
		}
	default:
		refute(&claim, answer, d)
	}
	answer.Claim = claim
	return answer, nil
}

// refute enters the packets of a deadlock into the answer.
func refute(claim *verify.Claim, answer *verify.Answer, d *Result) {
	claim.Verdict, claim.Theorem = verify.Refuted, theoremConfiguration
	claim.Premises = append(claim.Premises, "a packet may stay where it is while others arrive")
	claim.Reason = fmt.Sprintf("%d packets can be placed such that none of their flits can move", len(d.Packets))
	answer.Configuration, answer.Flits = d.Packets, d.Flits
	if d.Claim.Evidence != cert.EvidenceGatedRun {
		return
	}
	claim.Theorem = theoremRun
	placed := fmt.Sprintf("%d packets such that none of their flits", len(d.Packets))
	if len(d.Packets) == 1 {
		placed = "1 packet such that none of its flits"
	}
	claim.Reason = fmt.Sprintf("%d moves of flits from the empty network place %s can move", len(*d.Claim.Steps)/2, placed)
	reached := true
	answer.Reached, answer.FlitMoves = &reached, *d.Claim.Steps
}

// sizes returns the premise of the sizes that gates suppose, with the origin of the facts where one of them is a fact.
func (g *rule) sizes(q *verify.Question) model.Premise {
	marks, p := [2]string{}, model.Premise{Name: model.PremiseBuffers, Source: cmp.Or(q.Facts.Origin(), model.Assumed)}
	if known := [2]bool{q.Facts.Packet > 0, q.Facts.Same() > 0}; known != [2]bool{true, true} {
		for i, is := range known {
			if is {
				marks[i] = " (" + p.Source + ")"
			}
		}
		p.Source = model.Assumed
	}
	unit := "flits"
	if g.setup.Packet == 1 {
		unit = "flit"
	}
	p.Value = fmt.Sprintf("all packets have %d %s%s, and a buffer has room for %d%s", g.setup.Packet, unit, marks[0], g.setup.Buffer, marks[1])
	return p
}

// makeGates returns the gates in the form of verify/cert. It fails if the rule does not fit the relation.
func makeGates(r model.Relation, o *gate.Setup) (*cert.Gates, error) {
	g, err := o.Rule.On(r)
	if err != nil {
		return nil, err
	}
	n := r.Network()
	s := &cert.Gates{Packet: o.Packet, Buffer: o.Buffer, Level: o.Rule.Level, Reserved: o.Rule.Buffer == gate.Reserved,
		ByFlit: o.Rule.Unit == gate.Flit, VCs: string(o.Rule.VCs),
		Turns: o.Rule.Place != gate.Injection, Injection: o.Rule.Place != gate.Turns, Weights: g.Weights, Most: g.Most}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		d, _, _ := n.Grid().PortDirection(n.TailPort(c))
		s.Axis, s.Ahead = append(s.Axis, int32(d)), append(s.Ahead, int32(g.Ahead(c)))
	}
	if e, ok := r.(model.Escaper); ok && o.Rule.Exempt {
		for v := range model.VCID(n.NumLinkVCs()) {
			if e.EscapeVC(v) {
				s.Exempt = append(s.Exempt, int32(v))
			}
		}
	}
	return s, nil
}
