package verify_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/modeltest"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// benchFamilies are tables without and with cycles, over three decades of entries.
func benchFamilies(b *testing.B, run func(*testing.B, *model.Table)) {
	for _, k := range []int{8, 24, 72, 216} {
		t := modeltest.LevelTree(k, k/2, k/2)
		b.Run(fmt.Sprintf("tree/%d", 3*k/2), func(b *testing.B) { run(b, t) })
	}
	for _, k := range []int{8, 16, 32, 64} {
		t := modeltest.Torus(k, 1)
		b.Run(fmt.Sprintf("torus/%dx%d", k, k), func(b *testing.B) { run(b, t) })
	}
}

func benchCheck(b *testing.B, t *model.Table) *verify.Report {
	rep, err := verify.Check(context.Background(), t, verify.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return rep
}

// BenchmarkCheck measures Check on a table in memory, including the independent checker.
func BenchmarkCheck(b *testing.B) {
	benchFamilies(b, func(b *testing.B, t *model.Table) {
		for b.Loop() {
			benchCheck(b, t)
		}
		b.ReportMetric(float64(t.Entries())*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	})
}

// BenchmarkChecker measures the independent checker alone.
func BenchmarkChecker(b *testing.B) {
	benchFamilies(b, func(b *testing.B, t *model.Table) {
		c := benchCheck(b, t).Certificate
		for b.Loop() {
			if err := cert.Check(c); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(t.Entries())*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	})
}
