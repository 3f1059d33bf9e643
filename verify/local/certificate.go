package local

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"

	_ "github.com/turnproof/turnproof/verify/cert/everysize" // the judge
)

// This file writes a proof as a certificate, and passes it to the checker.

// prover finds the proofs of obligations.
type prover struct {
	*searcher
	numbers cert.Ints
	open    string // why an obligation has no proof, with its name
}

// Refute implements everysize.NetSolver.
func (p *prover) Refute(kind, name string, q *everysize.Question) error {
	p.tell(fmt.Sprintf("obligations: %s, %s", kind, name))
	var last error
	levels := q.Levels()
	if p.readsTables() {
		levels = slices.Concat(p.levels(q), levels)
	}
	for _, level := range levels {
		point, facts, err := p.decide(q, level)
		var proof []int32
		if err == nil && point == nil {
			facts, proof, err = p.searcher.prove(q, facts)
		}
		var open *errOpen
		switch {
		case errors.As(err, &open) || errors.Is(err, errLimit):
			last = err
			continue
		case err != nil:
			return err
		case point != nil:
			last = errors.New("it may be possible")
			continue
		}
		p.numbers = append(p.numbers, int32(level), int32(len(facts)))
		for _, f := range facts {
			p.numbers = append(p.numbers, int32(f))
		}
		p.numbers = append(p.numbers, proof...)
		return nil
	}
	p.open = openObligation(kind, name, q.Place())
	return last
}

// left returns which obligation has no proof, or why the obligations cannot be listed.
func (p *prover) left(err error) string {
	if p.open == "" {
		return err.Error()
	}
	return p.open
}

// certificate returns a certificate that the checker has accepted, or which obligation has no proof.
// If paths is set, it claims nothing of deadlocks.
func (r *Report) certificate(s *searcher, p *program.Program, e *cert.EveryNetwork, o Options, paths bool) (c *cert.Certificate, left string, err error) {
	switching := model.Wormhole
	if len(e.Escape) > 0 || e.Some {
		switching = model.CutThrough
	}
	if o.Switching != "" {
		switching = o.Switching
	}
	inputs := o.Inputs
	if inputs == nil {
		inputs = []cert.Input{}
	}
	c = &cert.Certificate{Schema: cert.Schema, Subject: cert.Subject{
		Switching: string(switching),
		Network:   cert.Network{Switches: []string{}, Links: cert.Ints{}, Endpoints: []string{}, Attach: cert.Ints{}},
		Program:   &cert.Program{Name: p.Name, Text: p.Text},
		Inputs:    inputs,
	}}
	if !paths {
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceEveryNetwork})
	}
	if e.Connected {
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceEveryNetwork})
	}
	if paths || e.Connected || len(e.Escape) == 0 && !e.Some {
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimLivelockFree, Verdict: cert.Proved, Evidence: cert.EvidenceEveryNetwork})
	}
	if c.Claims[0].Networks = e; paths {
		c.Claims[0].Evidence = cert.EvidenceEveryNetworkPaths
	}
	own := &prover{searcher: s}
	if err := s.net.Prove(e, switching == model.Wormhole, paths, own); err != nil {
		return nil, own.left(err), s.ctx.Err()
	}
	finder := &prover{searcher: s}
	count, err := everysize.ProveNetwork(c, finder)
	if err != nil {
		return nil, finder.left(err), s.ctx.Err()
	}
	if e.Proofs = finder.numbers; e.Proofs == nil {
		e.Proofs = cert.Ints{}
	}
	s.count = count
	if err := cert.Check(c); err != nil {
		return nil, "", fmt.Errorf("internal error: the checker rejects the certificate of %s: %w", p.Name, err)
	}
	return c, "", nil
}
