package cert

import (
	"fmt"
	"reflect"
	"slices"
)

// This file holds the registry: which kinds of subject exist, which kinds of evidence
// exist for which claims, and who judges them. The package registers what it judges
// itself (corekinds.go); package kinds registers the rest.

// SubjectKind is one kind of subject.
type SubjectKind struct {
	Name  string // for Kind.Subjects: the field of Subject, or a word of its own
	Title string // in messages, with its article
	Has   func(*Subject) bool
	Open  func(*Certificate) (any, error) // validates the subject; the result goes to each Judge
	// Network returns what package summary prints about the network. If nil, package summary counts
	// the switches, links and endpoints of Subject.Network.
	Network func(*Subject) string
	Summary func(*Subject) string // what package summary prints about the routing
	// Theorem returns what the claims say in one sentence. It may be nil.
	Theorem func(*Certificate) string
}

// Kind is one kind of evidence.
type Kind struct {
	Subjects []string // the kinds of subject that it is evidence for
	Claim    string
	Verdict  string
	Evidence string
	// Fields are the JSON names of the fields of Claim that must be present, in the
	// order of Claim. Claim, verdict and evidence are always present. No other field may be.
	Fields []string
	// Chosen means that the field chosen must be present if Subject.Waiting is.
	Chosen bool
	// Multicast means that its packets may be multicast packets.
	Multicast bool
	Judge     Judge
	// Premises returns the premises that package summary prints for this evidence, beyond
	// those of the claim. It may be nil.
	Premises func(*Subject) []string
	// Needs are predicates over Subject.Facts. If one is false, the evidence is rejected.
	Needs []Need
	// Proved means that the checker in verify/proved, which is proved correct in Coq, judges this kind as well.
	Proved bool
}

// Open returns the premises of the evidence that the facts of the subject do not decide.
func (k *Kind) Open(s *Subject) (list []string) {
	if k.Premises != nil {
		list = k.Premises(s)
	}
	for _, need := range k.Needs {
		if need.valueFor(s) == Unknown {
			list = append(list, need.Text)
		}
	}
	return list
}

// A Judge rejects a claim that its evidence does not show. Opened is the result of SubjectKind.Open.
type Judge func(opened any, claim *Claim) error

// JudgeBy makes a Judge of a function for one type of opened subject.
func JudgeBy[S any](judge func(S, *Claim) error) Judge {
	return func(opened any, claim *Claim) error { return judge(opened.(S), claim) }
}

// JudgeRouting makes a Judge of a function for opened tables and relations.
func JudgeRouting(judge func(*Routing, *Claim) error) Judge {
	return func(opened any, claim *Claim) error {
		return judge(opened.(interface{ opened() *Routing }).opened(), claim)
	}
}

// claimOrder is the order of claims in a certificate.
var claimOrder = []string{ClaimAcyclic, ClaimDeadlockFree, ClaimConnected, ClaimLivelockFree, ClaimMinimal, ClaimDeterministic,
	ClaimFullyAdaptive, ClaimMessages, ClaimLowerBound, ClaimUnroutable, ClaimReached, ClaimOrder}

var (
	subjectKinds []SubjectKind
	kinds        []Kind
)

// Register adds kinds of subject and of evidence. It panics if an entry is incomplete
// or contradicts another one. Call it from init only.
func Register(subjects []SubjectKind, list []Kind) {
	subjectKinds = append(subjectKinds, subjects...)
	for _, k := range list {
		if err := checkKind(&k); err != nil {
			panic(fmt.Sprintf("cert: %s %s by %s: %v", k.Claim, k.Verdict, k.Evidence, err))
		}
		kinds = append(kinds, k)
	}
}

// Kinds returns the registered kinds of evidence.
func Kinds() []Kind { return slices.Clone(kinds) }

