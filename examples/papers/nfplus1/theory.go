package nfplus1

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/family"
)

// This file computes the items about dependencies: cycles, numbers of channels, and path lengths.

// largest is the greatest side of the tori that the items check one by one.
func largest(r *paper.Result) int {
	if r.Quick {
		return 5
	}
	return 10
}

func side(n int) string { return fmt.Sprintf("%dx%d", n, n) }

// relationOn returns a routing on an n x n torus.
func relationOn(ctx context.Context, n, vcs int, word string) (model.Relation, error) {
	net, err := topo.Parse(fmt.Sprintf("torus:%dx%d,vcs=%d", n, n, vcs))
	if err != nil {
		return nil, err
	}
	route, err := resolve.Routing(ctx, word, "", net, format.Options{})
	if err != nil {
		return nil, err
	}
	return route.Relation, nil
}

// programOn returns a published routing program on an n x n torus. change edits its text; it may be nil.
func programOn(ctx context.Context, n, vcs int, name string, change func(string) string) (*program.Program, model.Relation, error) {
	net, err := topo.Parse(fmt.Sprintf("torus:%dx%d,vcs=%d", n, n, vcs))
	if err != nil {
		return nil, nil, err
	}
	for _, f := range published.All() {
		if f.Path != name {
			continue
		}
		if change != nil {
			f.Text = change(f.Text)
		}
		p, err := program.Parse(f.Path, f.Text)
		if err != nil {
			return nil, nil, err
		}
		rel, _, err := p.Relation(ctx, net)
		return p, rel, err
	}
	return nil, nil, fmt.Errorf("no program %s", name)
}

// cycleOf returns the length of a shortest deadlock cycle of a relation, or 0 if it is proved deadlock-free.
func cycleOf(ctx context.Context, rel model.Relation) (float64, error) {
	rep, err := verify.Check(ctx, rel, verify.Options{})
	switch {
	case err != nil:
		return 0, err
	case rep.DeadlockFree.Verdict == verify.Proved:
		return 0, nil
	case rep.DeadlockFree.Verdict == verify.Undecided:
		return math.NaN(), nil
	}
	return float64(len(rep.Cycle)), nil
}

// cycles adds the length of a shortest cycle on each torus, 0 for none.
func cycles(list []routing) func(context.Context, *paper.Result) error {
	return func(ctx context.Context, r *paper.Result) error {
		sides := largest(r) - 2
		values, err := r.Points(ctx, sides*len(list), func(i int) string {
			x := list[i%len(list)]
			return fmt.Sprintf("cycle of %s, %d VCs, %s", x.spec, x.vcs, side(3+i/len(list)))
		}, func(ctx context.Context, i int) ([]float64, error) {
			x := list[i%len(list)]
			rel, err := ruleOn(ctx, 3+i/len(list), x)
			if err != nil {
				return nil, err
			}
			cycle, err := cycleOf(ctx, rel)
			return []float64{cycle}, err
		})
		for i, v := range values {
			r.AddRow(side(3+i/len(list)), list[i%len(list)].name, "", math.NaN(), v...)
		}
		return err
	}
}

// withoutVC is the word of NF+1 with one VC, which the built-in routing refuses.
const withoutVC = "nf+1 with one VC"

func ruleOn(ctx context.Context, n int, x routing) (model.Relation, error) {
	if x.spec != withoutVC {
		return relationOn(ctx, n, x.vcs, x.spec)
	}
	_, rel, err := programOn(ctx, n, 1, "nf+1.torus.star", func(text string) string {
		text = strings.Replace(text, "vcs = 2", "vcs = 1", 1)
		return strings.Replace(text, "def vc(inp, a):\n", "def vc(inp, a):\n    return 0\n", 1)
	})
	return rel, err
}

// numbers adds how many dependencies there are, and on how many the numbers of section 4.3 do not increase.
func numbers(ctx context.Context, r *paper.Result) error {
	mended := func(text string) string {
		return strings.Replace(text, "return (0, 1, n - 1 - x)", "return (1, 1, n - 1 - x)", 1)
	}
	for n := 3; n <= largest(r); n++ {
		v, err := r.One(ctx, "numbers, "+side(n), func(ctx context.Context) ([]float64, error) {
			all, printed, err := falling(ctx, n, nil)
			if err != nil {
				return nil, err
			}
			_, better, err := falling(ctx, n, mended)
			return []float64{all, printed, better}, err
		})
		if err != nil {
			return err
		}
		for i, quantity := range []string{"dependencies", "not increasing", "with a = 1 for x- of channel 1"} {
			r.AddRow(side(n), quantity, "", math.NaN(), v[i])
		}
	}
	return nil
}

// falling counts the dependencies, and those on which the numbers do not increase.
func falling(ctx context.Context, n int, change func(string) string) (all, fall float64, err error) {
	p, rel, err := programOn(ctx, n, 2, "nf+1-as-printed.torus.star", change)
	if err != nil {
		return 0, 0, err
	}
	g, err := cdg.Build(ctx, rel)
	if err != nil {
		return 0, 0, err
	}
	ranks, err := p.Ranks(rel.Network())
	for t := range g.All() {
		all++
		if err == nil && program.CompareRanks(ranks[t.In], ranks[t.Out]) >= 0 {
			fall++
		}
	}
	return all, fall, err
}

// everySize returns 1 if the set is proved deadlock-free for all tori, and 0 if it is refuted.
func everySize(s *space.Space, prohibited space.Set) (float64, error) {
	v, err := family.New(s).Decide(s.All().Minus(prohibited))
	if err != nil {
		return 0, err
	}
	if v.Acyclic {
		return 1, nil
	}
	return 0, nil
}

const rule = "torus:2,vcs=2,rule=nf+1"

// everySizeSets decides the published sets of class turns on every torus, and NF+1 with each of its turns allowed.
func everySizeSets(_ context.Context, r *paper.Result) error {
	s, err := space.Parse(rule, space.Options{})
	if err != nil {
		return err
	}
	row := func(name string, prohibited space.Set) error {
		free, err := everySize(s, prohibited)
		if err == nil {
			r.AddRow(name, "prohibited turns", "", math.NaN(), float64(prohibited.Len()))
			r.AddText(name, "every torus", "", map[float64]string{1: "deadlock-free", 0: "cyclic"}[free], free)
		}
		return err
	}
	for _, p := range s.Published() {
		if err := row(p.Name, p.Prohibited); err != nil {
			return err
		}
		if p.Name != "nf+1" {
			continue
		}
		for _, t := range p.Prohibited.List() {
			if err := row("nf+1 without "+s.Names(space.Set{}.With(t))[0], p.Prohibited.Without(t)); err != nil {
				return err
			}
		}
	}
	return nil
}
