package paper

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/batch"
)

// peak is an item whose second points depend on the values of the first: the neighbours of the highest.
var peak = Item{Name: "p/peak", Compute: func(ctx context.Context, r *Result) error {
	height := func(i int) []float64 { return []float64{0.01 * float64(100-(i-42)*(i-42))} }
	get := func(list []int) ([][]float64, error) {
		return r.Points(ctx, len(list), func(k int) string { return fmt.Sprint(list[k]) }, func(_ context.Context, k int) ([]float64, error) {
			return height(list[k]), nil
		})
	}
	list := []int{10, 20, 30, 40, 50, 60}
	v, err := get(list)
	if err != nil {
		return err
	}
	at := 0
	for k := range list {
		if v[k][0] > v[at][0] {
			at = k
		}
	}
	v, err = get([]int{list[at] - 1, list[at] + 1})
	if err == nil {
		r.AddRow("peak", "height", "", 0, v[0][0], v[1][0])
	}
	return err
}}

// TestPlanOfDependentPoints: a plan has only points that are needed whatever the values of others are.
// Shards and merges, plan by plan, give the result of one machine.
func TestPlanOfDependentPoints(t *testing.T) {
	want, err := peak.Run(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := batch.Options{Journal: filepath.Join(t.TempDir(), "j")}
	hash := ""
	for round, keys := range []int{6, 8, 8} {
		known, err := Known(o.Journal)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := NewPlan(t.Context(), []*Item{&peak, &peak, {Name: "p/empty"}}, Options{Store: NewStore()}, known)
		if err != nil || len(plan.Keys()) != keys || plan.Missing() != keys-len(known) {
			t.Fatalf("round %d: %q, %d are missing, %v", round, plan.Keys(), plan.Missing(), err)
		}
		if hash = cmp.Or(hash, plan.Work().Hash); plan.Work().Hash != hash {
			t.Error("plans of the same items have different hashes, so that their jobs in Slurm would have different names")
		}
		if round == 2 {
			s := NewStore()
			s.Add(known)
			s.Sealed = true
			if got, err := peak.Run(t.Context(), Options{Store: s}); err != nil || got.Rows[0].Ours != want.Rows[0].Ours {
				t.Errorf("%+v, want %+v, %v", got, want, err)
			}
			if !slices.Contains(plan.Keys(), "p/peak: 39") || !slices.Contains(plan.Keys(), "p/peak: 41") {
				t.Errorf("%q", plan.Keys())
			}
			return
		}
		for i := range 3 {
			o.Shard = batch.Shard{I: i + 1, N: 3}
			if _, err := batch.Run(t.Context(), plan.Work(), o); err != nil {
				t.Fatal(err)
			}
		}
		if found, err := batch.Merge(plan.Work(), o); err != nil || found.Missing != nil || len(found.Results) != keys {
			t.Fatalf("%+v, %v", found, err)
		}
	}
}
