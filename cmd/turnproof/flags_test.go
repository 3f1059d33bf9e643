package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// namesFile matches the help of flags that name a file or folder.
var namesFile = regexp.MustCompile("FILE|`DIR`|^write |^draw .* to ")

// namesSchema matches the schema of an output in the help of a flag.
var namesSchema = regexp.MustCompile(`docs/schema/[a-z0-9/-]+\.json`)

// TestFlagTypes checks that the type of each flag says whether it names a file, and whether the
// file is read or written. testdata/flags.txt lists all flags with their types, so that each
// change of a type is reviewed.
func TestFlagTypes(t *testing.T) {
	var list strings.Builder
	for _, c := range cli.ShownCommands(newProgram().App()) {
		for _, f := range c.Flags {
			name := f.Names()[0]
			if name == "help" {
				continue
			}
			if err := cli.CheckType(f); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
			kind := typeOf(f)
			if about, ok := f.(interface{ GetUsage() string }); ok && namesFile.MatchString(about.GetUsage()) && !strings.HasPrefix(kind, "Input") &&
				kind != "Output" && !strings.HasPrefix(kind, "Effect") && kind != "Words" {
				t.Errorf("%s --%s: its help names a file, its type is %s: use cli.Input for a file that is read, cli.Output for a file that "+
					"is written", c.Name, name, kind)
			}
			if about, ok := f.(interface{ GetUsage() string }); ok {
				for _, schema := range namesSchema.FindAllString(about.GetUsage(), -1) {
					if _, err := os.Stat(filepath.Join("..", "..", schema)); err != nil {
						t.Errorf("%s --%s: its help names %s: add the schema", c.Name, name, schema)
					}
				}
			}
			fmt.Fprintf(&list, "%s --%s %s\n", c.Name, name, kind)
		}
	}
	const golden = "testdata/flags.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(list.String()) {
		if !strings.Contains("\n"+string(want), "\n"+line) {
			t.Errorf("%s has no line %q: use cli.Output for a file that the command writes and cli.Effect for a flag that starts jobs, then "+
				"run go test -run TestFlagTypes -update", golden, line)
		}
	}
	if len(want) != list.Len() {
		t.Errorf("%s has %d bytes, want %d: run go test -run TestFlagTypes -update", golden, len(want), list.Len())
	}
}

// typeOf returns the name of the type of a flag.
func typeOf(f cli.Flag) string {
	text := fmt.Sprintf("%T", f)
	return text[strings.LastIndex(text, ".")+1:]
}

// TestProjectFileCannotWrite checks, for every flag of every command, that a project file cannot
// set flags that write files or start jobs.
func TestProjectFileCannotWrite(t *testing.T) {
	refused := 0
	configFolder(t, "", "")
	for _, c := range cli.ShownCommands(newProgram().App()) {
		for _, f := range c.Flags {
			name, kind := f.Names()[0], typeOf(f)
			if err := os.WriteFile(cli.ProjectFile, []byte(c.Name+":\n  "+name+": 1\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			_, stderr, code := turnproof(t, "version")
			writes := kind == "Output" || strings.HasPrefix(kind, "Effect")
			if writes != (code == cli.ExitUsage) || writes && !strings.Contains(stderr, "which the file of a project may not") {
				t.Errorf("%s: %s in a project's file: exit status %d, %s", c.Name, name, code, stderr)
			}
			if writes {
				refused++
			}
		}
	}
	for _, line := range []string{"sweep:\n  slurm-option: --export=PATH=/tmp\n", "sweep:\n  slurm: true\n", "turns:\n  journal: x\n",
		"sweep:\n  merge: true\n", "check:\n  certificate: x\n"} {
		if err := os.WriteFile(cli.ProjectFile, []byte(line), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, code := turnproof(t, "version"); code != cli.ExitUsage {
			t.Errorf("%q: exit status %d", line, code)
		}
	}
	if refused < 40 {
		t.Errorf("%d flags are refused, want 40 or more", refused)
	}
}
