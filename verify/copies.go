package verify

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/reach"
)

// This file leaves multicast under wormhole switching undecided where the dependency graph has no cycle. It also says which VCs must be free
// when a multicast packet moves, so that its other copies are delivered at once.
//
// A packet of a deadlock follows one copy of its group. At each switch the packet keeps its VC until every copy has its next VC. So with each
// move of the packet, the other copies made at this switch go on, one after the other, until hosts consume them. They pass VCs
// that no packet may hold. This is one of the runs that the group permits; others are not searched.
// Cost: the VCs of the copies of a group, for each hop of the packet.

// clearFor notes the VCs that the other copies of packet i of the configuration pass. first is the state of m of its
// first VC after injection.
func (r *Report) clearFor(m *reach.Model, i int, first int) {
	p := r.Configuration[i]
	c := copies{r.Relation, &r.Multicast().Groups[p.Group-1], map[model.VCID]bool{}}
	for k := range p.Path[1:] {
		at, next := p.Path[k].VC, p.Path[k+1].VC
		c.passed = map[model.VCID]bool{}
		if !c.deliver(at, next) || c.passed[at] {
			c.passed = map[model.VCID]bool{next: true} // the packet holds next, so it never comes there
		}
		for v := range c.passed {
			m.Clear[first+k] = append(m.Clear[first+k], int32(v))
		}
		slices.Sort(m.Clear[first+k])
	}
}

// copies finds the VCs that copies of a group pass.
type copies struct {
	rel    model.Relation
	group  *model.MulticastGroup
	passed map[model.VCID]bool // VCs between switches: true if a copy has been delivered, false while it is on the way
}

// deliver adds the VCs that the copies of a packet on VC at pass, except the copy to VC other. It reports false if a copy comes back to a VC that
// it is still on.
func (c *copies) deliver(at, other model.VCID) bool {
	n := c.rel.Network()
	in, _ := n.Channel(at)
	for _, v := range c.group.Copies(c.rel, in, nil) {
		delivered, known := c.passed[v]
		switch {
		case v == other || !n.IsLinkVC(v) || delivered:
			continue
		case known:
			return false
		}
		c.passed[v] = false
		if !c.deliver(v, model.NoVC) {
			return false
		}
		c.passed[v] = true
	}
	return true
}

// ReasonCopies is why multicast under wormhole switching is undecided.
const ReasonCopies = "a multicast packet that is longer than a buffer holds branches while it waits for others, and no order of what it holds is known; " +
	"--packet and --buffer may state that it fits"

// groupRule adds the packets of multicast groups to the dependency graph, so that it decides no claim of its own.
type groupRule struct{ m *model.Multicast }

func init() {
	RegisterCondition(ConditionKind{Name: model.ConditionMulticast, With: []string{model.ConditionClasses, model.ConditionProtocol},
		Rule: func(c model.Condition) Rule { return groupRule{c.(*model.Multicast)} }})
}

func (g groupRule) Begin(*Question, *Options) error { return nil }

func (g groupRule) Condition() model.Condition { return g.m }

func (g groupRule) Bind(_ context.Context, q *Question, s *cert.Subject) error {
	s.Multicast = makeMulticast(g.m, q.Relation, s.Table != nil)
	return nil
}

func (g groupRule) Decide(context.Context, *Question) (*Answer, error) { panic("no claim") }

// holdsBranches reports whether copies of a multicast packet can hold branches while the packet waits for others: under wormhole switching,
// unless the facts say that each packet fits into each buffer.
func (r *Report) holdsBranches() bool {
	return r.Switching == model.Wormhole && r.facts.WholeCopies() != facts.True
}

// leaveCopiesOpen leaves deadlock-free under wormhole switching undecided. If the discipline is open, the acyclic graph of the claims of c proves
// the others.
func (r *Report) leaveCopiesOpen(c *cert.Certificate) error {
	claim := &r.DeadlockFree
	if r.open {
		whole := Claim{Name: claim.Name, Verdict: Proved, Theorem: TheoremAcyclic,
			Premises: append(switchingPremises(model.CutThrough, r.Waiting), premiseCopies)}
		r.Disciplines = []Discipline{{model.Switchings()[:2], whole}}
		if err := checkAlone(r, model.CutThrough, c.Claims, cert.Claim{Evidence: cert.EvidenceAcyclic}); err != nil {
			return err
		}
	}
	claim.Verdict, claim.Theorem, claim.Reason = Undecided, "", ReasonCopies
	return nil
}
