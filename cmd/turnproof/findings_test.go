package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/turnproof/turnproof/cmd/turnproof/check"
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// linesOf returns the lines of a file, which may be compressed by gzip.
func linesOf(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if data, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Split(string(data), "\n")
}

// sarifSchema is the schema of SARIF as OASIS publishes it (errata 01).
var sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	data, err := os.ReadFile("testdata/sarif-schema-2.1.0.json.gz")
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	schema, err := jsonschema.UnmarshalJSON(z)
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", schema); err != nil {
		return nil, err
	}
	return c.Compile("sarif.json")
})

// sarifPlace is a location of a finding.
type sarifPlace struct {
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           struct{ StartLine int }
	}
	Message struct{ Text string }
}

// sarifRun is the part of a file of findings that the tests read.
type sarifRun struct {
	Artifacts   []struct{ Location struct{ URI string } }
	Invocations []struct {
		ExecutionSuccessful        bool
		ToolExecutionNotifications []struct {
			Level   string
			Message struct{ Text string }
		}
	}
	Results []struct {
		Level                       string
		Locations, RelatedLocations []sarifPlace
	}
}

// readSARIF validates a file against the schema, and returns its run.
func readSARIF(t *testing.T, file string) sarifRun {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := sarifSchema()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(document); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	var log struct{ Runs []sarifRun }
	if err := json.Unmarshal(data, &log); err != nil || len(log.Runs) != 1 {
		t.Fatalf("%v, %d runs", err, len(log.Runs))
	}
	return log.Runs[0]
}

// TestSARIF validates the findings against the schema of SARIF, and checks each place against its
// line.
func TestSARIF(t *testing.T) {
	for _, c := range []struct {
		line   []string
		code   int
		levels string // of deadlock-free, connected, livelock-free
		places int    // number of places in all findings
	}{
		{args("check", loopCase), cli.ExitRefuted, "error none none", 5},
		{args("check", soundCase), cli.ExitHolds, "none none none", 0},
		{args("check", holeCase), cli.ExitRefuted, "none error none", 1},
		{args("check", wrongCase), cli.ExitRefuted, "none error none", 1},
		{args("check", spinCase), cli.ExitRefuted, "error error error", 4},
		{[]string{"check", filepath.Join(fabric, "updn"), "--classes", "request,reply"}, cli.ExitRefuted, "error none none error", 6},
		{[]string{"check", "mesh:3x3", "-r", "minimal"}, cli.ExitRefuted, "error none none", 1},
	} {
		file := filepath.Join(t.TempDir(), "findings.sarif")
		if _, _, code := turnproof(t, append(c.line, "--sarif", file)...); code != c.code {
			t.Errorf("%q: exit status %d", c.line, code)
		}
		var levels []string
		places := 0
		for _, f := range readSARIF(t, file).Results {
			levels = append(levels, f.Level)
			for _, l := range append(f.Locations, f.RelatedLocations...) {
				places++
				at := l.PhysicalLocation
				if l.Message.Text == "" {
					continue
				}
				var lid, port int
				var name string
				if k, _ := fmt.Sscanf(l.Message.Text, "%s forwards LID %d by port %d", &name, &lid, &port); k != 3 {
					t.Errorf("%q: %s", c.line, l.Message.Text)
				}
				text := linesOf(t, at.ArtifactLocation.URI)[at.Region.StartLine-1]
				if want := fmt.Sprintf("0x%04x %03d", lid, port); !strings.HasPrefix(text, want) {
					t.Errorf("%q: line %d is %q, want %q", c.line, at.Region.StartLine, text, want)
				}
			}
		}
		if got := strings.Join(levels, " "); got != c.levels || places != c.places {
			t.Errorf("%q: %s with %d places, want %s with %d", c.line, got, places, c.levels, c.places)
		}
	}
}

// TestJUnit parses the JUnit file and checks its test cases.
func TestJUnit(t *testing.T) {
	type suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testsuite>testcase"`
	}
	for _, c := range []struct {
		line  []string
		fails string
		lines int
	}{
		{args("check", loopCase), "deadlock-free", 5},
		{args("check", soundCase), "", 0},
		{args("check", holeCase), "connected", 1},
	} {
		file := filepath.Join(t.TempDir(), "findings.xml")
		turnproof(t, append(c.line, "--junit", file)...)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var s suites
		if err := xml.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		if s.Tests != 3 || len(s.Cases) != 3 || (s.Failures > 0) != (c.fails != "") {
			t.Errorf("%q: %+v", c.line, s)
		}
		for _, x := range s.Cases {
			if (x.Failure != nil) != (x.Name == c.fails) {
				t.Errorf("%q: %s: %+v", c.line, x.Name, x.Failure)
			} else if x.Failure != nil && (!strings.HasPrefix(x.Failure.Message, "refuted: ") || strings.Count(x.Failure.Text, "\n")+1 != c.lines) {
				t.Errorf("%q: %s: %+v", c.line, x.Name, x.Failure)
			}
		}
	}
}

