package parametric

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/turnproof/turnproof/internal/arithmetic"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file writes a proof as a certificate that the checker accepts without a solver. The certificate has the
// text of the program, classes, conditions and ranks. The checker lists the obligations again from the text;
// package arithmetic searches a proof for each.

// mostNodes bounds the search for the proof of one obligation. Ranks in many pieces need many nodes.
const mostNodes = 500_000

// Judge makes certificates of all proofs of a report, and the independent checker judges them. It sets r.Unjudged to the reason
// why there is no certificate; see Withdraw. It fails if the search is interrupted, or if the checker rejects a certificate.
func (r *Report) Judge(ctx context.Context, inputs []cert.Input, progress func(kind string, done int)) error {
	judged := map[string]bool{}
	for _, one := range slices.Concat(r.Alone, r.beside, []*Report{r}) {
		if len(one.own) == 0 {
			continue
		}
		var rejected *rejectedError
		c, effort, err := one.Certificate(ctx, inputs, progress)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &rejected):
			return err
		case err != nil:
			r.Unjudged = err.Error()
			continue
		}
		one.certificate, one.effort = c, effort
		for _, claim := range c.Claims {
			if !slices.Contains(r.beside, one) || slices.Contains(PathClaims, claim.Claim) { // deadlock-free is about the other discipline there
				judged[claim.Claim] = true
			}
		}
	}
	for _, name := range r.proved() {
		if !judged[name] && r.Unjudged == "" {
			r.Unjudged = "no certificate states the claim " + name
		}
	}
	return nil
}

// Withdraw makes the proved claims of a report undecided if the independent checker has not judged them.
func (r *Report) Withdraw() {
	if r.Unjudged == "" {
		return
	}
	r.retract("Z3 proves it, but the independent checker has no proof: " + r.Unjudged)
	if r.Alone = nil; r.Verdict == verify.Proved {
		r.Verdict = verify.Undecided
	}
}

// TakeCertificate takes the certificate of a proof in one dimension that holds for every number of dimensions.
func (r *Report) TakeCertificate(one *Report) {
	r.certificate, r.effort, r.Unjudged = one.certificate, one.effort, ""
	r.Notes = append(r.Notes, "the certificate is of the proof in one dimension, which holds for every number of dimensions")
}

// rejectedError is the error for a certificate that the checker rejects: prover or checker are wrong.
type rejectedError struct{ error }

// Certificate returns a certificate of the proved claims of a report. inputs are the files that the program was read from. It
// fails if nothing is proved, if the program uses what the checker does not know, or if no proof of an obligation is found.
// progress is called after each obligation and may be nil.
func (r *Report) Certificate(ctx context.Context, inputs []cert.Input, progress func(kind string, done int)) (*cert.Certificate, *Effort, error) {
	if r.certificate != nil { // Judge has made it
		return r.certificate, r.effort, nil
	}
	return r.makeCertificate(ctx, inputs, progress)
}

