package engine

// This file returns totals that energy and area follow from.

// Injected returns the number of flits that have left their hosts.
func (s *Sim) Injected() int64 { return s.flitsIn }

// BufferSlots returns the number of flits that the buffers of all switches hold: those at the ends
// of links and of channels from hosts.
func (s *Sim) BufferSlots() int64 {
	return int64(s.net.NumLinkChannels()+s.net.NumHosts()) * int64(s.vcs) * int64(s.o.BufferFlits)
}
