package ethernet

// This file has the results of a run.
//
// The window begins at Options.Warmup and ends with the run: Options.Window later, or at a freeze
// that ends the run. The loss ratio is the part of the frames sent (given to the NIC) within the
// window that are dropped within the window. Frames in transit at its end count as not lost, as
// with Iperf, which waits for them; a freeze loses nothing. Goodput counts the frames delivered
// within the window, whenever they were sent.

// FlowResult is the result of a flow within the window.
type FlowResult struct {
	Sent, Delivered, Lost int64   // frames sent within the window; the rest is in transit
	Goodput               float64 // bit/s of payload
	LossRatio             float64 // Lost / Sent, or 0 if nothing was sent
}

// ChannelResult is the load of a channel within the window.
type ChannelResult struct {
	Bytes       int64   // on the link, including preamble, gap and PAUSEs
	Utilisation float64 // share of the link rate
	Dropped     int64   // frames dropped after (AtIngress) or before (AtEgress) the channel
	Stopped     float64 // part of the window in which its sender was stopped; averaged over priorities
}

// Result is the result of a run.
type Result struct {
	From, To Time // the window
	Flows    []FlowResult
	Channels []ChannelResult // by channel
	// All frames since the start: Created = Delivered + Lost + InFlight.
	Created, Delivered, Lost, InFlight int64
	Goodput, LossRatio                 float64 // of all flows together, within the window
	Deadlock                           *Deadlock
	Storms, Stormed                    int64 // times that the watchdog began to drop frames, and frames that it dropped
	FirstStorm                         Time
	Events                             int64
}

// counters are updated by events.
type counters struct {
	events, created, delivered, lost int64
	storms, stormed                  int64
	firstStorm                       Time
	flow                             []FlowResult     // by flow: the counts
	goodFrames                       []int64          // by flow: delivered within the window
	channel                          []channelCounter // by channel, within the window
}

type channelCounter struct{ frames, controls, drops int64 }

func (x *counters) make(s *Sim) {
	x.flow, x.goodFrames = make([]FlowResult, len(s.flows)), make([]int64, len(s.flows))
	x.channel = make([]channelCounter, len(s.channel))
}

// measuring reports whether the window has begun.
func (s *Sim) measuring() bool { return s.now >= s.o.Warmup }

// clockStop records that the sender of account a is stopped, or released.
func (s *Sim) clockStop(a *account, stop bool) {
	if stop {
		a.since = s.now
		return
	}
	a.released = s.now
	a.stopped += max(s.now-max(a.since, s.o.Warmup), 0)
}

// Result returns the measurements so far.
func (s *Sim) Result() *Result {
	r := &Result{
		From: min(s.o.Warmup, s.now), To: s.now, Flows: append([]FlowResult(nil), s.count.flow...),
		Created: s.count.created, Delivered: s.count.delivered, Lost: s.count.lost,
		InFlight: s.count.created - s.count.delivered - s.count.lost,
		Deadlock: s.deadlock, Events: s.count.events, Storms: s.count.storms, Stormed: s.count.stormed, FirstStorm: s.count.firstStorm,
	}
	window := (r.To - r.From).Seconds()
	all := FlowResult{}
	for i := range r.Flows {
		f := &r.Flows[i]
		if window > 0 {
			f.Goodput = float64(8*s.o.PayloadBytes) * float64(s.count.goodFrames[i]) / window
		}
		f.LossRatio = f.lossRatio()
		all.Sent, all.Lost = all.Sent+f.Sent, all.Lost+f.Lost
		r.Goodput += f.Goodput
	}
	r.LossRatio = all.lossRatio()
	for c := range s.channel {
		r.Channels = append(r.Channels, s.channelResult(int32(c), r.To-r.From))
	}
	return r
}

func (f *FlowResult) lossRatio() float64 {
	if f.Lost == 0 {
		return 0
	}
	return float64(f.Lost) / float64(f.Sent)
}

func (s *Sim) channelResult(c int32, window Time) ChannelResult {
	k := &s.count.channel[c]
	r := ChannelResult{Bytes: k.frames*int64(s.z.wire) + k.controls*controlBytes, Dropped: k.drops}
	if window <= 0 {
		return r
	}
	r.Utilisation = float64(8*r.Bytes) / (float64(s.o.LinkRate) * window.Seconds())
	a := s.accountsOf(c)
	for i := range a {
		t := a[i].stopped
		if s.channel[c].stopped>>i&1 == 1 {
			t += s.now - max(a[i].since, s.o.Warmup)
		}
		r.Stopped += t.Seconds() / window.Seconds() / float64(len(a))
	}
	return r
}
