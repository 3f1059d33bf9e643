package timeline

import (
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file records a run.
//
// Method: counts since clock 0 are read at the end of each interval, and the differences are
// stored. If the length of the run is not known and the record is full, each pair of neighbours is
// merged into one, and new intervals are twice as long. Memory: 4 bytes for each
// channel and interval.

// Options are the options of a Timeline.
type Options struct {
	Clocks    engine.Clock // length of the run; 0 if it is not known
	Intervals int          // at most, an even number; defaults to DefaultIntervals, fewer in large networks
	Warmup    engine.Clock // packets created earlier are not counted in Latencies
}

// DefaultIntervals is the default number of intervals.
const DefaultIntervals = 100

// mostCounts bounds the number of intervals times channels.
const mostCounts = 1 << 23

// firstLength is the length of an interval at the start of a run whose length is not known.
const firstLength = 16

// mostLatency is the longest latency that Latencies counts exactly.
const mostLatency = 1 << 16

// Interval is the record of some consecutive clocks.
type Interval struct {
	From, To engine.Clock // the first clock, and the first one after the interval
	Flits    []uint32     // by channel between switches: the flits that entered it
	Packets  int64        // packets whose tail arrived
	Arrived  int64        // flits of these packets
	Latency  int64        // sum of the latencies of these packets

	// At the end of the interval:
	Buffered  int64        // flits in buffers
	InNetwork int64        // packets in the network
	Oldest    engine.Clock // clocks since the oldest packet in the network was created, or 0
}

// Clocks returns the length of the interval.
func (x *Interval) Clocks() engine.Clock { return x.To - x.From }

// Load returns the load of a channel between switches.
func (x *Interval) Load(c model.ChannelID) float64 { return float64(x.Flits[c]) / float64(x.Clocks()) }

// Timeline is the record of a run. It implements trial.Watcher.
type Timeline struct {
	n         *model.Network
	o         Options
	length    engine.Clock // of an interval
	intervals []Interval
	total     []int64 // by channel: flits since clock 0
	now       Interval
	latencies []int64 // by latency: packets
	longer    int64   // packets with a latency above mostLatency
}

// New returns a timeline without intervals.
func New(n *model.Network, o Options) *Timeline {
	if o.Intervals == 0 {
		o.Intervals = DefaultIntervals
	}
	o.Intervals = max(2, min(o.Intervals, mostCounts/max(1, n.NumLinkChannels()))&^1)
	t := &Timeline{n: n, o: o, length: firstLength, total: make([]int64, n.NumLinkChannels())}
	if o.Clocks > 0 {
		t.length = (o.Clocks + engine.Clock(o.Intervals) - 1) / engine.Clock(o.Intervals)
	}
	return t
}

// Deliver counts a packet that has arrived.
func (t *Timeline) Deliver(d engine.Delivery) {
	latency := d.Arrived - d.Created
	t.now.Packets++
	t.now.Arrived += int64(d.Flits)
	t.now.Latency += int64(latency)
	switch {
	case d.Created < t.o.Warmup:
	case latency > mostLatency:
		t.longer++
	default:
		for int(latency) >= len(t.latencies) {
			t.latencies = append(t.latencies, make([]int64, max(64, len(t.latencies)))...)
		}
		t.latencies[latency]++
	}
}

// Next returns the clock in which the current interval ends.
func (t *Timeline) Next() engine.Clock { return t.now.From + t.length }

// Look ends the current interval before clock s.Now(), if it has any clocks.
func (t *Timeline) Look(s *engine.Sim) {
	x := t.now
	if x.To = s.Now(); x.To == x.From {
		return
	}
	x.Flits = make([]uint32, len(t.total))
	for c := range x.Flits {
		all := s.ChannelFlits(model.ChannelID(c))
		x.Flits[c], t.total[c] = uint32(all-t.total[c]), all
	}
	x.Buffered, x.InNetwork = s.Buffered(), s.InNetwork()
	if p, ok := s.Oldest(); ok {
		x.Oldest = x.To - p.Created
	}
	t.now = Interval{From: x.To}
	t.intervals = append(t.intervals, x)
	if t.o.Clocks == 0 && len(t.intervals) == t.o.Intervals {
		t.Coarsen(2 * t.length)
	}
}

// Coarsen merges intervals until each has the given length, which is a multiple of Length. The last
// one may be shorter.
func (t *Timeline) Coarsen(length engine.Clock) {
	each := int(length / t.length)
	if each <= 1 {
		return
	}
	k := 0
	for i := 0; i < len(t.intervals); i += each {
		x := t.intervals[i]
		for _, y := range t.intervals[i+1 : min(i+each, len(t.intervals))] {
			x.join(&y)
		}
		t.intervals[k] = x
		k++
	}
	t.intervals, t.length = t.intervals[:k], length
}

// join adds the next interval.
func (x *Interval) join(y *Interval) {
	for c, k := range y.Flits {
		x.Flits[c] += k
	}
	x.To = y.To
	x.Packets, x.Arrived, x.Latency = x.Packets+y.Packets, x.Arrived+y.Arrived, x.Latency+y.Latency
	x.Buffered, x.InNetwork, x.Oldest = y.Buffered, y.InNetwork, y.Oldest
}

// Length returns the length of the intervals, except the last one.
func (t *Timeline) Length() engine.Clock { return t.length }

// Intervals returns the intervals in the order of time. The caller must not change them.
func (t *Timeline) Intervals() []Interval { return t.intervals }

// Latencies returns the number of packets by latency in clocks, and the number of packets whose
// latency is longer than the list.
func (t *Timeline) Latencies() (packets []int64, longer int64) { return t.latencies, t.longer }

// Total returns the record of the whole run as one interval.
func (t *Timeline) Total() Interval {
	sum := Interval{Flits: make([]uint32, len(t.total))}
	for i := range t.intervals {
		sum.join(&t.intervals[i])
	}
	return sum
}
