package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/synth/enumerate"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/smt"
)

// TestEnumerate checks the counts for small spaces. The numbers for mesh:2 and mesh:3 with one
// turn of each cycle prohibited are published (Glass and Ni, ISCA 1992; 176 for mesh:3). Package
// synth/enumerate checks the other numbers by a second method.
func TestEnumerate(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"mesh:2 --choices one-per-cycle": "16 12 12 12 12 3 2",
		"mesh:2":                         "256 221 50 12 12 36 27",
		"mesh:2 --u-turns":               "4096 1661 330 20 20 226 137",
		"mesh:3 --choices one-per-cycle": "4096 176 176 176 176 9 5",
		"mesh:3 --choices maximal":       "188 188 188 188 188 10 6",
		"mesh:4 --choices one-per-cycle": "16777216 3472 3472 3472 3472 27 14",
		"hv":                             "4096 1121 328 12 6 573 314",
		"hv --tree coordinates":          "4096 1121 0 12 0 155 100",
		"hv --tree canonical":            "4096 1646 656 12 6 840 460",
		"updown":                         "4 3 1 2 1 3 3",
		"torus:2,vcs=2,rule=nf+1":        "256 207 200 8 8 60 35",
	} {
		t.Run(line, func(t *testing.T) {
			if strings.HasPrefix(line, "hv") {
				longOnly(t, "TestEnumerateText enumerates hv, TestEnumerateFiles another tree, and verify/family has the counts")
			}
			stdout, stderr, code := turnproof(t, append([]string{"enumerate", "--json", "--limit", "3"}, strings.Fields(line)...)...)
			if code != cli.ExitHolds || stderr != "" {
				t.Fatalf("exit status %d, %s", code, stderr)
			}
			v := valid(t, "enumerate.json", stdout)
			got := ""
			for _, field := range []string{"sets", "deadlock_free", "connected", "maximal", "maximal_connected", "classes", "classes_reversal"} {
				got += fmt.Sprint(" ", v[field])
			}
			if got[1:] != want {
				t.Errorf("%s, want %s", got[1:], want)
			}
		})
	}
}

// TestEnumerateFiles checks that turnproof-check accepts each certificate, and that check refutes
// each network of a refutation.
func TestEnumerateFiles(t *testing.T) {
	for _, line := range []string{"mesh:2 --choices one-per-cycle", "hv", "hv --tree canonical --limit 2", "torus:2,vcs=2,rule=stop", "updown",
		"mesh:2 --u-turns --limit 3"} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			if line == "hv" {
				longOnly(t, "the canonical trees have the same directions")
			}
			dir := t.TempDir()
			if _, stderr, code := turnproof(t, append([]string{"enumerate", "--files", dir}, strings.Fields(line)...)...); code != cli.ExitHolds {
				t.Fatalf("exit status %d, %s", code, stderr)
			}
			certificates, err := filepath.Glob(dir + "/*.cert")
			if err != nil || len(certificates) == 0 {
				t.Fatalf("no certificates, %v", err)
			}
			for _, file := range certificates {
				checkCertificate(t, file)
			}
			sets, err := filepath.Glob(dir + "/*.turns.json")
			if err != nil || len(sets) == 0 {
				t.Fatalf("nothing refuted, %v", err)
			}
			for _, set := range sets {
				args := []string{"check", strings.TrimSuffix(set, ".turns.json") + ".network.json", "-r", set}
				if strings.Contains(line, "u-turns") {
					args = append(args, "--paths", "any")
				}
				if stdout, stderr, code := turnproof(t, args...); code != cli.ExitRefuted {
					t.Errorf("%s: exit status %d, %s%s", filepath.Base(set), code, stderr, stdout)
				}
			}
		})
	}
}

func checkCertificate(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cert.Read(bytes.NewReader(text))
	if err == nil {
		err = cert.Check(c)
	}
	if err != nil {
		t.Errorf("%s: %v", filepath.Base(file), err)
	}
}

