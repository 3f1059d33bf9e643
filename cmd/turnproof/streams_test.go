package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/verify/cert"
)

// withInput calls f with text as standard input.
func withInput(t *testing.T, text []byte, f func()) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "stdin")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdin
	os.Stdin = in
	defer func() { os.Stdin = old; _ = in.Close() }()
	f()
}

// unpacked returns a file of the bundled fabrics, decompressed.
func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(fabrics + name)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if text, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return text
}

// TestStandardInput checks that each input may be "-" and gives the same result as the file.
func TestStandardInput(t *testing.T) {
	const grid = "mesh3x3/"
	topology, lfts := fabrics+grid+"topology.ibnetdiscover", fabrics+grid+"minhop/opensm-lfts.dump.gz"
	dfsssp := fabrics + grid + "dfsssp/"
	dir := t.TempDir()
	own := func(name, text string) []byte {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return []byte(text)
	}
	program := []byte("family = mesh(n, m)\ndef route(cur, dst, inp):\n    return [E]\n") // prove refutes this one fast
	set, _, _ := turnproof(t, "turns", "mesh:3x3", "-m", "updown", "-o", "-", "-q")
	hosts := ""
	for i := range 9 {
		hosts += strings.Join([]string{hostName(i), "02:00:00:00:00:0" + string(rune('1'+i))}, " ") + "\n"
	}
	for _, c := range []struct {
		text []byte
		file string // the file to compare with; if empty, only the exit status is checked
		line []string
	}{
		{unpacked(t, grid+"topology.ibnetdiscover"), topology, []string{"check", "-", "-r", lfts}},
		{unpacked(t, grid+"minhop/opensm-lfts.dump.gz"), lfts, []string{"check", topology, "-r", "-"}},
		{unpacked(t, grid+"dfsssp/path-sl.txt"), dfsssp + "path-sl.txt", []string{"check", topology, "-r", dfsssp + "opensm-lfts.dump.gz", "--sl",
			"-", "--sl2vl", dfsssp + "opensm-sl2vl.dump.gz"}},
		{unpacked(t, grid+"dfsssp/opensm-sl2vl.dump.gz"), dfsssp + "opensm-sl2vl.dump.gz",
			[]string{"check", topology, "-r", dfsssp + "opensm-lfts.dump.gz", "--sl", dfsssp + "path-sl.txt", "--sl2vl", "-"}},
		{unpacked(t, grid+"topology.ibnetdiscover"), topology, []string{"convert", "-", "--to", "json"}},
		{unpacked(t, grid+"topology.ibnetdiscover"), topology, []string{"table", "-", "-r", "updown"}},
		{unpacked(t, grid+"topology.ibnetdiscover"), topology, []string{"draw", "cdg", "-", "-r", "updown", "-o", "-", "--format", "dot"}},
		{unpacked(t, grid+"topology.ibnetdiscover"), topology, []string{"compare", lfts, lfts, "--network", "-"}},
		{unpacked(t, grid+"minhop/opensm-lfts.dump.gz"), lfts, []string{"compare", lfts, "-", "--network", topology}},
		{own("set.json", set), filepath.Join(dir, "set.json"), []string{"check", "mesh:3x3", "-r", "-"}},
		{own("closed.txt", "0 1\n"), filepath.Join(dir, "closed.txt"), []string{"possible", "mesh:3x3", "--closed", "-"}},
		{own("keep.txt", "0 1 2\n"), filepath.Join(dir, "keep.txt"), []string{"turns", "mesh:3x3", "-m", "minimum", "--seconds", "0.1", "--keep", "-"}},
		{own("prohibit.txt", "0 1 2\n"), filepath.Join(dir, "prohibit.txt"),
			[]string{"turns", "mesh:3x3", "-m", "minimum", "--seconds", "0.1", "--prohibit", "-"}},
		{own("e.yaml", "networks: [\"mesh:3x3\"]\nroutings: [dor]\ntraffics: [uniform]\nloads: [0.1]\nclocks: 1000\n"), filepath.Join(dir, "e.yaml"),
			[]string{"sweep", "-"}},
		{own("space.yaml", spaceText), filepath.Join(dir, "space.yaml"), []string{"enumerate", "-"}},
		{own("hosts.txt", hosts), filepath.Join(dir, "hosts.txt"), []string{"vlan", "mesh:3x3", "--seconds", "0.1", "--addresses", "-", "--linux", "DIR"}},
		{program, "", []string{"prove", "-"}},
	} {
		run := func(dash string, at string) (string, string, int) {
			line := append([]string{}, c.line...)
			for i, w := range line {
				if w == "-" && (i == 0 || line[i-1] != "-o") {
					line[i] = dash
				}
				if w == "DIR" {
					line[i] = filepath.Join(dir, at)
				}
			}
			return turnproof(t, line...)
		}
		var stdout, stderr string
		var code int
		withInput(t, c.text, func() { stdout, stderr, code = run("-", "one") })
		if c.file == "" {
			if strings.Contains(stderr, "no such file") || !strings.Contains(stdout+stderr, "Z3") && code == cli.ExitUsage {
				t.Errorf("%v: exit status %d, stderr %q", c.line, code, stderr)
			}
			continue
		}
		other, errs, code2 := run(c.file, "two")
		same := func(text string) string {
			text = strings.ReplaceAll(text, "&#160;", "") // padding of titles
			for _, name := range []string{c.file, filepath.Base(filepath.Dir(c.file)) + "/" + filepath.Base(c.file),
				filepath.Base(filepath.Dir(topology)) + "/-", "standard input", filepath.Base(c.file)} {
				text = strings.ReplaceAll(text, name, "-")
			}
			return seconds.ReplaceAllString(strings.ReplaceAll(text, filepath.Join(dir, "two"), filepath.Join(dir, "one")), "")
		}
		if code != code2 || code == cli.ExitUsage || same(stdout) != same(other) || same(stderr) != same(errs) {
			t.Errorf("%v: exit status %d on standard input, %d from the file\n%s%s\n%s%s", c.line, code, code2, stdout, stderr, other, errs)
		}
	}
	for _, line := range []string{"check - -r -", "compare - -", "possible - --closed -"} {
		if _, stderr, code := turnproof(t, strings.Fields(line)...); code != cli.ExitUsage ||
			!strings.Contains(stderr, "standard input can be read only once: want - for one input at most") {
			t.Errorf("%s: exit status %d, %q", line, code, stderr)
		}
	}
}

