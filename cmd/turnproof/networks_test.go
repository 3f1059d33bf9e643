package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestNetworksFindings checks several networks of which some break, and reads the files of --junit and --sarif: a suite and a run for each
// network, with an error where there is no verdict. The exit status is that of the worst.
func TestNetworksFindings(t *testing.T) {
	proved, refuted := fabrics+"ft2-8x4/updn", fabrics+"ring4/dor"
	copied := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(copied, os.DirFS(proved)); err != nil {
		t.Fatal(err)
	}
	topology, err := os.ReadFile(fabrics + "ft2-8x4/topology.ibnetdiscover")
	if err == nil {
		err = os.WriteFile(filepath.Join(copied, "topology.ibnetdiscover"), topology, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(t.TempDir(), "rail")
	if err := os.Mkdir(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(fabrics + "ring4/topology.ibnetdiscover")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, "topology"), text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		networks         []string
		code             int
		errors, failures []int // by suite
		word             string
	}{
		{[]string{proved, copied}, cli.ExitHolds, []int{0, 0}, []int{0, 0}, "proved"},
		{[]string{proved, refuted}, cli.ExitRefuted, []int{0, 0}, []int{0, 1}, "refuted"},
		{[]string{broken, refuted, proved}, cli.ExitUsage, []int{1, 0, 0}, []int{0, 1, 0}, "error"},
		{[]string{proved, broken}, cli.ExitUsage, []int{0, 1}, []int{0, 0}, "error"},
	} {
		dir := t.TempDir()
		junit, sarif := filepath.Join(dir, "j.xml"), filepath.Join(dir, "s.sarif")
		line := append(append([]string{"check"}, c.networks...), "--junit", junit, "--sarif", sarif, "--json")
		stdout, stderr, code := turnproof(t, line...)
		var out struct {
			Verdict  string
			Networks []struct {
				Network, Verdict string
				Result           *struct{ Verdict string }
			}
		}
		if err := json.Unmarshal([]byte(stdout), &out); err != nil || code != c.code || out.Verdict != c.word || len(out.Networks) != len(c.networks) {
			t.Errorf("%v: %v, exit status %d, verdict %q\n%s", c.networks, err, code, out.Verdict, stderr)
			continue
		}
		for i, x := range out.Networks {
			if x.Network != c.networks[i] || (x.Result == nil) != (c.errors[i] > 0) || x.Result != nil && x.Result.Verdict != x.Verdict {
				t.Errorf("%v: %+v", c.networks, x)
			}
		}
		checkSuites(t, junit, c.errors, c.failures)
		checkRuns(t, sarif, c.errors)
	}
}

// checkSuites compares the suites of a JUnit file.
func checkSuites(t *testing.T, file string, errors, failures []int) {
	var all struct {
		Errors   int `xml:"errors,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Errors   int        `xml:"errors,attr"`
			Failures int        `xml:"failures,attr"`
			Tests    int        `xml:"tests,attr"`
			Cases    []struct{} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(text, &all); err != nil || len(all.Suites) != len(errors) {
		t.Fatalf("%v\n%s", err, text)
	}
	sum := func(list []int) (n int) {
		for _, x := range list {
			n += x
		}
		return n
	}
	if all.Errors != sum(errors) || all.Failures != sum(failures) {
		t.Errorf("%d errors, %d failures; want %v, %v", all.Errors, all.Failures, errors, failures)
	}
	for i, s := range all.Suites {
		if s.Errors != errors[i] || s.Failures != failures[i] || s.Tests != len(s.Cases) || s.Tests == 0 {
			t.Errorf("suite %d: %+v, want %d errors, %d failures", i, s, errors[i], failures[i])
		}
	}
}

// checkRuns compares the runs of a SARIF file, and validates the file.
func checkRuns(t *testing.T, file string, errors []int) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := sarifSchema()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(document); err != nil {
		t.Error(err)
	}
	var log struct {
		Runs []struct {
			Invocations []struct{ ExecutionSuccessful bool }
		}
	}
	if err := json.Unmarshal(text, &log); err != nil || len(log.Runs) != len(errors) {
		t.Fatalf("%v, %d runs", err, len(log.Runs))
	}
	for i, r := range log.Runs {
		if r.Invocations[0].ExecutionSuccessful != (errors[i] == 0) {
			t.Errorf("run %d of %v: %+v", i, errors, r)
		}
	}
}

// TestFolderOfNetworks names folders of folders: those with dumps in the subfolders stand for these, those with dumps of their own do not.
func TestFolderOfNetworks(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string][]string{fabrics: {"ft2-8x4", "mesh3x3", "random16-d4-s2", "ring4", "torus4x4"}, fabrics + "ring4": nil} {
		stdout, stderr, code := turnproof(t, "check", folder, "-r", "updown", "--json")
		var out struct{ Networks []struct{ Network string } }
		if err := json.Unmarshal([]byte(stdout), &out); err != nil || code != cli.ExitHolds {
			t.Fatalf("%s: %v, %d\n%s", folder, err, code, stderr)
		}
		var got []string
		for _, x := range out.Networks {
			got = append(got, filepath.Base(x.Network))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", folder, got, want)
		}
	}
}
