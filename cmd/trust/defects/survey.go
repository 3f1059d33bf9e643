package defects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// This file tries the mutants of a package, each by the tests that come by its place.
//
// Cost: one run of some tests for each; quick tests first, as most mutants fail these.

// survey is one of a package.
type survey struct {
	*goTests
	of      string
	binary  string
	mutants []Mutant
	tests   []surveyTest // quick ones first
}

// surveyTest is a test and the mutants that it comes by.
type surveyTest struct {
	name  string
	takes time.Duration
	seen  map[int]bool
}

// newSurvey compiles the mutants and runs each test without any.
func (g *goTests) newSurvey(ctx context.Context, of string) (*survey, error) {
	binary, mutants, err := g.compiled(ctx, of)
	if err != nil {
		return nil, err
	}
	s := &survey{goTests: g, of: of, binary: binary, mutants: mutants}
	out, err := s.command(ctx, -1, "-test.list", ".").Output()
	if err != nil {
		return nil, err
	}
	for _, name := range strings.Fields(string(out)) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		t, err := s.trace(ctx, name)
		if err != nil {
			return nil, err
		}
		s.tests = append(s.tests, t)
	}
	slices.SortStableFunc(s.tests, func(a, b surveyTest) int { return int(a.takes - b.takes) })
	return s, nil
}

// command runs the binary with one mutant on, none if that is -1.
func (s *survey) command(ctx context.Context, mutant int, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.script(), append([]string{s.binary}, args...)...)
	cmd.Dir = filepath.Join(s.root, filepath.FromSlash(s.of))
	cmd.Env = append(os.Environ(), "TURNPROOF_MUTANT="+strconv.Itoa(mutant))
	cmd.WaitDelay = time.Second
	return cmd
}

// trace runs one test without mutants.
func (s *survey) trace(ctx context.Context, name string) (surveyTest, error) {
	t := surveyTest{name: name, seen: map[int]bool{}}
	file := filepath.Join(s.work, "seen")
	cmd := s.command(ctx, -1, "-test.run", "^"+name+"$")
	cmd.Env = append(cmd.Env, "TURNPROOF_MUTANTS_SEEN="+file)
	begun := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return t, fmt.Errorf("%s %s without any mutant: %w\n%s", s.of, name, err, out)
	}
	t.takes = time.Since(begun)
	text, err := os.ReadFile(file)
	if err != nil {
		return t, err
	}
	for _, k := range strings.Fields(string(text)) {
		mutant, err := strconv.Atoi(k)
		if err != nil {
			return t, err
		}
		t.seen[mutant] = true
	}
	return t, nil
}

// quick bounds the tests that are run together.
const quick = time.Second / 2

// round is tests that are run together.
type round struct {
	names []string
	takes time.Duration
}

// rounds gives the tests that come by a mutant, quick ones together and first.
func (s *survey) rounds(mutant int) []round {
	var together round
	var list []round
	for _, t := range s.tests {
		switch {
		case !t.seen[mutant]:
		case t.takes < quick:
			together.names, together.takes = append(together.names, t.name), together.takes+t.takes
		default:
			list = append(list, round{[]string{t.name}, t.takes})
		}
	}
	if len(together.names) > 0 {
		list = slices.Insert(list, 0, together)
	}
	return list
}

// enough is how long tests may take with a mutant: what they take without, many times over,
// as a machine may be busy; those that take longer do not end.
func (s *survey) enough(r round) time.Duration {
	return min(s.each, 20*time.Second+20*r.takes)
}

// try tries one mutant.
func (s *survey) try(ctx context.Context, mutant int) (Outcome, error) {
	for _, r := range s.rounds(mutant) {
		out, err := s.command(ctx, mutant, "-test.failfast", "-test.timeout", s.enough(r).String(), "-test.run", "^("+strings.Join(r.names, "|")+")$").CombinedOutput()
		if ctx.Err() != nil {
			return Outcome{}, ctx.Err()
		}
		if o, err := judge(out, err); err != nil || o.Caught {
			return o, err
		}
	}
	return Outcome{}, nil
}

// run tries mutants, all or so many, spread evenly.
func (s *survey) run(ctx context.Context, many int, progress io.Writer) (chosen []int, outcomes []Outcome, err error) {
	if many <= 0 || many > len(s.mutants) {
		many = len(s.mutants)
	}
	for i := range many {
		chosen = append(chosen, i*len(s.mutants)/many)
	}
	outcomes = make([]Outcome, many)
	var group errgroup.Group
	group.SetLimit(atOnce)
	var telling sync.Mutex
	done, survive := 0, 0
	for i, k := range chosen {
		group.Go(func() error {
			o, err := s.try(ctx, k)
			if err != nil {
				return fmt.Errorf("%s: %w", s.mutants[k].Name, err)
			}
			outcomes[i] = o
			telling.Lock()
			defer telling.Unlock()
			if !o.Caught {
				survive++
				fmt.Fprintf(progress, "%s: survives: %s (line %d)\n", s.of, s.mutants[k].Name, s.mutants[k].Line)
			}
			if done++; done%50 == 0 || done == many {
				fmt.Fprintf(progress, "%s: %d of %d mutants, %d survive\n", s.of, done, many, survive)
			}
			return nil
		})
	}
	return chosen, outcomes, errors.Join(group.Wait(), ctx.Err())
}
