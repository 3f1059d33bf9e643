package parametric

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file is the way of a proof: small networks first, since most wrong programs are
// wrong there; then paths, classes, invariants, ranks; then the obligations, asked anew;
// then the ranks on networks of sizes up to 12, before the independent checker.

// Options of Prove; the zero value is the default.
type Options struct {
	Switching model.Switching // default CutThrough
	Dims      int             // of programs for any number of dimensions; default 2
	Limit     time.Duration   // of one question to Z3; default 10 s
	Progress  func(string)    // told what is being done

	source string // of the premise switching; defaults to one for the caller's choice
}

// Prove proves a program for every size of its family, or refutes it by the smallest
// network on which it fails, or says what is left. It needs Z3 (smt.ErrUnavailable)
// unless a small network refutes the program. An error of the program, one that a
// packet can run into, is an error with its place in the text.
func Prove(ctx context.Context, p *program.Program, o Options) (*Report, error) {
	began := time.Now()
	if o.Switching == "" {
		o.Switching = model.CutThrough
	}
	if o.Limit == 0 {
		o.Limit = 10 * time.Second
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	dims := len(p.Family.Sides)
	if p.Family.AnyDims != "" {
		if dims = o.Dims; dims == 0 {
			dims = 2
		}
	}
	f, err := newFamily(p, dims)
	if err != nil {
		return nil, err
	}
	pr := &prover{Options: o, system: &system{family: f, ctx: ctx, limit: o.Limit, facts: newFacts()},
		report: &Report{Program: p.Name, Family: p.Family.String(), Dims: dims, Sizes: f.sizesText(), Place: "(" + strings.Join(f.names[:dims], ", ") + ")", family: f, Verdict: verify.Undecided}}
	if err := pr.prove(); err != nil {
		return nil, err
	}
	pr.report.Premises = pr.report.premises(cmp.Or(o.source, "chosen by the caller"))
	pr.report.Seconds = time.Since(began).Seconds()
	return pr.report, nil
}

type prover struct {
	Options
	*system
	report *Report
	cyclic bool            // a small network has a cyclic dependency graph
	made   *proof          // of deadlock freedom at least
	open   map[string]bool // kinds of obligations that it leaves
	hints  [][]int         // sides of networks on which something could not be proved

	given   ranks // the program's own
	judging bool
}

func (p *prover) prove() error {
	p.Progress("small networks")
	if found, err := p.small(first); found || err != nil {
		return err
	}
	p.Progress("paths of the program")
	if err := p.begin(); err != nil {
		return err
	}
	made, why, err := p.planGiven()
	if made == nil && err == nil {
		made, why, err = p.plan()
	}
	if err != nil {
		return err
	}
	if made != nil {
		left, err := p.conclude(made)
		if err != nil || left == "" {
			return err
		}
		why = left
	}
	p.Progress("larger networks")
	if found, err := p.hinted(); found || err != nil {
		return err
	}
	if found, err := p.small(further); found || err != nil {
		return err
	}
	p.undecided(why)
	return nil
}

// begin runs the program on symbols.
func (p *prover) begin() (err error) {
	explorer, err := smt.NewScript()
	if err != nil {
		return err
	}
	f := p.family
	if err := explorer.Tell(f.declarations() + "(assert " + and(f.names.all(f.domain()), f.elsewhere(nil)) + ")"); err != nil {
		return err
	}
	if p.paths, err = f.explore(p.ctx, explorer); err != nil {
		return err
	}
	if len(p.facts.states) == 0 {
		p.walk()
	}
	if p.script, err = smt.NewScript(); err != nil {
		return err
	}
	p.report.Paths = len(p.paths)
	p.noteTaken()
	return p.script.Tell(f.declarations() + p.definitions())
}

// conclude proves the obligations and rechecks the ranks; it returns what is left. Where
// that does not concern deadlock freedom, that much is proved.
func (p *prover) conclude(made *proof) (string, error) {
	r := p.report
	p.Progress("obligations")
	list, err := made.prove(func(done, of int) {
		if done%16 == 0 {
			p.Progress(fmt.Sprintf("obligations: %d of %d", done, of))
		}
	})
	if err != nil {
		return "", err
	}
	r.Obligations = list
	r.Classes = len(p.classes) - 1
	title := fmt.Sprintf("%s, %s, %s, %s", r.Program, r.Family, r.Sizes, p.Switching)
	r.Script = made.file(title, list)
	p.describe(made)
	var open []string
	p.open = map[string]bool{}
	for i := range list {
		if o := &list[i]; o.Result != smt.Unsat {
			if err := p.runsInto(o); err != nil {
				return "", err
			}
			open = append(open, o.Kind+" "+o.Name)
			if p.open[o.Kind] = true; o.Result == smt.Sat {
				p.hints = append(p.hints, p.lengths(o.Point))
			}
		}
	}
	if !p.isOpen("cover", "invariant", "move", "rank", "escape", "detour") {
		if err := p.recheck(made); err != nil {
			return "", err
		}
		p.made = made
	}
	if len(open) > 0 {
		more := ""
		if len(open) > 5 {
			more = fmt.Sprintf(" and %d more", len(open)-5)
			open = open[:5]
		}
		return "left unproved: " + strings.Join(open, ", ") + more, nil
	}
	p.proved(made)
	return "", nil
}

// isOpen reports whether an obligation of one of these kinds was left unproved.
func (p *prover) isOpen(kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(k string) bool { return p.open[k] })
}

// recheck puts the ranks to the checker on networks of sizes up to 12.
func (p *prover) recheck(made *proof) error {
	r := p.report
	for _, sides := range p.sizesToRecheck(200) {
		p.Progress("ranks on " + sidesText(sides))
		if err := made.recheck(p.ctx, sides, p.Switching); err != nil {
			return fmt.Errorf("parametric: internal error: proved ranks on %s: %w", sidesText(sides), err)
		}
		r.Rechecked = append(r.Rechecked, sides)
	}
	return nil
}

// runsInto returns the program's own error if that is why "output" fails: at a state
// that a packet of a network of that size gets into, or that cannot be excluded.
func (p *prover) runsInto(o *Obligation) error {
	if o.Kind != "output" || o.Result != smt.Sat {
		return nil
	}
	for i := range p.paths {
		if q := &p.paths[i]; q.err != nil && allHold(q.guard, o.Point) {
			return fmt.Errorf("%w (at %s)", q.err, p.pointText(o.Point))
		}
	}
	return nil
}
