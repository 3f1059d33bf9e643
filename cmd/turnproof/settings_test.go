package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// configFolder changes to a new folder with a project file and sets a new user file. An empty text
// means no file. It returns the path of the user file.
func configFolder(t *testing.T, project, user string) (userFile string) {
	t.Helper()
	t.Chdir(t.TempDir())
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	if err := os.Unsetenv("TURNPROOF_CONFIG"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Setenv("TURNPROOF_CONFIG", "") }) // the value that TestMain sets
	userFile = filepath.Join(home, "turnproof", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(userFile), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{cli.ProjectFile: project, userFile: user} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return userFile
}

// TestPrecedence checks the order of settings: flag, environment, project file, user file,
// built-in default.
func TestPrecedence(t *testing.T) {
	switching := func(line ...string) string {
		stdout, stderr, code := turnproof(t, append([]string{"check", "mesh:3x3", "-r", "dor", "--json"}, line...)...)
		if code != 0 {
			t.Fatalf("%v: exit status %d, %s", line, code, stderr)
		}
		return valid(t, "check.json", stdout)["switching"].(string)
	}
	user := configFolder(t, "check:\n  switching: wormhole\n", "quiet: true\ncheck:\n  switching: saf\n")
	for _, step := range []struct {
		what, want string
		do         func()
		line       []string
	}{
		{"a flag", "vct", func() { t.Setenv("TURNPROOF_SWITCHING", "saf") }, []string{"--switching", "vct"}},
		{"the environment", "saf", func() {}, nil},
		{"the project's file", "wormhole", func() { t.Setenv("TURNPROOF_SWITCHING", "") }, nil},
		{"the user's file", "saf", func() { _ = os.Remove(cli.ProjectFile) }, nil},
		{"--config", "wormhole", func() { _ = os.WriteFile("other.yaml", []byte("check: {switching: wormhole}\n"), 0o644) },
			[]string{"--config", "other.yaml"}},
		{"--config \"\"", "wormhole", func() { t.Setenv("TURNPROOF_SWITCHING", "saf") }, []string{"--config", ""}},
		{"no file", "wormhole", func() { t.Setenv("TURNPROOF_SWITCHING", ""); _ = os.Remove(user) }, nil},
	} {
		step.do()
		if got := switching(step.line...); got != step.want {
			t.Errorf("%s: switching %s, want %s", step.what, got, step.want)
		}
	}
}

// TestSettingsOfAllKinds sets booleans, numbers and lists in a file and in the environment.
func TestSettingsOfAllKinds(t *testing.T) {
	configFolder(t, "sweep:\n  routing: [dor, updown]\n  loads: \"0.05,0.1\"\n  seeds: 2\n  clocks: 2000\n  json: true\n", "")
	points := func(line ...string) int {
		stdout, stderr, code := turnproof(t, append([]string{"sweep", "mesh:3x3"}, line...)...)
		if code != 0 || !strings.Contains(stderr, "note: .turnproof.yaml sets ") {
			t.Fatalf("%v: exit status %d, stderr %q", line, code, stderr)
		}
		return len(valid(t, "sweep.json", stdout)["results"].([]any))
	}
	if k := points(); k != 8 {
		t.Errorf("%d points, want 2 routings, 2 loads, 2 seeds", k)
	}
	t.Setenv("TURNPROOF_ROUTING", "dor updown west-first")
	t.Setenv("TURNPROOF_SEEDS", "1")
	if k := points(); k != 6 {
		t.Errorf("%d points, want 3 routings, 2 loads, 1 seed", k)
	}
	if k := points("-r", "dor"); k != 2 {
		t.Errorf("%d points, want 1 routing, 2 loads, 1 seed", k)
	}
	if stdout, _, _ := turnproof(t, "sweep", "mesh:3x3", "--json=false"); !strings.HasPrefix(stdout, "network") {
		t.Errorf("--json=false: %q", stdout)
	}
}

