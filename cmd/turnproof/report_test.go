package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// written runs report and returns its page and its standard output.
func written(t *testing.T, code int, line ...string) (text, stdout string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	stdout, stderr, got := turnproof(t, append(slices.Clone(line), "-o", file)...)
	if got != code {
		t.Fatalf("exit status %d, want %d; stderr %q", got, code, stderr)
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(page), stdout
}

var embedded = regexp.MustCompile(`<a download="([^"]+)" href="data:[^;"]+;base64,([^"]+)"`)

// embeddedFiles returns the files embedded in a page.
func embeddedFiles(t *testing.T, page []byte) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, m := range embedded.FindAllSubmatch(page, -1) {
		data, err := base64.StdEncoding.DecodeString(html.UnescapeString(string(m[2])))
		if err != nil {
			t.Fatalf("%s: %v", m[1], err)
		}
		files[string(m[1])] = data
	}
	return files
}

var reportCases = []struct {
	name  string
	code  int
	flags []string   // flags of report
	each  [][]string // for each routing, the flags of check and other commands
}{
	{"loop", cli.ExitRefuted, args("", loopCase[1:], []string{"-r", "lturn-beta"})[1:], [][]string{loopCase[1:], {"-r", "lturn-beta"}}},
	{"service levels", cli.ExitHolds, args("", slCase[1:])[1:], [][]string{slCase[1:]}},
	{"levels behind the file", cli.ExitHolds, []string{"-r", "updown", "-r", slCase[2] + ",sl=" + slCase[4] + ",sl2vl=" + slCase[6]},
		[][]string{{"-r", "updown"}, slCase[1:]}},
	{"lost", cli.ExitRefuted, args("", holeCase[1:], []string{"-r", "updown"})[1:], [][]string{holeCase[1:], {"-r", "updown"}}},
	{"circling", cli.ExitRefuted, args("", spinCase[1:])[1:], [][]string{spinCase[1:]}},
	{"wrong host", cli.ExitRefuted, args("", wrongCase[1:])[1:], [][]string{wrongCase[1:]}},
	{"adaptive", cli.ExitRefuted, []string{"-r", "minimal", "-r", "west-first"}, [][]string{{"-r", "minimal"}, {"-r", "west-first"}}},
	{"worms", cli.ExitRefuted, []string{"-r", "duato-nonminimal", "--switching", "wormhole"},
		[][]string{{"-r", "duato-nonminimal", "--switching", "wormhole"}}},
	{"vlans", cli.ExitRefuted, []string{"-r", "../../examples/vlan-ethernet/cyclic.json"}, [][]string{{"-r", "../../examples/vlan-ethernet/cyclic.json"}}},
	{"escape", cli.ExitHolds, []string{"-r", "duato", "--switching", "wormhole"}, [][]string{{"-r", "duato", "--switching", "wormhole"}}},
}

var reportNetworks = map[string]string{"loop": loopCase[0], "service levels": slCase[0], "levels behind the file": slCase[0], "lost": holeCase[0],
	"circling": spinCase[0], "wrong host": wrongCase[0], "adaptive": "mesh:3x3", "escape": "torus:4x4,vcs=3", "worms": "mesh:2x3,vcs=2",
	"vlans": "../../examples/vlan-ethernet/ring.yaml"}

// TestReportSaysWhatCheckSays checks that verdicts, theorems, premises, witnesses and certificates
// in the page are those of check. The checker accepts the embedded certificates.
func TestReportSaysWhatCheckSays(t *testing.T) {
	t.Parallel()
	for _, c := range reportCases {
		t.Run(c.name, func(t *testing.T) {
			network := reportNetworks[c.name]
			page, _ := written(t, c.code, args("report", []string{network}, c.flags, []string{"--simulate=false", "--compare", "none"})...)
			files, text := embeddedFiles(t, []byte(page)), plainText(page)
			for i, flags := range c.each {
				name := "r" + string(rune('1'+i)) + ".cert"
				file := filepath.Join(t.TempDir(), name)
				stdout, _, _ := turnproof(t, args("check", []string{network}, flags, []string{"--certificate", file})...)
				evidence, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(evidence, files[name]) {
					t.Errorf("%s: %d bytes in the page, check writes %d", name, len(files[name]), len(evidence))
				}
				sum := sha256.Sum256(evidence)
				if !strings.Contains(text, hex.EncodeToString(sum[:])) {
					t.Errorf("the SHA-256 of %s is not in the page", name)
				}
				read, err := cert.Read(bytes.NewReader(files[name]))
				if err == nil {
					err = cert.Check(read)
				}
				if err != nil {
					t.Errorf("%s is not accepted: %v", name, err)
				}
				for _, line := range checkedLines(stdout) {
					if !strings.Contains(text, line) {
						t.Errorf("check says %q, the page does not", line)
					}
				}
			}
		})
	}
}

