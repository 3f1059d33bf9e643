package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/synth"
)

// tableSeconds matches the last column of a comparison.
var tableSeconds = regexp.MustCompile(`[0-9]+\.[0-9]+\n`)

func TestTurnsText(t *testing.T) {
	for name, line := range map[string][]string{
		"turns-torus.txt":   {"turns", "torus:8x8", "--method", "lturn-alpha"},
		"turns-compare.txt": {"turns", "random:switches=16,degree=4,hosts=2,seed=3", "--compare"},
		"turns-tree.txt":    {"turns", "fattree-pair:k=4,join=middle,wires=crossed", "-m", "turn-addition", "--release"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := turnproof(t, line...)
			if code != cli.ExitHolds || stderr != "" {
				t.Errorf("exit status %d, stderr %q", code, stderr)
			}
			golden(t, name, tableSeconds.ReplaceAllString(stdout, "TIME\n"))
		})
	}
}

// TestTurnsJSON validates the JSON output of every method. It also checks that up*/down* prohibits
// the number of turns in table 3 of the paper for any root.
func TestTurnsJSON(t *testing.T) {
	for _, m := range synth.Published() {
		stdout, stderr, code := turnproof(t, "turns", "torus:4x4", "--json", "--method", m)
		if code != cli.ExitHolds || stderr != "" {
			t.Fatalf("%s: exit status %d, %s", m, code, stderr)
		}
		v := valid(t, "turns.json", stdout)
		if v["method"] != m || v["acyclic"] != true || v["connected"] != true {
			t.Errorf("%s: %v", m, v)
		}
	}
	for _, root := range []string{"0", "27", "auto", "center"} {
		stdout, _, _ := turnproof(t, "turns", "torus:8x8", "--json", "-m", "updown", "--root", root)
		var v struct {
			PT, SDPT   float64
			PPT        int
			Prohibited int
		}
		if err := json.Unmarshal([]byte(stdout), &v); err != nil {
			t.Fatal(err)
		}
		if v.PT != 2.5 || v.SDPT < 2.2635 || v.SDPT > 2.2645 || v.PPT != 80 || v.Prohibited != 160 {
			t.Errorf("root %s: %+v, published are PT 2.500, SDPT 2.264, PPT 80", root, v)
		}
	}
	stdout, _, code := turnproof(t, "turns", "torus:4x4", "--json", "--compare")
	if v := valid(t, "turns.json", stdout); code != cli.ExitHolds || len(v["compare"].([]any)) != len(synth.Published()) {
		t.Errorf("exit status %d, %s", code, stdout)
	}
}

// TestUnsoundReading checks that a turn set with a cycle is printed with the cycle and gives exit
// status 1.
func TestUnsoundReading(t *testing.T) {
	stdout, _, code := turnproof(t, "turns", "torus:8x8", "-m", "lturn-alpha", "--marks", "never", "--json")
	v := valid(t, "turns.json", stdout)
	if code != cli.ExitRefuted || v["acyclic"] != false || v["connected"] != true || len(v["cycle"].([]any)) == 0 {
		t.Errorf("exit status %d, %s", code, stdout)
	}
}

// inputsField matches the field inputs of JSON output.
var inputsField = regexp.MustCompile(`(?s)"inputs": \[.*?\]`)

// TestTurnSetFile checks that other commands read the file of turns and print the same as for the
// name of the method.
func TestTurnSetFile(t *testing.T) {
	dir := t.TempDir()
	set, certificate, figure := filepath.Join(dir, "set.json"), filepath.Join(dir, "set.cert"), filepath.Join(dir, "set.svg")
	const spec = "random:switches=12,degree=4,seed=5"
	if _, stderr, code := turnproof(t, "turns", spec, "-m", "rturn-beta", "-o", set, "--certificate", certificate, "--figure", figure); code != cli.ExitHolds {
		t.Fatal(stderr)
	}
	for _, line := range [][]string{{"check", "--json"}, {"table", "--kind", "turns"}, {"draw", "load", "-o", "-", "--format", "dot"}} {
		command := append([]string{line[0]}, line[1:]...)
		at := 1
		if line[0] == "draw" {
			at = 2
		}
		with := func(routing string) string {
			full := append(append(append([]string{}, command[:at]...), spec, "-r", routing), command[at:]...)
			stdout, stderr, code := turnproof(t, full...)
			if code != cli.ExitHolds {
				t.Fatalf("%q: exit status %d, %s", full, code, stderr)
			}
			text := seconds.ReplaceAllString(stdout, "")
			if line[0] == "draw" {
				_, text, _ = strings.Cut(text, "\n  node") // skip the title, which names the routing
			}
			text = inputsField.ReplaceAllString(text, "") // the files read differ
			return strings.NewReplacer(set, "X", "set.json", "X", "rturn-beta", "X").Replace(text)
		}
		if a, b := with(set), with("rturn-beta"); a != b {
			t.Errorf("%q: the file gives\n%s\nthe name\n%s", line, a, b)
		}
	}
	if _, stderr, code := turnproof(t, "check", "random:switches=12,degree=4,seed=6", "-r", set); code != cli.ExitUsage ||
		!strings.Contains(stderr, "wired in another way") {
		t.Errorf("another network: exit status %d, %s", code, stderr)
	}
	if text, err := os.ReadFile(figure); err != nil || !strings.Contains(string(text), "prohibited by rturn-beta") {
		t.Errorf("figure: %v", err)
	}
}

