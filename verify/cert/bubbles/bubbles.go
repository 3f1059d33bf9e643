// Package bubbles judges relations whose flow control keeps rings of VCs from filling up. cert.Bubbles
// says what it is.
//
// Read first: bubbles.go, proof.go, tiles.go, run.go.
package bubbles

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/recipes"
)

func init() { cert.Register([]cert.SubjectKind{subjectKind()}, evidenceKinds()) }

// subjectKind returns the kind of subject that this package judges.
func subjectKind() cert.SubjectKind {
	return cert.SubjectKind{
		Name: "bubbles", Title: "a relation with bubbles",
		Has:     func(s *cert.Subject) bool { return s.Relation != nil && s.Bubbles != nil },
		Open:    open,
		Summary: cert.RelationSummary,
	}
}

var subject = []string{subjectKind().Name}

// evidenceKinds returns the kinds of evidence that this package judges.
func evidenceKinds() []cert.Kind {
	return []cert.Kind{
		{Subjects: subject, Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceBubble,
			Fields: []string{"ranks"}, Judge: cert.JudgeBy((*bubbled).proof), Premises: premises},
		{Subjects: subject, Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceBubbleRun,
			Fields: []string{"packets", "moves"}, Judge: cert.JudgeBy((*bubbled).run), Premises: premises},
		recipes.KindFor(subject[0], cert.JudgeBy((*bubbled).fewestPairs)),
	}
}

// fewestPairs judges that fewer pairs are not enough. Rings with entries that are off protect nothing.
func (b *bubbled) fewestPairs(claim *cert.Claim) error {
	ring := slices.Clone(b.ring)
	for hop := range b.off {
		for _, v := range b.members[b.ring[hop[1]]] {
			ring[v] = -1
		}
	}
	return recipes.JudgeClaim(b.Routing, ring, b.next, claim)
}

func premises(s *cert.Subject) []string {
	b := s.Bubbles
	if b == nil {
		return nil // Check rejects it
	}
	return []string{fmt.Sprintf("all packets have %d flits, a buffer has room for %d, and flow control is %.20s, which assumes packets of %d flits "+
		"and knows the room of the moment", b.Packet, b.Buffer, b.Kind, b.Assumed)}
}

// The kinds of flow control.
const (
	local    = "bubble"
	critical = "critical-bubble"
	worm     = "worm-bubble"
)

// bubbled is a validated relation with bubbles.
type bubbled struct {
	*cert.Bubbles
	*cert.Routing
	ring    []int32   // by VC between switches: its ring, or -1
	next    []int32   // by VC of a ring: the next VC
	members [][]int32 // by ring: its VCs
	most    []int     // by ring: the number of packets in it up to which another may enter
	room    int       // flits that an entry needs
	each    int       // VCs that a worm fills when it waits; 1 for the other kinds
	one     bool      // a packet waits for one of its next hops, any of them
	off     map[[2]int32]bool
}

// open validates the bubbles and the relation, and enumerates its states.
func open(c *cert.Certificate) (any, error) {
	if c.Blocks != nil {
		return nil, cert.Reject("subject", "blocks are the states of a relation without gates and bubbles")
	}
	r, err := cert.OpenRouting(c)
	if err != nil {
		return nil, err
	}
	b, err := newBubbled(c, r)
	if err != nil {
		return nil, err
	}
	return b, r.Enumerate()
}

const most = 1 << 20 // flits

func newBubbled(c *cert.Certificate, r *cert.Routing) (*bubbled, error) {
	b := &bubbled{Bubbles: c.Subject.Bubbles, Routing: r, each: 1, one: c.Subject.Waiting == cert.WaitingOne, off: map[[2]int32]bool{}}
	want := map[string]string{local: "vct", critical: "vct", worm: "wormhole"}[b.Kind]
	switch {
	case want == "":
		return nil, cert.Reject("subject", "bubbles of kind %.20q", b.Kind)
	case c.Subject.Switching != want && (c.Subject.Switching != "saf" || b.Kind == worm):
		return nil, cert.Reject("subject", "%s with switching %s; want %s", b.Kind, c.Subject.Switching, want)
	case b.Packet < 1 || b.Packet > most || b.Buffer < 1 || b.Buffer > most || b.Assumed < 1 || b.Assumed > most || b.Kind != worm && b.Buffer < b.Packet:
		return nil, cert.Reject("subject", "bubbles: packets of %d flits, taken for %d, in buffers of %d", b.Packet, b.Assumed, b.Buffer)
	}
	if err := b.readRings(); err != nil {
		return nil, err
	}
	if err := b.readOff(); err != nil {
		return nil, err
	}
	b.setLimits()
	return b, nil
}