var (
	tags = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|<svg.*?</svg>|<[^>]*>`)
	// chosenText matches the text shown when a packet of a walk is selected.
	chosenText = regexp.MustCompile(`data-text="([^"]*)"`)
	spaces     = regexp.MustCompile(`\s+`)
)

// plainText returns the text of a page without drawings, including the texts of all packets.
func plainText(page string) string {
	for _, m := range chosenText.FindAllStringSubmatch(page, -1) {
		page += " " + m[1]
	}
	return spaces.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(page, " ")), " ")
}

// checkedLines returns the reasons, theorems, premises and packets that check prints.
func checkedLines(stdout string) (list []string) {
	for _, line := range strings.Split(stdout, "\n") {
		words := strings.TrimSpace(line)
		switch name, rest, _ := strings.Cut(words, ": "); {
		case strings.HasPrefix(line, "PROVED ") || strings.HasPrefix(line, "REFUTED ") || strings.HasPrefix(line, "UNDECIDED "):
			list = append(list, spaces.Split(words, 3)[2])
		case slices.Contains(model.PremiseNames(), name):
			list = append(list, words)
		case name == "deadlock-free" || name == "connected" || name == "livelock-free":
			list = append(list, rest)
		case strings.HasPrefix(words, "packet "):
			words, _, _ = strings.Cut(words, ", one of ") // the page gives the number of pairs elsewhere
			list = append(list, strings.TrimSuffix(strings.TrimPrefix(words, "packet "), " waits for"))
		case strings.HasPrefix(words, "goes "), strings.HasPrefix(words, "circles "):
			list = append(list, words)
		}
	}
	for i, line := range list { // the page separates the name of a claim from the reason
		for _, name := range []string{"deadlock-free", "connected", "livelock-free"} {
			list[i] = strings.TrimSpace(strings.TrimPrefix(line, name))
			line = list[i]
		}
	}
	return list
}

// TestReportTables checks that the files to download are those that the command table writes.
func TestReportTables(t *testing.T) {
	t.Parallel()
	network, flags := loopCase[0], loopCase[1:]
	page, _ := written(t, cli.ExitRefuted, args("report", []string{network}, flags, []string{"-r", "lturn-beta", "--simulate=false", "--compare", "none"})...)
	files := embeddedFiles(t, []byte(page))
	for _, c := range []struct {
		file, kind string
		flags      []string
	}{
		{"r1-turns.csv", "turns", flags}, {"r1-turns.json", "turns", flags}, {"r1-next-hops.csv", "next-hops", flags},
		{"r1-next-hops.json", "next-hops", flags}, {"r1-paths.csv", "paths", flags}, {"r1-paths.json", "paths", flags},
		{"r2-turns.csv", "turns", []string{"-r", "lturn-beta"}}, {"r2-input-hops.csv", "input-hops", []string{"-r", "lturn-beta"}},
		{"r2-paths.json", "paths", []string{"-r", "lturn-beta"}},
	} {
		stdout, _, _ := turnproof(t, args("table", []string{network}, c.flags,
			[]string{"--kind", c.kind, "--format", strings.TrimPrefix(filepath.Ext(c.file), ".")})...)
		if len(files[c.file]) == 0 || string(files[c.file]) != stdout {
			t.Errorf("%s: %d bytes, table writes %d", c.file, len(files[c.file]), len(stdout))
		}
	}
	set := filepath.Join(t.TempDir(), "set.json")
	if err := os.WriteFile(set, files["r2-turn-set.json"], 0o644); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := turnproof(t, "check", network, "-r", set); code != cli.ExitHolds {
		t.Errorf("the turn set of the page: exit status %d, %s%s", code, stdout, stderr)
	}
}

