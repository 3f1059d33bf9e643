package topo

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// TestRandomSpecs checks that specs within the documented ranges build a network. The network
// must pass the conformance tests unless failures disconnect it.
func TestRandomSpecs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t)
		n, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range n.Check() {
			t.Error(err)
		}
		if again, err := Parse(spec); err != nil || modeltest.Different(n, again) != nil {
			t.Errorf("%s: %v, %v", spec, err, modeltest.Different(n, again))
		}
		if whole, ok := strings.CutSuffix(spec, ",fail=0"); ok {
			spec = whole
		}
		if n, err = Parse(spec); err != nil {
			t.Fatal(err)
		}
		if len(modeltest.Distances(n, 0)) != n.NumSwitches() {
			t.Errorf("%s is not connected", spec)
		}
	})
}

func drawSpec(t *rapid.T) string {
	num := func(what string, least, most int) int { return rapid.IntRange(least, most).Draw(t, what) }
	sides := func(what string, dims, most int) string {
		list := make([]int, dims)
		for i := range list {
			list[i] = num(what, 1, most)
		}
		return strings.ReplaceAll(dotted(list...), ".", "x")
	}
	f := rapid.SampledFrom(Families()).Draw(t, "family")
	s := f.Name + ":"
	switch f.Name {
	case "mesh", "torus":
		s += sides("side", num("dims", 1, 4), 4)
	case "hyperx":
		s += sides("side", num("dims", 1, 4), 4) + fmt.Sprint(",links=", num("links", 1, 3))
	case "ring", "line", "complete", "star":
		s += fmt.Sprint(num("switches", 1, 12))
	case "hypercube":
		s += fmt.Sprint(num("dimensions", 0, 6))
	case "random":
		n := 2 * num("half the switches", 2, 10)
		least := num("degree", 2, n-1)
		s += fmt.Sprintf("switches=%d,degree=%d,seed=%d,parallel=%v", n, least, num("seed", 0, 99), rapid.Bool().Draw(t, "parallel"))
	case "fattree":
		s += fmt.Sprintf("k=%d,levels=%d", 2*num("k/2", 1, 3), num("levels", 1, 4))
	case "xgft":
		h := num("height", 1, 3)
		s += sides("down", h, 4) + ",up=" + sides("up", h, 3)
	case "fattree-pair":
		s += fmt.Sprintf("k=%d,join=%s,links=%d", 2*num("k/2", 1, 3), rapid.SampledFrom([]string{"top", "middle", "bottom"}).Draw(t, "join"), num("links", 1, 30))
		s += rapid.SampledFrom([]string{"", ",spread=even"}).Draw(t, "spread")
	case "dragonfly":
		a, h := num("a", 1, 4), num("h", 1, 3)
		s += fmt.Sprintf("a=%d,h=%d,g=%d,arrangement=%s", a, h, num("g", 1, a*h+1), rapid.SampledFrom(arrangementNames()).Draw(t, "arrangement"))
	case "slimfly":
		s += fmt.Sprint(rapid.SampledFrom([]int{3, 4, 5, 7, 8, 9}).Draw(t, "q"))
	case "polarfly":
		s += fmt.Sprint(rapid.SampledFrom([]int{2, 3, 4, 5, 7, 8, 9}).Draw(t, "q"))
	case "dragonfly-plus":
		spines, h := num("spines", 1, 4), num("h", 1, 3)
		s += fmt.Sprintf("leaves=%d,spines=%d,h=%d,g=%d", num("leaves", 1, 4), spines, h, num("g", 1, spines*h+1))
		s += ",arrangement=" + rapid.SampledFrom(arrangementNames()).Draw(t, "arrangement")
	case "jellyfish":
		degree := num("degree", 2, 5)
		s += fmt.Sprintf("switches=%d,ports=%d,degree=%d,seed=%d", 2*num("half the switches", 3, 10), degree+num("free", 0, 3), degree, num("seed", 0, 99))
	case "xpander":
		s += fmt.Sprintf("degree=%d,lift=%d,seed=%d", num("degree", 3, 6), num("lift", 1, 6), num("seed", 0, 99))
	case "kautz", "debruijn":
		s += fmt.Sprintf("d=%d,n=%d", num("d", 2, 3), num("n", 1, 4))
	case "hexmesh", "honeycomb":
		s += fmt.Sprintf("%d,wrap=%v", num("size", 1, 5), rapid.Bool().Draw(t, "wrap"))
	case "express":
		s += sides("side", num("dims", 1, 3), 6) + fmt.Sprint(",interval=", num("interval", 2, 4))
	case "hexgrid", "brickwall":
		s += fmt.Sprintf("%dx%d", num("x", 2, 6), num("y", 1, 6))
	case "cmesh":
		s += fmt.Sprintf("%dx%d,express=%v", 2*num("half", 2, 4), 2*num("half", 2, 4), rapid.Bool().Draw(t, "express"))
	case "twisted-torus":
		x := num("x", 2, 6)
		s += fmt.Sprintf("%dx%d,twist=%d", x, num("y", 2, 6), num("twist", 0, x-1))
	case "butterfly":
		s += fmt.Sprintf("k=%d,n=%d", num("k", 2, 3), num("n", 1, 4))
	case "ccc":
		s += fmt.Sprint(num("order", 3, 5))
	case "chiplet":
		x, y, m, n := num("x", 1, 3), num("y", 1, 3), num("m", 1, 4), num("n", 1, 4)
		s += fmt.Sprintf("%dx%d,of=%dx%d,interposer=%dx%d", x, y, m, n, x*num("under x", 1, m), y*num("under y", 1, n))
	default:
		t.Fatalf("no generator for family %s; add a case to drawSpec in model/topo/randomspecs_test.go", f.Name)
	}
	s += fmt.Sprintf(",hosts=%d,vcs=%d", num("hosts", 0, 3), num("vcs", 1, 3))
	if n, err := Parse(s); err == nil && n.NumSwitches() > 1 && rapid.Bool().Draw(t, "failure") {
		s += ",fail=0"
	}
	return s
}

// FuzzParse checks that a spec is refused with a reason or gives a consistent network within
// the limits.
func FuzzParse(f *testing.F) {
	for _, k := range known {
		f.Add(k.spec)
	}
	for _, spec := range []string{"", ":", "torus:8x8,fail=3-4+7", "xgft:4x4,up=1x", "random:switches=9,degree=1-8", "mesh:2x2,holes=0.0+1.0+0.1+1.1", "slimfly:1021", "fattree:k=2,levels=32"} {
		f.Add(spec)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		l := limits{1 << 12, 1 << 14}
		n, err := parse(spec, l)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "topo: ") || len(err.Error()) > 1000 {
				t.Errorf("%.100q: %v", spec, err)
			}
			return
		}
		if !IsSpec(spec) || n.NumSwitches() > l.switches || n.NumChannels() > l.channels {
			t.Errorf("%q: a spec? %d switches, %d channels", spec, n.NumSwitches(), n.NumChannels())
		}
		for _, err := range n.Check() {
			t.Errorf("%q: %v", spec, err)
		}
	})
}

func parsed(t *testing.T, spec string) *model.Network {
	t.Helper()
	n, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
