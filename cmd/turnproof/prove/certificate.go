package prove

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/parametric"
	"github.com/turnproof/turnproof/verify/parametric/article"
)

// provedReport returns the last proved report, which covers the most switching disciplines. If none is proved, it returns a
// proof of some claims, or nil.
func provedReport(reports []*parametric.Report) (proved *parametric.Report) {
	for _, r := range reports {
		if r.Verdict == verify.Proved {
			proved = r
		} else if proved == nil && len(r.Alone) > 0 {
			proved = r.Alone[0]
		}
	}
	return proved
}

// writeArticle writes the last proved report for readers, as text and as a figure. If no report is proved, it writes no
// file, and a note to the error output.
func writeArticle(c *cli.Context, reports []*parametric.Report) error {
	proved := provedReport(reports)
	for _, flag := range []string{"proof", "figure"} {
		file := c.String(flag)
		if file == "" {
			continue
		}
		if proved == nil {
			fmt.Fprintf(c.App.ErrWriter, "turnproof: no proof is written to %s: no proof for every size\n", file)
			continue
		}
		write := writePage
		if flag == "figure" {
			write = drawProof
		}
		if err := write(c, file, proved); err != nil {
			return fmt.Errorf("--%s: %w", flag, err)
		}
	}
	return nil
}

func writePage(c *cli.Context, file string, r *parametric.Report) error {
	format, err := article.FormatOf(filepath.Ext(file))
	if err != nil {
		return err
	}
	page, err := article.New(c.Context, r)
	if err != nil {
		return err
	}
	return cli.WriteFile(c, file, func(w io.Writer) error { return page.Write(w, format) })
}

func drawProof(c *cli.Context, file string, r *parametric.Report) error {
	kind, err := picture.Format(file)
	if err != nil {
		return err
	}
	g, err := article.Figure(c.Context, r)
	if err != nil {
		return err
	}
	return picture.Render(c, file, kind, g)
}

// writeCertificate writes the certificate of the last proved report, which covers the most switching disciplines. If no
// report is proved, it writes no file, and a note to the error output.
func writeCertificate(c *cli.Context, reports []*parametric.Report, inputs []cert.Input) error {
	file := c.String("certificate")
	if file == "" {
		return nil
	}
	proved := provedReport(reports)
	if proved == nil {
		fmt.Fprintf(c.App.ErrWriter, "turnproof: no certificate is written to %s: no proof for every size\n", file)
		return nil
	}
	made, _, err := proved.Certificate(c.Context, inputs, nil)
	if err != nil {
		return fmt.Errorf("--certificate: %w", err)
	}
	return cli.WriteFile(c, file, func(w io.Writer) error { return cert.Write(w, made) })
}
