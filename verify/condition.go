package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file is the door for conditions, which say when packets may move or what they wait for beside the routing. Check knows
// none of them. A package that decides one registers it. Package verify/conditions imports all of them.

// ConditionKind is a kind of condition that Check decides.
type ConditionKind struct {
	Name string // result of model.Condition.Condition
	// Claim is the claim that the rule decides. If it is not cert.ClaimDeadlockFree, the report has it beside the others.
	// A rule that decides deadlock-free does so for one switching discipline. If it is empty, the condition decides nothing: it adds packets.
	Claim string
	Rule  func(model.Condition) Rule
}

// Rule decides a condition. Check calls its methods one after the other.
type Rule interface {
	// Begin returns an error if the options or the facts of q contradict the condition. It may replace the relation of q, and change
	// the premises of o.
	Begin(q *Question, o *Options) error
	// Condition returns the condition for the relation of q.
	Condition() model.Condition
	// Bind adds the condition to the subject of the certificate. It returns an error if the condition does not fit the relation.
	Bind(ctx context.Context, q *Question, s *cert.Subject) error
	// Decide decides the claim of the rule.
	Decide(ctx context.Context, q *Question) (*Answer, error)
}

// Question is what Check asks a rule.
type Question struct {
	Relation  model.Relation
	Facts     *facts.Bound
	Switching model.Switching
	Waiting   model.Waiting
	Commits   func(model.State) bool // result of model.CommitsIn
	NoSearch  bool                   // Options.NoSearch
	// Acyclic is the verdict on the dependency graph. DeadlockFree is that on deadlock-free, for rules that decide another claim.
	Acyclic, DeadlockFree Verdict
	// Premises are those of deadlock-free that do not depend on the condition.
	Premises []string
	// Accepts reports whether the checker accepts a claim with its evidence.
	Accepts func(cert.Claim) bool
}

// Answer is what a rule says. If the verdict is undecided, it has no evidence.
type Answer struct {
	Claim    Claim
	Evidence cert.Claim
	Premises []model.Premise // these replace the premises of the same names that Check would state
	Ranks    []int32         // of a proof, by VC, or nil
	Deadlock                 // of a refutation of deadlock-free
	// OtherPairs, if not empty, is why a deadlock of the packets of all classes together is not one of the condition. It leaves
	// deadlock-free undecided.
	OtherPairs string
	Detail     any // more about a refutation, for those who know the condition
}

// Run is a run of packets from empty buffers. Each number of Moves is a packet, which takes the next step of its path.
type Run struct {
	Packets []*cdg.Packet
	Moves   []int32
}

// Contradicted returns the first of these predicates on packets and buffers that the facts contradict, with the facts, as a reason, or "".
func (q *Question) Contradicted(texts ...string) string { return contradicted(q.Facts, texts...) }

// Open returns the premises of a claim without the predicates that the facts make true.
func (q *Question) Open(premises []string) []string { return open(q.Facts, premises) }

// errFixed is the error of an open switching discipline that other options fix.
var errFixed = errors.New("cannot leave the switching discipline open: the options fix it")

var conditionKinds = map[string]ConditionKind{}

// RegisterCondition makes Check decide a kind of condition. Packages call it in their init functions.
func RegisterCondition(k ConditionKind) { conditionKinds[k.Name] = k }

// bound is a condition with its rule.
type bound struct {
	ConditionKind
	Rule
}

// bindRules finds the rules of conditions, and begins them. It fails if two conditions exclude each other, or if no package decides one.
func bindRules(q *Question, o *Options) (rules []bound, err error) {
	o.Conditions = slices.DeleteFunc(slices.Clone(o.Conditions), func(c model.Condition) bool {
		m, ok := c.(*model.Multicast)
		return ok && (m == nil || len(m.Groups) == 0)
	})
	for _, c := range o.Conditions {
		k, ok := conditionKinds[c.Condition()]
		if !ok {
			return nil, fmt.Errorf("no package decides %s: import verify/conditions", c.Condition())
		}
		if k.Claim == cert.ClaimDeadlockFree && o.Open {
			return nil, errFixed
		}
		rules = append(rules, bound{k, k.Rule(c)})
	}
	if err := checkTogether(q, o); err != nil {
		return nil, err
	}
	for i := range rules {
		if err := rules[i].Begin(q, o); err != nil {
			return nil, err
		}
		o.Conditions[i] = rules[i].Condition()
	}
	return rules, nil
}

// rulesFor returns the rules that decide deadlock-free, or those that decide other claims.
func (r *Report) rulesFor(deadlockFree bool) (list []bound) {
	for _, rule := range r.rules {
		if rule.Claim != "" && (rule.Claim == cert.ClaimDeadlockFree) == deadlockFree {
			list = append(list, rule)
		}
	}
	return list
}

// decideOtherClaims lets the rules decide the claims that they add.
func decideOtherClaims(ctx context.Context, r *Report, c *cert.Certificate) error {
	if err := r.decideConditions(ctx, false, c); err != nil {
		return err
	}
	for _, a := range r.Answers {
		if a.OtherPairs != "" && r.DeadlockFree.Verdict == Refuted {
			r.DeadlockFree.Verdict, r.DeadlockFree.Theorem, r.DeadlockFree.Reason = Undecided, "", a.OtherPairs
			r.Deadlock = Deadlock{}
			c.Claims = slices.DeleteFunc(c.Claims, func(k cert.Claim) bool { return k.Claim == cert.ClaimDeadlockFree })
		}
	}
	return nil
}

// decideConditions lets the rules decide their claims: either deadlock-free, or all others.
func (r *Report) decideConditions(ctx context.Context, deadlockFree bool, c *cert.Certificate) error {
	for _, rule := range r.rulesFor(deadlockFree) {
		q := *r.question
		q.Acyclic, q.DeadlockFree = r.Acyclic.Verdict, r.DeadlockFree.Verdict
		q.Accepts = func(claim cert.Claim) bool { return cert.Check(r.certificate(claim)) == nil }
		q.Premises = slices.Clip(r.DeadlockFree.Premises)
		a, err := rule.Decide(ctx, &q)
		if err != nil {
			return err
		}
		r.Answers = append(r.Answers, a)
		if a.Claim.Name = rule.Claim; deadlockFree {
			r.DeadlockFree, r.Ranks, r.Deadlock = a.Claim, a.Ranks, a.Deadlock
		}
		if a.Claim.Verdict != Undecided {
			a.Evidence.Claim, a.Evidence.Verdict = rule.Claim, string(a.Claim.Verdict)
			c.Claims = append(c.Claims, a.Evidence)
		}
	}
	return nil
}

// Added returns the claim with this name that a condition added to the report, or nil.
func (r *Report) Added(claim string) *Answer {
	for _, a := range r.Answers {
		if a.Claim.Name == claim && claim != cert.ClaimDeadlockFree {
			return a
		}
	}
	return nil
}
