package resolve

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
)

// This file reads the flow control of rings that a network's file states.

// readFlow takes the switching discipline from the flow control, unless the request names flow control or gates. If the
// caller does not use the flow control, it adds a warning, and deadlock-free is undecided.
func (s *Subject) readFlow() error {
	f := s.Net.FlowControl()
	if f == nil {
		return nil
	}
	file := fileWord(s.From.Network)
	if !s.asked.TakesFlow {
		reason := fmt.Sprintf("%s states flow control %s, which this command does not use", file, f.Rule)
		s.Warnings = append(s.Warnings, reason)
		s.doubts = append(s.doubts, model.Doubt{Premise: model.PremiseBuffers, Reason: reason, Next: "judge the network with turnproof check"})
		return nil
	}
	if s.asked.Flow != "" {
		return nil
	}
	if s.asked.Gated {
		return fmt.Errorf("--gate cannot be combined with the flow control that %s states", file)
	}
	rule, err := bubble.Parse(f.Rule)
	if err != nil {
		return err
	}
	s.Switching, s.SwitchingFrom = rule.Switching(), file+", by its flow control"
	return nil
}
