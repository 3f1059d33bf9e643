package agree

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// This file judges many cases, on all cores. What is said of a case depends on its seed and
// number only.

// tally counts what was said.
type tally struct {
	kinds    map[string]*answerCounts // what verify.Check said, by kind of case
	judges   []answerCounts           // by judge
	evidence map[string]int
	cases    int
	wrong    []found
}

// answerCounts counts answers, by claim.
type answerCounts struct {
	cases int // about which anything was said
	said  [numClaims]map[verdict]int
}

func (n *answerCounts) add(a answers) {
	if a != (answers{}) {
		n.cases++
	}
	for k, v := range a {
		if n.said[k] == nil {
			n.said[k] = map[verdict]int{}
		}
		if v != "" {
			n.said[k][v]++
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

// runCases judges cases begin to end-1 of a seed; progress is told of some that are done.
func runCases(ctx context.Context, panel []judge, seed, begin, end uint64, progress func(done uint64)) (*tally, error) {
	t := &tally{kinds: map[string]*answerCounts{}, judges: make([]answerCounts, len(panel)), evidence: map[string]int{}}
	var mutex sync.Mutex
	next := begin
	take := func() (uint64, bool) {
		mutex.Lock()
		defer mutex.Unlock()
		next++
		return next - 1, next <= end && len(t.wrong) < mostFound
	}
	group, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			for k, ok := take(); ok; k, ok = take() {
				c := draw(seed, k)
				j, err := judgeCase(ctx, panel, c, k)
				if err != nil {
					return err
				}
				mutex.Lock()
				t.add(k, c, j)
				done := uint64(t.cases)
				mutex.Unlock()
				if progress != nil && done%1000 == 0 {
					progress(done)
				}
			}
			return nil
		})
	}
	return t, group.Wait()
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

// runGraphs judges all connected graphs of up to so many switches.
func runGraphs(ctx context.Context, most int, e effort, progress func(done int)) (*graphTally, error) {
	all := &graphTally{made: map[string]int{}}
	var mutex sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for n := 1; n <= most; n++ {
		for _, g := range connectedGraphs(n) {
			group.Go(func() error {
				t, err := judgeGraph(ctx, g, e)
				if err != nil {
					return err
				}
				mutex.Lock()
				defer mutex.Unlock()
				all.add(t)
				if progress != nil {
					progress(all.graphs)
				}
				return nil
			})
		}
	}
	return all, group.Wait()
}
