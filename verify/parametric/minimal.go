package parametric

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/encode"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file proves or refutes the claim minimal: every hop decreases the distance to the destination.
//
// A refutation is a packet on the smallest network on which a hop leads no nearer. With other claims, minimal is first decided alone: a
// program that takes longer paths can still be deadlock-free.

// Longer is the first part of a path that is not a shortest one: its last hop does not decrease the distance.
type Longer struct {
	Relation model.Relation
	Packet   *cdg.Packet
	Before   int // distance to the destination before the last hop
	After    int // distance after it
}

func (l *Longer) reason() string {
	return fmt.Sprintf("a hop of a packet leads from distance %d to distance %d", l.Before, l.After)
}

// checkDistances returns an error if the program cannot have the claim minimal.
func (f *family) checkDistances(faults *Faults) error {
	switch {
	case f.hasAxes():
		return fmt.Errorf("cannot prove %s minimal: distances in %s are not sums over its dimensions", f.program.Name, &f.program.Family)
	case faults != nil:
		return fmt.Errorf("cannot prove %s minimal with failures: distances depend on the failures", f.program.Name)
	}
	return nil
}

// eachHop visits the pairs of classes that packets move between, with the formula: a packet moves, and comes no nearer.
func (s *proof) eachHop(visit func(a, b class, formula string)) {
	for _, a := range s.classes {
		for _, b := range s.classes[1:] {
			if step := s.stepTo(a, b); step != "false" {
				visit(a, b, and(s.known(a), step, s.notNearer(b)))
			}
		}
	}
}

// checkMinimal returns a failure if the claim minimal is wanted, and the invariants do not show it.
func (p *prover) checkMinimal() (fail *failure, err error) {
	if !p.wants("minimal") {
		return nil, nil
	}
	made := &proof{system: p.system}
	script, err := smt.NewScript()
	if err == nil {
		err = script.Tell(made.preamble())
	}
	if err != nil {
		return nil, err
	}
	made.eachHop(func(a, b class, formula string) {
		if fail != nil || err != nil {
			return
		}
		result, point, _, asked := script.Ask(p.ctx, "(assert "+formula+")", p.names, smt.Limit{Time: p.limit})
		if err = asked; err != nil || result == smt.Unsat {
			return
		}
		fail = &failure{reason: fmt.Sprintf("the hop from %s to %s may not decrease the distance", a, b)}
		if result == smt.Sat {
			p.hints = append(p.hints, p.setting(point))
		}
	})
	return fail, err
}

// fartherHop returns a packet with as few hops as possible whose last hop does not decrease the distance to its destination, or nil.
func fartherHop(ctx context.Context, r model.Relation) (found *Longer, err error) {
	n := r.Network()
	err = cdg.EachSpace(ctx, r, model.NoHost, func(d model.DestID, s *cdg.Space) error {
		distance := distancesTo(n, n.Head(n.InjectChannel(r.DestinationHost(d))))
		from := make([]int, len(s.States)) // by state: the state before it, or -1
		var queue []int
		for i, at := range s.States {
			from[i] = -2
			if c, _ := n.Channel(at.VC); n.Kind(c) == model.Inject {
				from[i] = -1
				queue = append(queue, i)
			}
		}
		for ; len(queue) > 0; queue = queue[1:] {
			i := queue[0]
			c, _ := n.Channel(s.States[i].VC)
			hops, next := s.HopsOf(i)
			for k, h := range hops {
				if !n.IsLinkVC(h.VC) {
					continue
				}
				out, _ := n.Channel(h.VC)
				if a, b := distance[n.Head(c)], distance[n.Head(out)]; b >= a {
					l := &Longer{Relation: r, Before: a, After: b, Packet: packetTo(s, from, i, d)}
					l.Packet.Path = append(l.Packet.Path, model.State{VC: h.VC, Dest: d, Class: h.Class})
					first, _ := n.Channel(l.Packet.Path[0].VC)
					l.Packet.Source = n.HostOf(first)
					if found == nil || len(l.Packet.Path) < len(found.Packet.Path) {
						found = l
					}
					return nil
				}
				if j := next[k]; j >= 0 && from[j] == -2 {
					from[j] = i
					queue = append(queue, int(j))
				}
			}
		}
		return nil
	})
	return found, err
}

