package engine

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file carries control information between switches: VCinfo, and the counts of
// entropy throttling (throttling.go). Both go a hop a clock, over the channels
// that packets use when these are idle, or over a network of their own.
//
// VCinfo: a switch has, for each channel out and VC, a bit for each buffer straight
// ahead, the next one's the lowest. The switch at a channel's head shifts what it knows
// of the channel straight on, sets its own buffer's bit, and sends that back.
//
// Source: T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, flow limiting against
// congestion, sections 2.1, 2.3, 3.3.3 and 3.4.
// Cost: a word for each channel and clock.

// ControlPath is how control information travels.
type ControlPath string

// The paths.
const (
	// VirtualControl steals clocks in which a channel carries no flit; what is not
	// told anew stays as it was.
	VirtualControl ControlPath = "virtual"
	// DedicatedControl is a network of its own: every clock.
	DedicatedControl ControlPath = "dedicated"
)

// ControlPaths returns all values of ControlPath, the default first.
func ControlPaths() []ControlPath {
	return []ControlPath{VirtualControl, DedicatedControl}
}

// control is the control information of a network.
type control struct {
	dedicated bool
	sent      []Clock // by port: when a flit left by it last
	back      []int32 // by port between switches: its reverse

	gates   *gate.Gates // nil: no VCinfo
	gating  bool        // gates hold packets back
	byFlit  bool        // in their middle, too
	hops    int
	level   int
	buffer  gate.Buffer
	lowest  uint64   // the next buffer's bit of each VC
	links   []int32  // ports between switches
	ahead   []int32  // by port: the one straight on, -1
	busy    []uint64 // by port: the next buffer's bits
	info    []uint64 // by port: VCinfo as its tail has it
	newInfo []uint64
	gated   []uint64 // by port out: the VCs into its switch that have a gate before it
	exempt  []uint64 // by port out: its VCs that have none
	held    []int32  // ready VCs that a gate keeps from sending in this clock

	counts *counts // nil: no throttling
}