// TestReportMeasures checks that the comparison in the page has the measurements of the command
// turns.
func TestReportMeasures(t *testing.T) {
	const network = "random:switches=16,degree=3,seed=4"
	page, _ := written(t, cli.ExitHolds, "report", network, "-r", "updown", "-r", "lturn-beta,paths=first", "--compare", "updown,tp,rturn-alpha",
		"--simulate=false")
	rows := regexp.MustCompile(`(?s)<tr( class="strong")?>(.*?)</tr>`).FindAllStringSubmatch(page[strings.Index(page, `id="compare-table"`):], -1)
	var got [][]string
	for _, row := range rows {
		var cells []string
		for _, cell := range regexp.MustCompile(`(?s)<td[^>]*>(.*?)</td>`).FindAllStringSubmatch(row[2], -1) {
			cells = append(cells, html.UnescapeString(cell[1]))
		}
		if len(cells) == 14 {
			got = append(got, cells)
		}
	}
	stdout, _, _ := turnproof(t, "turns", network, "--compare", "--method", "updown,tp,rturn-alpha")
	compared := 0
	for _, line := range strings.Split(stdout, "\n") {
		w := strings.Fields(line)
		i := slices.IndexFunc(got, func(cells []string) bool { return len(w) > 14 && cells[0] == w[0] })
		if i < 0 {
			continue
		}
		// columns: method root acyclic connected prohibited PT SDPT PPT mean max paths load 1/M
		// one worst
		want := []string{w[0], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[11], got[i][10], w[12], w[13], w[14]}
		if !slices.Equal(got[i], want) {
			t.Errorf("the page has %q, turns %q", got[i], want)
		}
		compared++
	}
	if compared != 3 || len(got) != 4 { // updown has one row, although it is in --routing and in --compare
		t.Errorf("%d of %d rows were compared:\n%q", compared, len(got), got)
	}
}

func TestReportIsTheSame(t *testing.T) {
	t.Parallel()
	line := args("report", loopCase, []string{"-r", "lturn-beta", "--clocks", "1000", "--seed", "7"})
	one, stdout := written(t, cli.ExitRefuted, line...)
	two, _ := written(t, cli.ExitRefuted, line...)
	if one != two {
		t.Error("the same command, another page")
	}
	for _, want := range []string{"REFUTED ", "PROVED ", "lturn-beta: deadlock-free proved, connected proved, livelock-free proved", "report.html: "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("printed: %q, without %q", stdout, want)
		}
	}
	if text := plainText(one); !strings.Contains(text, "seed 7") || !strings.Contains(text, "1,000 clocks") {
		t.Error("the page does not tell how it was simulated")
	}
}

// TestReportOfKind checks that a page explains its verdicts to readers of its kind of network alone, and that its command lines name no
// routing which the network's file states.
func TestReportOfKind(t *testing.T) {
	t.Parallel()
	all := []string{"InfiniBand administrator", "NoC architect", "Ethernet operator", "Operator of accelerators"}
	for _, c := range []struct {
		line []string
		code int
		want string
	}{
		{loopCase, cli.ExitRefuted, all[0]},
		{[]string{"mesh:3x3", "-r", "dor"}, cli.ExitHolds, all[1]},
		{[]string{"../../examples/day-roce/monday"}, cli.ExitHolds, all[2]},
		{args("", []string{reportNetworks["vlans"]}, reportCases[8].flags)[1:], cli.ExitRefuted, all[2]},
		{[]string{"../../examples/day-accelerator/reports/29213-two-galaxies.textproto", "--rules", "2025-09"}, cli.ExitRefuted, all[3]},
	} {
		page, _ := written(t, c.code, args("report", c.line, []string{"--simulate=false", "--compare", "none"})...)
		text := plainText(page)
		for _, term := range all {
			if strings.Contains(text, term) != (term == c.want) {
				t.Errorf("%q: the page says %q: %v", c.line, term, !(term == c.want))
			}
		}
		for _, stated := range []string{"-r 'the routes", "-r TT-Fabric"} {
			if strings.Contains(text, stated) {
				t.Errorf("%q: a command line has %q, which is no file", c.line, stated)
			}
		}
		if c.want == all[3] && !strings.Contains(text, "--rules 2025-09 --certificate r1.cert") {
			t.Errorf("the command that writes the certificate lacks --rules")
		}
	}
}

var (
	placedNode = regexp.MustCompile(`data-key="([sh]\d+)">\s*<title>[^<]*</title>\s*<(?:polygon[^>]*points="([^" ]*)|ellipse[^>]*(cx="[^"]*" cy="[^"]*"))`)
	pageView   = regexp.MustCompile(`viewBox="[^"]*"`)
)

