package parametric

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/verify"

	_ "github.com/turnproof/turnproof/verify/bubbles" // networks are checked with flow control of rings
)

// This file proves programs whose network has flow control of rings.
//
// A dependency is straight if it keeps direction and VC. Straight dependencies stay within one line, and each channel
// has at most one. So a cycle of straight dependencies is a ring, to which the flow control applies. All other
// dependencies must lead to a pair of direction and VC of greater rank. Then every cycle is a ring, every other hop onto a
// ring is an entry, and from ring to ring the dependencies have no cycle. The obligations:
//
//	rank      a dependency that is not straight increases the rank;
//	slot      where the flow control lets a packet enter a ring, a slot of the ring is free afterwards;
//	enter     the flow control lets a packet enter an empty ring;
//	distance  every hop that a packet can repeat decreases the distance, so that it does not go round a ring for ever.
//
// Together they are the rules of verify/cert/bubbles/proof.go on every network of the family. Source: C. Carrión,
// R. Beivide, J. A. Gregorio and F. Vallejo, HiPC 1997.

// flowObligations returns the obligations slot and enter. x counts packets in a buffer, or in a ring.
func (s *proof) flowObligations(add func(kind, name, text string, p *pair)) {
	f := s.flow
	packet, assumed, count := f.Packet, f.Rule.Assumed(f.Packet), s.names[0]
	if f.Rule.Kind == bubble.Local {
		room := max(packet, 2*assumed)
		free := fmt.Sprintf("(- %d (* %d %s))", f.Buffer, packet, count)
		add("slot", "of a buffer", fmt.Sprintf("(and (>= %s 0) (>= %s %d) (< (- %s %d) %d))", count, free, room, free, packet, packet), nil)
		add("enter", "an empty buffer", fmt.Sprintf("(< %d %d)", f.Buffer, room), nil)
		return
	}
	for d := range s.dims {
		if !s.wraps(d) {
			continue
		}
		length := s.names.term(s.sides[d])
		domain := s.sizesFormula() // the coordinate x is free here
		add("slot", fmt.Sprintf("of a ring of dimension %d", d), fmt.Sprintf("(and %s (>= %s 0) (< (+ %s 1) (* %d %s)) (>= (+ %s 1) (* %d %s)))", domain,
			count, count, f.Buffer/assumed, length, count, f.Buffer/packet, length), nil)
		add("enter", fmt.Sprintf("an empty ring of dimension %d", d), fmt.Sprintf("(and %s (>= 1 (* %d %s)))", domain, f.Buffer/assumed, length), nil)
	}
}

// sizesFormula returns the formula: the sizes are those of a network of the family.
func (f *family) sizesFormula() string {
	list := slices.Clone(f.where)
	for i, least := range f.least {
		list = append(list, atom{form: f.size(i).add(-least)})
	}
	return f.names.all(list)
}

// recheckFlow checks the network with these sides: the independent checker accepts that it is free of deadlock, and each
// dependency is straight or increases the rank.
func (s *proof) recheckFlow(r model.Relation, sides []int) error {
	rep, err := verify.Check(s.ctx, r, verify.Options{Switching: s.flow.Switching(), Conditions: []model.Condition{s.flow}, NoPairs: true})
	if err != nil {
		return err
	}
	if rep.Verdict() != verify.Proved {
		return fmt.Errorf("%s: %s", rep.DeadlockFree.Verdict, rep.DeadlockFree.Reason)
	}
	return s.checkDependencies(rep.Graph, sides)
}

func (s *proof) checkDependencies(g *cdg.Graph, sides []int) error {
	n := g.Network()
	for v := range model.VCID(n.NumLinkVCs()) {
		a, _ := s.channelOf(n, v, 0, nil, sides)
		for _, w := range g.Next(v) {
			b, _ := s.channelOf(n, w, 0, nil, sides)
			if !(pair{a.node(), b.node()}).isStraight() && slices.Compare(s.rankAt(n, v, sides), s.rankAt(n, w, sides)) >= 0 {
				return fmt.Errorf("the dependency from VC %d to VC %d does not increase the rank", v, w)
			}
		}
	}
	return nil
}