// packetTo returns the packet that goes to state i by the states before it.
func packetTo(s *cdg.Space, from []int, i int, d model.DestID) *cdg.Packet {
	p := &cdg.Packet{Dest: d}
	for ; i >= 0; i = from[i] {
		p.Path = append(p.Path, s.States[i])
	}
	slices.Reverse(p.Path)
	return p
}

// distancesTo returns the fewest links from each switch to a switch. Switches without a path have a greater distance than all others.
func distancesTo(n *model.Network, to model.SwitchID) []int {
	list := make([]int, n.NumSwitches())
	for u := range list {
		list[u] = n.NumSwitches()
	}
	list[to] = 0
	for queue := []model.SwitchID{to}; len(queue) > 0; queue = queue[1:] {
		for _, c := range n.Out(queue[0]) {
			if v := n.Head(c); n.IsLinkVC(n.VC(c, 0)) && list[v] == n.NumSwitches() {
				list[v] = list[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return list
}

// checkHops returns a witness if a path of a network is not a shortest one. The checker has accepted its packet.
func (s *system) checkHops(r model.Relation, sides []int, switching model.Switching) (*Witness, error) {
	l, err := fartherHop(s.ctx, r)
	if l == nil || err != nil {
		return nil, err
	}
	rep, err := verify.Check(s.ctx, r, verify.Options{Switching: switching, AllStates: true, NoPairs: true, NoSearch: true})
	if err != nil {
		return nil, err
	}
	c := *rep.Certificate
	c.Claims = []cert.Claim{{Claim: cert.ClaimMinimal, Verdict: cert.Refuted, Evidence: cert.EvidenceFarther,
		Packets: encode.Packets([]*cdg.Packet{l.Packet})}}
	if err := cert.Check(&c); err != nil {
		return nil, fmt.Errorf("internal error: the checker rejects a path that is not a shortest one: %w", err)
	}
	return &Witness{Network: s.spec(sides), Sides: sides, Report: rep, Longer: l}, nil
}

// decideMinimal decides the claim minimal alone if o asks for it together with other claims. It returns the options for the other claims,
// with minimal if it is proved, and the report of minimal, or nil.
func decideMinimal(ctx context.Context, p *program.Program, o Options) (Options, *Report, error) {
	if !slices.Contains(o.Claims, "minimal") || len(o.Claims) == 1 {
		return o, nil, nil
	}
	alone := o
	alone.Claims, alone.Each, alone.Flow = []string{"minimal"}, false, nil
	r, err := proveClaims(ctx, p, alone)
	if err != nil {
		return o, nil, err
	}
	if r.Verdict != verify.Proved {
		o.Claims = withoutMinimal(o.Claims)
	}
	return o, r, nil
}

// proveBeside proves the claims of o, to which decideMinimal has added minimal if that is proved. If they are not decided together, it
// proves the others without minimal.
func proveBeside(ctx context.Context, p *program.Program, o Options) (*Report, error) {
	r, err := proveClaims(ctx, p, o)
	if err != nil || r.Verdict != verify.Undecided || len(o.Claims) < 2 || !slices.Contains(o.Claims, "minimal") {
		return r, err
	}
	o.Claims = withoutMinimal(o.Claims)
	return proveClaims(ctx, p, o)
}

func withoutMinimal(claims []string) []string {
	return slices.DeleteFunc(slices.Clone(claims), func(c string) bool { return c == "minimal" })
}

// takeMinimal adds what decideMinimal found to the report of the other claims.
func (r *Report) takeMinimal(alone *Report) error {
	if alone == nil {
		return nil
	}
	if len(alone.Claims) != 1 {
		return errors.New("internal error: the claim minimal was not decided alone")
	}
	found := alone.Claims[0]
	if r.Verdict == verify.Proved && alone.Verdict != verify.Proved { // the proof of the other claims is kept
		others := *r
		r.Alone = append(r.Alone, &others)
	}
	i := slices.IndexFunc(r.Claims, func(c Claim) bool { return c.Name == found.Name })
	if i >= 0 && r.Claims[i].Verdict != verify.Undecided {
		return nil
	}
	if i < 0 {
		r.Claims = append(r.Claims, found)
	} else {
		r.Claims[i] = found
	}
	if r.Longer = alone.Longer; alone.Verdict == verify.Proved {
		r.Alone = append(r.Alone, alone)
	}
	if alone.Verdict == verify.Refuted || alone.Verdict == verify.Undecided && r.Verdict == verify.Proved {
		r.Verdict = alone.Verdict
	}
	return nil
}
