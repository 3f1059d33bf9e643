package parametric

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file runs a proof: first small networks, since most wrong programs fail there;
// then paths, classes, invariants and ranks; then the obligations; then the independent
// checker on the ranks of networks with sizes up to 12.

// proveClaims proves the claims together for every size of the family of a program, or refutes one by the smallest
// network on which it fails. Otherwise the report is undecided and says what is left. It
// needs Z3 (smt.ErrUnavailable), unless a small network refutes the program. If a
// packet can cause an error of the program, proveClaims returns this error with its place in the
// text.
func proveClaims(ctx context.Context, p *program.Program, o Options) (*Report, error) {
	began := time.Now()
	if err := o.checkFlow(); err != nil {
		return nil, err
	}
	if o.Switching == "" {
		o.Switching = model.CutThrough
	}
	if o.Limit == 0 {
		o.Limit = 10 * time.Second
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	claims := o.chosenClaims()
	pathsOnly := !slices.Contains(claims, "deadlock-free")
	if pathsOnly { // paths do not depend on flow control
		o.Flow = nil
	}
	if o.Flow != nil && (p.Family.Kind == program.HyperX || p.Family.HasAxes()) {
		return nil, fmt.Errorf("cannot prove %s with flow control of rings: networks of %s have none", p.Name, p.Family.Kind)
	}
	provers, err := newProvers(ctx, p, o, claims, pathsOnly)
	if err != nil {
		return nil, err
	}
	r := provers[0].report
	if why := provers[0].family.noDistances(claims[0]); why != "" && len(claims) == 1 {
		provers[0].reportUndecided(why)
	} else if r, err = proveCases(provers); err != nil {
		return nil, err
	}
	r.Premises = r.premises(cmp.Or(o.source, "chosen by the caller"))
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// newProvers returns a prover for each case of failed links or switches, the first without failures. It fails for claims that cannot be asked
// about the family of the program.
func newProvers(ctx context.Context, p *program.Program, o Options, claims []string, pathsOnly bool) ([]*prover, error) {
	dims := len(p.Family.Sides)
	if p.Family.AnyDims != "" {
		if dims = o.Dims; dims == 0 {
			dims = 2
		}
	}
	var provers []*prover
	for _, faults := range o.Faults.cases(dims) {
		f, err := newFamily(p, dims, faults...)
		if err != nil {
			return nil, err
		}
		for _, claim := range []string{"minimal", "fully-adaptive"} {
			if slices.Contains(claims, claim) {
				if err := f.checkDistances(claim, o.Faults); err != nil {
					return nil, err
				}
			}
		}
		if len(faults) > 0 {
			if err := o.Faults.check(f, claims); err != nil {
				return nil, err
			}
		}
		provers = append(provers, &prover{Options: o, system: &system{family: f, ctx: ctx, limit: o.Limit, claims: claims,
			pathsOnly: pathsOnly, flowOf: o.Flow, facts: newFacts()},
			report: &Report{Flow: o.Flow, Program: p.Name, Family: p.Family.String(), Dims: dims, Sizes: f.sizesText(), Faults: o.Faults,
				Place: "(" + strings.Join(f.names[:dims], ", ") + ")", Destination: "(" + strings.Join(f.names[dims:2*dims], ", ") + ")",
				family: f, Verdict: verify.Undecided}})
	}
	return provers, nil
}

// proveForAll proves the program for every size, or refutes it, after small networks did not fail.
func (p *prover) proveForAll() error {
	p.Progress(p.step("paths of the program"))
	if err := p.explorePaths(); errors.Is(err, errTooManyPaths) {
		if found, err := p.searchSmall(p.bounds().further); found || err != nil {
			return err
		}
		p.reportUndecided(err.Error())
		p.report.manyPaths = true
		return nil
	} else if err != nil {
		return err
	}
	p.cyclic = p.cyclic || p.wantsEscape()
	var made *proof
	var why string
	var err error
	if p.Flow == nil && !p.pathsOnly {
		made, why, err = p.planGiven()
	}
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
	p.Progress(p.step("larger networks"))
	if found, err := p.searchHints(); found || err != nil {
		return err
	}
	if found, err := p.searchSmall(p.bounds().further); found || err != nil {
		return err
	}
	p.reportUndecided(why)
	return nil
}

// explorePaths runs the program on symbols.
func (p *prover) explorePaths() (err error) {
	explorer, err := smt.NewScript()
	if err != nil {
		return err
	}
	f := p.family
	if err := explorer.Tell(f.declarations() + "(assert " + and(f.names.all(f.domain()), f.undelivered(nil)) + ")"); err != nil {
		return err
	}
	if result, _, _, err := explorer.Ask(p.ctx, "", nil, smt.Limit{Time: p.limit}); err != nil {
		return err
	} else if result == smt.Unsat {
		return fmt.Errorf("cannot prove %s: no network with two switches has sizes with %s", f.program.Name, p.report.Sizes)
	}
	if p.paths, err = f.explore(p.ctx, explorer); err != nil {
		return err
	}
	if len(p.facts.states) == 0 {
		p.addWalks()
	}
	if p.script, err = smt.NewScript(); err != nil {
		return err
	}
	p.report.Paths = len(p.paths)
	p.recordTaken()
	return p.script.Tell(f.declarations() + p.definitions())
}

// conclude proves the obligations and rechecks the ranks. It returns what is unproved, or
// "". If all obligations of deadlock freedom are proved, it sets p.partial.
func (p *prover) conclude(made *proof) (string, error) {
	r := p.report
	list, err := p.answers(made)
	if err == nil && slices.ContainsFunc(list, Obligation.isAboutHops) {
		p.Progress(p.step("states that no packet reaches"))
		var found bool
		if found, err = made.exclude(); found && err == nil {
			list, err = p.answers(made)
		}
	}
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
			if err := p.programError(o); err != nil {
				return "", err
			}
			open = append(open, o.Kind+" "+o.Name)
			if p.open[o.Kind] = true; o.Result == smt.Sat {
				p.hints = append(p.hints, p.setting(o.Point))
			}
		}
	}
	if p.pathsOnly {
		if len(open) == 0 {
			if err := p.recheckPaths(); err != nil {
				return "", err
			}
		}
	} else if !p.isOpen("cover", "invariant", "move", "rank", "escape", "detour") && (made.flow == nil || !p.isOpen("slot", "enter", "distance")) {
		if err := p.recheck(made); err != nil {
			return "", err
		}
		p.partial = made
	}
	if len(open) > 0 {
		more := ""
		if len(open) > 5 {
			more = fmt.Sprintf(" and %d more", len(open)-5)
			open = open[:5]
		}
		return "left unproved: " + strings.Join(open, ", ") + more, nil
	}
	p.reportProved(made)
	return "", nil
}

