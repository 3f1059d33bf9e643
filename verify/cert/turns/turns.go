// Package turns judges sets of turns: that the allowed turns close no cycle, and that they
// connect all hosts.
//
// Read first: turns.go, tree.go.
package turns

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges a set of turns (cert.Turns): whether its turns close a cycle, and
// whether they connect all hosts.
//
// Layout: each VC has a bit. The bits of the VCs out of one switch are side by side, and
// start at a word of their own. The VCs that may follow a VC are the words, among those
// of the switch that it enters, that are not zero.
// Cost: linear in the certificate. Without a tree, also one search for each switch
// with hosts. A search costs at most one step on words per VC, and ends when all
// hosts are reached: 0.8 s for 1.1 million turns between 67,000 VCs of 2,560
// switches, 0.02 s with a tree. Memory is linear in the certificate.

// Set is a validated set of turns.
type Set struct {
	*cert.Wiring
	list         []int32
	row          []int   // by VC: its place in list, the number of VCs that follow it
	Tail, Enters []int32 // by VC: the switch that it leaves, and the one it enters
	bit          []int   // by VC: its bit
	vcAt         []int32 // by bit
	words        []int   // by switch: the first of its words, and one more
	Outs         []int   // by switch: VCs out of it
	allowed      []word  // by VC
	first        []int   // by VC: the first of its words in allowed, and one more
	HostsAt      []int64 // by switch
	Closed       []bool  // by VC
}

// A word holds those VCs of one word of bits that may follow a VC.
type word struct {
	at   int
	bits uint64
}

// SubjectName is the name of the kind of subject that this package judges.
const SubjectName = "turns"

func init() { cert.Register([]cert.SubjectKind{subjectKind()}, evidenceKinds()) }

// subjectKind returns the kind of subject that this package judges.
func subjectKind() cert.SubjectKind {
	return cert.SubjectKind{
		Name: SubjectName, Title: "a set of turns",
		Has:  func(s *cert.Subject) bool { return s.Turns != nil },
		Open: func(c *cert.Certificate) (any, error) { return Open(c) },
		Summary: func(s *cert.Subject) string {
			vcs := len(s.Network.Links) / 2 * s.Network.VCs
			return fmt.Sprintf("any turns of a set, %d turns between %d VCs", len(s.Turns.Next)-vcs, vcs)
		},
	}
}

var subject = []string{SubjectName}

// evidenceKinds returns the kinds of evidence that this package judges.
func evidenceKinds() []cert.Kind {
	return []cert.Kind{
		{Subjects: subject, Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceNumbering, Fields: []string{"ranks"},
			Judge: cert.JudgeBy((*Set).rising)},
		{Subjects: subject, Claim: cert.ClaimAcyclic, Verdict: cert.Refuted, Evidence: cert.EvidenceTurnCycle, Fields: []string{"cycle"},
			Judge: cert.JudgeBy((*Set).cycle)},
		{Subjects: subject, Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceTurnTree,
			Fields: []string{"pairs", "tree"}, Judge: cert.JudgeBy((*Set).tree)},
		{Subjects: subject, Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceTurnSearch, Fields: []string{"pairs"},
			Judge: cert.JudgeBy((*Set).connected)},
		{Subjects: subject, Claim: cert.ClaimConnected, Verdict: cert.Refuted, Evidence: cert.EvidenceTurnUnreached,
			Fields: []string{"packets", "pairs", "unreachable", "end"}, Judge: cert.JudgeBy((*Set).lost)},
	}
}

// Open rebuilds the network of c and validates its set of turns.
func Open(c *cert.Certificate) (*Set, error) {
	wires, err := cert.Rebuild(&c.Subject.Network)
	if err != nil {
		return nil, err
	}
	return newSet(c.Subject.Turns, wires)
}

// countPairs judges the number of pairs that a claim names.
func (t *Set) countPairs(claim *cert.Claim) error {
	if pairs := int64(t.Hosts) * int64(t.Hosts-1); *claim.Pairs != pairs {
		return cert.Reject(claim.Claim, "%d pairs of source and destination, not %d", pairs, *claim.Pairs)
	}
	return nil
}

