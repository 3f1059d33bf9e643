package agree

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file is the stage.

// Stage compares the judges on random cases and on every small graph.
var Stage = stage.Stage{Name: "agree", Title: "Judges that share no code agree", Run: run}

// manyCases is the default number of random cases.
const manyCases = 100_000

// keptIn is the folder of kept cases, from the root.
const keptIn = "cmd/trust/agree/testdata/kept"

func run(ctx context.Context, o stage.Options, out io.Writer) error {
	cases := uint64(manyCases)
	if o.Cases > 0 {
		cases = uint64(o.Cases)
	}
	kept, err := replayKept(ctx, filepath.Join(o.Root, keptIn))
	if err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // cases are small and leave much behind
	t, err := runCases(ctx, judges, o.Seed, 0, cases, func(done uint64) {
		fmt.Fprintf(o.Progress, "%d of %d cases\n", done, cases)
	})
	if err != nil {
		return err
	}
	g, err := runGraphs(ctx, mostVertices, thorough, func(done int) {
		if done%20 == 0 {
			fmt.Fprintf(o.Progress, "%d graphs\n", done)
		}
	})
	if err != nil {
		return err
	}
	wrong := slices.Concat(kept.wrong, g.wrong)
	for _, f := range t.wrong {
		name := fmt.Sprintf("seed%d-case%d", o.Seed, f.number)
		k := small(ctx, judges, o.Seed, f)
		if err := k.write(ctx, filepath.Join(o.Root, keptIn), name); err != nil {
			return err
		}
		wrong = append(wrong, fmt.Sprintf("case %d (%v): %s; made small and kept as `%s/%s.json`", f.number, f.c, k.About, keptIn, name))
	}
	p := &section{out}
	p.cases(t, o.Seed)
	p.graphs(g)
	p.line("%d kept cases were judged again.", kept.cases)
	if len(wrong) == 0 {
		p.line("Disagreements: 0.")
		return nil
	}
	p.line("Disagreements: %d.", len(wrong))
	for _, text := range wrong {
		fmt.Fprintf(out, "- %s\n", text)
	}
	return &stage.Found{What: fmt.Sprintf("%d disagreements", len(wrong))}
}

// keptTally counts kept cases.
type keptTally struct {
	cases int
	wrong []string
}

func replayKept(ctx context.Context, folder string) (*keptTally, error) {
	all, err := readKept(folder)
	if err != nil {
		return nil, err
	}
	t := &keptTally{cases: len(all)}
	for name, k := range all {
		text, err := k.replay(ctx, judges)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if text != "" {
			t.wrong = append(t.wrong, fmt.Sprintf("kept case %s: %s", name, text))
		}
	}
	slices.Sort(t.wrong)
	return t, nil
}

// section writes the record.
type section struct{ io.Writer }

func (p *section) line(format string, args ...any) { fmt.Fprintf(p, format+"\n\n", args...) }

func (p *section) row(cells ...string) { fmt.Fprintf(p, "| %s |\n", strings.Join(cells, " | ")) }

func (p *section) head(cells ...string) {
	p.row(cells...)
	p.row(slices.Repeat([]string{"---"}, len(cells))...)
}

// claims returns the cells of the four claims.
func (n *answerCounts) claims() (cells []string) {
	for k := range numClaims {
		var parts []string
		for _, v := range []verdict{proved, refuted, undecided, notFrozen} {
			if count := n.said[k][v]; count > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", count, v))
			}
		}
		cells = append(cells, strings.Join(parts, ", "))
	}
	return cells
}

func (p *section) cases(t *tally, seed uint64) {
	p.line("%d random networks with a routing (seed %d). The verdicts of verify.Check by kind:", t.cases, seed)
	p.head(append([]string{"kind", "cases"}, claimNames()...)...)
	for _, k := range kinds {
		if n := t.kinds[k.name]; n != nil {
			p.row(append([]string{k.name, fmt.Sprint(n.cases)}, n.claims()...)...)
		}
	}
	p.line("\nThe verdicts of each judge. A simulation that does not freeze proves nothing:")
	p.head(append([]string{"judge", "cases"}, claimNames()...)...)
	for i, n := range t.judges {
		p.row(append([]string{judges[i].name, fmt.Sprint(n.cases)}, n.claims()...)...)
	}
	p.line("\nEvidence in the certificates: %s.", counts(t.evidence))
	if smt.Available() {
		p.line("Z3 %s judged one case in %d, with at most %v for a question.", smt.Version(), z3Every, z3Limit)
	} else {
		p.line("This build has no Z3.")
	}
}

// counts lists numbers by name.
func counts(m map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, m[name]))
	}
	return strings.Join(parts, ", ")
}

func claimNames() (names []string) {
	for k := range numClaims {
		names = append(names, k.String())
	}
	return names
}

func (p *section) graphs(g *graphTally) {
	p.line("All %d connected graphs of up to %d switches, with %d trees. Turn sets by method: %s; %d different sets, %d after the last pass.",
		g.graphs, mostVertices, g.trees, counts(g.made), g.different, g.minimal)
	p.line("Method minimum: %d graphs, %d sets meet their bound, %d compared with the fewest turns of an exhaustive search.", g.minimums, g.optimal, g.exact)
}
