package engine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file carries control information between switches: VCinfo, the counts of entropy
// throttling (throttling.go), and the congestion of neighbours and regions (regional.go). The
// information moves one hop a clock, over idle channels of the network or over a separate network.
//
// VCinfo: for each output channel and VC a switch has one bit for each buffer straight ahead, the
// lowest bit for the nearest buffer. The switch at the head of a channel shifts its own VCinfo of
// the channel straight on, sets the bit of its own buffer, and sends the result back.
//
// Source: T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, flow limiting against congestion, sections
// 2.1, 2.3, 3.3.3 and 3.4. Cost: one word for each channel and clock.

// ControlPath says how control information travels.
type ControlPath string

// Values of ControlPath.
const (
	// VirtualControl uses the clocks in which a channel carries no flit. Information that is not
	// updated keeps its old value.
	VirtualControl ControlPath = "virtual"
	// DedicatedControl is a separate network. It carries information in every clock.
	DedicatedControl ControlPath = "dedicated"
)

// ControlPaths returns all values of ControlPath, the default first.
func ControlPaths() []ControlPath {
	return []ControlPath{VirtualControl, DedicatedControl}
}

// control is the state of control information.
type control struct {
	dedicated bool
	sent      []Clock // by port: the last clock in which a flit left through the port
	back      []int32 // by port between switches: the port of the opposite direction

	gates   *gate.Gates // nil if VCinfo is off
	gating  bool        // whether gates hold packets back
	byFlit  bool        // whether gates hold back flits after the head as well
	hops    int
	level   int
	buffer  gate.Buffer
	lowest  uint64   // mask of the bits of all nearest buffers, one bit for each VC
	links   []int32  // ports between switches
	ahead   []int32  // by port: the port straight on, or -1
	busy    []uint64 // by port: the VCinfo bits of the port's own buffers
	info    []uint64 // by port: the VCinfo that the switch at the tail of the channel has
	newInfo []uint64
	gated   []uint64 // by output port: the VCs into its switch that must pass a gate to leave by this port
	exempt  []uint64 // by output port: its VCs without a gate
	held    []int32  // ready VCs that a gate keeps from sending in this clock

	counts   *counts   // nil if throttling is off
	regional *regional // nil if the selection does not use it
}

// Informs reports whether switches send control information to each other, also while the network
// is empty.
func (o *Options) Informs() bool {
	return o.Gate != nil || o.Throttle != nil || o.Select == SelectAhead || slices.Contains(regionalRules, o.Select)
}

