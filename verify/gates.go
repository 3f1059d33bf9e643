package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"turnproof/cdg"
	"turnproof/model"
	"turnproof/model/gate"
	"turnproof/verify/cert"
)

// This file decides deadlock freedom of routings with gates, under virtual cut-through.
//
// A packet then waits for a VC and, where the hop has a gate, for the buffers ahead: for
// any of its hops, and for both at each. The greatest set of VCs that stay taken and of
// bits that stay set is found by excluding what cannot, round by round; where nothing
// is left there is no deadlock, and the rounds are the evidence. The rules, and why they
// suffice, stand in verify/cert/gates.go.
//
// Source: the blocking rule is that of fixpoint.go (Duato, IEEE TPDS 7(8), 1996) with
// waiting for all of a set beside waiting for any; the question is that of T. Yokota,
// K. Ohkawa, K. Ootsu and T. Baba, flow limiting against congestion, section 4.4.
// Cost: O(reachable states x hops) once, then so much for each round as there are
// different ways to wait; by flit also a set of VCs for each state of a destination.

// Gating is a rule with the sizes that its effect depends on.
type Gating struct {
	Rule   gate.Rule
	Packet int // flits of every packet
	Buffer int // flits that fit into a buffer
}

// gatedWaits are the ways to wait, to stop half way and to be beyond a gate.
type gatedWaits struct {
	*waits
	o     *Gating
	gates *gate.Gates
	n     *model.Network
	size  int      // VCs between switches
	gated [][]bool // by way: whether the hop has a gate
	half  []halfWay
	above [][]entry // by VC: how packets that are beyond gates come in
	home  [][]entry // by endpoint: how they come to its ejection channel

	// direct leaves only packets beyond gates that arrive next: fewer than there are, but what
	// is then left fits together more often.
	direct bool
	// building leaves out that a packet half of which has arrived keeps others from arriving.
	building bool
	vcs      gate.VCs // whose bits close a gate

	whole, passing int // the most slots that stay taken in a buffer
}

// halfWay is a hop with a gate; in is an injection VC where that is where it begins.
type halfWay struct {
	in, out model.VCID
	packet  *cdg.Packet // one whose path ends with the two; best, one that arrives next
	arrives bool
}

// entry is a VC by which packets come to another, with the VCs that have a gate before
// them, beyond which they are then.
type entry struct {
	from  model.VCID
	gates []uint64
}

// rounds is what is excluded, and when.
type rounds struct {
	taken, set   []bool   // by VC, not excluded yet: its first packet stands still, its buffer is nearly full
	held         []holder // by VC: packets pass through it
	kept         []holder // by endpoint: packets half of which have arrived keep its ejection channel
	ranks, clear []int32  // by VC: the round in which it was
	closed       []bool   // by VC: the gate before it, in the last round
	shut         []bool   // the same if the VC is empty and slots are not reserved
}

func collectGated(ctx context.Context, r model.Relation, o *Gating) (*gatedWaits, error) {
	gates, err := o.Rule.On(r)
	if err != nil {
		return nil, err
	}
	if o.Packet < 1 || o.Buffer < o.Packet || o.Rule.Level >= o.Buffer {
		return nil, fmt.Errorf("verify: packets of %d flits in buffers of %d, occupancy level %d: a whole packet must fit, and an empty buffer not be nearly full", o.Packet, o.Buffer, o.Rule.Level)
	}
	n := r.Network()
	g := &gatedWaits{o: o, gates: gates, n: n, size: n.NumLinkVCs(), vcs: o.Rule.VCs}
	if g.waits, err = collectWaits(ctx, r); err != nil {
		return nil, err
	}
	for i, v := range g.at {
		in, _ := n.Channel(v)
		list := make([]bool, len(g.next[i]))
		for j, w := range g.next[i] {
			list[j] = gates.Has(in, w)
		}
		g.gated = append(g.gated, list)
	}
	g.whole, g.passing = fullest(o)
	if o.Rule.Unit == gate.Flit {
		return g, g.collectHalf(ctx, r)
	}
	return g, nil
}

