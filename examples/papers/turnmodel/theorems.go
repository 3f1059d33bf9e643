package turnmodel

import (
	"context"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/enumerate"
)

// This file proves the theorems for every H/V graph.

// hvSets returns the enumerator of H/V graphs with its maximal sets and smallest cycles.
func hvSets(ctx context.Context) (*enumerate.Enumerator, *enumerate.Border, error) {
	s, err := space.Parse("hv", space.Options{})
	if err != nil {
		return nil, nil, err
	}
	e, err := enumerate.New(s)
	if err != nil {
		return nil, nil, err
	}
	b, err := e.Border(ctx, 0)
	return e, b, err
}

// Sets P1 and P2 of section 3.2.3.
const (
	setP1 = "LD>LU RU>LU RD>LU"
	setP2 = "RD>RU RD>LD RD>LU"
)

// theorem1 counts the smallest sets of class turns that close a cycle: all, those with a turn from LU (to RD
// for P2) but without a turn of P1 (P2), and those without a turn of P1 (P2).
func theorem1(ctx context.Context, r *paper.Result) error {
	e, b, err := hvSets(ctx)
	if err != nil {
		return err
	}
	for _, x := range []struct {
		name, set string
		around    func(turn string) bool
	}{{"P1", setP1, func(turn string) bool { return strings.HasPrefix(turn, "LU>") }}, {"P2", setP2,
		func(turn string) bool { return strings.HasSuffix(turn, ">RD") }}} {
		p, err := e.Space.ParseSet(x.set)
		if err != nil {
			return err
		}
		without, around := 0.0, 0.0
		for _, c := range b.Conflicts {
			if c.Minus(p) != c {
				continue
			}
			without++
			for _, turn := range e.Space.Names(c) {
				if x.around(turn) {
					around++
					break
				}
			}
		}
		r.AddRow(x.name, "smallest cycles", "", nan, float64(len(b.Conflicts)))
		r.AddRow(x.name, "without its turns", "", nan, without)
		r.AddRow(x.name, "with a turn from LU or to RD", "", nan, around)
	}
	return nil
}

func theorem1Claims() []paper.Claim {
	const around = "with a turn from LU or to RD"
	return []paper.Claim{
		{Name: "turn-model/cycles-hold-p1", Section: "theorem 1", Statement: "Every cycle with a turn from LU contains a turn of P1",
			Judge: paper.Needs([][2]string{{"P1", around}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == 0,
					fmt.Sprintf("%g exceptions", v[0]))
			})},
		{Name: "turn-model/four-cycles-left", Statement: "Without P1 four basic cycles are left, L4 to L7", Published: "4",
			Judge: paper.Needs([][2]string{{"P1", "without its turns"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == 4,
					fmt.Sprint(v[0]))
			})},
		{Name: "turn-model/same-for-p2", Statement: "P2 leaves as many cycles in the same manner",
			Judge: paper.Needs([][2]string{{"P2", "without its turns"}, {"P2", around}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == 4 && v[1] == 0, fmt.Sprintf("%g cycles, %g exceptions", v[0], v[1]))
			})},
	}
}

// fourSets decides the published sets of class turns on every H/V graph, and counts the maximal sets.
func fourSets(ctx context.Context, r *paper.Result) error {
	e, b, err := hvSets(ctx)
	if err != nil {
		return err
	}
	witnesses := enumerate.NewWitnesses(e)
	for _, p := range e.Space.Published() {
		x := enumerate.SetReport{Set: e.Space.All().Minus(p.Prohibited), Name: p.Name}
		if err := x.Decide(ctx, e, witnesses); err != nil {
			return err
		}
		for _, c := range []struct {
			name string
			ok   bool
		}{{"deadlock-free", x.Free && x.Evidence != nil}, {"connected", x.Connected}, {"maximal", x.Maximal}} {
			word, number := "no", 0.0
			if c.ok {
				word, number = "yes", 1
			}
			r.AddText(p.Name, c.name, "", word, number)
		}
		r.AddRow(p.Name, "prohibited class turns", "", nan, float64(p.Prohibited.Len()))
	}
	return maximalRows(r, e, b)
}

// maximalRows counts the maximal sets, those that are connected, and those that follow the paper's policy.
func maximalRows(r *paper.Result, e *enumerate.Enumerator, b *enumerate.Border) error {
	joined, kept := 0.0, 0.0
	for _, set := range b.Maximal {
		if !e.Connected(set) {
			continue
		}
		joined++
		if e.Space.PolicyKept(set) {
			kept++
		}
	}
	needed, err := e.Space.ParseSet("LU>RD")
	if err != nil {
		return err
	}
	word, number := "no", 0.0
	if e.Connected(e.Space.All().Minus(needed)) {
		word, number = "yes", 1
	}
	r.AddText("all turns but LU>RD", "connected", "", word, number)
	r.AddRow("all maximal sets", "maximal", "", nan, float64(len(b.Maximal)))
	r.AddRow("all maximal sets", "connected", "", nan, joined)
	r.AddRow("all maximal sets", "by the policy", "", nan, kept)
	return nil
}

func fourSetClaims() []paper.Claim {
	all := func(quantity, word string) func(*paper.Result) paper.Finding {
		return func(r *paper.Result) paper.Finding {
			n := 0
			for _, m := range turnMethods[1:] {
				if x := r.Row(m, quantity); x != nil && x.Ours == 1 {
					n++
				}
			}
			return paper.Decide(n == 4, fmt.Sprintf("%s for %d of 4", word, n))
		}
	}
	return []paper.Claim{
		{Name: "turn-model/deadlock-free", Section: "theorem 2", Statement: "L-turn and R-turn, α and β, are deadlock-free on every H/V graph",
			Judge: all("deadlock-free", "proved")},
		{Name: "turn-model/reachable", Section: "theorem 3", Statement: "L-turn and R-turn connect every pair on every H/V graph",
			Judge: all("connected", "proved")},
		{Name: "turn-model/up-down-needed", Section: "section 3.2.3", Statement: "The turn from LU to RD cannot be prohibited",
			Judge: paper.Needs([][2]string{{"all turns but LU>RD", "connected"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == 0, "without it pairs of every tree with two children lose their paths")
			})},
		{Name: "turn-model/exactly-four", Section: "section 3.2.3, section 6",
			Statement: "Exactly four deadlock-free algorithms follow the policy of selection",
			Judge: paper.Needs([][2]string{{"all maximal sets", "by the policy"}, {"all maximal sets", "connected"}},
				func(v []float64) paper.Finding {
					return paper.Decide(v[0] == 4, fmt.Sprintf("%g with the policy, %g maximal connected sets without it", v[0], v[1]))
				})},
	}
}
