package parametric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file is what Prove tells: claims, ranks and invariants as a reader wants them.

// Claim is what is known of one claim, for every size.
type Claim struct {
	Name     string
	Verdict  verify.Verdict
	Theorem  string
	Premises []string // what it takes for granted
	Reason   string   // of a refutation or of being undecided
}

// Rank is the rank of a node: a row of the table that a paper would print.
type Rank struct {
	Channel string   // E0, W1 wrap
	Tuple   []string // in x, y, ... of the switch that the channel leaves, and the sizes
}

// Report is what Prove found.
type Report struct {
	Program   string
	Family    string
	Dims      int
	Sizes     string // for which it speaks: "n, m >= 2"
	Place     string // of a switch, as ranks speak of it: "(x, y)"
	Switching []model.Switching
	Verdict   verify.Verdict
	Claims    []Claim // deadlock-free, connected, livelock-free
	Method    string

	Ranks       []Rank
	Escape      []string // the channels of the escape, where the proof rests on one
	Invariants  []string // what is kept, by class
	Obligations []Obligation
	Script      string // of the obligations, SMT-LIB 2
	Paths       int
	Classes     int

	Witness   *Witness // with refuted
	Searched  [][]int  // networks that were looked at one by one
	Rechecked [][]int  // networks on which the checker accepted the ranks
	Given     *GivenRank
	Notes     []string
	Premises  []model.Premise // what the verdict rests on
	Seconds   float64

	family *family
}

// SizesText says in words for which networks the report speaks.
func (r *Report) SizesText() string {
	if r.Sizes == "all" {
		return "the network of that family"
	}
	return "every " + r.Sizes
}

// NetworkName is the spec of the network of these sides.
func (r *Report) NetworkName(sides []int) string { return r.family.spec(sides) }

// sizesText says for which sizes a proof speaks.
func (f *family) sizesText() string {
	if len(f.sizes) == 0 {
		return "all"
	}
	return fmt.Sprintf("%s >= %d", strings.Join(f.sizes, ", "), f.least)
}

func (p *prover) refuted(w *Witness) {
	r := p.report
	r.Verdict, r.Witness, r.Method = verify.Refuted, w, "smallest network"
	r.Switching = []model.Switching{p.Switching}
	for _, c := range w.Report.Claims() {
		claim := Claim{Name: c.Name, Verdict: verify.Undecided, Reason: "the program is refuted by another claim"}
		if c.Verdict == verify.Refuted {
			claim = Claim{c.Name, verify.Refuted, c.Theorem, c.Premises, c.Reason}
		}
		r.Claims = append(r.Claims, claim)
	}
}

func (p *prover) undecided(why string) {
	r := p.report
	if p.made != nil {
		p.proved(p.made)
	} else {
		r.Switching = []model.Switching{p.Switching}
		r.Claims = []Claim{{Name: "deadlock-free"}, {Name: "connected"}, {Name: "livelock-free"}}
	}
	r.Verdict = verify.Undecided
	finite := "rank"
	if p.made != nil && p.made.far {
		finite = "distance"
	}
	for i := range r.Claims {
		if p.made == nil || i == 1 || i == 2 && p.isOpen("cover", "invariant", "move", finite) {
			r.Claims[i] = Claim{Name: r.Claims[i].Name, Verdict: verify.Undecided, Reason: why}
		}
	}
}

func sidesText(sides []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(sides), " ", "x"), "[]")
}

// pointText writes a point for readers.
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
	theoremRank     = "a rank for each channel that every dependency raises, for every size (Dally and Seitz 1987)"
	theoremRule     = "for every size every waiting packet is permitted a channel of higher rank than its own, or than all that are no escape (Duato 1996)"
	theoremDetour   = "for every size every reachable state permits an escape channel, and what packets on escape channels may ask for as their escape, after any detour, has a higher rank (Duato 1993)"
	theoremArrives  = "every state has a next hop on the network, and no packet is forwarded for ever, so every packet arrives"
	theoremRising   = "every hop raises the rank"
	theoremDistance = "every hop that a packet can repeat gets it nearer to its destination"
)

func (p *prover) proved(made *proof) {
	r := p.report
	r.Verdict = verify.Proved
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
	if made.far {
		finite = theoremDistance
	}
	r.Claims = []Claim{
		{Name: "deadlock-free", Verdict: verify.Proved, Theorem: free, Premises: verify.PremisesOf(r.Switching[len(r.Switching)-1], made.detour != nil)},
		{Name: "connected", Verdict: verify.Proved, Theorem: theoremArrives},
		{Name: "livelock-free", Verdict: verify.Proved, Theorem: finite},
	}
}

// describe writes ranks, escape and invariants for readers.
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
		for _, a := range p.kept[c] {
			r.Invariants = append(r.Invariants, c.String()+": "+p.names.conditionText(a))
		}
	}
}

// rows are the rank of a node for readers, a row for each piece.
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

// nodeText names a node, with the part of the network that its tails lie in.
func (p *prover) nodeText(n node) string {
	n2 := n
	n2.region = 0
	text := n2.String()
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

// premises lists what the verdict rests on. source states where the discipline comes from.
func (r *Report) premises(source string) []model.Premise {
	words := make([]string, len(r.Switching))
	for i, s := range r.Switching {
		words[i] = string(s)
	}
	list := []model.Premise{{Name: model.PremiseSwitching, Value: strings.Join(words, ", "), Source: source}}
	if r.Method != "rank" {
		list = append(list, model.Premise{Name: model.PremiseWaiting, Value: verify.WaitsForAny, Source: model.Assumed})
	}
	if text := verify.BufferPremise(r.Claims[0].Premises); text != "" && r.Method != "rank" {
		list = append(list, model.Premise{Name: model.PremiseBuffers, Value: text, Source: model.Assumed})
	}
	return append(list,
		model.Premise{Name: model.PremiseFlows, Value: "all pairs of hosts", Source: model.Assumed},
		model.Premise{Name: model.PremiseMessages, Value: "independent", Source: model.Assumed})
}
