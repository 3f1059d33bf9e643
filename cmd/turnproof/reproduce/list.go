package reproduce

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/examples/papers"
	"github.com/turnproof/turnproof/examples/papers/paper"
)

// This file lists items and claims.

func writeList(c *cli.Context, chosen []paper.Paper) error {
	record, err := papers.Record()
	if err != nil {
		return err
	}
	return cli.WriteFile(c, c.String("output"), func(w io.Writer) error {
		for i, p := range chosen {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "%s: %s\n%s\n", p.Name, p.Title, wrapped(p.Source))
			t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			for k := range p.Items {
				x := &p.Items[k]
				seconds, err := record.Seconds(c.Context, x)
				if err != nil {
					return err
				}
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", x.Name, x.Section, runTime(x, seconds), x.About)
			}
			if err := t.Flush(); err != nil {
				return err
			}
		}
		return nil
	})
}

// runTime returns the time of a full run of an item's default reading on one processor. It returns "not computed" for an item that
// is left out.
func runTime(x *paper.Item, seconds float64) string {
	if x.None != "" {
		return "not computed"
	}
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < 2*time.Second:
		return "seconds"
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f min", d.Minutes())
}

// writeClaims lists the claims with the verdicts of the record.
func writeClaims(c *cli.Context, chosen []paper.Paper) error {
	record, err := papers.Record()
	if err != nil {
		return err
	}
	progress := cli.ProgressOf(c.App.ErrWriter)
	var all []paper.Judged
	for _, p := range chosen {
		results, err := p.Run(c.Context, paper.Options{Store: record, Progress: paper.Progress{Points: progress.Counter("points")}})
		if err != nil {
			return err
		}
		all = append(all, p.Judge(results)...)
	}
	return cli.WriteFile(c, c.String("output"), func(w io.Writer) error {
		if c.Bool("json") {
			return cli.PrintJSON(w, struct {
				Schema string      `json:"schema"`
				Claims []jsonClaim `json:"claims"`
			}{"turnproof.claims/1", jsonClaims(all)})
		}
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, j := range all {
			fmt.Fprintf(t, "%s\t%s\tpaper: %s\tours: %s\n", j.Mark(), j.Claim.Name, orDash(j.Claim.Published), orDash(j.Finding.Ours))
			for _, u := range j.Finding.Under {
				fmt.Fprintf(t, "  %s\t  %s\t\tours: %s\n", u.Verdict, u.Reading, orDash(u.Ours))
			}
		}
		if err := t.Flush(); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "%s.\n", paper.Count(all))
		return err
	})
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
