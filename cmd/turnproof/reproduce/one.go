package reproduce

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/examples/papers"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/view/tables"
)

// This file prints one item, or one claim of it.

func reproduceOne(c *cli.Context, run Runner, f papers.Found) (err error) {
	if f.Item == nil {
		return fmt.Errorf("%s is a paper: give --all with -o FOLDER, or the name of one of its parts; --list lists them", f.Paper.Name)
	}
	if err := checkFlags(c, f.Item); err != nil {
		return err
	}
	began := time.Now()
	cli.ProgressOf(c.App.ErrWriter).Say("%s", f.Item.Name)
	o, done, err := ready(c, []*paper.Item{f.Item})
	if err != nil || !done {
		return err
	}
	defer func() { err = errors.Join(err, o.Store.Close()) }()
	r, err := f.Item.Run(c.Context, o)
	if err != nil {
		return err
	}
	r.Seconds = time.Since(began).Seconds()
	if file := c.String("figure"); file != "" {
		if err := drawItem(c, run, f.Paper, f.Item, r, figureFile{file, c.Float64("width")}); err != nil {
			return err
		}
	}
	return cli.WriteFile(c, c.String("output"), func(w io.Writer) error { return writeOne(c, w, f, r) })
}

func writeOne(c *cli.Context, w io.Writer, f papers.Found, r *paper.Result) error {
	switch {
	case c.Bool("json"):
		return writeJSON(w, f, r)
	case c.String("format") == "csv":
		return paper.WriteCSV(w, r.Rows)
	case c.String("format") == "markdown":
		return f.Item.WriteSection(w, r)
	case c.String("format") == "latex":
		caption := f.Item.Name + ": " + f.Item.About
		if line := r.ReadingLine(); line != "" {
			caption += ". " + line
		}
		return paper.WriteTable(w, r.Shown(), caption, tables.NewLaTeX)
	case f.Claim != nil:
		return writeFindings(w, f, r)
	}
	return writeText(c, w, f, r)
}

// writeText prints the item in the form of the paper, and a line for each claim.
func writeText(c *cli.Context, w io.Writer, f papers.Found, r *paper.Result) error {
	x := f.Item
	fmt.Fprintf(w, "%s: %s\n%s\n\n", x.Name, x.About, wrapped(strings.TrimPrefix(x.Section+", "+f.Paper.Source, ", ")))
	if len(r.Rows) > 0 {
		if line := r.ReadingLine(); line != "" {
			more, err := others(c.Context, r)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s\n\n", wrapped(line+more))
		}
		for _, t := range r.Tables() {
			if t.Title != "" {
				fmt.Fprintf(w, "%s\n", t.Title)
			}
			if err := paper.WriteTable(w, t.Rows, "", tables.NewText); err != nil {
				return err
			}
			fmt.Fprintln(w)
		}
	}
	for _, line := range x.Drawing {
		fmt.Fprintf(w, "turnproof %s\n", line)
	}
	if x.None != "" {
		fmt.Fprintf(w, "%s\n", wrapped("Not computed: "+strings.TrimSuffix(x.None, ".")+"."))
	}
	if x.Differs != "" {
		fmt.Fprintln(w, wrapped(x.Differs))
	}
	for _, note := range r.Notes {
		fmt.Fprintln(w, wrapped(note))
	}
	if err := writeFindings(w, f, r); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%.1f s\n", r.Seconds)
	return err
}

// others names the number of readings that are not shown. If the record lacks them, it adds the time of one, which is that of a default
// reading.
func others(ctx context.Context, r *paper.Result) (string, error) {
	all := slices.DeleteFunc(paper.Readings(r.Rows), func(reading string) bool { return reading == "" })
	k := r.Others()
	switch {
	case len(all) > len(r.Tables()):
		return fmt.Sprintf("; --format csv prints all %d readings", len(all)), nil
	case !r.Item.Readings || len(r.Readings) > 0 || k == 0:
		return "", nil
	case k < 0: // they have no list
		return "; --readings all computes others", nil
	}
	record, err := papers.Record()
	if err != nil {
		return "", err
	}
	seconds, err := record.Seconds(ctx, r.Item)
	if err != nil {
		return "", err
	}
	record.Sealed = true
	if _, err := r.Item.Run(ctx, paper.Options{Store: record, Readings: []string{paper.AllReadings}}); err == nil {
		return fmt.Sprintf("; --readings all --recorded has %d more", k), nil
	} else if !errors.Is(err, paper.ErrSealed) {
		return "", err
	}
	return fmt.Sprintf("; --readings all computes %d more (processor time of each: %s)", k, runTime(r.Item, seconds/float64(len(r.Tables())))), nil
}

// writeFindings prints the claims of the item, or the one that is wanted.
func writeFindings(w io.Writer, f papers.Found, r *paper.Result) error {
	for _, j := range f.Item.Judge(r) {
		if f.Claim == nil || j.Claim.Name == f.Claim.Name {
			word := j.Mark()
			if r.Quick {
				word += " (quick)"
			}
			if _, err := fmt.Fprintln(w, wrapped(fmt.Sprintf("%s: %s", word, j.Sentence()))); err != nil {
				return err
			}
		}
	}
	return nil
}

// jsonClaim is a claim in the output of --json.
type jsonClaim struct {
	Name      string         `json:"name"`
	Section   string         `json:"section"`
	Statement string         `json:"statement"`
	Published string         `json:"published"`
	Ours      string         `json:"ours"`
	Verdict   paper.Verdict  `json:"verdict"`
	Evidence  paper.Evidence `json:"evidence"`
	Reason    string         `json:"reason"`
	Fitted    string         `json:"fitted"`
	Readings  []paper.Under  `json:"readings"`
}

func jsonClaims(list []paper.Judged) []jsonClaim {
	claims := []jsonClaim{}
	for _, j := range list {
		claims = append(claims, jsonClaim{j.Claim.Name, j.Where(), j.Claim.Statement, j.Claim.Published, j.Finding.Ours,
			j.Finding.Verdict, j.Evidence(), j.Claim.Why(j.Finding), j.Claim.Fitted, append([]paper.Under{}, j.Finding.Under...)})
	}
	return claims
}

func writeJSON(w io.Writer, f papers.Found, r *paper.Result) error {
	return cli.PrintJSON(w, struct {
		Schema  string      `json:"schema"`
		Name    string      `json:"name"`
		Kind    string      `json:"kind"`
		Section string      `json:"section"`
		About   string      `json:"about"`
		Source  string      `json:"source"`
		Rows    []paper.Row `json:"rows"`
		Claims  []jsonClaim `json:"claims"`
		Notes   []string    `json:"notes"`
		Quick   bool        `json:"quick"` // the verdicts are those of a shorter run
		Seconds float64     `json:"seconds"`
	}{"turnproof.reproduce/1", f.Item.Name, f.Item.Kind(), f.Item.Section, f.Item.About, f.Paper.Source, append([]paper.Row{}, r.Rows...),
		jsonClaims(f.Item.Judge(r)), append([]string{}, r.Notes...), r.Quick, r.Seconds})
}

// wrapped breaks a text into lines of at most 110 columns.
func wrapped(text string) string {
	const width = 110
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i > 0 && column+1+len(word) > width:
			b.WriteString("\n")
			column = 0
		case i > 0:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
