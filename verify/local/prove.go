package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file decides the claims of a program for any network.

// Options are the options of Prove. The zero value is the default.
type Options struct {
	// Switching is the discipline to prove for. If empty, a proof with ranks for all channels is for every discipline, and one
	// with an escape for virtual cut-through and store-and-forward. Under wormhole switching, a program names its escape.
	Switching model.Switching
	Waiting   model.Waiting // what packets with several next hops wait for; defaults to any of them. A proof with ranks for all channels is for both
	Switches  int           // most switches of the small networks that are checked; defaults to 6
	Inputs    []cert.Input  // files that the program was read from, for the certificate
	Progress  func(string)  // may be nil
	cost      int           // of the search for one proof; defaults to mostCost
}

// Claim is a claim about every network of the program.
type Claim struct {
	Name    string
	Verdict verify.Verdict
	Theorem string // if proved
	Reason  string // if refuted or undecided
	Network string // the smallest network that refutes the claim; otherwise empty
}

// Rank is the rank of the channels of a VC that satisfy a condition.
type Rank struct {
	Channel string
	Tuple   []string // in numbers of the switches tail and head
}

// Report is the result of Prove.
type Report struct {
	Program   string
	Networks  string // "every connected network ..."
	Switching []model.Switching
	Verdict   verify.Verdict
	Claims    []Claim // deadlock-free, connected, livelock-free
	Ranks     []Rank
	Escape    []int // VCs; empty if the proof uses none
	Some      bool  // packets are permitted some channel of greater rank
	Invariant []string
	Proved    map[string]int // obligations by kind
	Searched  []string       // networks that were checked one by one
	Witness   *Witness       // the smallest network that fails, or nil
	Premises  []model.Premise
	Seconds   float64
	cyclic    bool // the dependency graph of some small network has a cycle
	// Certificate is the proof, which the checker has accepted; nil if nothing is proved.
	Certificate *cert.Certificate
}

// The theorems.
const (
	theoremRank = "on every network every dependency increases the rank of the channel (Dally and Seitz 1987)"
	theoremRule = "on every network every waiting packet is permitted a channel of greater rank than its own, where channels " +
		"outside the escape rank below those of the escape (Duato 1996)"
	theoremSome    = "on every network every waiting packet is permitted a channel of greater rank than its own (Duato 1996)"
	theoremArrives = "every state has a next hop, and every path is finite, so every packet arrives"
	theoremRising  = "every hop increases the rank"
	theoremMeasure = "every hop that a packet can repeat decreases a number of the packet"
)

// premiseAtomic is the premise of an escape under wormhole switching.
const premiseAtomic = "a VC takes a new packet only when it is empty, or has room for all of it"

