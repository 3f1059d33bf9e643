package facts

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// CheckFixed returns an error if the facts about network n contradict that all packets have packet flits, and all buffers between switches
// room for buffer. what names what needs that.
func (b *Bound) CheckFixed(n *model.Network, what string, packet, buffer int) error {
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

// CheckQueue returns an error if a VC takes a packet only when it is empty, although what counts the room behind packets in a buffer.
func (b *Bound) CheckQueue(what string) error {
	if b.Reuse == WhenEmpty {
		return fmt.Errorf("cannot decide %s: want VCs that hold several packets; %s (%s)", what, b.Text(), b.Origin())
	}
	return nil
}
