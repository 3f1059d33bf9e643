package paper

import (
	"context"
	"math"
	"testing"
)

// TestBeside judges claims under two readings side by side: they agree, they differ, and one lacks a row.
func TestBeside(t *testing.T) {
	above := func(quantity string) func(*Result) Finding {
		return Needs([][2]string{{"i", quantity}}, func(v []float64) Finding { return Decide(v[0] > 0, number(v[0])) })
	}
	x := Item{Name: "p/figure-1", Readings: true, Beside: []string{"one", "two"},
		Claims: []Claim{{Statement: "A", Judge: above("q")}, {Statement: "B", Judge: above("only two")}, {Statement: "C", Judge: above("shared")},
			{Statement: "D", Judge: above("only one")}, {Statement: "E", Published: "3", Judge: above("more")}, {Statement: "F", Settled: "Figure 1 decides", Judge: above("q")}},
		Compute: func(_ context.Context, r *Result) error {
			for i, reading := range []string{"one", "two", "three"} {
				if r.Wants(i, reading) {
					r.AddRow("i", "q", reading, math.NaN(), float64(i))
					r.AddRow("i", "more", reading, math.NaN(), float64(i+1))
				}
			}
			r.AddRow("i", "only two", "two", math.NaN(), 1)
			r.AddRow("i", "only one", "one", math.NaN(), 1)
			r.AddRow("i", "shared", "", math.NaN(), 1)
			return nil
		}}
	r, err := x.Run(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.ReadingLine() != "Readings: (a) one; (b) two" || len(r.Tables()) != 2 || r.Others() != 1 {
		t.Errorf("%q, %d tables, %d other readings", r.ReadingLine(), len(r.Tables()), r.Others())
	}
	for i, want := range []string{
		"open A: (a) fails: 0; (b) holds: 1.",
		"open B: not computed in this run. This run has not computed what the claim needs.",
		"holds C: 1.", "holds D: 1.", "holds E: paper 3, ours (a) 1; (b) 2.",
		"fails F: (a) fails: 0; (b) holds: 1. Figure 1 decides."} {
		if j := x.Judge(r)[i]; string(j.Finding.Verdict)+" "+j.Sentence() != want {
			t.Errorf("%s %s, want %s", j.Finding.Verdict, j.Sentence(), want)
		}
	}
	if short := x.Judge(r)[0].Finding.Short(); short != "fails: 0; holds: 1 (by reading)" {
		t.Error(short)
	}
}
