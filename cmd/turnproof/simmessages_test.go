package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// This file tests "sim --classes" beside other flags.

// TestSimRepliesExceedProof: a proof for packets that fit into a buffer does not cover longer replies. A run that freezes by them
// begins with a warning.
func TestSimRepliesExceedProof(t *testing.T) {
	t.Parallel()
	line := strings.Fields("sim torus:8x8,vcs=3 -r duato --no-self --load 0.1 --clocks 3000 --packet 1 --classes request,reply")
	if _, stderr, code := turnproof(t, append(line, "--atomic")...); code != cli.ExitHolds || strings.Contains(stderr, "may freeze") {
		t.Errorf("replies of 1 flit: exit status %d, %s", code, stderr)
	}
	stdout, stderr, code := turnproof(t, append(line, "--reply-packet", "8")...)
	if code != cli.ExitRefuted || !strings.Contains(stderr, "the proof does not cover this run") || !strings.Contains(stderr, "packets have up to 8 flits") {
		t.Errorf("replies of 8 flits: exit status %d, %s", code, stderr)
	}
	if !strings.Contains(stdout, "packets of 1 flit, replies of 8, traffic") {
		t.Error(stdout)
	}
}

// TestSimCompareMessages: the run of --compare has the classes of messages of the first run.
func TestSimCompareMessages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.html")
	stdout, stderr, code := turnproof(t, "sim", "mesh:4x4", "-r", "dor", "--load", "0.1", "--clocks", "2000", "--classes", "request,reply",
		"--page", file, "--compare", "west-first")
	if code != cli.ExitHolds || strings.Count(stdout, "\nround trip:  ") != 2 || strings.Count(stdout, "16 hosts, 2 VCs\n") != 2 {
		t.Errorf("exit status %d, %s\n%s", code, stderr, stdout)
	}
}

// TestSimRoles: roles that leave no traffic, or that a trace would ignore, are errors.
func TestSimRoles(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace.txt")
	if err := os.WriteFile(trace, []byte("1 0 0 5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ line, text string }{
		{"--load 0.1 --no-self --classes a,b --initiators 3 --targets 3", "no initiator sends to a target"},
		{"--load 0.1 --no-self --classes a,b --targets 0 --traffic transpose", "no initiator sends to a target"},
		{"--classes a,b --initiators 3 --traffic trace:" + trace, "--initiators needs a pattern"},
		{"--classes a,b --targets 3 --traffic trace:" + trace, "--targets needs a pattern"},
		{"--classes a,b,c --targets 3 --traffic trace:" + trace, ""},
		{"--load 0.1 --classes a,b --targets 1 --traffic transpose --clocks 500", ""},
	} {
		_, stderr, code := turnproof(t, append([]string{"sim", "mesh:4x4", "-r", "dor"}, strings.Fields(x.line)...)...)
		if want := map[bool]int{true: cli.ExitHolds, false: cli.ExitUsage}[x.text == ""]; code != want || !strings.Contains(stderr, x.text) {
			t.Errorf("%s: exit status %d, %s", x.line, code, stderr)
		}
	}
}

// TestSimProtocol: proved protocols do not freeze at saturation. Refuted ones freeze: joins with small tables, and protocols
// whose classes share one virtual network.
func TestSimProtocol(t *testing.T) {
	t.Parallel()
	shared := func(name string) string {
		text, err := os.ReadFile("../../examples/protocols/" + name)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, regexp.MustCompile(`vn: \w+`).ReplaceAll(text, []byte("vn: all")), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for _, x := range []struct {
		file string
		want int
	}{{"axi.yaml", cli.ExitHolds}, {"chi.yaml", cli.ExitHolds}, {"directory.yaml", cli.ExitHolds}, {"axi-small-tables.yaml", cli.ExitRefuted},
		{shared("chi.yaml"), cli.ExitRefuted}, {shared("directory.yaml"), cli.ExitRefuted}} {
		file := x.file
		if !filepath.IsAbs(file) {
			file = "../../examples/protocols/" + file
		}
		if _, stderr, code := turnproof(t, "check", "mesh:4x4", "-r", "dor", "--classes", file); code != x.want {
			t.Errorf("check %s: exit status %d, %s", file, code, stderr)
		}
		for _, seed := range []string{"1", "2", "3"} {
			stdout, stderr, code := turnproof(t, "sim", "mesh:4x4", "-r", "dor", "--classes", file, "--load", "0.9", "--packet", "2", "--clocks", "5000", "--seed", seed)
			if frozen := code == cli.ExitRefuted; frozen != (x.want == cli.ExitRefuted) {
				t.Errorf("sim %s, seed %s: exit status %d, %s", file, seed, code, stderr)
			}
			if x.file == "axi-small-tables.yaml" && !strings.Contains(stdout, "has 2 transactions in the table of B, and no entry for another one") {
				t.Errorf("seed %s: no full table in\n%s", seed, stdout)
			}
		}
	}
	_, stderr, code := turnproof(t, "sim", "mesh:4x4", "-r", "dor", "--classes", shared("directory.yaml"), "--reply-queue", "1", "--load", "0.1")
	if code != cli.ExitUsage || !strings.Contains(stderr, "remove --reply-queue") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	overlap := filepath.Join(t.TempDir(), "overlap.yaml")
	if err := os.WriteFile(overlap, []byte("roles: {r: 0-7, h: 4-15}\nclasses:\n  a: {from: h, to: r}\n  b: {from: r, to: h, after: a, multicast: true}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, stderr, code = turnproof(t, "sim", "mesh:4x4", "-r", "dor", "--classes", overlap, "--load", "0.1")
	if code != cli.ExitUsage || !strings.Contains(stderr, "class b is multicast to 4 of the 8 hosts that send it; want all of them or none") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
}

// TestSimProtocolSelf: hosts send no messages to themselves, whose waits check does not see. With them this run freezes,
// though check proves the protocol.
func TestSimProtocolSelf(t *testing.T) {
	for name, classes := range map[string]string{
		"two":   "  A: {to: 2, vn: x}\n  B: {from: 2, to: initiator, after: A, vn: x, queue: 1}\n",
		"three": "  A: {from: 0, to: 1-2, vn: x}\n  B: {from: 1-2, to: 1-2, after: A, vn: y}\n  C: {from: 1-2, to: initiator, after: B, vn: z}\n",
	} {
		file := filepath.Join(t.TempDir(), name+".yaml")
		if err := os.WriteFile(file, []byte("classes:\n"+classes), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := turnproof(t, "check", "line:3", "-r", "dor", "--classes", file); code != cli.ExitHolds {
			t.Errorf("check %s: exit status %d, %s", name, code, stderr)
		}
		list := filepath.Join(t.TempDir(), "packets")
		out, stderr, code := turnproof(t, "sim", "line:3", "-r", "dor", "--classes", file, "--load", "1", "--packet", "4", "--buffer", "4",
			"--switching", "vct", "--clocks", "3000", "--packets-out", list)
		if code != 0 || !strings.Contains(out, "traffic uniform\n") {
			t.Errorf("sim %s: exit status %d, %s%s", name, code, out, stderr)
		}
		text, err := os.ReadFile(list)
		if err != nil || len(text) < 1000 {
			t.Fatal(err, len(text))
		}
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); f[2] == f[3] {
				t.Fatalf("sim %s: packet %s", name, line)
			}
		}
	}
}