// TestEnumerateText checks the verdicts about the claims of the paper.
func TestEnumerateText(t *testing.T) {
	t.Parallel()
	stdout, stderr, code := turnproof(t, "enumerate", "hv", "--limit", "12")
	if code != cli.ExitHolds || stderr != "" {
		t.Fatalf("exit status %d, %s", code, stderr)
	}
	for _, want := range []string{
		"12 class turns: LU>LD", "PROVED, there are four:", "(rturn-beta)", "(rturn-alpha)", "(lturn-beta)", "(lturn-alpha)", "outside the policy: 2",
		"RU>LU RU>LD RD>LU RD>LD (not in the paper)",
		"LD>RU RU>LD  L6 of the paper", "LU>RD RD>LU  L3 of the paper",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing:\n%s", want, stdout)
		}
	}
	stdout, _, _ = turnproof(t, "enumerate", "torus:2,vcs=2,rule=nf+1", "--limit", "0")
	for _, want := range []string{"nf (Matoyama, Miura and Watanabe, RC-005): prohibits x+>y+ x->y+\n      refuted on torus:4x4,vcs=2: cycle",
		"prohibits x+>y+ x+>y- x->y+\n      proved deadlock-free"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing:\n%s", want, stdout)
		}
	}
}

// TestEnumerateSimulate checks that proved sets run at saturation and that refuted sets deadlock.
func TestEnumerateSimulate(t *testing.T) {
	t.Parallel()
	line := []string{"enumerate", "mesh:2", "--choices", "one-per-cycle", "--simulate", "--json"}
	if !long() {
		line = append(line, "--limit", "6") // of 16 sets
	}
	stdout, stderr, code := turnproof(t, line...)
	if code != cli.ExitHolds || stderr != "" {
		t.Fatalf("exit status %d, %s", code, stderr)
	}
	for _, x := range valid(t, "enumerate.json", stdout)["list"].([]any) {
		set := x.(map[string]any)
		sim, ok := set["simulated"].(map[string]any)
		if !ok || sim["deadlock"] != (set["deadlock_free"] == false) {
			t.Errorf("%v: %v", set["prohibited"], set["simulated"])
		}
	}
}

func TestEnumerateCrossCheck(t *testing.T) {
	t.Parallel()
	_, stderr, code := turnproof(t, "enumerate", "mesh:2", "--cross-check")
	if smt.Available() && code != cli.ExitHolds || !smt.Available() && (code != cli.ExitUsage || !strings.Contains(stderr, "this build has no Z3")) {
		t.Errorf("exit status %d, %s", code, stderr)
	}
}

// TestEnumerateGiven enumerates a space that is read from a file.
func TestEnumerateGiven(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "hexagonal.yaml")
	if err := os.WriteFile(file, []byte(hexagonal), 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := turnproof(t, "enumerate", file, "--choices", "maximal", "--limit", "4", "--json", "--figure", filepath.Join(dir, "f.svg"))
	if code != cli.ExitHolds || stderr != "" {
		t.Fatalf("exit status %d, %s", code, stderr)
	}
	v := valid(t, "enumerate.json", stdout)
	if fmt.Sprintf("%v %v %v", v["sets"], v["connected"], v["classes_reversal"]) != "96 <nil> 8" {
		t.Errorf("%v sets, connected %v, %v classes", v["sets"], v["connected"], v["classes_reversal"])
	}
	for text, want := range map[string]string{
		strings.Replace(hexagonal, "x = 1, y = 0", "x = 1, z = 0", 1):    "direction E: \"z = 0\": no coordinate \"z\"",
		strings.Replace(hexagonal, "reverse: W", "reverse: E", 1):        "direction E: its reverse \"E\" does not name E",
		strings.Replace(hexagonal, "x = -1, y = 1", "x = 0, y = 1", 1):   "share moves",
		strings.Replace(hexagonal, "x = 1, y = -1", "x = 1, y <= -1", 1): "the reverse of direction SE is not NW",
		"directions: []\n": "0 coordinates",
		strings.Replace(hexagonal, "x = 1, y = 0", "2x = 1, y = 0", 1):                       "no move satisfies all rows",
		strings.Replace(hexagonal, "x = 1, y = 0", "x - x = 1, y = 0", 1):                    "it contains no coordinate",
		strings.Replace(hexagonal, "x = 1, y = 0", strings.Repeat("x = 1, ", 30)+"y = 0", 1): "31 moves; want at most 24",
		strings.Replace(hexagonal, "name: E", `name: "E\n"`, 1):                              "a short name",
		hexagonal + "---\n" + hexagonal:                                                      "2 documents, want one",
		hexagonal + "turns: 3\n":                                                             "not directions",
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := turnproof(t, "enumerate", file); code != cli.ExitUsage || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("exit status %d, %q, want %q", code, stderr, want)
		}
	}
}

