package parametric

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/verify"
)

// TestUnknownOutputs checks that a program that cannot be run on symbols for large sizes has no proved claim, also without the claim
// connected. On mesh:151 packets go to and fro.
func TestUnknownOutputs(t *testing.T) {
	needZ3(t)
	const begin = "family = mesh(n)\n\ndef route(cur, dst, inp):\n    if n > 150:\n        return "
	const end = "\n    return [towards(cur, dst, 0)]\n"
	for _, output := range []string{"[E, W] if cur.x * cur.x >= 0 else []", "[E, W] if len(range(cur.x + 1)) > 0 else []"} {
		for _, claims := range [][]string{{"deadlock-free"}, {"livelock-free"}, {"minimal"}} {
			r, err := Prove(t.Context(), parsed(t, "unknown.star", begin+output+end), Options{Claims: claims})
			if err == nil || !strings.Contains(err.Error(), "n = 151") {
				t.Errorf("%s, %s: %v", output, claims, err)
			}
			if r != nil && r.Verdict == verify.Proved {
				t.Errorf("%s: %s is proved", output, claims)
			}
		}
	}
}
