package parametric

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// TestEveryDimension: the published programs that correct one dimension after another are proved in one dimension for every number of them, and
// those of the two other forms.
func TestEveryDimension(t *testing.T) {
	needZ3(t)
	for path, theorem := range map[string]string{
		"e-cube.hypercube.star":                "on every hypercube, the routing",
		"dor.torus.star":                       "on every torus(*n), of any number of dimensions, with each side >= 3, the routing",
		"dor.mesh.star":                        "on every mesh(*n), of any number of dimensions, with each side >= 2, the routing",
		"dor-position.torus.star":              "on every torus(*n), of any number of dimensions",
		"dor.hyperx.star":                      "on every hyperx(*n), of any number of dimensions",
		"valiant.hyperx.star":                  "on every hyperx(*n), of any number of dimensions",
		"dimwar.hyperx.star":                   "on every hyperx(*n), of any number of dimensions",
		"negative-first.mesh.star":             "on every mesh(*n), of any number of dimensions",
		"all-but-one-negative-first.mesh.star": "on every mesh(*n), of any number of dimensions",
		"p-cube.hypercube.star":                "on every hypercube, the routing",
		"duato.hypercube.star":                 "on every hypercube, the routing",
		"duato.mesh.star":                      "on every mesh(*n), of any number of dimensions",
		"duato.torus.star":                     "on every torus(*n), of any number of dimensions",
		"duato.hyperx.star":                    "on every hyperx(*n), of any number of dimensions",
	} {
		if !slices.Contains([]string{"e-cube.hypercube.star", "dor.torus.star", "p-cube.hypercube.star", "duato.hypercube.star"}, path) && !long() {
			continue
		}
		r := proved(t, bundled(t, path), Options{Dims: 1, Switching: model.Wormhole})
		if !r.EveryDimension {
			t.Errorf("%s: in one dimension only", path)
			continue
		}
		c := certified(t, r)
		if text := everysize.Theorem(c); !strings.HasPrefix(text, theorem) {
			t.Errorf("%s: %s", path, text)
		}
		if *update && (path == "dor.torus.star" || path == "duato.mesh.star") {
			var file bytes.Buffer
			if err := cert.Write(&file, c); err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(path, ".star") + "-every.cert"
			if err := os.WriteFile(filepath.Join("../cert/everysize/testdata", name), file.Bytes(), 0o666); err != nil {
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
	for _, path := range []string{"vlan-dor.mesh.star", "omniwar.hyperx.star"} {
		if path != "omniwar.hyperx.star" && !long() {
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
	count, everywhere := longtest.Cases(6, 1500), 0
	random := rand.New(rand.NewPCG(10, 31))
	var texts []string
	for _, f := range published.All() {
		_, err := everysize.EveryDimension(f.Text, nil)
		_, err2 := everysize.EveryDimension(f.Text, [][2]int{{0, 1}})
		if err == nil || err2 == nil {
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
		if err != nil || tried[text] {
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

// TestEveryDimensionSmall checks the published programs of these forms in up to five dimensions, under wormhole switching.
func TestEveryDimensionSmall(t *testing.T) {
	for path, specs := range map[string]string{
		"duato.hypercube.star":                 "hypercube:1 hypercube:2 hypercube:3 hypercube:4 hypercube:5",
		"p-cube.hypercube.star":                "hypercube:1 hypercube:2 hypercube:3 hypercube:4 hypercube:5",
		"duato.mesh.star":                      "mesh:7 mesh:5x4 mesh:3x3x2 mesh:2x2x3x2 mesh:2x2x2x2x2",
		"negative-first.mesh.star":             "mesh:7 mesh:5x4 mesh:3x3x2 mesh:2x2x3x2 mesh:2x2x2x2x2",
		"all-but-one-negative-first.mesh.star": "mesh:7 mesh:5x4 mesh:3x3x2 mesh:2x2x3x2 mesh:2x2x2x2x2",
		"duato.torus.star":                     "torus:7 torus:5x4 torus:3x4x3 torus:3x3x3x3",
		"duato.hyperx.star":                    "hyperx:7 hyperx:4x3 hyperx:3x2x3 hyperx:2x2x3x2 hyperx:2x2x2x2x2",
	} {
		p := bundled(t, path)
		for spec := range strings.FieldsSeq(specs) {
			n, err := topo.Parse(spec)
			if err != nil {
				t.Fatal(err)
			}
			if n.NumSwitches() > 36 && !long() {
				continue
			}
			rel, _, err := p.Relation(t.Context(), n)
			if err != nil {
				t.Fatal(err)
			}
			rep, err := verify.Check(t.Context(), rel, verify.Options{Switching: model.Wormhole})
			if err != nil || rep.Verdict() != verify.Proved {
				t.Errorf("%s on %s: %v", path, spec, err)
			}
		}
	}
}
