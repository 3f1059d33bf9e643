package parametric

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file defines the report of Prove: claims, ranks and invariants for readers.

// Claim is a claim for every size.
type Claim struct {
	Name     string
	Verdict  verify.Verdict
	Theorem  string
	Premises []string // what the theorem assumes
	Reason   string   // why the claim is refuted or undecided
	Network  string   // the smallest network that refutes the claim; otherwise empty
}

// Rank is the rank of a node: a row of the table in a paper.
type Rank struct {
	Channel string   // E0, W1 wrap
	Tuple   []string // in coordinates x, y, ... of the switch that the channel leaves, and the sizes
}

// Report is the result of Prove.
type Report struct {
	Program string
	Family  string
	Dims    int
	// EveryDimension says that the proof, which is for one dimension, holds for every number of dimensions.
	EveryDimension bool
	Sizes          string       // sizes of the networks: "n, m >= 2"
	Flow           *bubble.Flow // Options.Flow
	Faults         *Faults      // Options.Faults
	Place          string       // coordinates of a switch, as in ranks: "(x, y)"
	Destination    string       // coordinates of a destination: "(dx, dy)"
	Switching      []model.Switching
	Verdict        verify.Verdict
	Claims         []Claim // deadlock-free, connected, livelock-free
	Method         string

	Ranks       []Rank
	Escape      []string // the channels of the escape; empty if the proof uses none
	Invariants  []string // preserved conditions, by class
	Obligations []Obligation
	Script      string // the obligations in SMT-LIB 2
	Paths       int
	Classes     int

	Witness   *Witness   // present if a claim of AllClaims is refuted
	Examples  []*Witness // by refuted claim of ExtraClaims
	Degree    []Degree   // if Degrees was asked for
	Searched  [][]int    // networks that were checked one by one
	Rechecked [][]int    // networks on which the checker accepted the ranks
	Given     *GivenRank
	Length    *Length   // if BoundLength was asked for one; certificates include it
	Alone     []*Report // proofs of claims about paths, if the claims together are not proved
	Notes     []string
	Premises  []model.Premise // what the verdict assumes
	Seconds   float64
	// Unjudged is why the independent checker has not judged a proof for every size; empty if it has (Judge), or nothing was proved.
	Unjudged string

	family      *family
	manyPaths   bool              // the program has too many paths, so no claim can be proved
	made        *proof            // if proved
	own         []string          // the claims that made proves
	cases       []*Report         // of a proof with failures, if proved
	beside      []*Report         // whose claims are among ours
	certificate *cert.Certificate // that the checker has accepted
	effort      *Effort
}

// SizesText returns the sizes of the networks as text.
func (r *Report) SizesText() string {
	text := "every " + r.Sizes
	switch {
	case r.EveryDimension && r.Sizes == "all":
		text = "every number of dimensions"
	case r.EveryDimension:
		text = "every number of dimensions, every side " + r.Sizes
	case r.Sizes == "all":
		text = "the network of that family"
	}
	if r.Faults != nil {
		text += ", " + r.Faults.Words()
	}
	return text
}

// ProgramText returns the text of the program.
func (r *Report) ProgramText() string { return r.family.program.Text }

// NetworkName returns the spec of the network with these sides.
func (r *Report) NetworkName(sides []int) string { return r.family.spec(sides) }

// sizesText returns the sizes that a proof covers.
func (f *family) sizesText() string {
	if len(f.sizes) == 0 {
		return "all"
	}
	var parts []string
	for i := 0; i < len(f.sizes); {
		k := i + 1
		for k < len(f.sizes) && f.least[k] == f.least[i] {
			k++
		}
		parts = append(parts, fmt.Sprintf("%s >= %d", strings.Join(f.sizes[i:k], ", "), f.least[i]))
		i = k
	}
	kind := &f.program.Family
	for i := range kind.Where {
		if c := &kind.Where[i]; !c.IsBound() {
			parts = append(parts, c.Text)
		}
	}
	return strings.Join(parts, ", ")
}

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

func sidesText(sides []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(sides), " ", "x"), "[]")
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

