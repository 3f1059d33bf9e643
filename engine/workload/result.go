package workload

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/engine"
)

// This file computes the results of a run.

// Result is the result of a run. Times are in clocks since the beginning.
type Result struct {
	End      engine.Clock // when the last operation ended, or the run did
	Finished bool         // whether all operations have ended
	Ended    int          // operations that have ended
	Times    []Times      // by operation
	Messages []Message    // messages that have arrived, by operation
	Path     []Step       // the critical path, the last step first
	Waits    []Wait       // who waited for whom, the longest first
	// Unequal is the number of receives whose size differs from that of their message.
	Unequal  int
	Packets  int64 // delivered
	FlitHops int64
	Clocks   engine.Clock     // simulated or skipped
	Deadlock *engine.Deadlock // of the network, or nil
	Loads    *engine.Sim      // counts of flits, with Settings.Engine.Loads
}

// Times are the start and the end of an operation, or -1 where it has not started or ended.
type Times struct{ Start, End engine.Clock }

// Message is a message that has arrived.
type Message struct {
	Send, Receive OpID // Receive is NoOp if none has taken it
	Flits         int64
	Packets       int64
	Started       engine.Clock // when the send started
	First         engine.Clock // when the first flit left the host
	Left          engine.Clock // when the last flit had left the host
	Arrived       engine.Clock // when the last flit had arrived
	Received      engine.Clock // when the receive ended, or -1
}

// Latency returns the clocks from the start of the send to the arrival.
func (m *Message) Latency() engine.Clock { return m.Arrived - m.Started }

// Step is a part of the critical path: From one operation's start To its end, or a message from
// the start of its send to its receive.
type Step struct {
	Op       OpID // a calculation or send, or a receive
	Message  bool // whether the step is the message that Op receives
	Send     OpID // the send of that message
	From, To engine.Clock
	Queued   engine.Clock // of a message: clocks behind other messages at its host
}

// Wait says how long the receives of a rank waited for messages of another one, from the start of
// each receive to the arrival.
type Wait struct {
	Rank, For int
	Clocks    engine.Clock
	Messages  int
}

func (x *runner) result(deadlock *engine.Deadlock) *Result {
	r := &Result{Finished: x.open == 0 && x.away == 0, Ended: len(x.ops) - x.open, Packets: x.sim.Delivered(), FlitHops: x.sim.FlitHops(),
		Clocks: x.sim.Now(), Deadlock: deadlock}
	if x.s.Engine.Loads {
		r.Loads = x.sim
	}
	last := NoOp
	r.Times = make([]Times, len(x.ops))
	for i := range x.ops {
		r.Times[i] = Times{x.ops[i].start, x.ops[i].end}
		if s := &x.ops[i]; s.end >= 0 && (last == NoOp || s.end > x.ops[last].end) {
			last = OpID(i)
		}
	}
	if r.End = x.sim.Now(); r.Finished {
		r.End = 0
		if last != NoOp {
			r.End = x.ops[last].end
		}
	}
	r.Messages = x.messages(r)
	r.Waits = x.waits()
	if last != NoOp {
		r.Path = x.path(last)
	}
	return r
}

// messages lists the messages that have arrived, and counts those of another size than received.
func (x *runner) messages(r *Result) (list []Message) {
	for i := range x.ops {
		o, s := &x.g.Ops[i], &x.ops[i]
		if o.Kind != Send || s.arrived < 0 {
			continue
		}
		m := Message{Send: OpID(i), Receive: s.partner, Started: s.start, First: s.first, Left: s.end, Arrived: s.arrived, Received: -1}
		if x.hosts[o.Rank] != x.hosts[o.Peer] {
			m.Flits, m.Packets = x.s.flits(o.Amount), x.s.packets(o.Amount)
		} else {
			m.First = s.start
		}
		if s.partner != NoOp {
			m.Received = x.ops[s.partner].end
			if x.g.Ops[s.partner].Amount != o.Amount {
				r.Unequal++
			}
		}
		list = append(list, m)
	}
	return list
}

// waits sums the clocks between the start of a receive and the arrival of its message.
func (x *runner) waits() (list []Wait) {
	sums := map[[2]int32]*Wait{}
	for i := range x.ops {
		o, s := &x.g.Ops[i], &x.ops[i]
		if o.Kind != Recv || s.end <= s.start || s.partner == NoOp {
			continue
		}
		from := x.g.Ops[s.partner].Rank
		w := sums[[2]int32{o.Rank, from}]
		if w == nil {
			w = &Wait{Rank: int(o.Rank), For: int(from)}
			sums[[2]int32{o.Rank, from}] = w
		}
		w.Clocks += s.end - s.start
		w.Messages++
	}
	for _, w := range sums {
		list = append(list, *w)
	}
	slices.SortFunc(list, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(b.Clocks, a.Clocks), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.For, b.For))
	})
	return list
}

// path returns the chain of operations that ends with last, the last first. Each step begins when
// the one after it in the list ends, and the last begins at time 0.
func (x *runner) path(last OpID) (list []Step) {
	at := x.ops[last].end
	for op := last; op != NoOp; {
		s := &x.ops[op]
		step := Step{Op: op, Send: NoOp, From: s.start, To: at}
		next := s.cause
		// If the end of op is later than at, the start of op released the operation after it.
		if x.g.Ops[op].Kind == Recv && s.end == at && s.end > s.start {
			m := &x.ops[s.partner]
			step.Message, step.Send, step.From, next = true, s.partner, m.start, m.cause
			if m.first >= 0 {
				step.Queued = m.first - m.start
			}
		}
		list = append(list, step)
		op, at = next, step.From
	}
	return list
}
