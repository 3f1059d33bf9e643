package engine

import (
	"errors"
	"slices"
	"sort"

	"github.com/turnproof/turnproof/model"
)

// This file is entropy throttling: hosts create no packets while few of the occupied buffers move.
//
// Method: every switch counts its buffers that hold a flit, and those of them that move: that send
// a flit, or whose head gets an output. The counts are summed along the rows, from the lowest
// coordinate to the highest, and the sums travel back. The same happens along the columns, with
// the sums of the rows, then along further dimensions. A switch therefore knows sums of earlier
// clocks, and not all of the same clock.
//
// Source: T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, flow limiting against congestion, sections
// 2.2 and 3.2, figure 1; T. Yokota et al., IPSJ Trans. ACS 47(SIG 12), 2006. Cost: some words for
// each switch and clock.

// census counts occupied buffers, and those of them that move.
type census struct{ occupied, moving int32 }

func (a census) plus(b census) census {
	return census{a.occupied + b.occupied, a.moving + b.moving}
}

// counts holds the state of throttling.
type counts struct {
	controlPath
	*Throttle
	vcs     int32    // number of VCs of a channel
	buffers int      // number of buffers of all switches
	own     []census // by switch: the counts of this clock
	emptied []int32  // the switch of each buffer that became empty in this clock
	at      []int32  // by input port: its switch
	rows    []row    // by dimension: the sums along its rows
	paused  [][]stop // by switch: intervals in which the clock of its sources was stopped
	stopped []bool   // by switch: whether its hosts are throttled now
}

// row holds the registers of one dimension.
type row struct {
	sum, all       []census // by switch
	newSum, newAll []census
	lower, upper   []int32 // by switch: its lower and upper neighbor in the dimension, or -1
	up, down       []int32 // by switch: the ports from these neighbors
}

// stop is an interval in which a source's clock is stopped.
type stop struct {
	from   Clock
	before Clock // number of clocks stopped before this interval
}

