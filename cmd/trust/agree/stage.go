package agree

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file is the stage: many cases, every graph, and what came of it.

// Stage holds all judges against each other.
var Stage = stage.Stage{Name: "agree", Title: "Judges that share no code agree", Run: run}

// manyCases is how many the stage looks at of itself.
const manyCases = 100_000

// keptIn is the folder of kept cases, from that of go.mod.
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

// keptTally is what became of kept cases.
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

// section writes what came of it.
type section struct{ io.Writer }

func (p *section) line(format string, args ...any) { fmt.Fprintf(p, format+"\n\n", args...) }

func (p *section) row(cells ...string) { fmt.Fprintf(p, "| %s |\n", strings.Join(cells, " | ")) }

func (p *section) head(cells ...string) {
	p.row(cells...)
	p.row(slices.Repeat([]string{"---"}, len(cells))...)
}

// claims are the cells for the four claims.
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
	p.line("%d small networks with a routing were drawn at random (seed %d): irregular ones, with parallel links, switches without hosts, parts that do not hang together; "+
		"rings, meshes, tori; 1 to 4 virtual channels; tables, adaptive relations, turn sets, named routings; under virtual cut-through, store-and-forward and wormhole switching. "+
		"All judges that can were asked about each. What verify.Check said, by kind:", t.cases, seed)
	p.head(append([]string{"kind", "cases"}, claimNames()...)...)
	for _, k := range kinds {
		if n := t.kinds[k.name]; n != nil {
			p.row(append([]string{k.name, fmt.Sprint(n.cases)}, n.claims()...)...)
		}
	}
	p.line("\nWhat each judge said of these cases. A simulation that does not freeze shows nothing, one that does refutes; of a refuted case it sets up the deadlock, which must stand.")
	p.head(append([]string{"judge", "cases"}, claimNames()...)...)
	for i, n := range t.judges {
		p.row(append([]string{judges[i].name, fmt.Sprint(n.cases)}, n.claims()...)...)
	}
	var evidence []string
	for _, name := range sortedKeys(t.evidence) {
		evidence = append(evidence, fmt.Sprintf("%s %d", name, t.evidence[name]))
	}
	p.line("\nThe evidence in the certificates: %s.", strings.Join(evidence, ", "))
	z3 := fmt.Sprintf("Z3 %s was asked about one case in %d, for %v a question at most, since a question takes it longer than all others together.", smt.Version(), z3Every, z3Limit)
	if !smt.Available() {
		z3 = "This build has no Z3, which was not asked."
	}
	p.line("%s", z3)
}

func claimNames() (names []string) {
	for k := range numClaims {
		names = append(names, k.String())
	}
	return names
}

func (p *section) graphs(g *graphTally) {
	p.line("On all %d connected graphs of up to %d switches (one of each kind, OEIS A001349) every method made its turn sets: from each root, on %d different trees, by all readings, "+
		"with and without a last pass that releases turns. Each was judged by verify.CheckTurns, its certificate written, read and checked, and by brute force; "+
		"what a reading promises (no cycle, all connected) was held, and after the last pass that releasing any one turn closes a cycle.", g.graphs, mostVertices, g.trees)
	p.head("method", "sets")
	for _, name := range sortedKeys(g.made) {
		p.row(name, fmt.Sprint(g.made[name]))
	}
	p.line("\n%d of these sets were different, %d had been through the last pass. The method minimum was asked on %d graphs: on %d its set meets its bound; on %d "+
		"exhaustive search found the fewest turns, which lie between the two.", g.different, g.minimal, g.minimums, g.optimal, g.exact)
}

func sortedKeys(m map[string]int) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
