package main

import (
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/modeltest"
)

// This file tests check --quality: the numbers of ibdmchk, and the limits.

// histogramOf reads a histogram from the output of ibdmchk.
func histogramOf(t *testing.T, out, title string) map[int64]int64 {
	t.Helper()
	_, rest, ok := strings.Cut(out, title)
	if !ok {
		t.Fatalf("ibdmchk prints no %q", title)
	}
	found := map[int64]int64{}
	for i, line := range strings.Split(rest, "\n") {
		if i > 0 && strings.HasPrefix(line, "-----") {
			break
		}
		f := strings.Fields(line)
		if len(f) != 2 {
			continue
		}
		value, err := strconv.ParseInt(f[0], 10, 64)
		number, wrong := strconv.ParseInt(f[1], 10, 64)
		if err == nil && wrong == nil {
			found[value] = number
		}
	}
	return found
}

// ours returns a histogram of the JSON output, with a constant added to each value.
func ours(t *testing.T, q map[string]any, key string, more int64) map[int64]int64 {
	t.Helper()
	found := map[int64]int64{}
	for _, x := range q[key].([]any) {
		value, err := x.([]any)[0].(json.Number).Int64()
		number, wrong := x.([]any)[1].(json.Number).Int64()
		if err != nil || wrong != nil {
			t.Fatal(x)
		}
		found[value+more] = number
	}
	return found
}

// plainFile returns the content of a file that may be compressed, in the folder or its parent.
func plainFile(dir, name string) []byte {
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if text, err := os.ReadFile(filepath.Join(d, name)); err == nil {
			return text
		}
		f, err := os.Open(filepath.Join(d, name+".gz"))
		if err != nil {
			continue
		}
		defer func() { _ = f.Close() }()
		if z, err := gzip.NewReader(f); err == nil {
			if text, err := io.ReadAll(z); err == nil {
				return text
			}
		}
	}
	return nil
}

