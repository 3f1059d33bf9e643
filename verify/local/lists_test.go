package local

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/netprograms"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"

	"github.com/turnproof/turnproof/model"
)

// TestRandomLists: what is proved of random programs with tests on lists, counters and loops with several returns holds on all connected graphs of
// up to 5 switches, 6 in the long run, also with other numbers of the switches.
func TestRandomLists(t *testing.T) {
	var graphs []netprograms.Graph
	most := 4
	if longtest.On() {
		most = 6
	}
	for n := 2; n <= most; n++ {
		graphs = append(graphs, netprograms.Graphs(n)...)
	}
	r := rand.New(rand.NewPCG(46, 4))
	proved, judged := map[string]int{}, 0
	for k := range longtest.Share(500, 100) {
		shape := []netprograms.Shape{netprograms.Shortest, netprograms.Shortest, netprograms.Descent, netprograms.Complete, netprograms.Free}[k%5]
		text := netprograms.Random(r, netprograms.Options{VCs: 1 + k/5%2, Tree: k%3 == 0, Shape: shape})
		p, err := program.Parse("random.star", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		report, err := Prove(t.Context(), p, Options{Switches: 3, Switching: model.Wormhole, cost: mostCost / 500})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, c := range report.Claims {
			if c.Verdict == verify.Proved {
				proved[c.Name]++
			}
		}
		if !strings.Contains(verdicts(report), "P") {
			continue
		}
		for _, g := range graphs {
			g = g.Renumbered(r)
			n := build(t, g.Switches, p.VCs, g.Links)
			if p.Fits(n) != nil {
				continue
			}
			judged++
			fails := judge(t, p, n)
			for _, c := range report.Claims {
				if c.Verdict == verify.Proved && fails[c.Name] {
					t.Errorf("%s is proved, and fails on %d switches, links %v\n%s", c.Name, g.Switches, g.Links, text)
				}
			}
		}
	}
	t.Logf("proved %v, judged %d networks", proved, judged)
	for _, claim := range AllClaims {
		if proved[claim] == 0 && (claim != cert.ClaimDeadlockFree || longtest.On()) {
			t.Errorf("%s is proved of no program", claim)
		}
	}
}