// TestTurnSetAsTables makes forwarding tables from the file of a turn set. The proof is the same
// if the file is standard input.
func TestTurnSetAsTables(t *testing.T) {
	dir := t.TempDir()
	set, lfts := filepath.Join(dir, "set.json"), filepath.Join(dir, "lfts.dump")
	const fabric = "../../examples/fabrics/random16-d4-s2/topology.ibnetdiscover"
	for _, line := range [][]string{
		{"turns", fabric, "-m", "updown", "--root", "S3", "-o", set},
		{"convert", fabric, "-r", set, "--paths", "table", "--to", "lfts", "-o", lfts},
		{"check", fabric, "-r", lfts},
		{"draw", "paths", fabric, "-r", lfts, "--against", set, "--from", "H1", "--to", "H7", "-o", filepath.Join(dir, "paths.svg")},
	} {
		if _, stderr, code := turnproof(t, line...); code != cli.ExitHolds {
			t.Fatalf("%q: exit status %d, %s", line, code, stderr)
		}
	}
	for _, root := range []string{"S3", "0x200003", "#3"} {
		stdout, _, _ := turnproof(t, "turns", fabric, "-m", "updown", "--root", root)
		if !strings.Contains(stdout, "root S3(") {
			t.Errorf("root %s: %s", root, stdout)
		}
	}
}