// fullest are the most slots that stay taken: by whole packets, and where the first
// has begun to pass a gate.
func fullest(o *Gating) (whole, passing int) {
	whole = o.Buffer / o.Packet * o.Packet
	passing = whole
	for first := 1; first < o.Packet; first++ {
		behind := (o.Buffer - first) / o.Packet
		k := first + behind*o.Packet
		if o.Rule.Buffer == gate.Reserved {
			k = (1 + behind) * o.Packet
		}
		passing = max(passing, k)
	}
	return whole, passing
}

// holder is from which VC a packet that passes through comes.
type holder struct {
	from model.VCID
	any  bool // one does
	more bool // and another from another VC
}

// except reports whether one does that comes from another VC than v.
func (h holder) except(v model.VCID) bool { return h.more || h.any && h.from != v }

func (h *holder) add(from model.VCID) {
	switch {
	case !h.any:
		h.from, h.any = from, true
	case h.from != from:
		h.more = true
	}
}

// collectHalf collects the hops with gates, and what lies beyond each.
func (g *gatedWaits) collectHalf(ctx context.Context, r model.Relation) error {
	words := (g.size + 63) / 64
	g.above, g.home = make([][]entry, g.size), make([][]entry, g.n.NumEndpoints())
	arriving := map[[2]model.VCID]bool{}
	known, x := map[[2]model.VCID]int{}, cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		s := x.Explore(d)
		if err := errors.Join(ctx.Err(), x.Err()); err != nil {
			return err
		}
		sets := make([]uint64, len(s.States)*words) // by state: the gates that lie behind it
		work := make([]int, len(s.States))
		for i := range work {
			work[i] = len(work) - 1 - i
		}
		for len(work) > 0 {
			i := work[len(work)-1]
			work = work[:len(work)-1]
			in, _ := g.n.Channel(s.States[i].VC)
			hops, next := s.HopsOf(i)
			for j, h := range hops {
				if next[j] < 0 {
					continue
				}
				from, to := sets[i*words:(i+1)*words], sets[int(next[j])*words:(int(next[j])+1)*words]
				more := false
				if g.gates.Has(in, h.VC) {
					g.note(known, s, i, h.VC, int(next[j]), d)
					more = to[h.VC>>6]>>(h.VC&63)&1 == 0
					to[h.VC>>6] |= 1 << (h.VC & 63)
				}
				for k, word := range from {
					more = more || word&^to[k] != 0
					to[k] |= word
				}
				if more {
					work = append(work, int(next[j]))
				}
			}
		}
		g.enter(s, sets, words)
		g.arrive(s, d, arriving)
	}
	return nil
}

// arrive adds the ways to wait for an ejection channel, which packets half of which have
// arrived may keep.
func (g *gatedWaits) arrive(s *cdg.Space, d model.DestID, known map[[2]model.VCID]bool) {
	for i, st := range s.States {
		hops, next := s.HopsOf(i)
		if !g.n.IsLinkVC(st.VC) || len(hops) == 0 || slices.Min(next) >= 0 {
			continue
		}
		in, _ := g.n.Channel(st.VC)
		var list []model.VCID
		var gated []bool
		for _, h := range hops {
			list, gated = append(list, h.VC), append(gated, g.gates.Has(in, h.VC))
		}
		if key := [2]model.VCID{st.VC, list[0]}; len(list) > 1 || !known[key] {
			known[key] = true
			path := s.PathTo(i)
			first, _ := g.n.Channel(path[0].VC)
			g.at, g.next, g.gated = append(g.at, st.VC), append(g.next, list), append(g.gated, gated)
			g.packet = append(g.packet, &cdg.Packet{Source: g.n.HostOf(first), Dest: d, Path: path})
		}
	}
}

// enter notes how packets that are beyond gates come into VCs.
func (g *gatedWaits) enter(s *cdg.Space, sets []uint64, words int) {
	for i, st := range s.States {
		in, _ := g.n.Channel(st.VC)
		hops, next := s.HopsOf(i)
		for j, h := range hops {
			var into *[]entry
			if c, _ := g.n.Channel(h.VC); next[j] < 0 {
				into = &g.home[g.n.HostOf(c)]
			} else {
				into = &g.above[h.VC]
			}
			list := *into
			at := slices.IndexFunc(list, func(e entry) bool { return e.from == st.VC })
			if at < 0 {
				at = len(list)
				list = append(list, entry{st.VC, make([]uint64, words)})
				*into = list
			}
			for k, word := range sets[i*words : (i+1)*words] {
				list[at].gates[k] |= word
			}
			if g.gates.Has(in, h.VC) {
				list[at].gates[h.VC>>6] |= 1 << (h.VC & 63)
			}
		}
	}
}