// TestReportPlaces checks that the loop is at the same place in both drawings of a page: they have one size, and each host and switch of
// the loop has one place. On InfiniBand, hosts have their LIDs, in the table of packets, too.
func TestReportPlaces(t *testing.T) {
	t.Parallel()
	for name, line := range map[string][]string{"InfiniBand": loopCase, "torus": {"torus:4x4", "-r", "dor"}, "deadlock": {"mesh:3x3", "-r", "minimal"},
		"large": {"torus:9x9", "-r", "dor"}, "meshes": {"../../examples/day-accelerator/reports/29213-two-galaxies.textproto", "--rules", "2025-09"}} {
		page, _ := written(t, cli.ExitRefuted, args("report", line, []string{"--simulate=false", "--compare", "none"})...)
		_, rest, found := strings.Cut(page, `<div class="waiting">`)
		waiting, path, also := strings.Cut(rest, `<div class="path">`)
		if !found || !also {
			t.Fatalf("%s: the page lacks a drawing", name)
		}
		path, _, _ = strings.Cut(path, "</svg>")
		if a, b := pageView.FindString(waiting), pageView.FindString(path); a == "" || a != b {
			t.Errorf("%s: the drawings have %s and %s", name, a, b)
		}
		ellipses := map[string]string{}
		drawn := map[string]bool{}
		for _, m := range placedNode.FindAllStringSubmatch(path, -1) {
			drawn[m[1]], ellipses[m[1]] = true, m[3]
		}
		nodes := placedNode.FindAllStringSubmatch(waiting, -1)
		if len(nodes) < 3 {
			t.Fatalf("%s: %d nodes were found", name, len(nodes))
		}
		for _, m := range nodes {
			if !drawn[m[1]] || m[3] != ellipses[m[1]] {
				t.Errorf("%s: %s is at %s, in the network at %s", name, m[1], m[3], ellipses[m[1]])
			}
		}
		if name == "InfiniBand" && (!strings.Contains(waiting, ">LID 14<") || !strings.Contains(page, "<td>H0 (LID\u00a01)</td>")) {
			t.Error("the hosts lack their LIDs")
		}
	}
}

var (
	titledSwitch = regexp.MustCompile(`<title>(switch [^<]*)</title>\s*<polygon[^>]*points="([^"]*)"`)
	titledArrow  = regexp.MustCompile(`<title>(\d+: [^<]*, held by [^<]*)</title>`)
)

// switchPlaces returns the places of the switches of a drawing relative to the first one, rounded to points, by the text for the pointer.
func switchPlaces(t *testing.T, svg string) map[string][2]int {
	t.Helper()
	at, first := map[string][2]int{}, [2]float64{}
	for i, m := range titledSwitch.FindAllStringSubmatch(svg, -1) {
		low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for corner := range strings.FieldsSeq(m[2]) {
			for axis, word := range strings.Split(corner, ",") {
				x, err := strconv.ParseFloat(word, 64)
				if err != nil {
					t.Fatal(err)
				}
				low[axis], high[axis] = min(low[axis], x), max(high[axis], x)
			}
		}
		middle := [2]float64{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2}
		if i == 0 {
			first = middle
		}
		at[m[1]] = [2]int{int(math.Round(middle[0] - first[0])), int(math.Round(middle[1] - first[1]))}
	}
	return at
}