// newSet validates the list of turns.
func newSet(s *cert.Turns, wires *cert.Wiring) (*Set, error) {
	n := wires.LinkVCs()
	if len(s.Next) < n { // before memory is allocated for n VCs
		return nil, cert.Reject("subject", "turns: %d numbers for %d VCs between switches", len(s.Next), n)
	}
	t := &Set{Wiring: wires, list: s.Next, row: make([]int, n), first: make([]int, n+1), HostsAt: make([]int64, wires.Switches)}
	for e := range wires.Hosts {
		t.HostsAt[wires.Head[wires.Injection(e)]]++
	}
	t.placeVCs(n)
	if err := t.close(s.Closed); err != nil {
		return nil, err
	}
	at := 0
	for v := range n {
		if at >= len(s.Next) || s.Next[at] < 0 || int(s.Next[at]) > len(s.Next)-at-1 {
			return nil, cert.Reject("subject", "turns: the list is cut off at VC %d", v)
		}
		t.row[v] = at
		if err := t.allow(int32(v)); err != nil {
			return nil, err
		}
		at += 1 + int(s.Next[at])
	}
	if at < len(s.Next) {
		return nil, cert.Reject("subject", "turns: %d numbers behind the last VC", len(s.Next)-at)
	}
	return t, nil
}

// close validates the list of VCs that no packet takes.
func (t *Set) close(list *cert.Ints) error {
	t.Closed = make([]bool, len(t.Tail))
	if list == nil {
		return nil
	}
	last := int32(-1)
	for _, v := range *list {
		if v <= last || int(v) >= len(t.Tail) {
			return cert.Reject("subject", "turns: closed VC %d after VC %d: not ascending, or not between switches", v, last)
		}
		t.Closed[v], last = true, v
	}
	if last < 0 {
		return cert.Reject("subject", "turns: the list of closed VCs is empty")
	}
	return nil
}

// placeVCs gives each of n VCs its bit.
func (t *Set) placeVCs(n int) {
	t.Tail, t.Enters, t.bit = make([]int32, n), make([]int32, n), make([]int, n)
	t.Outs, t.words = make([]int, t.Switches), make([]int, t.Switches+1)
	for v := range int32(n) {
		c := v / t.VCs
		t.Tail[v], t.Enters[v] = t.Head[c^1], t.Head[c]
		t.bit[v] = t.Outs[t.Tail[v]]
		t.Outs[t.Tail[v]]++
	}
	for u, k := range t.Outs {
		t.words[u+1] = t.words[u] + (k+63)/64
	}
	t.vcAt = make([]int32, 64*t.words[t.Switches])
	for v, u := range t.Tail {
		t.bit[v] += 64 * t.words[u]
		t.vcAt[t.bit[v]] = int32(v)
	}
}

// allow validates what follows VC v, and puts it into words.
func (t *Set) allow(v int32) error {
	last := int32(-1)
	for _, w := range t.Next(v) {
		if w <= last || int(w) >= len(t.Tail) {
			return cert.Reject("subject", "turns: what follows VC %d has VC %d after VC %d: not ascending, or not between switches", v, w, last)
		}
		if t.Tail[w] != t.Enters[v] {
			return cert.Reject("subject", "turns: VC %d does not leave switch %d, which VC %d enters", w, t.Enters[v], v)
		}
		if t.Closed[v] || t.Closed[w] {
			return cert.Reject("subject", "turns: the turn from VC %d to VC %d uses a closed VC", v, w)
		}
		last = w
		if k := len(t.allowed); k == t.first[v] || t.allowed[k-1].at != t.bit[w]/64 {
			t.allowed = append(t.allowed, word{at: t.bit[w] / 64})
		}
		t.allowed[len(t.allowed)-1].bits |= 1 << (t.bit[w] % 64)
	}
	t.first[v+1] = len(t.allowed)
	return nil
}

// Next returns the VCs that may follow VC v.
func (t *Set) Next(v int32) []int32 {
	at := t.row[v]
	return t.list[at+1 : at+1+int(t.list[at])]
}

// follows returns the VCs that may follow VC v, in words.
func (t *Set) follows(v int32) []word { return t.allowed[t.first[v]:t.first[v+1]] }

// allows reports whether VC w may follow VC v.
func (t *Set) allows(v, w int32) bool {
	_, found := slices.BinarySearch(t.Next(v), w)
	return found
}

// back returns the VC of the same index on the other channel of the cable.
func (t *Set) back(v int32) int32 { return (v/t.VCs^1)*t.VCs + v%t.VCs }

// rising judges that every turn leads to a greater rank. Then no turns close a cycle.
func (t *Set) rising(claim *cert.Claim) error {
	if err := cert.CheckPermutation(claim, t.LinkVCs()); err != nil {
		return err
	}
	ranks := *claim.Ranks
	for v, rank := range ranks {
		for _, w := range t.Next(int32(v)) {
			if rank >= ranks[w] {
				return cert.Reject(claim.Claim, "the rank of VC %d is not below that of VC %d, which may follow it", v, w)
			}
		}
	}
	return nil
}

