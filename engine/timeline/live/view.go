package live

import (
	"time"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file decides when to draw, and collects what a frame shows.
//
// A frame shows the clocks since the frame before. The number of clocks between two looks at the
// simulation adapts to its speed, so that a look comes every few milliseconds. The clock of the
// machine decides when a frame is drawn, but never what the simulation does.

// Options are the options of a View. Show is required.
type Options struct {
	Title   string
	Clocks  engine.Clock // length of the run; 0 if it is not known
	Load    float64      // flits per clock that the busiest host creates; 0 if the traffic is finite
	PerFlit engine.Clock // clocks for which a flit occupies a channel; defaults to 1
	Colour  bool         // colour by escape sequences
	ASCII   bool         // no other characters
	// Size returns the columns and lines that a frame may have. If nil, 80 and 24.
	Size func() (width, height int)
	// Show receives the lines of each frame.
	Show func(lines []string)
	// Stop, if not nil, reports whether to end the run.
	Stop func() bool
	// Every is the time between two frames. Defaults to 200 ms.
	Every time.Duration
	// Now returns the time. Defaults to time.Now.
	Now func() time.Time
}

// View draws a simulation. It implements trial.Watcher.
type View struct {
	n *model.Network
	o Options

	began, drawn, looked time.Time // the start, the last frame, the last look
	chunk, next          engine.Clock
	hops                 int64 // flit hops at the last frame

	sim   *engine.Sim // of the last look
	total []int64     // by channel between switches: flits since clock 0, at the last frame
	frame frame
	since engine.Clock // the first clock of the next frame
	count counts       // of the next frame
}

// counts are the packets that arrive between two frames.
type counts struct {
	packets, flits int64
	latency        int64
}

// frame is what is drawn.
type frame struct {
	load                []float64 // by channel between switches: used part of its capacity
	from, to            engine.Clock
	counts              counts
	delivered           int64
	buffered, inNetwork int64
	oldest              engine.Clock // age of the oldest packet in the network
	speed               float64      // flit hops per second
	frozen              map[model.ChannelID]bool
	deadlock            *engine.Deadlock
}

// Bounds of the time between two looks.
const (
	leastLook = 5 * time.Millisecond
	mostLook  = 40 * time.Millisecond
	mostChunk = 1 << 16
)

// New returns a view that has drawn nothing.
func New(n *model.Network, o Options) *View {
	if o.Every == 0 {
		o.Every = 200 * time.Millisecond
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Size == nil {
		o.Size = func() (int, int) { return 80, 24 }
	}
	o.PerFlit = max(o.PerFlit, 1)
	v := &View{n: n, o: o, chunk: 64, total: make([]int64, n.NumLinkChannels())}
	v.began = o.Now()
	v.looked, v.drawn, v.next = v.began, v.began, v.chunk
	return v
}

// Deliver counts a packet that has arrived.
func (v *View) Deliver(d engine.Delivery) {
	v.count.packets++
	v.count.flits += int64(d.Flits)
	v.count.latency += int64(d.Arrived - d.Created)
}

// Next returns the clock of the next look.
func (v *View) Next() engine.Clock { return v.next }

// Look draws a frame if enough time has passed.
func (v *View) Look(s *engine.Sim) bool {
	v.sim = s
	now := v.o.Now()
	switch took := now.Sub(v.looked); {
	case took < leastLook:
		v.chunk = min(2*v.chunk, mostChunk)
	case took > mostLook:
		v.chunk = max(v.chunk/2, 1)
	}
	v.looked, v.next = now, s.Now()+v.chunk
	if now.Sub(v.drawn) >= v.o.Every && s.Now() > v.since {
		v.take(s, now)
		v.o.Show(v.Lines())
	}
	return v.o.Stop == nil || !v.o.Stop()
}

// take reads the state for a frame.
func (v *View) take(s *engine.Sim, now time.Time) {
	clocks := float64(s.Now() - v.since)
	f := frame{load: make([]float64, len(v.total)), from: v.since, to: s.Now(), counts: v.count, delivered: s.Delivered(), buffered: s.Buffered(),
		inNetwork: s.InNetwork(), speed: float64(s.FlitHops()-v.hops) / now.Sub(v.drawn).Seconds()}
	for c := range v.total {
		all := s.ChannelFlits(model.ChannelID(c))
		f.load[c], v.total[c] = float64(all-v.total[c])*float64(v.o.PerFlit)/clocks, all
	}
	if p, ok := s.Oldest(); ok {
		f.oldest = s.Now() - p.Created
	}
	v.frame, v.since, v.count, v.hops, v.drawn = f, s.Now(), counts{}, s.FlitHops(), now
}

// End draws the last frame after the run, with the channels that frozen packets hold if it ended in a
// deadlock.
func (v *View) End(d *engine.Deadlock) {
	if v.sim != nil && v.sim.Now() > v.since {
		v.take(v.sim, v.o.Now())
	}
	if d != nil {
		v.frame.deadlock, v.frame.frozen = d, map[model.ChannelID]bool{}
		for _, p := range d.Packets {
			for _, x := range p.On {
				if c, _ := v.n.Channel(x); v.n.IsLinkVC(x) {
					v.frame.frozen[c] = true
				}
			}
		}
	}
	v.o.Show(v.Lines())
}
