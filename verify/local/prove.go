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
