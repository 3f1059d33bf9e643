package everysize

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/verify/cert"
)

// TestSomeRank: a packet is permitted some channel of greater rank only if the rank of an output rises.
func TestSomeRank(t *testing.T) {
	text := "family = network()\nvcs = 2\n\ndef route(cur, dst, inp):\n    return [(s, VC) for s in neighbours(cur)]\n"
	for vc, rises := range []bool{false, true} {
		p, err := read(strings.Replace(text, "VC", []string{"0", "1"}[vc], 1), 0)
		if err != nil {
			t.Fatal(err)
		}
		th, err := newNetTheorem(p)
		if err != nil {
			t.Fatal(err)
		}
		e := &cert.EveryNetwork{Ranks: []cert.NetworkRank{{VC: 0, Rank: "0"}, {VC: 1, Rank: "1"}}, Some: true}
		if err := th.readNet(e, false); err != nil {
			t.Fatal(err)
		}
		for i := range th.runs {
			if r := &th.runs[i]; r.class == (NetClass{VC: 0}) && th.noRise(r.class, r.outputs).isTrue() == rises {
				t.Errorf("an output on VC %d: rises %v", vc, !rises)
			}
		}
		if e.Escape = []int32{1}; th.readNet(e, false) == nil {
			t.Error("an escape beside some channel of greater rank is read")
		}
	}
}

// TestSomeTheorem: a certificate with some channel of greater rank does not state a theorem about wormhole switching, nor is it judged for it.
func TestSomeTheorem(t *testing.T) {
	c := &cert.Certificate{Subject: cert.Subject{Switching: "vct", Program: &cert.Program{Name: "some.star",
		Text: "family = network()\n\ndef route(cur, dst, inp):\n    return neighbours(cur)\n"}},
		Claims: []cert.Claim{{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceEveryNetwork,
			Networks: &cert.EveryNetwork{Some: true}}}}
	if text := Theorem(c); text == "" || strings.Contains(text, "wormhole") {
		t.Error(text)
	}
	for switching, want := range map[string]bool{"vct": false, "wormhole": true} {
		c.Subject.Switching = switching
		_, err := ProveNetwork(c, &netReader{&stream{}})
		if got := err != nil && strings.Contains(err.Error(), "under wormhole switching"); got != want {
			t.Errorf("%s: %v", switching, err)
		}
	}
}
