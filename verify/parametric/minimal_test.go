package parametric

import (
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/arithmetic"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// shortest are programs that deliver all packets, with the smallest network on which a path is not a shortest one, or "".
var shortest = []struct{ name, text, network string }{
	{"any shortest path", "family = mesh(n, m)\ndef route(cur, dst, inp):\n    return productive(cur, dst)\n", ""},
	{"any shortest path on a torus", "family = torus(n, m)\ndef route(cur, dst, inp):\n    return productive(cur, dst)\n", ""},
	{"the longer direction of a ring", "family = ring(n)\ndef route(cur, dst, inp):\n    return [E]\n", "ring:3"},
	{"the longer direction of odd rings", `
family = ring(n)
where = [n >= 4]
def route(cur, dst, inp):
    if inp.dir != None:
        return [inp.dir]
    if 2 * (dst.x - cur.x) == n - 1:
        return [W]
    return productive(cur, dst)
`, "ring:5"},
	{"the first hop leads away", `
family = mesh(n, m)
def route(cur, dst, inp):
    if inp.dir == None and cur.x > 0 and cur.x < dst.x:
        return [W]
    return productive(cur, dst)
`, "mesh:3x2"},
	{"aside from 7 on", `
family = mesh(n, m)
where = [m >= 2]
def route(cur, dst, inp):
    if inp.dir == None and n > 6 and cur.x == 5 and dst.x > 5:
        return [W]
    return productive(cur, dst)
`, "mesh:7x2"},
	{"a hexagonal grid", choosing[10].text, ""},
	{"a hexagonal grid without slanted links", "family = hexgrid(n, m)\ndef route(cur, dst, inp):\n    for d in range(2):\n        if cur[d] != dst[d]:\n            return [towards(cur, dst, d)]\n    return []\n", "hexgrid:2x2"},
	{"one dimension of a HyperX network at a time", `
family = hyperx(n, m)
def route(cur, dst, inp):
    return productive(cur, dst)
`, ""},
}

// TestMinimal decides the claim minimal of these programs, and compares the verdicts with all states of small networks. The checker's
// obligations of a wrong claim have no proof.
func TestMinimal(t *testing.T) {
	needZ3(t)
	for _, c := range shortest {
		t.Run(c.name, func(t *testing.T) {
			if strings.Contains(c.name, "ring") || strings.Contains(c.name, "torus") || strings.Contains(c.name, "7") ||
				strings.HasSuffix(c.name, "grid") || strings.HasSuffix(c.name, "away") {
				longtest.Only(t, "the other programs are tried")
			}
			t.Parallel()
			p := parsed(t, "p.star", c.text)
			r, err := Prove(t.Context(), p, Options{Claims: []string{"connected", "minimal"}, Each: true})
			if err != nil {
				t.Fatal(err)
			}
			judgeClaims(t, p, r, 4, map[string]int{})
			if r.Claims[0].Verdict != verify.Proved || len(r.Claims) != 2 || r.Claims[1].Network != c.network || r.Verdict != r.Claims[1].Verdict {
				t.Fatalf("%s %+v; want a refutation on %q", r.Verdict, r.Claims, c.network)
			}
			if c.network == "" {
				certifiedClaims(t, r)
				return
			}
			made, _, err := r.Alone[0].Certificate(t.Context(), []cert.Input{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			made.Claims = append(slices.Clone(made.Claims), cert.Claim{Claim: cert.ClaimMinimal, Verdict: cert.Proved, Evidence: cert.EvidenceEverySize})
			if _, err := everysize.Prove(made, &arithmetic.Search{Limit: 2000}); err == nil || strings.Contains(err.Error(), "subject") {
				t.Errorf("the obligations of a wrong claim have proofs, or none: %v", err)
			}
		})
	}
}

// TestMinimalErrors: a family whose distances are no formula is undecided, and failures are an error.
func TestMinimalErrors(t *testing.T) {
	needZ3(t)
	const east = "def route(cur, dst, inp):\n    return [E]\n"
	o := Options{Claims: []string{"minimal"}, Faults: &Faults{Most: 1}}
	if _, err := Prove(t.Context(), parsed(t, "p.star", "family = mesh(n, m)\n"+east), o); err == nil || !strings.Contains(err.Error(), "with failures") {
		t.Errorf("with failures: %v", err)
	}
	rep, err := Prove(t.Context(), parsed(t, "p.star", "family = brickwall(n, m)\n"+east), Options{Claims: []string{"minimal"}})
	if err != nil {
		t.Fatal(err)
	}
	if c := rep.Claims[0]; c.Verdict != verify.Undecided || !strings.Contains(c.Reason, "distances in brickwall(n, m)") {
		t.Errorf("without a formula of distances: %s %s: %s", c.Name, c.Verdict, c.Reason)
	}
}