// readRings reads the rings. Each VC of a ring leaves the switch that the VC before it enters.
func (b *bubbled) readRings() error {
	n := b.LinkVCs()
	b.ring, b.next = make([]int32, n), make([]int32, n)
	for v := range b.ring {
		b.ring[v], b.next[v] = -1, -1
	}
	for list := b.Rings; len(list) > 0; {
		k := int(list[0])
		if k < 1 || k > len(list)-1 {
			return cert.Reject("subject", "bubbles: a ring of %d VCs", k)
		}
		ring := list[1 : 1+k]
		list = list[1+k:]
		for i, v := range ring {
			after := ring[(i+1)%k]
			if v < 0 || int(v) >= n || after < 0 || int(after) >= n || b.ring[v] >= 0 {
				return cert.Reject("subject", "bubbles: VC %d of ring %d is not between switches, or in a ring already", v, len(b.members))
			}
			if b.Head[v/b.VCs] != b.Head[b.Back(after/b.VCs)] {
				return cert.Reject("subject", "bubbles: VC %d of ring %d does not follow VC %d", after, len(b.members), v)
			}
			b.ring[v], b.next[v] = int32(len(b.members)), after
		}
		b.members = append(b.members, ring)
	}
	return nil
}

// readOff reads the entries that are off.
func (b *bubbled) readOff() error {
	if len(b.Off)%2 != 0 {
		return cert.Reject("subject", "bubbles: %d numbers for pairs of VCs", len(b.Off))
	}
	for i := 0; i < len(b.Off); i += 2 {
		from, to := b.Off[i], b.Off[i+1]
		if from < 0 || to < 0 || int(to) >= b.LinkVCs() || !b.isEntry(from, to) {
			return cert.Reject("subject", "bubbles: the hop from VC %d to VC %d is no entry", from, to)
		}
		if i > 0 && (from < b.Off[i-2] || from == b.Off[i-2] && to <= b.Off[i-1]) {
			return cert.Reject("subject", "bubbles: the entries that are off are not ascending at %d, %d", from, to)
		}
		b.off[[2]int32{from, to}] = true
	}
	return nil
}

// isEntry reports whether a hop leads from a VC outside a ring onto a VC of the ring.
func (b *bubbled) isEntry(from, to int32) bool {
	if int(to) >= b.LinkVCs() || b.ring[to] < 0 {
		return false
	}
	return int(from) >= b.LinkVCs() || b.ring[from] != b.ring[to]
}

// isGuarded reports whether the conditions of entries hold for a hop.
func (b *bubbled) isGuarded(from, to int32) bool {
	return b.isEntry(from, to) && !b.off[[2]int32{from, to}]
}

// setLimits computes the conditions of entries.
func (b *bubbled) setLimits() {
	b.room = b.Packet
	switch b.Kind {
	case local:
		b.room = max(b.room, 2*b.Assumed)
	case worm:
		b.each = (b.Packet + b.Buffer - 1) / b.Buffer
	}
	taken := (b.Assumed + b.Buffer - 1) / b.Buffer // of worms: VCs that the rule counts for one
	for _, ring := range b.members {
		limit := int(^uint(0) >> 1)
		switch b.Kind {
		case critical:
			limit = len(ring)*(b.Buffer/b.Assumed) - 2
		case worm:
			limit = -1
			for (limit+2)*taken < len(ring) {
				limit++
			}
		}
		b.most = append(b.most, limit)
	}
}
