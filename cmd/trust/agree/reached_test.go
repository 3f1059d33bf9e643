package agree

import "testing"

// TestReached compares the reach of deadlocks with all states of small networks.
func TestReached(t *testing.T) {
	o, record := options(t, 600, 20_000)
	first, end := o.Range(o.Cases)
	n, err := tallyReach(t.Context(), o.Seed, uint64(o.Part)<<32, end-first)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range n.wrong {
		t.Error(text)
	}
	unreachable := n.said["vct, states: proved by unreachable"] + n.said["saf, states: proved by unreachable"]
	if unreachable*300 < n.judged || n.moves < 8 {
		t.Errorf("the relations are too easy: %v, %d moves", n.said, n.moves)
	}
	record("%d random relations and tables; the search over all states did not finish for %d more. Verdicts: %v. "+
		"The longest schedule has %d moves. %d contradict the search, or are open.\n\n", n.judged, n.drawn-n.judged, n.said, n.moves, len(n.wrong))
}
