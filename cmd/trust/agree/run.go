package agree

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// This file judges many cases on all processors. The answers about a case depend only on its seed
// and number.

// each calls judge with the numbers 0, 1, ... on all processors as long as more returns true, and
// calls add with each result. Calls of more and add do not overlap.
func each[T any](ctx context.Context, more func(k uint64) bool, judge func(ctx context.Context, k uint64) (T, error), add func(k uint64, result T)) error {
	var lock sync.Mutex
	next := uint64(0)
	take := func() (uint64, bool) {
		lock.Lock()
		defer lock.Unlock()
		next++
		return next - 1, more(next - 1)
	}
	group, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			for k, ok := take(); ok; k, ok = take() {
				result, err := judge(ctx, k)
				if err != nil {
					return fmt.Errorf("number %d: %w", k, err)
				}
				lock.Lock()
				add(k, result)
				lock.Unlock()
			}
			return nil
		})
	}
	return group.Wait()
}

// tally counts answers.
type tally struct {
	kinds    map[string]*answerCounts // of verify.Check, by kind of case
	judges   []answerCounts           // by judge
	evidence map[string]int
	cases    int
	wrong    []found
}

// answerCounts counts the cases with an answer, and each answer.
type answerCounts struct {
	cases int
	said  map[string]int // for example of "acyclic proved"
}

func (n *answerCounts) add(a answers) {
	if a != (answers{}) {
		n.cases++
	}
	for k, v := range a {
		if v != "" {
			if n.said == nil {
				n.said = map[string]int{}
			}
			n.said[fmt.Sprintf("%v %s", claim(k), v)]++
		}
	}
}

// found is a case with a disagreement.
type found struct {
	number uint64
	c      *Case
	what   *disagreement
}

// mostFound is the number of disagreements after which a run stops.
const mostFound = 10

// runCases judges the cases first to end-1 of a seed. progress is called after every 10,000 cases.
func runCases(ctx context.Context, panel []judge, seed, first, end uint64, progress func(done int)) (*tally, error) {
	t := &tally{kinds: map[string]*answerCounts{}, judges: make([]answerCounts, len(panel)), evidence: map[string]int{}}
	type result struct {
		*Case
		judged
	}
	return t, each(ctx, func(k uint64) bool { return first+k < end && len(t.wrong) < mostFound },
		func(ctx context.Context, k uint64) (result, error) {
			c := draw(seed, first+k)
			j, err := judgeCase(ctx, panel, c, first+k)
			return result{c, j}, err
		}, func(k uint64, r result) {
			if t.add(first+k, r.Case, r.judged); t.cases%10_000 == 0 {
				progress(t.cases)
			}
		})
}

func (t *tally) add(number uint64, c *Case, j judged) {
	t.cases++
	if t.kinds[c.Kind] == nil {
		t.kinds[c.Kind] = &answerCounts{}
	}
	t.kinds[c.Kind].add(j.said[0])
	for i, a := range j.said {
		t.judges[i].add(a)
	}
	for _, e := range j.evidence {
		t.evidence[e]++
	}
	if j.wrong != nil {
		t.wrong = append(t.wrong, found{number, c, j.wrong})
	}
}

// thorough is the effort of the stage.
var thorough = effort{shuffles: 500, readings: 5, seconds: 60, steps: 2_000_000}

// runGraphs judges all connected graphs with at most a number of switches.
func runGraphs(ctx context.Context, most int, e effort, progress func(done int)) (*graphTally, error) {
	all := &graphTally{made: map[string]int{}}
	var list []graph
	for n := 1; n <= most; n++ {
		list = append(list, connectedGraphs(n)...)
	}
	return all, each(ctx, func(k uint64) bool { return k < uint64(len(list)) },
		func(ctx context.Context, k uint64) (*graphTally, error) { return judgeGraph(ctx, list[k], e) },
		func(_ uint64, t *graphTally) {
			if all.add(t); all.graphs%20 == 0 {
				progress(all.graphs)
			}
		})
}
