package verify_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// TestAnyClasses checks that a proof for packets of any class holds for each choice of classes,
// and that a refutation of a choice refutes any class.
func TestAnyClasses(t *testing.T) {
	proofs := 0
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5)
		if n.NumHosts() < 2 {
			t.Skip()
		}
		tab := modeltest.Table(t, n, true)
		m := tab.VCMap()
		if m == nil {
			m = model.NewVCMap(n)
		}
		possible := tab.Possible(m.Distinct(n), m)
		var sets []model.ClassSet
		for i := range tab.Destinations() * n.NumHosts() {
			sets = append(sets, possible(model.HostID(i%n.NumHosts()), model.DestID(i/n.NumHosts())))
		}
		any := tab.Clone()
		any.SetClasses(sets, m)
		whole := verdictOf(t, any)
		for range 4 {
			one := tab.Clone()
			one.SetClasses(drawClasses(t, sets), m)
			if got := verdictOf(t, one); whole == verify.Proved && got != verify.Proved {
				t.Fatalf("any class is proved, a choice is %s", got)
			}
		}
		if whole == verify.Proved {
			proofs++
		}
	})
	if proofs == 0 {
		t.Error("no case is proved")
	}
}

// drawClasses draws one class of each set.
func drawClasses(t *rapid.T, sets []model.ClassSet) []model.ClassSet {
	one := make([]model.ClassSet, len(sets))
	for i, set := range sets {
		if set != 0 {
			k := rapid.IntRange(0, model.MaxClasses-1).Draw(t, "class")
			for set>>k&1 == 0 {
				k = (k + 1) % model.MaxClasses
			}
			one[i] = 1 << k
		}
	}
	return one
}

// verdictOf returns the verdict on deadlock-free.
func verdictOf(t *rapid.T, r model.Relation) verify.Verdict {
	rep, err := verify.Check(context.Background(), r, verify.Options{Switching: model.CutThrough, NoPairs: true})
	if err != nil {
		t.Fatal(err)
	}
	return rep.DeadlockFree.Verdict
}
