package cert

import "slices"

// This file has the facts of a subject about packets, buffers and routers, and the predicates over them that evidence
// needs. A predicate that is false excludes the evidence. One whose value is unknown is a premise that the reader judges.

// Truth is the value of a predicate.
type Truth int8

// The values of a predicate.
const (
	Unknown Truth = iota
	True
	False
)

// Need is a predicate that evidence needs of the facts of its subject.
type Need struct {
	Text string // as a premise
	Of   func(*Facts) Truth
	// Wormhole means that the evidence needs it under wormhole switching only.
	Wormhole bool
}

// valueFor returns the value of the predicate for a subject.
func (n *Need) valueFor(s *Subject) Truth {
	if n.Wormhole && s.Switching != "wormhole" {
		return True
	}
	return n.Of(s.Facts)
}

func truthOf(is bool) Truth {
	if is {
		return True
	}
	return False
}

// checkFacts rejects facts that are malformed, or contradict the rest of the subject.
func checkFacts(s *Subject) error {
	f := s.Facts
	if f == nil {
		return nil
	}
	bad := func(flits int32) bool { return flits < 0 || flits > maxFlits }
	switch links := 2 * (len(s.Network.Links) / 4); {
	case s.Table == nil && s.Relation == nil && s.Product == nil:
		return Reject("subject", "facts without a table, a relation or a product")
	case f.Packet == 0 && len(f.Buffers) == 0 && f.Reuse == "" && f.Hosts == 0 && f.Control == "":
		return Reject("subject", "facts that say nothing")
	case f.Packet < 0 || f.Packet > maxFlits || f.Hosts < 0 || f.Hosts > maxFlits || slices.ContainsFunc(f.Buffers, bad):
		return Reject("subject", "facts with sizes that are not from 0 to %d", maxFlits)
	case len(f.Buffers) > 1 && len(f.Buffers) != links:
		return Reject("subject", "facts with %d buffers; want one, or one for each of %d channels", len(f.Buffers), links)
	case !slices.Contains([]string{"", "empty", "not full", "unused"}, f.Reuse):
		return Reject("subject", "reuse %.20q; want empty, not full or unused", f.Reuse)
	case f.Control != "" && f.Control != "late":
		return Reject("subject", "control %.20q; want late", f.Control)
	case s.Switching != "wormhole" && f.wholePackets() == False:
		return Reject("subject", "switching %s, and facts by which a packet does not fit into a buffer", s.Switching)
	case s.Gates != nil && !f.agree(s.Gates.Packet, s.Gates.Buffer):
		return Reject("subject", "the sizes of the gates are not those of the facts")
	case s.Bubbles != nil && !f.agree(s.Bubbles.Packet, s.Bubbles.Buffer):
		return Reject("subject", "the sizes of the bubbles are not those of the facts")
	}
	return nil
}

// agree reports whether all known sizes are these.
func (f *Facts) agree(packet, buffer int) bool {
	return (f.Packet == 0 || f.Packet == packet) &&
		!slices.ContainsFunc(f.Buffers, func(flits int32) bool { return flits > 0 && int(flits) != buffer })
}

// bufferOf returns the buffer of the VCs of a channel between switches, or 0.
func (f *Facts) bufferOf(channel int) int {
	switch len(f.Buffers) {
	case 0:
		return 0
	case 1:
		return int(f.Buffers[0])
	}
	return int(f.Buffers[channel])
}

// wholePackets: each packet fits into each buffer between switches.
func (f *Facts) wholePackets() Truth {
	if f == nil || f.Packet == 0 || len(f.Buffers) == 0 {
		return Unknown
	}
	if slices.ContainsFunc(f.Buffers, func(flits int32) bool { return flits > 0 && int(flits) < f.Packet }) {
		return False
	}
	if slices.Contains(f.Buffers, 0) {
		return Unknown
	}
	return True
}

// HoldsCopies reports whether each packet fits into each buffer, also into those of the channels from endpoints.
func (f *Facts) HoldsCopies() bool { return f.wholePackets() == True && f.Hosts >= f.Packet }

