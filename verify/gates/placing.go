package gates

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file builds a deadlock from packets that arrive one after the other, and stay where they stop.
//
// Method: begin with one packet. While some packet can move, choose one of its moves, and place another packet that
// prevents this move: it fills the next VC or passes through it, it keeps an endpoint, or it fills a buffer that closes
// the gate. Of several such packets take the one after which the fewest moves are possible. Packets before gates may
// leave flits there. If the gates that others close stop each such packet, place it before all others. If no packet is found,
// take back the last ones.
//
// Cost: for each packet at most placeTries paths, each followed by a look at all packets, and firstTries times all packets.

// Limits of a try: the moves to prevent, the paths tried for each, those that prevent the move, and the hops of a path.
const (
	maxPlaced    = 300
	placeTries   = 60
	firstTries   = 20
	placeChoices = 6
	maxPlaceHops = 64
)

// openMove is a possible move of a placed packet: from its VC to another one. If it follows its head, a gate may stop it only.
type openMove struct {
	from, to model.VCID
	follows  bool
}

// placing says how packets get to and from each state.
type placing struct {
	before     [][]int32 // by state: the hops that lead to it
	origin     []int32   // by hop: the state before it
	in, out    []int32   // by state: hops from a start, and to an endpoint; -1 if none
	on         [][]int32 // by VC: its states
	toEndpoint [][]int32 // by VC: the hops to it, if it is the first VC of an ejection channel
}

// newPlacing returns how packets get to and from the states of s.
func newPlacing(s *stateSets) *placing {
	n := len(s.states)
	x := &placing{before: make([][]int32, n), origin: make([]int32, len(s.to)), in: make([]int32, n), out: make([]int32, n),
		on: make([][]int32, s.n.NumVCs()), toEndpoint: make([][]int32, s.n.NumVCs())}
	var first, last []int32
	for i := range s.states {
		x.in[i], x.out[i] = -1, -1
		x.on[s.states[i].VC] = append(x.on[s.states[i].VC], int32(i))
		if !s.n.IsLinkVC(s.states[i].VC) {
			x.in[i], first = 0, append(first, int32(i))
		}
		for e := s.first[i]; e < s.first[i+1]; e++ {
			x.origin[e] = int32(i)
			if to := s.to[e]; to >= 0 {
				x.before[to] = append(x.before[to], e)
				continue
			}
			x.toEndpoint[s.vc[e]] = append(x.toEndpoint[s.vc[e]], e)
			if x.out[i] < 0 {
				x.out[i], last = 1, append(last, int32(i))
			}
		}
	}
	for ; len(first) > 0; first = first[1:] {
		for e := s.first[first[0]]; e < s.first[first[0]+1]; e++ {
			if to := s.to[e]; to >= 0 && x.in[to] < 0 {
				x.in[to], first = x.in[first[0]]+1, append(first, to)
			}
		}
	}
	for ; len(last) > 0; last = last[1:] {
		for _, e := range x.before[last[0]] {
			if i := x.origin[e]; x.out[i] < 0 {
				x.out[i], last = x.out[last[0]]+1, append(last, i)
			}
		}
	}
	return x
}

// place tries to build a deadlock. It returns its packets, or nil, and the number of looks at packets.
func (w *walk) place(ctx context.Context) (blocked []int, cost int, err error) {
	var placed []*placement
	for range maxPlaced {
		if err := ctx.Err(); err != nil {
			return nil, cost, err
		}
		var move *openMove
		if moves := w.openMoves(); len(moves) > 0 {
			move = &moves[w.random.IntN(len(moves))]
		}
		x, c := w.placeBest(move)
		if cost += c + 2*len(w.alive); x == nil && move != nil {
			if first := w.placeFirst(placed, *move); first != nil {
				placed = append([]*placement{first}, placed...)
				continue
			}
			cost += firstTries * len(w.alive)
		}
		if x == nil {
			for k := w.random.IntN(4); k >= 0 && len(placed) > 0; k-- {
				w.takeBack(placed[len(placed)-1])
				placed = placed[:len(placed)-1]
			}
			continue
		}
		placed = append(placed, x)
		if blocked = w.findBlocked(); blocked != nil {
			return blocked, cost, nil
		}
	}
	return nil, cost, nil
}

// placeBest places a packet that prevents a move, or helps to prevent it. If move is nil, it places any packet. It
// returns nil if it finds none.
func (w *walk) placeBest(move *openMove) (best *placement, cost int) {
	before := 0
	if move != nil {
		before = w.pressure(*move)
	}
	for tries, found := 0, 0; tries < placeTries && found < placeChoices; tries++ {
		x := w.drawPlacement(move)
		cost += 2
		if x == nil || !w.tryPlacement(x) {
			continue
		}
		if move == nil || w.pressure(*move) > before {
			found++
			cost += len(w.alive)
			if x.open = len(w.openMoves()); best == nil || x.open < best.open {
				best = x
			}
		}
		w.takeBack(x)
	}
	if best != nil {
		w.tryPlacement(best)
	}
	return best, cost
}