// answers asks Z3 for all obligations of a proof.
func (p *prover) answers(made *proof) ([]Obligation, error) {
	p.Progress(p.step("obligations"))
	return made.prove(func(done, of int) {
		if done%16 == 0 {
			p.Progress(fmt.Sprintf("obligations: %d of %d", done, of))
		}
	})
}

// isAboutHops reports whether an obligation fails in a state without a next hop, which may be a state that no packet reaches.
func (o Obligation) isAboutHops() bool {
	return o.Result == smt.Sat && slices.Contains([]string{"output", "boundary", "escape"}, o.Kind)
}

// recheck passes the ranks to the checker on networks of sizes up to 12.
func (p *prover) recheck(made *proof) error {
	list := p.sizesToRecheck(200)
	p.Progress(p.step("ranks on small networks"))
	err := parallel.Do(p.ctx, parallel.Workers(len(list)), len(list), func(_, i int) error {
		if err := made.recheck(p.ctx, list[i], p.Switching); err != nil {
			return fmt.Errorf("internal error: the checker rejects proved ranks on %s: %w", p.spec(list[i]), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.report.Rechecked = append(p.report.Rechecked, list...)
	return nil
}

// programError returns the program's own error if it makes obligation o fail: the error
// occurs in a state that a packet can reach, or that cannot be excluded.
func (p *prover) programError(o *Obligation) error {
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

// proveCases proves all cases. The report is refuted by the smallest network of all cases, undecided if one case is, else proved.
func proveCases(cases []*prover) (*Report, error) {
	var refuted *Report
	for _, p := range cases {
		p.Progress(p.step("small networks"))
		found, err := p.searchSmall(p.bounds().first)
		if err != nil {
			return nil, err
		}
		if found && (refuted == nil || p.switches(p.report.failing()) < refuted.family.switches(refuted.failing())) {
			refuted = p.report
		}
	}
	for i, p := range cases {
		if refuted != nil {
			break
		}
		if err := p.proveForAll(); err != nil {
			return nil, err
		}
		if p.report.Verdict == verify.Refuted {
			refuted = p.report
		}
		if p.report.Verdict != verify.Proved && i+1 < len(cases) { // the other cases cannot make the report proved
			break
		}
	}
	if refuted != nil {
		return refuted, nil
	}
	return joined(cases), nil
}
