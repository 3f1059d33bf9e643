package local

import (
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

const shortest = "family = network()\n\ndef route(cur, dst, inp):\n    return productive(cur, dst)\n"

// TestPaths: connected and livelock-free are proved although some network has a deadlock, and the checker accepts no certificate that says more.
func TestPaths(t *testing.T) {
	p, err := program.Parse("shortest.star", shortest)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Prove(t.Context(), p, Options{Switches: 4})
	if err != nil {
		t.Fatal(err)
	}
	if got := verdicts(r); got != "RPP" || !r.Paths || len(r.Ranks) > 0 {
		t.Fatalf("%s, %+v", got, r.Claims)
	}
	for name, change := range map[string]func(c *cert.Certificate){
		"deadlock-free beside it": func(c *cert.Certificate) {
			c.Claims = slices.Insert(c.Claims, 0, cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceEveryNetwork})
		},
		"deadlock-free in its place": func(c *cert.Certificate) { c.Claims[0].Claim = cert.ClaimDeadlockFree },
		"deadlock-free with ranks": func(c *cert.Certificate) {
			c.Claims[0].Claim, c.Claims[0].Evidence = cert.ClaimDeadlockFree, cert.EvidenceEveryNetwork
			c.Claims[0].Networks.Ranks = []cert.NetworkRank{{VC: 0, Rank: "0"}}
		},
		"ranks":             func(c *cert.Certificate) { c.Claims[0].Networks.Ranks = []cert.NetworkRank{{VC: 0, Rank: "0"}} },
		"an escape":         func(c *cert.Certificate) { c.Claims[0].Networks.Escape = cert.Ints{0} },
		"some greater rank": func(c *cert.Certificate) { c.Claims[0].Networks.Some = true },
		"not covered":       func(c *cert.Certificate) { c.Claims[0].Networks.Connected = false },
		"evidence twice": func(c *cert.Certificate) {
			c.Claims[1].Evidence, c.Claims[1].Networks = c.Claims[0].Evidence, c.Claims[0].Networks
		},
		"another measure": func(c *cert.Certificate) {
			for i := range c.Claims[0].Networks.Classes {
				c.Claims[0].Networks.Classes[i].Measure = "cur.id"
			}
		},
		"a program with loops": func(c *cert.Certificate) {
			c.Subject.Program.Text = strings.Replace(shortest, "productive(cur, dst)", "neighbours(cur)", 1)
		},
		"a program that loses packets": func(c *cert.Certificate) {
			c.Subject.Program.Text = strings.Replace(shortest, "productive(cur, dst)", "productive(cur, dst) if cur.id > 9 else []", 1)
		},
	} {
		c := *r.Certificate
		program, networks := *c.Subject.Program, *c.Claims[0].Networks
		networks.Classes = slices.Clone(networks.Classes)
		c.Subject.Program, c.Claims = &program, slices.Clone(c.Claims)
		c.Claims[0].Networks = &networks
		if change(&c); cert.Check(&c) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := cert.Check(r.Certificate); err != nil {
		t.Error(err)
	}
}

// TestChosenClaims: only the claims that were asked for are decided. Whether a packet returns to a switch matters to all of them.
func TestChosenClaims(t *testing.T) {
	for text, want := range map[string]map[string]string{
		shortest: {cert.ClaimDeadlockFree: "R", cert.ClaimConnected: "P", cert.ClaimLivelockFree: "P"},
		strings.Replace(shortest, "productive(cur, dst)", "neighbours(cur)", 1): {cert.ClaimDeadlockFree: "R", cert.ClaimConnected: "U", cert.ClaimLivelockFree: "R"},
		strings.Replace(shortest, "productive(cur, dst)", "[]", 1):              {cert.ClaimDeadlockFree: "P", cert.ClaimConnected: "R", cert.ClaimLivelockFree: "P"},
		strings.Replace(shortest, "productive(cur, dst)", "[s for s in productive(cur, dst) if s.to.id > cur.id]", 1): {
			cert.ClaimDeadlockFree: "P", cert.ClaimConnected: "R", cert.ClaimLivelockFree: "P"},
	} {
		p, err := program.Parse("chosen.star", text)
		if err != nil {
			t.Fatal(err)
		}
		for _, claim := range AllClaims {
			r, err := Prove(t.Context(), p, Options{Switches: 4, Claims: []string{claim}})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Claims) != 1 || r.Claims[0].Name != claim || verdicts(r) != want[claim] {
				t.Errorf("%s: %+v\n%s", claim, r.Claims, text)
			}
			if r.Claims[0].Verdict == verify.Proved && r.Certificate.Claim(claim) == nil {
				t.Errorf("%s: the certificate does not state the claim", claim)
			}
		}
	}
}
