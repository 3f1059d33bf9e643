package parametric

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// TestEveryDimension: the published programs that correct one dimension after another are proved in one dimension for every number of them.
func TestEveryDimension(t *testing.T) {
	needZ3(t)
	for path, theorem := range map[string]string{
		"e-cube.hypercube.star":   "on every hypercube, the routing",
		"dor.torus.star":          "on every torus(*n), of any number of dimensions, with each side >= 3, the routing",
		"dor.mesh.star":           "on every mesh(*n), of any number of dimensions, with each side >= 2, the routing",
		"dor-position.torus.star": "on every torus(*n), of any number of dimensions",
		"dor.hyperx.star":         "on every hyperx(*n), of any number of dimensions",
		"valiant.hyperx.star":     "on every hyperx(*n), of any number of dimensions",
		"dimwar.hyperx.star":      "on every hyperx(*n), of any number of dimensions",
	} {
		if !strings.HasPrefix(path, "e-cube") && !strings.HasPrefix(path, "dor.") && !long() {
			continue
		}
		r := proved(t, bundled(t, path), Options{Dims: 1})
		if !r.EveryDimension {
			t.Errorf("%s: in one dimension only", path)
			continue
		}
		c := certified(t, r)
		if text := everysize.Theorem(c); !strings.HasPrefix(text, theorem) {
			t.Errorf("%s: %s", path, text)
		}
		if *update && path == "dor.torus.star" {
			var file bytes.Buffer
			if err := cert.Write(&file, c); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile("../cert/everysize/testdata/dor.torus-every.cert", file.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if r.Dims = 2; c.Subject.Program.Dims == 1 {
			c.Subject.Program.Dims = 2
			if cert.Check(c) == nil {
				t.Errorf("%s: evidence for one dimension is accepted for two", path)
			}
		}
	}
	for _, path := range []string{"negative-first.mesh.star", "vlan-dor.mesh.star", "duato.hyperx.star", "omniwar.hyperx.star"} {
		if path != "negative-first.mesh.star" && !long() {
			continue
		}
		if r := proved(t, bundled(t, path), Options{Dims: 1}); r.EveryDimension {
			t.Errorf("%s: for every number of dimensions", path)
		}
	}
}

// TestEveryDimensionAtRandom changes programs. One that is proved for every number of dimensions is right on small networks of two and three.
func TestEveryDimensionAtRandom(t *testing.T) {
	needZ3(t)
	count, everywhere := 12, 0
	if long() {
		count = 1500
	}
	random := rand.New(rand.NewPCG(10, 31))
	var texts []string
	for _, f := range published.All() {
		if everysize.EveryDimension(f.Text) == nil {
			texts = append(texts, f.Text)
		}
	}
	tried := map[string]bool{}
	for range count {
		text := texts[random.IntN(len(texts))]
		for range 1 + random.IntN(2) {
			list := mutants(text)
			text = list[random.IntN(len(list))]
		}
		p, err := program.Parse("p.star", text)
		if err != nil || tried[text] || everysize.EveryDimension(text) != nil {
			continue
		}
		tried[text] = true
		r, err := Prove(t.Context(), p, Options{Dims: 1, Limit: time.Second})
		if err != nil || r.Verdict != verify.Proved || !r.EveryDimension {
			continue
		}
		everywhere++
		for dims := 2; dims <= 3; dims++ {
			f, err := newFamily(p, dims)
			if err != nil {
				t.Fatal(err)
			}
			for _, sides := range f.sizesUpTo(27, 4) {
				n, err := f.network(sides)
				if err != nil {
					t.Fatal(err)
				}
				rel, _, err := p.Relation(t.Context(), n)
				if err != nil {
					t.Errorf("on %v: %v\n%s", sides, err, text)
					continue
				}
				rep, err := verify.Check(t.Context(), rel, verify.Options{Switching: model.Wormhole})
				if err != nil || rep.Verdict() != verify.Proved {
					t.Errorf("proved for every number of dimensions, but on %v: %v\n%s", sides, err, text)
				}
			}
		}
	}
	t.Logf("%d of %d programs", everywhere, len(tried))
}
