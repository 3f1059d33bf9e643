package vcrule

import (
	"context"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file searches the rules, one number of VCs after the other. Most wrong rules fail on a small network within
// milliseconds; a rule that no small network refutes is proved for every size.

// Options are the options of Find. The zero value is the default.
type Options struct {
	Most      int                // the largest number of VCs; defaults to 3
	Dims      int                // for programs for any number of dimensions; defaults to 2
	Switching model.Switching    // defaults to every discipline
	Waiting   model.Waiting      // for FindNumbered: what packets with several next hops wait for; defaults to any
	Prove     parametric.Options // Limit and Progress are used
}

// Level is the rules with one number of VCs.
type Level struct {
	VCs       int
	Rules     int    // that exist, up to the numbers of the VCs
	Refuted   int    // by a network
	Undecided int    // neither proved nor refuted
	Largest   string // the network that refuted a rule and has the most switches; empty if Refuted is 0
}

// Result is the result of a search.
type Result struct {
	Program *program.Program // with the fewest VCs, or nil if no rule was proved
	Levels  []Level          // ascending
	Fewest  bool             // all rules with fewer VCs are refuted
}

// Find searches a rule for a program that returns directions only. The result has the first rule that is proved deadlock-free,
// connected and livelock-free for every size, with the fewest VCs. It fails if a rule cannot be added to the program, or if
// the program has an error. Cost: a proof for each rule that small networks do not refute.
func Find(ctx context.Context, p *program.Program, o Options) (*Result, error) {
	if err := checkProgram(p); err != nil {
		return nil, err
	}
	if o.Most == 0 {
		o.Most = 3
	}
	result := &Result{Fewest: true}
	for vcs := 1; vcs <= o.Most && result.Program == nil; vcs++ {
		list := rules(vcs, p.Family.Wrap())
		err := result.try(p, vcs, len(list), func(i int) string { return list[i].text(p.Text) }, o,
			func(made *program.Program) (verify.Verdict, string, int, error) { return proveRule(ctx, made, o) })
		if err != nil {
			return nil, err
		}
	}
	return result, nil
}

// try tries the rules with one number of VCs. text returns the text of p with rule i of rules, and decide decides such a program; of a
// refuted one it returns the network and the number of its switches.
func (x *Result) try(p *program.Program, vcs, rules int, text func(i int) string, o Options,
	decide func(*program.Program) (verify.Verdict, string, int, error)) error {
	level := Level{VCs: vcs, Rules: rules}
	most := 0
	for i := range rules {
		if o.Prove.Progress != nil {
			o.Prove.Progress(fmt.Sprintf("%d VCs: rule %d of %d", vcs, i+1, rules))
		}
		made, err := program.Parse(strings.TrimSuffix(p.Name, ".star")+fmt.Sprintf("-%dvc.star", vcs), text(i))
		if err != nil {
			return fmt.Errorf("internal error: the program with a rule: %w", err)
		}
		verdict, network, size, err := decide(made)
		if err != nil {
			return err
		}
		switch verdict {
		case verify.Proved:
			x.Program, x.Levels = made, append(x.Levels, level)
			return nil
		case verify.Refuted:
			if level.Refuted++; size > most {
				most, level.Largest = size, network
			}
		default:
			level.Undecided++
			x.Fewest = false
		}
	}
	x.Levels = append(x.Levels, level)
	return nil
}

// proveRule proves a program for the switching discipline of o, or for each.
func proveRule(ctx context.Context, p *program.Program, o Options) (verify.Verdict, string, int, error) {
	options := parametric.Options{Dims: o.Dims, Limit: o.Prove.Limit, Switching: o.Switching}
	prove := parametric.ProveOpen
	if o.Switching != "" {
		prove = func(ctx context.Context, p *program.Program, o parametric.Options) ([]*parametric.Report, error) {
			r, err := parametric.Prove(ctx, p, o)
			return []*parametric.Report{r}, err
		}
	}
	reports, err := prove(ctx, p, options)
	if err != nil {
		return "", "", 0, err
	}
	verdict := verify.Proved
	for _, r := range reports {
		if r.Verdict == verify.Refuted {
			return r.Verdict, r.Witness.Network, product(r.Witness.Sides), nil
		}
		if r.Verdict != verify.Proved {
			verdict = r.Verdict
		}
	}
	return verdict, "", 0, nil
}

func product(sides []int) int {
	k := 1
	for _, s := range sides {
		k *= s
	}
	return k
}
