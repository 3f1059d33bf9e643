package program

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/topo"
)

// TestAxisFamilies: wrong declarations of families with axes are errors, and so are networks of other families.
func TestAxisFamilies(t *testing.T) {
	const body = "\n\ndef route(cur, dst, inp):\n    return [towards(cur, dst, 0) or towards(cur, dst, 1)]\n"
	for family, want := range map[string]string{
		"hexgrid(n, m)":                             "",
		"hexgrid(n, n)":                             "",
		"brickwall(4, m)":                           "",
		"express(n, interval = 2)":                  "",
		"express(n, m, k, interval = 3)":            "",
		"hexgrid(n)":                                "two dimensions",
		"hexgrid(*n)":                               "two dimensions",
		"brickwall(n, m, k)":                        "two dimensions",
		"express(n, m)":                             "the length of express links",
		"express(*n, interval = 2)":                 "one size for each dimension",
		"express(n, m, interval = 1)":               "only a torus",
		"express(n, m, interval = n)":               "only a torus",
		"mesh(n, m, interval = 4)":                  "interval is for express",
		"hexgrid(n, m, interval = 4)":               "interval is for express",
		"hexgrid(n, m)\nx = productive":             "no productive",
		"express(n, interval = 2)\ny = distance":    "no distance",
		"brickwall(n, m)\ndef rank(a, b): return 1": "no function rank",
	} {
		_, err := Parse("p.star", "family = "+family+body)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v; want %q", family, err, want)
		}
	}
	families := []string{"hexgrid(n, m)", "brickwall(n, m)", "express(n, m, interval = 2)", "express(n, m, interval = 3)", "mesh(n, m)", "express(n, interval = 2)"}
	for i, spec := range []string{"hexgrid:4x3", "brickwall:4x3", "express:4x3,interval=2", "express:4x3,interval=3", "mesh:4x3", "express:5,interval=2"} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		for k, family := range families {
			p, err := Parse("p.star", "family = "+family+body)
			if err != nil {
				t.Fatal(err)
			}
			sides, err := p.SidesOn(n)
			if (err == nil) != (i == k) || err == nil && sides[0] != 4 && sides[0] != 5 {
				t.Errorf("%s on %s: %v, %v", family, spec, sides, err)
			}
		}
	}
	for _, spec := range []string{"hexgrid:4x3,fail=0-1", "hexgrid:4x3,fail=11", "brickwall:4x3,fail=0-4"} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse("p.star", "family = "+strings.Split(spec, ":")[0]+"(n, m)"+body)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.SidesOn(n); err == nil {
			t.Errorf("%s: accepted", spec)
		}
	}
}