// TestReportShowsTheDemosLoop checks that the page has the loop that check --figure and draw cycle draw in the demo, with the same packets
// and each switch at the same place, and that draw paths and the drawing of the network have the switches there.
func TestReportShowsTheDemosLoop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	draw := func(name string, line ...string) string {
		file := filepath.Join(dir, name)
		line = append(line, map[bool]string{true: "--figure", false: "-o"}[line[0] == "check"], file)
		if _, stderr, code := turnproof(t, line...); code == cli.ExitUsage {
			t.Fatal(stderr)
		}
		svg, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(svg)
	}
	page, _ := written(t, cli.ExitRefuted, args("report", loopCase, []string{"--simulate=false", "--compare", "none"})...)
	network, rest, _ := strings.Cut(page[strings.Index(page, `id="network-drawing"`):], `<div class="waiting">`)
	network, _, _ = strings.Cut(network, "</svg>")
	waiting, _, _ := strings.Cut(rest, "</svg>")
	places, packets := switchPlaces(t, waiting), titledArrow.FindAllString(waiting, -1)
	if len(places) != 16 || len(packets) != 2*5 { // a line and its number for each
		t.Fatalf("the page has %d switches and %d channels of a loop", len(places), len(packets))
	}
	for name, svg := range map[string]string{"the network of the page": network, "check --figure": draw("loop.svg", args("check", loopCase)...),
		"draw cycle": draw("cycle.svg", args("draw", []string{"cycle"}, loopCase)...), "draw paths": draw("paths.svg", args("draw", []string{"paths"}, loopCase,
			[]string{"--from", "H35", "--to", "H19"})...)} {
		near := func(a, b [2]int) bool { return max(a[0]-b[0], b[0]-a[0], a[1]-b[1], b[1]-a[1]) <= 1 } // they are rounded
		if got := switchPlaces(t, svg); !maps.EqualFunc(got, places, near) {
			t.Errorf("%s has the switches at %v, the page at %v", name, got, places)
		}
		if got := titledArrow.FindAllString(svg, -1); (name == "check --figure" || name == "draw cycle") && !slices.Equal(got, packets) {
			t.Errorf("%s has the loop %q, the page %q", name, got, packets)
		}
	}
}

// TestReportMends checks that the section on mending has the tables that check --mend writes, which are proved, and that the page judges
// them. A routing that cannot be mended has the reason, and one that is proved has no section.
func TestReportMends(t *testing.T) {
	t.Parallel()
	for name, line := range map[string][]string{"loop": loopCase, "lost": holeCase, "circling": spinCase} {
		page, stdout := written(t, cli.ExitRefuted, args("report", line, []string{"--mend", "--simulate=false", "--compare", "none"})...)
		file := filepath.Join(t.TempDir(), "mended.lfts")
		turnproof(t, args("check", line, []string{"--mend", file})...)
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files, text := embeddedFiles(t, []byte(page)), plainText(page)
		if len(want) == 0 || !bytes.Equal(files["mended.lfts"], want) {
			t.Errorf("%s: the page has %d bytes of tables, check --mend writes %d", name, len(files["mended.lfts"]), len(want))
		}
		for _, words := range []string{"Mended by changing ", "The mended tables are proved", "Paths on the busiest link", "opensm -R file -U mended.lfts"} {
			if !strings.Contains(text, words) {
				t.Errorf("%s: the page does not say %q", name, words)
			}
		}
		if !strings.Contains(stdout, ", mended: deadlock-free proved, connected proved, livelock-free proved") || len(files["r2.cert"]) == 0 {
			t.Errorf("%s: the mended tables are not judged: %s", name, stdout)
		}
		if read, err := cert.Read(bytes.NewReader(files["r2.cert"])); err != nil || cert.Check(read) != nil {
			t.Errorf("%s: the certificate of the mended tables is not accepted", name)
		}
	}
	for _, c := range []struct {
		line []string
		code int
		want string
	}{
		{[]string{"torus:4x4", "-r", "dor"}, cli.ExitRefuted, "Not mended: the routing is not a table"},
		{[]string{loopCase[0], "-r", "updown"}, cli.ExitHolds, ""},
	} {
		page, _ := written(t, c.code, args("report", c.line, []string{"--mend", "--simulate=false", "--compare", "none"})...)
		if text := plainText(page); c.want == "" == strings.Contains(text, "ended") || !strings.Contains(text, c.want) {
			t.Errorf("%q: the page does not say %q", c.line, c.want)
		}
	}
}

