package engine

// This file returns totals, and the packet that is in the network for longest.

// Injected returns the number of flits that have left their hosts.
func (s *Sim) Injected() int64 { return s.flitsIn }

// BufferSlots returns the number of flits that the buffers of all switches hold: those at the ends
// of links and of channels from hosts.
func (s *Sim) BufferSlots() int64 {
	slots := int64(0)
	for p := range s.port {
		if !s.port[p].eject && int(s.hostOf[p]) < s.net.NumHosts() { // management endpoints are no hosts
			slots += int64(s.buffer[p])
		}
	}
	return slots * int64(s.vcs)
}

// Oldest returns the packet on a VC that was created first, and the one with the lowest ID among
// several. It reports false if there is no packet on a VC. Cost: O(VCs + packets in the network).
func (s *Sim) Oldest() (oldest Packet, ok bool) {
	for v := range int32(len(s.vc)) {
		x := &s.vc[v]
		id := x.id
		for i := range x.packets {
			if p := &s.packet[id]; (i > 0 || x.state != ending) && (!ok || p.created < oldest.Created || p.created == oldest.Created && p.id < oldest.ID) {
				oldest, ok = s.sent(p), true
			}
			id = s.packet[id].next
		}
	}
	return oldest, ok
}
