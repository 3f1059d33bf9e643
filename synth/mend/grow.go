package mend

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file finds near entries for a destination of a large table without clauses.
//
// After grow, all packets to the destination arrive, and their dependencies are in order. The
// number of changes need not be the least. A tree grows from the switch of the destination. A
// switch joins with its given entry as soon as that leads into the tree by a dependency in order.
// If no switch can join, one joins by another channel. The method prefers a switch whose given
// entry cannot lead into the tree, and the channel that lets the most neighbors keep their
// entries.
//
// Cost: O(channels), and the same again for each entry that changes.

// growAbove is the largest number of clauses of a formula. Above it, settle tries grow first.
var growAbove = 10_000

// isPlain reports whether packets have class 0 and there are no SL-to-VL tables.
func isPlain(t *model.Table) bool { return t.VCMap() == nil && t.Classes() == 1 }

// clauses estimates the number of clauses of the formula of one destination.
func clauses(t *model.Table) int {
	n, k := t.Network(), 0
	for u := range model.SwitchID(n.NumSwitches()) {
		k += len(n.Out(u)) * len(n.Out(u))
	}
	return 2 * k * max(1, t.Classes()) * n.VCs()
}

// tree is the growing tree. next is, by switch, its channel towards the destination, or
// model.NoChannel.
type tree struct {
	*local
	row  []model.ChannelID // by switch: the channel of its given entry
	next []model.ChannelID
	todo []model.SwitchID // switches in the tree whose neighbors are not visited yet
	open []choice         // channels by which switches may join with a change
	from int              // index in in: the channels into earlier switches are already in open
	in   []model.SwitchID // switches in the tree, in the order of joining
}

// choice is a channel by which a switch may join. keeps is the number of neighbors of the switch
// that can then keep their entries.
type choice struct {
	c     model.ChannelID
	keeps int
}

// grow gives d entries whose dependencies are in order. It returns false if some packet has no
// path.
func (l *local) grow(d model.DestID) bool {
	n := l.given.Network()
	at, eject := home(l.given, d)
	t := &tree{local: l, row: l.given.Row(d), next: make([]model.ChannelID, n.NumSwitches())}
	for u := range t.next {
		t.next[u] = model.NoChannel
	}
	t.join(at, eject)
	wanted := l.senders(d)
	for t.keep(); !t.hasAll(wanted) && t.change(); t.keep() {
	}
	if !t.hasAll(wanted) {
		return false
	}
	cost := t.apply(d, wanted)
	l.total += cost - l.cost[d]
	l.cost[d] = cost
	l.note(d, true)
	return true
}

// senders returns the switches that packets to d start from.
func (l *local) senders(d model.DestID) (list []model.SwitchID) {
	for _, p := range sources(l.given, d) {
		list = append(list, l.given.Network().Head(p.in))
	}
	return list
}

func (t *tree) join(u model.SwitchID, out model.ChannelID) {
	t.next[u] = out
	t.todo = append(t.todo, u)
	t.in = append(t.in, u)
}

func (t *tree) hasAll(list []model.SwitchID) bool {
	return !slices.ContainsFunc(list, func(u model.SwitchID) bool { return t.next[u] == model.NoChannel })
}

// fits reports whether channel c leads into the tree by a dependency in order.
func (t *tree) fits(c model.ChannelID) bool {
	n := t.given.Network()
	if c < 0 || int(c) >= n.NumLinkChannels() {
		return false
	}
	next := t.next[n.Head(c)]
	return next != model.NoChannel && (int(next) >= n.NumLinkChannels() || t.order.Has(model.Turn{In: n.VC(c, 0), Out: n.VC(next, 0)}))
}

// keep lets all switches join that can join with their given entries.
func (t *tree) keep() {
	n := t.given.Network()
	for len(t.todo) > 0 {
		v := t.todo[0]
		t.todo = t.todo[1:]
		for _, out := range n.Out(v) {
			if int(out) >= n.NumLinkChannels() {
				continue
			}
			c := n.Reverse(out)
			if u := n.Tail(c); t.next[u] == model.NoChannel && t.row[u] == c && t.fits(c) {
				t.join(u, c)
			}
		}
	}
}

// change lets one switch join by another channel than the given one. It returns false if none can.
func (t *tree) change() bool {
	n := t.given.Network()
	t.choices()
	best, last := choice{model.NoChannel, -1}, false
	t.open = slices.DeleteFunc(t.open, func(x choice) bool {
		u := n.Tail(x.c)
		if t.next[u] != model.NoChannel {
			return true
		}
		if fails := t.fails(u); best.c == model.NoChannel || fails && !last || fails == last && x.keeps > best.keeps {
			best, last = x, fails
		}
		return false
	})
	if best.c == model.NoChannel {
		return false
	}
	t.join(n.Tail(best.c), best.c)
	return true
}

// choices adds to open the channels into the switches that have joined since the last call.
func (t *tree) choices() {
	n := t.given.Network()
	for ; t.from < len(t.in); t.from++ {
		for _, out := range n.Out(t.in[t.from]) {
			if int(out) >= n.NumLinkChannels() {
				continue
			}
			c := n.Reverse(out)
			if u := n.Tail(c); t.next[u] == model.NoChannel && t.fits(c) {
				t.open = append(t.open, choice{c, t.keeps(u, c)})
			}
		}
	}
}

// fails reports whether the given entry of u can never lead into the tree. This holds if it leads
// to no switch, or to one that is already in the tree.
func (t *tree) fails(u model.SwitchID) bool {
	n, g := t.given.Network(), t.row[u]
	return g < 0 || int(g) >= n.NumLinkChannels() || t.next[n.Head(g)] != model.NoChannel
}

// keeps returns the number of neighbors of u that can keep their entries if u joins by channel c.
func (t *tree) keeps(u model.SwitchID, c model.ChannelID) (s int) {
	n := t.given.Network()
	for _, out := range n.Out(u) {
		if int(out) >= n.NumLinkChannels() {
			continue
		}
		b := n.Reverse(out)
		if t.row[n.Tail(b)] == b && t.order.Has(model.Turn{In: n.VC(b, 0), Out: n.VC(c, 0)}) {
			s++
		}
	}
	return s
}

// apply sets the entries of the switches on the paths of packets, and returns the number of
// changes.
func (t *tree) apply(d model.DestID, senders []model.SwitchID) (changed int) {
	n := t.given.Network()
	t.table.CopyRow(t.given, d)
	done := make([]bool, n.NumSwitches())
	for _, u := range senders {
		for u != model.NoSwitch && !done[u] {
			done[u] = true
			if t.row[u] != t.next[u] {
				changed++
				t.table.SetPort(u, d, n.TailPort(t.next[u]))
			}
			u = n.Head(t.next[u])
		}
	}
	return changed
}