// TestReportWhatif checks that a page has the results of whatif --json for each engine, and that results of another network and other
// files are refused. testdata/whatif-ring4.json was written with OpenSM 3.3.23.
func TestReportWhatif(t *testing.T) {
	t.Parallel()
	const results = "testdata/whatif-ring4.json"
	page, _ := written(t, cli.ExitRefuted, "report", "@ring4/topology.ibnetdiscover", "-r", "@ring4/dor/opensm-lfts.dump", "--whatif", results, "--simulate=false")
	text := plainText(page)
	for _, want := range []string{"Proved in all cases, the least loaded first: dfsssp, lash.", "minhop REFUTED 0 1 12 4 1.143 2 0", "dfsssp PROVED 0 8 8 3 1.143 2 0",
		"After each of 4 failures of a link", "updn 4 0 0 0 0 4 0 16 3", "updn S0 port 1 - S1 port 2 PROVED routed by minhop (updn: cannot build lid matrices)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	other := filepath.Join(t.TempDir(), "other.json")
	for content, want := range map[string]string{`{"schema": "turnproof.check/1"}`: "want turnproof.whatif/1", "no JSON": "want the output of turnproof whatif --json",
		`{"schema": "turnproof.whatif/1", "switches": 4}`: "it is about another network, of 4 switches"} {
		if err := os.WriteFile(other, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := turnproof(t, "report", "mesh:2x2", "-r", "dor", "--simulate=false", "--whatif", other, "-o", other+".html"); code != cli.ExitUsage ||
			!strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %q", content, code, stderr)
		}
	}
}

// TestReportWhatifChanged changes results of whatif. A page does not show them.
func TestReportWhatifChanged(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/whatif-ring4.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{`"verdict": "refuted"`, `"verdict": "proved"`, "proved_in_all_cases is [dfsssp, lash], and the runs of [minhop, updn, dfsssp, lash] are proved"},
		{`"verdict": "refuted"`, `"verdict": "PROVED FOR SURE"`, `the verdict of run 0 is "PROVED FOR SURE"; want proved, refuted, undecided, unrouted`},
		{`"deadlock_free": "refuted"`, `"deadlock_free": "perhaps"`, `deadlock_free of run 0 is "perhaps"; want proved, refuted, undecided, or nothing`},
		{`"proved": 4`, `"proved": 5`, "the sums of engine minhop over all failures are not those of its runs"},
		{`"can_deadlock": 0`, `"can_deadlock": 1`, "the sums of engine minhop over all failures are not those of its runs"},
		{`"failures": 4`, `"failures": 3`, "engine minhop has 5 runs; want at most 4"},
		{`"failures": 4`, `"failures": 5`, "complete is true with 20 of 24 runs"},
		{`"complete": true`, `"complete": false`, "complete is false with 20 of 20 runs"},
		{`"fail": "links:1"`, `"fail": "hosts:1"`, `fail is "hosts:1" with 4 failures`},
		{`"max_load": 12`, `"max_load": 11`, "the run of engine minhop without a failure differs in runs and in engines"},
	} {
		file := filepath.Join(t.TempDir(), "changed.json")
		changed := strings.ReplaceAll(string(text), c.from, c.to)
		if strings.HasPrefix(c.from, `"max_load"`) { // in engines only
			changed = strings.Replace(string(text), c.from, c.to, 1)
		}
		if err := os.WriteFile(file, []byte(changed), 0o600); err != nil || changed == string(text) {
			t.Fatal(c, err)
		}
		_, stderr, code := turnproof(t, "report", "@ring4/topology.ibnetdiscover", "-r", "@ring4/dor/opensm-lfts.dump", "--whatif", file, "--simulate=false",
			"-o", file+".html")
		if code != cli.ExitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%s instead of %s: exit status %d, %s; want %s", c.to, c.from, code, stderr, c.want)
		}
	}
}

