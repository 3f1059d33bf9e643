package local

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file makes counterexamples smaller: it removes switches, links and pairs of hosts while the claim still fails.

// mostRemovals bounds the networks that are checked to make one smaller.
const mostRemovals = 400

// reducer removes parts of a network on which a claim fails.
type reducer struct {
	ctx   context.Context
	p     *program.Program
	o     Options
	claim string
	left  int // networks that it may still check
}

// shrink makes the networks of refuted claims smaller, and chooses that of the first claim as the witness.
func (r *Report) shrink(ctx context.Context, o Options) error {
	made := map[*Witness][]*Witness{}
	for i := range r.Claims {
		c := &r.Claims[i]
		w := c.witness
		if w == nil {
			continue
		}
		if w.Err == nil {
			k := slices.IndexFunc(made[w], func(x *Witness) bool { return x.refutes(c.Name) != "" })
			if k < 0 {
				small, err := (&reducer{ctx, w.program, o, c.Name, mostRemovals}).smaller(w)
				if err != nil {
					return err
				}
				made[w], k = append(made[w], small), len(made[w])
			}
			w = made[w][k]
			c.refute(w.reason(c.Name), w.Name)
		}
		if r.Witness == nil || r.Witness.Err != nil {
			r.Witness = w
		}
	}
	return nil
}

// refutes returns the reason for which the report of a witness refutes a claim, or "".
func (w *Witness) refutes(claim string) string {
	for _, c := range w.Report.Claims() {
		if c.Name == claim && c.Verdict == verify.Refuted {
			return c.Reason
		}
	}
	return ""
}

// reason returns why a claim fails. For connected, this counts all pairs of the network.
func (w *Witness) reason(claim string) string {
	if claim == cert.ClaimConnected {
		return cmp.Or(w.allPairs, w.refutes(claim))
	}
	return w.refutes(claim)
}

// smaller returns the witness without parts that the failure does not need.
func (x *reducer) smaller(w *Witness) (*Witness, error) {
	small := *w
	n, err := x.without(w.Network)
	if err != nil {
		return nil, err
	}
	if n != w.Network {
		names, _ := attributesOf(x.p.Text)
		small.Network, small.Name, small.Spec = n, describe(n, names), false
	}
	all, err := x.check(&small, false)
	if err != nil {
		return nil, err
	}
	if all != nil {
		small.allPairs = (&Witness{Report: all}).refutes(cert.ClaimConnected)
	}
	if err := x.flows(&small); err != nil {
		return nil, err
	}
	if small.Report, err = x.check(&small, false); err != nil {
		return nil, err
	}
	if small.Report == nil || small.refutes(x.claim) == "" {
		return w, nil
	}
	small.Relation, small.Claim = small.Report.Relation, x.claim
	return &small, nil
}

// check checks the network and the pairs of a witness. It returns nil if the network is no network of the program, or the limit is reached.
func (x *reducer) check(w *Witness, quick bool) (*verify.Report, error) {
	if x.left--; quick && x.left < 0 || w.Network.NumHosts() < 2 || x.p.Fits(w.Network) != nil {
		return nil, nil
	}
	rel, _, err := x.p.Relation(x.ctx, w.Network)
	if err != nil {
		return nil, x.ctx.Err()
	}
	o := verify.Options{Switching: x.o.Switching, Waiting: x.o.Waiting, AllStates: true, NoPairs: true, NoSearch: quick, Inputs: x.o.Inputs}
	if w.Flows != nil {
		rel = model.WithFlows(rel, w.Flows)
		o.Premises = []model.Premise{{Name: model.PremiseFlows, Value: pairs(len(w.Flows)), Source: "those that the counterexample needs"}}
	}
	return verify.Check(x.ctx, rel, o)
}

func pairs(n int) string {
	if n == 1 {
		return "1 pair of hosts"
	}
	return fmt.Sprintf("%d pairs of hosts", n)
}

// fails reports whether the claim fails on the network and the pairs of a witness.
func (x *reducer) fails(w *Witness) (bool, error) {
	rep, err := x.check(w, true)
	if rep == nil || err != nil {
		return false, err
	}
	return (&Witness{Report: rep}).refutes(x.claim) != "", nil
}

