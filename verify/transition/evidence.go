package transition

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	_ "github.com/turnproof/turnproof/verify/cert/transition" // the judge
)

// This file writes certificates, and has them checked.

// Part is a word for what changes at once.
type Part string

// The parts.
const (
	Entry       Part = "entry"
	Switch      Part = "switch"
	Destination Part = "destination"
)

// Kind says what happens to the parts of a step.
type Kind int32

// The kinds of steps.
const (
	InService Kind = iota // the parts change, and packets meet both entries
	Drained               // the parts change while no packets to them (of switches: no packets) are in the network
	Stop                  // no packets to the destinations are in the network from here on
	Resume                // destinations that were stopped get packets again, by new entries
)

// Step is parts that change together: destinations or switches, by number, ascending.
type Step struct {
	Kind  Kind
	Parts []int32
}

// Bound is a number of steps in service without which the parts cannot change. If Clique is not empty, no two of its destinations
// can change in one step.
//
// If there are Groups, it is a number of destinations, Stops, that have to stop so that all others change in service: no fewer destinations
// meet all groups.
type Bound struct {
	Steps  int
	Clique []int32
	Stops  int
	Groups []Group
}

// Group is destinations that cannot change in service in any order, even if all others that change get no packets.
type Group struct {
	Parts []int32
	Sets  [][]int32 // those of them that have changed, in all states that can be reached, as for NoOrderCertificate
}

// About is what a certificate says beside its claims.
type About struct {
	Switching model.Switching
	Inputs    []cert.Input
	Premises  []model.Premise
}

// MixtureCertificate returns the evidence for a mixture, after the checker has accepted it. An error is an internal one.
func (c *Change) MixtureCertificate(m *Mixture, about About) (*cert.Certificate, error) {
	free := cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceStates}
	if m.Cycle != nil {
		free = cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceMixedCycle, Packets: encode.Packets(m.Packets)}
	}
	loops := cert.Claim{Claim: cert.ClaimLivelockFree, Verdict: cert.Proved, Evidence: cert.EvidenceStates}
	if len(m.Loops) > 0 {
		list := cert.Ints{}
		for _, d := range m.Loops {
			list = append(list, int32(d))
		}
		loops = cert.Claim{Claim: cert.ClaimLivelockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceMixedLoops, Steps: &list}
	}
	if m.Undecided != "" {
		return c.certificate(cert.Transition{Parts: string(m.part), Drained: m.drained}, about, loops)
	}
	return c.certificate(cert.Transition{Parts: string(m.part), Drained: m.drained}, about, free, loops)
}

// StepsCertificate returns the evidence that steps are safe, after the checker has accepted it. bound may be nil. An error is an internal
// one.
func (c *Change) StepsCertificate(part Part, steps []Step, bound *Bound, about About) (*cert.Certificate, error) {
	t := cert.Transition{Parts: string(part), Steps: EncodeSteps(steps)}
	claims := []cert.Claim{{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceStates},
		{Claim: cert.ClaimLivelockFree, Verdict: cert.Proved, Evidence: cert.EvidenceStates}}
	if bound != nil {
		claims = append(claims, bound.Claim())
	}
	return c.certificate(t, about, claims...)
}

// EncodeSteps returns steps in the form of a certificate.
func EncodeSteps(steps []Step) (list cert.Ints) {
	for _, s := range steps {
		list = append(append(list, int32(s.Kind), int32(len(s.Parts))), s.Parts...)
	}
	return list
}

// Claim returns the bound as a claim of a certificate.
func (b *Bound) Claim() cert.Claim {
	if len(b.Groups) > 0 {
		return b.stops()
	}
	steps, clique := int64(b.Steps), append(cert.Ints{}, b.Clique...)
	return cert.Claim{Claim: cert.ClaimLowerBound, Verdict: cert.Proved, Evidence: cert.EvidenceFewest, Bound: &steps, Steps: &clique}
}

// stops returns the claim how many destinations have to stop at least.
func (b *Bound) stops() cert.Claim {
	list, n := cert.Ints{}, int64(b.Stops)
	for _, g := range b.Groups {
		list = append(append(list, int32(len(g.Parts))), g.Parts...)
		list = append(append(list, int32(len(g.Sets))), setsOf(g.Sets)...)
	}
	return cert.Claim{Claim: cert.ClaimLowerBound, Verdict: cert.Proved, Evidence: cert.EvidenceStops, Bound: &n, Steps: &list}
}

// setsOf returns sets of parts in the form of a certificate.
func setsOf(sets [][]int32) (list cert.Ints) {
	for _, s := range sets {
		list = append(append(list, int32(len(s))), s...)
	}
	return list
}

// NoOrderCertificate returns the evidence that no order of single parts is safe, after the checker has accepted it: the sets of changed
// parts that can be reached, each ascending. An error is an internal one.
func (c *Change) NoOrderCertificate(part Part, drained bool, sets [][]int32, about About) (*cert.Certificate, error) {
	return c.certificate(cert.Transition{Parts: string(part), Drained: drained}, about, NoOrderClaim(sets))
}

// NoOrderClaim returns the claim that no order of single parts exists, with the sets of changed parts that can be reached.
func NoOrderClaim(sets [][]int32) cert.Claim {
	list := append(cert.Ints{}, setsOf(sets)...)
	return cert.Claim{Claim: cert.ClaimOrder, Verdict: cert.Refuted, Evidence: cert.EvidenceSets, Steps: &list}
}

// certificate completes a certificate and has it checked.
func (c *Change) certificate(t cert.Transition, about About, claims ...cert.Claim) (*cert.Certificate, error) {
	s := verify.TableSubject(c.Old, about.Switching)
	other := verify.TableSubject(c.New, about.Switching)
	t.Old, t.New, s.Table = s.Table, other.Table, nil
	return Certify(s, t, about, claims...)
}

// Certify completes a certificate of a transition with the network of s, and returns it after the checker has accepted it. An error is an
// internal one.
func Certify(s cert.Subject, t cert.Transition, about About, claims ...cert.Claim) (*cert.Certificate, error) {
	if t.Steps == nil {
		t.Steps = cert.Ints{}
	}
	s.Transition, s.Inputs = &t, slices.Clone(about.Inputs)
	if s.Inputs == nil {
		s.Inputs = []cert.Input{}
	}
	for _, p := range about.Premises {
		s.Premises = append(s.Premises, cert.Premise{Name: p.Name, Value: p.Value, Source: p.Source})
	}
	made := &cert.Certificate{Schema: cert.Schema, Subject: s, Claims: claims}
	if err := cert.Check(made); err != nil {
		return nil, fmt.Errorf("internal error: the checker rejects the evidence: %w", err)
	}
	return made, nil
}
