// Package gates judges relations with gates: packets that wait for room on the next VC and, at
// some hops, also for buffers ahead to be less full.
//
// Read first: gates.go, counted.go, configuration.go, arrival.go, run.go, states.go.
package gates

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges proofs by rounds (evidence "gated-order").
//
// Two conditions can hold for ever: the first packet of a VC is blocked (the VC is taken), and the
// bit of a VC is set, because its buffer never has more free slots than the level. Ranks and
// Clear give for each VC the rounds that exclude these. A gate opens in round k if it is open
// while exactly the bits of VCs with Clear >= k are set. With gates by flit a packet may also
// pass through a VC for ever: its head has moved on, and its other flits wait at a gate. The
// VC is passed through, from a VC before it, until that gate opens, where the VCs that the packet has
// been on since the gate are empty. (With reserved slots they do not count as empty, if the slots of one
// packet set the bit.) These rules must hold:
//
//  1. A state that waits on VC v has a hop that helps it in round Ranks[v]. The hop leads to
//     an ejection channel, or to a VC of smaller Ranks whose gate, if any, opens by then. No packets
//     from VCs other than v pass through it beyond that round; through the ejection channel, those
//     from fewer VCs than it has. The same holds in round Clear[v] if whole packets fill a buffer
//     up to the level.
//  2. With gates by flit: let a gated hop from v be a hop of a reachable state. Its gate opens by
//     round Ranks[v]. It also opens by round Clear[v] if a buffer can fill up to the level
//     while its first packet passes the gate. This is not needed if no bit is set after flits have moved
//     up to their heads (counted.go).
//  3. With gates by flit and reserved slots, if one packet fills a buffer up to the level: a VC v
//     is passed through until round Clear[v] at most. A packet that passes through is alone in v:
//     those before it have left, and none enters behind it.
//
// Proof. By induction over k, moves without new packets empty all VCs with Ranks < k, and clear
// all bits with Clear < k. Then gates that open by round k are open. Let v have Ranks or Clear k.
// If the head of v's first packet waits, it has a hop that helps, to a VC that is empty. By rule 1
// packets from other VCs that pass through that VC pass completely, because their gates are
// open. A packet that came from v has no flits left in v: they would be before the first packet.
// If the head of v's first packet is beyond a gate that stops the rest, rule 2 opens the gate. If
// packets that pass through set the bit of v, rule 3 applies. Flits that are not before a closed
// gate move up, because a VC is given only with room for the whole packet. (With gates by packet
// no packet passes through for ever, and ejection always helps.) The steps in full:
// docs/theorems/gates.md.
//
// Additional premises: a gate that only moving packets close opens while a packet waits, and
// control information arrives in finite time.

const (
	maxBits      = 20      // bits that can close a gate
	mostGatedVCs = 1 << 28 // VCs between switches, so that never exceeds every rank
	never        = 1 << 30 // the round of a gate that never opens
)

func init() { cert.Register([]cert.SubjectKind{subjectKind()}, evidenceKinds()) }

// subjectKind returns the kind of subject that this package judges.
func subjectKind() cert.SubjectKind {
	return cert.SubjectKind{
		Name: "gates", Title: "a relation with gates",
		Has:     func(s *cert.Subject) bool { return s.Relation != nil && s.Gates != nil },
		Open:    open,
		Summary: cert.RelationSummary,
	}
}

var subject = []string{subjectKind().Name}

// evidenceKinds returns the kinds of evidence that this package judges.
func evidenceKinds() []cert.Kind {
	return []cert.Kind{
		{Subjects: subject, Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceGatedOrder,
			Fields: []string{"ranks", "clear"}, Judge: cert.JudgeBy((*gated).order),
			Premises: func(s *cert.Subject) []string {
				return []string{bufferSizes(s.Gates), "control information arrives in finite time, and a gate that no blocked packet " +
					"keeps closed opens while a packet waits"}
			}},
		{Subjects: subject, Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceGatedConfiguration,
			Fields: []string{"packets", "flits"}, Judge: cert.JudgeBy((*gated).configuration),
			Premises: func(s *cert.Subject) []string {
				return []string{bufferSizes(s.Gates), "a packet may stay where it is while others arrive"}
			}},
		{Subjects: subject, Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceGatedRun,
			Fields: []string{"packets", "steps"}, Judge: cert.JudgeBy((*gated).run),
			Premises: func(s *cert.Subject) []string {
				return []string{bufferSizes(s.Gates), "a packet may stay where it is while others arrive"}
			}},
		{Subjects: subject, Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceGatedStates,
			Fields: []string{"ranks", "clear"}, Judge: cert.JudgeBy((*gated).states),
			Premises: func(s *cert.Subject) []string {
				return []string{bufferSizes(s.Gates)}
			}, Needs: []cert.Need{cert.NeedInstant}},
	}
}

