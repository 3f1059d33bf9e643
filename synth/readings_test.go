package synth

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/verify"
)

// This file keeps, for each reading of DA that leaves cycles, a smallest network
// on which it does: fewest switches, then fewest links (see search_test.go).

var turnModels = []string{"lturn-alpha", "lturn-beta", "rturn-alpha", "rturn-beta"}

// counterexample is a network on which readings fail, with the canonical tree
// from switch 0 and ports in the order of the links.
type counterexample struct {
	method   string
	marks    []string
	stop     []bool
	parallel bool
	links    string
	cycle    []int // switches
}

var either = []bool{false, true}

var counterexamples = []counterexample{
	{"lturn-alpha", []string{MarksChannel}, []bool{true}, false, "0-1 0-2 0-3 1-2 1-3 1-4 1-5 2-5 3-4", []int{2, 1, 4, 3, 1, 5}},
	{"lturn-alpha", []string{MarksProcedure, MarksSwitch}, either, false, "0-1 0-2 1-2 1-3 1-4 2-3 2-4", []int{2, 1, 4}},
	{"lturn-alpha", []string{MarksNever}, either, false, "0-2 0-3 0-4 1-2 1-3 1-4 2-3", []int{2, 1, 3}},
	{"lturn-beta", []string{MarksChannel}, []bool{true}, false, "0-1 0-2 0-3 1-3 1-5 2-3 2-4 3-4 3-5", []int{3, 1, 5, 3, 2, 4}},
	{"lturn-beta", []string{MarksProcedure}, either, false, "0-2 0-3 0-4 1-2 1-3 1-4 2-3 2-4", []int{2, 1, 3}},
	{"lturn-beta", []string{MarksSwitch, MarksNever}, either, false, "0-2 0-3 1-2 1-3 1-4 2-3 3-4", []int{2, 1, 3}},
	{"rturn-alpha", []string{MarksChannel}, []bool{true}, false, "0-1 0-2 0-3 1-2 1-3 1-4 1-5 2-5 3-4", []int{1, 2, 5, 1, 3, 4}},
	{"rturn-alpha", []string{MarksProcedure}, []bool{false}, false, "0-1 0-2 0-3 1-2 1-3 1-4 2-3 2-4", []int{2, 1, 3}},
	{"rturn-alpha", []string{MarksProcedure}, []bool{true}, false, "0-1 0-2 0-3 1-2 1-3 1-4 2-3 2-4", []int{1, 3, 2, 4}},
	{"rturn-alpha", []string{MarksSwitch, MarksNever}, either, false, "0-1 0-2 0-3 1-2 1-3 1-4 2-3", []int{1, 2, 3}},
	{"rturn-beta", []string{MarksChannel}, []bool{true}, false, "0-1 0-2 0-3 1-3 1-5 2-3 2-4 3-4 3-5", []int{1, 3, 4, 2, 3, 5}},
	{"rturn-beta", []string{MarksProcedure}, either, false, "0-1 0-2 1-2 1-3 1-4 2-3 2-4", []int{1, 2, 4}},
	{"rturn-beta", []string{MarksSwitch, MarksNever}, either, false, "0-1 0-2 1-2 1-3 2-3 2-4", []int{1, 2, 3}},

	{"lturn-alpha", MarkRules()[1:], either, true, "0-1 0-2 1-2 1-2 1-2", []int{2, 1}},
	{"lturn-beta", MarkRules()[1:], either, true, "0-1 0-2 1-2 1-2 1-2", []int{1, 2}},
	{"rturn-alpha", MarkRules()[1:], either, true, "0-1 0-2 1-2 1-2 1-2", []int{2, 1}},
	{"rturn-beta", MarkRules()[1:], either, true, "0-1 0-2 1-2 1-2 1-2", []int{1, 2}},
	{"lturn-alpha", []string{MarksChannel}, []bool{true}, true, "0-1 0-2 0-3 1-2 1-2 1-3 1-3", []int{1, 2, 1, 3}},
	{"lturn-beta", []string{MarksChannel}, []bool{true}, true, "0-1 0-2 0-3 1-3 1-3 2-3 2-3", []int{1, 3, 2, 3}},
	{"rturn-alpha", []string{MarksChannel}, []bool{true}, true, "0-1 0-2 0-3 1-2 1-2 1-3 1-3", []int{1, 2, 1, 3}},
	{"rturn-beta", []string{MarksChannel}, []bool{true}, true, "0-1 0-2 0-3 1-3 1-3 2-3 2-3", []int{1, 3, 2, 3}},
}

