package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTypesDecide checks that the type of a flag controls its handling, whatever its help text
// says.
func TestTypesDecide(t *testing.T) {
	t.Parallel()
	program := Program{Commands: []*Command{{Name: "do", Flags: []Flag{
		&Output{StringFlag: StringFlag{Name: "made", Usage: "where it goes, `PATH`"}},
		&Text{StringFlag: StringFlag{Name: "note", Usage: "write FILE on it"}},
		&Input{StringFlag: StringFlag{Name: "source"}, Words: []string{"dor"}},
		&Words{StringFlag: StringFlag{Name: "colour"}, List: []string{"red", "green"}},
		&Effect{BoolFlag: BoolFlag{Name: "start"}},
		&EffectInt{IntFlag: IntFlag{Name: "jobs"}},
		&EffectText{StringFlag: StringFlag{Name: "part"}},
		&EffectTexts{StringSliceFlag: StringSliceFlag{Name: "option"}},
	}}}}
	for flag, want := range map[string]string{
		"made: x": "made names an output", "start: true": "start starts jobs", "jobs: 3": "jobs starts jobs", "part: 1/2": "part starts jobs",
		"option: [a, b]": "option starts jobs",
		"note: x":        "", "source: x": "", "colour: red": "",
	} {
		file := filepath.Join(t.TempDir(), "f.yaml")
		if err := os.WriteFile(file, []byte("do:\n  "+flag+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, project := range []bool{true, false} {
			_, err := readConfigFile(program.App(), file, project)
			switch {
			case !project || want == "":
				if err != nil {
					t.Errorf("%s, project %v: %v", flag, project, err)
				}
			case err == nil || !strings.Contains(err.Error(), want):
				t.Errorf("%s: error %v, want %q", flag, err, want)
			}
		}
	}
	for typed, want := range map[string]string{"do --made ": ":files", "do --note ": "", "do --source ": "dor :files", "do --colour ": "red green",
		"do --colour=g": "--colour=green", "do ": ":files"} {
		if got := strings.Join(completions(program.App(), strings.Split(typed, " ")), " "); got != want {
			t.Errorf("%q: completions %q, want %q", typed, got, want)
		}
	}
	for _, f := range []Flag{&StringFlag{Name: "plain"}, &StringSliceFlag{Name: "plain"}} {
		if err := CheckType(f); err == nil || !strings.Contains(err.Error(), "cli.Output") {
			t.Errorf("%T: error %v, want advice", f, err)
		}
	}
}