// checkKind returns what is wrong with a kind that is about to be registered.
func checkKind(k *Kind) error {
	switch {
	case !slices.Contains(claimOrder, k.Claim):
		return fmt.Errorf("no such claim; add it to claimOrder in kinds.go")
	case k.Verdict != Proved && k.Verdict != Refuted:
		return fmt.Errorf("no such verdict")
	case k.Judge == nil:
		return fmt.Errorf("no judge")
	}
	for _, f := range k.Fields {
		if !slices.Contains(claimFields, f) {
			return fmt.Errorf("no field %q in Claim; add it in format.go", f)
		}
	}
	for _, name := range k.Subjects {
		if !slices.Contains(allOf, name) && !slices.ContainsFunc(subjectKinds, func(s SubjectKind) bool { return s.Name == name }) {
			return fmt.Errorf("no subject %q; register it first", name)
		}
		if kindFor(name, k.Claim, k.Verdict, k.Evidence) != nil {
			return fmt.Errorf("registered twice for %s", name)
		}
	}
	if other := anyKind(k.Claim, k.Verdict, k.Evidence); other != nil &&
		(!slices.Equal(other.Fields, k.Fields) || other.Chosen != k.Chosen || other.Multicast != k.Multicast) {
		return fmt.Errorf("has other fields than for %v", other.Subjects)
	}
	return nil
}

// SubjectKindOf returns the kind of a subject, or nil if no judge of it is registered.
func SubjectKindOf(s *Subject) *SubjectKind {
	for i := range subjectKinds {
		if subjectKinds[i].Has(s) {
			return &subjectKinds[i]
		}
	}
	return nil
}

// kindFor returns the kind of evidence for a kind of subject, or nil.
func kindFor(subject, claim, verdict, evidence string) *Kind {
	for i := range kinds {
		if k := &kinds[i]; k.is(claim, verdict, evidence) && slices.Contains(k.Subjects, subject) {
			return k
		}
	}
	return nil
}

// anyKind returns a kind of evidence, for whichever subject, or nil.
func anyKind(claim, verdict, evidence string) *Kind {
	for i := range kinds {
		if kinds[i].is(claim, verdict, evidence) {
			return &kinds[i]
		}
	}
	return nil
}

func (k *Kind) is(claim, verdict, evidence string) bool {
	return k.Claim == claim && k.Verdict == verdict && k.Evidence == evidence
}

// claimFields are the JSON names of the fields of Claim after claim, verdict and evidence, in order.
var claimFields = func() (names []string) {
	for _, f := range fieldsOf(reflect.TypeFor[Claim]())[3:] {
		names = append(names, f.name)
	}
	return names
}()

// presentFields returns the JSON names of the fields of c that are present, in order.
func presentFields(c *Claim) (names []string) {
	v := reflect.ValueOf(c).Elem()
	for i, name := range claimFields {
		if !isEmpty(v.Field(3 + i)) {
			names = append(names, name)
		}
	}
	return names
}

// checkFields rejects a claim unless exactly the fields of its kind are present.
func (k *Kind) checkFields(c *Claim, waiting bool) error {
	want := k.Fields
	if waiting && k.Chosen {
		want = append(slices.Clone(want), "chosen")
	}
	have := presentFields(c)
	for _, name := range claimFields {
		switch in, needed := slices.Contains(have, name), slices.Contains(want, name); {
		case needed && !in:
			return Reject(c.Claim, "evidence %s needs %s, which are missing or empty", c.Evidence, name)
		case in && !needed:
			return Reject(c.Claim, "evidence %s has no %s", c.Evidence, name)
		}
	}
	return nil
}

// checkNeeds rejects evidence whose predicates the facts contradict.
func checkNeeds(s *Subject, claim *Claim, kind *Kind) error {
	for _, need := range kind.Needs {
		if need.valueFor(s) == False {
			return Reject(claim.Claim, "evidence %s needs that %s, which the facts of the subject exclude", claim.Evidence, need.Text)
		}
	}
	return nil
}
