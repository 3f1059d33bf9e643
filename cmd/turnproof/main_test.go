package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/smt"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const fabrics = "../../examples/fabrics/"

// turnproof runs a command line in the test process. "@" in a word is replaced by the folder of
// fabrics.
func turnproof(t testing.TB, line ...string) (stdout, stderr string, code int) {
	t.Helper()
	for i := range line {
		line[i] = strings.ReplaceAll(line[i], "@", fabrics)
	}
	var out, err bytes.Buffer
	code = run(context.Background(), append([]string{"turnproof"}, line...), &out, &err)
	return out.String(), err.String(), code
}

var (
	loopCase  = []string{"@random16-d4-s2/topology.ibnetdiscover", "--routing", "@random16-d4-s2/updn/opensm-lfts.dump.gz"}
	soundCase = []string{"@random16-d4-s2/topology.ibnetdiscover", "-r", "@random16-d4-s2/file-synth-updown/opensm-lfts.dump.gz"}
	slCase    = []string{"@mesh3x3/opensm-subnet.lst.gz", "-r", "@mesh3x3/torus-2QoS/opensm.fdbs.gz", "--sl", "@mesh3x3/torus-2QoS/path-sl.txt",
		"--sl2vl", "@mesh3x3/torus-2QoS/opensm-sl2vl.dump.gz"}
	holeCase  = []string{"@mesh3x3/topology.ibnetdiscover", "-r", "@mesh3x3/file-missing-entries/opensm-lfts.dump.gz"}
	wrongCase = []string{"@mesh3x3/topology.ibnetdiscover", "-r", "@mesh3x3/file-wrong-host/opensm-lfts.dump.gz"}
	spinCase  = []string{"@mesh3x3/topology.ibnetdiscover", "-r", "@mesh3x3/file-forwarding-loop/opensm-lfts.dump.gz"}
)

func args(command string, lists ...[]string) []string {
	line := []string{command}
	for _, l := range lists {
		line = append(line, l...)
	}
	return line
}

// inputsOfNext match the files of the fabric in the commands that check lists next.
var inputsOfNext = regexp.MustCompile(`turnproof (\w+) \S+ -r \S+ `)

var seconds = regexp.MustCompile(`[0-9.]+ s\n|"seconds": [0-9.e-]+`)

// golden compares text with a file in testdata. With -update it rewrites the file.
func golden(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	text = seconds.ReplaceAllString(text, "TIME\n")
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), text); d != "" {
		t.Errorf("%s (-golden +now):\n%s", name, d)
	}
}

func TestCheckText(t *testing.T) {
	for name, c := range map[string]struct {
		line []string
		code int
	}{
		"check-loop.txt":       {args("check", loopCase), cli.ExitRefuted},
		"check-sound.txt":      {args("check", soundCase), cli.ExitHolds},
		"check-sl.txt":         {args("check", slCase), cli.ExitHolds},
		"check-hole.txt":       {args("check", holeCase), cli.ExitRefuted},
		"check-wrong.txt":      {args("check", wrongCase), cli.ExitRefuted},
		"check-spin.txt":       {args("check", spinCase), cli.ExitRefuted},
		"check-management.txt": {args("check", loopCase, []string{"--management", "--check"}), cli.ExitRefuted},
		"check-wormhole.txt":   {args("check", loopCase, []string{"--switching=wormhole"}), cli.ExitRefuted},
		"check-mesh.txt":       {[]string{"check", "mesh:4x4", "--routing", "west-first"}, cli.ExitHolds},
		"check-minimal.txt":    {[]string{"check", "mesh:3x3", "--routing", "minimal"}, cli.ExitRefuted},
		"check-duato.txt":      {[]string{"check", "torus:4x4,vcs=3", "--routing", "duato", "--switching", "wormhole"}, cli.ExitHolds},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := turnproof(t, c.line...)
			warned := strings.Contains(stderr, "leave the host's own switch by another port")
			if code != c.code || warned != (name == "check-wrong.txt") || stderr != "" && !warned {
				t.Errorf("exit status %d, want %d; stderr %q", code, c.code, stderr)
			}
			golden(t, name, stdout)
		})
	}
}