func bufferSizes(g *cert.Gates) string {
	if g == nil {
		return "no gates" // Check rejects it
	}
	return fmt.Sprintf("all packets have %d flits, and a buffer has room for %d", g.Packet, g.Buffer)
}

// open validates the gates and the relation, and enumerates its states.
func open(c *cert.Certificate) (any, error) {
	r, err := cert.OpenRouting(c)
	if err != nil {
		return nil, err
	}
	g, err := newGated(c, r)
	if err != nil {
		return nil, err
	}
	return g, r.Enumerate()
}

// gated is a validated relation with gates.
type gated struct {
	*cert.Gates
	*cert.Routing
	stores bool    // store-and-forward
	vcs    int32   // per channel
	exempt []bool  // by VC
	opens  []int32 // by VC: the round in which its gate opens
	clear  []int32 // by VC: the round that clears its bit
	least  map[passer]int32
	passed [][2]passing // by VC: the last rounds in which it is passed through, from two VCs
	kept   [][]passing  // by ejection channel: the last round in which packets from each VC pass through
}

// passing is the last round in which packets from a VC pass through. Round 0: none pass.
type passing struct{ from, round int32 }

// newGated validates the gates of a subject.
func newGated(c *cert.Certificate, r *cert.Routing) (*gated, error) {
	g := c.Subject.Gates
	stores := c.Subject.Switching == "saf"
	if c.Subject.Switching != "vct" && !stores {
		return nil, cert.Reject("subject", "gates with switching %s; want vct or saf", c.Subject.Switching)
	}
	if g.ByFlit && stores {
		return nil, cert.Reject("subject", "gates by flit with switching saf; want gates by packet")
	}
	if g.Packet < 1 || g.Buffer < g.Packet || g.Buffer > 1<<20 || g.Level < 0 || g.Level >= g.Buffer {
		return nil, cert.Reject("subject", "gates: packets of %d flits in buffers of %d, level %d", g.Packet, g.Buffer, g.Level)
	}
	if g.VCs != "own" && g.VCs != "any" && g.VCs != "all" {
		return nil, cert.Reject("subject", "gates: VCs %.20q; want own, any or all", g.VCs)
	}
	if len(g.Weights) < 1 || len(g.Weights) > maxBits || g.Most < 0 {
		return nil, cert.Reject("subject", "gates: %d bits, closed above %d", len(g.Weights), g.Most)
	}
	for i, w := range g.Weights {
		if w < 0 || w > 1<<56 {
			return nil, cert.Reject("subject", "gates: bit %d has weight %d", i, w)
		}
	}
	channels := r.LinkVCs() / int(r.Wiring.VCs)
	if len(g.Axis) != channels || len(g.Ahead) != channels {
		return nil, cert.Reject("subject", "gates: %d axes and %d channels ahead of %d channels", len(g.Axis), len(g.Ahead), channels)
	}
	for c, a := range g.Ahead {
		if g.Axis[c] < 0 || a < -1 || int(a) >= channels {
			return nil, cert.Reject("subject", "gates: channel %d has axis %d, ahead is %d", c, g.Axis[c], a)
		}
		if a >= 0 && r.Head[r.Back(a)] != r.Head[c] {
			return nil, cert.Reject("subject", "gates: channel %d is not ahead of channel %d", a, c)
		}
	}
	if surplus := g.Buffer - (2*g.Packet - 1); g.Atomic && surplus > 0 { // a buffer with room for one packet
		less := *g
		less.Buffer, less.Level = g.Buffer-surplus, g.Level-surplus
		g = &less
	}
	x := &gated{Gates: g, Routing: r, stores: stores, vcs: r.Wiring.VCs, exempt: make([]bool, r.LinkVCs())}
	for i, v := range g.Exempt {
		if v < 0 || int(v) >= r.LinkVCs() || i > 0 && v <= g.Exempt[i-1] {
			return nil, cert.Reject("subject", "gates: VC %d, exempt number %d", v, i)
		}
		x.exempt[v] = true
	}
	return x, nil
}

// hasGate reports whether a hop between VCs has a gate.
func (g *gated) hasGate(from, to int32) bool {
	if int(to) >= g.LinkVCs() || g.exempt[to] {
		return false
	}
	if int(from) >= g.LinkVCs() {
		return g.Injection
	}
	return g.Turns && g.Axis[from/g.vcs] != g.Axis[to/g.vcs]
}

// closed reports whether the gate of VC to is closed. set reports which bits are set.
func (g *gated) closed(to int32, set func(vc int32) bool) bool {
	sum := int64(0)
	c := to / g.vcs
	for i := 0; i < len(g.Weights) && c >= 0; i++ {
		if g.bit(c, to%g.vcs, set) {
			sum += g.Weights[i]
		}
		c = g.Ahead[c]
	}
	return sum > g.Most
}

