package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// This file tests "sim --classes" beside other flags.

// TestSimRepliesExceedProof: a proof for packets that fit into a buffer does not cover longer replies. A run that freezes by them
// begins with a warning.
func TestSimRepliesExceedProof(t *testing.T) {
	line := strings.Fields("sim torus:8x8,vcs=3 -r duato --no-self --load 0.1 --clocks 3000 --packet 1 --classes request,reply")
	if _, stderr, code := turnproof(t, line...); code != cli.ExitHolds || strings.Contains(stderr, "may freeze") {
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

// TestSimProtocol: a proved chain of classes does not freeze at saturation, and it does if its classes share a virtual
// network, which check refutes. Joins are not simulated.
func TestSimProtocol(t *testing.T) {
	text, err := os.ReadFile("../../examples/protocols/directory.yaml")
	if err != nil {
		t.Fatal(err)
	}
	shared := filepath.Join(t.TempDir(), "shared.yaml")
	one := strings.NewReplacer("vn: requests", "vn: all", "vn: forwards", "vn: all", "vn: responses", "vn: all").Replace(string(text))
	if err := os.WriteFile(shared, []byte(one), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		file string
		want int
	}{{"../../examples/protocols/directory.yaml", cli.ExitHolds}, {shared, cli.ExitRefuted}} {
		if _, stderr, code := turnproof(t, "check", "mesh:4x4", "-r", "dor", "--classes", x.file); code != x.want {
			t.Errorf("check %s: exit status %d, %s", x.file, code, stderr)
		}
		_, stderr, code := turnproof(t, "sim", "mesh:4x4", "-r", "dor", "--classes", x.file, "--load", "0.9", "--packet", "2", "--clocks", "3000")
		if frozen := code == cli.ExitRefuted; frozen != (x.want == cli.ExitRefuted) {
			t.Errorf("sim %s: exit status %d, %s", x.file, code, stderr)
		}
	}
	_, stderr, code := turnproof(t, "sim", "mesh:4x4", "-r", "dor", "--classes", "../../examples/protocols/chi.yaml", "--load", "0.1")
	if code != cli.ExitUsage || !strings.Contains(stderr, "cannot simulate") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	_, stderr, code = turnproof(t, "sim", "mesh:4x4", "-r", "dor", "--classes", shared, "--reply-queue", "1", "--load", "0.1")
	if code != cli.ExitUsage || !strings.Contains(stderr, "remove --reply-queue") {
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
