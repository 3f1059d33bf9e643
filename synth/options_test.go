package synth

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/model/topo"
)

// TestOptionsAreComplete finds fields of Options without an option, and words that set nothing.
func TestOptionsAreComplete(t *testing.T) {
	all := AllOptions()
	for _, m := range Methods() { // TestMethodOptionsAreListed finds those that AllOptions lacks
		all = option.Join(all, m.Options)
	}
	for _, name := range option.Missing(all, "Watcher", "Traffic", "Tree.Seed") {
		t.Errorf("no option sets field %s of synth.Options; add one to synth/options.go, to the options of its methods", name)
	}
	for _, x := range AllOptions() {
		if x.Kind != option.Value {
			setOption(t, x)
		}
	}
}

// setOption returns options in which only x has a value other than its default.
func setOption(t *testing.T, x Option) (o Options) {
	samples := []string{"turns,load", "2", "sample"}
	if len(x.Values) > 1 {
		samples = x.Values[1:]
	}
	for _, word := range samples {
		o = Options{}
		if x.Set(&o, word) == nil && x.IsSet(&o) {
			return o
		}
	}
	t.Fatalf("no sample sets option %s; add a word to setOption in synth/options_test.go", x.Name)
	return o
}

func TestMethodsRefuseOptionsOfOthers(t *testing.T) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range AllOptions() {
		if x.Kind == option.Value {
			continue
		}
		o := setOption(t, x)
		for _, m := range Methods() {
			if m.Reads(x.Name) {
				continue
			}
			if _, err := New(context.Background(), m.Name, n, o); err == nil || !strings.Contains(err.Error(), "no option "+x.Name) {
				t.Errorf("method %s with option %s: got error %v, want a refusal", m.Name, x.Name, err)
			}
		}
	}
}

// TestMethodOptionsAreListed holds the list of all options against the table of methods.
func TestMethodOptionsAreListed(t *testing.T) {
	for _, m := range Methods() {
		for _, x := range m.Options {
			if !option.Has(AllOptions(), x.Name) {
				t.Errorf("method %s reads option %s, which is not in AllOptions in synth/options.go", m.Name, x.Name)
			}
		}
	}
	for _, x := range AllOptions() {
		if !slices.ContainsFunc(Methods(), func(m Method) bool { return m.Reads(x.Name) }) {
			t.Errorf("no method reads option %s; add it to the options of its methods in synth/methods.go", x.Name)
		}
	}
}
