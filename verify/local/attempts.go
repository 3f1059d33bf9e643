package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file searches for a proof in several ways, the simplest first.

// attempt is a way to search for a proof.
type attempt struct {
	level  int
	escape []int
	some   bool // each packet is permitted some channel of greater rank
	paths  bool // nothing is proved of deadlocks
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

// prove searches for proofs of the claims that are open. It returns why claims stay undecided.
func (r *Report) prove(ctx context.Context, p *program.Program, net *everysize.Network, o Options) (why string, err error) {
	if !r.deadlock {
		if why, err = r.proveRanks(ctx, p, net, o); err != nil {
			return "", err
		}
	}
	if r.Certificate != nil || !r.is(cert.ClaimConnected, verify.Undecided) && !r.is(cert.ClaimLivelockFree, verify.Undecided) {
		return why, nil
	}
	return why, r.provePaths(ctx, p, net, o)
}

// costOfPaths bounds what the search for a proof may cost if it is about paths only.
const costOfPaths = mostCost / 20

// provePaths searches for a proof of livelock-free, and of connected, without deadlock-free.
func (r *Report) provePaths(ctx context.Context, p *program.Program, net *everysize.Network, o Options) error {
	undecided := func(why string) {
		for _, name := range AllClaims[1:] {
			if c := r.claim(name); c != nil && c.Verdict == verify.Undecided && (name != cert.ClaimConnected || c.Reason == "") {
				c.Reason = why
			}
		}
	}
	if r.is(cert.ClaimLivelockFree, verify.Refuted) {
		undecided("a packet can be forwarded in a loop, and it is proved that packets arrive only if all their paths are finite")
		return nil
	}
	why, cheap := "", o
	cheap.cost = min(max(1, o.cost/4), costOfPaths)
	for _, connected := range []bool{true, false} {
		if connected && !r.is(cert.ClaimConnected, verify.Undecided) || !connected && r.claim(cert.ClaimLivelockFree) == nil {
			continue
		}
		for level := range 2 {
			s := newSearcher(ctx, net, cheap, level)
			e, err := s.evidence(attempt{level: level, paths: true})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				why = cmp.Or(why, err.Error())
				continue
			}
			e.Connected = connected
			c, left, err := r.certificate(s, p, e, o, true)
			if err != nil {
				return err
			}
			if c == nil {
				why = cmp.Or(why, left)
				continue
			}
			r.accept(s, e, c)
			return nil
		}
		undecided(why)
		why = ""
	}
	return nil
}

// proveRanks searches for a proof with ranks of channels.
func (r *Report) proveRanks(ctx context.Context, p *program.Program, net *everysize.Network, o Options) (why string, err error) {
	var reasons []string
	defer func() {
		if len(reasons) > 0 && why != "" {
			why = reasons[0]
		}
	}()
	why = "no rank was found"
	for _, a := range attempts(net, o, r.cyclic) {
		s := newSearcher(ctx, net, o, a.level)
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
			reasons = append(reasons, s.noRank())
			continue
		}
		for _, connected := range []bool{true, false} {
			if connected && r.is(cert.ClaimConnected, verify.Refuted) {
				continue
			}
			e.Connected = connected
			c, left, err := r.certificate(s, p, e, o, false)
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
	r.Certificate, r.Proved, r.Some, r.Paths = c, s.count, e.Some, c.Claim(cert.ClaimDeadlockFree) == nil
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
	if r.Paths {
		theorems[cert.ClaimLivelockFree] = theoremMeasure
	}
	if e.Some {
		theorems[cert.ClaimDeadlockFree], theorems[cert.ClaimLivelockFree] = theoremSome, theoremMeasure
	}
	for i := range r.Claims {
		if c.Claim(r.Claims[i].Name) != nil {
			r.Claims[i].Reason = ""
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
	e := &cert.EveryNetwork{Classes: []cert.NetworkClass{}, Ranks: []cert.NetworkRank{}, Escape: cert.Ints{}, Proofs: cert.Ints{}}
	if a.paths {
		s.conditions(e)
		s.measures(e)
		return e, nil
	}
	escape := a.escape
	ranked := func(vc int) bool { return escape == nil || slices.Contains(escape, vc) }
	pieces, err := s.rank(ranked)
	if pieces == nil || err != nil {
		return nil, err
	}
	e.Some = a.some
	for _, vc := range escape {
		e.Escape = append(e.Escape, int32(vc))
	}
	if s.conditions(e); escape != nil || a.some {
		s.measures(e)
	}
	for _, x := range pieces {
		e.Ranks = append(e.Ranks, cert.NetworkRank{VC: x.vc, When: x.when, Rank: strings.Join(x.rank, ", ")})
	}
	return e, nil
}

// conditions lists the classes that packets reach.
func (s *searcher) conditions(e *cert.EveryNetwork) {
	for _, c := range s.classes {
		if len(c.cubes) > 0 {
			e.Classes = append(e.Classes, cert.NetworkClass{VC: c.VC, State: c.State, Carries: c.Carries, Holds: c.text()})
		}
	}
}

// measures gives classes groups and measures: the strong component of the class, and the distance to the destination, or to the switch that
// the header carries.
func (s *searcher) measures(e *cert.EveryNetwork) {
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
}
