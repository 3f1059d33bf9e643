package worms

import "github.com/turnproof/turnproof/model"

// This file limits the VCs that a worm holds, if the sizes of packets and buffers are known.

// CanHold reports whether a blocked packet can hold a VC of each of these channels, that of its tail first.
type CanHold func(channels []model.ChannelID) bool

// addLong adds a clause for each worm of the model that holds more VCs than a packet fills, and reports whether there are any.
func (f *formula) addLong() bool {
	if f.canHold == nil {
		return false
	}
	long := false
	for _, b := range f.bodies() {
		if part := f.longPart(b.states); part != nil {
			f.Solver.Add(StepLong, f.Without(part)...)
			long = true
		}
	}
	return long
}

// longPart returns states of a worm, one after the other, that no packet can lie on together. It returns the fewest of those
// that end first, or nil if a packet can lie on all states.
func (g *Graph) longPart(states []int32) []int32 {
	channels := make([]model.ChannelID, len(states))
	for k, i := range states {
		channels[k], _ = g.network.Channel(g.states[i].VC)
	}
	for end := 2; end <= len(states); end++ {
		for from := end - 2; from >= 0; from-- {
			if !g.canHold(channels[from:end]) {
				return states[from:end]
			}
		}
	}
	return nil
}
