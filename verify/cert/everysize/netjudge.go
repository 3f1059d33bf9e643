package everysize

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the claims of a certificate about a program for any network.

// judgeNet judges the claim that has the evidence of all claims: deadlock-free, or the first one if that is not claimed.
func (o *opened) judgeNet(claim *cert.Claim) error {
	paths := claim.Evidence == cert.EvidenceEveryNetworkPaths
	if claim.Claim == cert.ClaimConnected && !claim.Networks.Connected {
		return cert.Reject(claim.Claim, "evidence that does not cover the claim")
	}
	if o.others != nil {
		return cert.Reject(claim.Claim, "another claim has evidence already")
	}
	s := &stream{numbers: claim.Networks.Proofs}
	if _, err := o.proveNet(claim, &netReader{s}); err != nil {
		return cert.Reject(claim.Claim, "%v", err)
	}
	if len(s.numbers) > 0 {
		return cert.Reject(claim.Claim, "%d numbers after the proofs", len(s.numbers))
	}
	o.others = map[string]bool{
		cert.ClaimConnected:    claim.Networks.Connected,
		cert.ClaimLivelockFree: paths || claim.Networks.Connected || len(claim.Networks.Escape) == 0 && !claim.Networks.Some,
	}
	return nil
}

// judgeOtherNet judges a claim that the evidence of deadlock-free proves as well.
func (o *opened) judgeOtherNet(claim *cert.Claim) error {
	if !o.others[claim.Claim] {
		return cert.Reject(claim.Claim, "the claim that has the evidence is missing, or its evidence does not prove this claim")
	}
	return nil
}

// proveNet passes the obligations of the evidence of a claim to a solver.
func (o *opened) proveNet(claim *cert.Claim, solver NetSolver) (t *netTheorem, err error) {
	defer catch(&err)
	e, paths := claim.Networks, claim.Evidence == cert.EvidenceEveryNetworkPaths
	if o.kind != "network" {
		return nil, fmt.Errorf("evidence for any network; the program is for %s", o.networks())
	}
	if o.flow != nil || o.faults != "" {
		return nil, fmt.Errorf("flow control of rings or faults, which no theorem about every network covers")
	}
	if t, err = newNetTheorem(o.program); err != nil {
		return nil, err
	}
	if paths && o.claims[cert.ClaimDeadlockFree] {
		return nil, fmt.Errorf("evidence about paths beside the claim deadlock-free")
	}
	if err := t.readNet(e, paths); err != nil {
		return nil, err
	}
	t.solver, t.worms = solver, o.switching == "wormhole"
	if t.anyRise && t.worms {
		return nil, fmt.Errorf("some channel of greater rank, under wormhole switching")
	}
	return t, t.prove(e.Connected)
}

// netReader answers obligations by the proofs of a certificate.
type netReader struct{ *stream }

// Refute implements NetSolver. The numbers are the level of facts, how many of them a proof uses, these facts, and the
// proof.
func (r *netReader) Refute(_, _ string, q *Question) (err error) {
	defer func() {
		if x := recover(); x != nil {
			bad, ok := x.(badProof)
			if !ok {
				panic(x)
			}
			err = bad.error
		}
	}()
	level := r.next()
	if !slices.Contains(q.levels, int(level)) {
		return fmt.Errorf("no facts of level %d", level)
	}
	q.Level(int(level))
	var chosen []int
	for range r.next() {
		i := r.next()
		if i < 0 || i >= int64(len(q.facts)) {
			return fmt.Errorf("no fact %d", i)
		}
		chosen = append(chosen, int(i))
	}
	o := q.With(chosen)
	return r.refute(o.Formula, o.Variables)
}
