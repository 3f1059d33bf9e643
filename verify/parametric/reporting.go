package parametric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file reports what a prover has found.

func (p *prover) reportRefuted(w *Witness) {
	r := p.report
	r.Verdict, r.Witness, r.Method = verify.Refuted, w, "smallest network"
	r.Switching = []model.Switching{p.Switching}
	if x := w.Example; x != nil {
		r.Witness, r.Examples = nil, []*Witness{w}
		r.Claims = []Claim{{Name: x.Claim, Verdict: verify.Refuted, Reason: x.reason(), Network: w.Network}}
		return
	}
	for _, c := range w.Report.Claims() {
		if !p.wants(c.Name) {
			continue
		}
		claim := Claim{Name: c.Name, Verdict: verify.Undecided, Reason: "the program is refuted by another claim"}
		if c.Verdict == verify.Refuted {
			claim = Claim{c.Name, verify.Refuted, c.Theorem, c.Premises, c.Reason, w.Network}
		}
		r.Claims = append(r.Claims, claim)
	}
}

// failing returns the sides of the network that refutes a report.
func (r *Report) failing() []int {
	if r.Witness != nil {
		return r.Witness.Sides
	}
	return r.Examples[0].Sides
}

func (p *prover) reportUndecided(why string) {
	r := p.report
	if p.partial != nil {
		p.reportProved(p.partial)
	} else {
		r.Switching = []model.Switching{p.Switching}
		r.Claims = nil
		for _, name := range p.claims {
			r.Claims = append(r.Claims, Claim{Name: name})
		}
	}
	r.Verdict = verify.Undecided
	finite := "rank"
	if p.partial != nil && p.partial.needsDistance {
		finite = "distance"
	}
	for i := range r.Claims {
		name := r.Claims[i].Name
		if p.partial == nil || name == "connected" || name == "livelock-free" && p.isOpen("cover", "invariant", "move", finite) {
			r.Claims[i] = Claim{Name: name, Verdict: verify.Undecided, Reason: why}
		}
	}
	r.own = r.proved()
}

// pointText returns a point for readers.
func (p *prover) pointText(point []int64) string {
	var parts []string
	for v, n := range p.names {
		if v < 2*p.dims || v >= 3*p.dims {
			parts = append(parts, fmt.Sprintf("%s = %d", n, point[v]))
		}
	}
	return strings.Join(parts, ", ")
}

func (p *prover) reportProved(made *proof) {
	r := p.report
	r.Verdict, r.made = verify.Proved, made
	if why := p.everyDimension(made); why != "" {
		r.EveryDimension = true
		r.Notes = append(r.Notes, "the proof holds for every number of dimensions, because "+why+" (docs/theorems/every-dimension.md)")
	}
	free, finite := theoremRank, theoremRising
	r.Switching = []model.Switching{model.CutThrough, model.StoreAndForward, model.Wormhole}
	r.Method = "rank"
	if made.escape != nil {
		free, r.Method = theoremRule, "escape"
		r.Switching = r.Switching[:2]
	}
	if made.detour != nil {
		free, r.Method = theoremDetour, "escape with detours"
		r.Switching = []model.Switching{model.CutThrough, model.StoreAndForward, model.Wormhole}
	}
	if made.flow != nil {
		free, r.Method = theoremFlow, "bubble"
		r.Switching = r.Switching[:1]
	}
	if made.needsDistance {
		finite = DistanceTheorem
	}
	premises := verify.PremisesOf(r.Switching[len(r.Switching)-1], made.detour != nil)
	if made.flow != nil {
		premises = append(premises, made.flow.Premises()...)
	}
	arrives := theoremArrives
	if made.pathsOnly {
		r.Method, r.Switching = "paths", model.Switchings()
		if len(made.ranks) > 0 {
			finite = theoremPacketRank
		}
	}
	switch {
	case made.escape != nil && !made.needsDistance:
		arrives = theoremGuide
	case made.escape != nil && made.pathsOnly && len(made.ranks) == 0:
		arrives = theoremNearing
	}
	r.Claims = nil
	for _, c := range []Claim{{Name: "deadlock-free", Theorem: free, Premises: premises}, {Name: "connected", Theorem: arrives},
		{Name: "livelock-free", Theorem: finite}, {Name: "minimal", Theorem: theoremShortest}, {Name: "deterministic", Theorem: theoremOneHop},
		{Name: "fully-adaptive", Theorem: theoremEachHop}} {
		isExtra := slices.Contains(ExtraClaims, c.Name)
		if c.Verdict = verify.Proved; !isExtra && p.wants(c.Name) || p.wantsExtra(c.Name) {
			r.Claims = append(r.Claims, c)
		}
	}
	r.own = r.proved()
}

// everyDimension returns why a proof in one dimension holds for every number of dimensions, or "". The checker decides which
// programs have such a form.
func (p *prover) everyDimension(made *proof) string {
	if !p.wantsAll() || p.dims != 1 || p.program.Family.AnyDims == "" || made.flow != nil || p.report.Faults != nil || len(p.faults) > 0 ||
		len(p.open) > 0 {
		return ""
	}
	return p.formFor(made.escape)
}

// formFor returns why the program has a form for every number of dimensions, with an escape or without one, or "".
func (p *prover) formFor(e *escape) string {
	var pairs [][2]int
	if e != nil {
		for n := range e.nodes {
			pairs = append(pairs, [2]int{int(n.dir), n.vc})
		}
		if len(pairs) == 0 {
			return ""
		}
	}
	why, err := everysize.EveryDimension(p.program.Text, pairs)
	if err != nil || why != everysize.InOrder && p.wantsExtra("deterministic") {
		return ""
	}
	return why
}

// wantsEscape reports whether the program holds for every number of dimensions if the proof in one has the escape that it names.
func (p *prover) wantsEscape() bool {
	if !p.wantsAll() || p.dims != 1 || p.program.Family.AnyDims == "" || p.Flow != nil || len(p.faults) > 0 {
		return false
	}
	e := p.namedEscape()
	return e != nil && p.formFor(nil) == "" && p.formFor(e) != ""
}

// describe fills in ranks, escape and invariants for readers.
func (p *prover) describe(made *proof) {
	r := p.report
	nodes := make([]node, 0, len(made.ranks))
	for n := range made.ranks {
		nodes = append(nodes, n)
	}
	slices.SortFunc(nodes, compareNodes)
	r.Ranks, r.Invariants, r.Escape = nil, nil, nil
	for _, n := range nodes {
		r.Ranks = append(r.Ranks, p.rows(n, made.ranks[n])...)
		if made.escape != nil && made.escape.nodes != nil {
			r.Escape = append(r.Escape, p.nodeText(n))
		}
	}
	for _, c := range p.classes {
		for _, a := range p.preserved[c] {
			r.Invariants = append(r.Invariants, c.String()+": "+p.names.conditionText(a))
		}
	}
}

// rows returns the rank of a node for readers, a row for each piece.
func (p *prover) rows(n node, pieces []piece) (list []Rank) {
	for _, part := range pieces {
		row := Rank{Channel: p.nodeText(n)}
		for _, a := range part.guard {
			row.Channel += ", " + p.names.conditionText(a)
		}
		for _, f := range part.tuple {
			row.Tuple = append(row.Tuple, p.names.text(f))
		}
		list = append(list, row)
	}
	return list
}
