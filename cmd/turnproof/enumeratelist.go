package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"

	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/enumerate"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/family"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file decides the sets that are listed, with their evidence.

// decided is a set with its verdicts and their evidence.
type decided struct {
	set       space.Set
	class     int // 0: none was given
	conflict  bool
	name      string // published under
	source    string
	free      bool
	undecided string
	connected bool
	maximal   bool
	verdict   *family.Verdict
	witness   *family.Witness
	apart     *family.Member
	from, to  int
	evidence  *cert.Certificate
	sim       *simulated
}

// decide decides the sets listed, and those that papers give.
func (x *enumeration) decide(c *cli.Context) error {
	s := x.e.Space
	known := map[space.Set]space.Published{}
	for _, p := range s.Published() {
		allowed := s.All().Minus(p.Prohibited)
		known[allowed] = p
		x.published = append(x.published, &decided{set: allowed, name: p.Name, source: p.Source})
	}
	witnesses := &witnesses{e: x.e, of: map[space.Set]*family.Witness{}}
	ctx := context.WithoutCancel(c.Context) // what is listed is little
	for i, d := range append(append([]*decided{}, x.list...), x.published...) {
		if p, ok := known[d.set]; ok {
			d.name, d.source = p.Name, p.Source
		}
		if d.conflict && s.Kind == space.HV {
			d.name = basicName(s, d.set)
		}
		if err := d.decide(ctx, x.e, witnesses); err != nil {
			return err
		}
		if c.Bool("cross-check") {
			if err := d.crossCheck(c.Context, x.e); err != nil {
				return err
			}
		}
		if c.Bool("simulate") {
			if err := d.simulate(c.Context, x.e); err != nil {
				return err
			}
		}
		if d.undecided != "" {
			x.complete, x.undecided = false, x.undecided+1
		}
		if x.e.Progress != nil {
			x.e.Progress(float64(i+1)/float64(len(x.list)+len(x.published)), uint64(i+1))
		}
	}
	return nil
}

// basicName tells which of the basic cycles L1 to L7 of the 2-D turn model paper a
// conflict is, if any.
func basicName(s *space.Space, conflict space.Set) string {
	for i, cycle := range s.Basic {
		var set space.Set
		for _, t := range cycle {
			set = set.With(t)
		}
		if set == conflict {
			return fmt.Sprintf("L%d of the paper", i+1)
		}
	}
	return ""
}

func (d *decided) decide(ctx context.Context, e *enumerate.Enumerator, w *witnesses) (err error) {
	if d.verdict, err = e.Decider.Decide(d.set); err != nil {
		return err
	}
	d.free, d.undecided = d.verdict.Acyclic, d.verdict.Undecided
	d.connected = e.Connected(d.set)
	ev := family.Evidence{Connected: d.connected}
	if !d.connected {
		if m, from, to := e.Connector().Unreached(d.set); m != nil {
			d.apart, d.from, d.to = m, int(from), int(to)
			ev.Apart, ev.From, ev.To = m, from, to
		}
	}
	if d.free {
		ev.Verdict = d.verdict
		d.maximal = e.Maximal(d.set)
	} else {
		if d.witness, err = w.find(ctx, d.set); err != nil {
			return err
		}
		if ev.Witness = d.witness; d.witness != nil {
			d.undecided = ""
		} else if d.undecided == "" {
			d.undecided = "no network with a cycle was found"
		}
	}
	if d.undecided == "" {
		d.evidence, err = e.Decider.Certificate(d.set, ev)
	}
	return err
}

// witnesses keeps networks with a cycle: one for each conflict is enough.
type witnesses struct {
	e  *enumerate.Enumerator
	of map[space.Set]*family.Witness // by conflict
}

// find returns a network on which a set's turns close a cycle: that of a conflict
// within the set, whose cycle is the set's, too.
func (w *witnesses) find(ctx context.Context, set space.Set) (*family.Witness, error) {
	conflict := w.e.Conflict(set)
	found, ok := w.of[conflict]
	if !ok {
		var err error
		if found, err = w.e.Decider.Refute(ctx, conflict); err != nil {
			return nil, err
		}
		w.of[conflict] = found
	}
	return found, nil
}

// crossCheck asks Z3 for a closed walk of moves that add up to nothing.
func (d *decided) crossCheck(ctx context.Context, e *enumerate.Enumerator) error {
	if e.Space.Kind == space.HV && e.Space.Tree == space.CanonicalTree {
		return errors.New("--cross-check: on canonical trees moves do not add up; the refutations are the second way there")
	}
	found, err := family.ClosedWalk(ctx, e.Space, d.set, smt.Limit{})
	if err != nil {
		return err
	}
	if want := map[bool]smt.Result{true: smt.Unsat, false: smt.Sat}[d.free]; found != want {
		return fmt.Errorf("internal error: %s: free %v, Z3 says %v of a closed walk", strings.Join(e.Space.Names(d.set), " "), d.free, found)
	}
	return nil
}

// simulate runs the routing by all shortest ways of the set, on the network of its
// refutation or on a network of the family.
func (d *decided) simulate(ctx context.Context, e *enumerate.Enumerator) (err error) {
	if !d.free && d.witness != nil {
		return d.freeze(ctx, e)
	}
	if !d.free || !d.connected {
		return nil
	}
	m, err := family.Typical(e.Space)
	if err == nil {
		d.sim, err = simulateTurns(ctx, m.Allowed(d.set))
	}
	return err
}

// freeze drives the set into a deadlock on the network of its refutation; on a grid also
// on larger ones, since what more turns allow may lead packets around a small cycle.
func (d *decided) freeze(ctx context.Context, e *enumerate.Enumerator) error {
	m := d.witness.Member
	for range 4 {
		sim, err := simulateTurns(ctx, m.Allowed(d.set))
		if err != nil {
			return fmt.Errorf("%s: %w", strings.Join(e.Space.Names(d.set), " "), err)
		}
		if d.sim == nil || sim.Deadlock {
			d.sim = sim
		}
		g := m.Net.Grid()
		if sim.Deadlock || g == nil {
			return nil
		}
		sides := slices.Clone(g.Sides)
		for i := range sides {
			sides[i]++
		}
		if m, err = family.Grid(e.Space, sides); err != nil {
			return err
		}
	}
	return nil
}

// file names the files of a set.
func (d *decided) file(number int) string {
	if d.name != "" && d.class == 0 {
		return strings.ReplaceAll(d.name, "+", "plus")
	}
	if d.conflict {
		return fmt.Sprintf("conflict-%03d", number)
	}
	return fmt.Sprintf("set-%03d", number)
}

// write writes the certificate, and the network and turn set of a refutation.
func (d *decided) write(write cli.FileWriter, name string) error {
	if d.evidence != nil {
		if err := write(name+".cert", func(w io.Writer) error { return cert.Write(w, d.evidence) }); err != nil {
			return err
		}
	}
	if d.witness == nil {
		return nil
	}
	if err := write(name+".network.json", func(w io.Writer) error { return format.WriteNetwork(w, d.witness.Net, "json") }); err != nil {
		return err
	}
	info := format.TurnSetInfo{Method: "class turns " + strings.Join(d.witness.Space.Names(d.set), " ")}
	return write(name+".turns.json", func(w io.Writer) error { return format.WriteTurnSet(w, d.witness.Allowed(d.set), info) })
}