const (
	theoremRank = "for every size every dependency increases the rank of the channel (Dally and Seitz 1987)"
	theoremRule = "for every size every waiting packet is permitted a channel of greater rank than its own, where channels " +
		"outside the escape rank below those of the escape (Duato 1996)"
	theoremDetour = "for every size every reachable state permits an escape channel, and the escape channels that a packet on " +
		"an escape channel may request next, after any detour, have a greater rank (Duato 1993)"
	theoremFlow = "for every size every dependency stays in its line, direction and VC, or increases the rank of the channel; the flow " +
		"control leaves a free slot in each ring of such a line (Carrión et al. 1997)"
	theoremArrives  = "every state has a next hop on the network, and every path is finite, so every packet arrives"
	theoremRising   = "every hop increases the rank"
	theoremShortest = "every hop decreases the distance to the destination, so every path is a shortest path"
	theoremOneHop   = "every state permits one hop at most, and every source creates the packets to a destination in one header state"
	theoremEachHop  = "every hop that leads nearer to the destination is permitted on some VC, so packets can take every shortest path"
	// DistanceTheorem is the theorem of livelock-free if packets can return to channels of the same class.
	DistanceTheorem = "every hop that a packet can repeat decreases the distance to its destination"
)

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

// proved returns the names of the proved claims.
func (r *Report) proved() (names []string) {
	for _, c := range r.Claims {
		if c.Verdict == verify.Proved {
			names = append(names, c.Name)
		}
	}
	return names
}

// theorems of proofs about paths
const (
	theoremPacketRank = "every hop that a packet can repeat increases its rank, which depends on channel and destination, or " +
		"decreases the distance to its destination"
	theoremGuide = "every state permits a hop of the escape, and each escape hop increases the rank of the packet, so a path of " +
		"escape hops leads to its destination"
	theoremNearing = "every state permits a hop of the escape, and each escape hop decreases the distance to the destination"
)

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

// nodeText returns the name of a node with the region of its tails.
func (p *system) nodeText(n node) string {
	n2 := n
	n2.region = 0
	text := n2.String()
	if p.complete() { // x0: a hop in dimension x on VC 0
		text = fmt.Sprintf("%s%d", p.names[n.dir.Dim()], n.vc)
	}
	if p.program.Family.Kind == program.Express && n.dir.Dim() >= p.dims { // the direction of the dimension
		text = fmt.Sprintf("%s%d express", n.dir-program.Dir(2*p.dims), n.vc)
	}
	for i, k := range p.splitters {
		if !k.of[n.whole()] {
			continue
		}
		words := p.names.conditionText(k.cond)
		if n.region>>i&1 == 0 {
			if k.cond.mod == 0 {
				words = p.names.conditionText(atom{form: k.cond.form.times(-1).add(-1)})
			} else {
				words = strings.Replace(words, "divisible", "not divisible", 1)
			}
		}
		text += ", " + words
	}
	return text
}

// premises returns the premises of the verdict. source is the source of the discipline.
func (r *Report) premises(source string) []model.Premise {
	words := make([]string, len(r.Switching))
	for i, s := range r.Switching {
		words[i] = string(s)
	}
	var list []model.Premise
	if r.Claims[0].Name == "deadlock-free" {
		list = append(list, model.Premise{Name: model.PremiseSwitching, Value: strings.Join(words, ", "), Source: source})
	}
	if r.Method != "rank" && list != nil {
		list = append(list, model.Premise{Name: model.PremiseWaiting, Value: verify.WaitsForAny, Source: model.Assumed})
	}
	if text := verify.BufferPremise(r.Claims[0].Premises); text != "" && r.Method != "rank" && r.Flow == nil && list != nil {
		list = append(list, model.Premise{Name: model.PremiseBuffers, Value: text, Source: model.Assumed})
	}
	if r.Flow != nil {
		list = append(list, model.Premise{Name: model.PremiseBuffers, Value: r.Flow.Text(), Source: cmp.Or(r.Flow.Source, model.Assumed)})
	}
	flows := "all pairs of hosts"
	if r.Faults != nil {
		list = append(list, model.Premise{Name: model.PremiseFailures, Value: r.Faults.Words(), Source: "--faults"})
		flows = "all pairs of hosts that have not failed"
	}
	return append(list,
		model.Premise{Name: model.PremiseFlows, Value: flows, Source: model.Assumed},
		model.Premise{Name: model.PremiseMessages, Value: "independent", Source: model.Assumed})
}
