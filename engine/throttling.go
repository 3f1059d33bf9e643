package engine

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/turnproof/turnproof/model"
)

// This file is entropy throttling: hosts create no packets while few of the
// occupied buffers move.
//
// Method: every switch counts its buffers that hold a flit, and those of them that move:
// that send a flit, or whose head is given an output. The sums are made along
// the rows, from the lowest coordinate to the highest, and told back along them; then the
// same along the columns, with what the rows told; then by further dimensions. So a switch
// has sums of some clocks ago, not all of the same clock.
//
// Source: T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, flow limiting against
// congestion, sections 2.2 and 3.2, figure 1; T. Yokota et al., IPSJ Trans. ACS
// 47(SIG 12), 2006.
// Cost: some words for each switch and clock.

// Throttle is entropy throttling.
type Throttle struct {
	// Mobility is the threshold Rth: throttled where a smaller part of the
	// occupied buffers moves.
	Mobility float64
	// Occupancy is the threshold Pn, for the part of all buffers that is occupied.
	Occupancy float64
	// ReleaseFull is rule (4) as printed: never throttled where more are occupied than
	// Pn. Else it is turned round, never where fewer are.
	ReleaseFull bool
	// Starts holds back every packet that has not set out, for collectives, whose
	// packets a host creates one after the other. Else the source's clock stands
	// still, and packets that are created already set out.
	Starts bool
}

func (t *Throttle) check() error {
	if !(t.Mobility >= 0 && t.Mobility <= 1 && t.Occupancy >= 0 && t.Occupancy <= 1) {
		return fmt.Errorf("engine: throttling below a mobility of %v and an occupancy of %v, allowed are 0 to 1", t.Mobility, t.Occupancy)
	}
	return nil
}

// census is a count of occupied buffers, and of those that move.
type census struct{ occupied, moving int32 }

func (a census) plus(b census) census {
	return census{a.occupied + b.occupied, a.moving + b.moving}
}

// counts is the state of throttling.
type counts struct {
	starts  bool     // Throttle.Starts
	vcs     int32    // of a channel
	buffers int      // of all switches
	own     []census // by switch, of this clock
	emptied []int32  // switches, one for each buffer that got empty in this clock
	at      []int32  // by port in: its switch
	rows    []row    // by dimension
	stops   [][]stop // by switch: when it began and ceased to throttle
	stopped []bool   // by switch
}

// row is the registers of a dimension.
type row struct {
	sum, all       []census // by switch
	newSum, newAll []census
	lower, upper   []int32 // by switch: its neighbours, -1
	up, down       []int32 // by switch: the ports by which what they tell comes
}

// stop is an interval in which a source's clock stood still.
type stop struct {
	from   Clock
	before Clock // clocks stood still before it
}

func newCounts(s *Sim) (*counts, error) {
	n, g := s.net, s.net.Grid()
	if g == nil {
		return nil, errors.New("engine: throttling sums over rows and columns, so a mesh or torus is needed; this network has no coordinates")
	}
	k := n.NumSwitches()
	c := &counts{starts: s.o.Throttle.Starts, vcs: int32(s.vcs), own: make([]census, k), at: make([]int32, len(s.port)), stops: make([][]stop, k), stopped: make([]bool, k)}
	for p, ch := range s.chanOf {
		if c.at[p] = int32(n.Head(ch)); n.Head(ch) != model.NoSwitch {
			c.buffers += s.vcs
		}
	}
	for d := range g.Dims() {
		c.rows = append(c.rows, newRow(s, d))
	}
	return c, nil
}

// newRow prepares the registers of dimension d.
func newRow(s *Sim, d int) row {
	n, g := s.net, s.net.Grid()
	k := n.NumSwitches()
	r := row{sum: make([]census, k), all: make([]census, k), newSum: make([]census, k), newAll: make([]census, k),
		lower: make([]int32, k), upper: make([]int32, k), up: make([]int32, k), down: make([]int32, k)}
	for u := range model.SwitchID(k) {
		r.lower[u], r.upper[u] = -1, -1
	}
	for u := range model.SwitchID(k) {
		c := n.OutAt(u, model.PlusPort(d))
		if c == model.NoChannel || n.Kind(c) != model.SwitchToSwitch || g.Coord(n.Head(c), d) != g.Coord(u, d)+1 {
			continue
		}
		v := n.Head(c)
		r.upper[u], r.lower[v] = int32(v), int32(u)
		r.up[v], r.down[u] = s.portOf[c], s.portOf[n.Reverse(c)]
	}
	return r
}