// schemaFolder is absolute, because some tests change the current folder.
var schemaFolder, _ = filepath.Abs("../../docs/schema")

// compileSchema compiles a schema of docs/schema when a test first needs it.
var compileSchema = func() func(name string) (*jsonschema.Schema, error) {
	var compiled sync.Map // functions by name
	return func(name string) (*jsonschema.Schema, error) {
		f, _ := compiled.LoadOrStore(name, sync.OnceValues(func() (*jsonschema.Schema, error) {
			return jsonschema.NewCompiler().Compile(filepath.Join(schemaFolder, name))
		}))
		return f.(func() (*jsonschema.Schema, error))()
	}
}()

// valid validates JSON output against its schema and returns it.
func valid(t *testing.T, schema, text string) map[string]any {
	t.Helper()
	s, err := compileSchema(schema)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in %.200q", err, text)
	}
	if err := s.Validate(v); err != nil {
		t.Error(err)
	}
	return v.(map[string]any)
}

func TestJSON(t *testing.T) {
	for name, c := range map[string]struct {
		line  []string
		code  int
		wants map[string]any
	}{
		"check-loop.json": {args("check", loopCase), cli.ExitRefuted, map[string]any{"verdict": "refuted", "deadlock_free": false, "connected": true,
			"livelock_free": true, "reached": true}},
		"check-sl.json": {args("check", slCase), cli.ExitHolds, map[string]any{"verdict": "proved", "deadlock_free": true, "cdg_acyclic": true,
			"dependencies": json.Number("48")}},
		"check-hole.json": {args("check", holeCase), cli.ExitRefuted, map[string]any{"verdict": "refuted", "deadlock_free": true, "connected": false,
			"unreachable_pairs": json.Number("6")}},
		"check-wrong.json": {args("check", wrongCase), cli.ExitRefuted, map[string]any{"connected": false, "unreachable_pairs": json.Number("17")}},
		"check-duato.json": {[]string{"check", "mesh:3x3,vcs=2", "--routing", "duato"}, cli.ExitHolds,
			map[string]any{"deadlock_free": true, "cdg_acyclic": false, "entries": nil}},
		"check-spin.json": {args("check", spinCase), cli.ExitRefuted, map[string]any{"deadlock_free": false, "livelock_free": false,
			"unreachable_pairs": json.Number("4"), "max_switches_on_path": nil}},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := turnproof(t, append(c.line, "--json")...)
			warned := strings.Contains(stderr, "leave the host's own switch by another port")
			if code != c.code || warned != (name == "check-wrong.txt") || stderr != "" && !warned {
				t.Errorf("exit status %d, want %d; stderr %q", code, c.code, stderr)
			}
			v := valid(t, "check.json", stdout)
			for key, want := range c.wants {
				if got := v[key]; got != want {
					t.Errorf("%s is %v, want %v", key, got, want)
				}
			}
			golden(t, name, stdout)
		})
	}
	stdout, _, _ := turnproof(t, "version", "--json")
	valid(t, "version.json", stdout)
}

func TestTables(t *testing.T) {
	for _, kind := range []string{"turns", "next-hops", "paths"} {
		for _, form := range []string{"csv", "json", "markdown"} {
			name := "table-" + kind + "." + map[string]string{"csv": "csv", "json": "json", "markdown": "md"}[form]
			t.Run(name, func(t *testing.T) {
				line := []string{"table", "@ring4/topology.ibnetdiscover", "--routing", "@ring4/lash/opensm-lfts.dump", "--sl",
					"@ring4/lash/path-sl.txt", "--sl2vl", "@ring4/lash/opensm-sl2vl.dump", "--kind", kind, "--format", form}
				if kind == "paths" {
					line = append(line, "--to", "H3")
				}
				stdout, stderr, code := turnproof(t, line...)
				if code != 0 || stderr != "" {
					t.Fatalf("exit status %d, stderr %q", code, stderr)
				}
				if form == "json" {
					valid(t, "table.json", stdout)
				}
				golden(t, name, stdout)
			})
		}
	}
}

