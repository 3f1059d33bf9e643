package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/longtest"
)

func experiment(t testing.TB, text string) *Experiment {
	t.Helper()
	e, err := Parse("f", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// simulate replaces a simulation. It returns figures of all kinds that depend on the point only.
func simulate(_ context.Context, p Point) (Result, error) {
	random := rand.New(rand.NewPCG(p.Seed, math.Float64bits(p.Load)))
	r := Result{Offered: p.Load, Accepted: random.Float64(), AcceptedError: math.NaN(), MeanLatency: 1e6 * random.Float64(), MedianLatency: 1 / 3.,
		LatencyError: math.Inf(1), P99Latency: 1e-300, Delivered: 1<<60 + 1, Clocks: p.Settings.Clocks, FlitHops: int64(len(p.Network)), Seconds: 0.25}
	if p.Load > 0.25 {
		r.Deadlock, r.DeadlockClock = true, 77
	} else {
		r.DeadlockClock = 5 // must be ignored without a deadlock
	}
	return r, nil
}

// linesOf returns results as JSON lines, which can be compared although NaN != NaN.
func linesOf(t testing.TB, results []Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteJSONL(&b, results); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestParallel: any number of workers gives the same results in the order of the points, whatever
// the order in which the points finish.
func TestParallel(t *testing.T) {
	e := experiment(t, small)
	want, err := Run(t.Context(), e, Options{Workers: 1}, simulate)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range e.Points() {
		if want[i].Point != p {
			t.Errorf("result %d is of %+v", i, want[i].Point)
		}
	}
	for _, workers := range []int{0, 2, 3, 12, 50} {
		got, err := Run(t.Context(), e, Options{Workers: workers}, func(ctx context.Context, p Point) (Result, error) {
			time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
			return simulate(ctx, p)
		})
		if err != nil || linesOf(t, got) != linesOf(t, want) {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// TestResume: a run resumes from a journal that was cut off at any byte. The results are the same,
// and points with a complete line in the journal are not run again.
func TestResume(t *testing.T) {
	t.Chdir(t.TempDir())
	e := experiment(t, strings.NewReplacer("seeds: 2", "seeds: 1", "  - \"mesh:8x8\"\n", "").Replace(small))
	want, err := Run(t.Context(), e, Options{Workers: 3, Journal: "whole", Stamp: "v1"}, simulate)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile("whole")
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) + 1 {
		if atLine := cut > 0 && whole[cut-1] == '\n' || cut < len(whole) && whole[cut] == '\n'; !longtest.On() && !atLine && cut%9 != 0 {
			continue // the short run cuts at the ends of lines, and at each ninth byte
		}
		if err := os.WriteFile("j", whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		runs := 0
		got, err := Run(t.Context(), e, Options{Workers: 1, Journal: "j", Stamp: "v1"}, func(ctx context.Context, p Point) (Result, error) {
			runs++
			return simulate(ctx, p)
		})
		if err != nil || linesOf(t, got) != linesOf(t, want) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		lines := max(bytes.Count(whole[:cut], []byte("\n")), 1) - 1
		if runs != 3-lines {
			t.Fatalf("cut at %d, %d whole lines: %d points were run", cut, lines, runs)
		}
		again, err := os.ReadFile("j")
		if err != nil || len(again) != len(whole) || !slices.Equal(sortedLines(again), sortedLines(whole)) {
			t.Fatalf("cut at %d: the journal is another: %v", cut, err)
		}
	}
}

func sortedLines(b []byte) []string {
	lines := strings.Split(string(b), "\n")
	slices.Sort(lines)
	return lines
}

// TestCancel: a canceled or failed run leaves a journal from which a later run resumes. Each point
// is run once in total.
func TestCancel(t *testing.T) {
	t.Chdir(t.TempDir())
	e := experiment(t, small)
	want, err := Run(t.Context(), e, Options{}, simulate)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	finished := map[Point]int{}
	ends := errors.New("enough")
	for round := 0; ; round++ {
		ctx, cancel := context.WithCancelCause(t.Context())
		left := 2
		got, err := Run(ctx, e, Options{Workers: 3, Journal: "j"}, func(ctx context.Context, p Point) (Result, error) {
			mu.Lock()
			defer mu.Unlock()
			if left--; left < 0 {
				if round%2 == 0 {
					cancel(ends)
					return Result{}, ctx.Err()
				}
				return Result{}, ends
			}
			finished[p]++
			return simulate(ctx, p)
		})
		cancel(nil)
		if err == nil {
			if linesOf(t, got) != linesOf(t, want) || round < 5 {
				t.Errorf("%d rounds", round)
			}
			break
		}
		if !errors.Is(err, ends) || len(got) != len(finished) || round%2 == 1 && !strings.HasPrefix(err.Error(), "sweep: ") {
			t.Fatalf("round %d: %d results, %v", round, len(got), err)
		}
		for i := 1; i < len(got); i++ {
			if slices.Index(e.Points(), got[i].Point) < slices.Index(e.Points(), got[i-1].Point) {
				t.Error("results out of order")
			}
		}
	}
	for p, k := range finished {
		if k != 1 {
			t.Errorf("%s was run %d times", p, k)
		}
	}
}

// TestHashFiles: the hash of an experiment changes with the files that it names.
func TestHashFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	e := &Experiment{Networks: []string{"net.json", "mesh:2x2"}, Routings: []string{"paths.csv", "dor"}, Traffics: []string{"trace:trace.txt", "uniform"}}
	e.Settings.Links = "links.csv"
	seen := map[string]string{}
	for _, file := range []string{"", "net.json", "paths.csv", "trace.txt", "links.csv", "links.csv", "other.txt"} {
		if file != "" {
			if err := os.WriteFile(file, fmt.Appendf(nil, "%d", len(seen)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		hash, err := e.Hash()
		if err != nil || (seen[hash] != "") != (file == "other.txt") {
			t.Errorf("%s: hash %s is that of %q, %v", file, hash, seen[hash], err)
		}
		seen[hash] = "links.csv"
	}
}

// TestJournalErrors: a file that is not a journal of this experiment is an error and stays
// unchanged.
func TestJournalErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	e := experiment(t, small)
	never := func(context.Context, Point) (Result, error) { return Result{}, errors.New("was run") }
	if _, err := Run(t.Context(), e, Options{Journal: "whole", Stamp: "v1"}, simulate); err != nil {
		t.Fatal(err)
	}
	read, err := os.ReadFile("whole")
	if err != nil {
		t.Fatal(err)
	}
	whole := string(read)
	head, rest, _ := strings.Cut(whole, "\n")
	other := experiment(t, strings.Replace(small, "packet: 4", "packet: 5", 1))
	for _, c := range []struct {
		e           *Experiment
		stamp, text string
		want        string
	}{
		{other, "v1", whole, "sweep: journal j: is of another experiment, or its files have changed: name another journal, or remove this one"},
		{e, "v2", whole, `sweep: journal j: was begun by "v1", this is "v2": name another journal, or remove this one`},
		{e, "v1", "network,routing\n1,2\n", "sweep: journal j: is not a journal; the file was not changed"},
		{e, "v1", "x", "sweep: journal j: is not a journal; the file was not changed"},
		{e, "v1", head + "\nx\n" + rest, "sweep: journal j:2: is damaged: invalid character 'x' looking for beginning of value"},
		{e, "v1", head + "\n" + strings.Replace(rest, `"index":`, `"index":1`, 1), "sweep: journal j:2: is damaged: point 1"},
		{e, "v1", head + "\n" + strings.Replace(rest, `"load":0.1`, `"load":0.15`, 1), "sweep: journal j:2: is damaged: point "},
		{e, "v1", head + "\n" + strings.Replace(rest, `"offered"`, `"offer"`, 1), "sweep: journal j:2: is damaged: sweep: a result without offered"},
	} {
		if err := os.WriteFile("j", []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Run(t.Context(), c.e, Options{Journal: "j", Stamp: c.stamp}, never)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v\nwant %s", err, c.want)
		}
		if after, err := os.ReadFile("j"); err != nil || string(after) != c.text {
			t.Errorf("%s: the file was changed", c.want)
		}
	}
	if _, err := Run(t.Context(), e, Options{Journal: "none/j"}, never); err == nil || err.Error() != "sweep: journal none/j: no such file or directory" {
		t.Error(err)
	}
	if results, err := Run(t.Context(), e, Options{Journal: "whole", Stamp: "v1"}, never); err != nil || len(results) != 12 {
		t.Errorf("a finished journal: %v", err)
	}
	if err := os.WriteFile("j", []byte(whole+rest), 0o600); err != nil {
		t.Fatal(err)
	}
	if results, err := Run(t.Context(), e, Options{Journal: "j", Stamp: "v1"}, never); err != nil || len(results) != 12 {
		t.Errorf("a journal with all points twice: %v", err)
	}
}

// TestProgress: every number of finished points is reported once, in order. The first report has
// no estimated time.
func TestProgress(t *testing.T) {
	t.Chdir(t.TempDir())
	e := experiment(t, small)
	var calls []string
	progress := func(done, total int, left time.Duration) {
		sign := "known"
		if left < 0 {
			sign = "?"
		} else if left == 0 {
			sign = "none"
		}
		calls = append(calls, fmt.Sprint(done, "/", total, " ", sign))
	}
	if _, err := Run(t.Context(), e, Options{Workers: 4, Journal: "j", Progress: progress}, simulate); err != nil {
		t.Fatal(err)
	}
	want := []string{"0/12 ?"}
	for i := 1; i < 12; i++ {
		want = append(want, fmt.Sprint(i, "/12 known"))
	}
	if want = append(want, "12/12 none"); !slices.Equal(calls, want) {
		t.Errorf("%q", calls)
	}
	calls = nil
	if _, err := Run(t.Context(), e, Options{Journal: "j", Progress: progress}, simulate); err != nil || !slices.Equal(calls, []string{"12/12 none"}) {
		t.Errorf("%q, %v", calls, err)
	}
}

// TestRunChecks: no point of an invalid experiment runs.
func TestRunChecks(t *testing.T) {
	e := &Experiment{Networks: []string{"a"}, Routings: []string{"b"}, Traffics: []string{"c"}, Loads: []float64{2}}
	if _, err := Run(t.Context(), e, Options{}, simulate); err == nil || err.Error() != "sweep: a load of 2 flits per clock and host, allowed are 0 to 1" {
		t.Error(err)
	}
	e.Loads[0] = 1
	if results, err := Run(t.Context(), e, Options{}, simulate); err != nil || len(results) != 1 || results[0].Point.Settings.Model != engine.BookSim {
		t.Errorf("%+v, %v", results, err)
	}
}
