package everysize

import (
	"fmt"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file proves the cases of a theorem about all sizes.

// proveCases passes the obligations of all cases to a solver. It returns their number by kind.
func (o *opened) proveCases(e *cert.EverySize, solver Solver) (map[string]int, error) {
	list, err := o.cases(o.faults)
	if err != nil {
		return nil, err
	}
	if len(e.Cases) != len(list)-1 {
		return nil, fmt.Errorf("%d further cases; want %d", len(e.Cases), len(list)-1)
	}
	count := map[string]int{}
	for i, fails := range list {
		one := e
		if i > 0 {
			one = e.Cases[i-1].EverySize()
		}
		t, err := o.prove(one, o.in(fails), solver)
		if err != nil {
			if i > 0 {
				err = fmt.Errorf("case %d: %w", i+1, err)
			}
			return nil, err
		}
		for kind, k := range t.count {
			count[kind] += k
		}
		o.cased = append(o.cased, t)
	}
	return count, nil
}

// prove passes the obligations of one case to a solver.
func (o *opened) prove(e *cert.EverySize, f *family, solver Solver) (t *theorem, err error) {
	defer catch(&err)
	if o.kind == "network" {
		return nil, fmt.Errorf("evidence for sizes; the program is for any network")
	}
	t = &theorem{family: f, flow: o.flow, claims: o.claims, solver: solver}
	if err := t.read(e); err != nil {
		return nil, err
	}
	if t.ofPackets && (o.every || o.flow != nil || t.detour != nil) {
		return nil, fmt.Errorf("evidence about paths: for every number of dimensions, with flow control, or with a detour")
	}
	if t.ofPackets == o.claims[cert.ClaimDeadlockFree] {
		return nil, fmt.Errorf("evidence about paths is for certificates without the claim deadlock-free, and only for these")
	}
	if t.ofPackets && t.escape != noEscape && o.claims[cert.ClaimLivelockFree] {
		return nil, fmt.Errorf("livelock-free: an escape says nothing about other hops")
	}
	if o.every {
		if err := o.claimsForEvery(); err != nil {
			return nil, fmt.Errorf("every number of dimensions: %w", err)
		}
		if t.escape != noEscape && len(t.set) == 0 {
			return nil, fmt.Errorf("every number of dimensions: an escape that is no set of channels")
		}
		form, err := f.everyDimension(t.set)
		if err == nil && o.claims[cert.ClaimDeterministic] && form != InOrder {
			err = fmt.Errorf("deterministic in one dimension says nothing of several, unless the program corrects one after another")
		}
		if err != nil {
			return nil, fmt.Errorf("every number of dimensions: %w", err)
		}
	}
	if o.switching == "wormhole" && !t.ofPackets && t.escape != noEscape && t.detour == nil {
		return nil, fmt.Errorf("an escape without detours is no proof for wormhole switching")
	}
	return t, t.prove()
}

// claimsForEvery returns an error unless a proof of the claims in one dimension can hold for every number of dimensions.
func (o *opened) claimsForEvery() error {
	for _, claim := range networkClaims {
		if !o.claims[claim] {
			return fmt.Errorf("without the claim %s", claim)
		}
	}
	if o.claims[cert.ClaimFullyAdaptive] {
		return fmt.Errorf("fully-adaptive in one dimension says nothing of several")
	}
	return nil
}

// Prove passes the obligations of c to a solver, in order. It fails if the solver does, or if c is
// no certificate of a routing program. The field Proofs is not used. It returns the number of obligations by kind.
func Prove(c *cert.Certificate, solver Solver) (map[string]int, error) {
	claim := evidenced(c)
	if c.Subject.Program == nil || claim == nil {
		return nil, fmt.Errorf("not a certificate of a routing program")
	}
	o, err := open(c)
	if err != nil {
		return nil, err
	}
	return o.proveCases(claim.Sizes, solver)
}