// TestCertificateFile checks that the checker accepts the certificates of check and names their
// input files, and that it rejects a changed certificate.
func TestCertificateFile(t *testing.T) {
	for _, c := range [][]string{loopCase, soundCase, slCase, holeCase, wrongCase, spinCase} {
		file := filepath.Join(t.TempDir(), "cert")
		_, stderr, code := turnproof(t, args("check", c, []string{"--certificate", file})...)
		if code > cli.ExitRefuted {
			t.Fatal(stderr)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		back, err := cert.Read(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := cert.Check(back); err != nil {
			t.Error(err)
		}
		files := 0
		for _, a := range c {
			if strings.HasPrefix(a, "@") || strings.HasPrefix(a, fabrics) {
				files++
			}
		}
		if len(back.Subject.Inputs) != files {
			t.Errorf("%d inputs for %d files", len(back.Subject.Inputs), files)
		}
	}
}

func TestConvertRoundTrip(t *testing.T) {
	dir := t.TempDir()
	subnet, lfts := filepath.Join(dir, "subnet"), filepath.Join(dir, "lfts")
	for _, line := range [][]string{
		{"convert", loopCase[0], "--to", "subnet", "-o", subnet},
		{"convert", loopCase[0], "--routing", "@random16-d4-s2/updn/opensm.fdbs.gz", "--to", "lfts", "-o", lfts},
	} {
		if stdout, stderr, code := turnproof(t, line...); code != 0 || stdout != "" {
			t.Fatal(stdout, stderr, code)
		}
	}
	direct, _, _ := turnproof(t, args("check", loopCase)...)
	converted, _, code := turnproof(t, "check", subnet, "-r", lfts)
	if code != cli.ExitRefuted {
		t.Errorf("exit status %d", code)
	}
	drop := func(s string) string {
		_, s, _ = strings.Cut(seconds.ReplaceAllString(s, "TIME\n"), "\n")
		s = inputsOfNext.ReplaceAllString(s, "turnproof $1 FABRIC -r TABLES ")
		return strings.NewReplacer("(topology.ibnetdiscover is", "(subnet is", "LMC: 0 (topology.ibnetdiscover)", "LMC: 0 (inferred from lfts)",
			"(topology.ibnetdiscover)", "(subnet)").Replace(s)
	}
	if d := cmp.Diff(drop(direct), drop(converted)); d != "" {
		t.Errorf("(-direct +converted):\n%s", d)
	}
}

func TestDraw(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		what string
		more []string
		want string
	}{
		{"network", loopCase, "S15"}, {"cdg", loopCase, "S7"}, {"cycle", loopCase, "H28"},
		{"ranks", []string{"mesh:3x3", "-r", "west-first"}, "(2,2)"}, {"deadlock", []string{"torus:3x3,vcs=2", "-r", "nf"}, "h7"},
		{"paths", append([]string{"--from", "H4", "--to", "H28"}, slashes(loopCase)...), "H28"},
	} {
		for _, ext := range []string{"svg", "dot"} {
			file := filepath.Join(dir, c.what+"."+ext)
			if _, stderr, code := turnproof(t, args("draw", []string{c.what}, slashes(c.more), []string{"-o", file})...); code != 0 {
				t.Fatal(stderr)
			}
			text, err := os.ReadFile(file)
			if err != nil || !strings.Contains(string(text), c.want) {
				t.Errorf("%s: %v, %d bytes without %q", file, err, len(text), c.want)
			}
		}
	}
}

func slashes(line []string) []string { return append([]string(nil), line...) }

// TestWorms checks a deadlock under wormhole switching that only Z3 finds. Without Z3 the verdict
// is undecided.
func TestWorms(t *testing.T) {
	line := []string{"check", "mesh:2x3,vcs=2", "--routing", "duato-nonminimal", "--switching", "wormhole"}
	stdout, stderr, code := turnproof(t, slashes(line)...)
	want, text := cli.ExitUndecided, "UNDECIDED  deadlock-free"
	if smt.Available() {
		want, text = cli.ExitRefuted, "no two hold the same VC"
	}
	if code != want || !strings.Contains(stdout, text) {
		t.Errorf("exit status %d, want %d; %s%s", code, want, stdout, stderr)
	}
	stdout, _, _ = turnproof(t, append(line, "--json")...)
	valid(t, "check.json", stdout)
}

// TestBookSim checks the verdict about the routing function that a BookSim configuration names.
func TestBookSim(t *testing.T) {
	for text, want := range map[string]int{
		"topology = mesh; k = 4; n = 2; routing_function = dor; num_vcs = 1;":        cli.ExitHolds,
		"topology = torus; k = 5; n = 2; routing_function = dim_order; num_vcs = 2;": cli.ExitHolds,
		"topology = mesh; k = 4; n = 2; routing_function = xy_yx; num_vcs = 2;":      cli.ExitHolds,
		"topology = mesh; k = 3; n = 2; routing_function = min_adapt; num_vcs = 2;":  cli.ExitHolds,
		"topology = mesh; k = 4; n = 2; routing_function = valiant; num_vcs = 2;":    cli.ExitUsage,
		"topology = torus; k = 4; n = 2; routing_function = dim_ordr; num_vcs = 2;":  cli.ExitUsage,
	} {
		file := filepath.Join(t.TempDir(), "config")
		if err := os.WriteFile(file, []byte("// a configuration\n"+text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if stdout, stderr, code := turnproof(t, "check", file); code != want {
			t.Errorf("%s: exit status %d, want %d; %s%s", text, code, want, stdout, stderr)
		}
	}
}

// TestRoutingKeys checks that the options in the name of a routing take effect.
func TestRoutingKeys(t *testing.T) {
	for line, want := range map[string]int{
		"torus:4x4,vcs=2 dor,order=yx":                                    cli.ExitHolds,
		"torus:4x4,vcs=2 dor,vc-rule=plain":                               cli.ExitRefuted,
		"torus:5x5,vcs=2 nf+1":                                            cli.ExitHolds,
		"torus:5x5,vcs=2 nf+1,reading=without-state-3":                    cli.ExitRefuted,
		"torus:5x5,vcs=2 nf+1,reading=wrap-early+down-keeps":              cli.ExitRefuted,
		"torus:4x4,vcs=2 duato,escape-vcs=1":                              cli.ExitRefuted,
		"mesh:4x4,vcs=2 duato-nonminimal,misroutes=1,stay-on-escape=true": cli.ExitHolds,
		"random:switches=12,degree=3 updown,root=5":                       cli.ExitHolds,
		"random:switches=12,degree=3 updown,root=auto":                    cli.ExitHolds,
		"torus:4x4,vcs=2 dor,both-ways=true,vc-rule=entry":                cli.ExitHolds,
	} {
		network, routing, _ := strings.Cut(line, " ")
		if _, stderr, code := turnproof(t, "check", network, "--routing", routing); code != want {
			t.Errorf("%s: exit status %d, want %d; %s", line, code, want, stderr)
		}
	}
}

// TestOutputs checks that writing to a link or pipe writes to its target and keeps the link or
// pipe.
func TestOutputs(t *testing.T) {
	dir := t.TempDir()
	link, target, pipe := filepath.Join(dir, "link.svg"), filepath.Join(dir, "target.svg"), filepath.Join(dir, "pipe")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(target, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := turnproof(t, "draw", "network", "ring:3", "-o", link); code != 0 {
		t.Fatal(stderr)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v: the link is gone", err)
	}
	if st, err := os.Stat(target); err != nil || st.Size() == 0 {
		t.Errorf("%v: nothing was written", err)
	}
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip(err)
	}
	read := make(chan int)
	go func() {
		text, _ := os.ReadFile(pipe)
		read <- len(text)
	}()
	if _, stderr, code := turnproof(t, "convert", loopCase[0], "--to", "subnet", "-o", pipe); code != 0 {
		t.Fatal(stderr)
	}
	if <-read == 0 {
		t.Error("nothing came through the pipe")
	}
	if st, err := os.Lstat(pipe); err != nil || st.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("%v: the pipe is gone", err)
	}
}

// TestOneOutputByLinks checks that two output flags cannot name the same file, also by links to a
// file that does not exist yet. Nothing is written.
func TestOneOutputByLinks(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, target := range map[string]string{"y": "x", "z": "y", "w": filepath.Join(dir, "x")} {
		if err := os.Symlink(target, name); err != nil {
			t.Skip(err)
		}
	}
	for _, pair := range [][2]string{{"x", "y"}, {"y", "x"}, {"x", "z"}, {"w", "z"}, {"y", "./y"}} {
		_, stderr, code := turnproof(t, "check", "ring:4", "-r", "updown", "--certificate", pair[0], "--sarif", pair[1])
		if want := "--certificate and --sarif are the same file, " + pair[1]; code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%v: status %d, %s", pair, code, stderr)
		}
	}
	if _, err := os.Stat("x"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("x was written:", err)
	}
}

// full is a writer that fails as on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestFullDisk(t *testing.T) {
	var stderr bytes.Buffer
	line := []string{"turnproof", "check", "mesh:3x3", "-r", "dor"}
	if code := run(context.Background(), line, full{}, &stderr); code != cli.ExitUsage || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("exit status %d, %q", code, stderr.String())
	}
}

