package verify

import (
	"context"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file decides dimension-order routing by the lines of a grid. A torus of a million
// switches costs as much as a ring of a thousand. Package verify/cert/product has the
// proof.
//
// Promise: verdicts and counts equal those of exploring all states; tests compare both.
// The cycle and its packets are those of one line, placed on the line through the
// origin.
// Cost: that of Check for each line.

// line is one dimension and its report.
type line struct {
	dim  int
	side int
	rep  *Report
	// first counts the VCs of the line that a packet may enter first, and last those from
	// which a packet may be delivered.
	first, last int64
}

// checkLines decides r by its lines. If r is not a product, or its lines do not decide it,
// checkLines returns nil.
func checkLines(ctx context.Context, r model.Relation, o Options) (*Report, error) {
	p, ok := r.(model.DimensionOrdered)
	if !ok || o.Waiting == model.WaitMixed {
		return nil, nil
	}
	order := p.DimensionOrder()
	if len(order) < 2 {
		return nil, nil // not a product, or a single line
	}
	lines := make([]*line, len(order))
	for i, d := range order {
		l, err := checkLine(ctx, p, d, o)
		if err != nil {
			return nil, err
		}
		if l.rep.Connected.Verdict != Proved || l.rep.LivelockFree.Verdict != Proved || l.rep.DeadlockFree.Verdict == Undecided ||
			l.rep.Acyclic.Verdict != l.rep.DeadlockFree.Verdict ||
			l.rep.DeadlockFree.Verdict == Refuted && o.Facts.On(p.Network()).AreKnown() { // lines know no sizes
			return nil, nil // the states must decide
		}
		lines[i] = l
	}
	return joinLines(p, lines, o)
}

// checkLine decides one line.
func checkLine(ctx context.Context, p model.DimensionOrdered, d int, o Options) (*line, error) {
	r, err := p.Line(d)
	if err != nil {
		return nil, err
	}
	l := &line{dim: d, side: r.Network().NumSwitches()}
	if l.rep, err = Check(ctx, r, Options{Switching: o.Switching, Waiting: o.Waiting, NoPairs: true, made: made{isLine: true}}); err != nil {
		return nil, err
	}
	first, last := map[model.VCID]bool{}, map[model.VCID]bool{}
	x := cdg.NewExplorer(r)
	for dest := range model.DestID(r.Destinations()) {
		s := x.Explore(dest)
		for i, st := range s.States {
			hops, next := s.HopsOf(i)
			for k, h := range hops {
				if s.From[i] < 0 && next[k] >= 0 {
					first[h.VC] = true
				}
				if s.From[i] >= 0 && next[k] == cdg.Delivered {
					last[st.VC] = true
				}
			}
		}
	}
	l.first, l.last = int64(len(first)), int64(len(last))
	return l, nil
}

// joinLines returns the report of the whole grid.
func joinLines(p model.DimensionOrdered, lines []*line, o Options) (*Report, error) {
	n := p.Network()
	rep := &Report{Relation: p, Switching: o.Switching, Waiting: o.Waiting, inquiry: inquiry{open: o.Open, facts: o.Facts.On(n)}}
	c := &cert.Certificate{Schema: cert.Schema, Subject: cert.Subject{
		Switching: string(o.Switching), Inputs: o.Inputs,
		Network: cert.Network{Switches: []string{}, Links: cert.Ints{}, Endpoints: []string{}, Attach: cert.Ints{}},
		Product: &cert.Product{Hosts: n.NumHosts() / n.NumSwitches()},
	}}
	if f := makeFacts(o.Facts.On(n), false); f != nil && len(f.Buffers) <= 1 { // not for each channel: the certificate has only lines
		c.Subject.Facts = f
	}
	if c.Subject.Inputs == nil {
		c.Subject.Inputs = []cert.Input{}
	}
	if o.Waiting == model.WaitOne {
		c.Subject.Waiting = cert.WaitingOne
	}
	worst := lines[0]
	for i, l := range lines {
		part := l.rep.Certificate
		c.Subject.Product.Lines = append(c.Subject.Product.Lines,
			cert.Line{Network: part.Subject.Network, Relation: *part.Subject.Relation, Claims: part.Claims})
		copies := int64(n.NumSwitches() / l.side)
		rep.Counts.add(l.rep.Counts, copies)
		for _, later := range lines[i+1:] { // turns from this dimension into a later one
			rep.Counts.Dependencies += l.last * later.first * int64(n.NumSwitches()/l.side/later.side)
		}
		if k := len(l.rep.Cycle); k > 0 && (len(worst.rep.Cycle) == 0 || k < len(worst.rep.Cycle)) {
			worst = l
		}
		rep.Routes.Longest += max(l.rep.Routes.Longest, 1) - 1 // 0 on a line of one switch
	}
	if rep.Routes.Pairs = int64(n.NumHosts()) * int64(n.NumHosts()-1); rep.Routes.Pairs > 0 {
		rep.Routes.Longest++
	}
	rep.Acyclic, rep.DeadlockFree = worst.rep.Acyclic, worst.rep.DeadlockFree
	rep.Connected, rep.LivelockFree = worst.rep.Connected, worst.rep.LivelockFree
	lift := lineEmbedding{n, worst}
	rep.Cycle, rep.CyclePackets, rep.Configuration = lift.vcs(worst.rep.Cycle), lift.packets(worst.rep.CyclePackets), lift.packets(worst.rep.Configuration)
	if worst.rep.Chosen != nil {
		rep.Chosen = lift.vcs(worst.rep.Chosen)
	}
	rep.Schedule, rep.Reached = worst.rep.Schedule, worst.rep.Reached

	hops := int64(rep.Routes.Longest)
	c.Claims = []cert.Claim{
		{Claim: cert.ClaimAcyclic, Verdict: string(rep.Acyclic.Verdict), Evidence: cert.EvidenceLines},
		{Claim: cert.ClaimDeadlockFree, Verdict: string(rep.DeadlockFree.Verdict), Evidence: cert.EvidenceLines},
		{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceLines, Pairs: &rep.Routes.Pairs},
		{Claim: cert.ClaimLivelockFree, Verdict: cert.Proved, Evidence: cert.EvidenceLines, Hops: &hops},
	}
	if rep.DeadlockFree.Verdict == Proved {
		c.Claims[1].Evidence = cert.EvidenceAcyclic
	}
	if rep.Schedule != nil {
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimReached, Verdict: cert.Proved, Evidence: cert.EvidenceLines})
	}
	return rep, rep.finish(o, c)
}