// TestIbdmchkQuality reproduces the numbers of ibdmchk on each bundled fabric, or on those of TURNPROOF_FABRICS. ibdmchk counts the cables
// of both hosts as hops, and it leaves out the ports of switches that no path passes.
func TestIbdmchkQuality(t *testing.T) {
	ibdmchk := modeltest.Tool(t, "ibdmchk")
	root := os.Getenv("TURNPROOF_FABRICS")
	if root == "" {
		root = fabrics
	}
	cases, err := filepath.Glob(filepath.Join(root, "*", "*", "truth.json"))
	if err != nil || len(cases) < 10 {
		t.Fatal(len(cases), err)
	}
	for _, truth := range cases {
		dir, from := t.TempDir(), filepath.Dir(truth)
		for _, name := range []string{"topology.ibnetdiscover", "opensm-subnet.lst", "opensm.fdbs"} {
			if err := os.WriteFile(filepath.Join(dir, name), plainFile(from, name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out := string(plainFile(from, "ibdmchk.out"))
		if out == "" {
			if err := os.WriteFile(filepath.Join(dir, "empty.mcfdbs"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), ibdmchk, "-s", "opensm-subnet.lst", "-f", "opensm.fdbs", "-m", "empty.mcfdbs")
			cmd.Dir = dir
			text, err := cmd.Output() // it can fail after it has printed its numbers
			if out = string(text); !strings.Contains(out, "NUM DLIDS") {
				t.Fatalf("%s: %v\n%s", from, err, out)
			}
		}
		stdout, stderr, _ := turnproof(t, "check", filepath.Join(dir, "topology.ibnetdiscover"), "-r", filepath.Join(dir, "opensm.fdbs"),
			"--management", "none", "--quality", "--json")
		if !strings.HasPrefix(stdout, "{") {
			t.Fatalf("%s: %s", from, stderr)
		}
		q := valid(t, "check.json", stdout)["quality"].(map[string]any)
		if n, err := readNetwork(t, filepath.Join(dir, "topology.ibnetdiscover")); err == nil {
			compareNumbers(t, from, out, q, idlePorts(q, n))
		}
	}
}

// readNetwork returns the number of links between switches at each switch, from the JSON of convert.
func readNetwork(t *testing.T, file string) (map[string]int64, error) {
	t.Helper()
	stdout, stderr, code := turnproof(t, "convert", file, "--to", "json", "-o", "-")
	if code != cli.ExitHolds {
		t.Fatal(stderr)
	}
	var n struct {
		Links []struct{ A, B string }
	}
	err := json.Unmarshal([]byte(stdout), &n)
	degree := map[string]int64{}
	for _, l := range n.Links {
		degree[l.A]++
		degree[l.B]++
	}
	return degree, err
}

// idlePorts counts the ports of the switches that carry nothing.
func idlePorts(q map[string]any, degree map[string]int64) (ports int64) {
	for _, x := range q["idle_switches"].([]any) {
		for _, name := range x.(map[string]any)["switches"].([]any) {
			ports += degree[name.(string)]
		}
	}
	return ports
}

// compareNumbers compares every number of ibdmchk with ours.
func compareNumbers(t *testing.T, name, out string, q map[string]any, idle int64) {
	t.Helper()
	addresses := ours(t, q, "addresses", 0)
	if addresses[0] -= idle; addresses[0] == 0 {
		delete(addresses, 0)
	}
	for title, got := range map[string]map[int64]int64{
		"NUM ALTERNATE PORTS TO CA HISTOGRAM":       ours(t, q, "shortest_ports", 0),
		"CA to CA : MIN HOP HISTOGRAM":              ours(t, q, "shortest_hops", 2),
		"CA to CA : LFT ROUTE HOP HISTOGRAM":        ours(t, q, "hops", 2),
		"SWITCH OUT PORT - NUM DLIDS HISTOGRAM ---": addresses,
	} {
		if want := histogramOf(t, out, title); !maps.Equal(got, want) {
			t.Errorf("%s: %s: %v, ibdmchk has %v", name, title, got, want)
		}
	}
	lost := "0"
	scanned := regexp.MustCompile(`Scanned:(\d+) CA to CA paths`).FindStringSubmatch(out)
	if m := regexp.MustCompile(`Found (\d+) missing paths out of:(\d+) paths`).FindStringSubmatch(out); m != nil {
		lost, scanned = m[1], m[1:]
	}
	if scanned == nil || q["pairs"] != json.Number(scanned[1]) || q["lost_pairs"] != json.Number(lost) {
		t.Errorf("%s: %v pairs, %v lost; ibdmchk has %v, %s", name, q["pairs"], q["lost_pairs"], scanned, lost)
	}
}

// TestLimits: a limit that is exceeded gives exit status 1, a failure in JUnit and an error in SARIF. One that is met gives neither.
func TestLimits(t *testing.T) {
	dir := t.TempDir()
	junit, sarif := filepath.Join(dir, "a.xml"), filepath.Join(dir, "a.sarif")
	for _, c := range []struct {
		flag, limit string
		code        int
	}{{"max-load", "28", 0}, {"max-load", "27", 1}, {"max-hops", "2", 0}, {"max-hops", "1", 1}, {"max-unused", "0", 0}} {
		stdout, stderr, code := turnproof(t, "check", filepath.Join(fabrics, "ft2-8x4", "topology.ibnetdiscover"), "-r",
			filepath.Join(fabrics, "ft2-8x4", "updn", "opensm-lfts.dump.gz"), "--management", "none", "--"+c.flag, c.limit, "--junit", junit, "--sarif", sarif)
		if code != c.code {
			t.Errorf("%v: exit status %d, %s%s", c, code, stdout, stderr)
		}
		text, err := os.ReadFile(junit)
		if err != nil {
			t.Fatal(err)
		}
		var suites struct {
			Failures int `xml:"failures,attr"`
			Suite    struct {
				Cases []struct {
					Name    string    `xml:"name,attr"`
					Failure *struct{} `xml:"failure"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal(text, &suites); err != nil {
			t.Fatal(err)
		}
		last := suites.Suite.Cases[len(suites.Suite.Cases)-1]
		if suites.Failures != c.code || last.Name != c.flag || (last.Failure != nil) != (c.code == 1) {
			t.Errorf("%v: %s", c, text)
		}
		if text, err = os.ReadFile(sarif); err != nil || strings.Contains(string(text), `"level": "error"`) != (c.code == 1) {
			t.Errorf("%v: %v %s", c, err, text)
		}
	}
}
