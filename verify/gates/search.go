package gates

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file visits all states of a small network with gates, flit by flit, and decides whether a run
// reaches a deadlock.
//
// The packets outside of a deadlock only take room, and close gates. So a run that reaches a deadlock
// does so with the packets of the deadlock alone: each of their moves is possible as before. The search
// therefore visits only states from which no packet leaves the network, and a deadlock is a state in
// which no packet can move. It omits packets that can never be blocked, by the rounds (rounds.go).
//
// Promise: a run to a deadlock, or there is none. Cost: the states of the network, at most those of stages.

// stages are the literals that each solver propagates in all, the visits of packets in the search backwards and in random runs, and
// the states of each stage of the search.
var stages = []struct {
	literals       int64
	visits, states int
}{{1_000_000, 20_000, someStates}, {50_000_000, 2_000_000, 1_600_000}, {200_000_000, 24_000_000, 0}}

// Limits of the search: the states that it visits if many VCs may be taken; what few VCs are; the VCs of the network, and
// the flits of a packet.
const (
	someStates = 20_000
	fewVCs     = 8
	maxVCs     = 256
	maxFlits   = 64
)

// movingPacket is a packet of a state of the network.
type movingPacket struct {
	id    int          // its number in a run
	set   int32        // the states that its head may be in
	vcs   []model.VCID // that it holds, its tail first
	flits []uint8      // by VC; those that have left the network are not counted
}

// search is a search.
type search struct {
	*subject
	*stateSets
	rounds    *exclusion
	most      int              // states
	seen      map[string]int32 // the number of each state
	keys      []string
	came      []step    // by state: how it was reached
	newest    []int32   // the states in the order in which they were found; some are done
	byPackets [][]int32 // the same by number of packets
	isDone    []bool    // by state: it has been visited
	oldest    int       // all states before it are done

	packets  []movingPacket // of the state in question, by the VC of the tail, then in the order of the queue
	taken    []int          // by VC: flits
	held     []int          // by VC: packets
	entering []bool         // by VC: the last packet has flits before it
	front    []int          // by VC: the first packet
	set      []bool         // by VC between switches: its bit
	seenBy   []bool         // by VC between switches: some gate looks at its bit
}

// step is a move of packet number packet of the state from: a flit moves from the VC at a place to the
// next VC. Packet -1 is a new one. next is the VC that a head enters.
type step struct {
	from   int32
	packet int16
	place  int16
	next   model.VCID
	set    int32
}

// Values of next if no head moves: a flit follows its head, or it is decided that no flit leaves the place any more.
const (
	notHead = -2
	stops   = -3
)

// stopped is added to the flits of a place that no flit leaves any more.
const stopped = 1 << 7

// findRun decides whether a run reaches a deadlock. Without a decision it returns known false.
func (g *subject) findRun(ctx context.Context, rel model.Relation, rounds *exclusion) (found *run, known bool, err error) {
	if g.n.NumLinkVCs() > maxWalkVCs {
		return nil, false, nil
	}
	sets, err := newStateSets(ctx, rel, func(v model.VCID) bool { return rounds.taken[v] })
	if err != nil {
		return nil, false, err
	}
	chooser, retreater := g.newChooser(sets, false), g.newRetreater(sets)
	for i, stage := range stages {
		if !g.sizes.Stores && !g.sizes.Atomic { // these do not keep packets whole, or alone in a VC
			if found, err = chooser.choose(ctx, stage.literals); found == nil && err == nil {
				found, err = retreater.search(ctx, stage.visits, stage.literals)
			}
			if found == nil && err == nil && i == 1 {
				found, err = g.chooseRepeated(ctx, rel, sets)
			}
			if found != nil || err != nil {
				return found, true, err
			}
		}
		if found, err = g.searchRandomly(ctx, rel, sets, rounds, stage.visits); found != nil || err != nil {
			return found, true, err
		}
		if rounds.countLeft() > fewVCs && stage.states > someStates {
			continue
		}
		if found, known, err = g.searchStates(ctx, sets, rounds, stage.states); known || err != nil {
			return found, known, err
		}
	}
	return nil, false, nil
}

