package local

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file checks a program on small networks: all connected networks of up to six switches, with attributes, and members of named
// families. Networks without the premise of the program are left out.

// Limits of the search for small networks.
const (
	mostSwitches = 6
	mostTried    = 30_000 // networks whose premise is tested
	mostChecked  = 1_500  // networks that are checked
	mostVariants = 12     // random tables of a network, of programs that read tables
)

// members are specs of named families, ascending by switches.
var members = []string{
	"fattree:k=2,levels=2", "hyperx:2x2", "dragonfly:a=2,h=1", "fattree:k=4,levels=2", "hyperx:3x2", "line:7", "xgft:2x2,up=1x2", "line:8",
	"line:9", "dragonfly:a=3,h=1,g=3", "hyperx:3x3", "line:10", "dragonfly:a=2,h=2",
	"dragonfly:a=2,h=2,arrangement=palmtree", "xgft:3x2,up=1x3", "dragonfly:a=3,h=1", "xgft:2x2,up=2x2",
	"dragonfly:a=3,h=1,arrangement=circulant", "dragonfly:a=3,h=2,g=5", "slimfly:3", "dragonfly:a=4,h=1", "fattree:k=4,levels=3",
	"xgft:2x2x2,up=1x2x2", "xgft:3x2x2,up=1x2x3", "xgft:2x2x2,up=2x2x2", "xgft:2x2x2x2,up=1x2x2x2",
}

// named returns the members of named families that have some attributes.
func named(attributes []string) (names []string, list []*model.Network, err error) {
	for _, spec := range members {
		n, err := topo.Parse(spec)
		if err != nil {
			return nil, nil, fmt.Errorf("internal error: %s: %w", spec, err)
		}
		if !slices.ContainsFunc(attributes, func(a string) bool { return n.Attribute(a) == nil }) {
			names, list = append(names, spec), append(list, n)
		}
	}
	return names, list, nil
}

// Members returns small networks of named families that have the premise of a program, with their specs, ascending by switches.
func Members(p *program.Program) (names []string, list []*model.Network, err error) {
	attributes, _ := attributesOf(p.Text)
	specs, all, err := named(attributes)
	if err != nil {
		return nil, nil, err
	}
	for i, n := range all {
		if n.NumHosts() > 1 && p.Fits(n) == nil {
			names, list = append(names, specs[i]), append(list, n)
		}
	}
	return names, list, nil
}

// search checks small networks, smallest first, until one fails for each claim.
func (r *Report) search(ctx context.Context, p *program.Program, o Options) error {
	tried, checked := 0, 0
	try := func(p *program.Program, name string, spec bool, n *model.Network) (more bool, err error) {
		if tried++; tried > mostTried || checked >= mostChecked {
			return false, nil
		}
		if n.NumHosts() < 2 || p.Fits(n) != nil {
			return true, nil
		}
		checked++
		r.Searched = append(r.Searched, name)
		return r.check(ctx, p, o, name, spec, n)
	}
	visit := func(name string, spec bool, n *model.Network) (more bool, err error) {
		more, err = try(p, name, spec, n)
		for k := 1; p.Tables != "" && k <= mostVariants && more && err == nil; k++ {
			more, err = try(p.WithTables(k), fmt.Sprintf("%s, random tables %d", name, k), false, n)
		}
		return more, err
	}
	names, usesTree := attributesOf(p.Text)
	specNames, specs, err := named(names)
	if err != nil {
		return err
	}
	for n := 2; n <= o.Switches; n++ {
		for _, g := range graphs(n) {
			for _, h := range g.rooted(usesTree) {
				for _, net := range h.networks(p, names) {
					if more, err := visit(h.name(names, net), false, net); !more || err != nil {
						return err
					}
				}
			}
		}
		for i, s := range specs {
			if s.NumSwitches() == n {
				if more, err := visit(specNames[i], true, s); !more || err != nil {
					return err
				}
			}
		}
	}
	if o.Switches < mostSwitches {
		return nil
	}
	tried, checked = min(tried, mostTried-100), min(checked, mostChecked-100)
	for i, s := range specs {
		if s.NumSwitches() > mostSwitches {
			if more, err := visit(specNames[i], true, s); !more || err != nil {
				return err
			}
		}
	}
	return nil
}

// check checks one network. It returns whether some claim is not refuted yet.
func (r *Report) check(ctx context.Context, p *program.Program, o Options, name string, spec bool, n *model.Network) (bool, error) {
	rel, _, err := p.Relation(ctx, n)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	w := &Witness{Name: name, Spec: spec, Network: n, Relation: rel, Err: err, Tried: len(r.Searched), program: p}
	if err != nil {
		if c := r.claim(cert.ClaimConnected); c != nil && c.Verdict != verify.Refuted {
			c.refute("the program ends with an error: "+err.Error(), name)
			c.witness, w.Claim = w, c.Name
		}
		return r.open(), nil
	}
	w.Report, err = verify.Check(ctx, rel, verify.Options{Switching: o.Switching, Waiting: o.Waiting, AllStates: true, NoPairs: true, NoSearch: r.deadlock})
	if err != nil {
		return false, err
	}
	r.cyclic = r.cyclic || w.Report.Acyclic.Verdict == verify.Refuted
	r.deadlock = r.deadlock || w.refutes(cert.ClaimDeadlockFree) != ""
	for i := range r.Claims {
		c := &r.Claims[i]
		if reason := w.refutes(c.Name); reason != "" && c.Verdict != verify.Refuted {
			c.refute(reason, name)
			c.witness, w.Claim = w, cmp.Or(w.Claim, c.Name)
		}
	}
	return r.open() && !(r.deadlock && p.Tables != ""), nil // tables are made for each network, and random ones besides
}
