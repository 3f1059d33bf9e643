// Package judging says what verify.Check is to decide by the command line.
package judging

import (
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/synth/judge"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// Options returns the options of verify.Check that flags and input determine.
func Options(c *cli.Context, in *resolve.Subject) (verify.Options, error) {
	o, err := judge.Options(in)
	o.Progress = cli.ProgressOf(c.App.ErrWriter).Steps()
	cli.Reads(c, in.From.Multicast)
	return o, err
}
