package judge

import (
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// Options returns the options of verify.Check that the request and the input of s determine. It reads the multicast tables of s.
func Options(s *resolve.Subject) (verify.Options, error) {
	o, err := s.Judging()
	return verify.Options{Switching: o.Switching, Open: o.Open, Waiting: o.Waiting, Conditions: o.Conditions, Facts: o.Facts,
		Known: o.Known, Inputs: encode.Inputs(o.Inputs)}, err
}