// TestConfigNote checks the note about flags set by a file. --quiet suppresses it.
func TestConfigNote(t *testing.T) {
	configFolder(t, "check:\n  switching: wormhole\n", "")
	line := []string{"check", "mesh:3x3", "-r", "dor"}
	if _, stderr, _ := turnproof(t, line...); stderr != "note: .turnproof.yaml sets --switching\n" {
		t.Errorf("stderr %q", stderr)
	}
	for _, more := range []string{"--quiet", "-q", "--switching=vct", "--config="} {
		if _, stderr, code := turnproof(t, append(line, more)...); stderr != "" || code != 0 {
			t.Errorf("%s: exit status %d, stderr %q", more, code, stderr)
		}
	}
	if _, stderr, _ := turnproof(t, "table", "mesh:3x3", "-r", "dor"); stderr != "" {
		t.Errorf("no flag of table is set, stderr %q", stderr)
	}
}

// TestConfigErrors checks that an error is one line with the file, the line and the nearest known
// name.
func TestConfigErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"chekc: {}\n", `.turnproof.yaml:1: no command and no global flag "chekc" (did you mean check?)`},
		{"quite: true\n", `.turnproof.yaml:1: no command and no global flag "quite" (did you mean quiet?)`},
		{"check:\n  swiching: vct\n", `.turnproof.yaml:2: check has no flag "swiching" (did you mean switching?)`},
		{"check:\n  r: dor\n", `.turnproof.yaml:2: check has no flag "r" (did you mean routing?)`},
		{"check:\n  switching: vtc\n", `--switching vtc (did you mean vct?), known are vct, saf, wormhole (--switching is set by .turnproof.yaml:2)`},
		{"check:\n  packet: two\n", `.turnproof.yaml:2: "two" is no value for --packet: want a whole number`},
		{"check:\n  json: maybe\n", `.turnproof.yaml:2: "maybe" is no value for --json: want true or false`},
		{"check:\n  switching: [vct, saf]\n", `.turnproof.yaml:2: switching takes one value, not a list`},
		{"check:\n  switching: {a: b}\n", `.turnproof.yaml:2: switching: want a word`},
		{"check:\n  switching:\n", `.turnproof.yaml:2: switching: want a word`},
		{"check:\n  routing: &a [*a]\n", `.turnproof.yaml:2: anchors, aliases and tags are not read`},
		{"check: vct\n", `.turnproof.yaml:1: check: want flags with their values`},
		{"- check\n", `.turnproof.yaml:1: want commands with their flags`},
		{"check:\n  certificate: /etc/passwd\n", `.turnproof.yaml:2: certificate names an output, which the file of a project may not set`},
		{"config: other.yaml\n", `.turnproof.yaml:1: config: want flags with their values`},
		{"color: sometimes\n", `--color sometimes, known are auto, always, never (--color is set by .turnproof.yaml:1)`},
		{"check: {switching: vct\n", `.turnproof.yaml:1: YAML: could not find`},
		{"check:\n  sl: levels.txt\n", `--sl applies to forwarding tables from a file, not to --routing dor (--sl is set by .turnproof.yaml:2)`},
	} {
		configFolder(t, c.text, "")
		stdout, stderr, code := turnproof(t, "check", "mesh:3x3", "-r", "dor", "-q")
		if code != cli.ExitUsage || stdout != "" || !strings.HasPrefix(stderr, "turnproof: "+c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: exit status %d, stderr %q, want %q", c.text, code, stderr, c.want)
		}
	}
	configFolder(t, "", "")
	t.Setenv("TURNPROOF_PACKET", "two")
	if _, stderr, _ := turnproof(t, "check", "mesh:3x3", "-r", "dor"); !strings.Contains(stderr,
		`TURNPROOF_PACKET: "two" is no value for --packet: want a whole number`) {
		t.Errorf("stderr %q", stderr)
	}
	if _, stderr, _ := turnproof(t, "check", "mesh:3x3", "--config", "nothere.yaml"); !strings.Contains(stderr,
		"cannot read configuration file nothere.yaml: no such file or directory") {
		t.Errorf("stderr %q", stderr)
	}
}

