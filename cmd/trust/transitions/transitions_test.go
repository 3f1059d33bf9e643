package transitions

import (
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
)

// TestTransitions judges random cases. cmd/trust judges 100,000.
func TestTransitions(t *testing.T) {
	t.Parallel()
	cases := 300
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
	if all.safe < cases/20 || all.cycles < cases/10 || all.loops < cases/20 || all.found < cases/5 || all.none < cases/5 {
		t.Errorf("too few cases of a kind: %s", all.text())
	}
	if all.simulated < cases/10 || all.moving > all.simulated/50 {
		t.Errorf("the simulator reaches too few deadlocks: %s", all.text())
	}
}
