package verify

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/facts"
)

// This file evaluates what evidence needs of packets, buffers and routers. A predicate that is false excludes the evidence.
// A predicate whose value is unknown is a premise of the verdict. verify/cert/facts.go evaluates the same predicates again.

// predicates are the predicates about packets and buffers, by the text that a Claim has among its premises.
var predicates = []facts.Predicate{
	{Text: premiseWhole, Of: (*facts.Bound).WholePackets},
	{Text: premiseAtomic, Of: (*facts.Bound).EmptyOrRoom},
	{Text: premiseAlone, Of: (*facts.Bound).OnePacket},
	{Text: premiseEqual, Of: (*facts.Bound).ShapesHold},
	{Text: premiseShort, Of: packetIsKnown}, // packets of one flit fit
	{Text: premiseWorms, Of: packetIsKnown}, // package worms has limited the VCs that a packet holds
}

// packetIsKnown is true if the length of the longest packet is known.
func packetIsKnown(b *facts.Bound) facts.Truth {
	if b == nil || b.Packet == 0 {
		return facts.Unknown
	}
	return facts.True
}

// valueOf returns the value of the predicate with this text, and false if the text is no predicate.
func (r *Report) valueOf(text string) (facts.Truth, bool) {
	i := slices.IndexFunc(predicates, func(p facts.Predicate) bool { return p.Text == text })
	if i < 0 {
		return facts.Unknown, false
	}
	return predicates[i].Of(r.facts), true
}

// contradicted returns the first of these predicates that the facts contradict, with the facts, as a reason. It returns "" if
// they contradict none.
func (r *Report) contradicted(texts ...string) string {
	for _, text := range texts {
		if value, _ := r.valueOf(text); value == facts.False {
			return fmt.Sprintf("this is a proof only if %s; %s", text, r.facts.Text())
		}
	}
	return ""
}

// storesWhole reports whether wormhole switching works as virtual cut-through: the facts say that each packet fits into a
// buffer, and that a VC takes a new packet only when it is empty or has room for all of it. A blocked packet then lies on one VC.
func (r *Report) storesWhole() bool {
	return r.Multicast == nil && r.facts.WholePackets() == facts.True && r.facts.EmptyOrRoom() == facts.True
}

// bindFacts returns the facts about network n. It fails if they contradict the sizes of gates.
func (o *Options) bindFacts(n *model.Network) (*facts.Bound, error) {
	b := o.Facts.On(n)
	switch {
	case o.Gating != nil:
		if b.Reuse == facts.WhenEmpty && o.Gating.Buffer >= 2*o.Gating.Packet {
			return nil, checkQueue(b, "gates")
		}
		return b, checkSame(b, n, "gates", o.Gating.Packet, o.Gating.Buffer)
	case o.Flow != nil:
		if b.Reuse == facts.WhenEmpty && o.Flow.Rule.Kind != bubble.Worm && o.Flow.Buffer >= 2*o.Flow.Packet {
			return nil, checkQueue(b, "flow control "+string(o.Flow.Rule.Kind))
		}
		for _, flits := range b.Hosts() {
			if flits > 0 && flits != o.Flow.Buffer {
				return nil, fmt.Errorf("cannot decide flow control of rings for buffers of %d flits: want the same buffers everywhere, and a host has %d",
					o.Flow.Buffer, flits)
			}
		}
		return b, checkSame(b, n, "flow control of rings", o.Flow.Packet, o.Flow.Buffer)
	}
	return b, nil
}

// checkQueue is the error of a rule that counts the room behind packets in a buffer, where a VC takes a packet only when it is empty.
func checkQueue(b *facts.Bound, what string) error {
	return fmt.Errorf("cannot decide %s: want VCs that hold several packets; %s (%s)", what, b.Text(), b.Origin())
}

// checkSame returns an error if the facts contradict that all packets and buffers have these sizes.
func checkSame(b *facts.Bound, n *model.Network, what string, packet, buffer int) error {
	if b.Mixed || b.Packet > 0 && b.Packet != packet {
		return fmt.Errorf("cannot decide %s for packets of %d flits: want packets of one length; %s", what, packet, b.Text())
	}
	for c, flits := range b.Links() {
		if flits > 0 && flits != buffer {
			return fmt.Errorf("cannot decide %s for buffers of %d flits: want the same buffers everywhere, and the channel %s has %d",
				what, buffer, n.ChannelLabel(model.ChannelID(c)), flits)
		}
	}
	return nil
}
