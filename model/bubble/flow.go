package bubble

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// Flow is flow control with the sizes of packets and buffers.
type Flow struct {
	Rule   Rule
	Packet int    // flits of every packet
	Buffer int    // flits that fit into a buffer
	Source string // source of the premise of these sizes; defaults to model.Assumed
}

// Switching returns the discipline of the flow control.
func (f *Flow) Switching() model.Switching {
	return f.Rule.Switching()
}

// Check returns an error for sizes that contradict each other.
func (f *Flow) Check() error {
	switch {
	case f.Packet < 1 || f.Buffer < 1 || f.Packet > 1<<20 || f.Buffer > 1<<20:
		return fmt.Errorf("flow: packets of %d flits and buffers of %d; want 1 to %d", f.Packet, f.Buffer, 1<<20)
	case f.Rule.Kind != Worm && f.Buffer < f.Packet:
		return fmt.Errorf("flow: a buffer of %d flits has no room for a packet of %d; %s needs whole packets", f.Buffer, f.Packet, f.Rule.Kind)
	}
	return nil
}

// Text returns the flow control and the sizes as a premise.
func (f *Flow) Text() string {
	text := fmt.Sprintf("all packets have %d flits, and a buffer has room for %d; flow control %s", f.Packet, f.Buffer, f.Rule)
	if f.Rule.Packet > 0 && f.Rule.Packet != f.Packet {
		text += fmt.Sprintf(", which takes packets for %d flits", f.Rule.Packet)
	}
	return text
}

// Premises returns the premises of deadlock-free that are about the flow control.
func (f *Flow) Premises() []string { return []string{f.Text(), exact} }

// exact is the premise of flow control of rings.
const exact = "the flow control sees the room and the packets of the moment, and a packet that has been given its next VC moves there"

// Condition returns model.ConditionFlow.
func (f *Flow) Condition() string { return model.ConditionFlow }
