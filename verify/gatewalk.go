package verify

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
// all other packets: what is left is a run, too, see gatesearch.go. Each try draws its own pace, and the few
// destinations or all to which packets go: some deadlocks need many packets to one endpoint.
//
// Promise: a run that the checker accepts, or nothing. The same calls give the same run.
// Cost: up to walkRounds rounds for each of walkTries tries, each a pass over the packets.

// Limits of the random runs, and the rounds between two searches for a deadlock.
const (
	walkTries  = 60
	walkRounds = 3000
	walkLooks  = 100
	// maxWalkVCs bounds the VCs of the network.
	maxWalkVCs = 4096
)

// walker is a packet of a random run.
type walker struct {
	path  []model.State // the last state is that of the head
	flits []int         // by place; those that have arrived are not counted
	tail  int           // the first place that the packet holds
	gone  bool
}

func (y *walker) head() int { return len(y.path) - 1 }

// walkPace are chances: that a head takes a hop to an endpoint, that a flit follows its head, and that a host sends. Packets
// that stay longer fill the network.
type walkPace struct {
	arrive, follow, send float64
	to                   []model.DestID // the destinations of packets
}

// walk is the state of a random run.
type walk struct {
	*gatedWaits
	rel     model.Relation
	random  *rand.Rand
	packets []walker
	queues  [][]int // by VC, all VCs of an ejection channel at the first: the packets that hold it, in their order
	taken   []int   // by VC: flits
	set     []bool  // by VC between switches: its bit
	moves   cert.Ints
	alive   []int // packets in the network, ascending
	pace    walkPace
}

// searchRandomly searches for a run to a deadlock. If it finds none, it returns nil.
func (g *gatedWaits) searchRandomly(ctx context.Context, rel model.Relation) (*gatedRun, error) {
	if g.n.NumLinkVCs() > maxWalkVCs {
		return nil, nil
	}
	rule := *g
	rule.vcs = g.sizes.Rule.VCs
	for try := range uint64(walkTries) {
		w := &walk{gatedWaits: &rule, rel: rel, random: rand.New(rand.NewPCG(try, 7)), queues: make([][]int, g.n.NumVCs()),
			taken: make([]int, g.n.NumVCs()), set: make([]bool, g.size)}
		w.drawPace()
		for round := range walkRounds {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			w.inject()
			moved := w.moveAll()
			if round%walkLooks == walkLooks-1 || !moved {
				if list := w.findBlocked(); list != nil {
					return w.runOf(w.fewest(list)), nil
				}
			}
			if !moved && w.pace.send == 1 {
				break
			}
		}
	}
	return nil, nil
}

// drawPace draws the pace of a try.
func (w *walk) drawPace() {
	draw := func(list ...float64) float64 { return list[w.random.IntN(len(list))] }
	w.pace = walkPace{arrive: draw(1, 0.3, 0.1, 0.03), follow: draw(1, 1, 0.5, 0.2), send: draw(1, 1, 0.1, 0.02)}
	for _, d := range w.random.Perm(w.rel.Destinations()) {
		w.pace.to = append(w.pace.to, model.DestID(d))
	}
	if k := w.random.IntN(3); k > 0 {
		w.pace.to = w.pace.to[:min(len(w.pace.to), 2+w.random.IntN(6*k))]
	}
}

func (w *walk) isEjection(v model.VCID) bool {
	c, _ := w.n.Channel(v)
	return w.n.Kind(c) == model.Eject
}

// place returns the VC that counts the packets which enter VC v.
func (w *walk) place(v model.VCID) model.VCID {
	if c, _ := w.n.Channel(v); w.n.Kind(c) == model.Eject {
		return w.n.VC(c, 0)
	}
	return v
}

// inject puts a packet on each injection VC that no packet holds.
func (w *walk) inject() {
	for h := range model.HostID(w.rel.Sources()) {
		d := w.pace.to[w.random.IntN(len(w.pace.to))]
		if !model.Sends(w.rel, h, d) || w.random.Float64() >= w.pace.send {
			continue
		}
		classes := w.rel.Inject(h, d, nil)
		if len(classes) == 0 {
			continue
		}
		at := model.InjectState(w.rel, h, d, classes[w.random.IntN(len(classes))])
		if len(w.queues[at.VC]) > 0 {
			continue
		}
		w.queues[at.VC] = append(w.queues[at.VC], len(w.packets))
		w.alive = append(w.alive, len(w.packets))
		w.packets = append(w.packets, walker{path: []model.State{at}, flits: []int{w.sizes.Packet}})
		w.taken[at.VC] = w.sizes.Packet
	}
}

