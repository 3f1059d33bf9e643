package agree

import "testing"

// TestGates compares verdicts on routings with gates with all states of small networks.
func TestGates(t *testing.T) {
	o, record := options(t, 60, 6000)
	states := 1000
	if o.Cases >= 6000 {
		states = 30_000
	}
	first, end := o.Range(o.Cases)
	n, err := tallyGates(t.Context(), o.Seed, uint64(first), uint64(end), states)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range n.wrong {
		t.Error(text)
	}
	for _, text := range n.open {
		t.Logf("undecided: %s", text)
	}
	if n.said["proved by gated-order"]*10 < n.cases || n.said["refuted by gated-configuration"]*100 < n.cases || n.judged*2 < n.cases {
		t.Errorf("the cases are too easy, or too large: %v, %d judged", n.said, n.judged)
	}
	record("%d random routings with gates; the search over all states finished for %d. Verdicts: %v. %d contradict the search. %d are "+
		"undecided. The slowest verdict took %.1f s.\n\n", n.cases, n.judged, n.said, len(n.wrong), len(n.open), n.slowest.Seconds())
}
