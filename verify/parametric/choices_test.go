package parametric

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/arithmetic"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// choosing are programs with the smallest networks that refute deterministic and fully-adaptive, or "" where the claim is proved.
var choosing = []struct{ name, text, deterministic, adaptive string }{
	{"dimension order", `
family = mesh(n, m)
def route(cur, dst, inp):
    for d in range(2):
        if cur[d] != dst[d]:
            return [towards(cur, dst, d)]
    return []
`, "", "mesh:2x2"},
	{"west-first", `
family = mesh(n, m)
def route(cur, dst, inp):
    return [W] if dst.x < cur.x else productive(cur, dst)
`, "mesh:2x2", "mesh:2x2"},
	{"any shortest path of a torus", `
family = torus(n, m)
def route(cur, dst, inp):
    return productive(cur, dst)
`, "torus:3x3", ""},
	{"an escape that packets leave", `
family = mesh(n, m)
vcs = 2
def route(cur, dst, inp):
    out = [(a, 1) for a in productive(cur, dst)]
    return out + [(out[0][0], 0)]
`, "mesh:2x2,vcs=2", ""},
	{"an escape that packets stay on", `
family = mesh(n, m)
vcs = 2
def route(cur, dst, inp):
    out = [(a, 1) for a in productive(cur, dst)]
    if inp.dir != None and inp.vc == 0:
        return [(out[0][0], 0)]
    return out + [(out[0][0], 0)]
`, "mesh:2x2,vcs=2", ""},
	{"one direction of the ring on a tie", `
family = ring(n)
def route(cur, dst, inp):
    return [towards(cur, dst, 0)]
`, "", "ring:4"},
	{"both directions of the ring on a tie", `
family = ring(n)
def route(cur, dst, inp):
    return productive(cur, dst)
`, "ring:4", ""},
	{"a line", `
family = line(n)
def route(cur, dst, inp):
    return productive(cur, dst)
`, "", ""},
	{"the order of dimensions is drawn", `
family = mesh(n, m)
vcs = 2
states = 2
def inject(src, dst):
    return [0, 1]
def route(cur, dst, inp, state):
    for k in range(2):
        d = k if state == 0 else 1 - k
        if cur[d] != dst[d]:
            return [(towards(cur, dst, d), state)]
    return []
`, "mesh:2x2,vcs=2", "mesh:3x2,vcs=2"},
	{"a draw for distant destinations only", `
family = line(n)
states = 2
def inject(src, dst):
    return [0, 1] if dst.x > src.x + 4 else [0]
def route(cur, dst, inp, state):
    return [(towards(cur, dst, 0), 0, state)]
`, "line:6", ""},
	{"hexagonal grid", `
family = hexgrid(n, m)
def route(cur, dst, inp):
    dx = dst.x - cur.x
    dy = dst.y - cur.y
    out = []
    if dx < 0 and dy > 0:
        out = [U]
    elif dx > 0 and dy < 0:
        out = [D]
    if dx > 0 and dx + dy > 0:
        out.append(E)
    if dx < 0 and dx + dy < 0:
        out.append(W)
    if dy > 0 and dx + dy > 0:
        out.append(N)
    if dy < 0 and dx + dy < 0:
        out.append(S)
    return out
`, "hexgrid:2x2", ""},
	{"any hop to the value", `
family = hyperx(n, m)
def route(cur, dst, inp):
    return productive(cur, dst)
`, "hyperx:2x2", ""},
	{"a detour in a HyperX network", `
family = hyperx(n)
vcs = 2
def route(cur, dst, inp):
    return [(to(0, dst.x), 1)] if inp.dim == 0 else [(deroutes(0), 0), (to(0, dst.x), 1)]
`, "hyperx:3,vcs=2", ""},
	{"only a detour in a HyperX network", `
family = hyperx(n)
where = [n <= 3]
vcs = 2
def route(cur, dst, inp):
    return [(to(0, dst.x), 1)] if inp.dim == 0 or n == 2 else [(deroutes(0), 0)]
`, "", "hyperx:3,vcs=2"},
	{"no choice up to 6", `
family = mesh(n, m)
where = [m >= 2]
def route(cur, dst, inp):
    if n > 6 and cur.x == 5 and dst.x > 5 and dst.y > cur.y:
        return [E, N]
    for d in range(2):
        if cur[d] != dst[d]:
            return [towards(cur, dst, d)]
    return []
`, "mesh:7x2", "mesh:2x2"},
	{"a choice that is missing at the border", `
family = mesh(n, m)
def route(cur, dst, inp):
    if cur.x == n - 1:
        return [E, W] if dst.x < cur.x else [N if dst.y > cur.y else S]
    for d in range(2):
        if cur[d] != dst[d]:
            return [towards(cur, dst, d)]
    return []
`, "", "mesh:2x2"},
	{"packets are lost at the border from 9 on", `
family = line(n)
def route(cur, dst, inp):
    return productive(cur, dst) + ([E] if n > 8 and cur.x == n - 1 else [])
`, "", "line:9"},
	{"packets are delivered at 8", `
family = line(n)
vcs = 2
def route(cur, dst, inp):
    out = [] if cur == dst else productive(cur, dst)
    return out + [EJECT] if cur == dst or cur.x == 8 and dst.x == 0 else out
`, "line:2,vcs=2", "line:9,vcs=2"},
	{"packets are lost at 8", `
family = hyperx(n)
def route(cur, dst, inp):
    return productive(cur, dst) + ([to(0, n)] if cur.x == 8 else [])
`, "", "hyperx:9"},
}

