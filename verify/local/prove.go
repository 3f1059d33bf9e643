package local

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
	"github.com/turnproof/turnproof/verify/cert"
)

// This file decides the claims of a program for any network.

// Options are the options of Prove. The zero value is the default.
type Options struct {
	// Switching is the discipline to prove for. If empty, a proof with ranks for all channels is for every discipline, and one
	// with an escape for virtual cut-through and store-and-forward. Under wormhole switching, a program names its escape.
	Switching model.Switching
	Waiting   model.Waiting // what packets with several next hops wait for; defaults to any of them. A proof with ranks for all channels is for both
	Claims    []string      // the claims to decide, of AllClaims; if nil, all
	Switches  int           // most switches of the small networks that are checked; defaults to 6
	Inputs    []cert.Input  // files that the program was read from, for the certificate
	Progress  func(string)  // may be nil
	cost      int           // of the search for one proof; defaults to mostCost
}

// AllClaims are the claims that Prove can decide.
var AllClaims = []string{cert.ClaimDeadlockFree, cert.ClaimConnected, cert.ClaimLivelockFree}

// Claim is a claim about every network of the program.
type Claim struct {
	Name    string
	Verdict verify.Verdict
	Theorem string // if proved
	Reason  string // if refuted or undecided
	Network string // the smallest network that refutes the claim; otherwise empty
	witness *Witness
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
	Claims    []Claim // those that were asked for, in the order of AllClaims
	Ranks     []Rank
	Escape    []int // VCs; empty if the proof uses none
	Some      bool  // packets are permitted some channel of greater rank
	Paths     bool  // the proof says nothing of deadlocks: every hop that a packet can repeat decreases a number of the packet
	Invariant []string
	Proved    map[string]int // obligations by kind
	Searched  []string       // networks that were checked one by one
	Witness   *Witness       // the smallest network that fails, or nil
	Premises  []model.Premise
	Seconds   float64
	cyclic    bool // the dependency graph of some small network has a cycle
	deadlock  bool // some small network has a deadlock
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
	for _, name := range AllClaims {
		if o.Claims == nil || slices.Contains(o.Claims, name) {
			r.Claims = append(r.Claims, Claim{Name: name, Verdict: verify.Undecided})
		}
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
	if err := r.shrink(ctx, o); err != nil {
		return nil, err
	}
	if net != nil {
		if why, err = r.prove(ctx, p, net, o); err != nil {
			return nil, err
		}
	}
	r.doubt()
	r.conclude(why, o)
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// claim returns a claim that was asked for, or nil.
func (r *Report) claim(name string) *Claim {
	for i := range r.Claims {
		if r.Claims[i].Name == name {
			return &r.Claims[i]
		}
	}
	return nil
}

// is reports whether a claim was asked for and has a verdict.
func (r *Report) is(name string, v verify.Verdict) bool {
	c := r.claim(name)
	return c != nil && c.Verdict == v
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
	case r.is(cert.ClaimDeadlockFree, verify.Proved) && (len(r.Escape) > 0 || r.Some):
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
	if o.Switching == model.Wormhole && r.is(cert.ClaimDeadlockFree, verify.Proved) && len(r.Escape) > 0 {
		r.Premises = append(r.Premises, model.Premise{Name: "buffers", Value: premiseAtomic, Source: "needed by the proof"})
	}
	if o.Waiting != "" {
		r.Premises = append(r.Premises, model.Premise{Name: model.PremiseWaiting, Value: string(o.Waiting), Source: "chosen by the caller"})
	}
}