func (r *Report) makeCertificate(ctx context.Context, inputs []cert.Input, progress func(kind string, done int)) (*cert.Certificate, *Effort, error) {
	if len(r.own) == 0 {
		return nil, nil, fmt.Errorf("cannot write a certificate of %s: it is not proved for every size", r.Program)
	}
	e, err := r.evidence()
	if err != nil {
		return nil, nil, err
	}
	text := &cert.Program{Name: r.Program, Text: r.family.program.Text, Dims: r.Dims, Every: r.EveryDimension}
	if r.Faults != nil {
		text.Faults = r.Faults.String()
	}
	c := &cert.Certificate{Schema: cert.Schema, Subject: cert.Subject{
		Switching: string(r.Switching[len(r.Switching)-1]),
		Network:   cert.Network{Switches: []string{}, Links: cert.Ints{}, Endpoints: []string{}, Attach: cert.Ints{}},
		Program:   text,
		Inputs:    inputs,
	}}
	if f := r.Flow; f != nil {
		c.Subject.Program.Flow = &cert.ProgramFlow{Kind: string(f.Rule.Kind), Packet: f.Packet, Buffer: f.Buffer, Assumed: f.Rule.Assumed(f.Packet)}
	}
	for _, p := range r.Premises {
		if p.Name != model.PremiseSwitching {
			c.Subject.Premises = append(c.Subject.Premises, cert.Premise{Name: p.Name, Value: p.Value, Source: p.Source})
		}
	}
	for _, claim := range r.Claims {
		if slices.Contains(r.own, claim.Name) {
			c.Claims = append(c.Claims, cert.Claim{Claim: claim.Name, Verdict: cert.Proved, Evidence: cert.EvidenceEverySize})
		}
	}
	if e.Paths {
		c.Claims[0].Evidence = cert.EvidenceEverySizePaths
	}
	c.Claims[0].Sizes = e
	search := &arithmetic.Search{Context: ctx, Progress: progress, Limit: mostNodes}
	count, err := everysize.Prove(c, search)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot write a certificate of %s: %w", r.Program, err)
	}
	if e.Proofs = search.Proofs; e.Proofs == nil {
		e.Proofs = cert.Ints{}
	}
	if r.Length != nil {
		e.Length = r.Length.evidence()
		search := &arithmetic.Search{Context: ctx, Progress: progress, Limit: mostNodes}
		if err := everysize.ProveLength(c, search); err != nil {
			return nil, nil, fmt.Errorf("cannot write a certificate of %s: %w", r.Program, err)
		}
		if e.Length.Proofs = search.Proofs; e.Length.Proofs == nil {
			e.Length.Proofs = cert.Ints{}
		}
	}
	if err := cert.Check(c); err != nil {
		return nil, nil, &rejectedError{fmt.Errorf("internal error: the checker rejects a certificate of %s: %w", r.Program, err)}
	}
	return c, &Effort{count, search.Nodes}, nil
}

// evidence returns the evidence of all cases, without proofs.
func (r *Report) evidence() (*cert.EverySize, error) {
	if r.cases == nil {
		made := *r.made
		made.dropImplied()
		return made.evidence()
	}
	first, err := r.cases[0].evidence()
	for _, one := range r.cases[1:] {
		if err != nil {
			return nil, err
		}
		var e *cert.EverySize
		if e, err = one.evidence(); err == nil {
			first.Cases = append(first.Cases, cert.SizeCase{Paths: e.Paths, Splits: e.Splits, Classes: e.Classes, Ranks: e.Ranks, Escape: e.Escape,
				Channels: e.Channels, Detour: e.Detour})
		}
	}
	return first, err
}

// dropImplied removes clauses about detours that others imply. The remaining clauses say the same.
func (p *proof) dropImplied() {
	list := slices.Clone(p.detour)
	for i := 0; i < len(list); {
		all := &everysize.Formula{}
		for _, a := range p.domain() {
			all.Args = append(all.Args, a.formula(false))
		}
		for d := range p.dims {
			for _, a := range p.within(p.ghost(d), d) {
				all.Args = append(all.Args, a.formula(false))
			}
		}
		for j, c := range list {
			if j != i {
				all.Args = append(all.Args, c.formula(false))
			}
		}
		all.Args = append(all.Args, list[i].formula(true))
		search := &arithmetic.Search{}
		if possible, err := search.Possible(&everysize.Obligation{Formula: all, Variables: p.variables()}); err == nil && !possible {
			list = slices.Delete(list, i, i+1)
			continue
		}
		i++
	}
	p.detour = list
}

// formula returns a condition without divisibilities, or its negation.
func (a atom) formula(negated bool) *everysize.Formula {
	if a.none != nil {
		f := &everysize.Formula{Op: everysize.Or}
		if negated {
			f.Op = everysize.And
		}
		for _, x := range a.none {
			f.Args = append(f.Args, x.formula(!negated))
		}
		return f
	}
	f := everysize.Form{a.form.constant()}
	if negated {
		f[0] = -f[0] - 1
	}
	for _, c := range a.form[:len(a.form)-1] {
		if negated {
			c = -c
		}
		f = append(f, c)
	}
	return &everysize.Formula{Op: everysize.AtLeast, Form: f}
}