// without returns the network without switches and links that the failure does not need.
func (x *reducer) without(n *model.Network) (*model.Network, error) {
	for changed := true; changed; {
		changed = false
		for u := n.NumSwitches() - 1; u >= 0; u-- {
			if m := part(n, func(v model.SwitchID) bool { return int(v) != u }, func(int) bool { return true }); m != nil {
				if fails, err := x.fails(&Witness{Network: m}); err != nil {
					return nil, err
				} else if fails {
					n, changed = m, true
				}
			}
		}
		for l := n.NumLinks() - 1; l >= 0; l-- {
			if m := part(n, func(model.SwitchID) bool { return true }, func(k int) bool { return k != l }); m != nil {
				if fails, err := x.fails(&Witness{Network: m}); err != nil {
					return nil, err
				} else if fails {
					n, changed = m, true
				}
			}
		}
	}
	return n, nil
}

// flows sets the pairs that the failure of a witness needs. It removes half of the pairs at once, then a quarter, and so on.
func (x *reducer) flows(w *Witness) error {
	var list []model.Flow
	hosts := model.HostID(w.Network.NumHosts())
	for a := range hosts {
		for b := range hosts {
			if a != b {
				list = append(list, model.Flow{Source: a, Dest: b, Amount: 1})
			}
		}
	}
	all := len(list)
	for size := len(list) / 2; size >= 1; size /= 2 {
		for at := 0; at < len(list); {
			part := *w
			part.Flows = slices.Delete(slices.Clone(list), at, min(at+size, len(list)))
			fails, err := x.fails(&part)
			if err != nil {
				return err
			}
			if fails && len(part.Flows) > 0 {
				list = part.Flows
			} else {
				at += size
			}
		}
	}
	if len(list) < all {
		w.Flows = list
	}
	return nil
}

// part returns the network with some switches and links, and the hosts of these switches, or nil if it is not connected.
func part(n *model.Network, keeps func(model.SwitchID) bool, keepsLink func(int) bool) *model.Network {
	b := model.NewBuilder()
	to := make([]int, n.NumSwitches())
	for u := range to {
		if to[u] = -1; keeps(model.SwitchID(u)) {
			to[u] = int(b.AddSwitch(model.Switch{Name: n.Switch(model.SwitchID(u)).Name}))
		}
	}
	var links [][2]int
	port := make([]model.Port, n.NumSwitches())
	next := func(u model.SwitchID) model.Port { port[u]++; return port[u] }
	for i := range n.NumLinks() {
		l := n.Link(model.LinkID(i))
		if keepsLink(i) && to[l.A] >= 0 && to[l.B] >= 0 {
			links = append(links, [2]int{to[l.A], to[l.B]})
			b.AddLink(model.SwitchID(to[l.A]), next(l.A), model.SwitchID(to[l.B]), next(l.B))
		}
	}
	for h := range model.HostID(n.NumHosts()) {
		if x := n.Host(h); to[x.Switch] >= 0 {
			b.AddHost(model.Host{Name: x.Name, Switch: model.SwitchID(to[x.Switch]), Port: next(x.Switch)})
		}
	}
	for _, name := range n.Attributes() {
		var values []int32
		for u, v := range n.Attribute(name) {
			if to[u] >= 0 {
				values = append(values, v)
			}
		}
		b.SetAttribute(name, values)
	}
	b.SetVCs(n.VCs())
	m, err := b.Build()
	if err != nil || !linked(m.NumSwitches(), links) {
		return nil
	}
	return m
}

// linked reports whether links connect n switches.
func linked(n int, links [][2]int) bool {
	group := make([]int, n)
	for u := range group {
		group[u] = u
	}
	for range n {
		for _, l := range links {
			least := min(group[l[0]], group[l[1]])
			group[l[0]], group[l[1]] = least, least
		}
	}
	return slices.Max(group) == 0
}

// describe names a network by its links and some attributes of its switches.
func describe(n *model.Network, attributes []string) string {
	g := graph{n: n.NumSwitches()}
	for i := range n.NumLinks() {
		l := n.Link(model.LinkID(i))
		g.links = append(g.links, [2]int{int(l.A), int(l.B)})
	}
	text := g.name(attributes, n)
	if n.NumHosts() < n.NumSwitches() {
		var at []string
		for h := range model.HostID(n.NumHosts()) {
			at = append(at, fmt.Sprint(n.Host(h).Switch))
		}
		text += ", hosts at " + strings.Join(at, " ")
	}
	return text
}