// newControl returns the control state that the options ask for, or nil.
func newControl(s *Sim) (*control, error) {
	o := &s.o
	regional, err := newRegional(s)
	if err != nil || !o.Informs() {
		return nil, err
	}
	if s.headTick != nil {
		return nil, errors.New("engine: gates, throttling and selection by what other switches report need switches of one clock")
	}
	c := &control{regional: regional, dedicated: o.Control == DedicatedControl, sent: make([]Clock, len(s.port)), back: make([]int32, len(s.port))}
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
		if c.counts, err = newCounts(s); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// prepareInfo allocates VCinfo, with no buffer marked as nearly full.
func (c *control) prepareInfo(s *Sim) (err error) {
	if s.o.Gate == nil && s.net.Grid() == nil {
		return fmt.Errorf("engine: selection %s needs a mesh or torus; this network has no coordinates", s.o.Select)
	}
	rule := gate.DefaultRule(gate.Turns)
	if rule.Level = s.o.MaxFlits - 1; s.o.Gate != nil { // a buffer without room for a packet is nearly full
		rule = *s.o.Gate
	}
	if c.gates, err = rule.On(s.rel); err != nil {
		return err
	}
	c.byFlit = s.o.Gate != nil && rule.Unit == gate.Flit
	c.gating, c.hops, c.level, c.buffer = s.o.Gate != nil, rule.Hops, rule.Level, rule.Buffer
	for _, p := range c.links {
		if c.level >= int(s.buffer[p]) {
			if s.o.Gate == nil {
				return fmt.Errorf("engine: selection %s needs buffers of whole packets: %d flits are less than a packet of %d",
					s.o.Select, s.buffer[p], s.o.MaxFlits)
			}
			return fmt.Errorf("engine: occupancy level %d: an empty buffer of %d flits would be nearly full", c.level, s.buffer[p])
		}
	}
	if s.vcs*c.hops > 64 {
		return &Limit{fmt.Sprintf("VCinfo of %d VCs and %d hops is more than 64 bits", s.vcs, c.hops)}
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

// fill updates the VCinfo bit of the buffer of VC v.
func (c *control) fill(s *Sim, v int32) {
	x := &s.vc[v]
	if c.gates == nil || c.back[x.in] < 0 {
		return
	}
	bit := uint64(1) << (int(v-x.in*int32(s.vcs)) * c.hops)
	if c.busy[x.in] &^= bit; int(s.buffer[x.in])-c.taken(s, v) <= c.level {
		c.busy[x.in] |= bit
	}
}

// taken returns the number of used slots of v's buffer.
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

// come records that a flit has arrived in the buffer of v.
func (c *control) come(s *Sim, v int32, x *vc) {
	c.fill(s, v)
	if c.counts != nil && x.have == 1 {
		c.counts.occupy(x.in)
	}
}

// place records that Place has put flits into the buffer of v.
func (c *control) place(s *Sim, v int32, x *vc, flits int) {
	c.fill(s, v)
	if c.counts != nil && int(x.have) == flits {
		c.counts.occupy(x.in)
	}
}

// settle propagates VCinfo until nothing changes, without advancing the clock.
func (c *control) settle(s *Sim) {
	dedicated := c.dedicated
	c.dedicated = true
	for range c.hops {
		c.passInfo(s)
	}
	c.dedicated = dedicated
}

// leave records that a flit leaves the buffer of v through the port of its output VC.
func (c *control) leave(s *Sim, v int32, x *vc) {
	c.sent[x.port] = s.now
	if c.counts != nil {
		c.counts.move(x.in)
	}
	c.gone(s, v, x)
}

// gone records that v's buffer holds fewer flits.
func (c *control) gone(s *Sim, v int32, x *vc) {
	c.fill(s, v)
	if c.counts != nil && x.have == 0 {
		c.counts.empty(x.in)
	}
}

// start records that the head at the front of a VC has been given an output VC.
func (c *control) start(s *Sim, x *vc) {
	if c.counts != nil && s.o.Timing != Paper { // with Paper timing the head leaves in the same clock and is counted then
		c.counts.move(x.in)
	}
}

// stops reports whether throttling works by stopping the clocks of the sources.
func (c *control) stops() bool { return c != nil && c.counts != nil && !c.counts.starts }

// stopped reports whether throttling keeps host x from starting a packet.
func (c *control) stopped(x *host) bool {
	return c != nil && c.counts != nil && c.counts.starts && c.counts.stopped[c.counts.at[x.base/c.counts.vcs]]
}

// tick moves control information one hop.
func (c *control) tick(s *Sim) {
	if c.gates != nil {
		c.passInfo(s)
	}
	if c.counts != nil {
		c.counts.pass(s, c)
	}
	c.regional.pass(s)
}

// idle reports whether control information can use port p in this clock.
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

// check recounts which buffers are nearly full and which are occupied, and reports differences to
// bad.
func (c *control) check(s *Sim, bad func(string, ...any)) {
	occupied := map[int32]int32{}
	for v := range s.vc {
		x := &s.vc[v]
		if c.gates != nil && c.back[x.in] >= 0 {
			full := int(s.buffer[x.in])-c.taken(s, int32(v)) <= c.level
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
	d.counts, d.regional = c.counts.clone(), c.regional.clone()
	return &d
}
