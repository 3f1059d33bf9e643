package paper

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestStore checks that a run resumes from its journal, that a record is compared with what is computed
// again, and that a sealed store computes nothing.
func TestStore(t *testing.T) {
	var calls atomic.Int64
	item := Item{Name: "p/table-1", Compute: func(ctx context.Context, r *Result) error {
		v, err := r.Points(ctx, 2, func(i int) string { return string(rune('a' + i)) }, func(_ context.Context, i int) ([]float64, error) {
			calls.Add(1)
			return []float64{float64(i), math.NaN()}, nil
		})
		if err == nil {
			r.AddRow("i", "q", "", math.NaN(), v[1][0])
		}
		return err
	}}
	file := filepath.Join(t.TempDir(), "j")
	run := func(s *Store) (*Result, error) {
		t.Helper()
		if err := s.Open(file); err != nil {
			t.Fatal(err)
		}
		r, err := item.Run(context.Background(), Options{Store: s})
		if closed := s.Close(); closed != nil {
			t.Fatal(closed)
		}
		return r, err
	}
	for range 2 {
		r, err := run(NewStore())
		if err != nil || calls.Load() != 2 || r.Rows[0].Ours != 1 {
			t.Fatalf("%v, %d calls, %v", r, calls.Load(), err)
		}
	}
	again := NewStore()
	again.Again = 10
	if _, err := run(again); err != nil || calls.Load() != 4 {
		t.Errorf("%d calls, %v", calls.Load(), err)
	}
	var b strings.Builder
	if err := again.WriteUsed(&b); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{b.String(): "", strings.Replace(b.String(), "[1,null]", "[2,null]", 1): "the record has [2 NaN]"} {
		s := NewStore()
		s.Again = 10
		if err := s.ReadRecord(strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		_, err := item.Run(context.Background(), Options{Store: s})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	sealed := NewStore()
	sealed.Sealed = true
	if _, err := item.Run(context.Background(), Options{Store: sealed}); !errors.Is(err, ErrSealed) {
		t.Errorf("%v", err)
	}
}

// TestWants checks which readings options select.
func TestWants(t *testing.T) {
	list := []string{"few, long", "few, short"}
	for _, c := range []struct {
		readings []string
		want     [2]bool
	}{{nil, [2]bool{true, false}}, {[]string{AllReadings}, [2]bool{true, true}}, {[]string{"short"}, [2]bool{false, true}},
		{[]string{"few", "many"}, [2]bool{}}} {
		r := Result{Options: Options{Readings: c.readings}, Item: &Item{}}
		for i, reading := range list {
			if r.Wants(i, reading) != c.want[i] {
				t.Errorf("%q, %s", c.readings, reading)
			}
		}
	}
}

func TestAddRow(t *testing.T) {
	var r Result
	r.AddRow("a", "q", "x", 2, 3, 5)
	r.AddRow("b", "q", "x", math.NaN(), 7)
	r.AddRow("c", "q", "x", 1, math.NaN())
	r.AddRow("d", "q", "y", 0, 1)
	if len(r.Rows) != 3 || r.Default() != "x" || r.Row("d", "q") != nil || r.RowBy("y", "d", "q").Ours != 1 {
		t.Fatalf("%+v", r.Rows)
	}
	if x := r.Row("a", "q"); x.Ours != 4 || *x.Published != 2 || *x.Ratio != 2 || math.Abs(x.Spread-math.Sqrt2) > 1e-9 {
		t.Errorf("%+v", x)
	}
}
