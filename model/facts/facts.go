// Package facts holds what is known of the packets, buffers and routers of a network, and the predicates that evidence
// needs of them.
//
// A fact comes from a flag, from a file or from the settings of a run; Facts.Source names the place. Package resolve
// determines the facts of a verdict, and no other code reads a size from a flag or a file. A predicate is True, False or
// Unknown. Evidence whose predicate is False must not be used. A predicate that is Unknown is a premise of the verdict.
//
// verify/cert/facts.go has the checker's own form of the same predicates.
//
// Read first: facts.go, predicates.go; synth/resolve/facts.go determines them.
package facts

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// Reuse says when a router gives a VC, which no other packet is entering, to the next packet. If empty, it is unknown.
type Reuse string

// The rules of reuse, from the strictest one on.
const (
	WhenEmpty   Reuse = "empty"    // the VC holds no flit
	WhenNotFull Reuse = "not full" // the buffer of the VC has room for a flit
	// WhenUnused: whatever the buffer holds. A packet that has been given a full VC waits for this VC only, although its
	// routing may permit others. This is the default of BookSim 2 (vc_busy_when_full = 0).
	WhenUnused Reuse = "unused"
)

// The sizes that verdicts about gates assume if nothing states them. They are those of the paper on congestion control.
const (
	GatedPacket = 8
	GatedBuffer = 15
)

// Facts are facts about a network. A zero value is not known. Sizes are in flits.
type Facts struct {
	Packet int  // the longest packet
	Mixed  bool // packets have several lengths
	// Buffer is the buffer of a VC at the end of each channel for which the network's file states no other size
	// (model.ChannelAttributes). If Everywhere is true, Buffer replaces these sizes, too.
	Buffer     int
	Everywhere bool
	// Channels, by ChannelID, replaces the attributes of the channels in the network's file. If nil, these hold.
	Channels []model.ChannelAttributes
	Reuse    Reuse
	// LateControl means that control information about buffers takes time from switch to switch.
	LateControl bool
	Source      string // where the facts come from
	// Words describes the facts in the words of their source. If empty, Text makes the words.
	Words string
}

// AreKnown reports whether f states a size or a rule of reuse.
func (f Facts) AreKnown() bool { return f.Packet > 0 || f.Buffer > 0 || f.Reuse != "" }

// On returns the facts about network n.
func (f Facts) On(n *model.Network) *Bound {
	b := &Bound{Facts: f, links: make([]int, n.NumLinkChannels())}
	b.fill(n)
	return b
}

// Bound is facts about one network. A nil *Bound knows nothing.
type Bound struct {
	Facts
	links  []int // by channel between switches: the buffer of each VC at its end, or 0
	hosts  []int // different buffers of the channels from hosts, or 0 for unknown ones
	stated bool  // whether the network's file states a buffer that holds
}

func (b *Bound) fill(n *model.Network) {
	list := b.Channels
	if list == nil {
		list = n.ChannelAttributes()
	}
	of := func(c model.ChannelID) int {
		if list != nil && !b.Everywhere && list[c].Buffer > 0 {
			b.stated = true
			return int(list[c].Buffer)
		}
		return b.Buffer
	}
	for c := range b.links {
		b.links[c] = of(model.ChannelID(c))
	}
	if list == nil || b.Everywhere {
		b.hosts = []int{b.Buffer}
		return
	}
	for h := range model.HostID(n.NumEndpoints()) {
		b.hosts = append(b.hosts, of(n.InjectChannel(h)))
	}
}

// AreKnown reports whether any fact is known.
func (b *Bound) AreKnown() bool { return b != nil && (b.Facts.AreKnown() || b.stated) }

// Origin returns where the facts come from, or "" if none is known.
func (b *Bound) Origin() string {
	if !b.AreKnown() {
		return ""
	}
	return cmp.Or(b.Source, "the network's file")
}

// Links returns, by channel between switches, the buffer of each VC at its end, or 0 if it is unknown. The caller must not
// change it.
func (b *Bound) Links() []int { return b.links }

// Hosts returns different buffers of the channels from hosts, or 0 for unknown ones. The caller must not change it.
func (b *Bound) Hosts() []int { return b.hosts }

// Least returns the smallest known buffer, of channels between switches and from hosts, or 0.
func (b *Bound) Least() int {
	least := 0
	for _, list := range [][]int{b.links, b.hosts} {
		for _, f := range list {
			if f > 0 && (least == 0 || f < least) {
				least = f
			}
		}
	}
	return least
}

// Same returns the buffer that all channels between switches have, or 0 if some are unknown or differ.
func (b *Bound) Same() int {
	if b == nil || len(b.links) == 0 || b.EqualBuffers() != True {
		return 0
	}
	return b.links[0]
}

// Text returns the facts as the value of a premise, or "" if no fact is known.
func (b *Bound) Text() string {
	if !b.AreKnown() {
		return ""
	}
	if b.Words != "" {
		return b.Words
	}
	var parts []string
	if b.Packet > 0 {
		parts = append(parts, "packets have up to "+flits(b.Packet))
	}
	switch least := b.Least(); {
	case b.Same() > 0 && least == b.Same():
		parts = append(parts, fmt.Sprintf("the buffer of a VC holds %d", least))
	case least > 0:
		parts = append(parts, fmt.Sprintf("the buffer of a VC holds %d or more", least))
	}
	if text := b.Reuse.text(); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func flits(n int) string {
	if n == 1 {
		return "1 flit"
	}
	return fmt.Sprintf("%d flits", n)
}

func (r Reuse) text() string {
	switch r {
	case WhenEmpty:
		return "a VC takes a new packet only when it is empty"
	case WhenNotFull:
		return "a VC takes the next packet while flits of others are in it, if it has room for a flit"
	case WhenUnused:
		return "a VC is given to the next packet while flits of others are in it, even if it is full"
	}
	return ""
}
