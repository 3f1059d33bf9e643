package gates

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file searches for a deadlock by random runs, for networks with too many states to visit all.
//
// Method: move packets at random until some of them keep each other from moving. Then leave out the moves of
// all other packets: what is left is a run, too, see search.go. Packets that can no longer be blocked are left out
// at once. Each try draws its own pace, and the part of the grid or the few destinations to which packets go: some
// deadlocks need many packets in one row, or to one endpoint. In half of the tries packets arrive only if nothing else
// can move.
//
// Promise: a run that the checker accepts, or nothing. The same calls give the same run.
// Cost: a number of visits of packets.

// Limits of the random runs: the rounds of each try, and the rounds between two searches for a deadlock.
const (
	walkRounds = 3000
	walkLooks  = 100
	// maxWalkVCs bounds the VCs of the network.
	maxWalkVCs = 4096
)

// walker is a packet of a random run.
type walker struct {
	first int32        // its state on the injection VC
	hops  []int32      // by place but the first: the hop that enters it
	state int32        // the state of the head, or -1
	vcs   []model.VCID // by place
	flits []int        // by place; those that have arrived are not counted
	tail  int          // the first place that the packet holds
	gone  bool
}

func (y *walker) head() int { return len(y.vcs) - 1 }

// walkPace are chances: that a head takes a hop to an endpoint, that a flit follows its head, and that a host sends. Packets
// that stay longer fill the network.
type walkPace struct {
	arrive, move, follow, send float64
	starts                     [][]int32 // by host: the states of packets that it sends
	rounds                     int       // of the try
}

// walk is the state of a random run.
type walk struct {
	*subject
	rel     model.Relation
	s       *stateSets
	ways    *placing
	rounds  *exclusion
	random  *rand.Rand
	packets []walker
	queues  [][]int // by VC, all VCs of an ejection channel at the first: the packets that hold it, in their order
	taken   []int   // by VC: flits
	set     []bool  // by VC between switches: its bit
	moves   cert.Ints
	alive   []int // packets in the network, ascending
	pace    walkPace
}

// searchRandomly searches for a run to a deadlock. If it finds none in a number of visits, it returns nil.
func (g *subject) searchRandomly(ctx context.Context, rel model.Relation, s *stateSets, rounds *exclusion, visits int) (*run, error) {
	rule := *g
	rule.vcs = g.sizes.Rule.VCs
	start := walk{subject: &rule, rel: rel, s: s, ways: newPlacing(s), rounds: rounds}
	for _, search := range []func(*walk, context.Context) ([]int, int, error){(*walk).place, (*walk).moveAtRandom} {
		left := visits / 2
		for try := uint64(0); left > 0; try++ {
			w := start
			w.random, w.queues = rand.New(rand.NewPCG(try, uint64(visits))), make([][]int, g.n.NumVCs())
			w.taken, w.set = make([]int, g.n.NumVCs()), make([]bool, g.size)
			blocked, cost, err := search(&w, ctx)
			if left -= 1 + cost; err != nil {
				return nil, err
			}
			if blocked != nil {
				return w.runOf(w.fewest(blocked)), nil
			}
		}
	}
	return nil, nil
}

// moveAtRandom makes a run of random moves. It returns packets that keep each other from moving, or nil, and the number of visits.
func (w *walk) moveAtRandom(ctx context.Context) (blocked []int, visits int, err error) {
	w.drawPace()
	for round := range w.pace.rounds {
		if err := ctx.Err(); err != nil {
			return nil, visits, err
		}
		visits += 1 + len(w.alive)
		w.inject()
		moved := w.moveAll()
		if round%walkLooks == walkLooks-1 || !moved {
			if blocked = w.findBlocked(); blocked != nil {
				return blocked, visits, nil
			}
		}
		if !moved && !w.arriveOne() && w.pace.send == 1 {
			break
		}
	}
	return nil, visits, nil
}