// searchStates decides by all states. If there are more than most, it returns known false.
func (g *subject) searchStates(ctx context.Context, sets *stateSets, rounds *exclusion, most int) (found *run, known bool, err error) {
	n := g.n.NumVCs()
	if n > maxVCs || g.sizes.Packet > maxFlits || most == 0 {
		return nil, false, nil
	}
	rule := *g
	rule.vcs = g.sizes.Rule.VCs
	for _, coarse := range []bool{true, false} {
		sets.merge(coarse)
		x := &search{subject: &rule, stateSets: sets, rounds: rounds, most: most, seen: map[string]int32{}, taken: make([]int, n), held: make([]int, n),
			entering: make([]bool, n), front: make([]int, n), set: make([]bool, g.size), seenBy: rule.seenByGates(sets)}
		at, complete, err := x.findStuck(ctx)
		switch {
		case err != nil:
			return nil, false, err
		case at >= 0 && !coarse:
			return x.runTo(at), true, nil
		case at < 0 && complete:
			return nil, true, nil
		}
	}
	return nil, false, nil
}

// findStuck visits states until no packet can move in one of them. It returns the number of this state,
// or -1 and whether all states have been visited.
func (x *search) findStuck(ctx context.Context) (at int32, complete bool, err error) {
	x.visit(nil, step{from: -1})
	for steps := 0; ; steps++ {
		at := x.pick(steps)
		if at < 0 {
			return -1, true, nil
		}
		if steps%1024 == 0 && ctx.Err() != nil {
			return -1, false, ctx.Err()
		}
		if len(x.keys) > x.most {
			return -1, false, nil
		}
		x.read(x.keys[at])
		if len(x.packets) > 0 && x.isStuck() {
			return at, false, nil
		}
		x.expand(at)
	}
}

// pick returns the next state to visit, or -1 if none is left. Of four steps one takes the oldest state, one the newest, and
// two the newest one of those with the most packets.
func (x *search) pick(step int) int32 {
	for x.oldest < len(x.isDone) && x.isDone[x.oldest] {
		x.oldest++
	}
	if x.oldest == len(x.isDone) {
		return -1
	}
	at := int32(x.oldest)
	switch step % 4 {
	case 1:
		at = x.pop(&x.newest, at)
	case 2, 3:
		for k := len(x.byPackets) - 1; k >= 0; k-- {
			if top := x.pop(&x.byPackets[k], -1); top >= 0 {
				at = top
				break
			}
		}
	}
	x.isDone[at] = true
	return at
}

// pop removes states from the end of a list until one is not visited yet. It returns this one, or other if there is none.
func (x *search) pop(list *[]int32, other int32) int32 {
	for len(*list) > 0 {
		at := (*list)[len(*list)-1]
		if *list = (*list)[:len(*list)-1]; !x.isDone[at] {
			return at
		}
	}
	return other
}

// read sets the state in question.
func (x *search) read(key string) {
	clear(x.taken)
	clear(x.held)
	clear(x.entering)
	clear(x.set)
	x.packets = decodePackets(key)
	for i := range x.front {
		x.front[i] = -1
	}
	for p := range x.packets {
		y := &x.packets[p]
		if v := y.vcs[0]; x.front[v] < 0 {
			x.front[v] = p
		}
	}
	for p := range x.packets {
		y := &x.packets[p]
		for j, v := range y.vcs {
			if x.held[v]++; j > 0 {
				x.entering[v] = true
			}
			if x.front[v] < 0 {
				x.front[v] = p
			}
			x.taken[v] += y.flitsAt(j)
		}
	}
	for v := range x.set {
		used := x.taken[v]
		if x.sizes.Rule.Buffer == gate.Reserved {
			used = x.held[v] * x.sizes.Packet
		}
		x.set[v] = x.sizes.Buffer-used <= x.sizes.Rule.Level
	}
}

