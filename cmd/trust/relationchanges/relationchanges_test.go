package relationchanges

import (
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
