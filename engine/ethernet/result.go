package ethernet

// This file says what has been measured.
//
// The window begins with Options.Warmup and ends with the run: Options.Window later, or
// where a freeze stopped it. Loss is told of the frames that were sent (given to the
// NIC) within the window: of those, the share that was dropped within it. What is still
// under way at its end counts as not lost, as it does for Iperf, which waits for it; in a
// freeze nothing is lost. Goodput counts what was delivered within the window, whenever
// it was sent.

// FlowResult is what a flow got within the window.
type FlowResult struct {
	Sent, Delivered, Lost int64   // frames sent within the window; the rest is still under way
	Goodput               float64 // bit/s of payload
	LossRatio             float64 // Lost / Sent, 0 if there are none
}

// ChannelResult is the load of a channel within the window.
type ChannelResult struct {
	Bytes       int64   // on the wire, with preamble, gap and PAUSEs
	Utilisation float64 // share of the link rate
	Dropped     int64   // frames, after coming by it (AtIngress) or before going by it (AtEgress)
	Stopped     float64 // share of the window in which its sender was stopped; of all priorities, if there are several
}

// Result is what a run has measured.
type Result struct {
	From, To Time // the window
	Flows    []FlowResult
	Channels []ChannelResult // by channel
	// Of all frames since the start: Created = Delivered + Lost + InFlight.
	Created, Delivered, Lost, InFlight int64
	Goodput, LossRatio                 float64 // of all flows together, within the window
	Deadlock                           *Deadlock
	Events                             int64
}

// counters are what is counted while events happen.
type counters struct {
	events, created, delivered, lost int64
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

// clockStop notes that the sender of account a is stopped, or is not any more.
func (s *Sim) clockStop(a *account, stop bool) {
	if stop {
		a.since = s.now
		return
	}
	a.stopped += max(s.now-max(a.since, s.o.Warmup), 0)
}

// Result returns what has been measured up to now.
func (s *Sim) Result() *Result {
	r := &Result{
		From: min(s.o.Warmup, s.now), To: s.now, Flows: append([]FlowResult(nil), s.count.flow...),
		Created: s.count.created, Delivered: s.count.delivered, Lost: s.count.lost,
		InFlight: s.count.created - s.count.delivered - s.count.lost,
		Deadlock: s.deadlock, Events: s.count.events,
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
