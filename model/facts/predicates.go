package facts

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file has the predicates over facts that evidence needs.

// Truth is the value of a predicate. The zero value is Unknown.
type Truth int8

// The values of a predicate.
const (
	Unknown Truth = iota
	True
	False
)

// Predicate is a predicate over the facts of a network.
type Predicate struct {
	Text string // as a premise
	Of   func(*Bound) Truth
}

func truth(is bool) Truth {
	if is {
		return True
	}
	return False
}

// WholePackets: each packet fits into each buffer of a VC.
func (b *Bound) WholePackets() Truth {
	if b == nil || b.Packet == 0 {
		return Unknown
	}
	for _, list := range [][]int{b.links, b.hosts} {
		for _, f := range list {
			if f > 0 && f < b.Packet {
				return False
			}
		}
	}
	if slices.Contains(b.links, 0) {
		return Unknown
	}
	return True // the buffers of hosts do not matter: no other packet waits for them
}

// WholeCopies: each packet fits into each buffer of a VC, also into those of the channels from hosts. A packet that is copied
// leaves a buffer when all copies have, so the packet must fit where its paths part.
func (b *Bound) WholeCopies() Truth {
	whole := b.WholePackets()
	if whole == True && slices.Contains(b.hosts, 0) {
		return Unknown
	}
	return whole
}

// EqualBuffers: the buffers of all VCs between switches have the same size.
func (b *Bound) EqualBuffers() Truth {
	if b == nil {
		return Unknown
	}
	known, open := 0, false
	for _, f := range b.links {
		switch {
		case f == 0:
			open = true
		case known > 0 && f != known:
			return False
		default:
			known = f
		}
	}
	if open || known == 0 {
		return Unknown
	}
	return True
}

// OnePacket: a VC holds flits of one packet at a time.
func (b *Bound) OnePacket() Truth {
	if b == nil || b.Reuse == "" {
		return Unknown
	}
	return truth(b.Reuse == WhenEmpty)
}

// EmptyOrRoom: a VC takes a new packet only when it is empty, or has room for all of it.
func (b *Bound) EmptyOrRoom() Truth {
	switch {
	case b == nil || b.Reuse == "":
		return Unknown
	case b.Reuse == WhenEmpty:
		return True
	case b.Reuse == WhenUnused || b.Packet > 1:
		return False
	}
	return truth(b.Packet == 1)
}

// ShapesHold: a packet that holds k VCs at the end of its path holds no more than k before, because all buffers between
// switches are equal, or because each buffer has room for a whole packet.
func (b *Bound) ShapesHold() Truth {
	equal, whole := b.EqualBuffers(), b.WholePackets()
	switch {
	case equal == True || whole == True:
		return True
	case equal == False && (whole == False || b.Packet == 0):
		return False
	}
	return Unknown
}

// CanHold reports whether a blocked packet can hold VCs of these channels, that of its tail first. The flits behind a blocked
// head fill the buffers, so only the first buffer may have room. Unknown sizes permit it.
func (b *Bound) CanHold(channels []model.ChannelID) bool {
	if b == nil || b.Packet == 0 {
		return true
	}
	behind := 0
	for _, c := range channels[1:] {
		behind += b.links[c] // 0 if unknown
	}
	return b.Packet > behind
}

// InstantControl: gates see the buffers ahead at once.
func (b *Bound) InstantControl() Truth {
	if b != nil && b.LateControl {
		return False
	}
	return Unknown
}