// lineEmbedding maps a line to the line of the grid through the origin.
type lineEmbedding struct {
	net  *model.Network
	line *line
}

// switchAt returns the switch of the grid for switch u of the line.
func (l lineEmbedding) switchAt(u model.SwitchID) model.SwitchID {
	coords := make([]int, l.net.Grid().Dims())
	coords[l.line.dim] = int(u)
	return l.net.Grid().At(coords)
}

// host returns the first host at switch u of the line.
func (l lineEmbedding) host(u model.SwitchID) model.HostID {
	at := l.switchAt(u)
	for _, c := range l.net.Out(at) {
		if h := l.net.HostOf(c); h != model.NoHost {
			return h
		}
	}
	panic("verify: a product has a switch without hosts")
}

func (l lineEmbedding) vc(v model.VCID) model.VCID {
	small := l.line.rep.Relation.Network()
	c, i := small.Channel(v)
	switch small.Kind(c) {
	case model.Inject:
		return l.net.VC(l.net.InjectChannel(l.host(small.Head(c))), i)
	case model.Eject:
		return l.net.VC(l.net.EjectChannel(l.host(small.Tail(c))), i)
	}
	port := model.PlusPort(l.line.dim)
	if small.TailPort(c) == model.MinusPort(0) {
		port = model.MinusPort(l.line.dim)
	}
	return l.net.VC(l.net.OutAt(l.switchAt(small.Tail(c)), port), i)
}

func (l lineEmbedding) vcs(list []model.VCID) []model.VCID {
	out := make([]model.VCID, len(list))
	for i, v := range list {
		if out[i] = v; v >= 0 {
			out[i] = l.vc(v)
		}
	}
	return out
}

func (l lineEmbedding) packets(list []*cdg.Packet) []*cdg.Packet {
	out := make([]*cdg.Packet, len(list))
	for i, p := range list {
		small := l.line.rep.Relation
		to := l.host(small.Network().Host(small.DestinationHost(p.Dest)).Switch)
		q := &cdg.Packet{Source: l.host(small.Network().Host(p.Source).Switch), Dest: model.DestID(to)}
		for _, s := range p.Path {
			q.Path = append(q.Path, model.State{VC: l.vc(s.VC), Dest: q.Dest, Class: s.Class})
		}
		out[i] = q
	}
	return out
}