// drawPace draws the pace of a try.
func (w *walk) drawPace() {
	draw := func(list ...float64) float64 { return list[w.random.IntN(len(list))] }
	w.pace = walkPace{arrive: draw(1, 0.3, 0.1, 0.03, 0, 0, 0, 0),
		move: draw(1, 1, 0.5, 0.1), follow: draw(1, 1, 0.5, 0.2, 0.05), send: draw(1, 1, 0.3, 0.1, 0.02), rounds: walkRounds}
	sends, receives := w.drawPart()
	w.pace.starts = make([][]int32, w.n.NumEndpoints())
	for _, x := range w.s.starts {
		c, _ := w.n.Channel(model.VCID(x[1]))
		h := w.n.HostOf(c)
		for _, i := range w.s.sets[x[0]] {
			if sends[h] && receives[w.s.states[i].Dest] && (w.s.useful[i] || w.sizes.Rule.Unit == gate.Flit) {
				w.pace.starts[h] = append(w.pace.starts[h], i)
			}
		}
	}
	if w.random.IntN(2) == 0 {
		w.keepFew(2 + w.random.IntN(5))
	}
}

// keepFew keeps a number of the states in which packets start.
func (w *walk) keepFew(few int) {
	var all [][2]int32 // host and state
	for h, list := range w.pace.starts {
		for _, i := range list {
			all = append(all, [2]int32{int32(h), i})
		}
	}
	w.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	w.pace.rounds = 100 * few
	for h := range w.pace.starts {
		w.pace.starts[h] = nil
	}
	for _, x := range all[:min(few, len(all))] {
		w.pace.starts[x[0]] = append(w.pace.starts[x[0]], x[1])
	}
}

// drawPart draws which hosts send packets, and to which destinations.
func (w *walk) drawPart() (sends, receives []bool) {
	sends, receives = make([]bool, w.n.NumEndpoints()), make([]bool, w.rel.Destinations())
	order := w.random.Perm(w.rel.Destinations())
	switch k := w.random.IntN(6); {
	case k > 2:
		sends = w.drawBox()
		for d := range receives {
			receives[d] = sends[w.rel.DestinationHost(model.DestID(d))]
		}
		return sends, receives
	case k > 0:
		order = order[:min(len(order), 2+w.random.IntN(6*k))]
	}
	for h := range sends {
		sends[h] = true
	}
	for _, d := range order {
		receives[d] = true
	}
	return sends, receives
}

// drawBox draws the hosts of a part of the grid.
func (w *walk) drawBox() []bool {
	grid, hosts := w.n.Grid(), make([]bool, w.n.NumEndpoints())
	from, size := make([]int, grid.Dims()), make([]int, grid.Dims())
	for d, side := range grid.Sides {
		from[d], size[d] = w.random.IntN(side), 1+w.random.IntN(side)
	}
	for h := range hosts {
		u := w.n.Host(model.HostID(h)).Switch
		hosts[h] = true
		for d, side := range grid.Sides {
			hosts[h] = hosts[h] && (grid.Coord(u, d)-from[d]+side)%side < size[d]
		}
	}
	return hosts
}

func (w *walk) isEjection(v model.VCID) bool {
	c, _ := w.n.Channel(v)
	return w.n.Kind(c) == model.Eject
}

// inject puts a packet on each injection VC that no packet holds.
func (w *walk) inject() {
	for _, starts := range w.pace.starts {
		if len(starts) == 0 || w.random.Float64() >= w.pace.send {
			continue
		}
		i := starts[w.random.IntN(len(starts))]
		v := w.s.states[i].VC
		if len(w.queues[v]) > 0 {
			continue
		}
		w.queues[v] = append(w.queues[v], len(w.packets))
		w.alive = append(w.alive, len(w.packets))
		w.packets = append(w.packets, walker{first: i, state: i, vcs: []model.VCID{v}, flits: []int{w.sizes.Packet}})
		w.taken[v] = w.sizes.Packet
	}
}

// moveAll lets each packet move, in a random order. It reports whether a flit has moved, or may move except to an endpoint.
func (w *walk) moveAll() (moved bool) {
	order := slices.Clone(w.alive)
	w.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	var hops []int32
	for _, p := range order {
		y := &w.packets[p]
		hops = w.possible(p, hops[:0])
		if len(hops) > 0 && w.s.to[hops[0]] < 0 {
			moved = moved || w.pace.arrive > 0
			if w.random.Float64() >= w.pace.arrive {
				hops = hops[:0]
			}
		}
		if len(hops) > 0 {
			moved = true
			if w.random.Float64() < w.pace.move {
				w.moveHead(p, hops[w.random.IntN(len(hops))])
			}
		}
		moved = w.moveRest(p) || moved
		if !y.gone && y.state >= 0 && len(y.vcs) > 1 && w.s.first[y.state] == w.s.first[y.state+1] || !w.mayStay(y) {
			w.drop(p)
			moved = true
		}
	}
	w.alive = slices.DeleteFunc(w.alive, func(p int) bool { return w.packets[p].gone })
	return moved
}

