package synth

import (
	"context"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// unsound lists the words of options that do not promise an acyclic set of turns that connects all
// hosts; see docs/turn-methods-reference.md.
var unsound = map[string][]string{
	"marks":         {MarksProcedure, MarksSwitch, MarksNever},
	"stop-at-start": {"true"},
	"form":          {FormPaper, FormBoth},
	"select":        {SelectAnywhere},
}

// textWords has words for options that have no list of words.
var textWords = map[string][]string{"root": {"0", "center"}, "seed": {"7"}}

// files are options that name a file, which other tests cover.
var files = []string{"tree-file", "given-tree", "order-file"}

// TestEveryWordOfOptions makes and proves a set with each word of each option of each published method.
// Each option must change a set of one method on one of the networks.
func TestEveryWordOfOptions(t *testing.T) {
	changed := map[string]bool{
		"seed":          true, // it acts with random orders only
		"stop-at-start": true, // the network of TestReadingsThatFail
	}
	for _, m := range publishedMethods() {
		for _, x := range m.Options {
			words := x.Values
			if words == nil {
				words = textWords[x.Name]
			}
			if words == nil && !slices.Contains(files, x.Name) {
				t.Errorf("option %s of method %s has no word here; add one to textWords in synth/optionwords_test.go", x.Name, m.Name)
			}
			for _, word := range words {
				changed[x.Name] = tryWord(t, m, x, word) || changed[x.Name]
			}
		}
	}
	for _, x := range option.Join(upDownOptions, turnModelOptions, prohibitionOptions, additionOptions, releaseOptions) {
		if !changed[x.Name] && !slices.Contains(files, x.Name) {
			t.Errorf("option %s changes no set of any method; does a method read it?", x.Name)
		}
	}
}

// tryWord makes sets on some networks with one option, and reports whether one differs from the default.
func tryWord(t *testing.T, m Method, x Option, word string) (changed bool) {
	t.Helper()
	var o Options
	if x.Name == "both-directions" {
		o.Release = true // it is about released turns
	}
	before := o
	if err := x.Set(&o, word); err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"torus:4x4", "random:switches=10,degree=4,seed=3", "random:switches=16,degree=4,seed=5", "mesh:3x3,hosts=2"} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		made, err := New(context.Background(), m.Name, n, o)
		if err != nil {
			t.Errorf("method %s, %s=%s on %s: %v", m.Name, x.Name, word, spec, err)
			continue
		}
		usual, err := New(context.Background(), m.Name, n, before)
		if err != nil {
			t.Fatal(err)
		}
		changed = changed || !same(made.Allowed, usual.Allowed)
		if slices.Contains(unsound[x.Name], word) {
			continue
		}
		rep, err := verify.CheckTurns(context.Background(), made.Allowed, verify.TurnOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved {
			t.Errorf("method %s, %s=%s on %s: acyclic %s, connected %s; if the paper has it so, add the word to unsound in synth/optionwords_test.go",
				m.Name, x.Name, word, spec, rep.Acyclic.Verdict, rep.Connected.Verdict)
		}
	}
	return changed
}

// TestOptionsOfUnsound keeps the list of unsound words true.
func TestOptionsOfUnsound(t *testing.T) {
	for name, words := range unsound {
		i := slices.IndexFunc(AllOptions(), func(x Option) bool { return x.Name == name })
		for _, word := range words {
			if i < 0 || !slices.Contains(AllOptions()[i].Values, word) {
				t.Errorf("no option %s has the word %s", name, word)
			}
		}
	}
	if !option.Has(AllOptions(), "root") {
		t.Error("no option root")
	}
}
