package parametric

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
)

// hyperXPrograms are the published programs for HyperX networks.
func hyperXPrograms() (list []published.File) {
	for _, f := range published.All() {
		if f.Family == program.HyperX {
			list = append(list, f)
		}
	}
	return list
}

// TestHyperX: the published programs for HyperX networks are proved in one to three dimensions, with certificates. The short run proves two of
// them; TestCertificatesOfPublished proves two more.
func TestHyperX(t *testing.T) {
	needZ3(t)
	for _, f := range hyperXPrograms() {
		for dims := 1; dims <= 3; dims++ {
			for _, switching := range []model.Switching{model.CutThrough, model.Wormhole} {
				short := dims == 2 && (f.Name == "dor" || f.Name == "valiant")
				if !short && !long() || switching == model.Wormhole && f.Name != "duato" && f.Name != "dal" || dims != 2 && f.Name == "dal" {
					continue
				}
				t.Run(fmt.Sprint(f.Path, dims, switching), func(t *testing.T) {
					t.Parallel()
					p := parsed(t, f.Path, f.Text)
					r := proved(t, p, Options{Dims: dims, Switching: switching})
					certified(t, r)
					most := 4
					if longtest.IsFull() {
						most = 6
					}
					confirm(t, f.Path, p, r, switching, most)
				})
			}
		}
	}
}

// TestWrongHyperX: variants with one VC less, without an escape, or with hops that lead nowhere are refuted by the smallest network.
func TestWrongHyperX(t *testing.T) {
	for name, c := range map[string]struct {
		of, from, to string
		sides, claim string
	}{
		"Valiant with one VC":      {"valiant", "vcs = 2|, 1)", "vcs = 1|, 0)", "[3 2]", "deadlock-free"},
		"DimWAR with one VC":       {"dimwar", "vcs = 2|, 1)", "vcs = 1|, 0)", "[3 2]", "deadlock-free"},
		"DAL with one VC":          {"dal", "vcs = 2|escape = [1]| + [(minimal[0], 1)]", "vcs = 1||", "[2 2]", "deadlock-free"},
		"minimal with one VC":      {"duato", "vcs = 2|escape = [1]| + [(out[0], 1)]", "vcs = 1||", "[2 2]", "deadlock-free"},
		"OmniWAR with three VCs":   {"omniwar", "vcs = 4|inp.vc + 1|> 4", "vcs = 3|min(inp.vc + 1, 2)|> 9", "[3 2]", "livelock-free"},
		"DAL without memory":       {"dal", ", state + 1 + a.dim", "", "[3 2]", "livelock-free"},
		"OmniWAR without a margin": {"omniwar", "< 4", "<= 4", "[3 2]", "connected"},
		"only deroutes":            {"dor", "to(d, dst[d])", "deroutes(d)", "[2 2]", "connected"},
		"a hop to itself":          {"dor", "to(d, dst[d])", "to(0, dst[0])", "[2 2]", "connected"},
		"over the last value":      {"dor", "to(d, dst[d])", "to(d, cur[d] + 1)", "[2 2]", "connected"},
	} {
		text := ""
		for _, f := range hyperXPrograms() {
			if f.Name == c.of {
				text = f.Text
			}
		}
		from, to := strings.Split(c.from, "|"), strings.Split(c.to, "|")
		for i := range from {
			if !strings.Contains(text, from[i]) {
				t.Fatalf("%s: no %q", name, from[i])
			}
			text = strings.ReplaceAll(text, from[i], to[i])
		}
		r, err := Prove(t.Context(), parsed(t, "p.star", text), Options{})
		if err != nil || r.Verdict != verify.Refuted {
			t.Errorf("%s: %v %+v", name, err, r)
			continue
		}
		claim := ""
		for _, x := range r.Claims {
			if x.Verdict == verify.Refuted {
				claim = x.Name
			}
		}
		if fmt.Sprint(r.Witness.Sides) != c.sides || claim != c.claim {
			t.Errorf("%s: %s is refuted on %v; want %s on %s", name, claim, r.Witness.Sides, c.claim, c.sides)
		}
	}
}

// TestOntoInRanks: a rank can use the values that hops lead to.
func TestOntoInRanks(t *testing.T) {
	needZ3(t)
	text := "family = hyperx(n)\n\ndef route(cur, dst, inp):\n    return [to(0, cur[0] + 1 if cur[0] < dst[0] else dst[0])]\n"
	p := parsed(t, "p.star", text)
	r := proved(t, p, Options{})
	certified(t, r)
	confirm(t, "rising values", p, r, model.CutThrough, 6)
	for _, text := range []string{
		"family = hyperx(n, m)\ndef rank(at, out):\n    return 1\ndef route(cur, dst, inp):\n    return []\n",
		"family = hyperx(n, 1)\ndef route(cur, dst, inp):\n    return []\n",
		"family = hyperx(n)\nwhere = [n >= 1]\ndef route(cur, dst, inp):\n    return []\n",
	} {
		if _, err := program.Parse("p.star", text); err == nil {
			t.Errorf("accepted: %s", text)
		}
	}
}

// TestHyperXAtRandom changes programs for HyperX networks. A program that is proved is right on small networks, and has a certificate.
func TestHyperXAtRandom(t *testing.T) {
	needZ3(t)
	count := longtest.Cases(6, 60)
	random := rand.New(rand.NewPCG(9, 31))
	verdicts := map[string]int{}
	programs := hyperXPrograms()
	for range count {
		f := programs[random.IntN(len(programs))]
		text := f.Text
		for range 1 + random.IntN(2) {
			list := mutants(text)
			text = list[random.IntN(len(list))]
		}
		judgeProgram(t, random, verdicts, text, 5)
	}
	t.Log(verdicts)
}