// TestReportPresent checks that results of the present tables are refused on a page about other files.
func TestReportPresent(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/whatif-ring4.json")
	tables, err2 := os.ReadFile("../../examples/fabrics/ring4/dor/opensm-lfts.dump")
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	present := regexp.MustCompile(`"dfsssp",\s*"lash"\s*\]`).ReplaceAllString(string(text), `"dfsssp"]`)
	present = strings.ReplaceAll(present, `"lash"`, `"present"`)
	sum := sha256.Sum256(tables)
	for _, c := range []struct {
		inputs string
		code   int
	}{{`"inputs": [`, cli.ExitUsage}, {fmt.Sprintf(`"inputs": [{"name": "opensm-lfts.dump", "sha256": "%x"},`, sum), cli.ExitRefuted}} {
		file := filepath.Join(t.TempDir(), "present.json")
		if err := os.WriteFile(file, []byte(strings.Replace(present, `"inputs": [`, c.inputs, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		_, stderr, code := turnproof(t, "report", "@ring4/topology.ibnetdiscover", "-r", "@ring4/dor/opensm-lfts.dump", "--whatif", file, "--simulate=false",
			"-o", file+".html")
		if code != c.code || c.code == cli.ExitUsage && !strings.Contains(stderr, "its present tables are those of topology.ibnetdiscover, and no routing") {
			t.Errorf("%s: exit status %d, %s", c.inputs, code, stderr)
		}
	}
}

// TestReportDate checks title and date: of the flags, else of the topology file, else none.
func TestReportDate(t *testing.T) {
	t.Parallel()
	given, err := os.ReadFile("../../examples/fabrics/random16-d4-s2/topology.ibnetdiscover")
	if err != nil {
		t.Fatal(err)
	}
	dated := filepath.Join(t.TempDir(), "dated.ibnetdiscover")
	_, rest, _ := bytes.Cut(given, []byte("# Topology file"))
	_, rest, _ = bytes.Cut(rest, []byte("\n"))
	if err := os.WriteFile(dated, slices.Concat([]byte("#\n# Topology file: generated on Sat Nov 28 09:03:12 2026\n"), rest), 0o644); err != nil {
		t.Fatal(err)
	}
	const read = "The topology file is of Sat Nov 28 09:03:12 2026."
	for _, c := range []struct {
		network string
		flags   []string
		title   string
		date    string
	}{
		{loopCase[0], nil, "topology.ibnetdiscover", ""},
		{dated, nil, "dated.ibnetdiscover", read},
		{dated, []string{"--title", "Rack <7>", "--date", "2026-11-30"}, "Rack <7>", "2026-11-30"},
	} {
		page, _ := written(t, cli.ExitRefuted, args("report", []string{c.network}, loopCase[1:], c.flags, []string{"--simulate=false", "--compare", "none"})...)
		if heading := html.EscapeString(c.title) + "</h1>"; !strings.Contains(page, heading) {
			t.Errorf("%q: no %s", c.flags, heading)
		}
		if c.date == "" == strings.Contains(page, `<p class="lead date">`) || !strings.Contains(page, c.date) {
			t.Errorf("%q: want the date %q", c.flags, c.date)
		}
	}
	page, _ := written(t, cli.ExitHolds, "report", "mesh:2x2", "-r", "dor", "--date", "today", "--simulate=false")
	if !regexp.MustCompile(`<p class="lead date">20\d\d-\d\d-\d\d</p>`).MatchString(page) {
		t.Error("--date today writes no date")
	}
}

// TestReportLarge checks that parts too large for a page are replaced by the command that prints
// them.
func TestReportLarge(t *testing.T) {
	t.Parallel()
	page, _ := written(t, cli.ExitHolds, "report", "mesh:40x40", "-r", "dor", "-o", "large.html")
	text := plainText(page)
	for _, want := range []string{"turnproof draw network mesh:40x40 -o network.svg", "Not simulated: 1,600 hosts are more than 256",
		"turnproof table mesh:40x40 -r dor --kind paths", "use --compare", "The busiest channels"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if len(page) > 6<<20 {
		t.Errorf("%d bytes", len(page))
	}
}

// TestReportNotSimulated checks that routings which lose packets still get a page with curves.
func TestReportNotSimulated(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][]string{"lost": holeCase, "circling": spinCase, "wrong host": wrongCase} {
		page, _ := written(t, cli.ExitRefuted, args("report", c, []string{"--clocks", "1000"})...)
		if text := plainText(page); !strings.Contains(text, "Mean latency over offered load") {
			t.Errorf("%s: no curve", name)
		}
	}
}

func TestReportRefuses(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"report mesh:3x3 -r dor", "-o FILE is missing"},
		{"report mesh:3x3 -o x.html", "--routing FILE|NAME is missing"},
		{"report mesh:3x3 -r dor -r dor -o x.html", "given twice"},
		{"report mesh:3x3 -r dor -r= -o x.html", "has no value"},
		{"report mesh:3x3 -r dor --compare upward -o x.html", "no method \"upward\""},
		{"report mesh:3x3 -r dor --switching best -o x.html", "--switching"},
		{"report mesh:3x3 -r dor --sl y -o x.html", "--sl applies to forwarding tables"},
		{"report mesh:3x3 -r dor --clocks 0 -o x.html", "clocks"},
		{"report -r dor -o x.html", "NETWORK is missing"},
		{"report - -r dor -r updown -o x.html", "standard input can be read only once"},
		{"report mesh:3x3 -r x.lfts,sl=a --sl b -o x.html", "given twice"},
		{"report mesh:3x3 -r x.lfts,sl=a,sl=b -o x.html", "x.lfts,sl=a"},
	} {
		_, stderr, code := turnproof(t, strings.Fields(c.line)...)
		if code != cli.ExitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit status %d, %q", c.line, code, stderr)
		}
	}
}
