package cert_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/summary"
)

// TestSummaryPremises: a summary names the premises of each kind of evidence.
func TestSummaryPremises(t *testing.T) {
	for _, c := range []struct {
		switching, claim, evidence, says string
		not                              bool
	}{
		{"wormhole", ClaimDeadlockFree, EvidenceEscape, "only when it is empty, or has room for all of it", false},
		{"wormhole", ClaimDeadlockFree, EvidenceEscape, "waits for any VC permitted", false},
		{"wormhole", ClaimDeadlockFree, EvidenceAcyclic, "only when it is empty", true},
		{"wormhole", ClaimDeadlockFree, EvidenceWorms, "flits of one packet at a time", false},
		{"wormhole", ClaimDeadlockFree, EvidenceConfiguration, "short enough", false},
		{"vct", ClaimDeadlockFree, EvidenceConfiguration, "short enough", true},
		{"vct", ClaimDeadlockFree, EvidenceElimination, "a buffer holds whole packets", false},
		{"vct", ClaimDeadlockFree, EvidenceGatedOrder, "8 flits, and a buffer has room for 15", false},
		{"vct", ClaimMessages, EvidenceSharedNetwork, "any class to any other", false},
		{"vct", ClaimMessages, EvidenceNetworks, "queues of their own", false},
		{"vct", ClaimMessages, EvidenceNetworks, "any class to any other", true},
	} {
		text := summary.Text(&Certificate{Subject: Subject{Switching: c.switching, Gates: &Gates{Packet: 8, Buffer: 15}}, Claims: []Claim{{Claim: c.claim, Evidence: c.evidence}}})
		if strings.Contains(text, c.says) == c.not {
			t.Errorf("%s, %s: %q: %v\n%s", c.switching, c.evidence, c.says, !c.not, text)
		}
	}
}

// TestSummaryOfFamilies checks that a summary names a family as the command enumerate does.
func TestSummaryOfFamilies(t *testing.T) {
	for want, f := range map[string]Family{
		"family mesh:2\n": {Kind: "mesh", Dims: 2, VCs: 1}, "family torus:1,vcs=2,rule=keep\n": {Kind: "torus", Dims: 1, VCs: 2, Rule: "keep"},
		"family hv, tree any\n": {Kind: "hv", Tree: "any"}, "family updown\n": {Kind: "updown"},
	} {
		if text := summary.Text(&Certificate{Subject: Subject{Family: &f}}); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestSummaryOfUnjudged checks that certificates which Check rejects are described as well.
func TestSummaryOfUnjudged(t *testing.T) {
	for _, word := range someWords {
		c := &Certificate{Claims: []Claim{{Claim: ClaimDeadlockFree, Evidence: word}, {Claim: ClaimMessages, Evidence: word}}}
		if summary.Text(c) == "" {
			t.Errorf("nothing of %q", word)
		}
	}
}

// TestSummaries holds what is said of the kept certificates, and of the stories, against a file.
func TestSummaries(t *testing.T) {
	const golden = "testdata/summaries.txt"
	var b strings.Builder
	tell := func(name string, c *Certificate) { fmt.Fprintf(&b, "== %s\n%s\n", name, summary.Text(c)) }
	for _, name := range keptNames(t) {
		tell(name, kept(t, name))
	}
	for _, s := range stories {
		tell(s.name, certify(s.subject()))
	}
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, file := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(file)) {
		if i >= len(got) || i >= len(file) || got[i] != file[i] {
			t.Fatalf("%s:%d: %q, got %q; if that is meant, -update rewrites the file", golden, i+1, file[min(i, len(file)-1)], got[min(i, len(got)-1)])
		}
	}
}
