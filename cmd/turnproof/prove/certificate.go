package prove

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file writes the certificate of a proof.

// writeCertificate writes the certificate of the last proved report, which covers the most switching disciplines. If no
// report is proved, it writes no file, and a note to the error output.
func writeCertificate(c *cli.Context, reports []*parametric.Report, inputs []cert.Input, line *cli.Progress) error {
	file := c.String("certificate")
	if file == "" {
		return nil
	}
	var proved *parametric.Report
	for _, r := range reports {
		if r.Verdict == verify.Proved {
			proved = r
		}
	}
	if proved == nil {
		fmt.Fprintf(c.App.ErrWriter, "turnproof: no certificate is written to %s: no proof for every size\n", file)
		return nil
	}
	made, _, err := proved.Certificate(c.Context, inputs, func(kind string, done int) {
		if done%16 == 0 {
			line.Tell("certificate: obligation %d (%s)", done, kind)
		}
	})
	if err != nil {
		return fmt.Errorf("--certificate: %w", err)
	}
	return cli.WriteFile(c, file, func(w io.Writer) error { return cert.Write(w, made) })
}
