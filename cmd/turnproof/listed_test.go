package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// This file checks that everything of which there are several is in the lists and pages for it.

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCommandsAreListed checks the list of commands: their order, and their rows in the README.
func TestCommandsAreListed(t *testing.T) {
	var names []string
	readme := page(t, "README.md")
	_, statuses, _ := strings.Cut(page(t, "docs/command-line.md"), "\n## Exit statuses\n")
	statuses, _, _ = strings.Cut(statuses, "\n- ") // remarks
	for _, c := range commands() {
		if !regexp.MustCompile(`\b` + c.Name + `\b`).MatchString(statuses) {
			t.Errorf("docs/command-line.md does not have the exit statuses of the command %s; add a row to the second table, or the name below it", c.Name)
		}
		names = append(names, c.Name)
		if !regexp.MustCompile("(?m)^\\|.*`" + c.Name + "`.*\\|.*\\|$").MatchString(readme) {
			t.Errorf("README.md has no row for the command %s; add one to its table of commands", c.Name)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("the commands are not in the order of the alphabet: %v; sort them in commands.go", names)
	}
}

// TestCommandPackagesAreListed checks that every package with a function Command is a command.
func TestCommandPackagesAreListed(t *testing.T) {
	list := page(t, "cmd/turnproof/commands.go")
	files, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if folder := filepath.Dir(file); strings.Contains(string(text), "\nfunc Command() *cli.Command {") && !strings.Contains(list, folder+".Command(),") {
			t.Errorf("package %s has a command that is not in the list; add %s.Command() to commands.go", folder, folder)
		}
	}
}

// TestMethodsAreDocumented checks that the manuals name each turn method and each routing.
func TestMethodsAreDocumented(t *testing.T) {
	methods := page(t, "docs/turn-methods.md")
	for _, m := range synth.Methods() {
		if !strings.Contains(methods, "`"+m.Name+"`") {
			t.Errorf("docs/turn-methods.md does not name the method %s; add a row to its table of methods", m.Name)
		}
	}
	networks := page(t, "docs/networks.md")
	for _, f := range topo.Families() {
		if !strings.Contains(networks, "`"+f.Name+"`") {
			t.Errorf("docs/networks.md does not name the family %s; add a row to its table", f.Name)
		}
	}
	for _, r := range route.Routings() {
		if r.Text == "" || r.Needs == "" || r.Source == "" {
			t.Errorf("routing %s has no text, need or source; add it in model/route/route.go", r.Name)
		}
	}
}

// TestPapersAreListed checks that each paper's package is in the list of papers.
func TestPapersAreListed(t *testing.T) {
	list := page(t, "examples/papers/papers.go")
	files, err := filepath.Glob(filepath.Join("..", "..", "examples", "papers", "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Base(filepath.Dir(file))
		if strings.Contains(string(text), "\nfunc Paper() ") && !strings.Contains(list, folder+".Paper()") {
			t.Errorf("package examples/papers/%s is in no list; add %s.Paper() to All in examples/papers/papers.go", folder, folder)
		}
	}
}
