package verify

import (
	"context"
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
	// With names the other conditions whose proofs hold together with those of this one. Check refuses all other pairs.
	With []string
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

var conditionKinds = map[string]ConditionKind{}

// RegisterCondition makes Check decide a kind of condition. Packages call it in their init functions. It panics if the kind is registered.
func RegisterCondition(k ConditionKind) {
	if _, ok := conditionKinds[k.Name]; ok {
		panic("verify: two packages decide " + k.Name)
	}
	conditionKinds[k.Name] = k
}

// bound is a condition with its rule.
type bound struct {
	ConditionKind
	Rule
}

// hasCopies reports whether packets are copied on their paths.
func hasCopies(conditions []model.Condition) bool {
	return slices.ContainsFunc(conditions, func(c model.Condition) bool {
		k, ok := c.(interface{ Copies() bool })
		return ok && k.Copies()
	})
}