// moveAll lets each packet move, in a random order. It reports whether a flit has moved.
func (w *walk) moveAll() (moved bool) {
	order := slices.Clone(w.alive)
	w.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, p := range order {
		y := &w.packets[p]
		hops := w.possible(p, nil)
		moved = moved || len(hops) > 0
		if len(hops) > 0 && w.isEjection(hops[0].VC) && w.random.Float64() >= w.pace.arrive {
			hops = nil
		}
		if len(hops) > 0 {
			h := hops[w.random.IntN(len(hops))]
			y.path, y.flits = append(y.path, model.State{VC: h.VC, Dest: y.path[0].Dest, Class: h.Class}), append(y.flits, 0)
			w.queues[w.place(h.VC)] = append(w.queues[w.place(h.VC)], p)
			w.shift(p, y.head()-1)
		}
		for j := y.head() - 1; j >= y.tail && !y.gone; j-- {
			if w.follows(p, j) {
				moved = true
				if w.random.Float64() < w.pace.follow {
					w.shift(p, j)
				}
			}
		}
		if !y.gone && y.head() > 0 && !w.isEjection(y.path[y.head()].VC) && len(w.rel.Next(y.path[y.head()], nil)) == 0 {
			w.drop(p)
			moved = true
		}
	}
	w.alive = slices.DeleteFunc(w.alive, func(p int) bool { return w.packets[p].gone })
	return moved
}

// possible appends the hops that the head of packet p can take.
func (w *walk) possible(p int, hops []model.Hop) []model.Hop {
	y := &w.packets[p]
	at := y.path[y.head()]
	if y.gone || y.flits[y.head()] == 0 || w.isEjection(at.VC) || !w.isFirst(p) {
		return hops
	}
	for _, h := range w.rel.Next(at, nil) {
		if w.mayEnter(at.VC, h.VC) {
			hops = append(hops, h)
		}
	}
	return hops
}

// isFirst reports whether no flits are in front of the head of packet p.
func (w *walk) isFirst(p int) bool {
	y := &w.packets[p]
	v := y.path[y.head()].VC
	for j := y.tail; j < y.head(); j++ {
		if y.path[j].VC == v {
			return false
		}
	}
	return w.queues[v][0] == p
}

// mayEnter reports whether a head can take the hop from VC from to VC to.
func (w *walk) mayEnter(from, to model.VCID) bool {
	list := w.queues[w.place(to)]
	if w.isEjection(to) {
		return len(list) < w.n.VCs()
	}
	if len(list) > 0 {
		last := &w.packets[list[len(list)-1]]
		for j := last.tail + 1; j <= last.head(); j++ {
			if last.path[j].VC == to {
				return false
			}
		}
	}
	return w.taken[to]+w.sizes.Packet <= w.sizes.Buffer && w.isOpen(from, to)
}

func (w *walk) isOpen(from, to model.VCID) bool {
	in, _ := w.n.Channel(from)
	return !w.gates.Has(in, to) || !w.isClosed(to, w.set, 0)
}

// follows reports whether a flit of packet p can follow its head from place j.
func (w *walk) follows(p, j int) bool {
	y := &w.packets[p]
	return y.flits[j] > 0 && (w.sizes.Rule.Unit == gate.Packet || w.isOpen(y.path[j].VC, y.path[j+1].VC))
}

// shift moves a flit of packet p from place j to the next.
func (w *walk) shift(p, j int) {
	y := &w.packets[p]
	w.moves = append(w.moves, int32(p), int32(j))
	y.flits[j]--
	w.count(y.path[j].VC, -1)
	if to := y.path[j+1].VC; !w.isEjection(to) {
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
	v := w.place(y.path[y.tail].VC)
	k := slices.Index(w.queues[v], p)
	w.queues[v] = slices.Delete(w.queues[v], k, k+1)
	y.tail++
	w.count(v, 0)
}

// drop removes packet p.
func (w *walk) drop(p int) {
	y := &w.packets[p]
	for y.tail <= y.head() {
		w.count(y.path[y.tail].VC, -y.flits[y.tail])
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
			at := y.path[y.head()]
			return !w.isEjection(at.VC) && part.isFirst(p) && (len(part.possible(p, nil)) > 0 || len(w.rel.Next(at, nil)) == 0)
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
	part := &walk{gatedWaits: w.gatedWaits, rel: w.rel, packets: w.packets, queues: make([][]int, len(w.queues)), taken: make([]int, len(w.taken)),
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
			part.taken[y.path[j].VC] += y.flits[j]
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
func (w *walk) runOf(list []int) *gatedRun {
	r := &gatedRun{}
	number := map[int32]int32{}
	for i, p := range list {
		y := &w.packets[p]
		number[int32(p)] = int32(i)
		c, _ := w.n.Channel(y.path[0].VC)
		r.packets = append(r.packets, &cdg.Packet{Source: w.n.HostOf(c), Dest: y.path[0].Dest, Path: y.path})
		r.flits = append(r.flits, y.flits)
	}
	for k := 0; k < len(w.moves); k += 2 {
		if i, ok := number[w.moves[k]]; ok {
			r.moves = append(r.moves, i, w.moves[k+1])
		}
	}
	return r
}