func TestCrossCheck(t *testing.T) {
	for _, c := range []struct {
		line []string
		want string
	}{{loopCase, "on acyclic-cdg: refuted, deadlock-free: refuted, connected: proved, livelock-free: proved"}, {soundCase,
		"on acyclic-cdg: proved, deadlock-free: proved, connected: proved, livelock-free: proved"},
		{spinCase, "connected: refuted, livelock-free: refuted"}, {[]string{"mesh:3x3", "-r", "dor"}, "acyclic-cdg: proved"},
		{[]string{"torus:3x3,vcs=3", "-r", "duato"}, "acyclic-cdg: refuted, deadlock-free: proved"}} {
		stdout, stderr, code := turnproof(t, args("check", slashes(c.line), []string{"--cross-check"})...)
		if !smt.Available() {
			if code != cli.ExitUsage || !strings.Contains(stderr, "without Z3") {
				t.Errorf("exit status %d, stderr %q", code, stderr)
			}
			continue
		}
		if code > cli.ExitRefuted || !strings.Contains(stdout, c.want) {
			t.Errorf("exit status %d, stderr %q, no %q in\n%s", code, stderr, c.want, stdout)
		}
	}
}

func TestHelpAndCompletion(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"help", "COMMAND NETWORK"}, {"", "COMMAND NETWORK"}, {"check --help", "Examples:"}, {"draw --help", "draw cycle topology.ibnetdiscover"},
		{"version", "turnproof development"}, {"networks", "torus:"}, {"routings", "nf+1"}, {"--version", "turnproof version development"},
		{"completion bash", "complete -F _turnproof"}, {"completion zsh", "#compdef turnproof"}, {"completion fish", "complete -c turnproof"},
	} {
		stdout, stderr, code := turnproof(t, strings.Fields(c.line)...)
		if code != 0 || !strings.Contains(stdout, c.want) {
			t.Errorf("turnproof %s: exit status %d, stderr %q, no %q in\n%s", c.line, code, stderr, c.want, stdout)
		}
	}
}
