package verify

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

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