// TestNothingSent checks that the throughput is null, not a number, if no host sends.
func TestNothingSent(t *testing.T) {
	traffic := filepath.Join(t.TempDir(), "traffic.txt")
	if err := os.WriteFile(traffic, []byte("* * 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, _, code := turnproof(t, "turns", "torus:4x4", "-m", "tp", "--traffic", traffic, "--json")
	if v := valid(t, "turns.json", stdout); code != cli.ExitHolds || v["throughput"] != nil || v["throughput_one_path"] != nil || len(v["notes"].([]any)) != 1 {
		t.Errorf("exit status %d, %s", code, stdout)
	}
}

// TestUnconnectedReading checks that a pair without a path is named if a turn set leaves one.
func TestUnconnectedReading(t *testing.T) {
	traffic := filepath.Join(t.TempDir(), "traffic.txt")
	if err := os.WriteFile(traffic, []byte("0 2 1\n2 0 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	line := []string{"turns", "ring:4", "-m", "tp", "--select", "anywhere", "--totals", "first", "--traffic", traffic}
	stdout, _, code := turnproof(t, append(line, "--json")...)
	v := valid(t, "turns.json", stdout)
	pair, _ := v["unreachable_pair"].(map[string]any)
	if code != cli.ExitRefuted || v["acyclic"] != true || v["connected"] != false || pair == nil {
		t.Fatalf("exit status %d, %s", code, stdout)
	}
	text, _, _ := turnproof(t, line...)
	if want := fmt.Sprintf("no allowed path leads from %s to %s\n", pair["source"], pair["destination"]); !strings.Contains(text, want) {
		t.Errorf("%q is not in %s", want, text)
	}
}

// TestTurnsTable checks that the table of turns lists every turn, allowed or not.
func TestTurnsTable(t *testing.T) {
	for _, routing := range []string{"updown,root=0", "updown,root=0,ties=id,paths=first"} {
		stdout, _, code := turnproof(t, "table", "torus:4x4", "-r", routing, "--kind", "turns", "--format", "csv")
		if code != cli.ExitHolds || strings.Count(stdout, "false") != 48 || strings.Count(stdout, "\n") != 1+16*12 {
			t.Errorf("%s: %d lines, %d prohibited; 192 turns, 48 of them prohibited, were expected", routing, strings.Count(stdout, "\n")-1,
				strings.Count(stdout, "false"))
		}
	}
}

// TestMethodRouting checks that turn sets are proved with each choice of paths.
func TestMethodRouting(t *testing.T) {
	for _, routing := range []string{"updown", "updown,tree=dfs", "lturn-alpha,paths=first", "lturn-beta,root=crossing-root,children=size",
		"rturn-alpha,paths=balanced",
		"tp,select=degree,paths=destination", "turn-addition,form=tree,equal=random,seed=4,release=true", "turn-addition,paths=table"} {
		for _, spec := range []string{"random:switches=10,degree=3,hosts=2,seed=2", "torus:3x3,vcs=2"} {
			stdout, stderr, code := turnproof(t, "check", spec, "--routing", routing, "--json")
			if code != cli.ExitHolds {
				t.Errorf("%s on %s: exit status %d, %s%s", routing, spec, code, stdout, stderr)
				continue
			}
			if v := valid(t, "check.json", stdout); v["verdict"] != "proved" || v["cdg_acyclic"] != true {
				t.Errorf("%s on %s: %v", routing, spec, v["verdict"])
			}
		}
	}
}

// TestReproduce validates the output of small runs and compares some rows with the papers.
func TestReproduce(t *testing.T) {
	t.Parallel()
	list, _, _ := turnproof(t, "reproduce", "--list")
	for _, name := range []string{"turn-model/table-2", "turn-model/table-3", "turn-addition/figure-21", "turn-addition/figure-22",
		"turn-addition/figure-25", "turn-addition/table-1", "turn-addition/table-2"} {
		if !strings.Contains(list, name) {
			t.Errorf("%s is not in the list", name)
		}
	}
	stdout, stderr, code := turnproof(t, "reproduce", "turn-addition/table-2", "--quick")
	if code != cli.ExitHolds || !strings.Contains(stdout, "6.25") {
		t.Error(stdout, stderr)
	}
}

// TestReproduceTurnModel checks that the prohibited turns per switch are close to those of the
// paper.
func TestReproduceTurnModel(t *testing.T) {
	longOnly(t, "TestReproduce has the tables of turn-addition, TestRecorded figure-25")
	stdout, stderr, code := turnproof(t, "reproduce", "turn-model/table-2", "--quick", "--seeds", "3", "--json")
	if code != cli.ExitHolds {
		t.Fatal(stderr)
	}
	for _, row := range valid(t, "reproduce.json", stdout)["rows"].([]any) {
		r := row.(map[string]any)
		if ratio, _ := r["ratio"].(json.Number).Float64(); r["quantity"] == "PT" && math.Abs(ratio-1) > 0.1 {
			t.Errorf("%v %v: ratio %v", r["item"], r["quantity"], ratio)
		}
	}
}

// TestTablesOfTurnSets checks tables of distances and input-dependent hops against a known turn
// set. On a ring of 5 with root 0, only the turns at switch 3 are prohibited. So the distance
// between switches 2 and 4 grows.
func TestTablesOfTurnSets(t *testing.T) {
	stdout, stderr, code := turnproof(t, "table", "ring:5", "-r", "updown,root=0,paths=all", "--kind", "distances", "--format", "csv")
	if code != cli.ExitHolds || strings.Count(stdout, "\n") != 21 {
		t.Fatal(code, stderr, stdout)
	}
	longer := 0
	for _, line := range strings.Split(strings.TrimSpace(stdout), "\n")[1:] {
		f := strings.Split(line, ",")
		if f[3] != f[4] {
			longer++
		}
	}
	if longer != 2 {
		t.Errorf("%d pairs have longer paths than without prohibition, 2 were expected:\n%s", longer, stdout)
	}
	stdout, stderr, code = turnproof(t, "table", "ring:5", "-r", "updown,root=0", "--kind", "input-hops", "--format", "json")
	if code != cli.ExitHolds {
		t.Fatal(stderr)
	}
	rows := valid(t, "table.json", stdout)["rows"].([]any)
	if len(rows) == 0 {
		t.Error("no hops")
	}
	stdout, _, _ = turnproof(t, "table", "ring:5", "-r", "updown,root=0", "--kind", "distances", "--format", "json")
	valid(t, "table.json", stdout)
}

// TestSingleFatTree checks up*/down*, turn prohibition and turn addition on a single fat tree. All
// prohibit the same number of turns: those between two upper links, at all leaf and middle
// switches except the root, which is a leaf, and its neighbours (turn addition paper, section
// 5.3). All hosts can send at full rate.
func TestSingleFatTree(t *testing.T) {
	t.Parallel()
	for _, k := range []int{4, 6, 8} {
		want := 2 * (k*k/2 - 1 + k*k/2 - k/2) * (k / 2) * (k/2 - 1) / 2
		for _, m := range []string{"updown", "tp", "turn-addition"} {
			stdout, _, _ := turnproof(t, "turns", fmt.Sprintf("fattree:k=%d", k), "--json", "-m", m)
			var v struct {
				Prohibited int
				Throughput float64
			}
			if err := json.Unmarshal([]byte(stdout), &v); err != nil {
				t.Fatal(err)
			}
			if v.Prohibited != want || v.Throughput < 0.999999 {
				t.Errorf("k=%d, %s: %+v, %d turns and full throughput were expected", k, m, v, want)
			}
		}
	}
}

// TestTurnsMinimum checks the fewest prohibited turns of a torus, with a certificate for the set
// and the bound. If time is short, a gap between them is no error.
func TestTurnsMinimum(t *testing.T) {
	file := filepath.Join(t.TempDir(), "minimum.cert")
	stdout, stderr, code := turnproof(t, "turns", "torus:3x3", "-m", "minimum", "--json", "--certificate", file)
	if code != cli.ExitHolds || stderr != "" {
		t.Fatalf("exit status %d, %s", code, stderr)
	}
	v := valid(t, "turns.json", stdout)
	if got := fmt.Sprint(v["prohibited"], " ", v["lower_bound"], " ", v["optimal"]); got != "30 30 true" {
		t.Errorf("%s, want 30 30 true", got)
	}
	checkCertificate(t, file)
	stdout, _, code = turnproof(t, "turns", "random:switches=24,degree=4,seed=1", "-m", "minimum", "--seconds", "0.3", "--json")
	if v := valid(t, "turns.json", stdout); code != cli.ExitHolds || v["acyclic"] != true || v["connected"] != true || v["optimal"] != false {
		t.Errorf("exit status %d, %s", code, stdout)
	}
	if _, stderr, code = turnproof(t, "turns", "torus:3x3", "-m", "minimum", "--seconds", "0"); code != cli.ExitUsage ||
		!strings.Contains(stderr, "seconds above 0") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	stdout, _, code = turnproof(t, "turns", "mesh:4x4", "-m", "minimum", "--both-directions", "--json", "--certificate", file)
	if v := valid(t, "turns.json", stdout); code != cli.ExitHolds || fmt.Sprint(v["prohibited"], " ", v["lower_bound"], " ", v["ppt"]) != "18 18 9" {
		t.Errorf("exit status %d, %v prohibited, at least %v, %v pairs", code, v["prohibited"], v["lower_bound"], v["ppt"])
	}
	checkCertificate(t, file)
}

// TestTurnsRefuted checks a network whose optimum needs a refutation, because no packing of cycles
// shows it. A search that resumes from the journal starts with the stored bounds.
func TestTurnsRefuted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, journal := filepath.Join(dir, "cert"), filepath.Join(dir, "journal")
	network, want := []string{"random:switches=10,degree=3,seed=1", "--both-directions"}, "14 14 refutation-both"
	if long() {
		network, want = []string{"random:switches=20,degree=4,seed=2"}, "51 51 refutation"
	}
	args := append(append([]string{"turns"}, network...), "-m", "minimum", "--json", "--certificate", file, "--journal", journal, "--seconds")
	for _, seconds := range []string{"1000", "0.001"} {
		stdout, stderr, code := turnproof(t, append(args, seconds)...)
		v := valid(t, "turns.json", stdout)
		if got := fmt.Sprint(v["prohibited"], " ", v["lower_bound"], " ", v["lower_bound_by"]); code != cli.ExitHolds || got != want {
			t.Errorf("exit status %d, %s, want %s; %s", code, got, want, stderr)
		}
		checkCertificate(t, file)
	}
}

// TestTurnsObjective checks objectives, Pareto fronts, and turns that are kept or prohibited.
func TestTurnsObjective(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list, set := filepath.Join(dir, "turns.txt"), filepath.Join(dir, "set.json")
	if err := os.WriteFile(list, []byte("* 4 * # none at the centre\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := turnproof(t, "turns", "mesh:3x3", "-m", "minimum", "--seconds", "0.3", "--objective", "most,turns", "--prohibit", list, "--json")
	v := valid(t, "turns.json", stdout)
	if got := fmt.Sprint(v["objective"], " ", v["values"]); code != cli.ExitHolds || got != "most,turns [12 14]" {
		t.Errorf("exit status %d, %s; %s", code, got, stderr)
	}
	var front []any
	for _, seconds := range []string{"0.3", "1", "5"} { // a loaded machine needs longer
		stdout, stderr, code = turnproof(t, "turns", "random:switches=10,degree=3,seed=1", "-m", "minimum", "--seconds", seconds, "--pareto", "turns,load",
			"-o", set, "--json")
		v = valid(t, "turns.json", stdout)
		if front, _ = v["front"].([]any); len(front) >= 2 {
			break
		}
	}
	if code != cli.ExitHolds || len(front) < 2 {
		t.Fatalf("exit status %d, %v; %s", code, v["front"], stderr)
	}
	for i := range front {
		f := set
		if i > 0 {
			f = filepath.Join(dir, fmt.Sprintf("set-%d.json", i+1))
		}
		if _, stderr, code := turnproof(t, "check", "random:switches=10,degree=3,seed=1", "--routing", f); code != cli.ExitHolds {
			t.Errorf("set %d of the front: exit status %d, %s", i+1, code, stderr)
		}
	}
	for _, c := range []struct{ flag, value, want string }{
		{"--objective", "speed", "no goal"}, {"--objective", "-2*turns", "a weight above 0"}, {"--pareto", "turns", "two goals"},
		{"--keep", filepath.Join(dir, "none"), "no such file"},
	} {
		if _, stderr, code := turnproof(t, "turns", "mesh:3x3", "-m", "minimum", c.flag, c.value); code != cli.ExitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%s %s: exit status %d, %s", c.flag, c.value, code, stderr)
		}
	}
	if err := os.WriteFile(list, []byte("0 1 2\n1 9 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := turnproof(t, "turns", "mesh:3x3", "-m", "minimum", "--keep", list); code != cli.ExitUsage ||
		!strings.Contains(stderr, "turns.txt:2: no switch") {
		t.Errorf("a switch that is not there: exit status %d, %s", code, stderr)
	}
	if _, stderr, code := turnproof(t, "turns", "mesh:3x3", "-m", "tp", "--keep", list); code != cli.ExitUsage ||
		!strings.Contains(stderr, "does not apply to method tp") {
		t.Errorf("another method: exit status %d, %s", code, stderr)
	}
}

// TestDrawLoadOfAnyRouting checks the load of a routing without a turn set. On a line of three
// switches with a host each, each channel carries two flows of 1/2, so its load is 1.
func TestDrawLoadOfAnyRouting(t *testing.T) {
	stdout, stderr, code := turnproof(t, "draw", "load", "mesh:3", "-r", "dor", "-o", "-", "--format", "svg")
	if code != cli.ExitHolds || !strings.Contains(stdout, "Highest load: 1, mean: 1.") {
		t.Errorf("exit status %d, %s%.600s", code, stderr, stdout)
	}
}

// TestTurnsDamagedJournal checks that a damaged journal is an input error with advice. The damage
// removes a channel from a cycle of the proof, which only the checker notices.
func TestTurnsDamagedJournal(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	line := []string{"turns", "random:switches=16,degree=4,seed=1", "-m", "minimum", "--seconds", "10", "--journal", journal}
	if _, stderr, code := turnproof(t, line...); code != cli.ExitHolds {
		t.Fatalf("exit status %d, %s", code, stderr)
	}
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	damaged := regexp.MustCompile(`"cycles":\[\[\d+,`).ReplaceAll(text, []byte(`"cycles":[[`))
	if bytes.Equal(damaged, text) {
		t.Fatalf("no cycle in %s", text)
	}
	if err := os.WriteFile(journal, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := turnproof(t, line...)
	if code != cli.ExitUsage || stdout != "" || strings.Count(stderr, "\n") != 1 || strings.Contains(stderr, "internal error") ||
		!strings.Contains(stderr, "journal "+journal+":") || !strings.Contains(stderr, " is damaged: the bound of ") ||
		!strings.HasSuffix(stderr, "; remove the file to start again\n") {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
}
