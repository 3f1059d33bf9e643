package local

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
)

// TestLoops: nothing is proved of programs whose loops return at a wrong element on large networks only.
func TestLoops(t *testing.T) {
	complete := "family = network()\n\ndef premise(u, v):\n    return u == v or v in neighbours(u)\n\ndef route(cur, dst, inp):\n"
	tree := "family = network()\n\ndef route(cur, dst, inp):\n    if below(dst, cur):\n"
	for name, text := range map[string]string{
		"two returns": complete + "    for s in neighbours(cur):\n        if s == dst:\n            return [s]\n        if s.id == 9:\n            return []\n    return []\n",
		"two cases of elements": complete + "    l = [[s] if s == dst else [] for s in neighbours(cur) if s == dst or s.id == 9]\n" +
			"    for x in l:\n        return x\n    return []\n",
		"two returns, tree": tree + "        if [s for s in children(cur) if below(dst, s)]:\n            for s in children(cur):\n" +
			"                if below(dst, s):\n                    return [s]\n                if depth(s) == 9:\n                    return parents(cur)\n" +
			"        return []\n    return parents(cur)\n",
		"two appends, tree": tree + "        l = []\n        for s in children(cur):\n            if below(dst, s):\n                l.append(s)\n" +
			"            elif depth(s) == 9:\n                l.append(cur)\n        if [s for s in children(cur) if below(dst, s)]:\n" +
			"            for s in l:\n                if s == cur:\n                    return parents(cur)\n                return [s]\n        return []\n" +
			"    return parents(cur)\n",
	} {
		if strings.Contains(name, "two cases") || strings.Contains(name, "appends") {
			if !longtest.On() {
				continue // a second each
			}
		}
		p, err := program.Parse("loops.star", text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Prove(t.Context(), p, Options{Switches: 3, cost: mostCost / 50})
		if err != nil {
			t.Fatal(err)
		}
		if r.Claims[1].Verdict == verify.Proved {
			t.Errorf("%s: connected is proved", name)
		}
		for _, c := range r.Claims {
			if c.Verdict == verify.Undecided && !strings.HasPrefix(c.Reason, "line") {
				t.Errorf("%s: %s is undecided without a line: %s", name, c.Name, c.Reason)
			}
		}
		if strings.Contains(name, "returns") && !strings.Contains(r.Claims[1].Reason, "the order of a list of switches is not known") {
			t.Errorf("%s: the reason is %q", name, r.Claims[1].Reason)
		}
	}
}

// TestTreeTests: tree routing is proved whichever way it tests that no child leads to the destination.
func TestTreeTests(t *testing.T) {
	for _, test := range []string{"if out:", "if len(out) > 0:"} {
		if test == "if out:" && !longtest.On() {
			continue // a second; len is harder
		}
		p, err := program.Parse("tree.star", "family = network()\n\ndef route(cur, dst, inp):\n    out = [s for s in children(cur) if below(dst, s)]\n    "+
			test+"\n        return out\n    return parents(cur)\n")
		if err != nil {
			t.Fatal(err)
		}
		r, err := Prove(t.Context(), p, Options{Switches: 3})
		if err != nil {
			t.Fatal(err)
		}
		if verdicts(r) != "PPP" {
			t.Errorf("%s: %+v", test, r.Claims)
		}
	}
}

// TestCounted: a test of a length or of a counter is understood, and reasons name the line of what is not.
func TestCounted(t *testing.T) {
	for body, want := range map[string]string{
		"    if len(neighbours(cur)) > 0:\n        return [s for s in neighbours(cur) if s == dst]\n    return []\n":        "",
		"    n = 0\n    for s in neighbours(cur):\n        n = n + 1\n    if n > 0:\n        return [dst]\n    return []\n": "",
		"    if len(neighbours(cur)) > len(neighbours(dst)):\n        return [dst]\n    return [dst]\n":                     "line 7: ",
	} {
		p, err := program.Parse("counted.star", "family = network()\n\ndef premise(u, v):\n    return u == v or v in neighbours(u)\n\n"+
			"def route(cur, dst, inp):\n"+body)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Prove(t.Context(), p, Options{Switches: 3})
		if err != nil {
			t.Fatal(err)
		}
		if got := verdicts(r); want == "" && got != "PPP" {
			t.Errorf("%s: %s, %+v", body, got, r.Claims)
		} else if want != "" && !strings.Contains(r.Claims[1].Reason, want) {
			t.Errorf("%s: %s, reason %q", body, got, r.Claims[1].Reason)
		}
	}
}

// TestUnsupported: the reason names the line and the part of the language that is not supported.
func TestUnsupported(t *testing.T) {
	for body, want := range map[string]string{
		"    l = neighbours(cur)\n    return [l[i] for i in range(len(l))]\n":                                         "line 5: a range whose bounds are not known",
		"    return [s for s in neighbours(cur) if s == dst or s.id * cur.id > 3]\n":                                  "line 4: a product",
		"    d = {}\n    return [s for s in neighbours(cur) if s not in d]\n":                                         "line 4: character '{'",
		"    for s in neighbours(cur):\n        if s == dst:\n            return [s]\n    return [parents(cur)[0]]\n": "line 7: ",
	} {
		p, err := program.Parse("unsupported.star", "family = network()\n\ndef route(cur, dst, inp):\n"+body)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Prove(t.Context(), p, Options{Switches: 2, Claims: []string{"connected"}})
		if err != nil {
			t.Fatal(err)
		}
		if c := r.Claims[0]; c.Verdict != verify.Undecided || !strings.Contains(c.Reason, want) {
			t.Errorf("%s: %q", body, c.Reason)
		}
	}
}