func (c counterexample) readings() (list []reading) {
	for _, marks := range c.marks {
		for _, stop := range c.stop {
			list = append(list, reading{c.method, DAOptions{Marks: marks, StopAtStart: stop}})
		}
	}
	return list
}

// TestReadingsThatFail checks networks on which a reading of DA leaves a cycle. The default
// reading leaves none.
func TestReadingsThatFail(t *testing.T) {
	kept := map[string]int{}
	for _, c := range counterexamples {
		n := parseLinks(c.links)
		for _, r := range c.readings() {
			kept[fmt.Sprint(r, c.parallel)]++
			res, err := New(context.Background(), r.method, n, Options{Root: "0", DA: r.o})
			if err != nil {
				t.Fatal(err)
			}
			rep, err := verify.CheckTurns(context.Background(), res.Allowed, verify.TurnOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Acyclic.Verdict != verify.Refuted || rep.Connected.Verdict != verify.Proved {
				t.Errorf("%s on %s: acyclic %s, connected %s", r, c.links, rep.Acyclic.Verdict, rep.Connected.Verdict)
				continue
			}
			if got := cycleOf(t, res.Allowed); !slices.Equal(got, c.cycle) || len(rep.Cycle) != len(c.cycle) {
				t.Errorf("%s on %s: cycle %v of %d, want %v", r, c.links, got, len(rep.Cycle), c.cycle)
			}
			safe, err := New(context.Background(), r.method, n, Options{Root: "0"})
			if err != nil {
				t.Fatal(err)
			}
			if !isAcyclic(safe.Allowed) {
				t.Errorf("%s on %s: the default leaves a cycle", r.method, c.links)
			}
		}
	}
	if len(kept) != 2*len(turnModels)*(2*len(MarkRules())-1) {
		t.Errorf("%d readings have a network", len(kept))
	}
	for r, k := range kept {
		if k != 1 {
			t.Errorf("%s has %d networks", r, k)
		}
	}
}

// TestDetectedCycles checks the cycles that DA reports. Each is a cycle that ends with the turn
// which is prohibited because of it, and contains no turn that is always prohibited. These turns
// are all conditional turns that the method prohibits.
func TestDetectedCycles(t *testing.T) {
	n := parse(t, "random:switches=24,degree=4,seed=3")
	for _, m := range turnModels {
		g := graphOn(t, n, 5, hv.Options{})
		always, conditional, ok := ClassPolicy(m)
		found, err := DetectedCycles(context.Background(), m, g, DAOptions{})
		if err != nil || !ok || len(found) == 0 {
			t.Fatal(m, len(found), err)
		}
		prohibited := allTurns(n)
		for t := range (reading{m, DAOptions{}}).leaves(g).All() {
			prohibited.Remove(t)
		}
		for _, d := range found {
			for i, in := range d.Cycle {
				out := d.Cycle[(i+1)%len(d.Cycle)]
				class, turns := g.ClassTurn(in, out)
				if n.Head(in) != n.Tail(out) || n.Reverse(in) == out || turns && always.Has(class) {
					t.Errorf("%s: cycle %v turns from %d to %d", m, d.Cycle, in, out)
				}
			}
			class, turns := g.ClassTurn(d.Cycle[len(d.Cycle)-1], d.Cycle[0])
			if int(d.Turn.In) != int(d.Cycle[len(d.Cycle)-1]) || int(d.Turn.Out) != int(d.Cycle[0]) || !turns || !conditional.Has(class) || !prohibited.Has(d.Turn) {
				t.Errorf("%s: cycle %v for turn %v", m, d.Cycle, d.Turn)
			}
			prohibited.Remove(d.Turn)
		}
		for turn := range prohibited.All() { // the rest is prohibited always
			in, _ := n.Channel(turn.In)
			out, _ := n.Channel(turn.Out)
			if class, turns := g.ClassTurn(in, out); !turns || !always.Has(class) {
				t.Errorf("%s: %v is prohibited without a cycle", m, turn)
			}
		}
	}
	if _, err := DetectedCycles(context.Background(), "tp", graphOn(t, n, 0, hv.Options{}), DAOptions{}); err == nil {
		t.Error("cycles detected by tp")
	}
}
