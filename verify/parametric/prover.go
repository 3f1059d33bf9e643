package parametric

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
)

// This file defines what a prover is asked for, and what it has found by now.

// Options are the options of Prove. The zero value is the default.
type Options struct {
	Switching model.Switching // defaults to CutThrough
	Dims      int             // for programs for any number of dimensions; defaults to 2
	Limit     time.Duration   // time limit of one question to Z3; defaults to 10 s
	Progress  func(string)    // called with a description of each step; may be nil
	Flow      *bubble.Flow    // flow control of rings; if nil, there is none
	Faults    *Faults         // failed links or switches; if nil, none fails
	// Claims are the claims to prove, of KnownClaims; if nil, AllClaims.
	Claims []string
	// Each decides each claim: if the claims together are not proved, those that are open are tried alone. Otherwise Prove ends
	// with the first network that refutes a claim.
	Each bool

	source string // source of the premise switching; defaults to the caller's choice
}

// checkFlow returns an error for flow control that a proof for every size does not cover.
func (o *Options) checkFlow() error {
	switch f := o.Flow; {
	case f == nil:
		return nil
	case f.Rule.Kind == bubble.Worm:
		return errors.New("cannot prove worm-bubble for every size: how many worms fit into a ring depends on its length; want bubble or critical-bubble")
	case f.Rule.Off != "":
		return errors.New("cannot prove flow control for every size with off: it names places of one network")
	case f.Rule.VCs != nil:
		return errors.New("cannot prove flow control for every size with vc: the proof has the rule at every ring")
	case o.Switching != "" && o.Switching != f.Switching():
		return fmt.Errorf("cannot prove %s: want %s switching, got %s", f.Rule.Kind, f.Switching(), o.Switching)
	}
	o.Switching = o.Flow.Switching()
	return nil
}

// chosenClaims returns the claims to prove, in the order of KnownClaims.
func (o *Options) chosenClaims() (list []string) {
	if o.Claims == nil {
		return AllClaims
	}
	for _, c := range KnownClaims {
		if slices.Contains(o.Claims, c) {
			list = append(list, c)
		}
	}
	return list
}

type prover struct {
	Options
	*system
	report  *Report
	cyclic  bool            // the proof needs an escape: some network has a cyclic dependency graph
	partial *proof          // a proof of at least deadlock freedom, or nil
	open    map[string]bool // kinds of obligations that partial leaves unproved
	hints   [][]int         // sides of networks on which an obligation failed

	given         ranks // the rank that the program gives
	checkingGiven bool
}

// step describes a step of the case.
func (p *prover) step(what string) string {
	if p.Faults == nil {
		return what
	}
	return p.faultsText() + ": " + what
}

// isOpen reports whether an obligation of one of these kinds is unproved.
func (p *prover) isOpen(kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(k string) bool { return p.open[k] })
}