// occupy counts a buffer that gets its first flit, at the switch of port p.
func (c *counts) occupy(p int32) { c.own[c.at[p]].occupied++ }

// empty counts one that loses its last; in this clock it was still occupied.
func (c *counts) empty(p int32) { c.emptied = append(c.emptied, c.at[p]) }

// move counts one that moves.
func (c *counts) move(p int32) { c.own[c.at[p]].moving++ }

// pass passes the counts on, a hop, and begins those of the next clock.
func (c *counts) pass(s *Sim, control *control) {
	part := c.own
	for i := range c.rows {
		c.rows[i].pass(s, control, part)
		part = c.rows[i].newAll // of the clock before: a register lies between
	}
	for i := range c.own {
		c.own[i].moving = 0
	}
	for _, u := range c.emptied {
		c.own[u].occupied--
	}
	c.emptied = c.emptied[:0]
	for u := range c.stopped {
		c.decide(s, u)
	}
}

// pass takes what the neighbours told and adds part, each switch's own.
func (r *row) pass(s *Sim, control *control, part []census) {
	for u := range r.sum {
		switch low := r.lower[u]; {
		case low < 0:
			r.newSum[u] = part[u]
		case control.idle(s, r.up[u]):
			r.newSum[u] = part[u].plus(r.sum[low])
		default:
			r.newSum[u] = r.sum[u]
		}
		switch high := r.upper[u]; {
		case high < 0:
			r.newAll[u] = r.sum[u]
		case control.idle(s, r.down[u]):
			r.newAll[u] = r.all[high]
		default:
			r.newAll[u] = r.all[u]
		}
	}
	r.sum, r.newSum, r.all, r.newAll = r.newSum, r.sum, r.newAll, r.all
}

// decide notes whether the hosts of switch u are throttled from the next clock on.
func (c *counts) decide(s *Sim, u int) {
	t, sum := s.o.Throttle, c.rows[len(c.rows)-1].all[u]
	part := float64(sum.occupied) / float64(c.buffers)
	released := part < t.Occupancy
	if t.ReleaseFull {
		released = part > t.Occupancy
	}
	stopped := !released && sum.occupied > 0 && float64(sum.moving) < t.Mobility*float64(sum.occupied)
	if stopped == c.stopped[u] {
		return
	}
	c.stopped[u] = stopped
	if t.Starts {
		return
	}
	list := c.stops[u]
	if stopped {
		before := Clock(0)
		if k := len(list); k > 0 {
			before = list[k-1].before
		}
		c.stops[u] = append(list, stop{s.now + 1, before})
	} else {
		last := &list[len(list)-1]
		c.stops[u] = append(list, stop{s.now + 1, last.before + s.now + 1 - last.from})
	}
}

// when returns the clock at which what a source creates in clock t of its own is
// created at switch u; false: its clock stands still before that.
func (c *counts) when(u model.SwitchID, t Clock) (Clock, bool) {
	list := c.stops[u]
	// Entries alternate: even ones begin a stop, odd ones end it, at the same time of
	// its own, which is the clock less what it stood still.
	k := sort.Search(len(list), func(i int) bool { return list[i].from-list[i].before > t })
	if k%2 == 1 && k == len(list) {
		return 0, false // it stands still since before t
	}
	if k == 0 {
		return t, true
	}
	return t + list[k-1].before, true
}

// created returns the clock at which the next packet of a host is created, noted in it;
// or, while the source's clock stands still, the one after t, to look again.
func (c *counts) created(x *host, t Clock) Clock {
	at, ok := c.when(model.SwitchID(c.at[x.base/c.vcs]), x.own)
	if !ok {
		return t + 1
	}
	x.next.Created = at
	return at
}

func (c *counts) clone() *counts {
	if c == nil {
		return nil
	}
	d := *c
	d.own, d.emptied, d.stopped = slices.Clone(c.own), slices.Clone(c.emptied), slices.Clone(c.stopped)
	d.rows, d.stops = slices.Clone(c.rows), slices.Clone(c.stops)
	for i := range d.rows {
		r := &d.rows[i]
		r.sum, r.all = slices.Clone(r.sum), slices.Clone(r.all)
		r.newSum, r.newAll = make([]census, len(r.newSum)), make([]census, len(r.newAll))
	}
	for i := range d.stops {
		d.stops[i] = slices.Clone(d.stops[i])
	}
	return &d
}
