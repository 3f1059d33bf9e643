package family

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify/cert"
	_ "github.com/turnproof/turnproof/verify/cert/family" // the judge
)

// This file converts verdicts into certificates of verify/cert.

// Evidence is the content of a certificate: evidence for at least one claim.
type Evidence struct {
	Verdict   *Verdict // for acyclic, proved; or nil
	Witness   *Witness // for acyclic, refuted; or nil
	Connected bool     // the set connects all members
	Apart     *Member  // a member on which From and To are not connected; or nil
	From, To  model.SwitchID
}

// Certificate returns the evidence as a certificate that the checker has accepted. It
// fails if the checker rejects it.
func (d *Decider) Certificate(set space.Set, e Evidence) (*cert.Certificate, error) {
	c := &cert.Certificate{Schema: cert.Schema, Subject: cert.Subject{Switching: "wormhole", Inputs: []cert.Input{}, Family: d.makeFamily(set)}}
	c.Subject.Network = cert.Network{Switches: []string{}, Links: cert.Ints{}, Endpoints: []string{}, Attach: cert.Ints{}}
	if e.Verdict != nil && e.Verdict.Acyclic {
		claim, err := d.ranksClaim(set, e.Verdict)
		if err != nil {
			return nil, err
		}
		c.Claims = append(c.Claims, claim)
	} else if e.Witness != nil {
		m := makeMember(e.Witness.Member)
		for _, v := range e.Witness.Cycle {
			ch, vc := e.Witness.Net.Channel(v)
			m.Cycle = append(m.Cycle, int32(e.Witness.Net.Tail(ch)), int32(e.Witness.Net.Head(ch)), int32(vc))
		}
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimAcyclic, Verdict: cert.Refuted, Evidence: cert.EvidenceFamilyCycle, Member: m})
	}
	switch {
	case e.Connected:
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceFamilyMembers})
	case e.Apart != nil:
		m := makeMember(e.Apart)
		m.From, m.To = int(e.From), int(e.To)
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimConnected, Verdict: cert.Refuted, Evidence: cert.EvidenceFamilyUnreached, Member: m})
	}
	if err := cert.Check(c); err != nil {
		return nil, fmt.Errorf("internal error: the checker rejects a verdict: %w", err)
	}
	return c, nil
}

// makeFamily returns the space and the set in the form of verify/cert.
func (d *Decider) makeFamily(set space.Set) *cert.Family {
	s := d.space
	f := &cert.Family{Kind: string(s.Kind), Dims: s.Dims, VCs: s.VCs, Rule: s.Rule, Tree: string(s.Tree), UTurns: s.UTurns, Allowed: s.Names(set)}
	if s.Kind == space.Given {
		f.Given = &cert.Given{Coordinates: len(s.Coords)}
		for i, dir := range s.Directions {
			g := cert.GivenDirection{Name: dir.Name, Rows: cert.Ints{}}
			for _, row := range s.Places[i].Move {
				for _, x := range row.Head {
					g.Rows = append(g.Rows, int32(x))
				}
				g.Rows = append(g.Rows, int32(row.Least))
			}
			f.Given.Directions = append(f.Given.Directions, g)
		}
	}
	return f
}

// makeMember returns a member in the form of verify/cert.
func makeMember(m *Member) *cert.Member {
	w := &cert.Member{Sides: cert.Ints{}, Links: cert.Ints{}, At: cert.Ints{}, Cycle: cert.Ints{}}
	if g := m.Net.Grid(); g != nil {
		for _, side := range g.Sides {
			w.Sides = append(w.Sides, int32(side))
		}
		return w
	}
	var links [][2]int32
	for l := range model.LinkID(m.Net.NumLinks()) {
		k := m.Net.Link(l)
		links = append(links, [2]int32{int32(min(k.A, k.B)), int32(max(k.A, k.B))})
	}
	slices.SortFunc(links, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, l := range links {
		w.Links = append(w.Links, l[0], l[1])
	}
	for _, at := range m.At {
		for _, x := range at {
			w.At = append(w.At, int32(x))
		}
	}
	return w
}

// ranksClaim converts ranks, with the multipliers that prove the increase on each step.
func (d *Decider) ranksClaim(set space.Set, v *Verdict) (cert.Claim, error) {
	ranks, multipliers := cert.Ints{}, cert.Ints{}
	levels := 1
	if len(v.Ranks) > 0 {
		levels = max(1, len(v.Ranks[0]))
	}
	at := func(p, level int) Level {
		if level < len(v.Ranks[p]) {
			return v.Ranks[p][level]
		}
		return Level{0, make([]int, len(d.space.Coords))}
	}
	for p := range v.Ranks {
		for level := range levels {
			l := at(p, level)
			ranks = append(ranks, int32(l.Constant))
			for _, x := range l.Functional {
				ranks = append(ranks, int32(x))
			}
		}
	}
	for _, e := range d.space.Steps(set) {
		for level := range levels {
			a, b := at(e.From, level), at(e.To, level)
			if b.Constant > a.Constant {
				break
			}
			if zero(a.Functional) && zero(b.Functional) {
				continue
			}
			more, strict, err := d.multipliers(e.To, a.Functional, b.Functional)
			if err != nil {
				return cert.Claim{}, err
			}
			multipliers = append(multipliers, more...)
			if strict {
				break
			}
		}
	}
	return cert.Claim{Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceFamilyRanks, Ranks: &ranks, Multipliers: &multipliers}, nil
}

// multipliers returns the multipliers of the rows of a place, after their common
// denominator. strict reports whether the rank increases.
func (d *Decider) multipliers(place int, before, after []int) (list cert.Ints, strict bool, err error) {
	least := d.moves[place].least(before, after)
	if !least.Bounded {
		return nil, false, fmt.Errorf("internal error: the increase of a rank has no lower bound")
	}
	common := big.NewInt(1)
	for _, l := range least.Multipliers {
		q := new(big.Int).GCD(nil, nil, common, l.Denom())
		common.Mul(common, new(big.Int).Quo(l.Denom(), q))
	}
	numbers := []*big.Int{common}
	for _, l := range least.Multipliers {
		numbers = append(numbers, new(big.Int).Mul(l.Num(), new(big.Int).Quo(common, l.Denom())))
	}
	for _, k := range numbers {
		if k.BitLen() > 31 {
			return nil, false, errors.New("cannot write a certificate: the multipliers of a rank exceed 32 bits; give moves with smaller factors")
		}
		list = append(list, int32(k.Int64()))
	}
	return list, least.Value.Sign() > 0, nil
}