// bit returns the bit of a channel for a VC index.
func (g *gated) bit(c, index int32, set func(vc int32) bool) bool {
	if g.VCs == "own" {
		return set(c*g.vcs + index)
	}
	count := int32(0)
	for i := range g.vcs {
		if set(c*g.vcs + i) {
			count++
		}
	}
	return g.VCs == "any" && count > 0 || count == g.vcs
}

// maxSlots returns the most slots that stay taken in a buffer: by whole packets, and while the
// first packet passes a gate.
func (g *gated) maxSlots() (whole, partly int) {
	n := g.Buffer / g.Packet
	whole, partly = n*g.Packet, n*g.Packet
	for first := 1; first < g.Packet; first++ {
		behind := (g.Buffer - first) / g.Packet
		if g.Reserved {
			partly = max(partly, (1+behind)*g.Packet)
		} else {
			partly = max(partly, first+behind*g.Packet)
		}
	}
	return whole, partly
}

// order judges Ranks and Clear.
func (g *gated) order(claim *cert.Claim) error {
	return g.rounds(claim, slices.Clone(*claim.Ranks), slices.Clone(*claim.Clear), 0)
}

// rounds judges ranks and clear. Numbers from least to -1 say that nothing is excluded, and become never.
func (g *gated) rounds(claim *cert.Claim, ranks, clear []int32, least int32) error {
	n := g.LinkVCs()
	if n > mostGatedVCs {
		return cert.Reject(claim.Claim, "%d VCs between switches; want at most %d", n, mostGatedVCs)
	}
	if len(ranks) != n || len(clear) != n {
		return cert.Reject(claim.Claim, "%d ranks and %d numbers of clear for %d VCs between switches", len(ranks), len(clear), n)
	}
	for v := range ranks {
		if ranks[v] < least || int(ranks[v]) > 2*n || clear[v] < least || int(clear[v]) > 2*n {
			return cert.Reject(claim.Claim, "VC %d has rank %d and clear %d; want %d to %d", v, ranks[v], clear[v], least, 2*n)
		}
		for _, number := range []*int32{&ranks[v], &clear[v]} {
			if *number < 0 {
				*number = never
			}
		}
	}
	g.opens, g.clear, g.least = make([]int32, n), clear, map[passer]int32{}
	for v := range int32(n) {
		g.opens[v] = g.openRound(passer{v, 0})
	}
	g.passed, g.kept = make([][2]passing, n), make([][]passing, g.Endpoints)
	for d := 0; g.ByFlit && d < g.destinations(); d++ {
		g.findPassed(d)
	}
	whole, partly := g.maxSlots()
	nearly := g.Buffer - g.Level
	counted := least == 0 && g.counted(whole, nearly)
	for d := range g.destinations() {
		lo, hi := g.StatesTo(d)
		for i := lo; i < hi; i++ {
			v := g.State(i).VC
			if int(v) >= n {
				continue
			}
			hops := g.Hops(i)
			if ranks[v] < never && !g.helped(v, hops, ranks, ranks[v]) ||
				clear[v] < never && whole >= nearly && !g.helped(v, hops, ranks, clear[v]) {
				return cert.Reject(claim.Claim, "a packet to destination %d may wait on VC %d: no hop helps it by round %d, or %d", d, v, ranks[v], clear[v])
			}
			for j := 0; g.ByFlit && j < len(hops); j += 2 {
				w := hops[j]
				if g.hasGate(v, w) && (g.opens[w] > ranks[v] || partly >= nearly && !counted && g.opens[w] > clear[v]) {
					return cert.Reject(claim.Claim, "a packet to destination %d may stop between VC %d and VC %d, whose gate opens in "+
						"round %d", d, v, w, g.opens[w])
				}
			}
		}
	}
	for v := range n {
		if until := g.passed[v][0].round; g.Reserved && g.Packet >= nearly && until > clear[v] {
			return cert.Reject(claim.Claim, "a packet may pass through VC %d until a gate opens, in round %d", v, until)
		}
	}
	return nil
}

// passer is a packet that has passed the gate of a VC: its head is beyond it. It has been on some of the VCs that the
// gate looks at, which are empty.
type passer struct {
	gate int32
	been uint64 // bit i*vcs+k for VC k of channel i ahead, if that is below 64
}