// TestConfigFileMayBeEmpty checks that a file may be empty or contain only comments.
func TestConfigFileMayBeEmpty(t *testing.T) {
	for _, text := range []string{"# nothing\n", "check:\n", "---\n"} {
		configFolder(t, text, "")
		if _, stderr, code := turnproof(t, "check", "mesh:3x3", "-r", "dor"); code != 0 || stderr != "" {
			t.Errorf("%q: exit status %d, stderr %q", text, code, stderr)
		}
	}
}

// TestConfigCommand checks that config lists every flag with its value and source.
func TestConfigCommand(t *testing.T) {
	configFolder(t, "check:\n  switching: wormhole\nsweep:\n  routing: [dor, updown]\n", "")
	t.Setenv("TURNPROOF_PACKET", "16")
	want := func(list []any, command, flag, value, from string) {
		t.Helper()
		for _, x := range list {
			if m := x.(map[string]any); m["command"] == command && m["flag"] == flag {
				if m["value"] != value || m["from"] != from {
					t.Errorf("%s --%s is %v from %v, want %s from %s", command, flag, m["value"], m["from"], value, from)
				}
				return
			}
		}
		t.Errorf("no --%s of %s", flag, command)
	}
	stdout, _, code := turnproof(t, "config", "check", "--json", "--color", "never")
	v := valid(t, "config.json", stdout)
	list := v["settings"].([]any)
	want(list, "check", "switching", "wormhole", ".turnproof.yaml:2")
	want(list, "check", "packet", "16", "TURNPROOF_PACKET")
	want(list, "check", "buffer", "15", "built-in")
	want(list, "", "color", "never", "command line")
	if files := v["files"].([]any); code != 0 || len(files) != 1 || files[0] != cli.ProjectFile {
		t.Errorf("exit status %d, files %v", code, files)
	}
	stdout, _, _ = turnproof(t, "config")
	for _, line := range []string{"sweep    --routing    dor updown  .turnproof.yaml:4", "Files: .turnproof.yaml"} {
		if !strings.Contains(stdout, line) {
			t.Errorf("no %q in\n%s", line, stdout)
		}
	}
	if strings.Contains(stdout, "--management") {
		t.Errorf("built-in defaults of all commands:\n%s", stdout)
	}
}

// TestEveryFlagHasAVariable checks that each flag of a command has its own environment variable,
// and that the variable takes effect.
func TestEveryFlagHasAVariable(t *testing.T) {
	app := newProgram().App()
	for _, c := range cli.ShownCommands(app) {
		seen := map[string]bool{}
		for _, f := range append(slices.Clone(c.Flags), app.Flags...) {
			name := cli.EnvironmentName(f.Names()[0])
			if seen[name] && f.Names()[0] != "help" {
				t.Errorf("%s: two flags are %s", c.Name, name)
			}
			seen[name] = true
		}
	}
	for _, c := range cli.ShownCommands(app) {
		for _, f := range c.Flags {
			t.Setenv(cli.EnvironmentName(f.Names()[0]), "1")
		}
	}
	t.Setenv("TURNPROOF_COLOR", "never")
	for _, c := range cli.ShownCommands(app) {
		stdout, stderr, code := turnproof(t, "config", c.Name, "--json=true")
		if code != 0 {
			t.Fatal(stderr)
		}
		for _, x := range valid(t, "config.json", stdout)["settings"].([]any) {
			if m := x.(map[string]any); m["command"] != "" && m["from"] != cli.EnvironmentName(m["flag"].(string)) {
				t.Errorf("%s: %s is not taken", c.Name, cli.EnvironmentName(m["flag"].(string)))
			}
		}
	}
}
