package paper

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"path"
	"strings"

	"github.com/turnproof/turnproof/model/view/tables"
)

// This file writes pages in Markdown: a page for each paper, and the overview of all claims.

// Judged is a claim with its outcome.
type Judged struct {
	Claim   *Claim
	Item    *Item
	Finding Finding
}

// Judge decides the claims of the item from its result.
func (x *Item) Judge(r *Result) (list []Judged) {
	for i := range x.Claims {
		list = append(list, Judged{&x.Claims[i], x, x.Claims[i].decide(r)})
	}
	return list
}

// Where returns the section of the claim, or "" if it is not known.
func (j *Judged) Where() string {
	if j.Claim.Section != "" {
		return j.Claim.Section
	}
	return j.Item.Section
}

// Evidence returns the kind of evidence if the claim holds, else "".
func (j *Judged) Evidence() Evidence {
	switch {
	case j.Finding.Verdict != Holds:
		return ""
	case j.Claim.Evidence != "":
		return j.Claim.Evidence
	}
	return j.Item.Evidence
}

// Mark returns the verdict, with the kind of evidence if the claim holds, and whether something was fitted to its numbers.
func (j *Judged) Mark() string {
	switch e := j.Evidence(); {
	case e != "" && j.Claim.Fitted != "":
		return fmt.Sprintf("%s (%s, fitted)", j.Finding.Verdict, e)
	case e != "":
		return fmt.Sprintf("%s (%s)", j.Finding.Verdict, e)
	}
	return string(j.Finding.Verdict)
}

// PictureFile returns the name of the item's picture in the folder of its paper.
func (x *Item) PictureFile() string { return path.Base(x.Name) + ".svg" }

// Title returns the kind and number of an item, for example "Figure 7a", or its name in words.
func (x *Item) Title() string {
	_, name, _ := strings.Cut(x.Name, "/")
	title := strings.ReplaceAll(name, "-", " ")
	return strings.ToUpper(title[:1]) + title[1:]
}

// mostBytes is how long a page may be. A page that is longer has links in place of long tables of our own.
const mostBytes = 12_000