// moveHead lets the head of packet p take hop e.
func (w *walk) moveHead(p int, e int32) {
	y := &w.packets[p]
	v := w.s.vc[e]
	y.hops, y.vcs, y.flits, y.state = append(y.hops, e), append(y.vcs, v), append(y.flits, 0), w.s.to[e]
	w.queues[v] = append(w.queues[v], p)
	w.shift(p, y.head()-1)
}

// moveRest lets flits of packet p follow the head. It reports whether some may.
func (w *walk) moveRest(p int) (moved bool) {
	y := &w.packets[p]
	for j := y.head() - 1; j >= y.tail && !y.gone; j-- {
		if w.follows(p, j) {
			moved = true
			if w.random.Float64() < w.pace.follow {
				w.shift(p, j)
			}
		}
	}
	return moved
}

// arriveOne lets the head of one packet take a hop to an endpoint, if packets otherwise wait there. It reports whether one can.
func (w *walk) arriveOne() bool {
	var hops []int32
	for _, k := range w.random.Perm(len(w.alive)) {
		if hops = w.possible(w.alive[k], hops[:0]); len(hops) > 0 {
			w.moveHead(w.alive[k], hops[0])
			return true
		}
	}
	return false
}

// mayStay reports whether packet y may become blocked: its head on a VC, or other flits at a gate.
func (w *walk) mayStay(y *walker) bool {
	if y.gone || y.state >= 0 && w.s.useful[y.state] {
		return true
	}
	if w.sizes.Rule.Unit == gate.Packet {
		return false
	}
	for j := y.tail; j < y.head(); j++ {
		if v := y.vcs[j+1]; w.gates.Has(w.channel(y.vcs[j]), v) && w.rounds.closed[v] {
			return true
		}
	}
	return y.head() == 0 // it may pass a gate
}

func (w *walk) channel(v model.VCID) model.ChannelID {
	c, _ := w.n.Channel(v)
	return c
}

// possible appends the hops that the head of packet p can take.
func (w *walk) possible(p int, hops []int32) []int32 {
	y := &w.packets[p]
	if y.gone || y.state < 0 || y.flits[y.head()] < w.sizes.HeadFlits() || !w.isFirst(p) {
		return hops
	}
	from := y.vcs[y.head()]
	for e := w.s.first[y.state]; e < w.s.first[y.state+1]; e++ {
		if w.mayEnter(from, w.s.vc[e]) {
			hops = append(hops, e)
		}
	}
	return hops
}

// isFirst reports whether no flits are in front of the head of packet p.
func (w *walk) isFirst(p int) bool {
	y := &w.packets[p]
	v := y.vcs[y.head()]
	for j := y.tail; j < y.head(); j++ {
		if y.vcs[j] == v {
			return false
		}
	}
	return w.queues[v][0] == p
}

// mayEnter reports whether a head can take the hop from VC from to VC to.
func (w *walk) mayEnter(from, to model.VCID) bool {
	list := w.queues[to]
	if w.isEjection(to) {
		return len(list) < w.n.VCs()
	}
	if len(list) > 0 {
		if w.sizes.Atomic {
			return false
		}
		last := &w.packets[list[len(list)-1]]
		for j := last.tail + 1; j <= last.head(); j++ {
			if last.vcs[j] == to {
				return false
			}
		}
	}
	return w.taken[to]+w.sizes.Packet <= w.sizes.Buffer && w.isOpen(from, to)
}

func (w *walk) isOpen(from, to model.VCID) bool {
	return !w.gates.Has(w.channel(from), to) || !w.isClosed(to, w.set, 0)
}

// follows reports whether a flit of packet p can follow its head from place j.
func (w *walk) follows(p, j int) bool {
	y := &w.packets[p]
	return y.flits[j] > 0 && (w.sizes.Rule.Unit == gate.Packet || w.isOpen(y.vcs[j], y.vcs[j+1]))
}

