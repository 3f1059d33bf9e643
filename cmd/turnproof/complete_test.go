package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// installed makes a new folder with a program turnproof, which is the test binary.
func installed(t *testing.T) (folder string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	script := "#!/bin/sh\n" + asProgram + "=1 exec " + self + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(folder, "turnproof"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

// completionCase is the text typed up to the cursor, with a word that the answer must contain and one
// that it must not contain.
type completionCase struct{ typed, has, not string }

var completionCases = []completionCase{
	{"turnproof ch", "check", "sim"},
	{"turnproof check mesh:4x4 --sw", "--switching", "--json"},
	{"turnproof check mesh:4x4 --switching w", "wormhole", "vct"},
	{"turnproof check mesh:4x4 --switching ", "saf", "--json"},
	{"turnproof check mesh:4x4 -r west", "west-first", "dor"},
	{"turnproof sim mesh:4x4 --traffic tor", "tornado", "uniform"},
	{"turnproof --color al", "always", "never"},
	{"turnproof -q table mesh:4x4 --format lat", "latex", "csv"},
	{"turnproof draw cy", "cycle", "network"},
	{"turnproof draw cycle tor", "torus:", "mesh:"},
	{"turnproof check drag", "dragonfly:", "mesh:"},
	{"turnproof convert mesh:4x4 --to gr", "graphml", "json"},
	{"turnproof completion f", "fish", "bash"},
	{"turnproof man enu", "enumerate", "check"},
	{"turnproof reproduce turn-model/t", "turn-model/table-2", "--list"},
	{"turnproof prove o1", "o1turn", "dor"},
	{"turnproof check some", "some-file.txt", "mesh:"},
	{"turnproof check mesh:4x4 --certificate some", "some-file.txt", "--json"},
	{"turnproof turns mesh:4x4 --method lturn-a", "lturn-alpha", "tp"},
}

// TestCompletions checks completions without a shell.
func TestCompletions(t *testing.T) {
	for _, c := range completionCases {
		words := strings.Split(c.typed, " ")[1:]
		stdout, stderr, code := turnproof(t, append([]string{"__complete", "--"}, words...)...)
		var names []string
		for _, line := range strings.Split(stdout, "\n") {
			name, _, _ := strings.Cut(line, "\t")
			names = append(names, name)
		}
		want := c.has
		if strings.HasPrefix(want, "some") {
			want = ":files"
		}
		if code != 0 || stderr != "" || !slices.Contains(names, want) || slices.Contains(names, c.not) {
			t.Errorf("%q: exit status %d, %q, stderr %q; want %s, not %s", c.typed, code, names, stderr, want, c.not)
		}
	}
	for typed, want := range map[string]string{"check --switching=w": "--switching=wormhole\n", "check --switching=x": "", "nosuch x": "",
		"check mesh:3x3 -- --sw": ":files" + "\n", "check --nosuch=": "", "version --": "--json"} {
		if stdout, _, code := turnproof(t, append([]string{"__complete", "--"}, strings.Split(typed, " ")...)...); code != 0 ||
			!strings.HasPrefix(stdout, want) || want == "" && stdout != "" {
			t.Errorf("%q: exit status %d, %q, want %q", typed, code, stdout, want)
		}
	}
}

// shell runs a script in a shell. turnproof is on its PATH, and its folder contains a file.
func shell(t *testing.T, script string, command ...string) string {
	t.Helper()
	longOnly(t, "TestCompletions asks turnproof for the answers")
	if _, err := exec.LookPath(command[0]); err != nil {
		missing(t, "no %s on this machine: apt-get install %s", command[0], command[0])
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "some-file.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), command[0], append(command[1:], script)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+installed(t)+":"+os.Getenv("PATH"), "HOME="+dir, "TERM=xterm")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command[0], err, out)
	}
	return string(out)
}

// holdAnswers checks the answers of a shell. In out, each answer follows a line "? TYPED".
func holdAnswers(t *testing.T, cases []completionCase, out string) {
	t.Helper()
	blocks := map[string][]string{}
	typed := ""
	for _, line := range strings.Split(out, "\n") {
		if rest, ok := strings.CutPrefix(line, "? "); ok {
			typed = rest
		} else if line != "" {
			blocks[typed] = append(blocks[typed], strings.TrimSpace(line))
		}
	}
	for _, c := range cases {
		got := blocks[c.typed]
		is := func(name string) func(string) bool {
			return func(line string) bool {
				line, _, _ = strings.Cut(line, "\t")
				return line == name
			}
		}
		if !slices.ContainsFunc(got, is(c.has)) || slices.ContainsFunc(got, is(c.not)) {
			t.Errorf("%q: answers %q, want %s, not %s", c.typed, got, c.has, c.not)
		}
	}
}

func TestBashCompletion(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`source <(turnproof completion bash)
compopt() { :; } # there is no completion under way
ask() {
  COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
  _turnproof
  printf '? %s\n' "$1"
  printf '%s\n' "${COMPREPLY[@]}"
}
complete -p turnproof >/dev/null || exit 1
`)
	for _, c := range completionCases {
		b.WriteString("ask '" + c.typed + "'\n")
	}
	b.WriteString("ask 'turnproof check mesh:4x4 --switching=w'\nask 'turnproof check mesh:'\n")
	out := shell(t, b.String(), "bash", "--norc", "-c")
	holdAnswers(t, completionCases, out)
	// Readline replaces only the part of a word after the last = or :.
	if !strings.Contains(out, "? turnproof check mesh:4x4 --switching=w\nwormhole\n") {
		t.Errorf("--switching=w in\n%s", out)
	}
}

func TestFishCompletion(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("turnproof completion fish | source\n")
	for _, c := range completionCases {
		b.WriteString("echo '? " + c.typed + "'\ncomplete -C '" + c.typed + "'\n")
	}
	holdAnswers(t, completionCases, shell(t, b.String(), "fish", "--no-config", "-c"))
}

// TestZshCompletion types a line and a tab into a zsh with its own pseudo-terminal (zpty).
func TestZshCompletion(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`zmodload zsh/zpty
zpty -b z zsh -f -i
zpty -w z 'PS1=; autoload -Uz compinit; compinit -u -D; source <(turnproof completion zsh)'
zpty -w z 'zstyle ":completion:*" list-grouped false; LISTMAX=10000'
zpty -w z 'compadd() { if [[ ${@[1,-1]} == *"-a names"* ]]; then print -rl -- $names >>answers; else builtin compadd "$@"; fi }'
zpty -w z '_files() { print -rl -- *(N) >>answers }'
ask() {
  print -r -- "? $1" >>answers
  local before=$(wc -l <answers) i
  zpty -w -n z "$1"$'\t'
  for i in {1..400}; do (( $(wc -l <answers) > before )) && break; sleep 0.02; done
  sleep 0.05
  zpty -w -n z $'\C-u'
}
zpty -w z 'print ready >answers'
for i in {1..1000}; do [[ -s answers ]] && break; sleep 0.02; done
`)
	for _, c := range completionCases {
		b.WriteString("ask '" + c.typed + "'\n")
	}
	b.WriteString("sleep 0.3; zpty -d z; cat answers\n")
	holdAnswers(t, completionCases, shell(t, b.String(), "zsh", "-f", "-c"))
}