// note keeps a hop with a gate, and a packet that has it.
func (g *gatedWaits) note(known map[[2]model.VCID]int, s *cdg.Space, i int, out model.VCID, to int, d model.DestID) {
	key := [2]model.VCID{s.States[i].VC, out}
	_, after := s.HopsOf(to)
	arrives := len(after) > 0 && slices.Min(after) < 0
	at, ok := known[key]
	if ok && (g.half[at].arrives || !arrives) {
		return
	}
	path := append(slices.Clone(s.PathTo(i)), s.States[to])
	first, _ := g.n.Channel(path[0].VC)
	h := halfWay{in: key[0], out: out, packet: &cdg.Packet{Source: g.n.HostOf(first), Dest: d, Path: path}, arrives: arrives}
	if ok {
		g.half[at] = h
		return
	}
	known[key] = len(g.half)
	g.half = append(g.half, h)
}

// exclude excludes, round by round, what cannot be taken or set for ever, if only VCs of
// a set may be taken, and bits of another be set; nil: all.
func (g *gatedWaits) exclude(only, bits []bool) *rounds {
	r := &rounds{taken: make([]bool, g.size), set: make([]bool, g.size), ranks: make([]int32, g.size), clear: make([]int32, g.size), held: make([]holder, g.size), kept: make([]holder, g.n.NumEndpoints()), closed: make([]bool, g.size), shut: make([]bool, g.size)}
	for v := range r.taken {
		r.taken[v] = only == nil || only[v]
		r.set[v] = r.taken[v] && (bits == nil || bits[v])
	}
	for k := int32(1); g.round(r, k); k++ {
	}
	return r
}

// round does a round, and reports whether anything was excluded.
func (g *gatedWaits) round(r *rounds, k int32) (more bool) {
	shut := make([]uint64, (g.size+63)/64)
	for w := range r.closed {
		r.closed[w] = g.closed(model.VCID(w), r.set, false)
		if r.shut[w] = r.closed[w] && g.closed(model.VCID(w), r.set, g.o.Rule.Buffer == gate.Stored); r.shut[w] {
			shut[w>>6] |= 1 << (w & 63)
		}
	}
	waits, stops := make([]bool, g.size), make([]bool, g.size)
	clear(r.held)
	for _, h := range g.half {
		if g.n.IsLinkVC(h.in) && (r.shut[h.out] && h.arrives || r.closed[h.out] && !g.direct) {
			stops[h.in] = true
		}
		if h.arrives && r.shut[h.out] {
			r.held[h.out].add(h.in)
		}
	}
	if !g.direct {
		keep(r.held, g.above, shut)
	}
	clear(r.kept)
	if !g.building {
		keep(r.kept, g.home, shut)
	}
	for i, v := range g.at {
		waits[v] = waits[v] || g.blocked(r, i)
	}
	nearly := g.o.Buffer - g.o.Rule.Level
	for v := range r.taken {
		taken := waits[v] || stops[v]
		set := waits[v] && g.whole >= nearly || g.passing >= nearly && (stops[v] || r.held[v].any && g.o.Rule.Buffer == gate.Reserved)
		if r.taken[v] && !taken {
			r.taken[v], r.ranks[v], more = false, k, true
		}
		if r.set[v] && !set {
			r.set[v], r.clear[v], more = false, k, true
		}
	}
	return more
}

// keep notes from where packets come that are held before gates that are shut.
func keep(holders []holder, entries [][]entry, shut []uint64) {
	for v, list := range entries {
		for _, e := range list {
			for i, word := range e.gates {
				if word&shut[i] != 0 {
					holders[v].add(e.from)
					break
				}
			}
		}
	}
}

// blocked reports whether way i to wait has no hop that helps.
func (g *gatedWaits) blocked(r *rounds, i int) bool {
	for j, w := range g.next[i] {
		if c, _ := g.n.Channel(w); !g.n.IsLinkVC(w) {
			if g.building || !r.kept[g.n.HostOf(c)].except(g.at[i]) {
				return false
			}
			continue
		}
		if !r.taken[w] && !r.held[w].except(g.at[i]) && !(g.gated[i][j] && r.closed[w]) {
			return false
		}
	}
	return true
}

