package everysize_test

import (
	"testing"

	"github.com/turnproof/turnproof/internal/arithmetic"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// TestUnknownOutputs checks that no claim is proved of a program that the judge cannot run on some packets, also without the claim
// connected: on lines of more than 150 switches these packets go to and fro.
func TestUnknownOutputs(t *testing.T) {
	const begin = "family = mesh(n)\nstates = 2\n\n"
	const route = "def route(cur, dst, inp, state):\n"
	const inject = "def inject(src, dst):\n"
	texts := map[string]string{
		"route": begin + inject + "    return [0]\n\n" + route +
			"    if n > 150:\n        return [E, W] if cur.x * cur.x >= 0 else []\n    return [towards(cur, dst, 0)]\n",
		"inject": begin + inject + "    return [x + 1 - x for x in range(0, src.x + 1)] if n > 150 else [0]\n\n" + route +
			"    return [towards(cur, dst, 0)] if state == 0 else [E, W]\n",
		"": begin + inject + "    return [0]\n\n" + route + "    return [towards(cur, dst, 0)] if state == 0 else [E, W]\n",
	}
	for where, text := range texts {
		for _, claim := range []string{cert.ClaimLivelockFree, cert.ClaimMinimal} {
			c := alongLines(text, claim)
			s := &arithmetic.Search{Limit: 1000}
			_, err := everysize.Prove(c, s)
			if c.Claims[0].Sizes.Proofs = s.Proofs; err == nil {
				err = cert.Check(c)
			}
			if (err == nil) != (where == "") {
				t.Errorf("unknown outputs of %q, %s: %v", where, claim, err)
			}
		}
	}
}

// alongLines returns a certificate without proofs: packets of header state 0 are on the channels of both directions of a line.
func alongLines(text, claim string) *cert.Certificate {
	e := &cert.EverySize{Paths: true, Splits: []cert.SizeSplit{}, Ranks: []cert.SizeRank{}, Escape: "none", Channels: cert.Ints{}, Detour: cert.Ints{}}
	for direction := range 2 {
		e.Classes = append(e.Classes, cert.SizeClass{Direction: direction, Kept: cert.Ints{0}, Group: 2 - direction})
	}
	return &cert.Certificate{Schema: cert.Schema,
		Subject: cert.Subject{Switching: "wormhole", Inputs: []cert.Input{},
			Network: cert.Network{Switches: []string{}, Links: cert.Ints{}, Endpoints: []string{}, Attach: cert.Ints{}},
			Program: &cert.Program{Name: "line", Text: text, Dims: 1}},
		Claims: []cert.Claim{{Claim: claim, Verdict: cert.Proved, Evidence: cert.EvidenceEverySizePaths, Sizes: e}}}
}
