package seams

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// This file counts results. tallytext.go makes the record of them.

// count is how many lines with a feature, or a pair of features, had which end.
type count struct{ Proved, Refuted, Undecided, Refused int }

func (c *count) all() int { return c.Proved + c.Refuted + c.Undecided + c.Refused }

func (c *count) add(d *count) {
	c.Proved += d.Proved
	c.Refuted += d.Refuted
	c.Undecided += d.Undecided
	c.Refused += d.Refused
}

// tally is the results of lines.
type tally struct {
	Lines, Late, Sims int
	Ends              count
	Pairs             map[string]*count         // by pairOf
	Refusals          map[string]map[string]int // by reason: the pairs or flags of the lines
	Methods           map[string]int
	States            map[string]int
	Found             []found

	list []numbered // what Found has, for a test
}

// found is a finding as text.
type found struct {
	Number             uint64 // of the line
	Judge, Text, Lines string
}

// numbered is a finding with the number of its line, and its smaller form.
type numbered struct {
	line  uint64
	small *finding
}

func newTally() *tally {
	return &tally{Pairs: map[string]*count{}, Refusals: map[string]map[string]int{}, Methods: map[string]int{}, States: map[string]int{}}
}

// pairOf returns the key of two features.
func pairOf(a, b string) string { return min(a, b) + "|" + max(a, b) }

// add counts a line.
func (t *tally) add(l *Line, r *result) {
	t.Lines++
	t.Sims += r.sims
	if r.isLate {
		t.Late++
		return
	}
	if r.states != "" {
		t.States[r.states]++
	}
	features := l.features()
	at := []*count{&t.Ends}
	for i, a := range features {
		for _, b := range features[i:] {
			at = append(at, t.pair(pairOf(a, b)))
		}
	}
	for _, c := range at {
		r.countIn(c)
	}
	if r.code == 2 {
		t.refuse(l, r.refusal)
	}
	if r.answer != nil {
		t.Methods[r.how()]++
	}
}

// pair returns the count of a pair.
func (t *tally) pair(key string) *count {
	if t.Pairs[key] == nil {
		t.Pairs[key] = &count{}
	}
	return t.Pairs[key]
}

// find records a finding.
func (t *tally) find(k uint64, f *finding) {
	x := found{Number: k, Judge: f.judge, Text: f.text, Lines: f.line.String()}
	if f.words != nil {
		x.Lines += "\n$ turnproof " + quoted(f.words)
	}
	t.Found, t.list = append(t.Found, x), append(t.list, numbered{k, f})
}

// join adds the results of other lines.
func (t *tally) join(o *tally) {
	t.Lines, t.Late, t.Sims, t.Found = t.Lines+o.Lines, t.Late+o.Late, t.Sims+o.Sims, append(t.Found, o.Found...)
	t.Ends.add(&o.Ends)
	for key, c := range o.Pairs {
		t.pair(key).add(c)
	}
	for reason, by := range o.Refusals {
		for flags, n := range by {
			t.refuseAs(reason, flags, n)
		}
	}
	for k, n := range o.Methods {
		t.Methods[k] += n
	}
	for k, n := range o.States {
		t.States[k] += n
	}
}

// merge makes the record of a run from the tallies of its parts, each as JSON.
func merge(parts []string) (string, error) {
	all := newTally()
	for i, text := range parts {
		t := newTally()
		if err := json.NewDecoder(strings.NewReader(text)).Decode(t); err != nil {
			return "", fmt.Errorf("the tally of part %d: %w", i+1, err)
		}
		all.join(t)
	}
	return all.text(), nil
}

// countIn counts the end of a line.
func (r *result) countIn(c *count) {
	switch {
	case r.code == 2:
		c.Refused++
	case r.answer == nil:
	case r.answer.Verdict == "undecided" || r.answer.DeadlockFree == nil:
		c.Undecided++
	case !*r.answer.DeadlockFree:
		c.Refuted++
	default:
		c.Proved++
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
	named := flagName.FindAllString(reason, -1)
	named = slices.DeleteFunc(named, func(f string) bool { return !l.has(strings.TrimPrefix(f, "--")) })
	slices.Sort(named)
	pair := strings.Join(slices.Compact(named), " with ")
	t.refuseAs(key, cmp.Or(pair, "-"), 1)
}

func (t *tally) refuseAs(reason, flags string, n int) {
	if t.Refusals[reason] == nil {
		t.Refusals[reason] = map[string]int{}
	}
	t.Refusals[reason][flags] += n
}

func byCount(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Or(m[b]-m[a], strings.Compare(a, b)) })
}