// TestChoices decides deterministic and fully-adaptive of these programs. The verdicts agree with all states of small networks. The obligations
// of a wrong claim have no proof.
func TestChoices(t *testing.T) {
	needZ3(t)
	for i, c := range choosing {
		t.Run(c.name, func(t *testing.T) {
			if i%4 != 0 {
				longtest.Only(t, "the other programs are tried")
			}
			t.Parallel()
			p := parsed(t, "p.star", c.text)
			for claim, network := range map[string]string{"deterministic": c.deterministic, "fully-adaptive": c.adaptive} {
				r, err := Prove(t.Context(), p, Options{Claims: []string{claim}, Each: true})
				if err != nil {
					t.Fatal(err)
				}
				judgeClaims(t, p, r, 4, map[string]int{})
				if len(r.Claims) != 1 || r.Claims[0].Network != network || (r.Verdict == verify.Proved) != (network == "") || r.Verdict != r.Claims[0].Verdict {
					t.Errorf("%s %+v; want a refutation on %q", r.Verdict, r.Claims, network)
				}
				if r.Verdict == verify.Proved {
					certifiedClaims(t, r)
				}
			}
		})
	}
}

// liars are programs for which a claim is wrong, each for another reason. The checker's obligations must have no proof, even if all classes
// are adaptive.
var liars = []struct{ name, claim, text string }{
	{"the first hop has no choice", "fully-adaptive", `
family = mesh(n, m)
def route(cur, dst, inp):
    out = productive(cur, dst)
    return out if inp.dir != None else [out[0]]
`},
	{"only the first hop has a choice", "fully-adaptive", `
family = mesh(n, m)
def route(cur, dst, inp):
    out = productive(cur, dst)
    return out if inp.dir == None else [out[0]]
`},
	{"a source without a state", "fully-adaptive", `
family = line(n)
def inject(src, dst):
    return [0] if src.x < 4 else []
def route(cur, dst, inp):
    return productive(cur, dst)
`},
	{"a hop over the border", "fully-adaptive", `
family = line(n)
def route(cur, dst, inp):
    return productive(cur, dst) + ([E] if cur.x == n - 1 else [])
`},
	{"a hop to no value", "fully-adaptive", `
family = hyperx(n)
def route(cur, dst, inp):
    return productive(cur, dst) + ([to(0, n)] if cur.x == 0 else [])
`},
	{"delivery at another switch", "fully-adaptive", `
family = line(n)
def route(cur, dst, inp):
    out = [] if cur == dst else productive(cur, dst)
    return out + [EJECT] if cur == dst or cur.x == 1 else out
`},
	{"a slanted link is missing", "fully-adaptive", `
family = hexgrid(n, m)
def route(cur, dst, inp):
    out = []
    if dst.x != cur.x:
        out.append(towards(cur, dst, 0))
    if dst.y != cur.y:
        out.append(towards(cur, dst, 1))
    return out
`},
	{"a draw", "deterministic", `
family = line(n)
states = 2
def inject(src, dst):
    return [0, 1]
def route(cur, dst, inp, state):
    return [(towards(cur, dst, 0), 0, state)]
`},
	{"two VCs", "deterministic", `
family = line(n)
vcs = 2
def route(cur, dst, inp):
    return [towards(cur, dst, 0)]
`},
	{"delivery or a hop", "deterministic", `
family = line(n)
states = 2
def route(cur, dst, inp, state):
    if state == 1:
        return [EJECT] if cur == dst else [(towards(cur, dst, 0), 0, 1)]
    if cur == dst:
        return [EJECT, (W, 0, 1)] if cur.x > 0 else [EJECT]
    return [(towards(cur, dst, 0), 0, 0)]
`},
	{"two values", "deterministic", `
family = hyperx(n)
vcs = 2
def route(cur, dst, inp):
    return [(others(0), 0)] if inp.dim == None else [(to(0, dst.x), 1)]
`},
}

