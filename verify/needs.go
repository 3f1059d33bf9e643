package verify

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model/facts"
)

// This file evaluates what evidence needs of packets, buffers and routers. A predicate that is false excludes the evidence.
// A predicate whose value is unknown is a premise of the verdict. verify/cert/facts.go evaluates the same predicates again.

// predicates are the predicates about packets and buffers, by the text that a Claim has among its premises.
var predicates = []facts.Predicate{
	{Text: premiseWhole, Of: (*facts.Bound).WholePackets},
	{Text: premiseAtomic, Of: (*facts.Bound).EmptyOrRoom},
	{Text: PremiseAlone, Of: (*facts.Bound).OnePacket},
	{Text: PremiseEqual, Of: (*facts.Bound).ShapesHold},
	{Text: PremiseShort, Of: packetIsKnown}, // packets of one flit fit
	{Text: PremiseWorms, Of: packetIsKnown}, // package worms has limited the VCs that a packet holds
}

// packetIsKnown is true if the length of the longest packet is known.
func packetIsKnown(b *facts.Bound) facts.Truth {
	if b == nil || b.Packet == 0 {
		return facts.Unknown
	}
	return facts.True
}

// valueOf returns the value of the predicate with this text, or facts.Unknown if the text is no predicate.
func valueOf(b *facts.Bound, text string) facts.Truth {
	i := slices.IndexFunc(predicates, func(p facts.Predicate) bool { return p.Text == text })
	if i < 0 {
		return facts.Unknown
	}
	return predicates[i].Of(b)
}

// open returns the premises that the facts do not make true.
func open(b *facts.Bound, premises []string) []string {
	return slices.DeleteFunc(slices.Clone(premises), func(text string) bool { return valueOf(b, text) == facts.True })
}

func contradicted(b *facts.Bound, texts ...string) string {
	for _, text := range texts {
		if valueOf(b, text) == facts.False {
			return fmt.Sprintf("this is a proof only if %s; %s", text, b.Text())
		}
	}
	return ""
}
