package streams

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/streams"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	_ "github.com/turnproof/turnproof/verify/cert/streams" // the judge
)

// This file writes certificates, and has them checked.

// Certificate returns the evidence for a result that is proved or refuted, after the checker has accepted it. An error is an
// internal one.
func Certificate(p *streams.Problem, r *Result, inputs []cert.Input, premises []model.Premise) (*cert.Certificate, error) {
	c := &cert.Certificate{Schema: cert.Schema, Subject: cert.Subject{Switching: "wormhole", Streams: subject(p), Inputs: append([]cert.Input{}, inputs...)}}
	c.Subject.Network = cert.Network{Switches: []string{}, Links: cert.Ints{}, Endpoints: []string{}, Attach: cert.Ints{}}
	for _, x := range premises {
		c.Subject.Premises = append(c.Subject.Premises, cert.Premise{Name: x.Name, Value: x.Value, Source: x.Source})
	}
	claim := cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceSchedules}
	switch r.Verdict {
	case verify.Proved:
	case verify.Refuted:
		steps := make(cert.Ints, 0, 2*len(r.Schedule))
		for _, x := range r.Schedule {
			steps = append(steps, int32(x.Object), int32(x.Place))
		}
		claim.Verdict, claim.Evidence, claim.Steps = cert.Refuted, cert.EvidenceSchedule, &steps
	default:
		return nil, errors.New("an undecided result has no certificate")
	}
	c.Claims = []cert.Claim{claim}
	if err := cert.Check(c); err != nil {
		return nil, fmt.Errorf("internal error: the checker rejects the evidence: %w", err)
	}
	return c, nil
}

// ErrLate means that the checker has not ended in time.
var ErrLate = errors.New("the checker has not ended in time")

// CertificateWithin returns the same as Certificate, or ErrLate if ctx ends before. The checker then goes on in the background until its own
// limits.
func CertificateWithin(ctx context.Context, p *streams.Problem, r *Result, inputs []cert.Input, premises []model.Premise) (*cert.Certificate, error) {
	type answer struct {
		c   *cert.Certificate
		err error
	}
	if ctx.Err() != nil {
		return nil, ErrLate
	}
	done := make(chan answer, 1)
	go func() {
		c, err := Certificate(p, r, inputs, premises)
		done <- answer{c, err}
	}()
	select {
	case a := <-done:
		return a.c, a.err
	case <-ctx.Done():
		return nil, ErrLate
	}
}

// subject writes a problem in the form of a certificate.
func subject(p *streams.Problem) *cert.Streams {
	s := &cert.Streams{Resources: []string{}, Words: cert.Ints{}, Counters: []string{}, Values: cert.Ints{}, Routes: []cert.Stream{}, Agents: []cert.Agent{}}
	for _, x := range p.Resources {
		s.Resources, s.Words = append(s.Resources, plain.Text(x.Name)), append(s.Words, small(x.Words))
	}
	for _, x := range p.Counters {
		s.Counters, s.Values = append(s.Counters, plain.Text(x.Name)), append(s.Values, small(x.Value))
	}
	for _, r := range p.Routes {
		nodes := cert.Ints{}
		for _, n := range r.Nodes {
			nodes = append(nodes, small(n.Resource), small(n.Parent), small(n.Drop))
		}
		s.Routes = append(s.Routes, cert.Stream{Name: plain.Text(r.Name), Nodes: nodes})
	}
	kinds := map[streams.Kind]int32{streams.Send: 0, streams.Take: 1, streams.Acquire: 2, streams.Release: 3, streams.Repeat: 4}
	for _, a := range p.Agents {
		program := cert.Ints{}
		for _, x := range a.Program {
			only := -1
			if x.Kind == streams.Take {
				only = x.Route
			}
			program = append(program, kinds[x.Kind], small(x.Object), small(x.Amount), small(only))
		}
		s.Agents = append(s.Agents, cert.Agent{Name: plain.Text(a.Name), Required: a.Required, Program: program})
	}
	return s
}

// small converts a number of a valid problem.
func small(n int) int32 {
	if n < math.MinInt32 || n > math.MaxInt32 {
		return -1 // the checker rejects it
	}
	return int32(n)
}
