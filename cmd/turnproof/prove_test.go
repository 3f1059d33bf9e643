package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/verify/smt"
)

const bundle = "../../examples/routing-programs/published/"

// TestProgramAsRouting checks that other commands accept a routing program as routing.
func TestProgramAsRouting(t *testing.T) {
	t.Parallel()
	for _, line := range [][]string{
		{"check", "torus:5x5", "-r", bundle + "nf+1.torus.star"},
		{"check", "mesh:4x5,vcs=3", "-r", bundle + "west-first.mesh.star", "--switching", "wormhole", "--simulate"},
		{"check", "torus:4x4", "-r", bundle + "duato.torus.star", "--switching", "wormhole", "--check"},
		{"check", "mesh:5x5", "-r", bundle + "o1turn.mesh.star", "--cross-check"},
		{"table", "mesh:3x3", "-r", bundle + "odd-even.mesh.star", "--kind", "turns"},
		{"table", "mesh:3x3", "-r", bundle + "dor.mesh.star", "--kind", "paths"},
		{"sim", "torus:4x4", "-r", bundle + "dor.torus.star", "--load", "0.1", "--clocks", "2000"},
		{"draw", "cdg", "mesh:3x3", "-r", bundle + "north-last.mesh.star", "-o", filepath.Join(t.TempDir(), "x.svg")},
	} {
		if strings.Contains(strings.Join(line, " "), "cross-check") && !smt.Available() {
			continue
		}
		if stdout, stderr, code := turnproof(t, line...); code != cli.ExitHolds || stderr != "" {
			t.Errorf("%v: exit status %d, %.300s%s", line, code, stdout, stderr)
		}
	}
	stdout, _, code := turnproof(t, "check", "torus:3x3", "-r", bundle+"nf.torus.star", "--json")
	if v := valid(t, "check.json", stdout); code != cli.ExitRefuted || v["deadlock_free"] != false {
		t.Errorf("exit status %d, %.300s", code, stdout)
	}
}

// TestProve checks the text, the JSON and the exit statuses of prove.
func TestProve(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	every := file("any.star", "family = mesh(n, n)\ndef route(cur, dst, inp):\n    return productive(cur, dst)\n")
	lost := file("lost.star", "family = mesh(n, m)\ndef route(cur, dst, inp):\n    return [E]\n")

	stdout, stderr, code := turnproof(t, "prove", every, "--json")
	v := valid(t, "prove.json", stdout)
	if code != cli.ExitRefuted || v["verdict"] != "refuted" || v["smallest_size"] != json.Number("2") || v["deadlock_free"] != false {
		t.Errorf("exit status %d, %.400s%s", code, stdout, stderr)
	}
	witness, err := json.Marshal(v["witness"])
	if err != nil {
		t.Fatal(err)
	}
	if w := valid(t, "check.json", string(witness)); w["network"] != "mesh:2x2" || len(w["configuration"].([]any)) != 4 {
		t.Errorf("witness %v", w)
	}
	if c := v["claims"].([]any)[0].(map[string]any); c["network"] != "mesh:2x2" || c["verdict"] != "refuted" {
		t.Errorf("the refuted claim does not name its network: %v", c)
	}
	stdout, _, _ = turnproof(t, "prove", every, "--claims", "deadlock-free")
	for _, want := range []string{"REFUTED    deadlock-free  on mesh:2x2, any switching: ", "NOT ASKED  connected ", "PROVED     connected on mesh:2x2 "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the text has no %q: %s", want, stdout)
		}
	}
	if strings.Contains(stdout, "PROVED     connected  ") {
		t.Errorf("a claim of one network is printed as one of every size: %s", stdout)
	}
	stdout, _, code = turnproof(t, "prove", lost)
	if code != cli.ExitRefuted || !strings.Contains(stdout, "REFUTED    connected") || !strings.Contains(stdout, "The program fails on mesh:2x2") ||
		!strings.Contains(stdout, "Reproduce: turnproof check mesh:2x2 --routing "+lost) {
		t.Errorf("exit status %d, %s", code, stdout)
	}
	if !smt.Available() {
		if _, stderr, code := turnproof(t, "prove", "dor"); code != cli.ExitUsage || !strings.Contains(stderr, "this build has no Z3") {
			t.Errorf("exit status %d, %s", code, stderr)
		}
		t.Skip(smt.ErrUnavailable)
	}

	script := filepath.Join(dir, "west.smt2")
	stdout, stderr, code = turnproof(t, "prove", "west-first", "--json", "--obligations", script)
	v = valid(t, "prove.json", stdout)
	if code != cli.ExitHolds || v["verdict"] != "proved" || v["family"] != "mesh(n, m)" || v["sizes"] != "n, m >= 2" || v["smallest_size"] != nil ||
		v["witness"] != nil {
		t.Errorf("exit status %d, %.400s%s", code, stdout, stderr)
	}
	text, err := os.ReadFile(script)
	if k := strings.Count(string(text), "(check-sat)\n"); err != nil || k != len(v["obligations"].([]any)) {
		t.Errorf("%d questions in the script, %v", k, err)
	}
	stdout, _, code = turnproof(t, "prove", file("one-way.star", "family = ring(n)\ndef route(cur, dst, inp):\n    return [E]\n"), "--json")
	if v := valid(t, "prove.json", stdout); code != cli.ExitRefuted || v["smallest_size"] != json.Number("3") {
		t.Errorf("exit status %d, %.400s", code, stdout)
	}
	stdout, _, code = turnproof(t, "prove", "dor", "--family", "mesh", "--dims", "1-2", "--json")
	if v := valid(t, "prove.json", stdout); code != cli.ExitHolds || len(v["proofs"].([]any)) != 2 {
		t.Errorf("exit status %d, %.400s", code, stdout)
	}
	stdout, _, code = turnproof(t, "prove", "duato", "--family", "mesh", "--dims", "1-2", "--switching", "wormhole")
	ranks := regexp.MustCompile(`(?m)^(  [EWNS]\d)  +\(.*\)$`) // they may depend on the version of Z3
	golden(t, "prove-duato.txt", ranks.ReplaceAllString(stdout, "$1  RANK"))
	if code != cli.ExitHolds {
		t.Errorf("exit status %d", code)
	}
}

