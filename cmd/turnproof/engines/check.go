package engines

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// This file refuses results that whatif did not write so: a page would show them as verdicts.

// The words of runs.
var (
	verdicts = []string{"proved", "refuted", "undecided", "unrouted"}
	claims   = []string{"", "proved", "refuted", "undecided"}
	kinds    = []string{"", "links:1", "links:2", "switches:1", "switches:2"}
)

// check returns an error if a word is unknown, or if the sums are not those of the runs.
func (r *Result) check() error {
	if !slices.Contains(kinds, r.Fail) || (r.Fail == "") != (r.Failures == 0) {
		return fmt.Errorf("fail is %q with %d failures; want one of %s", r.Fail, r.Failures, strings.Join(kinds[1:], ", "))
	}
	for i, x := range r.Runs {
		switch {
		case !slices.Contains(verdicts, x.Verdict):
			return fmt.Errorf("the verdict of run %d is %q; want %s", i, x.Verdict, strings.Join(verdicts, ", "))
		case !slices.Contains(claims, x.DeadlockFree):
			return fmt.Errorf("deadlock_free of run %d is %q; want %s, or nothing", i, x.DeadlockFree, strings.Join(claims[1:], ", "))
		case !slices.ContainsFunc(r.Engines, func(e engine) bool { return e.Engine == x.Engine }):
			return fmt.Errorf("run %d is of engine %q, which is not in engines", i, x.Engine)
		}
	}
	for _, e := range r.Engines {
		now, sum, count := r.sum(e.Engine)
		switch most := r.Failures + 1; {
		case count > most:
			return fmt.Errorf("engine %s has %d runs; want at most %d", e.Engine, count, most)
		case !reflect.DeepEqual(now, e.Now):
			return fmt.Errorf("the run of engine %s without a failure differs in runs and in engines: was the file changed?", e.Engine)
		case (e.After == nil) != (r.Failures == 0) || e.After != nil && *e.After != sum:
			return fmt.Errorf("the sums of engine %s over all failures are not those of its runs: was the file changed?", e.Engine)
		}
	}
	if all := len(r.Engines) * (r.Failures + 1); r.Complete != (len(r.Runs) == all) {
		return fmt.Errorf("complete is %t with %d of %d runs: was the file changed?", r.Complete, len(r.Runs), all)
	}
	if want := r.proved(); !slices.Equal(sorted(want), sorted(r.Proved)) {
		return fmt.Errorf("proved_in_all_cases is [%s], and the runs of [%s] are proved: was the file changed?", strings.Join(r.Proved, ", "),
			strings.Join(want, ", "))
	}
	return nil
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// sum returns the run of an engine without a failure, or nil; the sums over those with one; and the number of runs.
func (r *Result) sum(name string) (now *run, a after, count int) {
	for i := range r.Runs {
		x := &r.Runs[i]
		if x.Engine != name {
			continue
		}
		if count++; x.Failed == "" {
			now = x
			continue
		}
		*map[string]*int{"proved": &a.Proved, "refuted": &a.Refuted, "undecided": &a.Undecided, "unrouted": &a.Unrouted}[x.Verdict]++
		if x.DeadlockFree == "refuted" {
			a.Deadlocks++
		}
		if x.Fallback != "" {
			a.Fallbacks++
		}
		if a.LostPairs = max(a.LostPairs, x.Lost); x.Quality != nil {
			a.MaxHops, a.MaxLoad = max(a.MaxHops, x.Quality.MaxHops), max(a.MaxLoad, x.Quality.MaxLoad)
		}
	}
	return now, a, count
}

// proved returns the engines of OpenSM of which all runs are there and proved.
func (r *Result) proved() (list []string) {
	for _, e := range r.Engines {
		count := 0
		for _, x := range r.Runs {
			if x.Engine == e.Engine && x.Verdict == "proved" {
				count++
			}
		}
		if e.Engine != present && count == r.Failures+1 {
			list = append(list, e.Engine)
		}
	}
	return list
}
