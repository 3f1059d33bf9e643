package workload

import "github.com/turnproof/turnproof/engine"

// This file starts and ends operations.

// processor is a processor of a rank. A calculation occupies it; a send needs it free for the
// moment of its start. Operations take it in the order in which they become ready.
type processor struct {
	busy bool
	next OpID   // the operation for which it is reserved, or NoOp
	wait []OpID // operations that could start otherwise
	head int    // index in wait of the first
}

// take reports whether op may start. If not, it waits.
func (p *processor) take(op OpID) bool {
	if p.next == op {
		p.next = NoOp
		return true
	}
	if p.busy || p.next != NoOp {
		p.wait = append(p.wait, op)
		return false
	}
	return true
}

// resume reserves the processor, if it is free, for the operation that has waited longest, and
// makes that ready.
func (x *runner) resume(p *processor, cause OpID) {
	if p.busy || p.next != NoOp || p.head == len(p.wait) {
		return
	}
	p.next = p.wait[p.head]
	if p.head++; p.head == len(p.wait) {
		p.wait, p.head = p.wait[:0], 0
	}
	x.ops[p.next].cause = cause
	x.ready = append(x.ready, p.next)
}

// processor returns the processor that an operation needs, or nil.
func (x *runner) processor(op OpID) *processor {
	o := &x.g.Ops[op]
	if o.CPU == NoCPU || o.Kind == Recv {
		return nil
	}
	list := &x.cpus[o.Rank]
	for len(*list) <= int(o.CPU) {
		*list = append(*list, processor{next: NoOp})
	}
	return &(*list)[o.CPU]
}

// begin starts an operation, or lets it wait for its processor.
func (x *runner) begin(op OpID) {
	p := x.processor(op)
	if p != nil && !p.take(op) {
		return
	}
	x.start(op)
	if p != nil {
		x.resume(p, op)
	}
}

// start starts an operation.
func (x *runner) start(op OpID) {
	o, s := &x.g.Ops[op], &x.ops[op]
	s.start = x.now
	for _, y := range x.g.started.of(op) {
		x.release(y, op)
	}
	switch o.Kind {
	case Calc:
		x.calculate(op)
	case Send:
		x.away++
		if r := x.match.send(op); r != NoOp {
			s.partner, x.ops[r].partner = r, op
		}
		if x.hosts[o.Rank] == x.hosts[o.Peer] {
			x.at(x.now+1, op)
		} else {
			x.sends.add(x.hosts[o.Rank], op)
		}
	case Recv:
		if m := x.match.receive(op); m != NoOp {
			s.partner, x.ops[m].partner = m, op
			if x.ops[m].arrived >= 0 {
				x.finish(op)
			}
		}
	}
}

// calculate starts a calculation.
func (x *runner) calculate(op OpID) {
	clocks := x.s.clocks(x.g.Ops[op].Amount)
	if clocks == 0 {
		x.finish(op)
		return
	}
	if p := x.processor(op); p != nil {
		p.busy = true
	}
	x.at(x.now+clocks, op)
}

// at sets a timer for the end of an operation.
func (x *runner) at(t engine.Clock, op OpID) {
	if t > lastClock {
		x.err = x.g.errorAt(op, "it ends after clock %d", int64(lastClock))
		return
	}
	x.times.push(timer{t, op})
}

// finish ends an operation at the current time, and releases those that require it.
func (x *runner) finish(op OpID) {
	s := &x.ops[op]
	s.end = x.now
	x.open--
	for _, y := range x.g.after.of(op) {
		x.release(y, op)
	}
	if p := x.processor(op); p != nil && x.g.Ops[op].Kind == Calc && s.end > s.start {
		p.busy = false
		x.resume(p, op)
	}
}

// release removes a dependency on cause from op, and makes op ready if it was the last.
func (x *runner) release(op, cause OpID) {
	s := &x.ops[op]
	if s.needs--; s.needs == 0 {
		s.cause = cause
		x.ready = append(x.ready, op)
	}
}

// leave ends a send whose last flit has left the host.
func (x *runner) leave(op OpID) { x.finish(op) }

// arrive handles a message that has arrived completely.
func (x *runner) arrive(op OpID) {
	x.away--
	s := &x.ops[op]
	s.arrived = x.now
	if s.partner == NoOp {
		if r := x.match.arrive(op); r != NoOp {
			s.partner, x.ops[r].partner = r, op
		}
	}
	if s.partner != NoOp {
		x.finish(s.partner)
	}
}

// timer ends an operation at a time.
type timer struct {
	at engine.Clock
	op OpID
}

// timers is a heap of timers, by time, then by operation.
type timers []timer

func (t timer) before(u timer) bool { return t.at < u.at || t.at == u.at && t.op < u.op }

func (t *timers) push(x timer) {
	*t = append(*t, x)
	list := *t
	for i := len(list) - 1; i > 0 && list[i].before(list[(i-1)/2]); i = (i - 1) / 2 {
		list[i], list[(i-1)/2] = list[(i-1)/2], list[i]
	}
}

func (t *timers) pop() timer {
	list := *t
	first, last := list[0], len(list)-1
	list[0] = list[last]
	list = list[:last]
	*t = list
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if list[child].before(list[least]) {
				least = child
			}
		}
		if least == i {
			return first
		}
		list[i], list[least] = list[least], list[i]
		i = least
	}
}
