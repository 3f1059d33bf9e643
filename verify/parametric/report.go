package parametric

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/cdg"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file defines the report of Prove: claims, ranks and invariants for readers; and the counterexamples and bounds in it.

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

// Witness is a network on which the program fails.
type Witness struct {
	Network string // as a spec
	Sides   []int
	Report  *verify.Report
	Notes   []string // outputs to which no channel exists

	Example *Example // if a claim of ExtraClaims is refuted
}

// Degree is how adaptive a routing is on a network.
type Degree struct {
	Network string
	Mean    float64 // degree of adaptiveness, from 0 to 1, on average over all pairs of hosts
	All     float64 // share of the pairs with all their shortest paths
	One     float64 // share of the pairs with one shortest path that packets can take, where there are several
}

// GivenRank is the result for the rank that a program gives.
type GivenRank struct {
	Verdict  verify.Verdict // proved: the rank rises for every size
	Failures []RankFailure  // by pair of nodes
	Left     []string       // pairs that are undecided
	Repair   []Rank         // Other ranks of some channels with which the rank rises; nil if none was found.
}

// RankFailure is a dependency on which a given rank does not rise, on the smallest
// network that has such a dependency.
type RankFailure struct {
	From, To         string
	Sides            []int
	FromTail, ToTail []int // the switches that the channels leave
	FromRank, ToRank []int64
}

// Length is a bound on the hops of paths.
type Length struct {
	Text     string  // "no path has more than (n - 1) + (m - 1) hops"
	measures []int64 // a constant and a factor for each dimension, of created packets, then of each class; by case
	created  []int64 // the greatest constant and factors of created packets
}

// Effort is what a certificate took.
type Effort struct {
	Obligations map[string]int // by kind
	Nodes       int            // that the search visited
}

// Example shows why a claim of ExtraClaims fails on a network.
type Example struct {
	Claim    string
	Relation model.Relation
	// Packets are: a packet whose last hop does not decrease the distance (minimal); two packets from one source to one destination whose
	// last hops differ (deterministic); a path that leads nearer with each hop and that no packet can take, with the first VC of each
	// channel (fully-adaptive).
	Packets       []*cdg.Packet
	Before, After int // minimal: the distance to the destination before and after the last hop
}