// TestWrongChoices: the prover refutes these claims, and the checker's obligations about them have no proof.
func TestWrongChoices(t *testing.T) {
	needZ3(t)
	for _, c := range liars {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := parsed(t, "p.star", c.text)
			wrong, err := Prove(t.Context(), p, Options{Claims: []string{c.claim}})
			if err != nil || wrong.Verdict != verify.Refuted {
				t.Fatalf("%v, %+v", err, wrong)
			}
			judgeClaims(t, p, wrong, 4, map[string]int{})
			r, err := Prove(t.Context(), p, Options{Claims: []string{"livelock-free"}})
			if err != nil || r.Verdict != verify.Proved {
				t.Fatalf("%v, %+v", err, r)
			}
			made, _, err := r.Certificate(t.Context(), []cert.Input{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			lying := *made
			lying.Claims = append(slices.Clone(made.Claims), cert.Claim{Claim: c.claim, Verdict: cert.Proved, Evidence: cert.EvidenceEverySize})
			sizes := *made.Claims[0].Sizes
			lying.Claims[0].Sizes, sizes.Classes = &sizes, slices.Clone(sizes.Classes)
			for i := range sizes.Classes {
				sizes.Classes[i].Adaptive = c.claim == cert.ClaimFullyAdaptive
			}
			kind := map[string]string{"fully-adaptive": "adaptive", "deterministic": "choice"}[c.claim]
			if _, err := everysize.Prove(&lying, &arithmetic.Search{Limit: 2000}); err == nil ||
				!strings.Contains(err.Error(), kind+", ") && !strings.Contains(err.Error(), "inject, ") {
				t.Errorf("the obligations of a wrong claim have proofs, or others have none: %v", err)
			}
		})
	}
}

// TestChoicesTogether: claims that hold are proved together, and others keep their verdicts.
func TestChoicesTogether(t *testing.T) {
	needZ3(t)
	p := parsed(t, "p.star", choosing[0].text)
	r, err := Prove(t.Context(), p, Options{Claims: KnownClaims, Each: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Claims {
		got = append(got, c.Name+" "+string(c.Verdict))
	}
	want := "deadlock-free proved, connected proved, livelock-free proved, minimal proved, deterministic proved, fully-adaptive refuted"
	if strings.Join(got, ", ") != want {
		t.Errorf("%v; want %s", got, want)
	}
	if err := r.Judge(t.Context(), []cert.Input{}, nil); err != nil || r.Unjudged != "" {
		t.Errorf("%v, %s", err, r.Unjudged)
	}
	c, _, err := r.Alone[0].Certificate(t.Context(), []cert.Input{}, nil)
	if err != nil || len(c.Claims) != 5 {
		t.Fatalf("%v, %+v", err, c)
	}
	lying := *c
	lying.Claims = append(slices.Clone(c.Claims), cert.Claim{Claim: cert.ClaimFullyAdaptive, Verdict: cert.Proved, Evidence: cert.EvidenceEverySize})
	if _, err := everysize.Prove(&lying, &arithmetic.Search{Limit: 2000}); err == nil || strings.Contains(err.Error(), "subject") {
		t.Errorf("the obligations of a wrong claim have proofs, or none: %v", err)
	}
}

// TestChoicesAtRandom compares the claims about choices of changed programs with all states of small networks.
func TestChoicesAtRandom(t *testing.T) {
	needZ3(t)
	count := longtest.Cases(4, 400)
	random := rand.New(rand.NewPCG(31, 5))
	verdicts := map[string]int{}
	for range count {
		text := choosing[random.IntN(len(choosing))].text
		for range random.IntN(3) {
			list := mutants("\n" + text)
			text = list[random.IntN(len(list))]
		}
		p, err := program.Parse("p.star", text)
		if err != nil {
			continue
		}
		for _, claim := range ExtraClaims {
			r, err := Prove(t.Context(), p, Options{Limit: time.Second, Claims: []string{claim}})
			if err != nil {
				if strings.Contains(err.Error(), "internal") {
					t.Errorf("%v\n%s", err, text)
				}
				verdicts[claim+" error"]++
				continue
			}
			judgeClaims(t, p, r, 5, verdicts)
			if r.Verdict == verify.Proved {
				certifiedClaims(t, r)
			} else if r.Verdict == verify.Undecided && long() {
				t.Logf("undecided: %s\n%s", r.Claims[0].Reason, text)
			}
		}
	}
	t.Log(verdicts)
}
