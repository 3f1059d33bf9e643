package seams

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// This file counts results and writes the record.

// count is how many lines with a feature, or a pair of features, had which end.
type count struct{ proved, refuted, undecided, refused int }

func (c *count) all() int { return c.proved + c.refuted + c.undecided + c.refused }

// tally is the results of lines.
type tally struct {
	lines, late, sims int
	ends              count
	pairs             map[[2]string]*count
	refusals          map[string]map[string]int // by reason: the pairs or flags of the lines
	methods           map[string]int
	states            map[string]int
	found             []numbered
}

// numbered is a finding with the number of its line, and its smaller form.
type numbered struct {
	line  uint64
	small *finding
}

func newTally() *tally {
	return &tally{pairs: map[[2]string]*count{}, refusals: map[string]map[string]int{}, methods: map[string]int{}, states: map[string]int{}}
}

// add counts a line.
func (t *tally) add(l *Line, r *result) {
	t.lines++
	t.sims += r.sims
	if r.isLate {
		t.late++
		return
	}
	if r.states != "" {
		t.states[r.states]++
	}
	features := l.features()
	at := []*count{&t.ends}
	for i, a := range features {
		for _, b := range features[i:] {
			key := [2]string{a, b}
			if t.pairs[key] == nil {
				t.pairs[key] = &count{}
			}
			at = append(at, t.pairs[key])
		}
	}
	for _, c := range at {
		r.countIn(c)
	}
	if r.code == 2 {
		t.refuse(l, r.refusal)
	}
	if r.answer != nil {
		t.methods[r.how()]++
	}
}

// countIn counts the end of a line.
func (r *result) countIn(c *count) {
	switch {
	case r.code == 2:
		c.refused++
	case r.answer == nil:
	case r.answer.Verdict == "undecided" || r.answer.DeadlockFree == nil:
		c.undecided++
	case !*r.answer.DeadlockFree:
		c.refuted++
	default:
		c.proved++
	}
}

// flagName matches a flag in an error.
var (
	flagName = regexp.MustCompile(`--[a-z0-9-]+`)
	details  = regexp.MustCompile(`"[^"]*"|/[^ :]*/|\b\d+\b|\([^)]*\)|h\d+:h\d+`)
)

// refuse counts a refusal by its reason without names and numbers, and the flags that the error names.
func (t *tally) refuse(l *Line, reason string) {
	key := details.ReplaceAllString(reason, "…")
	if len(key) > 150 {
		key = key[:150] + "…"
	}
	if t.refusals[key] == nil {
		t.refusals[key] = map[string]int{}
	}
	named := flagName.FindAllString(reason, -1)
	named = slices.DeleteFunc(named, func(f string) bool { return !l.has(strings.TrimPrefix(f, "--")) })
	slices.Sort(named)
	pair := strings.Join(slices.Compact(named), " with ")
	t.refusals[key][cmp.Or(pair, "-")]++
}

// write writes the record.
func (t *tally) write(record func(format string, a ...any)) {
	record("%d command lines, %d simulations: %d proved, %d refuted, %d undecided, %d refused (status 2), %d over the time of %v. Wrong: %d.\n\n", t.lines,
		t.sims, t.ends.proved, t.ends.refuted, t.ends.undecided, t.ends.refused, t.late, lineTime, len(t.found))
	record("Verdicts by evidence:\n\n| evidence | lines |\n|---|---:|\n")
	for _, k := range byCount(t.methods) {
		record("| %s | %d |\n", k, t.methods[k])
	}
	if len(t.states) > 0 {
		record("\nSearch over all states: %v\n", t.states)
	}
	record("\n%s\n%s\n", t.matrix(), t.refused())
	for _, f := range t.found {
		record("### Line %d: %s\n\n%s\n\n```\n%s\n", f.line, f.small.judge, f.small.text, f.small.line)
		if f.small.words != nil {
			record("$ turnproof %s\n", quoted(f.small.words))
		}
		record("```\n\n")
	}
}

func byCount(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Or(m[b]-m[a], strings.Compare(a, b)) })
}

// fewestOfPair is the fewest lines of a pair for which the matrix has a share.
const fewestOfPair = 5

// matrix returns the share of undecided lines among the decided and undecided ones, by pair of features, as a table. A
// feature with itself is all lines with the feature.
func (t *tally) matrix() string {
	var names []string
	for k := range t.pairs {
		if k[0] == k[1] {
			names = append(names, k[0])
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
	c := t.pairs[[2]string{a, b}]
	switch {
	case c == nil || c.all() < fewestOfPair:
		return "-"
	case c.refused == c.all():
		return "x"
	case c.all()-c.refused < fewestOfPair:
		return "-"
	}
	return fmt.Sprintf("%.0f", 100*float64(c.undecided)/float64(c.all()-c.refused))
}

// refused returns the reasons of refusals as a table.
func (t *tally) refused() string {
	var b strings.Builder
	b.WriteString("Refused lines (status 2) by reason, with the flags that the reason names:\n\n| reason | flags | lines |\n|---|---|---:|\n")
	total := map[string]int{}
	for reason, by := range t.refusals {
		for _, n := range by {
			total[reason] += n
		}
	}
	for _, reason := range byCount(total) {
		fmt.Fprintf(&b, "| %s | %s | %d |\n", strings.ReplaceAll(reason, "|", "\\|"), strings.Join(byCount(t.refusals[reason]), "; "), total[reason])
	}
	return b.String()
}