// placeFirst places a packet that helps to prevent a move before all packets that have been placed: gates that these close
// may stop it later. It returns nil, and changes nothing, if it finds none.
func (w *walk) placeFirst(placed []*placement, move openMove) *placement {
	before := w.pressure(move)
	for range firstTries {
		x := w.drawPlacement(&move)
		if x == nil {
			continue
		}
		w.takeBackAll(placed)
		order := append([]*placement{x}, placed...)
		k := 0
		for k < len(order) && w.tryPlacement(order[k]) {
			k++
		}
		if k == len(order) && w.pressure(move) > before {
			return x
		}
		w.takeBackAll(order[:k])
		for _, y := range placed {
			w.tryPlacement(y)
		}
	}
	return nil
}

// takeBackAll removes the packets that were placed last, which are in list.
func (w *walk) takeBackAll(list []*placement) {
	for k := len(list) - 1; k >= 0; k-- {
		w.takeBack(list[k])
	}
}

// pressure returns how much keeps a move from being possible: the packets that arrive at its endpoint, or the flits on the VCs
// that matter. If the move is impossible, it is larger than any other value.
func (w *walk) pressure(m openMove) (sum int) {
	switch {
	case !w.isOpenMove(m):
		return 1 << 30
	case w.isEjection(m.to):
		return len(w.queues[m.to])
	case !m.follows:
		sum = w.taken[m.to]
	}
	if !w.gates.Has(w.channel(m.from), m.to) {
		return sum
	}
	c, index := w.n.Channel(m.to)
	for k := 0; k < len(w.gates.Weights) && c != model.NoChannel; k++ {
		for other := range w.n.VCs() {
			if other == index || w.vcs != gate.Own {
				sum += w.taken[w.n.VC(c, other)]
			}
		}
		c = w.gates.Ahead(c)
	}
	return sum
}

// placement is a packet to place: its first state and hops, the place where some of its flits stay, or -1, and
// how many.
type placement struct {
	first       int32
	hops        []int32
	stayAt      int
	stays       int
	moves, open int // moves of the run before it; possible moves after it
}

// drawPlacement draws a packet that may prevent a move.
func (w *walk) drawPlacement(move *openMove) *placement {
	if move == nil {
		return w.drawThrough(model.VCID(w.random.IntN(w.size)), w.random.IntN(4) == 0)
	}
	if w.isEjection(move.to) {
		list := w.ways.toEndpoint[move.to]
		e := list[w.random.IntN(len(list))]
		x := w.drawInto(w.ways.origin[e])
		if x != nil {
			x.hops = append(x.hops, e)
			w.drawStay(x)
		}
		return x
	}
	v := move.to
	isGated := w.gates.Has(w.channel(move.from), move.to)
	if move.follows || isGated && w.random.IntN(2) == 0 {
		v = w.drawAhead(v)
	}
	return w.drawThrough(v, !move.follows && w.random.IntN(3) == 0)
}

// drawAhead draws a VC whose bit the gate of VC v looks at.
func (w *walk) drawAhead(v model.VCID) model.VCID {
	c, index := w.n.Channel(v)
	for k := w.random.IntN(len(w.gates.Weights)); k > 0 && w.gates.Ahead(c) != model.NoChannel; k-- {
		c = w.gates.Ahead(c)
	}
	if w.vcs != gate.Own {
		index = w.random.IntN(w.n.VCs())
	}
	return w.n.VC(c, index)
}

// drawThrough draws a packet with its head on VC v, or one that passes through v.
func (w *walk) drawThrough(v model.VCID, passes bool) *placement {
	if len(w.ways.on[v]) == 0 {
		return nil
	}
	i := w.ways.on[v][w.random.IntN(len(w.ways.on[v]))]
	x := w.drawInto(i)
	if x == nil {
		return nil
	}
	for passes && i >= 0 && len(x.hops) < maxPlaceHops {
		e := w.drawHop(w.s.first[i], w.s.first[i+1])
		if e < 0 {
			return nil
		}
		x.hops, i = append(x.hops, e), w.s.to[e]
		passes = i < 0 || w.random.IntN(4) > 0
	}
	w.drawStay(x)
	return x
}

