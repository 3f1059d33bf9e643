package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model/topo"
)

// TestEverySelection: with every selection rule and random relations, also with dead ends and deadlocks, packets take permitted
// hops only, and no packet starves: if nothing has moved for long, every packet in the network is frozen. A frozen set does not
// depend on the rule, unless packets commit to a port.
func TestEverySelection(t *testing.T) {
	moved := map[Selection]int64{}
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5)
		if spec := rapid.SampledFrom([]string{"", "mesh:2x3", "torus:3x2"}).Draw(t, "grid"); spec != "" {
			var err error
			if n, err = topo.Parse(spec); err != nil {
				t.Fatal(err)
			}
		}
		n = n.WithVCs(rapid.IntRange(1, 3).Draw(t, "vcs"))
		r := modeltest.Adaptive(t, n, rapid.IntRange(1, 2).Draw(t, "classes"))
		o := Options{BufferFlits: rapid.IntRange(1, 6).Draw(t, "buffer")}
		if rapid.Bool().Draw(t, "cut-through") {
			o.Switching, o.MaxFlits, o.BufferFlits = "vct", 6, o.BufferFlits+5
		}
		seed := rapid.Uint64().Draw(t, "seed")
		for i := rapid.IntRange(0, 4).Draw(t, "select"); i < len(Selections()); i += 5 {
			o.Select = Selections()[i]
			s, err := New(r, burst(n, 5, 6, seed), o, nil)
			if err != nil && strings.Contains(err.Error(), "no coordinates") {
				continue // a rule for grids
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := runSelection(s); err != nil {
				t.Fatalf("%s: %v", o.Select, err)
			}
			moved[o.Select] += s.delivered
		}
	})
	for _, rule := range Selections() {
		if moved[rule] == 0 {
			t.Errorf("%s: no packet arrived", rule)
		}
	}
}

// runSelection simulates 300 clocks and returns what TestEverySelection excludes.
func runSelection(s *Sim) error {
	for range 300 {
		if err := s.Run(context.Background(), 1); err != nil {
			return err
		}
		if errs := s.Check(); len(errs) > 0 {
			return errs[0]
		}
	}
	frozen := len(s.Frozen())
	if quiet := s.now - s.lastMove; quiet > 150 && int64(frozen) != s.inNetwork {
		return fmt.Errorf("nothing has moved for %d clocks; %d packets are there, %d of them frozen", quiet, s.inNetwork, frozen)
	}
	if !s.o.Select.Commits() {
		all := s.clone()
		if all.o.Select = SelectAll; len(all.Frozen()) != frozen {
			return fmt.Errorf("%d packets are frozen, %d of a simulation that selects all", frozen, len(all.Frozen()))
		}
	}
	return nil
}

// TestSelectionKeys: keys of rules are read, and errors name what is wrong.
func TestSelectionKeys(t *testing.T) {
	rule, k, err := Selection("ugal,detours=4,bias=8").parse()
	if err != nil || rule != SelectUGAL || k.detours != 4 || k.bias != 8 {
		t.Errorf("%s, %+v, %v", rule, k, err)
	}
	if rule, k, err = Selection("").parse(); err != nil || rule != SelectAll || k.detours != 1 {
		t.Errorf("%s, %+v, %v", rule, k, err)
	}
	for text, want := range map[Selection]string{
		"best": `no selection "best"`, "ugal,detours=0": "1 to 64", "ugal,bias=x": `bias="x"`, "ugal,": `"" is no key`,
		"ugal,bias=1,bias=2": "twice", "random,bias=1": "keys are none", "ugal,level=3": "keys are detours, bias",
	} {
		if err := text.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	n, err := topo.Parse("mesh:3x3,vcs=8")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(routed(t, "mesh:3x3,vcs=8", "valiant"), burst(n, 1, 1, 1), Options{Select: SelectUGAL, Waiting: "one"}, nil); err == nil {
		t.Error("waiting one and ugal are accepted")
	}
}