func newCounts(s *kernel) (mechanism, error) {
	if s.o.Throttle == nil {
		return nil, nil
	}
	if err := checkTicks(s); err != nil {
		return nil, err
	}
	n, g := s.net, s.net.Grid()
	if g == nil {
		return nil, errors.New("engine: throttling sums over rows and columns, so a mesh or torus is needed; this network has no coordinates")
	}
	k := n.NumSwitches()
	c := &counts{controlPath: newControlPath(s), Throttle: s.o.Throttle, vcs: int32(s.vcs), own: make([]census, k), at: make([]int32, len(s.port)),
		paused: make([][]stop, k), stopped: make([]bool, k)}
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

// newRow returns the registers of dimension d.
func newRow(s *kernel, d int) row {
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

// arrive implements watcher.
func (c *counts) arrive(_ *kernel, _ int32, x *vc) {
	if x.have == 1 {
		c.own[c.at[x.in]].occupied++
	}
}

func (c *counts) refill(*kernel, int32) {}

// grant implements granter.
func (c *counts) grant(s *kernel, _ int32, x *vc, _ int32) {
	if s.o.Timing != Paper { // with Paper timing the head leaves in the same clock and is counted then
		c.own[c.at[x.in]].moving++
	}
}

// depart implements departer.
func (c *counts) depart(s *kernel, v int32, x *vc) {
	c.controlPath.depart(s, v, x)
	c.own[c.at[x.in]].moving++
	c.drop(s, v, x)
}

// drop implements dropper: it counts a buffer that loses its last flit. In this clock the buffer still counts as occupied.
func (c *counts) drop(_ *kernel, _ int32, x *vc) {
	if x.have == 0 {
		c.emptied = append(c.emptied, c.at[x.in])
	}
}

// place implements placer.
func (c *counts) place(s *kernel, _ []Placed) {
	for v := range s.vc {
		if x := &s.vc[v]; x.have > 0 {
			c.own[c.at[x.in]].occupied++
		}
	}
}

// recount implements checker: it recounts which buffers are occupied.
func (c *counts) recount(s *kernel, bad func(string, ...any)) {
	occupied := map[int32]int32{}
	for v := range s.vc {
		if x := &s.vc[v]; x.have > 0 {
			occupied[c.at[x.in]]++
		}
	}
	for u, own := range c.own {
		if own.occupied != occupied[int32(u)] {
			bad("switch %d: %d buffers occupied, counted %d", u, occupied[int32(u)], own.occupied)
		}
	}
}

// tick implements ticker: it sends the counts one hop further and starts the counts of the next clock.
func (c *counts) tick(s *kernel) {
	part := c.own
	for i := range c.rows {
		c.rows[i].pass(s, &c.controlPath, part)
		part = c.rows[i].newAll // the sums of the previous clock, as a register delays them by one
	}
	for i := range c.own {
		c.own[i].moving = 0
	}
	for _, u := range c.emptied {
		c.own[u].occupied--
	}
	c.emptied = c.emptied[:0]
	for u := range c.stopped {
		c.decide(s.now, u)
	}
}

// pass takes the sums of the neighbors and adds part, the count of each switch.
func (r *row) pass(s *kernel, path *controlPath, part []census) {
	for u := range r.sum {
		switch low := r.lower[u]; {
		case low < 0:
			r.newSum[u] = part[u]
		case path.idle(s, r.up[u]):
			r.newSum[u] = part[u].plus(r.sum[low])
		default:
			r.newSum[u] = r.sum[u]
		}
		switch high := r.upper[u]; {
		case high < 0:
			r.newAll[u] = r.sum[u]
		case path.idle(s, r.down[u]):
			r.newAll[u] = r.all[high]
		default:
			r.newAll[u] = r.all[u]
		}
	}
	r.sum, r.newSum, r.all, r.newAll = r.newSum, r.sum, r.newAll, r.all
}

// decide computes whether the hosts of switch u are throttled from the next clock on.
func (c *counts) decide(now Clock, u int) {
	t, sum := c.Throttle, c.rows[len(c.rows)-1].all[u]
	part := float64(sum.occupied) / float64(c.buffers)
	released := part > t.Occupancy
	if t.ReleaseEmpty {
		released = part < t.Occupancy
	}
	stopped := !released && sum.occupied > 0 && float64(sum.moving) < t.Mobility*float64(sum.occupied)
	if stopped == c.stopped[u] {
		return
	}
	c.stopped[u] = stopped
	if t.Starts {
		return
	}
	list := c.paused[u]
	if stopped {
		before := Clock(0)
		if k := len(list); k > 0 {
			before = list[k-1].before
		}
		c.paused[u] = append(list, stop{now + 1, before})
	} else {
		last := &list[len(list)-1]
		c.paused[u] = append(list, stop{now + 1, last.before + now + 1 - last.from})
	}
}

// when converts clock t of the sources at switch u, which stops while its hosts are throttled,
// into a clock of the simulation. It returns false if the sources' clock has been stopped since
// before t.
func (c *counts) when(u model.SwitchID, t Clock) (Clock, bool) {
	list := c.paused[u]
	// Even entries start an interval, odd ones end it, at the same time of the source's own clock:
	// the clock less the stopped clocks.
	k := sort.Search(len(list), func(i int) bool { return list[i].from-list[i].before > t })
	if k%2 == 1 && k == len(list) {
		return 0, false // the sources' clock has been stopped since before t
	}
	if k == 0 {
		return t, true
	}
	return t + list[k-1].before, true
}

// created implements throttler: it computes and stores the clock in which the next packet of host x is created. If the
// source's clock is stopped, it returns t+1, when the host is to be considered again.
func (c *counts) created(x *host, t Clock) Clock {
	if c.Starts {
		return x.next.Created
	}
	at, ok := c.when(model.SwitchID(c.at[x.base/c.vcs]), x.own)
	if !ok {
		return t + 1
	}
	x.next.Created = at
	return at
}

// holdsBack implements throttler.
func (c *counts) holdsBack(x *host) bool { return c.Starts && c.stopped[c.at[x.base/c.vcs]] }

func (c *counts) clone() mechanism {
	d := *c
	d.controlPath = c.controlPath.clone()
	d.own, d.emptied, d.stopped = slices.Clone(c.own), slices.Clone(c.emptied), slices.Clone(c.stopped)
	d.rows, d.paused = slices.Clone(c.rows), slices.Clone(c.paused)
	for i := range d.rows {
		r := &d.rows[i]
		r.sum, r.all = slices.Clone(r.sum), slices.Clone(r.all)
		r.newSum, r.newAll = make([]census, len(r.newSum)), make([]census, len(r.newAll))
	}
	for i := range d.paused {
		d.paused[i] = slices.Clone(d.paused[i])
	}
	return &d
}