const hexagonal = `coordinates: [x, y]
directions:
  - {name: E,  reverse: W,  moves: [x = 1, y = 0]}
  - {name: W,  reverse: E,  moves: [x = -1, y = 0]}
  - {name: NE, reverse: SW, moves: [x = 0, y = 1]}
  - {name: SW, reverse: NE, moves: [x = 0, y = -1]}
  - {name: NW, reverse: SE, moves: [x = -1, y = 1]}
  - {name: SE, reverse: NW, moves: [x = 1, y = -1]}
`

// TestDrawClasses draws the maximal sets of a space, one of each class.
func TestDrawClasses(t *testing.T) {
	for space, want := range map[string]string{"mesh:2": "class 3: 4 sets", "hv": "class 6: 2 sets", "torus:2,vcs=2,rule=nf+1": "class 3: 2 sets"} {
		file := filepath.Join(t.TempDir(), "classes.svg")
		if _, stderr, code := turnproof(t, "draw", "classes", space, "-o", file); code != cli.ExitHolds {
			t.Fatalf("%s: exit status %d, %s", space, code, stderr)
		}
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %q is missing, %v", space, want, err)
		}
	}
}

// TestNamedClasses checks the figures of classes with published names. They show the set of Glass
// and Ni: the prohibited turns dashed, the other six solid.
func TestNamedClasses(t *testing.T) {
	s, err := space.Parse("mesh:2", space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"west-first":     {"y+>x-", "y->x-"}, // turns to the west
		"north-last":     {"y+>x+", "y+>x-"}, // turns from the north
		"negative-first": {"x+>y-", "y+>x-"}, // turns from a positive direction to a negative one
	}
	g, err := enumerate.SpaceFigure(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	name := ""
	for i := range g.Nodes {
		if lines := g.Nodes[i].Lines; len(lines) == 1 && want[lines[0]] != nil {
			name = lines[0]
		}
		for _, e := range g.Edges {
			if e.To != i || !e.Arrow || name == "" {
				continue
			}
			turn, state, _ := strings.Cut(e.Tooltip, ", ")
			k := slices.Index(want[name], turn)
			if (k >= 0) != (state == "prohibited") || (k >= 0) != (e.Style == figure.Dashed) {
				t.Errorf("%s: %s is %s, style %v", name, turn, state, e.Style)
			}
			if k >= 0 {
				want[name] = slices.Delete(want[name], k, k+1)
			}
		}
	}
	if left := fmt.Sprint(want); left != "map[negative-first:[] north-last:[] west-first:[]]" {
		t.Errorf("not drawn: %s", left)
	}
}

// TestEnumerateFewest checks the sets with the fewest prohibited class turns on tori with one VC.
func TestEnumerateFewest(t *testing.T) {
	longOnly(t, "TestFewestOnTorus of synth/enumerate finds the same sets, and a script runs --choices fewest")
	stdout, stderr, code := turnproof(t, "enumerate", "torus:2", "--choices", "fewest", "--limit", "2", "--json")
	v := valid(t, "enumerate.json", stdout)
	if got := fmt.Sprint(v["sets"], " ", v["connected"], " ", v["classes"]); code != cli.ExitHolds || got != "172 172 27" {
		t.Errorf("exit status %d, %s; %s", code, got, stderr)
	}
	list, _ := v["list"].([]any)
	for _, x := range list {
		if d := x.(map[string]any); d["deadlock_free"] != true || d["connected"] != true || len(d["prohibited"].([]any)) != 12 {
			t.Errorf("%v", d)
		}
	}
	if len(list) != 2 {
		t.Errorf("%d sets listed", len(list))
	}
}
