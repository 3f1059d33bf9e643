package seams

import (
	"fmt"
	"slices"
	"strings"
)

// This file makes the record of a run from its tally.

// text returns the record.
func (t *tally) text() string {
	var b strings.Builder
	record := func(format string, a ...any) { fmt.Fprintf(&b, format, a...) }
	record("%d command lines, %d simulations: %d proved, %d refuted, %d undecided, %d refused (status 2), %d over the time of %v. Wrong: %d.\n\n", t.Lines,
		t.Sims, t.Ends.Proved, t.Ends.Refuted, t.Ends.Undecided, t.Ends.Refused, t.Late, lineTime, len(t.Found))
	record("Verdicts by evidence:\n\n| evidence | lines |\n|---|---:|\n")
	for _, k := range byCount(t.Methods) {
		record("| %s | %d |\n", k, t.Methods[k])
	}
	record("\nSearch over all states:\n\n| verdict, result of the search | lines |\n|---|---:|\n")
	for _, k := range byCount(t.States) {
		record("| %s | %d |\n", k, t.States[k])
	}
	record("\n%s\n%s\n", t.matrix(), t.refused())
	for _, f := range t.Found {
		record("### Line %d: %s\n\n%s\n\n```\n%s\n```\n\n", f.Number, f.Judge, f.Text, f.Lines)
	}
	return b.String()
}

// fewestOfPair is the fewest lines of a pair for which the matrix has a share.
const fewestOfPair = 5

// matrix returns the share of undecided lines among the decided and undecided ones, by pair of features, as a table. A
// feature with itself is all lines with the feature.
func (t *tally) matrix() string {
	var names []string
	for k := range t.Pairs {
		if a, b, _ := strings.Cut(k, "|"); a == b {
			names = append(names, a)
		}
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("Per cent of lines that are undecided, by pair of features; the columns have the numbers of the rows. x: all are refused. " +
		"-: fewer than 5 lines.\n\n| | feature |")
	for i := range names {
		fmt.Fprintf(&b, " %d |", i+1)
	}
	b.WriteString("\n|---:|---|" + strings.Repeat("---:|", len(names)) + "\n")
	for i, a := range names {
		fmt.Fprintf(&b, "| %d | %s |", i+1, a)
		for _, other := range names[:i+1] {
			b.WriteString(" " + t.share(other, a) + " |")
		}
		b.WriteString(strings.Repeat(" |", len(names)-i-1) + "\n")
	}
	return b.String()
}

// share returns an entry of the matrix.
func (t *tally) share(a, b string) string {
	c := t.Pairs[pairOf(a, b)]
	switch {
	case c == nil || c.all() < fewestOfPair:
		return "-"
	case c.Refused == c.all():
		return "x"
	case c.all()-c.Refused < fewestOfPair:
		return "-"
	}
	return fmt.Sprintf("%.0f", 100*float64(c.Undecided)/float64(c.all()-c.Refused))
}

// refused returns the reasons of refusals as a table.
func (t *tally) refused() string {
	var b strings.Builder
	b.WriteString("Refused lines (status 2) by reason, with the flags that the reason names:\n\n| reason | flags | lines |\n|---|---|---:|\n")
	total := map[string]int{}
	for reason, by := range t.Refusals {
		for _, n := range by {
			total[reason] += n
		}
	}
	for _, reason := range byCount(total) {
		fmt.Fprintf(&b, "| %s | %s | %d |\n", strings.ReplaceAll(reason, "|", "\\|"), strings.Join(byCount(t.Refusals[reason]), "; "), total[reason])
	}
	return b.String()
}
