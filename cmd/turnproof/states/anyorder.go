package states

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file decides the change in any order.

// AnyOrder decides whether packets can block each other or loop while parts change in any order. It returns the certificate, which the
// checker has accepted, or nil if nothing is decided. Input that gives reason to doubt a verdict makes it undecided. Call it after Join.
func (s *Pair) AnyOrder(ctx context.Context, part transition.Part, drained bool) (*transition.Mixture, *cert.Certificate, error) {
	m, err := s.Any.MixtureOf(ctx, part, drained)
	if err != nil {
		return nil, nil, err
	}
	made, err := s.Any.MixtureCertificate(m, s.About())
	if err != nil {
		return nil, nil, err
	}
	if text := s.Doubts.Against(Verdict(m)); text != "" {
		m = &transition.Mixture{Channels: m.Channels, Dependencies: m.Dependencies, Undecided: text}
		if s.LanesDiffer() {
			m.Channels, m.Dependencies = 0, 0 // they are not those of the change
		}
		return m.Of(part, drained), nil, nil
	}
	return m, made, nil
}

// Verdict returns the verdict on all parts that change in any order.
func Verdict(m *transition.Mixture) verify.Verdict {
	switch {
	case m.Safe():
		return verify.Proved
	case m.Cycle != nil || len(m.Loops) > 0:
		return verify.Refuted
	}
	return verify.Undecided
}

// About returns what certificates of changes say beside their claims.
func (s *Pair) About() transition.About {
	premises := slices.DeleteFunc(slices.Clone(s.Premises), func(p model.Premise) bool {
		return p.Name == model.PremiseSwitching && p.Value != string(s.Switching())
	})
	return transition.About{Switching: s.Switching(), Inputs: encode.Inputs(slices.Concat(s.In[0].Files, s.In[1].Files)), Premises: premises}
}

// Switching returns the discipline of the certificates.
func (s *Pair) Switching() model.Switching { return s.Rep[1].Switching }