// drawHop draws one of the hops from lo to hi-1, most often one of a shortest path to an endpoint.
func (w *walk) drawHop(lo, hi int32) int32 {
	if lo == hi {
		return -1
	}
	e := lo + int32(w.random.IntN(int(hi-lo)))
	for range 8 {
		if to := w.s.to[e]; to < 0 || w.ways.out[to] >= 0 && w.ways.out[to] < w.ways.out[w.ways.origin[e]] {
			break
		}
		e = lo + int32(w.random.IntN(int(hi-lo)))
	}
	return e
}

// drawInto draws a packet that gets to state i.
func (w *walk) drawInto(i int32) *placement {
	var hops []int32
	for w.ways.in[i] != 0 {
		list := w.ways.before[i]
		if len(list) == 0 || len(hops) == maxPlaceHops {
			return nil
		}
		e := list[w.random.IntN(len(list))]
		for range 8 {
			if w.ways.in[w.ways.origin[e]] < w.ways.in[i] {
				break
			}
			e = list[w.random.IntN(len(list))]
		}
		hops, i = append(hops, e), w.ways.origin[e]
	}
	slices.Reverse(hops)
	return &placement{first: i, hops: hops, stayAt: -1}
}

// drawStay draws before which gate flits of a packet stay, and how many. A packet that arrives leaves some.
func (w *walk) drawStay(x *placement) {
	arrives := len(x.hops) > 0 && w.s.to[x.hops[len(x.hops)-1]] < 0
	if w.sizes.Rule.Unit == gate.Packet || w.sizes.Packet == 1 || !arrives && w.random.IntN(2) == 0 {
		return
	}
	var places []int
	for j, e := range x.hops {
		if w.s.to[e] >= 0 && w.gates.Has(w.channel(w.s.states[w.ways.origin[e]].VC), w.s.vc[e]) {
			places = append(places, j)
		}
	}
	if len(places) == 0 {
		return
	}
	x.stayAt, x.stays = places[w.random.IntN(len(places))], 1
	switch w.random.IntN(3) {
	case 1:
		x.stays = w.sizes.Packet - 1
	case 2:
		x.stays = 1 + w.random.IntN(w.sizes.Packet-1)
	}
}

// tryPlacement moves a packet to its place. It reports whether all of its moves are possible; otherwise nothing changes.
func (w *walk) tryPlacement(x *placement) bool {
	p, v := len(w.packets), w.s.states[x.first].VC
	if len(w.queues[v]) > 0 {
		return false
	}
	x.moves = len(w.moves)
	w.queues[v], w.taken[v] = append(w.queues[v], p), w.sizes.Packet
	w.packets = append(w.packets, walker{first: x.first, state: x.first, vcs: []model.VCID{v}, flits: []int{w.sizes.Packet}})
	w.alive = append(w.alive, p)
	y := &w.packets[p]
	can := true
	for _, e := range x.hops {
		from := y.vcs[y.head()]
		if can = can && !y.gone && y.flits[y.head()] >= w.sizes.HeadFlits() && w.isFirst(p) && w.mayEnter(from, w.s.vc[e]); !can {
			break
		}
		w.moveHead(p, e)
		w.moveUp(p, x)
	}
	if !can || y.gone || y.head() == 0 || y.state >= 0 && w.s.first[y.state] == w.s.first[y.state+1] {
		w.takeBack(x)
		return false
	}
	return true
}

// takeBack removes the packet that was placed last.
func (w *walk) takeBack(x *placement) {
	p := len(w.packets) - 1
	if !w.packets[p].gone {
		w.drop(p)
	}
	w.packets, w.alive, w.moves = w.packets[:p], w.alive[:len(w.alive)-1], w.moves[:x.moves]
}

// moveUp moves the flits of packet p towards its head, except those that stay.
func (w *walk) moveUp(p int, x *placement) {
	y := &w.packets[p]
	for moved := true; moved; {
		moved = false
		for j := y.head() - 1; j >= y.tail && !y.gone; j-- {
			for !y.gone && w.follows(p, j) && (j != x.stayAt || y.flits[j] > x.stays) {
				w.shift(p, j)
				moved = true
			}
		}
	}
}

// openMoves returns the possible moves of all packets.
func (w *walk) openMoves() (list []openMove) {
	var hops []int32
	for _, p := range w.alive {
		y := &w.packets[p]
		for j := y.tail; j < y.head(); j++ {
			if w.follows(p, j) {
				list = append(list, openMove{y.vcs[j], y.vcs[j+1], true})
			}
		}
		hops = w.possible(p, hops[:0])
		for _, e := range hops {
			list = append(list, openMove{y.vcs[y.head()], w.s.vc[e], false})
		}
	}
	return list
}

// isOpenMove reports whether a move is still possible.
func (w *walk) isOpenMove(m openMove) bool {
	if m.follows {
		return w.isOpen(m.from, m.to)
	}
	return w.mayEnter(m.from, m.to)
}
