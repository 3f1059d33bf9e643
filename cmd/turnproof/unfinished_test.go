package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// This file tests that no file of --junit and --sarif says more than its run.

// junitCounts is what readers of JUnit count.
type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Suites   []struct {
		Skipped    int `xml:"skipped,attr"`
		Properties []struct {
			Name  string `xml:"name,attr"`
			Value string `xml:"value,attr"`
		} `xml:"properties>property"`
		Cases []struct {
			Name    string    `xml:"name,attr"`
			Error   *struct{} `xml:"error"`
			Failure *struct{} `xml:"failure"`
			Skipped *struct{} `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// readJUnit reads a file, and checks that its counts are those of its cases.
func readJUnit(t *testing.T, file string) junitCounts {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s junitCounts
	if err := xml.Unmarshal(text, &s); err != nil || len(s.Suites) != 1 {
		t.Fatalf("%v in %s", err, text)
	}
	k := junitCounts{}
	skipped := 0
	for _, c := range s.Suites[0].Cases {
		k.Tests++
		switch {
		case c.Error != nil:
			k.Errors++
		case c.Failure != nil:
			k.Failures++
		case c.Skipped != nil:
			skipped++
		}
	}
	if k.Tests != s.Tests || k.Failures != s.Failures || k.Errors != s.Errors || skipped != s.Suites[0].Skipped {
		t.Errorf("%s: counts %+v, cases %+v", file, s, k)
	}
	return s
}

// invocation reads whether the execution of a SARIF file was successful, and its property verdict.
func invocation(t *testing.T, file string) (isSuccessful bool, verdict string) {
	t.Helper()
	readSARIF(t, file) // validates it
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Invocations []struct{ ExecutionSuccessful *bool }
			Properties  struct{ Verdict string }
		}
	}
	if err := json.Unmarshal(text, &log); err != nil || len(log.Runs) != 1 || len(log.Runs[0].Invocations) != 1 ||
		log.Runs[0].Invocations[0].ExecutionSuccessful == nil {
		t.Fatalf("%v in %s", err, text)
	}
	return *log.Runs[0].Invocations[0].ExecutionSuccessful, log.Runs[0].Properties.Verdict
}

// TestBrokenRun: a run with status 2 replaces the files of a sound one, whatever is wrong.
func TestBrokenRun(t *testing.T) {
	dir := t.TempDir()
	junit, sarif, broken := filepath.Join(dir, "r.xml"), filepath.Join(dir, "r.sarif"), filepath.Join(dir, "broken.lfts")
	if err := os.WriteFile(broken, []byte("Unicast lids [0-1] of switch Lid 2 guid 0x1 ('x'):\n0x0001 zzz\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, line := range map[string][]string{
		"routing": {"check", "mesh:3x3", "-r", "nothing"},
		"network": {"check", filepath.Join(dir, "none"), "-r", "dor"},
		"table":   {"check", "@mesh3x3/topology.ibnetdiscover", "-r", broken},
		"flag":    {"check", "mesh:3x3", "-r", "dor", "--no-such-flag"},
		"value":   {"check", "mesh:3x3", "-r", "dor", "--packet", "many"},
		"missing": {"check"},
		"folder":  {"check", dir},
		"figure":  {"check", "mesh:3x3", "-r", "dor", "--figure", filepath.Join(dir, "no", "x.svg")},
	} {
		for _, earlier := range []bool{true, false} {
			_ = os.Remove(junit)
			_ = os.Remove(sarif)
			if earlier {
				if _, stderr, code := turnproof(t, "check", "mesh:3x3", "-r", "dor", "--junit", junit, "--sarif", sarif); code != cli.ExitHolds {
					t.Fatal(stderr)
				}
				if ok, verdict := invocation(t, sarif); !ok || verdict != "PROVED" {
					t.Fatal(ok, verdict)
				}
			}
			_, stderr, code := turnproof(t, append([]string{line[0], "--junit=" + junit, "--sarif", sarif}, line[1:]...)...)
			if code != cli.ExitUsage {
				t.Fatalf("%s: exit status %d, %s", name, code, stderr)
			}
			if s := readJUnit(t, junit); s.Errors != 1 || s.Tests != 1 {
				t.Errorf("%s: %+v", name, s)
			}
			if ok, verdict := invocation(t, sarif); ok || verdict != "ERROR" {
				t.Errorf("%s: %v %s", name, ok, verdict)
			}
		}
	}
}

// TestOwnFiles: a run that fails leaves files alone that are no findings, and inputs.
func TestOwnFiles(t *testing.T) {
	dir := t.TempDir()
	notes, topology := filepath.Join(dir, "notes.txt"), filepath.Join(dir, "topology.xml")
	for file, text := range map[string]string{notes: "my notes\n", topology: "<testsuite/>"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range [][]string{
		{"check", "mesh:3x3", "-r", "nothing", "--junit", notes},
		{"check", topology, "-r", "nothing", "--junit", topology},
		{"check", "mesh:3x3", "-r", topology, "--sarif=" + topology},
		{"check", "mesh:3x3", "-r", "dor", "--bad", "--junit"},
	} {
		if _, _, code := turnproof(t, line...); code != cli.ExitUsage {
			t.Errorf("%q: exit status %d", line, code)
		}
	}
	for file, want := range map[string]string{notes: "my notes\n", topology: "<testsuite/>"} {
		if text, err := os.ReadFile(file); string(text) != want {
			t.Errorf("%s: %s %v", file, text, err)
		}
	}
}

// TestInterruptedRun: a run that is interrupted says so, and one that is killed leaves no file of an earlier run.
func TestInterruptedRun(t *testing.T) {
	junit := filepath.Join(t.TempDir(), "r.xml")
	turnproof(t, "check", "mesh:3x3", "-r", "dor", "--junit", junit)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if code := run(ctx, []string{"turnproof", "check", "mesh:3x3", "-r", "dor", "--junit", junit}, io.Discard, io.Discard); code != cli.ExitInterrupted {
		t.Fatal(code)
	}
	if s := readJUnit(t, junit); s.Errors != 1 {
		t.Errorf("%+v", s)
	}
}

// TestOverallWord: JUnit, SARIF and the page have the verdict of the text output, also with management traffic and failures.
func TestOverallWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line                      []string
		word                      string
		failures, skipped, status int
	}{
		{args("check", loopCase), "REFUTED", 1, 0, 1},
		{args("check", soundCase), "PROVED", 0, 0, 0},
		{[]string{"check", "@ft2-8x4/topology.ibnetdiscover", "-r", "@ft2-8x4/updn/opensm-lfts.dump.gz"},
			"PROVED for packets between hosts, REFUTED with management traffic among all hosts and switches", 0, 1, 0},
		{[]string{"check", "@ft2-8x4/topology.ibnetdiscover", "-r", "@ft2-8x4/updn/opensm-lfts.dump.gz", "--management=all"}, "REFUTED", 1, 0, 1},
		{[]string{"check", "mesh:3x3", "-r", "minimal", "--waiting", "one"}, "REFUTED", 1, 0, 1},
		{[]string{"check", "ring:5", "-r", "updown", "--fail", "switches:1"}, "PROVED", 0, 0, 0},
	} {
		dir := t.TempDir()
		junit, sarif, page := filepath.Join(dir, "r.xml"), filepath.Join(dir, "r.sarif"), filepath.Join(dir, "r.html")
		stdout, stderr, code := turnproof(t, append(c.line, "--junit", junit, "--sarif", sarif)...)
		if code != c.status || !strings.Contains(stdout, "\n"+c.word+". The independent checker") {
			t.Errorf("%q: exit status %d, %s%s", c.line, code, stdout, stderr)
		}
		s := readJUnit(t, junit)
		if p := s.Suites[0].Properties[0]; p.Name != "verdict" || p.Value != c.word || s.Failures != c.failures || s.Suites[0].Skipped != c.skipped || s.Errors > 0 {
			t.Errorf("%q: %+v", c.line, s)
		}
		if ok, verdict := invocation(t, sarif); !ok || verdict != c.word {
			t.Errorf("%q: SARIF has %v, %s", c.line, ok, verdict)
		}
		if strings.Contains(strings.Join(c.line, " "), "--fail") {
			continue
		}
		if _, stderr, code := turnproof(t, append([]string{"report", "--simulate=false", "-o", page}, c.line[1:]...)...); code != c.status {
			t.Errorf("%q: report has exit status %d, %s", c.line, code, stderr)
		}
		if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), c.word+"<") {
			t.Errorf("%q: the page lacks %q %v", c.line, c.word, err)
		}
	}
}
