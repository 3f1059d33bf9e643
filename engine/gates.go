package engine

import "github.com/turnproof/turnproof/model/gate"

// This file holds packets back at closed gates, and selects among free VCs by VCinfo.

// prepareGate records which VCs have a gate before port p.
func (c *control) prepareGate(s *Sim, p int32) {
	for i := range s.vcs {
		out := s.net.VC(s.chanOf[p], i)
		has := false
		for _, o := range s.outs[s.port[p].fromBase : s.port[p].fromBase+int32(s.port[p].of)] {
			in := s.net.Reverse(s.chanOf[o])
			if c.gates.Has(in, out) {
				has = true
				first := s.portOf[in] * int32(s.vcs)
				for j := range int32(s.vcs) {
					c.gated[p] |= 1 << s.vc[first+j].bit
				}
			}
		}
		if !has {
			c.exempt[p] |= 1 << i
		}
	}
}

// closes removes from mask the VCs of port o before which a closed gate holds v back. It reports
// whether mask became empty.
func (c *control) closes(s *Sim, v, o int32, mask *uint64) bool {
	if c == nil || !c.gating || *mask == 0 {
		return false
	}
	*mask = c.passes(s, v, o, *mask, c.info[o])
	return *mask == 0
}

// bitsOf returns the bits of info that count for VC i of a port.
func (c *control) bitsOf(s *Sim, info uint64, i int) uint64 {
	all := uint64(1)<<c.hops - 1
	switch c.gates.Rule.VCs {
	case gate.Any:
		sum := uint64(0)
		for j := range s.vcs {
			sum |= info >> (j * c.hops)
		}
		return sum & all
	case gate.All:
		for j := range s.vcs {
			all &= info >> (j * c.hops)
		}
		return all
	}
	return info >> (i * c.hops) & all
}

// passes returns the VCs of mask whose gate before v is open, by VCinfo info of port o.
func (c *control) passes(s *Sim, v, o int32, mask, info uint64) uint64 {
	if c.gated[o]>>s.vc[v].bit&1 == 0 {
		return mask
	}
	for i := range s.vcs {
		if mask&^c.exempt[o]>>i&1 == 1 && c.gates.Closed(c.bitsOf(s, info, i)) {
			mask &^= 1 << i
		}
	}
	return mask
}

// cost returns the congestion ahead of output VC w according to VCinfo. It uses function f3 of the
// paper with factor 0.8, which gives far buffers less weight.
func (c *control) cost(s *Sim, w int32) (sum float64) {
	p := s.vc[w].in
	if c.back[p] < 0 {
		return 0 // a channel to a host
	}
	weight := 1.0
	for info := c.info[p] >> (int(w-p*int32(s.vcs)) * c.hops) & (1<<c.hops - 1); info != 0; info >>= 1 {
		if info&1 == 1 {
			sum += weight
		}
		weight *= 0.8
	}
	return sum
}

// holdBack removes the VCs whose next flit is before a closed gate from the ready VCs. release
// restores them.
func (c *control) holdBack(s *Sim) {
	c.held = c.held[:0]
	s.busy.each(func(o int32) bool {
		p := &s.port[o]
		if p.ready&c.gated[o] == 0 {
			return true
		}
		for i := range s.vcs {
			w := o*int32(s.vcs) + int32(i)
			v := s.vc[w].owner
			if v < 0 || p.ready>>s.vc[v].bit&1 == 0 || c.passes(s, v, o, 1<<i, c.info[o]) != 0 {
				continue
			}
			p.ready &^= 1 << s.vc[v].bit
			c.held = append(c.held, v)
		}
		return true
	})
}

// release restores the VCs that holdBack removed.
func (c *control) release(s *Sim) {
	for _, v := range c.held {
		s.setReady(&s.vc[v])
	}
}
