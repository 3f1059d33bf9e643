package parametric

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
)

// TestManyPaths: a program with too many paths is undecided, and the reason says why.
func TestManyPaths(t *testing.T) {
	p, err := program.Parse("p.star", "family = mesh(n, m)\n\ndef route(cur, dst, inp):\n    if cur.x % 8 + dst.y % 8 > 20:\n        return []\n"+
		"    return [productive(cur, dst)[0]]\n")
	if err != nil {
		t.Fatal(err)
	}
	before := maxPaths
	defer func() { maxPaths = before }()
	maxPaths = 20
	list, err := ProveOpen(t.Context(), p, Options{Each: true})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	for _, c := range list[0].Claims {
		if c.Verdict != verify.Undecided || !strings.Contains(c.Reason, "too many paths") {
			t.Errorf("%+v", c)
		}
	}
}
