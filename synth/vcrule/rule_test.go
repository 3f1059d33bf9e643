package vcrule

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/program"
)

// stirling returns the number of partitions of a set of n elements into k parts (Stirling numbers of the second kind).
func stirling(n, k int) int {
	switch {
	case n == k:
		return 1
	case k == 0 || k > n:
		return 0
	}
	return k*stirling(n-1, k) + stirling(n-1, k-1)
}

// TestRules: a rule that uses all VCs, up to their numbers, is a partition of its cases.
func TestRules(t *testing.T) {
	for vcs := 1; vcs <= 3; vcs++ {
		for _, rings := range []bool{true, false} {
			kinds := 1
			if rings {
				kinds = 2
			}
			want := stirling(kinds*(1+vcs), vcs)
			if vcs > 1 {
				want += 2 * stirling(kinds, vcs-1)
			}
			list := rules(vcs, rings)
			seen := map[string]bool{}
			for _, r := range list {
				seen[r.text("def route(cur, dst, inp):\n    return []\n")] = true
			}
			if len(list) != want || len(seen) != want {
				t.Errorf("%d VCs, rings %v: %d rules, %d texts; want %d", vcs, rings, len(list), len(seen), want)
			}
		}
	}
}

// TestProgramsWithRules: each text is a program, and programs to which no rule can be added are refused.
func TestProgramsWithRules(t *testing.T) {
	given := "family = torus(n, m)\n\ndef route(cur, dst, inp):\n    return productive(cur, dst)\n"
	for _, r := range rules(3, true)[:60] {
		if p, err := program.Parse("x.star", r.text(given)); err != nil || p.VCs != 3 {
			t.Fatalf("%v\n%s", err, r.text(given))
		}
	}
	for text, want := range map[string]string{
		given:                    "",
		"vcs = 1\n" + given:      "already assigns VCs",
		"escape = [0]\n" + given: "an escape",
		"family = network()\n\ndef route(cur, dst, inp):\n    return []\n": "for any network",
		strings.ReplaceAll(given, "productive(cur, dst)", "[EJECT]"):       "EJECT",
		given + "\ndef vc_of(a):\n    return a\n":                          "uses the name",
	} {
		p, err := program.Parse("x.star", text)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkProgram(p); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
