// Package family judges what a set of class turns does on all networks of a family, such
// as all two-dimensional meshes: its turns close no cycle, or they connect all switches. A
// single network refutes either claim.
//
// Read first: family.go, ranks.go, members.go.
package family

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

func init() { cert.Register([]cert.SubjectKind{subjectKind()}, evidenceKinds()) }

// subjectKind returns the kind of subject that this package judges.
func subjectKind() cert.SubjectKind {
	return cert.SubjectKind{
		Name: "family", Title: "a family",
		Has:     func(s *cert.Subject) bool { return s.Family != nil },
		Open:    func(c *cert.Certificate) (any, error) { return newRules(c.Subject.Family) },
		Network: func(s *cert.Subject) string { return "all networks of the family " + name(s.Family) },
		Summary: func(s *cert.Subject) string {
			return fmt.Sprintf("any turns of the classes %s", someTurns(s.Family.Allowed))
		},
	}
}

var subject = []string{subjectKind().Name}

// evidenceKinds returns the kinds of evidence that this package judges.
func evidenceKinds() []cert.Kind {
	return []cert.Kind{
		{Subjects: subject, Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceFamilyRanks,
			Fields: []string{"ranks", "multipliers"}, Judge: cert.JudgeBy((*rules).rising)},
		{Subjects: subject, Claim: cert.ClaimAcyclic, Verdict: cert.Refuted, Evidence: cert.EvidenceFamilyCycle,
			Fields: []string{"member"}, Judge: cert.JudgeBy((*rules).hasCycle)},
		{Subjects: subject, Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceFamilyMembers, Judge: cert.JudgeBy((*rules).connects)},
		{Subjects: subject, Claim: cert.ClaimConnected, Verdict: cert.Refuted, Evidence: cert.EvidenceFamilyUnreached,
			Fields: []string{"member"}, Judge: cert.JudgeBy((*rules).notConnected)},
	}
}

// name returns the name of a family as the command enumerate takes it.
func name(f *cert.Family) string {
	switch f.Kind {
	case "mesh", "torus":
		name := fmt.Sprintf("%s:%d", f.Kind, f.Dims)
		if f.VCs == 2 {
			name += ",vcs=2,rule=" + f.Rule
		}
		return name
	case "hv":
		return "hv, tree " + f.Tree
	}
	return fmt.Sprintf("%.20s", f.Kind)
}

// someTurns names the first of the turns. If it leaves some out, it adds how many there are.
func someTurns(allowed []string) string {
	text := strings.Join(allowed, " ")
	if len(text) <= 400 {
		return text
	}
	some := text[:strings.LastIndexByte(text[:401], ' ')+1]
	return fmt.Sprintf("%s... (%d in all)", some, len(allowed))
}