// openRound returns the first round in which a gate is open: the first round, or one after a round that clears one of
// its bits.
func (g *gated) openRound(p passer) int32 {
	if round, ok := g.least[p]; ok {
		return round
	}
	open := func(k int32) bool {
		return !g.closed(p.gate, func(vc int32) bool { return g.clear[vc] >= k && g.bits(p.gate, vc)&p.been == 0 })
	}
	least := int32(never)
	if open(0) {
		least = 0
	}
	c := p.gate / g.vcs
	for i := 0; least > 0 && i < len(g.Weights) && c >= 0; i++ {
		for j := range g.vcs {
			if k := g.clear[c*g.vcs+j] + 1; k < least && open(k) {
				least = k
			}
		}
		c = g.Ahead[c]
	}
	g.least[p] = least
	return least
}

// bits returns the bits of a VC in passer.been.
func (g *gated) bits(to, vc int32) (bits uint64) {
	c := to / g.vcs
	for i := int32(0); int(i) < len(g.Weights) && c >= 0; i++ {
		if at := i*g.vcs + vc%g.vcs; c == vc/g.vcs && at < 64 {
			bits |= 1 << at
		}
		c = g.Ahead[c]
	}
	return bits
}

// helped reports whether a state on VC v has a hop that helps in a round. A state without
// hops does not wait.
func (g *gated) helped(v int32, hops, ranks []int32, round int32) bool {
	if len(hops) == 0 {
		return true
	}
	for j := 0; j < len(hops); j += 2 {
		w := hops[j]
		if int(w) >= g.LinkVCs() {
			if !g.ByFlit || g.keptUntil(w, v) <= round {
				return true
			}
			continue
		}
		if ranks[w] < round && g.passedUntil(w, v) <= round && (!g.hasGate(v, w) || g.opens[w] <= round) {
			return true
		}
	}
	return false
}

// keptUntil returns the last round in which packets from VCs other than except keep all of ejection VC w's channel. Packets
// that wait at gates come from different VCs, and each keeps one VC of the channel.
func (g *gated) keptUntil(w, except int32) int32 {
	var rounds []int32
	for _, p := range g.kept[w/g.vcs-g.Ejection(0)] {
		if p.from != except {
			rounds = append(rounds, p.round)
		}
	}
	if len(rounds) < int(g.vcs) {
		return 0
	}
	slices.Sort(rounds)
	return rounds[len(rounds)-int(g.vcs)]
}

// keep records that packets from a VC keep an ejection VC until a round.
func (g *gated) keep(from, to, round int32) {
	list := &g.kept[to/g.vcs-g.Ejection(0)]
	if k := slices.IndexFunc(*list, func(p passing) bool { return p.from == from }); k >= 0 {
		(*list)[k].round = max((*list)[k].round, round)
	} else {
		*list = append(*list, passing{from, round})
	}
}

// passedUntil returns the last round in which packets from VCs other than except pass through
// VC w.
func (g *gated) passedUntil(w, except int32) int32 {
	if p := g.passed[w]; p[0].from == except {
		return p[1].round
	}
	return g.passed[w][0].round
}

// pass records that packets from a VC pass through another VC until a round.
func (g *gated) pass(from, to, round int32) {
	p := &g.passed[to]
	switch {
	case from == p[0].from:
		p[0].round = max(p[0].round, round)
	case round > p[0].round:
		p[0], p[1] = passing{from, round}, p[0]
	case round > p[1].round:
		p[1] = passing{from, round}
	}
}

// findPassed finds the VCs that packets to destination d pass through.
func (g *gated) findPassed(d int) {
	type item struct {
		state int
		passer
	}
	lo, hi := g.StatesTo(d)
	known := map[item]bool{}
	var work []item
	pass := func(from int32, hop []int32, p passer) {
		to := hop[0]
		if int(to) >= g.LinkVCs() {
			if round := g.openRound(p); round > 0 {
				g.keep(from, to, round)
			}
			return
		}
		if !g.Reserved || g.Packet < g.Buffer-g.Level {
			p.been |= g.bits(p.gate, to)
		}
		round := g.openRound(p)
		if round == 0 {
			return // with more empty VCs, too
		}
		g.pass(from, to, round)
		if x := (item{g.Find(lo, hi, cert.State{VC: to, Class: hop[1]}), p}); !known[x] {
			known[x] = true
			work = append(work, x)
		}
	}
	for i := lo; i < hi; i++ {
		for hops := g.Hops(i); len(hops) > 0; hops = hops[2:] {
			if from := g.State(i).VC; g.hasGate(from, hops[0]) {
				pass(from, hops, passer{gate: hops[0]})
			}
		}
	}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for hops := g.Hops(x.state); len(hops) > 0; hops = hops[2:] {
			pass(g.State(x.state).VC, hops, x.passer)
		}
	}
}

// destinations returns the number of destinations.
func (g *gated) destinations() int {
	_, ends := g.Traffic()
	return len(ends)
}
