package gates

import (
	"context"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file decides gates by packet under store-and-forward switching, and gates before VCs that take a packet only when no other packet
// holds them. docs/theorems/gates.md, "Packets stored whole, or alone in a VC", has the theorems.

// oneEach returns s or, if VCs are atomic, the same setup with buffers that have room for one packet, and the same bits. The level
// may be negative: then no bit is set.
func oneEach(s *gate.Setup) *gate.Setup {
	c := *s
	if surplus := s.Buffer - (2*s.Packet - 1); s.Atomic && surplus > 0 {
		c.Buffer, c.Rule.Level = c.Buffer-surplus, c.Rule.Level-surplus
	}
	return &c
}

// placeWhole looks for packets that block each other and arrive one after the other, each as a whole. Such packets are packets of one flit in
// buffers that count packets. It returns nil if it finds none.
func placeWhole(ctx context.Context, r model.Relation, s *gate.Setup) (*Result, error) {
	slots := *s
	nearly := (s.Buffer - s.Rule.Level + s.Packet - 1) / s.Packet // packets that set a bit
	slots.Packet, slots.Buffer = 1, s.Buffer/s.Packet
	slots.Rule.Level = slots.Buffer - nearly
	g, err := collect(ctx, r, &slots)
	if err != nil {
		return nil, err
	}
	c, err := g.configure(ctx, r, func(c *configuration) bool { return c.sortByArrival(g) })
	if c == nil || err != nil {
		return nil, err
	}
	result, steps := &Result{Claim: c.claim(), Packets: c.packets, Flits: c.flits}, cert.Ints{}
	for i, p := range c.packets {
		for j := range len(p.Path) - 1 {
			for range s.Packet {
				steps = append(steps, int32(i), int32(j))
			}
		}
		for j := range c.flits[i] {
			c.flits[i][j] *= s.Packet
		}
	}
	result.Claim.Evidence, result.Claim.Flits, result.Claim.Steps = cert.EvidenceGatedRun, nil, &steps
	return result, nil
}
