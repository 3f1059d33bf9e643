package exhaustive

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
)

// This file compares many cases.

// Tally is the result of many comparisons.
type Tally struct {
	Drawn, Judged int
	Said          map[string]int    // by features, and the verdicts
	Refused       map[string]int    // by reason
	Wrong         map[string]string // by features: the first case
	WrongCount    int
}

// Compare compares cases first to first+count of a seed. Each search visits at most budget states.
// If pairs is set, each case has two rules that go together.
func Compare(ctx context.Context, seed, first, count uint64, budget int, pairs bool) (*Tally, error) {
	t := &Tally{Said: map[string]int{}, Refused: map[string]int{}, Wrong: map[string]string{}}
	for k := first; k < first+count; k++ {
		one, err := judge(ctx, seed, k, budget, pairs)
		if err != nil {
			return t, fmt.Errorf("case %d of seed %d: %w", k, seed, err)
		}
		t.add(one)
	}
	return t, nil
}

func (t *Tally) add(one result) {
	t.Drawn++
	if one.said != "" {
		t.Judged++
		t.Said[one.features+": "+one.said]++
	}
	if one.refused != "" {
		t.Refused[one.refused]++
	}
	if one.wrong != "" {
		t.WrongCount++
		if t.Wrong[one.features] == "" {
			t.Wrong[one.features] = one.wrong
		}
	}
}

// Write writes the tally in Markdown.
func (t *Tally) Write(out io.Writer) error {
	fmt.Fprintf(out, "%d cases drawn, %d judged, %d wrong.\n\n", t.Drawn, t.Judged, t.WrongCount)
	for _, list := range []map[string]int{t.Said, t.Refused} {
		for _, key := range slices.Sorted(maps.Keys(list)) {
			fmt.Fprintf(out, "- %s: %d\n", key, list[key])
		}
		fmt.Fprintln(out)
	}
	for _, key := range slices.Sorted(maps.Keys(t.Wrong)) {
		if _, err := fmt.Fprintf(out, "### %s\n\n%s\n\n", key, t.Wrong[key]); err != nil {
			return err
		}
	}
	return nil
}
