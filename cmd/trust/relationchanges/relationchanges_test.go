package relationchanges

import (
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
)

// TestRelationChanges judges random cases. cmd/trust judges 100,000.
func TestRelationChanges(t *testing.T) {
	t.Parallel()
	cases := 200
	if longtest.On() {
		cases = 5_000
	}
	all, err := judgeAll(t.Context(), 1, cases)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range all.wrong {
		if i < 3 {
			t.Error(text)
		}
	}
	t.Log(all.text())
	if all.proved < cases/2 || all.refuted < cases/2 || all.stranded < cases/10 || all.found < cases/4 || all.none < cases/10 {
		t.Errorf("too few cases of a kind: %s", all.text())
	}
	if all.simulated < cases/20 || all.moving > all.simulated/50 {
		t.Errorf("the simulator reaches too few deadlocks: %s", all.text())
	}
}

// TestForged changes certificates at random: the checker accepts none that states something false.
func TestForged(t *testing.T) {
	t.Parallel()
	count := 300
	if longtest.On() {
		count = 10_000
	}
	f, err := forgeAll(t.Context(), 1, count)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range f.wrong {
		if i < 3 {
			t.Error(text)
		}
	}
	t.Log(f.text())
	for name, is := range f.fields {
		if !is && longtest.On() {
			t.Errorf("no change reached the field %s", name)
		}
	}
	if f.accepted < count/30 || f.other > f.accepted/20 {
		t.Errorf("too few accepted, or too many that are not judged: %s", f.text())
	}
}

// TestDropsAtSomeTime: a packet that the switch drops by the entries of now is not frozen, although other entries would let it wait.
func TestDropsAtSomeTime(t *testing.T) {
	const seed, k = 20261130, 6950
	x := &tally{cases: k}
	if err := x.judge(t.Context(), draw(rand.New(rand.NewPCG(seed, k))), false, true); err != nil {
		t.Error(err)
	}
}