// encodePackets returns the key of a state, and decodePackets its packets.
func encodePackets(list []movingPacket) string {
	var key []byte
	for i := range list {
		y := &list[i]
		key = append(key, byte(y.set+1), byte((y.set+1)>>8), byte((y.set+1)>>16), byte(len(y.vcs)))
		for j, v := range y.vcs {
			key = append(key, byte(v+1), byte((v+1)>>8), y.flits[j])
		}
	}
	return string(key)
}

func decodePackets(key string) (list []movingPacket) {
	for at := 0; at < len(key); {
		y := movingPacket{set: int32(key[at]) + int32(key[at+1])<<8 + int32(key[at+2])<<16 - 1}
		k := int(key[at+3])
		at += 4
		y.vcs, y.flits = make([]model.VCID, k), make([]uint8, k)
		for j := range k {
			y.vcs[j], y.flits[j] = model.VCID(key[at])+model.VCID(key[at+1])<<8-1, key[at+2]
			at += 3
		}
		list = append(list, y)
	}
	return list
}

// isPassable reports whether a flit may move from VC from to VC to, as far as gates are concerned.
func (x *search) isPassable(from, to model.VCID) bool {
	in, _ := x.subject.n.Channel(from)
	return !x.gates.Has(in, to) || !x.isClosed(to, x.set, 0)
}

// hasRoomFor reports whether a head may enter VC v.
func (x *search) hasRoomFor(v model.VCID) bool {
	if !x.subject.n.IsLinkVC(v) {
		return x.held[v] < x.subject.n.VCs()
	}
	return !x.entering[v] && x.taken[v]+x.sizes.Packet <= x.sizes.Buffer && !(x.sizes.Atomic && x.held[v] > 0)
}

// flitsAt returns the flits at place j.
func (y *movingPacket) flitsAt(j int) int { return int(y.flits[j] &^ stopped) }

// follows reports whether a flit of packet y may follow from place j.
func (x *search) follows(y *movingPacket, j int) bool {
	return y.flitsAt(j) > 0 && j+1 < len(y.vcs) && (x.sizes.Rule.Unit == gate.Packet || x.isPassable(y.vcs[j], y.vcs[j+1]))
}

// isAtFront reports whether the head of packet p waits for a hop.
func (x *search) isAtFront(p int) bool {
	y := &x.packets[p]
	last := len(y.vcs) - 1
	v := y.vcs[last]
	return slices.Index(y.vcs, v) == last && x.subject.n.Kind(x.channel(v)) != model.Eject && x.front[v] == p && y.flitsAt(last) >= x.sizes.HeadFlits()
}

func (x *search) channel(v model.VCID) model.ChannelID {
	c, _ := x.subject.n.Channel(v)
	return c
}

// isStuck reports whether no packet of the state in question can move, if the destinations are right.
func (x *search) isStuck() bool {
	for p := range x.packets {
		y := &x.packets[p]
		for j := range y.vcs {
			if x.follows(y, j) {
				return false
			}
		}
		if x.isAtFront(p) && x.blockedState(y) < 0 {
			return false
		}
	}
	return true
}

// blockedState returns a state of packet y none of whose hops is possible, or -1.
func (x *search) blockedState(y *movingPacket) int32 {
	at := y.vcs[len(y.vcs)-1]
	for _, i := range x.sets[y.set] {
		lo, hi := x.first[i], x.first[i+1]
		if lo < hi && !slices.ContainsFunc(x.vc[lo:hi], func(v model.VCID) bool { return x.hasRoomFor(v) && x.isPassable(at, v) }) {
			return i
		}
	}
	return -1
}

