package local

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
)

// folder has the programs for any network that have a theorem.
const folder = "../../examples/routing-programs/networks/"

func parse(t testing.TB, name string, change ...string) *program.Program {
	t.Helper()
	text, err := os.ReadFile(folder + name + ".star")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer(change...).Replace(string(text))
	if len(change) > 0 && changed == string(text) {
		t.Fatalf("%s: nothing to change", name)
	}
	p, err := program.Parse(name+".star", changed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// verdicts returns a letter for each claim: P, R or U.
func verdicts(r *Report) (text string) {
	for _, c := range r.Claims {
		text += strings.ToUpper(string(c.Verdict)[:1])
	}
	return text
}

// TestPrograms proves the programs of the examples. Each proof has passed the checker.
func TestPrograms(t *testing.T) {
	want := map[string]string{
		"hop-count": "PPP", "dragonfly-minimal": "PPP", "fat-tree": "PPP", "turn-prohibition": "PRP",
		"dragonfly-valiant": "PPP", "dragonfly-par": "PPP", "dragonfly-ugal-intra": "PPP", "dragonfly-ugal-hops": "PPP", "dragonfly-par-hops": "PPP",
		"d-mod-k": "PPP", "s-mod-k": "PPP", "valiant-hops": "PPP", "slimfly-minimal": "PPP", "hyperx-valiant": "PPP",
		"tree": "PPP", "updown": "PPP", "lturn-alpha": "PPP", "lturn-beta": "PPP", "rturn-alpha": "PPP", "rturn-beta": "PPP",
		"duato-updown": "PPP", "lash": "PPP", "turn-addition": "PPP", "dragonfly-par-3vcs": "PPP", "updown-shortest": "PPP",
		"lash-tor": "PPP", "tagger": "PUP",
	}
	files, err := filepath.Glob(folder + "*.star")
	if err != nil || len(files) != len(want) {
		t.Errorf("%d programs, want %d", len(files), len(want))
	}
	for name, verdict := range want {
		if !longtest.On() && (strings.Contains(name, "-hops") || slices.Contains([]string{"lash", "lash-tor", "dragonfly-par-3vcs", "turn-addition", "updown-shortest", "dragonfly-ugal-intra", "s-mod-k", "hyperx-valiant",
			"dragonfly-valiant", "dragonfly-par", "d-mod-k", "lturn-beta", "rturn-alpha", "rturn-beta"}, name)) {
			continue // half a second to four seconds
		}
		most := 3
		switch name {
		case "duato-updown":
			most = 4 // the smallest network with a cycle of dependencies has four switches
		case "dragonfly-par-3vcs":
			most = 0 // a dragonfly of 12 switches
		}
		r, err := Prove(t.Context(), parse(t, name), Options{Switches: most})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := verdicts(r); got != verdict {
			t.Errorf("%s: %s, want %s: %+v", name, got, verdict, r.Claims)
		}
	}
}

// TestNoNetwork: a premise that no network satisfies, and a program without pairs of hosts, are no theorem.
func TestNoNetwork(t *testing.T) {
	for _, premise := range []string{
		"def premise(u):\n    return u.id > 0 and u.id < 0\n", "def premise(u, v):\n    return distance(u, v) <= 0\n",
		"def endpoint(u):\n    return False\n",
	} {
		text := "family = network()\n\n" + premise + "\ndef route(cur, dst, inp):\n    return [s for s in neighbours(cur) if s.id > cur.id]\n"
		p, err := program.Parse("none.star", text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Prove(t.Context(), p, Options{Switches: 4})
		if err != nil {
			t.Fatal(err)
		}
		if got := verdicts(r); got != "UUU" || len(r.Searched) > 0 || r.Certificate != nil || r.Claims[0].Reason != noMember {
			t.Errorf("%s: %s after %d networks: %+v", premise, got, len(r.Searched), r.Claims)
		}
	}
}

// TestWrongVariants refutes programs with one change by the smallest network.
func TestWrongVariants(t *testing.T) {
	for _, c := range []struct {
		name, from, to string
		verdict        string
		switches       int // of the smallest network
	}{
		{"hop-count", "vcs = 5", "vcs = 2", "URU", 4},                           // a path of three hops
		{"dragonfly-minimal", "inp.vc + 1", "0", "RUU", 6},                      // local hops before and after the global hop on one VC
		{"tagger", "inp.vc + 1 if bounce else inp.vc", "inp.vc", "RPP", 4},      // a bounce keeps its priority
		{"fat-tree", "s.level > cur.level]", "s.level != cur.level]", "RUR", 5}, // up after down; the smallest of the named networks has 8
	} {
		if c.name == "dragonfly-minimal" && !longtest.On() {
			continue // five seconds
		}
		r, err := Prove(t.Context(), parse(t, c.name, c.from, c.to), Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if r.Verdict != verify.Refuted || r.Witness == nil {
			t.Errorf("%s with %q is %s", c.name, c.to, r.Verdict)
			continue
		}
		if got := verdicts(r); got != c.verdict || r.Witness.Network.NumSwitches() != c.switches {
			t.Errorf("%s with %q: %s on %s", c.name, c.to, got, r.Witness.Name)
		}
	}
}
