package everysize

import (
	"fmt"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges programs whose network has flow control of rings.
//
// A dependency is straight if it keeps direction and VC. Straight dependencies stay within a line, and each VC has at most
// one. Instead of the obligations rank and escape there are:
//
//	rank      a dependency that is not straight leads to a greater rank. All channels of a direction and VC have one rank,
//	          so every cycle of dependencies is a ring: a line with wraparound in one direction and VC;
//	slot      where the flow control lets a packet enter a ring, a slot of the ring is free afterwards;
//	enter     the flow control lets a packet enter an empty ring;
//	distance  as with an escape.
//
// Proof. Rings have a free slot at all times, since entries leave one and hops within a ring keep their number. Let no new
// packets come, and let packets move until none can. Take the greatest rank whose VCs hold packets, and a line of it. If the
// line is a ring, go back from a VC with a free slot to the first VC that holds packets; else go forward from a VC that holds
// packets to the last one before a VC that is empty, or that no packet goes on to. The first packet there has a hop to a
// greater rank, whose VCs are empty, or a straight hop to a VC with room. By the obligation enter it can take the hop. By
// distance it takes finitely many hops, so no packet is left. Source: C. Carrión, R. Beivide, J. A. Gregorio and
// F. Vallejo, HiPC 1997; with this proof in docs/theorems/bubbles.md.

// The kinds of flow control, and the largest number of flits.
const (
	localBubble    = "bubble"
	criticalBubble = "critical-bubble"
	mostFlits      = 1 << 20
)

// checkFlow judges the obligations slot and enter. They are about numbers alone.
func checkFlow(f *cert.ProgramFlow, switching string) error {
	switch {
	case f == nil:
		return nil
	case switching != "vct":
		return fmt.Errorf("flow control with switching %.20s; want vct", switching)
	case f.Packet < 1 || f.Packet > f.Buffer || f.Buffer > mostFlits || f.Assumed < 1 || f.Assumed > mostFlits:
		return fmt.Errorf("packets of %d flits, taken for %d, in buffers of %d", f.Packet, f.Assumed, f.Buffer)
	}
	switch f.Kind {
	case localBubble:
		room := max(f.Packet, 2*f.Assumed)
		if room > f.Buffer {
			return fmt.Errorf("enter: an entry needs room for %d flits, a buffer has %d", room, f.Buffer)
		}
		for n := 0; f.Buffer-n*f.Packet >= room; n++ {
			if f.Buffer-(n+1)*f.Packet < f.Packet {
				return fmt.Errorf("slot: a packet may enter a buffer with %d packets, which has no room for another one then", n)
			}
		}
	case criticalBubble: // a ring has at least 2 VCs
		if f.Assumed > f.Buffer {
			return fmt.Errorf("enter: no packet can ever enter a ring")
		}
		if f.Buffer/f.Assumed > f.Buffer/f.Packet {
			return fmt.Errorf("slot: the packets that the rule admits to a ring may fill it")
		}
	default:
		return fmt.Errorf("flow control of kind %.20q", f.Kind)
	}
	return nil
}

// checkFlowRanks checks that all channels of a direction and VC have one rank.
func (t *theorem) checkFlowRanks() error {
	if t.flow == nil {
		return nil
	}
	if t.escape != noEscape {
		return fmt.Errorf("flow control with an escape")
	}
	first := map[[2]int][]Form{}
	for c, list := range t.ranks {
		key := [2]int{int(c.dir), c.vc}
		if len(list) != 1 || !list[0].when.isTrue() {
			return fmt.Errorf("direction %d, VC %d: a rank with conditions", c.dir, c.vc)
		}
		rank := list[0].rank
		for i, f := range rank {
			if !f.isConstant() || first[key] != nil && f[0] != first[key][i][0] {
				return fmt.Errorf("direction %d, VC %d: ranks that differ", c.dir, c.vc)
			}
		}
		first[key] = rank
	}
	return nil
}

// isStraight reports whether a hop from class a to class b keeps direction and VC.
func isStraight(a, b class) bool { return a.dir == b.dir && a.vc == b.vc }

// flowText returns the flow control as a premise, or "".
func flowText(s *cert.Subject) string {
	f := s.Program.Flow
	if f == nil {
		return ""
	}
	return fmt.Sprintf("all packets have %d flits, a buffer has room for %d, and flow control is %.20s, which assumes packets of %d flits "+
		"and knows the room of the moment", f.Packet, f.Buffer, f.Kind, f.Assumed)
}