// newControl prepares what the options ask for, nil for nothing.
func newControl(s *Sim) (*control, error) {
	o := &s.o
	if o.Gate == nil && o.Throttle == nil && o.Select != SelectAhead {
		return nil, nil
	}
	c := &control{dedicated: o.Control == DedicatedControl, sent: make([]Clock, len(s.port)), back: make([]int32, len(s.port))}
	for p, ch := range s.chanOf {
		c.sent[p], c.back[p] = -1, -1
		if s.net.Kind(ch) == model.SwitchToSwitch {
			c.back[p] = s.portOf[s.net.Reverse(ch)]
			c.links = append(c.links, int32(p))
		}
	}
	if o.Gate != nil || o.Select == SelectAhead {
		if err := c.prepareInfo(s); err != nil {
			return nil, err
		}
	}
	if o.Throttle != nil {
		var err error
		if c.counts, err = newCounts(s); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// prepareInfo makes VCinfo that knows of no buffer that is nearly full.
func (c *control) prepareInfo(s *Sim) (err error) {
	rule := gate.DefaultRule(gate.Turns)
	if rule.Level = s.o.MaxFlits - 1; s.o.Gate != nil { // a packet finds no room
		rule = *s.o.Gate
	}
	if c.gates, err = rule.On(s.rel); err != nil {
		return err
	}
	c.byFlit = s.o.Gate != nil && rule.Unit == gate.Flit
	c.gating, c.hops, c.level, c.buffer = s.o.Gate != nil, rule.Hops, rule.Level, rule.Buffer
	if c.level >= s.o.BufferFlits {
		return fmt.Errorf("engine: occupancy level %d: an empty buffer of %d flits would be nearly full", c.level, s.o.BufferFlits)
	}
	if s.vcs*c.hops > 64 {
		return fmt.Errorf("engine: VCinfo of %d VCs and %d hops is more than 64 bits", s.vcs, c.hops)
	}
	if c.gating && s.words > 1 {
		return fmt.Errorf("engine: gates at a switch with more than 64 VCs into it")
	}
	for i := range s.vcs {
		c.lowest |= 1 << (i * c.hops)
	}
	k := len(s.port)
	c.ahead, c.busy, c.info, c.newInfo = make([]int32, k), make([]uint64, k), make([]uint64, k), make([]uint64, k)
	c.gated, c.exempt = make([]uint64, k), make([]uint64, k)
	for _, p := range c.links {
		if c.ahead[p] = -1; c.gates.Ahead(s.chanOf[p]) != model.NoChannel {
			c.ahead[p] = s.portOf[c.gates.Ahead(s.chanOf[p])]
		}
		if c.gating {
			c.prepareGate(s, p)
		}
	}
	for v := range s.vc {
		c.fill(s, int32(v))
	}
	return nil
}

// fill notes whether the buffer of v is nearly full.
func (c *control) fill(s *Sim, v int32) {
	x := &s.vc[v]
	if c.gates == nil || c.back[x.in] < 0 {
		return
	}
	bit := uint64(1) << (int(v-x.in*int32(s.vcs)) * c.hops)
	if c.busy[x.in] &^= bit; s.o.BufferFlits-c.taken(s, v) <= c.level {
		c.busy[x.in] |= bit
	}
}

// taken counts the slots of v's buffer that are taken.
func (c *control) taken(s *Sim, v int32) int {
	x := &s.vc[v]
	if c.buffer == gate.Stored {
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

// come notes a flit that has arrived in the buffer of v.
func (c *control) come(s *Sim, v int32, x *vc) {
	c.fill(s, v)
	if c.counts != nil && x.have == 1 {
		c.counts.occupy(x.in)
	}
}

// place notes flits that are placed in v's buffer.
func (c *control) place(s *Sim, v int32, x *vc, flits int) {
	c.fill(s, v)
	if c.counts != nil && int(x.have) == flits {
		c.counts.occupy(x.in)
	}
}

// settle passes VCinfo on as far as it goes, in no time.
func (c *control) settle(s *Sim) {
	dedicated := c.dedicated
	c.dedicated = true
	for range c.hops {
		c.passInfo(s)
	}
	c.dedicated = dedicated
}

// leave notes a flit that leaves v's buffer by the port of its output.
func (c *control) leave(s *Sim, v int32, x *vc) {
	c.sent[x.port] = s.now
	if c.counts != nil {
		c.counts.move(x.in)
	}
	c.gone(s, v, x)
}

// gone notes that there are fewer flits in v's buffer.
func (c *control) gone(s *Sim, v int32, x *vc) {
	c.fill(s, v)
	if c.counts != nil && x.have == 0 {
		c.counts.empty(x.in)
	}
}

// start notes a head that has got an output VC.
func (c *control) start(s *Sim, x *vc) {
	if c.counts != nil && s.o.Timing != Paper { // there it leaves in the same clock
		c.counts.move(x.in)
	}
}

// stops reports whether throttling stops the clocks of sources.
func (c *control) stops() bool { return c != nil && c.counts != nil && !c.counts.starts }

// stopped reports whether throttling keeps a host from beginning to send.
func (c *control) stopped(x *host) bool {
	return c != nil && c.counts != nil && c.counts.starts && c.counts.stopped[c.counts.at[x.base/c.counts.vcs]]
}

// tick passes control information on, a hop.
func (c *control) tick(s *Sim) {
	if c.gates != nil {
		c.passInfo(s)
	}
	if c.counts != nil {
		c.counts.pass(s, c)
	}
}

// idle reports whether control information passes by port p in this clock.
func (c *control) idle(s *Sim, p int32) bool {
	return c.dedicated || c.sent[p] != s.now && (!s.slow || s.until[p] <= s.now)
}

func (c *control) passInfo(s *Sim) {
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

// check counts anew what is nearly full and what is occupied.
func (c *control) check(s *Sim, bad func(string, ...any)) {
	occupied := map[int32]int32{}
	for v := range s.vc {
		x := &s.vc[v]
		if c.gates != nil && c.back[x.in] >= 0 {
			full := s.o.BufferFlits-c.taken(s, int32(v)) <= c.level
			if bit := c.busy[x.in]>>(v%s.vcs*c.hops)&1 == 1; bit != full {
				bad("VC %d: nearly full %v, its bit says %v", v, full, bit)
			}
		}
		if c.counts != nil && x.have > 0 {
			occupied[c.counts.at[x.in]]++
		}
	}
	if c.counts == nil {
		return
	}
	for u, own := range c.counts.own {
		if own.occupied != occupied[int32(u)] {
			bad("switch %d: %d buffers occupied, counted %d", u, occupied[int32(u)], own.occupied)
		}
	}
}

func (c *control) clone() *control {
	if c == nil {
		return nil
	}
	d := *c
	d.sent = slices.Clone(c.sent)
	d.busy, d.info = slices.Clone(c.busy), slices.Clone(c.info)
	d.newInfo, d.held = make([]uint64, len(c.newInfo)), nil
	d.counts = c.counts.clone()
	return &d
}