// formula returns a clause, or its negation.
func (c clause) formula(negated bool) *everysize.Formula {
	all, some := everysize.And, everysize.Or
	if negated {
		all, some = some, all
	}
	f, premise := &everysize.Formula{Op: some}, &everysize.Formula{Op: some}
	for _, a := range c.premise {
		premise.Args = append(premise.Args, a.formula(!negated))
	}
	f.Args = append(f.Args, premise)
	for _, list := range c.either {
		either := &everysize.Formula{Op: all}
		for _, a := range list {
			either.Args = append(either.Args, a.formula(negated))
		}
		f.Args = append(f.Args, either)
	}
	return f
}

// evidence converts classes, conditions and ranks to the form of certificates.
func (p *proof) evidence() (*cert.EverySize, error) {
	w := &converter{}
	e := &cert.EverySize{Paths: p.pathsOnly, Splits: []cert.SizeSplit{}, Classes: []cert.SizeClass{}, Ranks: []cert.SizeRank{}, Escape: "none",
		Channels: cert.Ints{}, Detour: cert.Ints{}}
	for _, k := range p.splitters {
		e.Splits = append(e.Splits, cert.SizeSplit{Condition: w.condition(nil, k.cond), Channels: channelPairs(k.of)})
	}
	classes := slices.Clone(p.classes[1:])
	slices.SortFunc(classes, compareClasses)
	for _, c := range classes {
		kept, excluded := []atom{}, cert.Ints(nil)
		for _, a := range p.preserved[c] {
			if a.none == nil {
				kept = append(kept, a)
			} else {
				excluded = w.conditions(excluded, a.none)
			}
		}
		e.Classes = append(e.Classes, cert.SizeClass{Direction: int(c.dir), VC: c.vc, Wrap: c.wrap, Part: int(c.region), State: c.state,
			Kept: w.conditions(cert.Ints{}, kept), Excluded: excluded, Group: p.groups[c], Adaptive: p.adaptive[c]})
	}
	for _, n := range sortedNodes(p.ranks) {
		for _, part := range p.ranks[n] {
			rank := w.number(w.conditions(cert.Ints{}, part.guard), int64(len(part.tuple)))
			for _, f := range part.tuple {
				rank = w.form(rank, f)
			}
			e.Ranks = append(e.Ranks, cert.SizeRank{Direction: int(n.dir), VC: n.vc, Wrap: n.wrap, Part: int(n.region), State: n.state, Rank: rank})
		}
	}
	switch s := p.escape; {
	case s == nil:
	case s.nodes != nil:
		e.Escape, e.Channels = "channels", channelPairs(s.nodes)
	case s.last:
		e.Escape = "last"
	default:
		e.Escape = "first"
	}
	if p.detour != nil {
		e.Escape = "detour"
		for _, c := range p.detour {
			e.Detour = w.number(w.conditions(e.Detour, c.premise), int64(len(c.either)))
			for _, list := range c.either {
				e.Detour = w.conditions(e.Detour, list)
			}
		}
	}
	return e, w.err
}

func sortedNodes(r ranks) []node {
	var list []node
	for n := range r {
		list = append(list, n)
	}
	slices.SortFunc(list, compareNodes)
	return list
}

// channelPairs returns the directions and VCs of nodes, ascending.
func channelPairs(of map[node]bool) cert.Ints {
	var list []node
	for n, in := range of {
		if in {
			list = append(list, n.whole())
		}
	}
	slices.SortFunc(list, compareNodes)
	pairs := cert.Ints{}
	for _, n := range slices.Compact(list) {
		pairs = append(pairs, int32(n.dir), int32(n.vc))
	}
	return pairs
}

// converter writes forms and conditions as numbers of 32 bits.
type converter struct{ err error }

var errWide = errors.New("a number of the proof exceeds 32 bits")

func (w *converter) number(to cert.Ints, k int64) cert.Ints {
	if k > math.MaxInt32 || k < math.MinInt32 {
		w.err = errWide
	}
	return append(to, int32(k))
}

func (w *converter) form(to cert.Ints, f form) cert.Ints {
	to = w.number(to, f.constant())
	for _, c := range f[:len(f)-1] {
		to = w.number(to, c)
	}
	return to
}

func (w *converter) condition(to cert.Ints, a atom) cert.Ints {
	return w.form(w.number(to, a.mod), a.form)
}

func (w *converter) conditions(to cert.Ints, list []atom) cert.Ints {
	to = w.number(to, int64(len(list)))
	for _, a := range list {
		to = w.condition(to, a)
	}
	return to
}
