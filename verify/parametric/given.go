package parametric

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file checks the rank that a program gives, rank(at, out), for example the
// numbering of a paper: does it rise on every dependency, for every size? If not, the
// smallest network shows a failure.

// readGiven runs rank on symbols, for each direction, VC and wraparound.
func (p *prover) readGiven() error {
	p.given = ranks{}
	for dir := range p.numDirs() {
		wraps := []bool{false}
		if p.wraps(dir.Dim()) {
			wraps = append(wraps, true)
		}
		for vc := range p.program.VCs {
			for _, wrap := range wraps {
				if err := p.readNode(node{dir: dir, vc: vc, wrap: wrap}); err != nil {
					return err
				}
			}
		}
	}
	length := -1
	for n, pieces := range p.given {
		for _, piece := range pieces {
			if length >= 0 && len(piece.tuple) != length {
				return fmt.Errorf("cannot use the rank of %s: it returns tuples of %d and of %d numbers (%s)", p.program.Name, length, len(piece.tuple), n)
			}
			length = len(piece.tuple)
		}
	}
	return nil
}

func (p *prover) readNode(n node) error {
	f := p.family
	script, err := smt.NewScript()
	if err != nil {
		return err
	}
	tails := append(f.domain(), f.tailAtoms(n.dir, n.wrap)...)
	if err := script.Tell(f.declarations() + "(assert " + f.names.all(tails) + ")"); err != nil {
		return err
	}
	r := &run{family: f, ctx: p.ctx, script: script}
	var tuple []form
	var failed error
	r.execute = func() {
		instance, err := f.program.OnFaulty(r.sides(), r.works)
		if err != nil {
			failed = err
			return
		}
		values, err := instance.Rank(r.values(f.here), n.dir, n.vc, n.wrap)
		if r.dead {
			return
		}
		if err != nil {
			failed = err
			return
		}
		tuple = nil
		for _, v := range values {
			x, err := r.read(v)
			if err == nil && x.den != 1 {
				err = fmt.Errorf("cannot use the rank of %s: want integers, got the fraction %s", f.program.Name, x)
			}
			if err != nil {
				failed = err
				return
			}
			tuple = append(tuple, x.num)
		}
	}
	err = r.forEachPath(func() { p.given[n] = append(p.given[n], piece{r.guard, tuple}) })
	return cmp.Or(err, failed)
}

// checkGiven asks Z3 whether the given rank rises as required.
func (p *prover) checkGiven(req requirement) (ranks, *failure, error) {
	return p.checkRanks(p.given, req)
}

func (p *prover) checkRanks(given ranks, req requirement) (ranks, *failure, error) {
	fail := &failure{reason: "the rank that the program gives could not be shown to rise"}
	for _, q := range req.pairs {
		_, result, err := p.counterexample(q, req, given)
		if err != nil {
			return nil, nil, err
		}
		if result != smt.Unsat {
			fail.pairs = append(fail.pairs, q)
		}
	}
	if len(fail.pairs) > 0 {
		return nil, fail, nil
	}
	return given, nil, nil
}

// failures returns the dependencies of small networks on which the given rank does not
// rise: one for each pair of nodes, on the smallest network.
func (p *prover) failures() (list []RankFailure) {
	seen := map[pair]bool{}
	must := func(dependency) bool { return true }
	if p.cyclic { // only dependencies of the escape
		next, stop := iter.Pull(p.escapes())
		defer stop()
		e, ok := next()
		must = func(d dependency) bool { return ok && e.has(d) }
	}
	for _, d := range p.facts.dependencies { // small networks first
		q := pair{d.from, d.to}
		from, to := p.given.at(d.from, d.fromTail), p.given.at(d.to, d.toTail)
		if seen[q] || slices.Compare(from, to) < 0 || !must(d) {
			continue
		}
		seen[q] = true
		at := func(point []int64) (tail []int) {
			for _, x := range point[:p.dims] {
				tail = append(tail, int(x))
			}
			return tail
		}
		list = append(list, RankFailure{p.nodeText(d.from), p.nodeText(d.to), p.setting(d.fromTail), at(d.fromTail), at(d.toTail), from, to})
	}
	return list
}

// String describes a failure in one line.
func (f RankFailure) String() string {
	return fmt.Sprintf("%s at %s has rank %s, %s at %s has rank %s, on %s", f.From, tupleText(f.FromTail), tupleText(f.FromRank), f.To,
		tupleText(f.ToTail), tupleText(f.ToRank), sidesText(f.Sides[:len(f.FromTail)]))
}

func tupleText[T any](list []T) string {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = fmt.Sprint(x)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
