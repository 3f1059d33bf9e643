package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/turnproof/turnproof/internal/batch"
)

// counted simulates points and counts how often each one runs.
type counted struct {
	mu    sync.Mutex
	times map[Point]int
	fail  func(Point) bool // whether a point fails; if nil, none does
}

var errLost = errors.New("the node is lost")

func (c *counted) run(ctx context.Context, p Point) (Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fail != nil && c.fail(p) {
		return Result{}, errLost
	}
	if c.times == nil {
		c.times = map[Point]int{}
	}
	c.times[p]++
	return simulate(ctx, p)
}

// once fails the test if a point was not run exactly once.
func (c *counted) once(t *testing.T, e *Experiment) {
	t.Helper()
	for _, p := range e.Points() {
		if c.times[p] != 1 {
			t.Errorf("%s was run %d times", p, c.times[p])
		}
	}
}

// holds checks that the experiment's journal is the only file, that it has every point once, and
// that a run that reads it returns the same results as a run without shards.
func holds(t *testing.T, e *Experiment) {
	t.Helper()
	want, err := Run(t.Context(), e, Options{}, simulate)
	if err != nil {
		t.Fatal(err)
	}
	got, missing, busy, err := Merge(e, Options{Journal: "j"})
	if err != nil || busy || missing != nil || linesOf(t, got) != linesOf(t, want) {
		t.Errorf("merged it differs: %v, %v, %v", missing, busy, err)
	}
	text, err := os.ReadFile("j")
	if err != nil || bytes.Count(text, []byte("\n")) != 1+len(want) {
		t.Errorf("%d lines in the journal, %v", bytes.Count(text, []byte("\n")), err)
	}
	for i := range want {
		if n := bytes.Count(text, fmt.Appendf(nil, `{"index":%d,`, i)); n != 1 {
			t.Errorf("point %d is in the journal %d times", i, n)
		}
	}
	if files, err := os.ReadDir("."); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
}

// TestDeal compares the shards of a fixed experiment with recorded ones, since machines with
// different versions must agree.
func TestDeal(t *testing.T) {
	e := experiment(t, small)
	hash, err := e.Hash()
	if want := []int{1, 3, 2, 4, 1, 2, 3, 4, 2, 3, 4, 1}; err != nil || !slices.Equal(batch.Deal(hash, e.size(), 4), want) {
		t.Errorf("%v, %v", batch.Deal(hash, e.size(), 4), err)
	}
}

// TestShards: merging shards that ran at the same time gives the results of a run on one machine.
func TestShards(t *testing.T) {
	t.Chdir(t.TempDir())
	var c counted
	var wait sync.WaitGroup
	for i := range 5 {
		wait.Go(func() {
			s := Shard{I: i + 1, N: 5}
			if results, err := Run(t.Context(), experiment(t, small), Options{Journal: "j", Shard: s}, c.run); err != nil || len(results) < 2 || len(results) > 3 {
				t.Errorf("shard %s: %d results, %v", s, len(results), err)
			}
		})
	}
	wait.Wait()
	e := experiment(t, small)
	c.once(t, e)
	if list, err := batch.Journals("j"); err != nil || len(list) != 5 {
		t.Errorf("%v, %v", list, err)
	}
	if _, missing, _, err := Merge(e, Options{Journal: "j"}); err != nil || missing != nil {
		t.Errorf("%v are missing, %v", missing, err)
	}
	holds(t, e)
}

