package engine

import (
	"errors"

	"github.com/turnproof/turnproof/model/gate"
)

// This file holds packets back at closed gates, by VCinfo.

// gates hold back heads.
type gates struct {
	vcInfo
	gated  []uint64 // by output port: the VCs into its switch that must pass a gate to leave by this port
	exempt []uint64 // by output port: its VCs without a gate
}

// flitGates hold back flits behind the head as well.
type flitGates struct {
	gates
	held []int32 // ready VCs that a gate keeps from sending in this clock
}

func newGates(s *kernel) (mechanism, error) {
	rule := s.o.Gate
	if rule == nil {
		return nil, nil
	}
	info, err := newVCInfo(s, *rule)
	if err != nil {
		return nil, err
	}
	if s.words > 1 {
		return nil, errors.New("engine: gates at a switch with more than 64 VCs into it")
	}
	c := gates{*info, make([]uint64, len(s.port)), make([]uint64, len(s.port))}
	for _, p := range c.links {
		c.prepareGate(s, p)
	}
	if rule.Unit == gate.Flit {
		return &flitGates{gates: c}, nil
	}
	return &c, nil
}

func (c *gates) copy() gates { return gates{c.vcInfo.copy(), c.gated, c.exempt} }

func (c *gates) clone() mechanism {
	d := c.copy()
	return &d
}

func (c *flitGates) clone() mechanism { return &flitGates{gates: c.copy()} }

// prepareGate records which VCs have a gate before port p.
func (c *gates) prepareGate(s *kernel, p int32) {
	for i := range s.vcs {
		out := s.net.VC(s.chanOf[p], i)
		has := false
		for _, o := range s.outs[s.port[p].fromBase : s.port[p].fromBase+int32(s.port[p].of)] {
			in := s.net.Reverse(s.chanOf[o])
			if c.found.Has(in, out) {
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

// open implements closer.
func (c *gates) open(s *kernel, v, o int32, mask uint64) uint64 {
	return c.passes(s, v, o, mask, c.info[o])
}

func (c *gates) admits(*kernel, int32, int32) bool { return true }

// bitsOf returns the bits of info that count for VC i of a port.
func (c *gates) bitsOf(s *kernel, info uint64, i int) uint64 {
	all := uint64(1)<<c.rule.Hops - 1
	switch c.rule.VCs {
	case gate.Any:
		sum := uint64(0)
		for j := range s.vcs {
			sum |= info >> (j * c.rule.Hops)
		}
		return sum & all
	case gate.All:
		for j := range s.vcs {
			all &= info >> (j * c.rule.Hops)
		}
		return all
	}
	return info >> (i * c.rule.Hops) & all
}

// passes returns the VCs of mask whose gate before v is open, by VCinfo info of port o.
func (c *gates) passes(s *kernel, v, o int32, mask, info uint64) uint64 {
	if c.gated[o]>>s.vc[v].bit&1 == 0 {
		return mask
	}
	for i := range s.vcs {
		if mask&^c.exempt[o]>>i&1 == 1 && c.found.Closed(c.bitsOf(s, info, i)) {
			mask &^= 1 << i
		}
	}
	return mask
}

// hold implements holder: it removes the VCs whose next flit is before a closed gate from the ready VCs.
func (c *flitGates) hold(s *kernel) {
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

// release implements holder: it restores the VCs that hold removed.
func (c *flitGates) release(s *kernel) {
	for _, v := range c.held {
		s.setReady(&s.vc[v])
	}
}
