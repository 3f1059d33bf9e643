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

	"pgregory.net/rapid"
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

// TestDeal: every point has one shard, and the sizes of shards differ by at most one. The shards
// of a fixed experiment are compared with recorded ones, since machines with different versions
// must agree.
func TestDeal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := &Experiment{Networks: []string{"a", "b"}, Routings: []string{"c"}, Traffics: []string{"d"}, Loads: []float64{0.5},
			Seeds: rapid.SliceOfNDistinct(rapid.Uint64(), 1, 40, rapid.ID).Draw(t, "seeds")}
		n := rapid.IntRange(1, 100).Draw(t, "shards")
		of, err := e.Deal(n)
		if err != nil || len(of) != e.size() {
			t.Fatal(len(of), err)
		}
		count := make([]int, n)
		for _, s := range of {
			count[s-1]++
		}
		if slices.Max(count)-slices.Min(count) > 1 {
			t.Error(count)
		}
	})
	of, err := experiment(t, small).Deal(4)
	if want := []int{1, 3, 2, 4, 1, 2, 3, 4, 2, 3, 4, 1}; err != nil || !slices.Equal(of, want) {
		t.Errorf("%v, %v", of, err)
	}
}

func TestParseShard(t *testing.T) {
	if s, err := ParseShard("3/12"); err != nil || s != (Shard{3, 12}) || s.String() != "3/12" || s.Journal("a/j") != "a/j.3-of-12" {
		t.Error(s, err)
	}
	for _, text := range []string{"", "3", "0/3", "4/3", "-1/3", "1/x", "1/3/4", "1/200000"} {
		if _, err := ParseShard(text); err == nil || !strings.Contains(err.Error(), "I/N with 1 <= I <= N") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestShards: merging shards that ran at the same time gives the results of a run on one machine.
func TestShards(t *testing.T) {
	t.Chdir(t.TempDir())
	var c counted
	var wait sync.WaitGroup
	for i := range 5 {
		wait.Go(func() {
			s := Shard{i + 1, 5}
			if results, err := Run(t.Context(), experiment(t, small), Options{Journal: "j", Shard: s}, c.run); err != nil || len(results) < 2 || len(results) > 3 {
				t.Errorf("shard %s: %d results, %v", s, len(results), err)
			}
		})
	}
	wait.Wait()
	e := experiment(t, small)
	c.once(t, e)
	if list, err := ShardJournals("j"); err != nil || len(list) != 5 {
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
				if _, err := Run(t.Context(), e, Options{Journal: "j", Shard: Shard{i + 1, 2}}, c.run); err != nil {
					return err
				}
			}
			return nil
		},
		"other shards": func(e *Experiment, c *counted) error {
			for i := range 7 {
				if _, err := Run(t.Context(), e, Options{Journal: "j", Shard: Shard{i + 1, 7}}, c.run); err != nil {
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
			_, err := Run(t.Context(), e, Options{Journal: "j", Shard: Shard{2, 2}}, c.run)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			e := experiment(t, small)
			var c counted
			left := 2
			if _, err := Run(t.Context(), e, Options{Journal: "j", Shard: Shard{1, 2}}, c.run); err != nil {
				t.Fatal(err)
			}
			c.fail = func(Point) bool { left--; return left < 0 }
			if results, err := Run(t.Context(), e, Options{Workers: 1, Journal: "j", Shard: Shard{2, 2}}, c.run); !errors.Is(err, errLost) || len(results) != 2 {
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
	if _, err := Run(t.Context(), e, Options{Journal: "j", Shard: Shard{1, 3}, Workers: 1}, simulate); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("j.1-of-3")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("j.1-of-3", text[:len(text)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	of, err := e.Deal(3)
	if err != nil {
		t.Fatal(err)
	}
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
		_, err := Run(t.Context(), experiment(t, small), Options{Journal: "j", Shard: Shard{1, 2}, Workers: 1}, func(ctx context.Context, p Point) (Result, error) {
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
	for _, s := range []Shard{{}, {1, 2}} {
		if _, err := Run(t.Context(), e, Options{Journal: "j", Shard: s}, simulate); !errors.Is(err, ErrBusy) {
			t.Errorf("run beside it, shard %s: %v", s, err)
		}
	}
	if results, err := Run(t.Context(), e, Options{Journal: "j", Shard: Shard{2, 2}}, simulate); err != nil || len(results) != 6 {
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