// TestSARIFNames checks that the URI of any file name is ASCII and decodes to the name.
func TestSARIFNames(t *testing.T) {
	t.Parallel()
	plain := regexp.MustCompile(`^[A-Za-z0-9._~/:%-]+$`)
	for _, name := range []string{"plain", "with space", "hash#1", "100%", "%41", "what?", "Zürich",
		"東京", "a:b", "quote\"", "back\\slash", "tab\t", "\xff"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "examples", "fabrics", "mesh3x3"))); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "findings.sarif")
		if _, stderr, code := turnproof(t, "check", filepath.Join(dir, "topology.ibnetdiscover"), "-r",
			filepath.Join(dir, "file-missing-entries", "opensm-lfts.dump.gz"), "--sarif", file); code != cli.ExitRefuted {
			t.Fatalf("%q: exit status %d, %s", name, code, stderr)
		}
		uri := readSARIF(t, file).Artifacts[0].Location.URI
		u, err := url.Parse(uri)
		if err != nil || !plain.MatchString(uri) {
			t.Errorf("%q: URI %q, error %v", name, uri, err)
			continue
		}
		if filepath.Dir(filepath.Dir(u.Path)) != dir || u.RawQuery != "" || u.Fragment != "" {
			t.Errorf("%q: URI %q leads to %q, want a file in %q", name, uri, u.Path, dir)
		}
	}
	for path, want := range map[string]string{"a b/c.lst": "a%20b/c.lst", "a:b": "./a:b", "mesh:4x4": "./mesh:4x4", "x/y.lst": "x/y.lst"} {
		if got := check.UriOf(path); got != want {
			t.Errorf("%q: URI %q, want %q", path, got, want)
		}
	}
}

// TestNotesInFindings: the warnings and notes of a folder, such as files that are left aside, are notifications in SARIF, and properties and output
// in JUnit.
func TestNotesInFindings(t *testing.T) {
	dir := dumpsOf(t, "ring4/topology.ibnetdiscover", "ring4/updn/opensm-lfts.dump", map[string]string{"opensm.mcfdbs": "", "old-dump.txt": "nothing\n"})
	out := t.TempDir()
	sarif, junit := filepath.Join(out, "x.sarif"), filepath.Join(out, "x.xml")
	if _, stderr, code := turnproof(t, "check", dir, "--sarif", sarif, "--junit", junit); code != cli.ExitHolds {
		t.Fatalf("exit status %d, %s", code, stderr)
	}
	const note, warning = "old-dump.txt is no dump that is known: left aside", "opensm.mcfdbs has no table: "
	told := map[string]string{}
	run := readSARIF(t, sarif)
	if len(run.Invocations) != 1 || !run.Invocations[0].ExecutionSuccessful {
		t.Fatalf("%+v", run.Invocations)
	}
	for _, x := range run.Invocations[0].ToolExecutionNotifications {
		told[x.Level] += x.Message.Text + "\n"
	}
	if !strings.Contains(told["note"], note) || !strings.Contains(told["warning"], warning) || told["error"] != "" {
		t.Errorf("SARIF: %q", told)
	}
	var s struct {
		Output     string `xml:"testsuite>system-out"`
		Properties []struct {
			Name  string `xml:"name,attr"`
			Value string `xml:"value,attr"`
		} `xml:"testsuite>properties>property"`
	}
	data, err := os.ReadFile(junit)
	if err == nil {
		err = xml.Unmarshal(data, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	clear(told)
	for _, p := range s.Properties {
		told[p.Name] += p.Value + "\n"
	}
	if !strings.Contains(told["note"], note) || !strings.Contains(told["warning"], warning) || !strings.Contains(s.Output, "Note: "+note) ||
		!strings.Contains(s.Output, "Warning: "+warning) {
		t.Errorf("JUnit: %q, %q", told, s.Output)
	}
}