const spaceText = `coordinates: [x, y]
directions:
  - {name: E, reverse: W, moves: [x = 1, y = 0]}
  - {name: W, reverse: E, moves: [x = -1, y = 0]}
  - {name: NE, reverse: SW, moves: [x + y >= 1, y >= 1]}
  - {name: SW, reverse: NE, moves: [x + y <= -1, y <= -1]}
`

func hostName(i int) string { return "h" + string(rune('0'+i)) }

// TestStandardOutput checks that each output may be "-". Then standard output has the same bytes
// as the file, and the report goes to standard error.
func TestStandardOutput(t *testing.T) {
	dir := t.TempDir()
	mend := []string{"check", "@mesh3x3/topology.ibnetdiscover", "-r", "@mesh3x3/file-missing-entries/opensm-lfts.dump.gz", "--seconds", "1"}
	check := []string{"check", "mesh:3x3", "-r", "dor"}
	sim := []string{"sim", "mesh:3x3", "-r", "dor", "--load", "0.1", "--clocks", "2000"}
	sweep := []string{"sweep", "mesh:3x3", "-r", "dor", "--loads", "0.1", "--clocks", "2000"}
	turns := []string{"turns", "mesh:3x3", "-m", "updown"}
	vlan := []string{"vlan", "mesh:3x3", "--seconds", "0.1"}
	layers := []string{"layers", "@mesh3x3/topology.ibnetdiscover", "-r", "@mesh3x3/minhop/opensm-lfts.dump.gz", "--seconds", "0.2"}
	for _, c := range []struct {
		flag, ending string
		line         []string
	}{
		{"certificate", ".cert", check}, {"figure", ".svg", check}, {"sarif", ".sarif", check}, {"junit", ".xml", check}, {"mend", ".lfts", mend},
		{"figure", ".svg", sim}, {"packets-out", ".txt", sim}, {"occupancy", ".csv", sim}, {"loads-out", ".csv", sim},
		{"csv", ".csv", sweep}, {"jsonl", ".jsonl", sweep}, {"latency", ".svg", sweep}, {"throughput", ".svg", sweep},
		{"output", ".json", turns}, {"certificate", ".cert", turns}, {"figure", ".svg", turns},
		{"output", ".json", vlan}, {"certificate", ".cert", vlan}, {"figure", ".svg", vlan},
		{"output", ".txt", layers}, {"certificate", ".cert", layers},
		{"certificate", ".cert", []string{"possible", "mesh:3x3"}}, {"figure", ".svg", []string{"enumerate", "mesh:2"}},
		{"figure", ".svg", []string{"replay", "torus:4x4", "-r", "dor"}},
	} {
		file := filepath.Join(dir, c.line[0]+"-"+c.flag+c.ending)
		report, _, code := turnproof(t, append(append([]string{}, c.line...), "--"+c.flag, file)...)
		want, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v --%s: %v", c.line, c.flag, err)
			continue
		}
		stdout, stderr, code2 := turnproof(t, append(append([]string{}, c.line...), "--"+c.flag, "-")...)
		// Files that contain times differ between runs.
		if code != code2 || !varies(c.flag) && stdout != string(want) || len(stdout) < 20 {
			t.Errorf("%v --%s -: exit status %d and %d, %d bytes on standard output, %d in the file", c.line, c.flag, code2, code, len(stdout), len(want))
		}
		first, _, _ := strings.Cut(report, "\n")
		if !strings.Contains(stderr, first) {
			t.Errorf("%v --%s -: the report is not on standard error:\n%s", c.line, c.flag, stderr)
		}
		if _, stderr, code := turnproof(t, append(append([]string{}, c.line...), "--"+c.flag, "-", "--json")...); code != cli.ExitUsage ||
			!strings.Contains(stderr, "--json writes to standard output: give --"+c.flag+" the name of a file") {
			t.Errorf("%v --%s - --json: exit status %d, %q", c.line, c.flag, code, stderr)
		}
	}
	if stdout, stderr, code := turnproof(t, append(check, "--certificate", "-", "--quiet")...); code != 0 || stderr != "" {
		t.Errorf("--quiet: exit status %d, stderr %q", code, stderr)
	} else if c, err := cert.Read(strings.NewReader(stdout)); err != nil || cert.Check(c) != nil {
		t.Errorf("the certificate on standard output: %v", err)
	}
	for line, want := range map[string]string{
		"vlan mesh:3x3 --linux -":                         "--linux cannot be standard output",
		"enumerate mesh:2 --files -":                      "--files cannot be standard output",
		"sweep mesh:3x3 -r dor --loads 0.1 --journal -":   "--journal cannot be standard output",
		"check mesh:3x3 -r dor --certificate - --junit -": "cannot both be standard output: give one the name of a file",
		"reproduce flow-limiting/figure-5 --figure -":     "--figure cannot be standard output",
	} {
		if stdout, stderr, code := turnproof(t, strings.Fields(line)...); code != cli.ExitUsage || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit status %d, %q", line, code, stderr)
		}
	}
}

// varies reports whether the files of a flag contain times.
func varies(flag string) bool { return flag == "junit" || flag == "csv" || flag == "jsonl" }
