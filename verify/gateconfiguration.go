package verify

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file builds a deadlock of a routing with gates from what cannot be excluded.
//
// Method: VCs are left out one after the other as long as something stays that cannot be
// excluded. Each VC that is left is then taken in one of three ways, looked for in this
// order: by a packet that has begun to come in through a closed gate, where nothing else
// could take it, whose head has gone on and arrived; by whole packets, the first of which
// waits; by a packet that has begun to leave through a closed gate, and others
// behind it. The checker judges the whole; where the parts do not fit each other there
// is no verdict.

// gatedConfiguration is packets, and by packet and place of its path its flits there.
type gatedConfiguration struct {
	packets []*cdg.Packet
	flits   [][]int
}

// How often it is tried to build one, and how many VCs are tried to be left out in each.
const (
	orders      = 8
	shrinkTries = 4096
)

// configuration builds one, nil if the parts do not fit.
func (g *gatedWaits) configuration(ctx context.Context, rel model.Relation, accepted func(*gatedConfiguration) bool) (*gatedConfiguration, error) {
	g.building = true
	random := rand.New(rand.NewPCG(1, 1))
	order := make([]int, g.size)
	for i := range order {
		order[i] = i
	}
	for _, way := range []struct {
		direct bool
		vcs    gate.VCs
	}{{true, gate.Own}, {true, g.o.Rule.VCs}, {false, g.o.Rule.VCs}} {
		if way.vcs == gate.Own && g.o.Rule.VCs == gate.All {
			continue // what its own bit closes, all of them need not
		}
		g.direct, g.vcs = way.direct, way.vcs
		all := g.exclude(nil, nil)
		for range orders {
			if all.left() == 0 {
				break
			}
			r, err := g.shrink(ctx, all, order)
			if err != nil {
				return nil, err
			}
			for _, few := range []bool{false, true} {
				if c := g.build(rel, r, few); c != nil && accepted(c) {
					return c, nil
				}
			}
			random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
	}
	return nil, nil
}

// shrink leaves VCs out in that order, as long as something is left after the rounds.
func (g *gatedWaits) shrink(ctx context.Context, r *rounds, order []int) (*rounds, error) {
	tries := 0
	for _, v := range order {
		if !r.taken[v] || tries == shrinkTries {
			continue
		}
		tries++
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		only := slices.Clone(r.taken)
		only[v] = false
		if less := g.exclude(only, r.set); less.left() > 0 {
			r = less
		}
	}
	return r, nil
}

// build builds one of what is left after those rounds, nil if the parts do not fit; few: with
// no more packets behind those that leave than set a bit.
func (g *gatedWaits) build(rel model.Relation, r *rounds, few bool) *gatedConfiguration {
	for r.left() > 0 {
		b := &gateBuilder{gatedWaits: g, rel: rel, r: r, few: few, c: &gatedConfiguration{}, by: make([]taker, g.n.NumVCs()), arriving: map[model.HostID]int{}}
		for _, w := range b.needs() {
			if b.by[w] == nobody {
				b.comes(w)
			}
		}
		for _, build := range []func(v model.VCID) bool{b.waits, b.stops} {
			for v := range model.VCID(g.size) {
				if r.taken[v] && b.by[v] == nobody {
					build(v)
				}
			}
		}
		taken, set, fits := b.got()
		if fits {
			return b.c
		}
		r = g.exclude(taken, set) // what is left without what was not got
	}
	return nil
}

// got tells what is taken and what is set, of what was to be, and whether that is all.
func (b *gateBuilder) got() (taken, set []bool, fits bool) {
	nearly := b.o.Buffer - b.o.Rule.Level
	passing := b.slots(b.fill())
	taken, set, fits = make([]bool, b.size), make([]bool, b.size), true
	for v := range taken {
		by := b.by[v]
		if by == waiting && !b.supported(model.VCID(v)) {
			by = nobody
		}
		taken[v] = b.r.taken[v] && (by == waiting || by == leaving)
		set[v] = b.r.set[v] && (by == waiting && b.whole >= nearly || by == leaving && passing >= nearly)
		fits = fits && taken[v] == b.r.taken[v] && set[v] == b.r.set[v]
	}
	return taken, set, fits
}

// taker is how a VC is taken.
type taker uint8

const (
	nobody  taker = iota
	coming        // by a packet that comes in
	waiting       // by whole packets
	leaving       // by a packet that leaves, and those behind it
)

type gateBuilder struct {
	*gatedWaits
	rel      model.Relation
	r        *rounds
	few      bool
	c        *gatedConfiguration
	by       []taker
	arriving map[model.HostID]int // packets that have arrived in part, by host
}

// canWait returns a way to wait on v in which no hop helps, -1 if there is none; of several
// one that a packet comes to soonest.
func (b *gateBuilder) canWait(v model.VCID) int {
	best := -1
	for i, at := range b.at {
		if at == v && (best < 0 || len(b.packet[i].Path) < len(b.packet[best].Path)) && b.blocked(b.r, i) {
			best = i
		}
	}
	return best
}

// needs are the VCs that packets which wait find taken by others that pass through only.
func (b *gateBuilder) needs() (list []model.VCID) {
	for v := range model.VCID(b.size) {
		if i := b.canWait(v); b.r.taken[v] && i >= 0 {
			for j, w := range b.next[i] {
				if !b.r.taken[w] && !(b.gated[i][j] && b.r.closed[w]) {
					list = append(list, w)
				}
			}
		}
	}
	return list
}

// supported reports whether what the packets on v wait for is taken, or behind a gate.
func (b *gateBuilder) supported(v model.VCID) bool {
	i := b.canWait(v)
	for j, w := range b.next[i] {
		if b.by[w] == nobody && !(b.gated[i][j] && b.r.closed[w]) {
			return false
		}
	}
	return true
}

// comes takes v by a packet that comes in.
func (b *gateBuilder) comes(v model.VCID) bool {
	for _, direct := range []bool{true, false} {
		for i := range b.half {
			h := &b.half[i]
			if !b.r.shut[h.out] || direct && (h.out != v || !h.arrives) || !direct && !b.beyond(v, h.out) {
				continue
			}
			if b.pass(h, v) {
				return true
			}
		}
	}
	return false
}

// beyond reports whether packets come to v beyond the gate before w.
func (b *gateBuilder) beyond(v, w model.VCID) bool {
	return slices.ContainsFunc(b.above[v], func(e entry) bool { return e.gates[w>>6]>>(w&63)&1 == 1 })
}

// waits takes v by whole packets.
func (b *gateBuilder) waits(v model.VCID) bool {
	i := b.canWait(v)
	if i < 0 {
		return false
	}
	for range b.o.Buffer / b.o.Packet {
		b.stand(b.packet[i])
	}
	b.by[v] = waiting
	return true
}

// stops takes v by a packet that leaves it.
func (b *gateBuilder) stops(v model.VCID) bool {
	for i := range b.half {
		if h := &b.half[i]; h.in == v && b.r.shut[h.out] && b.pass(h, h.out) {
			return true
		}
	}
	return false
}

// stand adds a packet all of which is where its path ends.
func (b *gateBuilder) stand(p *cdg.Packet) {
	flits := make([]int, len(p.Path))
	flits[len(flits)-1] = b.o.Packet
	b.c.packets, b.c.flits = append(b.c.packets, p), append(b.c.flits, flits)
}

// pass adds a packet that stops half way of h, has gone on by VC over and arrived, and
// others behind it; false: its way is taken.
func (b *gateBuilder) pass(h *halfWay, over model.VCID) bool {
	to := b.rel.DestinationHost(h.packet.Dest)
	if b.by[h.in] != nobody || b.arriving[to] == b.n.VCs() {
		return false
	}
	path, ok := b.arrive(h.packet, over)
	if !ok {
		return false
	}
	tail := len(h.packet.Path) - 2
	for _, s := range path[tail+1 : len(path)-1] {
		if b.by[s.VC] != nobody {
			return false
		}
	}
	for _, s := range path[tail+1 : len(path)-1] {
		b.by[s.VC] = coming
	}
	b.arriving[to]++
	first, behind := b.o.Packet-1, 0 // flits before the gate
	if b.by[h.in] = leaving; b.n.IsLinkVC(h.in) {
		first, behind = b.fill()
	}
	flits := make([]int, len(path))
	flits[tail] = first
	b.c.packets = append(b.c.packets, &cdg.Packet{Source: h.packet.Source, Dest: h.packet.Dest, Path: path})
	b.c.flits = append(b.c.flits, flits)
	for range behind {
		b.stand(&cdg.Packet{Source: h.packet.Source, Dest: h.packet.Dest, Path: path[:tail+1]})
	}
	return true
}

// fill is how many flits are left of a packet that leaves a VC, and how many packets stand
// behind it: as many as there can be, or as few as set the bit.
func (b *gateBuilder) fill() (first, behind int) {
	most, nearly := 0, b.o.Buffer-b.o.Rule.Level
	for k := 1; k < b.o.Packet; k++ {
		if b.few && b.slots(k, 0) >= nearly {
			return k, 0
		}
		if n := (b.o.Buffer - k) / b.o.Packet; k+n*b.o.Packet > most {
			most, first, behind = k+n*b.o.Packet, k, n
		}
	}
	return first, behind
}

// slots are those that count as taken by so many flits and packets behind them.
func (b *gateBuilder) slots(first, behind int) int {
	if b.o.Rule.Buffer == gate.Reserved {
		first = b.o.Packet
	}
	return first + behind*b.o.Packet
}

// arrive extends the path of a packet to its destination, by VC over and then as short as
// it can be; false: it does not lead there.
func (b *gateBuilder) arrive(p *cdg.Packet, over model.VCID) ([]model.State, bool) {
	type step struct {
		s    model.State
		over bool
		from int
	}
	last := p.Path[len(p.Path)-1]
	queue := []step{{last, last.VC == over, -1}}
	seen := map[step]bool{}
	for at := 0; at < len(queue); at++ {
		x := queue[at]
		if c, _ := b.n.Channel(x.s.VC); b.n.Kind(c) == model.Eject {
			if !x.over || b.n.HostOf(c) != b.rel.DestinationHost(p.Dest) {
				continue
			}
			var rest []model.State
			for i := at; i > 0; i = queue[i].from {
				rest = append(rest, queue[i].s)
			}
			slices.Reverse(rest)
			return append(slices.Clone(p.Path), rest...), true
		}
		for _, h := range b.rel.Next(x.s, nil) {
			next := step{model.State{VC: h.VC, Dest: p.Dest, Class: h.Class}, x.over || h.VC == over, 0}
			if !seen[next] {
				seen[next] = true
				next.from = at
				queue = append(queue, next)
			}
		}
	}
	return nil, false
}