// WritePage writes the page of a paper. results has the result of each item, in order.
func (p *Paper) WritePage(w io.Writer, results []*Result) error {
	var b bytes.Buffer
	for _, s := range []sections{{beside: true, lines: math.MaxInt}, {lines: math.MaxInt}, {lines: 3}, {lines: 2}, {lines: 1}} {
		b.Reset()
		s.w, s.earlier = &b, map[string]string{}
		if err := p.writePage(s, results); err != nil {
			return err
		}
		if b.Len() <= mostBytes {
			break
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (p *Paper) writePage(s sections, results []*Result) error {
	w := s.w
	fmt.Fprintf(w, "# %s\n\n%s.\n\n", p.Title, strings.TrimSuffix(p.Source, "."))
	fmt.Fprintf(w, "%s. Cells show our value, then the published one in parentheses. The [page of all papers](../README.md) explains the marks.\n",
		Count(p.Judge(results)))
	for _, note := range p.Notes {
		fmt.Fprintf(w, "\n%s\n", note)
	}
	for i := range p.Items {
		if err := s.write(&p.Items[i], results[i]); err != nil {
			return err
		}
	}
	return nil
}

// Run computes all items of the paper, in order.
func (p *Paper) Run(ctx context.Context, o Options) (list []*Result, err error) {
	for i := range p.Items {
		x := o
		if !p.Items[i].Readings {
			x.Readings = nil
		}
		r, err := p.Items[i].Run(ctx, x)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// Judge decides the claims of all items from their results.
func (p *Paper) Judge(results []*Result) (list []Judged) {
	for i := range p.Items {
		list = append(list, p.Items[i].Judge(results[i])...)
	}
	return list
}

// WriteSection writes the section of an item: its picture or its table, claims and differences.
func (x *Item) WriteSection(w io.Writer, r *Result) error {
	s := sections{w, true, math.MaxInt, map[string]string{}}
	return s.write(x, r)
}

// sections writes sections of a page.
type sections struct {
	w      io.Writer
	beside bool // whether tables have the rows of all readings that are judged side by side
	lines  int  // tables of more lines are links, unless they have many published values
	// earlier has the titles of sections with a list of readings, by this list.
	earlier map[string]string
}

func (s *sections) write(x *Item, r *Result) error {
	w := s.w
	fmt.Fprintf(w, "\n## %s\n\n%s", x.Title(), markdown(x.About))
	if x.Section != "" && x.Kind() == "statement" {
		fmt.Fprintf(w, " (%s)", sign(x.Section))
	}
	fmt.Fprintln(w, ".")
	switch {
	case x.Figure():
		fmt.Fprintf(w, "\n![%s](%s)\n", x.Title(), x.PictureFile())
	case isLong(r, s.lines):
		fmt.Fprintf(w, "\n[All rows](%s.csv).\n", path.Base(x.Name))
	case len(r.Rows) > 0:
		fmt.Fprintln(w)
		rows := r.DefaultRows()
		if s.beside {
			rows = r.Shown()
		}
		if err := WriteTable(w, rows, "", tables.NewMarkdown); err != nil {
			return err
		}
	case x.None != "":
		fmt.Fprintf(w, "\nNot drawn: %s.\n", markdown(strings.TrimSuffix(x.None, ".")))
	}
	var text []string
	if line := r.ReadingLine(); line != "" {
		text = append(text, s.asEarlier(line)+".")
		if len(r.beside()) > 1 && s.earlier[line] == "" {
			s.earlier[line] = x.Title()
		}
	}
	if x.Differs != "" {
		text = append(text, x.Differs)
	}
	if len(text) > 0 {
		fmt.Fprintf(w, "\n%s\n", markdown(strings.Join(text, " ")))
	}
	if len(x.Claims) > 0 {
		fmt.Fprintln(w)
	}
	for _, j := range x.Judge(r) {
		word, more, _ := strings.Cut(j.Mark(), " ")
		fmt.Fprintf(w, "- **%s**%s: %s\n", word, strings.TrimRight(" "+more, " "), markdown(j.Sentence()))
	}
	return nil
}

// asEarlier returns a list of readings, or the section that has this list or its beginning, with the rest.
func (s *sections) asEarlier(line string) string {
	longest := ""
	for list := range s.earlier {
		if len(list) > len(longest) && (line == list || strings.HasPrefix(line, list+"; ")) {
			longest = list
		}
	}
	if longest == "" {
		return line
	}
	return "Readings as in " + strings.ToLower(s.earlier[longest]) + strings.TrimPrefix(line, longest)
}

// isLong reports whether the rows make a table of more lines than most, with few published values.
func isLong(r *Result, most int) bool {
	rows := r.DefaultRows()
	published := 0
	for i := range rows {
		if rows[i].Published != nil {
			published++
		}
	}
	_, lines := Table(rows)
	return len(lines) > most && 2*published < len(rows)
}

// Sentence returns the statement, its section if that is another one than that of the item, both numbers, and the reason.
func (j *Judged) Sentence() string {
	var b strings.Builder
	b.WriteString(j.Claim.Statement)
	if s := j.Claim.Section; s != "" && s != j.Item.Section {
		fmt.Fprintf(&b, " (%s)", sign(s))
	}
	published, ours := j.Claim.Published, j.Finding.text()
	if strings.Contains(" "+j.Claim.Statement+" ", " "+published+" ") {
		published = ""
	}
	switch {
	case published != "" && ours != "":
		fmt.Fprintf(&b, ": paper %s, ours %s", published, ours)
	case ours != "":
		fmt.Fprintf(&b, ": %s", ours)
	case published != "":
		fmt.Fprintf(&b, ": paper %s", published)
	}
	b.WriteString(".")
	for _, more := range []string{j.Claim.Fitted, j.Claim.Why(j.Finding)} {
		if more != "" && more != readingsDiffer {
			b.WriteString(" " + strings.TrimSuffix(more, ".") + ".")
		}
	}
	return b.String()
}

// sign abbreviates "section" and "sections".
func sign(section string) string {
	return strings.NewReplacer("sections ", "§", "section ", "§").Replace(section)
}

// markdown escapes the stars of up*/down*.
func markdown(text string) string { return strings.ReplaceAll(text, "*", `\*`) }

// Count counts the verdicts of claims in a sentence without a full stop.
func Count(list []Judged) string {
	counts := map[Verdict]int{}
	for _, j := range list {
		counts[j.Finding.Verdict]++
	}
	open := fmt.Sprintf("%d are open", counts[Open])
	if counts[Open] == 1 {
		open = "1 is open"
	}
	return fmt.Sprintf("Of %d claims %d hold, %d fail and %s", len(list), counts[Holds], counts[Fails], open)
}

const overview = `# Papers beside turnproof, claim by claim

This folder compares papers on routing with turnproof. This page lists their claims. Each paper has a page with
its figures, tables and theorems in order, ours beside the published values, and files with the rows.

| verdict | meaning |
|---|---|
| holds | our result agrees with the claim |
| fails | our result contradicts the claim; the page of the paper gives the reason |
| open | the paper leaves open what decides the claim, or we do not compute it; the page of the paper gives the reason |

A claim that holds has the kind of its evidence:

| evidence | meaning |
|---|---|
| proof | a proof for every size or network that the claim is about |
| check | all cases on the networks that are named |
| sample | simulations or random networks |

*Fitted* means that our network or an input was chosen for the published numbers: they are possible, not reproduced.

` + bands + `
turnproof computes each verdict from the rows of a figure, table or theorem:

    turnproof reproduce --claims                            # all claims with their recorded verdicts
    turnproof reproduce turn-model/table-3                  # one table, computed now
    turnproof reproduce --all -o papers --journal journal   # this folder; a run that stops goes on later

`

// WriteOverview writes the page of all claims. results has the results of each paper.
func WriteOverview(w io.Writer, list []Paper, results [][]*Result) error {
	var all []Judged
	for i := range list {
		all = append(all, list[i].Judge(results[i])...)
	}
	if _, err := fmt.Fprintf(w, "%s%s.\n", overview, Count(all)); err != nil {
		return err
	}
	for i := range list {
		fmt.Fprintln(w)
		list[i].writeClaims(w, results[i])
	}
	return nil
}

// writeClaims writes the claims of a paper as a table, with links to the sections of its page.
func (p *Paper) writeClaims(w io.Writer, results []*Result) {
	list := p.Judge(results)
	fmt.Fprintf(w, "## [%s](%s/README.md)\n\n%s. %s.\n", p.Title, p.Name, strings.TrimSuffix(p.Source, "."), Count(list))
	if len(list) == 0 {
		return
	}
	fmt.Fprint(w, "\n| claim | see | paper | ours | |\n|---|---|---|---|---|\n")
	for _, j := range list {
		anchor := strings.ToLower(strings.ReplaceAll(j.Item.Title(), " ", "-"))
		where := ""
		if j.Where() != "" && !strings.EqualFold(j.Where(), j.Item.Title()) {
			where = ", " + sign(j.Where())
		}
		fmt.Fprintf(w, "| %s | [%s](%s/README.md#%s)%s | %s | %s | %s |\n", cellText(j.Claim.Statement), strings.ToLower(j.Item.Title()), p.Name, anchor,
			where, cellText(j.Claim.Published), cellText(j.Finding.Short()), j.Mark())
	}
}

// cellText escapes a text for a cell of a Markdown table.
func cellText(text string) string { return markdown(strings.ReplaceAll(text, "|", `\|`)) }