// Prove decides a program for any network. It fails if the program has an error that every network meets, or for a
// program for grids.
func Prove(ctx context.Context, p *program.Program, o Options) (*Report, error) {
	began := time.Now()
	if p.Family.Kind != program.AnyNetwork {
		return nil, fmt.Errorf("local: %s is for %s; want a program for any network", p.Name, &p.Family)
	}
	o.Switches, o.cost = cmp.Or(o.Switches, mostSwitches), cmp.Or(o.cost, mostCost)
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	r := &Report{Program: p.Name, Verdict: verify.Undecided}
	for _, name := range []string{cert.ClaimDeadlockFree, cert.ClaimConnected, cert.ClaimLivelockFree} {
		r.Claims = append(r.Claims, Claim{Name: name, Verdict: verify.Undecided})
	}
	net, err := open(p)
	why := ""
	if err != nil {
		why = "the program cannot be run on unknown switches: " + err.Error()
		r.Networks = "every connected network"
	} else {
		r.Networks = net.Networks()
	}
	o.Progress("small networks")
	if err := r.search(ctx, p, o); err != nil {
		return nil, err
	}
	if net != nil && r.Claims[0].Verdict != verify.Refuted {
		if why, err = r.prove(ctx, p, net, o); err != nil {
			return nil, err
		}
	}
	r.doubt()
	r.conclude(why, o)
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// noMember is why a proof does not count: a premise that no network satisfies proves everything.
const noMember = "none of the networks tried has the premises of the program, so the theorem may concern no network"

// doubt takes back the proofs if no network of the program is known.
func (r *Report) doubt() {
	if len(r.Searched) > 0 {
		return
	}
	for i := range r.Claims {
		if c := &r.Claims[i]; c.Verdict == verify.Proved {
			c.Verdict, c.Theorem, c.Reason = verify.Undecided, "", noMember
		}
	}
	r.Certificate = nil
}

// conclude completes the report.
func (r *Report) conclude(why string, o Options) {
	r.Verdict = verify.Proved
	for i := range r.Claims {
		c := &r.Claims[i]
		if c.Verdict == verify.Undecided {
			c.Reason = cmp.Or(c.Reason, why, "no proof was found")
			if r.Verdict == verify.Proved {
				r.Verdict = verify.Undecided
			}
		}
		if c.Verdict == verify.Refuted {
			r.Verdict = verify.Refuted
		}
	}
	switch {
	case o.Switching != "":
		r.Switching = []model.Switching{o.Switching}
	case r.Claims[0].Verdict == verify.Proved && (len(r.Escape) > 0 || r.Some):
		r.Switching = []model.Switching{model.CutThrough, model.StoreAndForward}
	default:
		r.Switching = model.Switchings()
	}
	source := "left open by the program, each is decided"
	if o.Switching != "" {
		source = "chosen by the caller"
	}
	var names []string
	for _, s := range r.Switching {
		names = append(names, string(s))
	}
	r.Premises = []model.Premise{
		{Name: model.PremiseSwitching, Value: strings.Join(names, ", "), Source: source},
		{Name: "networks", Value: r.Networks, Source: "the program"},
	}
	if o.Switching == model.Wormhole && r.Claims[0].Verdict == verify.Proved && len(r.Escape) > 0 {
		r.Premises = append(r.Premises, model.Premise{Name: "buffers", Value: premiseAtomic, Source: "needed by the proof"})
	}
	if o.Waiting != "" {
		r.Premises = append(r.Premises, model.Premise{Name: model.PremiseWaiting, Value: string(o.Waiting), Source: "chosen by the caller"})
	}
}

// attempt is a way to search for a proof.
type attempt struct {
	level  int
	escape []int
	some   bool // each packet is permitted some channel of greater rank
}

// attempts lists the ways, the simplest first. If cyclic, ranks for all channels do not exist.
func attempts(net *everysize.Network, o Options, cyclic bool) (list []attempt) {
	levels := 2
	if len(net.Pairs()) > 0 {
		levels = 1 // the facts do not depend on the level
	}
	for level := range levels {
		if !cyclic {
			list = append(list, attempt{level: level})
		}
	}
	if o.Waiting == model.WaitOne || net.VCs() < 2 || o.Switching == model.Wormhole && net.Escape() == nil {
		return list
	}
	if escape := net.Escape(); escape != nil {
		for level := range 2 {
			list = append(list, attempt{level: level, escape: escape})
		}
		return list
	}
	for level := range 2 {
		if cyclic && o.Switching != model.Wormhole {
			list = append(list, attempt{level: level, some: true})
		}
	}
	for vc := range net.VCs() {
		list = append(list, attempt{escape: []int{vc}})
	}
	return list
}

// prove searches for a proof. It returns why claims stay undecided.
func (r *Report) prove(ctx context.Context, p *program.Program, net *everysize.Network, o Options) (why string, err error) {
	var reasons []string
	defer func() {
		if len(reasons) > 0 && why != "" {
			why = reasons[0]
		}
	}()
	why = "no rank was found"
	for _, a := range attempts(net, o, r.cyclic) {
		s := &searcher{ctx: ctx, net: net, steps: net.Steps(), tell: o.Progress, level: a.level, cost: o.cost, left: mostQuestions * int64(o.cost)}
		e, err := s.evidence(a)
		var open *errOpen
		switch {
		case errors.As(err, &open):
			reasons = append(reasons, open.reason)
			continue
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err != nil:
			reasons = append(reasons, err.Error())
			continue
		case e == nil:
			reasons = append(reasons, "no rank was found")
			continue
		}
		for _, connected := range []bool{true, false} {
			if connected && r.Claims[1].Verdict == verify.Refuted {
				continue
			}
			e.Connected = connected
			c, left, err := r.certificate(s, p, e, o)
			if err != nil {
				return "", err
			}
			if c == nil {
				reasons = append(reasons, left)
				continue
			}
			r.accept(s, e, c)
			if connected {
				return "", nil
			}
			if a.level == 0 {
				break // more facts may prove connected as well
			}
			return why, nil
		}
	}
	return why, nil
}

// accept records a proof.
func (r *Report) accept(s *searcher, e *cert.EveryNetwork, c *cert.Certificate) {
	r.Certificate, r.Proved, r.Some = c, s.count, e.Some
	r.Ranks, r.Escape, r.Invariant = nil, nil, nil
	for _, vc := range e.Escape {
		r.Escape = append(r.Escape, int(vc))
	}
	for _, x := range e.Ranks {
		name := fmt.Sprintf("VC %d", x.VC)
		if x.When != "" {
			name += " if " + x.When
		}
		r.Ranks = append(r.Ranks, Rank{name, strings.Split(x.Rank, ", ")})
	}
	for _, x := range e.Classes {
		if x.Holds != "" {
			r.Invariant = append(r.Invariant, everysize.NetClass{VC: x.VC, State: x.State, Carries: x.Carries}.String()+": "+x.Holds)
		}
	}
	theorems := map[string]string{cert.ClaimDeadlockFree: theoremRank, cert.ClaimConnected: theoremArrives, cert.ClaimLivelockFree: theoremRising}
	if len(e.Escape) > 0 {
		theorems[cert.ClaimDeadlockFree], theorems[cert.ClaimLivelockFree] = theoremRule, theoremMeasure
	}
	if e.Some {
		theorems[cert.ClaimDeadlockFree], theorems[cert.ClaimLivelockFree] = theoremSome, theoremMeasure
	}
	for i := range r.Claims {
		if c.Claim(r.Claims[i].Name) != nil {
			r.Claims[i].Verdict, r.Claims[i].Theorem = verify.Proved, theorems[r.Claims[i].Name]
		}
	}
}

// evidence searches for conditions and ranks. It returns nil if it finds no ranks.
func (s *searcher) evidence(a attempt) (*cert.EveryNetwork, error) {
	if err := s.close(); err != nil {
		return nil, err
	}
	if a.some {
		only, ok, err := s.always()
		if err != nil || !ok {
			return nil, err
		}
		s.only = only
	}
	escape := a.escape
	ranked := func(vc int) bool { return escape == nil || slices.Contains(escape, vc) }
	pieces, err := s.rank(ranked)
	if pieces == nil || err != nil {
		return nil, err
	}
	e := &cert.EveryNetwork{Classes: []cert.NetworkClass{}, Ranks: []cert.NetworkRank{}, Escape: cert.Ints{}, Proofs: cert.Ints{}}
	e.Some = a.some
	for _, vc := range escape {
		e.Escape = append(e.Escape, int32(vc))
	}
	for _, c := range s.classes {
		if len(c.cubes) == 0 {
			continue
		}
		e.Classes = append(e.Classes, cert.NetworkClass{VC: c.VC, State: c.State, Carries: c.Carries, Holds: c.text()})
	}
	if escape != nil || a.some {
		if err := s.measures(e); err != nil {
			return nil, err
		}
	}
	for _, x := range pieces {
		e.Ranks = append(e.Ranks, cert.NetworkRank{VC: x.vc, When: x.when, Rank: strings.Join(x.rank, ", ")})
	}
	return e, nil
}

// measures gives classes groups and measures: the strong component of the class, and the distance to the destination.
func (s *searcher) measures(e *cert.EveryNetwork) error {
	index := func(a everysize.NetClass) int {
		return slices.IndexFunc(e.Classes, func(c cert.NetworkClass) bool { return c.VC == a.VC && c.State == a.State && c.Carries == a.Carries })
	}
	var edges []edge
	for _, step := range s.steps {
		if from, to := index(step.From), index(step.To); !step.Created && from >= 0 && to >= 0 {
			edges = append(edges, edge{step, from, to})
		}
	}
	group, _ := components(len(e.Classes), edges)
	for i := range e.Classes {
		e.Classes[i].Group, e.Classes[i].Measure = group[i], "distance(cur, dst)"
	}
	return nil
}
