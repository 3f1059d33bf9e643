package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestCheckStreams checks verdicts, JSON and certificates of flow problems and designs.
func TestCheckStreams(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cert")
	for name, want := range map[string]string{"one-arbiter.yaml": "refuted", "two-arbiters.yaml": "proved", "broadcast.yaml": "refuted", "join.mlir": "refuted"} {
		path := "../../examples/streams/" + name
		stdout, stderr, code := turnproof(t, "check", path, "--json", "--certificate", file)
		v := valid(t, "streams.json", stdout)
		if v["verdict"] != want || code != map[string]int{"proved": cli.ExitHolds, "refuted": cli.ExitRefuted}[want] {
			t.Errorf("%s: exit status %d, %s%s", name, code, stdout, stderr)
		}
		if waits := len(v["waits"].([]any)); (waits > 0) != (want == "refuted") {
			t.Errorf("%s: %d waits", name, waits)
		}
		checkCertificate(t, file)
	}
}

// TestStreamsPremises checks the flags that state premises of designs.
func TestStreamsPremises(t *testing.T) {
	join := "../../examples/streams/join.mlir"
	for line, want := range map[string]struct {
		code int
		text string
	}{
		"--strict":                             {cli.ExitUndecided, "waiting is assumed"},
		"--strict --buffer 63":                 {cli.ExitUndecided, "waiting is assumed"},
		"--strict --assume waiting --buffer 5": {cli.ExitRefuted, "5 before a receiving one, none between (--buffer)"},
		"--strict --assume all":                {cli.ExitRefuted, "after 2 choices"},
		"--buffer 64":                          {cli.ExitHolds, "PROVED"},
		"--buffer 0":                           {cli.ExitUsage, "want 1 to"},
		"--seconds 0":                          {cli.ExitUsage, "want seconds above 0"},
		"--seconds 0.000000001":                {cli.ExitUndecided, "more than 1ns"},
		"--routing dor":                        {cli.ExitUsage, "is a routed design"},
	} {
		stdout, stderr, code := turnproof(t, append([]string{"check", join}, strings.Fields(line)...)...)
		if code != want.code || !strings.Contains(stdout+stderr, want.text) {
			t.Errorf("%s: exit status %d, %s%s", line, code, stdout, stderr)
		}
	}
}

// TestStreamsErrors checks that errors name the file and the line.
func TestStreamsErrors(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"flow-problem: 1\nresources: {a: 1}\nagents: {x: [send b 1]}\n": "x.yaml:3: send: there is no route \"b\"",
		"flow-problem: 1\nresources: {a: 1}\n":                          "x.yaml: no agent has to end its program",
		"{\"flow-problem\": 2}":                                         "x.yaml:1: flow-problem: only version 1 is known",
	} {
		path := filepath.Join(dir, "x.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := turnproof(t, "check", path); code != cli.ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit status %d, %s", text, code, stderr)
		}
	}
}

// TestFlowsOnNetwork decides lists of packets around a ring: four hold each other, three do not.
func TestFlowsOnNetwork(t *testing.T) {
	text, err := os.ReadFile("../../examples/streams/ring.yaml")
	if err != nil {
		t.Fatal(err)
	}
	path, file := filepath.Join(t.TempDir(), "ring.yaml"), filepath.Join(t.TempDir(), "cert")
	for change, want := range map[string]string{
		"=":                                      "refuted",
		"- {name: d, from: 3, to: 1, words: 9}=": "proved",
		"words: 9}\n- {name: b=words: 9}\n- {name: x, from: 0, to: 1, words: 1, after: [b]}\n- {name: b": "refuted",
		"buffer: 2=buffer: 9":                                "refuted",
		"to: 1, words: 9=to: 1, words: 9, starts-after: [a]": "proved",
	} {
		old, now, _ := strings.Cut(change, "=")
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, now, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, code := turnproof(t, "check", "ring:4", "-r", "dor", "--flows", path, "--json", "--certificate", file)
		if code == cli.ExitUsage {
			t.Errorf("%s: %s", change, stderr)
			continue
		}
		if v := valid(t, "streams.json", stdout); v["verdict"] != want {
			t.Errorf("%s: %v, want %s", change, v["verdict"], want)
		}
		checkCertificate(t, file)
	}
	for line, want := range map[string]string{
		"check ring:4 -r minimal --flows " + path:             "a flow problem needs a routing without a choice",
		"check ring:3 -r dor --flows " + path:                 "ring.yaml:",
		"check " + path:                                       "buffer is for packets between hosts of a network",
		"check ring:4 -r dor --switching vct --flows " + path: "--switching does not go with a flow problem",
	} {
		if _, stderr, code := turnproof(t, strings.Fields(line)...); code != cli.ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit status %d, %s", line, code, stderr)
		}
	}
}
