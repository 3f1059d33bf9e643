package gate

import "github.com/turnproof/turnproof/model"

// Setup is a gate rule with the sizes of packets and buffers.
type Setup struct {
	Rule   Rule
	Packet int // flits of every packet
	Buffer int // flits that fit into a buffer
	// Late means that control information takes time.
	Late bool
	// Stores means store-and-forward, for gates by packet: a head moves on when its packet has arrived there as a whole. Atomic means that a VC takes
	// a packet only when no other packet holds it.
	Stores, Atomic bool
}

// HeadFlits returns the flits of a packet that are on a VC when its head moves on.
func (s *Setup) HeadFlits() int {
	if s.Stores {
		return s.Packet
	}
	return 1
}

// Condition returns model.ConditionGates.
func (s *Setup) Condition() string { return model.ConditionGates }
