package engine

import (
	"cmp"
	"slices"
)

// This file divides a large plain simulation into parts, so that several processors can run it, and
// so that the state of a part stays in the cache of a processor for several clocks.
//
// A part has consecutive switches and their hosts, and is a Sim of its own: it has its own clock,
// events, worklists and counters, and shares the records of VCs, ports, hosts and packets. Of the
// records of a channel between parts, the part that the channel leaves uses the fields of outputs,
// the part that it enters the fields of inputs. Parts run a window of clocks on their own, since
// flits and credits need no less than a window from part to part. They are exchanged between two
// windows, see exchange.go. A packet enters the VC of another part then, too, which is before its
// head arrives.
//
// Results are those of the undivided simulation: the order of work within a clock has no effect,
// and deliveries are reported in the same order. Between two calls of Run the state is undivided
// (scatter.go), so nothing else needs to know of parts. TestParts compares both.

// Separate is a Source whose hosts are independent of each other and of deliveries: Next may be
// called for different hosts at the same time, and its results for a host depend on the number of
// calls for this host only. Large simulations with such a source are divided into parts.
type Separate interface {
	Source
	// Separate reports whether the source has this property.
	Separate() bool
}

// local are the selection rules that look at the switch of a head only.
var local = []Selection{SelectAll, SelectLowest, SelectRandom, SelectTurn, SelectLoad, SelectOrder, SelectDrawn}

// divide divides s into a number of parts with about the same number of ports, if s is such that
// the result is the same.
func (s *plainKernel) divide(number, workers int) {
	source, ok := s.source.(Separate)
	if !ok || !source.Separate() || !s.plain || s.endpoints != nil || !slices.Contains(local, s.o.Select) {
		return
	}
	d := &parts{enters: make([]int32, len(s.port)), leaves: make([]int32, len(s.port)), workers: workers}
	for i := range number {
		from, to := d.cut(s, i, number), d.cut(s, i+1, number)
		if from == to {
			continue
		}
		d.list = append(d.list, s.newPart(d, from, to))
	}
	d.window = d.apart(s)
	if len(d.list) < 2 || d.window < 1 {
		return
	}
	for _, p := range d.list {
		p.part.out = [2][]letters{make([]letters, len(d.list)), make([]letters, len(d.list))}
	}
	s.parts = d
}

// cut returns the index in s.outs at which part i of the given number begins: the first one of a
// switch.
func (d *parts) cut(s *plainKernel, i, number int) int32 {
	at := len(s.outs) * i / number
	if at == len(s.outs) {
		return int32(at)
	}
	return s.port[s.outs[at]].fromBase
}

// newPart returns the next part. It has the output ports from s.outs[from] to s.outs[to-1].
func (s *plainKernel) newPart(d *parts, from, to int32) *plainKernel {
	p := *s
	x := &part{all: d, number: int32(len(d.list)), from: from, to: to, ranks: make([][]rank, s.near+1)}
	first := s.port[s.outs[from]].firstIn
	for _, o := range s.outs[from:to] {
		d.leaves[o] = x.number
		if s.port[o].eject {
			d.enters[o] = x.number
		}
	}
	for i := first; i < first+to-from; i++ { // a switch has as many channels in as out
		d.enters[i] = x.number
		if s.hostOf[i] >= 0 {
			d.leaves[i] = x.number
			x.hosts++
		}
	}
	p.part, p.parts, p.report = x, nil, nil
	p.elsewhere = func(v int32, y *vc) bool { return x.sendCredit(&p, v, y) }
	p.routes = s.routes.share()
	p.wheels = newWheels(s.near)
	p.worklists, p.sleeping.sleepers, p.scratch = worklists{busy: newPortSet(len(s.port)), turns: newPortSet(len(s.router))}, 0, scratch{}
	p.free, p.touched, p.fronts = nil, 0, nil
	return &p
}

// A large network is divided into parts of about partVCs VCs, whose records take 0.8 MB. One
// processor gains by it with manyParts, since its cache holds a part but not the network. Several
// processors gain with fewParts.
const (
	partVCs   = 12 << 10
	fewParts  = 3
	manyParts = 8
)

// longestWindow bounds the free packet records of a part.
const longestWindow = 32

// apart returns the shortest time in which a flit or credit reaches another part.
func (d *parts) apart(s *plainKernel) Clock {
	window := Clock(longestWindow)
	for p := range int32(len(s.port)) {
		if d.enters[p] != d.leaves[p] {
			window = min(window, s.there[p], s.back[p])
		}
	}
	return window
}

// hostPart returns the part of host h.
func (d *parts) hostPart(s *plainKernel, h int32) *plainKernel {
	return d.list[d.enters[s.hosts[h].base/int32(s.vcs)]]
}

// inPart returns the part of the switch that VC v enters.
func (d *parts) inPart(s *plainKernel, v int32) *plainKernel { return d.list[d.enters[s.vc[v].in]] }

// outPart returns the part of the switch that VC v leaves.
func (d *parts) outPart(s *plainKernel, v int32) *plainKernel { return d.list[d.leaves[s.vc[v].in]] }

// balance gives each part free packet records for the packets that its hosts can send in a window.
func (d *parts) balance(s *plainKernel) {
	missing := 0
	for _, p := range d.list {
		need := p.part.hosts * int(d.window)
		if k := len(p.free); k > 2*need {
			s.free, p.free = append(s.free, p.free[need:]...), p.free[:need]
		} else if k < need {
			missing += need - k
		}
	}
	if missing == 0 {
		return
	}
	if first := len(s.packet); missing > len(s.free) {
		s.packet = append(s.packet, make([]packet, max(missing-len(s.free), first/4))...)
		for id := first; id < len(s.packet); id++ {
			s.free = append(s.free, PacketID(id))
		}
	}
	for _, p := range d.list {
		p.packet = s.packet
		if need := p.part.hosts * int(d.window); len(p.free) < need {
			keep := len(s.free) - (need - len(p.free))
			p.free, s.free = append(p.free, s.free[keep:]...), s.free[:keep]
		}
	}
}

func (a rank) compare(b rank) int {
	return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(a.first, b.first))
}

// tell reports the deliveries of a window.
func (d *parts) tell(s *plainKernel) {
	d.arrived = d.arrived[:0]
	for _, p := range d.list {
		d.arrived = append(d.arrived, p.part.arrived...)
		p.part.arrived = p.part.arrived[:0]
	}
	slices.SortFunc(d.arrived, func(a, b arrival) int {
		return cmp.Or(cmp.Compare(a.Arrived, b.Arrived), a.rank.compare(b.rank))
	})
	for i := range d.arrived {
		s.report(d.arrived[i].Delivery)
	}
}