// equalBuffers: all buffers between switches have the same size.
func (f *Facts) equalBuffers() Truth {
	if f == nil || len(f.Buffers) == 0 {
		return Unknown
	}
	known := slices.DeleteFunc(slices.Clone(f.Buffers), func(flits int32) bool { return flits == 0 })
	if len(known) > 0 && slices.Max(known) != slices.Min(known) {
		return False
	}
	if len(known) < len(f.Buffers) {
		return Unknown
	}
	return True
}

// sameShape: a packet that holds k VCs at the end of its path held no more before.
func (f *Facts) sameShape() Truth {
	switch {
	case f.equalBuffers() == True || f.wholePackets() == True:
		return True
	case f.equalBuffers() == False && f.wholePackets() != Unknown, f.equalBuffers() == False && f.Packet == 0:
		return False
	}
	return Unknown
}

// onePacket: a VC holds flits of one packet at a time.
func (f *Facts) onePacket() Truth {
	if f == nil || f.Reuse == "" {
		return Unknown
	}
	return truthOf(f.Reuse == "empty")
}

// emptyOrRoom: a VC takes a new packet only when it is empty, or has room for all of it.
func (f *Facts) emptyOrRoom() Truth {
	if f == nil || f.Reuse == "" || f.Reuse == "not full" && f.Packet == 0 {
		return Unknown
	}
	return truthOf(f.Reuse == "empty" || f.Reuse == "not full" && f.Packet == 1)
}

// storesWhole reports whether a blocked packet lies on one VC, although switching is wormhole.
func (f *Facts) storesWhole() bool { return f.wholePackets() == True && f.emptyOrRoom() == True }

// knowsPacket is True if the longest packet is known.
func (f *Facts) knowsPacket() Truth {
	if f == nil || f.Packet == 0 {
		return Unknown
	}
	return True
}

// instantControl: gates see the buffers ahead at once.
func (f *Facts) instantControl() Truth {
	if f != nil && f.Control == "late" {
		return False
	}
	return Unknown
}

// CanHoldPath reports whether a blocked packet can hold the last k VCs of a path of VCs and classes, of which it may hold several.
func (s *Subject) CanHoldPath(path []int32, k int) bool {
	var held []int32
	for j := len(path) - 2*k; j < len(path); j += 2 {
		if int(path[j])/s.Network.VCs < len(s.Network.Links)/2 {
			held = append(held, path[j])
		}
	}
	return len(held) < 2 || s.Facts.canHold(held, s.Network.VCs) && s.Facts.sameShape() != False
}

// canHold reports whether a blocked packet can hold these VCs, that of its tail first. The flits behind a blocked head fill the
// buffers, so only the first one may have room.
func (f *Facts) canHold(vcs []int32, perChannel int) bool {
	if f == nil || f.Packet == 0 {
		return true
	}
	behind := 0
	for _, vc := range vcs[1:] {
		behind += f.bufferOf(int(vc) / perChannel)
	}
	return f.Packet > behind
}

// The predicates, as premises.
var (
	needRoom = Need{Text: "a VC takes a new packet only when it is empty, or has room for all of it", Of: (*Facts).emptyOrRoom}
	needSole = Need{Text: "a VC holds one packet at a time", Of: (*Facts).onePacket}
	// NeedAlone and NeedShape are needed by proofs that no worms block each other, NeedLong by worms that do.
	NeedAlone = Need{Text: "a VC holds flits of one packet at a time", Of: (*Facts).onePacket, Wormhole: true}
	NeedShape = Need{Text: "the buffers of all VCs between switches have the same size", Of: (*Facts).sameShape, Wormhole: true}
	NeedLong  = Need{Text: "packets may be of any length, and a VC holds flits of one packet at a time", Of: (*Facts).knowsPacket, Wormhole: true}
	// NeedInstant: gates see the buffers ahead at once.
	NeedInstant = Need{Text: "a gate sees at once how full the buffers ahead are, and a flit leaves a buffer and enters the next one at the same time",
		Of: (*Facts).instantControl}
)