// TestShardLost: if a shard is killed, only its unfinished points are missing. They are run again,
// by the same shard, another shard or the whole experiment.
func TestShardLost(t *testing.T) {
	for name, again := range map[string]func(*Experiment, *counted) error{
		"the same shards": func(e *Experiment, c *counted) error {
			for i := range 2 {
				if _, err := Run(t.Context(), e, Options{Journal: "j", Shard: Shard{I: i + 1, N: 2}}, c.run); err != nil {
					return err
				}
			}
			return nil
		},
		"other shards": func(e *Experiment, c *counted) error {
			for i := range 7 {
				if _, err := Run(t.Context(), e, Options{Journal: "j", Shard: Shard{I: i + 1, N: 7}}, c.run); err != nil {
					return err
				}
			}
			return nil
		},
		"one machine": func(e *Experiment, c *counted) error {
			_, err := Run(t.Context(), e, Options{Journal: "j"}, c.run)
			return err
		},
		"merged between": func(e *Experiment, c *counted) error {
			if _, _, _, err := Merge(e, Options{Journal: "j"}); err != nil {
				return err
			}
			_, err := Run(t.Context(), e, Options{Journal: "j", Shard: Shard{I: 2, N: 2}}, c.run)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			e := experiment(t, small)
			var c counted
			left := 2
			if _, err := Run(t.Context(), e, Options{Journal: "j", Shard: Shard{I: 1, N: 2}}, c.run); err != nil {
				t.Fatal(err)
			}
			c.fail = func(Point) bool { left--; return left < 0 }
			if results, err := Run(t.Context(), e, Options{Workers: 1, Journal: "j", Shard: Shard{I: 2, N: 2}}, c.run); !errors.Is(err, errLost) || len(results) != 2 {
				t.Fatalf("%d results, %v", len(results), err)
			}
			c.fail = nil
			if err := again(e, &c); err != nil {
				t.Fatal(err)
			}
			c.once(t, e)
			if _, missing, _, err := Merge(e, Options{Journal: "j"}); err != nil || missing != nil {
				t.Fatalf("%v are missing, %v", missing, err)
			}
			holds(t, e)
		})
	}
}

// TestMergeMissing: Merge returns the missing points; a point whose line is incomplete is missing.
func TestMergeMissing(t *testing.T) {
	t.Chdir(t.TempDir())
	e := experiment(t, small)
	if _, err := Run(t.Context(), e, Options{Journal: "j", Shard: Shard{I: 1, N: 3}, Workers: 1}, simulate); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("j.1-of-3")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("j.1-of-3", text[:len(text)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	hash, err := e.Hash()
	if err != nil {
		t.Fatal(err)
	}
	of := batch.Deal(hash, e.size(), 3)
	results, missing, busy, err := Merge(e, Options{Journal: "j"})
	if err != nil || busy || len(results) != 3 || len(missing) != 9 {
		t.Errorf("%d results, %v are missing, %v, %v", len(results), missing, busy, err)
	}
	ours := 0
	for _, i := range missing {
		if of[i] == 1 {
			ours++
		}
	}
	if ours != 1 {
		t.Errorf("%d points of the shard are missing", ours)
	}
	if _, _, _, err := Merge(e, Options{Journal: "j", Stamp: "v2"}); err == nil || !strings.Contains(err.Error(), `was begun by "", this is "v2"`) {
		t.Error(err)
	}
}

// TestMergeBusy: while a shard runs, Merge reads its results and leaves its journal unchanged. No
// other process can run the experiment or that shard.
func TestMergeBusy(t *testing.T) {
	t.Chdir(t.TempDir())
	e := experiment(t, small)
	began, finish := make(chan bool), make(chan bool)
	ended := make(chan error)
	go func() {
		k := 0
		_, err := Run(t.Context(), experiment(t, small), Options{Journal: "j", Shard: Shard{I: 1, N: 2}, Workers: 1}, func(ctx context.Context,
			p Point) (Result, error) {
			if k++; k == 3 {
				close(began)
				<-finish
			}
			return simulate(ctx, p)
		})
		ended <- err
	}()
	<-began
	if results, missing, busy, err := Merge(e, Options{Journal: "j"}); err != nil || !busy || len(results) != 2 || len(missing) != 10 {
		t.Errorf("%d results, %d missing, %v, %v", len(results), len(missing), busy, err)
	}
	for _, s := range []Shard{{}, {I: 1, N: 2}} {
		if _, err := Run(t.Context(), e, Options{Journal: "j", Shard: s}, simulate); !errors.Is(err, ErrBusy) {
			t.Errorf("run beside it, shard %s: %v", s, err)
		}
	}
	if results, err := Run(t.Context(), e, Options{Journal: "j", Shard: Shard{I: 2, N: 2}}, simulate); err != nil || len(results) != 6 {
		t.Errorf("the other shard: %d results, %v", len(results), err)
	}
	close(finish)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if results, missing, busy, err := Merge(e, Options{Journal: "j"}); err != nil || busy || len(results) != 12 || missing != nil {
		t.Errorf("%d results, %v, %v", len(results), missing, err)
	}
	holds(t, e)
}