// cycle judges a cycle of turns.
func (t *Set) cycle(claim *cert.Claim) error {
	cycle := *claim.Cycle
	if len(cycle) == 0 {
		return cert.Reject(claim.Claim, "a cycle of no VCs")
	}
	visited := make(map[int32]bool, len(cycle))
	for _, v := range cycle {
		switch {
		case v < 0 || int(v) >= len(t.Tail):
			return cert.Reject(claim.Claim, "VC %d on the cycle is not between switches", v)
		case v < cycle[0]:
			return cert.Reject(claim.Claim, "the cycle begins at VC %d, though it visits VC %d, which is smaller", cycle[0], v)
		case visited[v]:
			return cert.Reject(claim.Claim, "the cycle visits VC %d twice", v)
		}
		visited[v] = true
	}
	for i, v := range cycle {
		if w := cycle[(i+1)%len(cycle)]; !t.allows(v, w) {
			return cert.Reject(claim.Claim, "VC %d may not follow VC %d", w, v)
		}
	}
	return nil
}

// connected searches from every switch with hosts, and rejects the claim if a pair is not connected.
func (t *Set) connected(claim *cert.Claim) error {
	if err := t.countPairs(claim); err != nil {
		return err
	}
	if p, lost := t.unreached(); lost > 0 {
		return cert.Reject(claim.Claim, "no path of allowed turns leads from host %d to host %d; %d pairs are not connected", p.Source, p.Destination, lost)
	}
	return nil
}

// lost judges the counts and the pair of a refutation.
func (t *Set) lost(claim *cert.Claim) error {
	if err := t.countPairs(claim); err != nil {
		return err
	}
	first, lost := t.unreached()
	if lost == 0 && *claim.Unreachable == 0 {
		return cert.Reject(claim.Claim, "no pair is unreachable, so nothing is refuted")
	}
	if *claim.Unreachable != lost {
		return cert.Reject(claim.Claim, "%d pairs are not connected, not %d", lost, *claim.Unreachable)
	}
	p, err := cert.Single(claim)
	switch {
	case err != nil:
		return err
	case p.Source != first.Source || p.Destination != first.Destination:
		return cert.Reject(claim.Claim, "the first pair that is not connected is host %d to host %d, not %d to %d", first.Source,
			first.Destination, p.Source, p.Destination)
	case p.Class != -1 || len(p.Path) != 0:
		return cert.Reject(claim.Claim, "packet 0 has no path; want class -1 and an empty path, got class %d", p.Class)
	case claim.End != cert.EndNoPath:
		return cert.Reject(claim.Claim, "the packet has %s, not %.80q", cert.EndNoPath, claim.End)
	}
	return nil
}

// unreached counts the pairs that are not connected, and returns the first.
func (t *Set) unreached() (first cert.Packet, lost int64) {
	s := &search{Set: t, reached: make([]bool, t.Switches), seen: make([]uint64, t.words[t.Switches])}
	done := make([]bool, t.Switches)
	for e := range t.Hosts {
		u := t.Head[t.Injection(e)]
		if done[u] {
			continue
		}
		done[u] = true
		s.visitFrom(u)
		if s.left > 0 && lost == 0 {
			first = cert.Packet{Source: int(e), Destination: s.firstLost()}
		}
		lost += t.HostsAt[u] * s.left
	}
	return first, lost
}

// search is a search from one switch after the other.
type search struct {
	*Set
	reached []bool   // by switch
	seen    []uint64 // by bit
	queue   []int32  // VCs
	left    int64    // hosts at switches that are not reached
}

// visitFrom finds the switches that a path of allowed turns from u reaches. It stops
// when all hosts are reached.
func (s *search) visitFrom(u int32) {
	clear(s.reached)
	clear(s.seen)
	s.queue, s.left = s.queue[:0], int64(s.Hosts)
	s.arrive(u)
	for at := 64 * s.words[u]; at < 64*s.words[u]+s.Outs[u]; at++ {
		if s.seen[at/64] |= 1 << (at % 64); !s.Closed[s.vcAt[at]] {
			s.take(at)
		}
	}
	for i := 0; s.left > 0 && i < len(s.queue); i++ {
		for _, x := range s.follows(s.queue[i]) {
			fresh := x.bits &^ s.seen[x.at]
			s.seen[x.at] |= fresh
			for ; fresh != 0; fresh &= fresh - 1 {
				s.take(64*x.at + bits.TrailingZeros64(fresh))
			}
		}
	}
}

// take appends the VC with bit at to the queue.
func (s *search) take(at int) {
	v := s.vcAt[at]
	s.queue = append(s.queue, v)
	s.arrive(s.Enters[v])
}

func (s *search) arrive(u int32) {
	if !s.reached[u] {
		s.reached[u] = true
		s.left -= s.HostsAt[u]
	}
}

// firstLost returns the first host at a switch that is not reached.
func (s *search) firstLost() int {
	for e := range s.Hosts {
		if !s.reached[s.Head[s.Injection(e)]] {
			return int(e)
		}
	}
	return -1
}
