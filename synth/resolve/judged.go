package resolve

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
)

// Judged is what request and input determine about a verdict. Package judge makes options of verify.Check of it.
type Judged struct {
	Switching  model.Switching
	Open       bool // the input does not fix the discipline
	Waiting    model.Waiting
	Conditions []model.Condition
	Facts      facts.Facts
	model.Known
	Inputs []model.Input
}

// Judging returns what the request and the input determine.
func (s *Subject) Judging() (o Judged, err error) {
	if o.Switching, o.Open, err = s.Discipline(); err != nil {
		return o, err
	}
	m, err := s.readMulticast()
	if err != nil {
		return o, err
	}
	if m != nil && len(m.Groups) > 0 {
		o.Conditions = append(o.Conditions, m)
	}
	if o.Waiting, err = s.Waiting(); err != nil {
		return o, err
	}
	s.judgeProtocol(&o)
	o.Inputs, o.Doubts, o.Strict = s.Files, s.doubts, s.asked.Strict
	o.Facts = s.Facts()
	o.Premises, err = accepted(s.asked.Assume, s.Premises)
	return o, err
}

// judgeProtocol makes the classes of messages that share buffers by the network's file part of o. Gates, flow control of rings
// and multicast tables exclude classes, so then they are a doubt.
func (s *Subject) judgeProtocol(o *Judged) {
	p := s.protocol
	switch {
	case p == nil:
	case s.asked.Gated || s.asked.Flow != "" || len(o.Conditions) > 0:
		s.doubtUnlessAssumed(model.Doubt{Premise: model.PremiseMessages, Against: model.AgainstProof,
			Reason: p.Source + ", but this check is about independent messages", Next: "--assume messages accepts that"})
	default:
		o.Conditions = append(o.Conditions, p)
	}
}