// TestProveJournal: a second run with the same journal prints the stored proofs; other options and outputs of one whole
// proof are errors.
func TestProveJournal(t *testing.T) {
	t.Parallel()
	if !smt.Available() {
		t.Skip("built without Z3")
	}
	file := filepath.Join(t.TempDir(), "journal")
	line := []string{"prove", "west-first", "--journal", file}
	first, _, code := turnproof(t, line...)
	second, _, again := turnproof(t, line...)
	if code != cli.ExitHolds || again != code || first != second || !strings.Contains(first, "PROVED for every n, m >= 2") {
		t.Errorf("status %d, then %d\n%s\n%s", code, again, first, second)
	}
	stdout, _, _ := turnproof(t, append(line, "--json")...)
	if v := valid(t, "prove.json", stdout); v["verdict"] != "proved" || len(v["rank"].([]any)) != 4 {
		t.Errorf("JSON of stored proofs: %s", stdout)
	}
	for _, more := range [][]string{{"--switching", "saf"}, {"--proof", filepath.Join(t.TempDir(), "a.md")}} {
		if _, stderr, code := turnproof(t, append(line, more...)...); code != cli.ExitUsage {
			t.Errorf("%v: status %d, %s", more, code, stderr)
		}
	}
}

// TestFindVCs: a rule is found, written and proved; no rule with fewer VCs is a refutation.
func TestFindVCs(t *testing.T) {
	t.Parallel()
	if !smt.Available() {
		t.Skip("built without Z3")
	}
	dir := t.TempDir()
	given, made := filepath.Join(dir, "ring.star"), filepath.Join(dir, "made.star")
	if err := os.WriteFile(given, []byte("family = ring(n)\n\ndef route(cur, dst, inp):\n    return [E]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := turnproof(t, "prove", given, "--find-vcs", "2", "--program", made)
	if code != cli.ExitHolds || !strings.Contains(stdout, "No rule of this shape needs fewer than 2 VCs.") {
		t.Errorf("status %d, %s%s", code, stdout, stderr)
	}
	if stdout, stderr, code = turnproof(t, "check", "ring:9", "-r", made); code != cli.ExitHolds {
		t.Errorf("status %d, %s%s", code, stdout, stderr)
	}
	for n, want := range map[string]int{"1": cli.ExitRefuted, "2": cli.ExitHolds} {
		stdout, _, code := turnproof(t, "prove", given, "--find-vcs", n, "--json")
		if v := valid(t, "prove.json", stdout); code != want || v["vc_search"].(map[string]any)["fewest"] != true {
			t.Errorf("%s VCs: status %d, %.400s", n, code, stdout)
		}
	}
	for _, line := range [][]string{{"--find-vcs", "9"}, {"--program", made}} {
		if _, _, code := turnproof(t, append([]string{"prove", given}, line...)...); code != cli.ExitUsage {
			t.Errorf("%v: status %d", line, code)
		}
	}
}