// closed reports whether the gate before a VC is closed by the bits set; the VC itself
// may be empty.
func (g *gatedWaits) closed(w model.VCID, set []bool, empty bool) bool {
	c, index := g.n.Channel(w)
	info := uint64(0)
	for i := 0; i < len(g.gates.Weights) && c != model.NoChannel; i++ {
		count, own := 0, false
		for k := range g.n.VCs() {
			if v := g.n.VC(c, k); set[v] && !(empty && v == w) {
				count++
				own = own || k == index
			}
		}
		switch g.vcs {
		case gate.Any:
			own = count > 0
		case gate.All:
			own = count == g.n.VCs()
		}
		if own {
			info |= 1 << i
		}
		c = g.gates.Ahead(c)
	}
	return g.gates.Closed(info)
}

// left counts the VCs that a deadlock may consist of.
func (r *rounds) left() (count int) {
	for v := range r.taken {
		if r.taken[v] || r.set[v] {
			count++
		}
	}
	return count
}

// byGates decides a routing with gates.
func byGates(ctx context.Context, rep *Report, o *Gating, accepted func(cert.Claim) bool) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	g, err := collectGated(ctx, rep.Relation, o)
	if err != nil {
		return cert.Claim{}, err
	}
	r := g.exclude(nil, nil)
	claim.Premises = append(claim.Premises, premisesGates(o)...)
	if r.left() == 0 {
		claim.Theorem = theoremGatedOrder
		return cert.Claim{Evidence: cert.EvidenceGatedOrder, Ranks: (*cert.Ints)(&r.ranks), Clear: (*cert.Ints)(&r.clear)}, nil
	}
	config, err := g.configuration(ctx, rep.Relation, func(c *gatedConfiguration) bool { return accepted(c.claim()) })
	if err != nil {
		return cert.Claim{}, err
	}
	if config == nil {
		claim.Verdict = Undecided
		claim.Reason = fmt.Sprintf("%d virtual channels may be blocked for ever, but no configuration was found in which they are", r.left())
		return cert.Claim{}, nil
	}
	claim.Verdict, claim.Theorem = Refuted, theoremGatedConfiguration
	claim.Reason = fmt.Sprintf("%d packets can stand so that none of their flits can move", len(config.packets))
	rep.Configuration, rep.Flits = config.packets, config.flits
	return config.claim(), nil
}

// claim writes a configuration down for the checker.
func (c *gatedConfiguration) claim() cert.Claim {
	var flits cert.Ints
	for _, list := range c.flits {
		for _, k := range list {
			flits = append(flits, int32(k))
		}
	}
	return cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceGatedConfiguration, Packets: packets(c.packets), Flits: &flits}
}

func premisesGates(o *Gating) []string {
	return []string{
		fmt.Sprintf("all packets have %d flits, and a buffer has room for %d", o.Packet, o.Buffer),
		"control information arrives in finite time, and a gate that nothing blocked for ever keeps closed opens while a packet waits",
	}
}

// gateSubject writes the gates down for the checker.
func gateSubject(r model.Relation, o *Gating) (*cert.Gates, error) {
	g, err := o.Rule.On(r)
	if err != nil {
		return nil, err
	}
	n := r.Network()
	s := &cert.Gates{Packet: o.Packet, Buffer: o.Buffer, Level: o.Rule.Level, Reserved: o.Rule.Buffer == gate.Reserved, ByFlit: o.Rule.Unit == gate.Flit, VCs: string(o.Rule.VCs),
		Turns: o.Rule.Place != gate.Injection, Injection: o.Rule.Place != gate.Turns, Weights: g.Weights, Most: g.Most}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		d, _, _ := n.Grid().PortDirection(n.TailPort(c))
		s.Axis, s.Ahead = append(s.Axis, int32(d)), append(s.Ahead, int32(g.Ahead(c)))
	}
	if e, ok := r.(model.Escaper); ok && o.Rule.Exempt {
		for v := range model.VCID(n.NumLinkVCs()) {
			if e.EscapeVC(v) {
				s.Exempt = append(s.Exempt, int32(v))
			}
		}
	}
	return s, nil
}
