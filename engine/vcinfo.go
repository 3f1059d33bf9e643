package engine

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file is VCinfo: what switches know about the buffers ahead.
//
// For each output channel and VC a switch has one bit for each buffer straight ahead, the lowest bit for the nearest buffer.
// The switch at the head of a channel shifts its own VCinfo of the channel straight on, sets the bit of its own buffer, and
// sends the result back.
//
// Source: T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, flow limiting against congestion, sections 2.1, 2.3, 3.3.3 and 3.4.
// Cost: one word for each channel and clock.

// vcInfo is the VCinfo of all switches.
type vcInfo struct {
	controlPath
	rule    gate.Rule
	found   *gate.Gates
	lowest  uint64   // mask of the bits of all nearest buffers, one bit for each VC
	ahead   []int32  // by port: the port straight on, or -1
	busy    []uint64 // by port: the VCinfo bits of the port's own buffers
	info    []uint64 // by port: the VCinfo that the switch at the tail of the channel has
	newInfo []uint64
}

// newVCInfo returns VCinfo by a rule, with no buffer marked as nearly full.
func newVCInfo(s *kernel, rule gate.Rule) (*vcInfo, error) {
	if err := checkTicks(s); err != nil {
		return nil, err
	}
	found, err := rule.On(s.rel)
	if err != nil {
		return nil, err
	}
	k := len(s.port)
	c := &vcInfo{controlPath: newControlPath(s), rule: rule, found: found, ahead: make([]int32, k), busy: make([]uint64, k),
		info: make([]uint64, k), newInfo: make([]uint64, k)}
	for _, p := range c.links {
		if rule.Level < int(s.buffer[p]) {
			continue
		}
		if s.o.Gate == nil {
			return nil, fmt.Errorf("engine: selection %s needs buffers of whole packets: %d flits are less than a packet of %d",
				s.o.Select, s.buffer[p], s.o.MaxFlits)
		}
		return nil, fmt.Errorf("engine: occupancy level %d: an empty buffer of %d flits would be nearly full", rule.Level, s.buffer[p])
	}
	if s.vcs*rule.Hops > 64 {
		return nil, &Limit{fmt.Sprintf("VCinfo of %d VCs and %d hops is more than 64 bits", s.vcs, rule.Hops)}
	}
	for i := range s.vcs {
		c.lowest |= 1 << (i * rule.Hops)
	}
	for _, p := range c.links {
		if c.ahead[p] = -1; found.Ahead(s.chanOf[p]) != model.NoChannel {
			c.ahead[p] = s.portOf[found.Ahead(s.chanOf[p])]
		}
	}
	for v := range s.vc {
		c.refill(s, int32(v))
	}
	return c, nil
}

// refill implements watcher: it updates the VCinfo bit of the buffer of VC v.
func (c *vcInfo) refill(s *kernel, v int32) {
	x := &s.vc[v]
	if c.back[x.in] < 0 {
		return
	}
	bit := uint64(1) << (int(v-x.in*int32(s.vcs)) * c.rule.Hops)
	if c.busy[x.in] &^= bit; c.isFull(s, v) {
		c.busy[x.in] |= bit
	}
}

// isFull reports whether the buffer of v is nearly full.
func (c *vcInfo) isFull(s *kernel, v int32) bool {
	return int(s.buffer[s.vc[v].in])-c.taken(s, v) <= c.rule.Level
}

// taken returns the number of used slots of v's buffer.
func (c *vcInfo) taken(s *kernel, v int32) int {
	x := &s.vc[v]
	if c.rule.Buffer == gate.Stored {
		return int(x.have)
	}
	sum := 0
	for i := range x.packets {
		if i > 0 || x.state != ending {
			sum += int(s.packet[s.nth(v, i)].flits)
		}
	}
	return sum
}

// arrive implements watcher.
func (c *vcInfo) arrive(s *kernel, v int32, _ *vc) { c.refill(s, v) }

// depart implements departer.
func (c *vcInfo) depart(s *kernel, v int32, x *vc) {
	c.controlPath.depart(s, v, x)
	c.refill(s, v)
}

// drop implements dropper.
func (c *vcInfo) drop(s *kernel, v int32, _ *vc) { c.refill(s, v) }

// tick implements ticker.
func (c *vcInfo) tick(s *kernel) {
	for _, p := range c.links {
		told := c.busy[p]
		if a := c.ahead[p]; a >= 0 {
			told |= c.info[a] << 1 &^ c.lowest
		}
		if told != c.info[p] && !c.idle(s, c.back[p]) {
			told = c.info[p]
		}
		c.newInfo[p] = told
	}
	c.info, c.newInfo = c.newInfo, c.info
}

// place implements placer: it propagates VCinfo until nothing changes, without advancing the clock.
func (c *vcInfo) place(s *kernel, _ []Placed) {
	for v := range s.vc {
		c.refill(s, int32(v))
	}
	dedicated := c.dedicated
	c.dedicated = true
	for range c.rule.Hops {
		c.tick(s)
	}
	c.dedicated = dedicated
}

// recount implements checker: it recounts which buffers are nearly full.
func (c *vcInfo) recount(s *kernel, bad func(string, ...any)) {
	for v := range s.vc {
		x := &s.vc[v]
		if c.back[x.in] < 0 {
			continue
		}
		full := c.isFull(s, int32(v))
		if bit := c.busy[x.in]>>(v%s.vcs*c.rule.Hops)&1 == 1; bit != full {
			bad("VC %d: nearly full %v, its bit says %v", v, full, bit)
		}
	}
}

func (c *vcInfo) copy() vcInfo {
	d := *c
	d.controlPath = c.controlPath.clone()
	d.busy, d.info = slices.Clone(c.busy), slices.Clone(c.info)
	d.newInfo = make([]uint64, len(c.newInfo))
	return d
}

// ahead selects the free VC with the least VCinfo, nearer buffers weighing more, then the most free slots.
type ahead struct{ vcInfo }

func newAhead(s *kernel) (mechanism, error) {
	if s.o.Select != SelectAhead {
		return nil, nil
	}
	rule := gate.DefaultRule(gate.Turns)
	if rule.Level = s.o.MaxFlits - 1; s.o.Gate != nil { // a buffer without room for a packet is nearly full
		rule = *s.o.Gate
	}
	if s.o.Gate == nil && s.net.Grid() == nil {
		return nil, fmt.Errorf("engine: selection %s needs a mesh or torus; this network has no coordinates", s.o.Select)
	}
	info, err := newVCInfo(s, rule)
	if err != nil {
		return nil, err
	}
	return &ahead{*info}, nil
}

func (a *ahead) clone() mechanism { return &ahead{a.copy()} }

// choose implements selector.
func (a *ahead) choose(s *kernel, _ int32, list []int32) int32 {
	best := list[0]
	for _, w := range list[1:] {
		x, y := a.cost(s, w), a.cost(s, best)
		if x < y || x == y && lessLoaded(s, w, best) {
			best = w
		}
	}
	return best
}

// cost returns the congestion ahead of output VC w according to VCinfo. It uses function f3 of the
// paper with factor 0.8, which gives far buffers less weight.
func (a *ahead) cost(s *kernel, w int32) (sum float64) {
	p := s.vc[w].in
	if a.back[p] < 0 {
		return 0 // a channel to a host
	}
	weight := 1.0
	for info := a.info[p] >> (int(w-p*int32(s.vcs)) * a.rule.Hops) & (1<<a.rule.Hops - 1); info != 0; info >>= 1 {
		if info&1 == 1 {
			sum += weight
		}
		weight *= 0.8
	}
	return sum
}