// expand visits the states after the state in question, whose number is at.
func (x *search) expand(at int32) {
	if p, j := x.findHarmless(); p >= 0 {
		y := &x.packets[p]
		x.move(step{at, int16(p), int16(j), notHead, y.set})
		if x.mayStop(y, j) {
			x.move(step{at, int16(p), int16(j), stops, y.set})
		}
		return
	}
	for p := range x.packets {
		y := &x.packets[p]
		for j := range y.vcs {
			if x.mayFollow(y, j) {
				x.move(step{at, int16(p), int16(j), notHead, y.set})
			}
		}
		if x.isAtFront(p) {
			x.moveHead(at, p, y, len(y.vcs)-1)
		}
	}
	for i, s := range x.starts {
		if x.held[s[1]] == 0 {
			y := x.start(i)
			x.moveHead(at, -1-i, &y, 0)
		}
	}
}

// start returns the packet at start i.
func (x *search) start(i int) movingPacket {
	s := x.starts[i]
	return movingPacket{set: s[0], vcs: []model.VCID{model.VCID(s[1])}, flits: []uint8{uint8(x.sizes.Packet)}}
}

// moveHead visits the states after a hop of the head of packet y.
func (x *search) moveHead(at int32, p int, y *movingPacket, j int) {
	for _, m := range x.movesOf(y.set) {
		if leaves := m.set < 0; leaves && x.sizes.Rule.Unit == gate.Packet {
			continue
		}
		if x.hasRoomFor(m.vc) && x.isPassable(y.vcs[j], m.vc) {
			x.move(step{at, int16(p), int16(j), m.vc, m.set})
		}
	}
}

// move visits the state after a step from the state in question.
func (x *search) move(s step) {
	if list := x.after(x.packets, s); list != nil {
		x.visit(list, s)
	}
}

// after returns the packets after a step, or nil if a packet has left or cannot be blocked any more.
func (x *search) after(packets []movingPacket, s step) []movingPacket {
	list := slices.Clone(packets)
	p := int(s.packet)
	var y movingPacket
	if p < 0 {
		p = len(list)
		y = x.start(int(-1 - s.packet))
		y.id = p
		list = append(list, y)
	} else {
		y = list[p]
		y.vcs, y.flits = slices.Clone(y.vcs), slices.Clone(y.flits)
	}
	if s.next == stops {
		y.flits[s.place] |= stopped
		list[p] = y
		return list
	}
	if s.next != notHead {
		y.vcs, y.flits, y.set = append(y.vcs, s.next), append(y.flits, 0), s.set
	}
	y.flits[s.place]--
	if x.subject.n.Kind(x.channel(y.vcs[s.place+1])) != model.Eject {
		y.flits[s.place+1]++
	}
	tail := y.vcs[0]
	for len(y.flits) > 0 && y.flits[0] == 0 {
		y.vcs, y.flits = y.vcs[1:], y.flits[1:]
	}
	if len(y.flits) == 0 || !x.mayStay(&y) {
		return nil
	}
	if y.vcs[0] == tail && p < len(packets) {
		list[p] = y
		return list
	}
	list = slices.Delete(list, p, p+1)
	i := 0
	for i < len(list) && list[i].vcs[0] <= y.vcs[0] {
		i++
	}
	return slices.Insert(list, i, y)
}

// mayStay reports whether packet y may become blocked: its head on a VC, or other flits at a gate.
func (x *search) mayStay(y *movingPacket) bool {
	if x.isUseful(y.set) {
		return true
	}
	if x.sizes.Rule.Unit == gate.Packet {
		return false
	}
	for j := range len(y.vcs) - 1 {
		if w := y.vcs[j+1]; x.gates.Has(x.channel(y.vcs[j]), w) && x.rounds.closed[w] {
			return true
		}
	}
	return false
}

func (x *search) visit(list []movingPacket, s step) {
	key := encodePackets(list)
	if _, ok := x.seen[key]; !ok {
		x.newest = append(x.newest, int32(len(x.keys)))
		for len(x.byPackets) <= len(list) {
			x.byPackets = append(x.byPackets, nil)
		}
		x.byPackets[len(list)] = append(x.byPackets[len(list)], int32(len(x.keys)))
		x.isDone = append(x.isDone, false)
		x.seen[key] = int32(len(x.keys))
		x.keys, x.came = append(x.keys, key), append(x.came, s)
	}
}
