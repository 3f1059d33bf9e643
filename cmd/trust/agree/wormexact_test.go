package agree

import "testing"

// TestWormsExact compares verdicts on worms of any lengths with all states of small networks.
func TestWormsExact(t *testing.T) {
	o, record := options(t, 300, 20_000)
	first, end := o.Range(o.Cases)
	n, err := tallyExact(t.Context(), o.Seed, uint64(o.Part)<<32, end-first)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range n.wrong {
		t.Error(text)
	}
	if n.longest < 4 || n.said["proved by no-worms"]*100 < n.judged || n.said["refuted by worms"]*100 < n.judged {
		t.Errorf("the relations are too easy: %v, longest worm %d", n.said, n.longest)
	}
	record("%d random relations under wormhole switching; the search over all states did not finish for %d more. "+
		"Worms of up to %d VCs and longer. Verdicts: %v. %d contradict the search, or are undecided.\n\n",
		n.judged, n.drawn-n.judged, mostLong, n.said, len(n.wrong))
}
