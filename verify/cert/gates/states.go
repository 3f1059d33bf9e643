package gates

import (
	"encoding/binary"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges that no run reaches a deadlock, by all states of the network (evidence "gated-states").
//
// A deadlock is a set of packets that keep each other from moving. In a run that reaches it, leave
// out all moves of other packets. What is left is a run, too: fewer packets take less room, hold fewer
// VCs and close fewer gates, and nothing forces a packet to move. So only runs matter from which no
// packet leaves the network and at the end of which no packet can move.
//
// Ranks and Clear exclude VCs and bits as in gates.go. From every state some continuation empties the
// VCs with a rank. So a packet of a deadlock can still reach a VC without a rank, or has flits before a
// gate that may stay closed. Other packets are left out.
//
// Which hops a packet may take follows from its state. Packets with the same path of VCs differ in
// nothing else, so they are visited together: as a list of all states that they may be in. A first
// search lets a packet be in any state of its VC. It has more runs than the network; if none of
// them is stuck, the second one is not needed.

// Many moves are made at once, and no other move is tried before. Let a flit follow its head onto VC v. Let v be an
// ejection VC, or not watched by the gate of another VC, or its bit not be set afterwards. Take a run to a deadlock in
// which a flit leaves this place of the packet later. Make that move first: all other moves stay possible. For until the
// flit comes, no packet enters v, and v only loses flits; so its bit is not set before either. Only this packet
// passes the gate of v in the meantime. If no flit leaves the place in the run, a gate stops it for ever. That is
// noted as a second successor, where the flits of the place stay.

// maxStates bounds the states that the judge visits.
const maxStates = 2_000_000

// guest is a packet in the network, as far as its VCs say: the states that its head may be in (nil after it
// has arrived), its VCs from its tail to its head, and its flits on each.
type guest struct {
	heads []int32
	vcs   []int32
	flits []int32
	stays []bool // by VC: its flits stay there for ever
}

// census is a state of the network, with what follows for each VC. Packets are in the order of the VCs of
// their tails; those with their tails on the same VC are in the order of its queue.
type census struct {
	guests []guest
	flits  []int  // by VC
	count  []int  // by VC: packets that hold it
	enters []bool // by VC: a packet on it has flits before it
	first  []int  // by VC: the first packet on it
}

// survey visits states.
type survey struct {
	*gated
	ranks  []int32
	starts map[int32][]int32 // by injection VC: the states of packets there
	doors  []int32           // the injection VCs, ascending
	on     map[int32][]int32 // by VC: its states
	useful []bool            // by state: a packet there can reach a VC without a rank
	watch  []bool            // by VC between switches: the gate of another VC looks at its bit
	now    census
	coarse bool // packets on the same VC are not distinguished: each may be in all of its states
	seen   map[string]bool
	work   []string
}

func (g *gated) states(claim *cert.Claim) error {
	if s := &g.Certificate.Subject; s.Gates.ByFlit && s.Network.VCs > 1 {
		return cert.Reject(claim.Claim, "a host may send a packet on each of %d VCs, and the states have one packet for each host", s.Network.VCs)
	}
	ranks, clear := slices.Clone(*claim.Ranks), slices.Clone(*claim.Clear)
	if err := g.rounds(claim, ranks, clear, -1); err != nil {
		return err
	}
	x := &survey{gated: g, ranks: ranks, starts: map[int32][]int32{}, on: map[int32][]int32{}}
	x.prepare()
	x.findWatched()
	x.coarse = true
	if x.search(claim) == nil {
		return nil
	}
	x.coarse = false
	return x.search(claim)
}

// search visits all states.
func (x *survey) search(claim *cert.Claim) error {
	x.seen, x.work = map[string]bool{}, nil
	x.note(nil)
	for len(x.work) > 0 {
		key := x.work[len(x.work)-1]
		x.work = x.work[:len(x.work)-1]
		if len(x.seen) > maxStates {
			return cert.Reject(claim.Claim, "the network has more than %d states", maxStates)
		}
		c := x.count(x.unpack(key))
		if len(c.guests) > 0 && x.isStuck(c) {
			return cert.Reject(claim.Claim, "a run reaches a state in which none of %d packets can move", len(c.guests))
		}
		x.visitNext(c)
	}
	return nil
}

// prepare lists the states of injection, and finds the useful states.
func (x *survey) prepare() {
	for d := range x.destinations() {
		lo, hi := x.StatesTo(d)
		x.useful = slices.Grow(x.useful, hi-lo)[:hi]
		for i := lo; i < hi; i++ {
			v := x.State(i).VC
			x.on[v] = append(x.on[v], int32(i))
			if x.useful[i] = int(v) < x.LinkVCs() && x.ranks[v] == never; int(v) >= x.LinkVCs() && !ejects(x.gated, v) {
				x.starts[v] = append(x.starts[v], int32(i))
			}
		}
		for more := true; more; {
			more = false
			for i := lo; i < hi; i++ {
				for h := x.Hops(i); !x.useful[i] && len(h) > 0; h = h[2:] {
					if to := x.Find(lo, hi, cert.State{VC: h[0], Class: h[1]}); to >= 0 && x.useful[to] {
						x.useful[i], more = true, true
					}
				}
			}
		}
	}
	for v := range x.starts {
		x.doors = append(x.doors, v)
	}
	slices.Sort(x.doors)
}

// bounds returns the states of the destination of state i.
func (x *survey) bounds(i int32) (lo, hi int) {
	for d := 0; ; d++ {
		if lo, hi = x.StatesTo(d); int(i) < hi {
			return lo, hi
		}
	}
}

// isAway reports whether the head of a packet has arrived.
func (y *guest) isAway() bool { return len(y.heads) == 0 }

func (y *guest) at() int32 { return y.vcs[len(y.vcs)-1] }

// findWatched finds the VCs whose bits matter to gates of other VCs that packets may pass.
func (x *survey) findWatched() {
	x.watch = make([]bool, x.LinkVCs())
	for d := range x.destinations() {
		lo, hi := x.StatesTo(d)
		for i := lo; i < hi; i++ {
			for h := x.Hops(i); len(h) > 0; h = h[2:] {
				if x.hasGate(x.State(i).VC, h[0]) {
					x.watchFrom(h[0])
				}
			}
		}
	}
}

// watchFrom marks the other VCs that the gate of VC to looks at.
func (x *survey) watchFrom(to int32) {
	for i, c := 0, to/x.vcs; i < len(x.Weights) && c >= 0; i, c = i+1, x.Ahead[c] {
		for v := c * x.vcs; v < (c+1)*x.vcs; v++ {
			if v != to && (x.VCs != "own" || v%x.vcs == to%x.vcs) {
				x.watch[v] = true
			}
		}
	}
}

// count returns a census, which is valid until the next call.
func (x *survey) count(list []guest) *census {
	c := &x.now
	if n := int((x.Ejection(0) + x.Endpoints) * x.vcs); c.flits == nil {
		*c = census{flits: make([]int, n), count: make([]int, n), enters: make([]bool, n), first: make([]int, n)}
	}
	c.guests = list
	clear(c.flits)
	clear(c.count)
	clear(c.enters)
	for tails := range 2 { // the tails on a VC are in front of what enters it
		for p := range list {
			for j, v := range list[p].vcs {
				if (j == 0) != (tails == 0) {
					continue
				}
				if c.count[v] == 0 {
					c.first[v] = p
				}
				c.flits[v] += int(list[p].flits[j])
				c.count[v]++
				c.enters[v] = c.enters[v] || j > 0
			}
		}
	}
	return c
}

// isOpen reports whether no closed gate is on a hop.
func (x *survey) isOpen(c *census, from, to int32) bool {
	return !x.hasGate(from, to) || !x.closed(to, func(v int32) bool {
		used := c.flits[v]
		if x.Reserved {
			used = c.count[v] * x.Packet
		}
		return x.Buffer-used <= x.Level
	})
}

// mayEnter reports whether a head may take a hop.
func (x *survey) mayEnter(c *census, from, to int32) bool {
	if ejects(x.gated, to) {
		return c.count[to/x.vcs*x.vcs] < int(x.vcs)
	}
	return !c.enters[to] && !(x.Atomic && c.count[to] > 0) && c.flits[to]+x.Packet <= x.Buffer && x.isOpen(c, from, to)
}

// isNext reports whether the head of packet p is in front of all other flits on its VC.
func (x *survey) isNext(c *census, p int) bool {
	y := &c.guests[p]
	last := len(y.vcs) - 1
	return !y.isAway() && y.flits[last] > 0 && (!x.stores || int(y.flits[last]) == x.Packet) && c.first[y.at()] == p && slices.Index(y.vcs, y.at()) == last
}

// isStuck reports whether no packet can move, for some choice of their states.
func (x *survey) isStuck(c *census) bool {
	for p := range c.guests {
		y := &c.guests[p]
		for j := range len(y.vcs) - 1 {
			if y.flits[j] > 0 && !(x.ByFlit && !x.isOpen(c, y.vcs[j], y.vcs[j+1])) {
				return false
			}
		}
		if x.isNext(c, p) && !slices.ContainsFunc(y.heads, func(i int32) bool { return x.waits(c, y.at(), i) }) {
			return false
		}
	}
	return true
}

// waits reports whether a packet in a state has hops, and can take none.
func (x *survey) waits(c *census, v, state int32) bool {
	hops := x.Hops(int(state))
	for h := hops; len(h) > 0; h = h[2:] {
		if x.mayEnter(c, v, h[0]) {
			return false
		}
	}
	return len(hops) > 0
}

// visitNext notes the states after each move that has to be tried.
func (x *survey) visitNext(c *census) {
	for p := range c.guests {
		for j := range len(c.guests[p].vcs) - 1 {
			if x.canFollow(c, p, j) && x.isEarly(c, c.guests[p].vcs[j+1]) {
				x.followOrStay(c, p, j)
				return
			}
		}
	}
	for p := range c.guests {
		y := &c.guests[p]
		for j := range len(y.vcs) - 1 {
			if x.canFollow(c, p, j) {
				x.shift(c, p, *y, j)
			}
		}
		if x.isNext(c, p) {
			x.enter(c, p, *y)
		}
	}
	for _, v := range x.doors {
		if c.count[v] == 0 {
			x.enter(c, len(c.guests), guest{x.starts[v], []int32{v}, []int32{int32(x.Packet)}, []bool{false}})
		}
	}
}

// canFollow reports whether a flit of packet p can leave place j behind its head, and need not stay.
func (x *survey) canFollow(c *census, p, j int) bool {
	y := &c.guests[p]
	return y.flits[j] > 0 && !y.stays[j] && (!x.ByFlit || x.isOpen(c, y.vcs[j], y.vcs[j+1]))
}

// isEarly reports whether a flit that can follow its head to VC v does so before all other moves.
func (x *survey) isEarly(c *census, v int32) bool {
	return ejects(x.gated, v) || !x.watch[v] || x.Reserved || x.Buffer-(c.flits[v]+1) > x.Level
}

// followOrStay notes the state after a flit of packet p has left place j, and the one in which its flits stay there.
func (x *survey) followOrStay(c *census, p, j int) {
	y := c.guests[p]
	x.shift(c, p, y, j)
	from, to := y.vcs[j], y.vcs[j+1]
	if x.ByFlit && x.hasGate(from, to) && x.opens[to] == never && (int(from) >= x.LinkVCs() || x.ranks[from] == never) {
		y.stays = slices.Clone(y.stays)
		y.stays[j] = true
		list := slices.Clone(c.guests)
		list[p] = y
		x.note(list)
	}
}

// enter notes the states after each hop of the head of packet p, which is y.
func (x *survey) enter(c *census, p int, y guest) {
	after := map[int32][]int32{}
	for _, i := range y.heads {
		lo, hi := x.bounds(i)
		for h := x.Hops(int(i)); len(h) > 0; h = h[2:] {
			v := h[0]
			if ejects(x.gated, v) {
				v = v / x.vcs * x.vcs
				after[v] = nil
			} else {
				after[v] = append(after[v], int32(x.Find(lo, hi, cert.State{VC: h[0], Class: h[1]})))
			}
		}
	}
	for v, heads := range after {
		if x.mayEnter(c, y.at(), v) {
			if slices.Sort(heads); x.coarse && heads != nil {
				heads = x.on[v]
			}
			x.shift(c, p, guest{slices.Compact(slices.Clone(heads)), append(slices.Clone(y.vcs), v), append(slices.Clone(y.flits), 0),
				append(slices.Clone(y.stays), false)}, len(y.vcs)-1)
		}
	}
}

// shift notes the state after packet p, which is y, has moved a flit from place j to the next.
func (x *survey) shift(c *census, p int, y guest, j int) {
	y.flits = slices.Clone(y.flits)
	if y.flits[j]--; !ejects(x.gated, y.vcs[j+1]) {
		y.flits[j+1]++
	}
	k := slices.IndexFunc(y.flits, func(flits int32) bool { return flits > 0 })
	if k < 0 {
		return // it has left the network
	}
	y.vcs, y.flits, y.stays = y.vcs[k:], y.flits[k:], y.stays[k:]
	if !x.mayStay(&y) {
		return
	}
	list := slices.Clone(c.guests)
	switch {
	case p < len(list) && k == 0:
		list[p] = y
		x.note(list)
		return
	case p < len(list):
		list = slices.Delete(list, p, p+1)
	}
	at := slices.IndexFunc(list, func(z guest) bool { return z.vcs[0] > y.vcs[0] })
	if at < 0 {
		at = len(list)
	}
	x.note(slices.Insert(list, at, y))
}

// mayStay reports whether a packet may be part of a deadlock.
func (x *survey) mayStay(y *guest) bool {
	if slices.ContainsFunc(y.heads, func(i int32) bool { return x.useful[i] }) {
		return true
	}
	for j := range len(y.vcs) - 1 {
		if w := y.vcs[j+1]; x.ByFlit && x.hasGate(y.vcs[j], w) && x.opens[w] == never {
			return true
		}
	}
	return false
}

func (x *survey) note(list []guest) {
	var key []byte
	for i := range list {
		y := &list[i]
		key = append(key, byte(len(y.vcs)))
		key = binary.AppendUvarint(key, uint64(len(y.heads)))
		for j, v := range y.vcs {
			flits := uint64(2 * y.flits[j])
			if y.stays[j] {
				flits++
			}
			key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(v)), flits)
		}
		for _, i := range y.heads {
			if x.coarse {
				break
			}
			key = binary.AppendUvarint(key, uint64(i))
		}
	}
	if !x.seen[string(key)] {
		x.seen[string(key)] = true
		x.work = append(x.work, string(key))
	}
}

// unpack returns the packets of a key.
func (x *survey) unpack(text string) (list []guest) {
	key := []byte(text)
	next := func() int32 {
		value, n := binary.Uvarint(key)
		key = key[n:]
		return int32(value)
	}
	for len(key) > 0 {
		k, heads := int(key[0]), 0
		key = key[1:]
		heads = int(next())
		var y guest
		for range k {
			v, flits := next(), next()
			y.vcs, y.flits, y.stays = append(y.vcs, v), append(y.flits, flits/2), append(y.stays, flits%2 == 1)
		}
		if x.coarse && heads > 0 {
			y.heads = x.on[y.at()]
			heads = 0
		}
		for range heads {
			y.heads = append(y.heads, next())
		}
		list = append(list, y)
	}
	return list
}
