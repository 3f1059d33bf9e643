package engine

import (
	"errors"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file carries control information between switches: VCinfo (vcinfo.go) and the counts of entropy throttling
// (throttling.go). The information moves one hop a clock, over idle channels of the network or over a separate network.

// controlPath is how one kind of information travels.
type controlPath struct {
	dedicated bool
	sent      []Clock // by port: the last clock in which a flit left through the port
	back      []int32 // by port between switches: the port of the opposite direction, otherwise -1
	links     []int32 // ports between switches
}

func newControlPath(s *kernel) controlPath {
	c := controlPath{dedicated: s.o.Control == DedicatedControl, sent: make([]Clock, len(s.port)), back: make([]int32, len(s.port))}
	for p, ch := range s.chanOf {
		c.sent[p], c.back[p] = -1, -1
		if s.net.Kind(ch) == model.SwitchToSwitch {
			c.back[p] = s.portOf[s.net.Reverse(ch)]
			c.links = append(c.links, int32(p))
		}
	}
	return c
}

// checkTicks fails for switches of different clocks, in which information does not move one hop a clock.
func checkTicks(s *kernel) error {
	if s.headTick != nil {
		return errors.New("engine: gates, throttling and selection by what other switches report need switches of one clock")
	}
	return nil
}

// depart implements departer.
func (c *controlPath) depart(s *kernel, _ int32, x *vc) { c.sent[x.port] = s.now }

// idle reports whether control information can use port p in this clock.
func (c *controlPath) idle(s *kernel, p int32) bool {
	return c.dedicated || c.sent[p] != s.now && (!s.slow || s.until[p] <= s.now)
}

func (c *controlPath) clone() controlPath {
	d := *c
	d.sent = slices.Clone(c.sent)
	return d
}
