package classes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/enumerate"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/family"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file decides the sets that are listed, with their evidence.

// Decided is a set with its verdicts and their evidence.
type Decided struct {
	Set       space.Set
	Class     int // 0: none was given
	Conflict  bool
	Name      string // published under
	Source    string
	Free      bool
	Undecided string
	Connected bool
	Maximal   bool
	Verdict   *family.Verdict
	Witness   *family.Witness
	Apart     *family.Member
	From, To  int
	evidence  *cert.Certificate
	Sim       *confirm.Result
}

// BasicName tells which of the basic cycles L1 to L7 of the 2-D turn model paper a
// conflict is, if any.
func BasicName(s *space.Space, conflict space.Set) string {
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

func (d *Decided) Decide(ctx context.Context, e *enumerate.Enumerator, w *Witnesses) (err error) {
	if d.Verdict, err = e.Decider.Decide(d.Set); err != nil {
		return err
	}
	d.Free, d.Undecided = d.Verdict.Acyclic, d.Verdict.Undecided
	d.Connected = e.Connected(d.Set)
	ev := family.Evidence{Connected: d.Connected}
	if !d.Connected {
		if m, from, to := e.Connector().Unreached(d.Set); m != nil {
			d.Apart, d.From, d.To = m, int(from), int(to)
			ev.Apart, ev.From, ev.To = m, from, to
		}
	}
	if d.Free {
		ev.Verdict = d.Verdict
		d.Maximal = e.Maximal(d.Set)
	} else {
		if d.Witness, err = w.find(ctx, d.Set); err != nil {
			return err
		}
		if ev.Witness = d.Witness; d.Witness != nil {
			d.Undecided = ""
		} else if d.Undecided == "" {
			d.Undecided = "no network with a cycle was found"
		}
	}
	if d.Undecided == "" {
		d.evidence, err = e.Decider.Certificate(d.Set, ev)
	}
	return err
}

// Witnesses keeps networks with a cycle: one for each conflict is enough.
type Witnesses struct {
	E  *enumerate.Enumerator
	Of map[space.Set]*family.Witness // by conflict
}

// find returns a network on which a set's turns close a cycle: that of a conflict
// within the set, whose cycle is the set's, too.
func (w *Witnesses) find(ctx context.Context, set space.Set) (*family.Witness, error) {
	conflict := w.E.Conflict(set)
	found, ok := w.Of[conflict]
	if !ok {
		var err error
		if found, err = w.E.Decider.Refute(ctx, conflict); err != nil {
			return nil, err
		}
		w.Of[conflict] = found
	}
	return found, nil
}

// CrossCheck asks Z3 for a closed walk of moves that add up to nothing.
func (d *Decided) CrossCheck(ctx context.Context, e *enumerate.Enumerator) error {
	if e.Space.Kind == space.HV && e.Space.Tree == space.CanonicalTree {
		return errors.New("--cross-check does not apply to canonical trees, whose moves do not add up; the refutations are the second check there")
	}
	found, err := family.ClosedWalk(ctx, e.Space, d.Set, smt.Limit{})
	if err != nil {
		return err
	}
	if want := map[bool]smt.Result{true: smt.Unsat, false: smt.Sat}[d.Free]; found != want {
		return fmt.Errorf("internal error: %s: free %v, Z3 says %v of a closed walk", strings.Join(e.Space.Names(d.Set), " "), d.Free, found)
	}
	return nil
}

// Simulate runs the routing by all shortest ways of the set, on the network of its
// refutation or on a network of the family.
func (d *Decided) Simulate(ctx context.Context, e *enumerate.Enumerator) (err error) {
	if !d.Free && d.Witness != nil {
		return d.freeze(ctx, e)
	}
	if !d.Free || !d.Connected {
		return nil
	}
	m, err := family.Typical(e.Space)
	if err == nil {
		d.Sim, err = confirm.TurnSet(ctx, m.Allowed(d.Set))
	}
	return err
}

// freeze drives the set into a deadlock on the network of its refutation; on a grid also
// on larger ones, since what more turns allow may lead packets around a small cycle.
func (d *Decided) freeze(ctx context.Context, e *enumerate.Enumerator) error {
	m := d.Witness.Member
	for range 4 {
		sim, err := confirm.TurnSet(ctx, m.Allowed(d.Set))
		if err != nil {
			return fmt.Errorf("%s: %w", strings.Join(e.Space.Names(d.Set), " "), err)
		}
		if d.Sim == nil || sim.Deadlock {
			d.Sim = sim
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

// File names the files of a set.
func (d *Decided) File(number int) string {
	if d.Name != "" && d.Class == 0 {
		return strings.ReplaceAll(d.Name, "+", "plus")
	}
	if d.Conflict {
		return fmt.Sprintf("conflict-%03d", number)
	}
	return fmt.Sprintf("set-%03d", number)
}

// Write writes the certificate, and the network and turn set of a refutation.
func (d *Decided) Write(write cli.FileWriter, name string) error {
	if d.evidence != nil {
		if err := write(name+".cert", func(w io.Writer) error { return cert.Write(w, d.evidence) }); err != nil {
			return err
		}
	}
	if d.Witness == nil {
		return nil
	}
	if err := write(name+".network.json", func(w io.Writer) error { return format.WriteNetwork(w, d.Witness.Net, "json") }); err != nil {
		return err
	}
	info := format.TurnSetInfo{Method: "class turns " + strings.Join(d.Witness.Space.Names(d.Set), " ")}
	return write(name+".turns.json", func(w io.Writer) error { return format.WriteTurnSet(w, d.Witness.Allowed(d.Set), info) })
}
