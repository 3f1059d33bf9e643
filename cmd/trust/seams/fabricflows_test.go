package seams

import (
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
)

// TestFabricFlows judges fabrics of which some pairs of hosts talk, with management traffic.
func TestFabricFlows(t *testing.T) {
	said := map[string]int{}
	first := fromEnvironment("TURNPROOF_FIRST", 0)
	for k := first; k < first+fromEnvironment("TURNPROOF_CASES", longtest.Cases(uint64(60), 3000)); k++ {
		r := newDrawer(49, k)
		l := fabricLine(r)
		l.Options = slices.DeleteFunc(l.Options, func(o Option) bool { return !slices.Contains([]string{"multicast", "sl", "sl2vl"}, o.Flag) })
		for !l.has("flows") {
			addFlows(r, l, l.fabric.hostNames())
		}
		l.add("management", pick(r, "hosts", "all"))
		l.Sims = nil
		res, err := judgeLine(t.Context(), t.TempDir(), l)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range res.found {
			t.Errorf("case %d: %s: %s\n%s", k, f.judge, f.text, l)
		}
		if res.code == 2 {
			said["refused"]++
			continue
		}
		verdict := res.answer.claim("deadlock-free").Verdict
		said[verdict]++
		m, _ := l.value("management")
		isCyclic := func(pairs map[[2]int]bool, management string) bool {
			return l.fabric.graph(fabricTraffic{management: management, isMulticast: !l.has("multicast"), pairs: pairs}).hasCycle()
		}
		flows, _ := l.value("flows")
		pairs := l.fabric.pairsOf(l, flows)
		switch {
		case verdict == "proved" && isCyclic(nil, m):
			said["proved, not for all pairs"]++
		case verdict == "refuted" && !isCyclic(map[[2]int]bool{}, m):
			said["refuted, not without the pairs"]++
		case verdict == "refuted" && !isCyclic(pairs, "none"):
			said["refuted, not without management"]++
		}
	}
	t.Log(said)
	if said["proved"] < 10 || said["refuted"] < 5 || said["proved, not for all pairs"]+said["refuted, not without management"] < 4 {
		t.Error("the test is too weak")
	}
}