// shift moves a flit of packet p from place j to the next.
func (w *walk) shift(p, j int) {
	y := &w.packets[p]
	w.moves = append(w.moves, int32(p), int32(j))
	y.flits[j]--
	w.count(y.vcs[j], -1)
	if to := y.vcs[j+1]; !w.isEjection(to) {
		y.flits[j+1]++
		w.count(to, 1)
	}
	for y.tail <= y.head() && y.flits[y.tail] == 0 {
		w.release(p)
	}
	y.gone = y.tail > y.head()
}

// release lets packet p leave the first place that it holds.
func (w *walk) release(p int) {
	y := &w.packets[p]
	v := y.vcs[y.tail]
	k := slices.Index(w.queues[v], p)
	w.queues[v] = slices.Delete(w.queues[v], k, k+1)
	y.tail++
	w.count(v, 0)
}

// drop removes packet p.
func (w *walk) drop(p int) {
	y := &w.packets[p]
	for y.tail <= y.head() {
		w.count(y.vcs[y.tail], -y.flits[y.tail])
		w.release(p)
	}
	y.gone = true
}

// count adds flits to VC v and updates its bit.
func (w *walk) count(v model.VCID, flits int) {
	w.taken[v] += flits
	if !w.n.IsLinkVC(v) {
		return
	}
	used := w.taken[v]
	if w.sizes.Rule.Buffer == gate.Reserved {
		used = len(w.queues[v]) * w.sizes.Packet
	}
	w.set[v] = w.sizes.Buffer-used <= w.sizes.Rule.Level
}

// findBlocked returns packets that keep each other from moving, or nil.
func (w *walk) findBlocked() []int { return w.blockedAmong(w.alive) }

// blockedAmong returns the most packets of a list that keep each other from moving.
func (w *walk) blockedAmong(list []int) []int {
	list = slices.Clone(list)
	for {
		part := w.only(list)
		left := slices.DeleteFunc(slices.Clone(list), func(p int) bool {
			y := &part.packets[p]
			if y.head() == 0 && y.flits[0] == w.sizes.Packet { // it has not entered the network
				return true
			}
			for j := y.tail; j < y.head(); j++ {
				if part.follows(p, j) {
					return true
				}
			}
			return y.state >= 0 && part.isFirst(p) && (len(part.possible(p, nil)) > 0 || w.s.first[y.state] == w.s.first[y.state+1])
		})
		if len(left) == 0 {
			return nil
		}
		if len(left) == len(list) {
			return left
		}
		list = left
	}
}

// only returns the state in which only the packets of a list are in the network.
func (w *walk) only(list []int) *walk {
	part := &walk{subject: w.subject, s: w.s, packets: w.packets, queues: make([][]int, len(w.queues)), taken: make([]int, len(w.taken)),
		set: make([]bool, len(w.set))}
	is := map[int]bool{}
	for _, p := range list {
		is[p] = true
	}
	for v, queue := range w.queues {
		for _, p := range queue {
			if is[p] {
				part.queues[v] = append(part.queues[v], p)
			}
		}
	}
	for _, p := range list {
		y := &w.packets[p]
		for j := y.tail; j <= y.head(); j++ {
			part.taken[y.vcs[j]] += y.flits[j]
		}
	}
	for v := range part.set {
		part.count(model.VCID(v), 0)
	}
	return part
}

// fewest removes packets while others of the list still keep each other from moving.
func (w *walk) fewest(list []int) []int {
	for k := 0; k < len(list); {
		fewer := w.blockedAmong(slices.Delete(slices.Clone(list), k, k+1))
		if fewer == nil {
			k++
			continue
		}
		list, k = fewer, min(k, len(fewer))
	}
	return list
}

// runOf returns the run with the packets of a list only.
func (w *walk) runOf(list []int) *run {
	r := &run{}
	number := map[int32]int32{}
	for i, p := range list {
		y := &w.packets[p]
		number[int32(p)] = int32(i)
		at := w.s.states[y.first]
		path := []model.State{at}
		for _, e := range y.hops {
			path = append(path, model.State{VC: w.s.hops[e].VC, Dest: at.Dest, Class: w.s.hops[e].Class})
		}
		r.packets = append(r.packets, &cdg.Packet{Source: w.n.HostOf(w.channel(at.VC)), Dest: at.Dest, Path: path})
		r.flits = append(r.flits, y.flits)
	}
	for k := 0; k < len(w.moves); k += 2 {
		if i, ok := number[w.moves[k]]; ok {
			r.moves = append(r.moves, i, w.moves[k+1])
		}
	}
	return r
}
