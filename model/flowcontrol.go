package model

import "fmt"

// This file keeps the flow control of rings that a network's file states. Package bubble reads its rule.

// FlowControl is flow control of rings, with the sizes of packets and buffers in flits. A size of 0 is not stated.
type FlowControl struct {
	Rule           string // as package bubble parses it
	Packet, Buffer int
	Rings          [][]ChannelID // the rings that the rule guards on VC 0, in the order of packets; nil: those of the dependencies
}

// MaxFlowFlits is the largest size in a FlowControl.
const MaxFlowFlits = 1 << 20

// WithFlowControl returns a copy of the network that states flow control f, or none if f is nil. It fails if a size is out of
// range. The rule is not read here.
func (n *Network) WithFlowControl(f *FlowControl) (*Network, error) {
	if f != nil && (min(f.Packet, f.Buffer) < 0 || max(f.Packet, f.Buffer) > MaxFlowFlits) {
		return nil, fmt.Errorf("model: flow control with packets of %d flits and buffers of %d; want 0 (not stated) to %d", f.Packet, f.Buffer, MaxFlowFlits)
	}
	m := *n
	m.flow = f
	return &m, nil
}

// FlowControl returns the flow control that the network states, or nil. The caller must not change it.
func (n *Network) FlowControl() *FlowControl { return n.flow }
