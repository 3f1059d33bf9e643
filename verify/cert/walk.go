package cert

import "math/bits"

// This file enumerates the states of a forwarding table, one destination after the other.
//
// For one destination each switch has one channel out. What happens to a packet on that
// channel depends on the switch that it left and on its class, and not on its VC. This pair
// of switch and class is called a leg. One leg follows each leg, or the path ends.
// The states are the legs, each with the VCs that packets of the leg can be on.
//
// Invariant: a VC of a leg is marked after the dependency from it has been compared with
// the orders. All states after a marked state are marked too, or are on the
// stack. So a walk can end at the first marked state.
// Cost: one step per destination, leg and VC that packets use; one step per pair of endpoints and class.

// The fate of a packet on a leg.
const (
	unseen = iota
	open   // the walk is under way
	lost
	arriving
)

// A leg is the packets with one class that have left one switch.
type leg struct {
	passes int32  // switches from here to the end of the path
	vcs    uint16 // a set: bit v if packets of the leg can be on VC index v
	fate   uint8
}

// walk is the work on one destination after the other.
type walk struct {
	*table
	orders []order
	facts  facts
	d      int     // the destination, and
	end    int32   // its ejection channel
	out    []int32 // by switch: the channel to the destination, or -1
	groups []group // all sources
	fewer  []group // those that send to management endpoints
	legs   []leg   // by switch and class in use
	stack  []int   // the legs that are open, as indices
}

func (t *table) enumerate(orders []order, _ *escapeOrder) (*facts, error) {
	w := &walk{table: t, orders: orders, facts: facts{loops: -1}, groups: t.groups(t.Sources)}
	if w.fewer = w.groups; t.Management != "" {
		w.fewer = t.groups(int(t.Hosts))
	}
	w.out = make([]int32, t.Switches)
	w.legs = make([]leg, t.Switches*len(t.used))
	for d, e := range t.Destinations {
		w.aim(d, t.Ejection(e))
		if err := w.fromAll(e); err != nil {
			return nil, err
		}
	}
	return &w.facts, nil
}

// aim looks up the channels to destination d.
func (w *walk) aim(d int, end int32) {
	w.d, w.end = d, end
	ports := w.Ports[d*w.Switches : (d+1)*w.Switches]
	for u, p := range ports {
		w.out[u] = w.at(int32(u), p)
	}
	clear(w.legs)
}

// A group is a set of sources whose packets have the same fate for each destination: the
// sources at one switch if neither classes nor VC rows distinguish them, else a single source.
type group struct {
	at            int32 // the switch
	first, second int32 // two of them; second is -1 if there is one only
	size          int64
}

// groups divides the first sources into groups.
func (t *table) groups(sources int) []group {
	var list []group
	at := make(map[int32]int) // by switch: the group of its sources
	for e := range int32(sources) {
		u := t.Head[t.Injection(e)]
		i, known := at[u]
		switch {
		case !known || !t.isPlain():
			at[u] = len(list)
			list = append(list, group{u, e, -1, 1})
			continue
		case list[i].second < 0:
			list[i].second = e
		}
		list[i].size++
	}
	return list
}

// isPlain reports whether all packets have class 0, and the VC is the class.
func (t *table) isPlain() bool {
	return t.Classes == nil && t.ManagementClasses == nil && t.VCRows == nil
}

// without returns a source of the group other than own, and the number of such sources. If same is false, own is not in the group.
func (g group) without(own int32, same bool) (e int32, size int64) {
	switch {
	case !same:
		return g.first, g.size
	case g.first == own:
		return g.second, g.size - 1
	}
	return g.first, g.size - 1
}

// fromAll follows the packets of every source but the destination's own
// endpoint, with every class they may have.
func (w *walk) fromAll(own int32) error {
	home, alike := w.Head[w.Injection(own)], w.isPlain()
	groups := w.groups
	if own >= w.Hosts {
		groups = w.fewer
	}
	for _, g := range groups {
		same := int(own) < w.Sources && w.sends(own, own) && (g.first == own || alike && g.at == home)
		e, size := g.without(own, same)
		if size == 0 {
			continue
		}
		w.facts.pairs += size
		if alike && w.legs[g.at].vcs != 0 { // a packet has passed here before, with the only class
			l := &w.legs[g.at]
			w.facts.hops = max(w.facts.hops, int64(l.passes)+1)
			if l.fate != arriving {
				w.facts.unreachable += size
			}
			continue
		}
		set := w.classes(int(e), w.d)
		good := set != 0
		for ; set != 0; set &= set - 1 {
			fate, err := w.from(e, int32(bits.TrailingZeros32(set)))
			if err != nil {
				return err
			}
			good = good && fate == arriving
		}
		if !good {
			w.facts.unreachable += size
		}
	}
	return nil
}

// from follows the packet of endpoint e with class k.
func (w *walk) from(e, k int32) (fate uint8, err error) {
	a := w.Injection(e)
	u := w.Head[a]
	b, v := w.turn(a, u, k)
	w.facts.hops = max(w.facts.hops, 1)
	if b < 0 || b >= w.links {
		return w.fateAt(b), nil
	}
	l := &w.legs[int(u)*len(w.used)+int(w.leg0[k])]
	if l.vcs>>v&1 == 0 {
		if err := w.follow(e, u, v, k); err != nil {
			return lost, err
		}
	}
	w.facts.hops = max(w.facts.hops, int64(l.passes)+1)
	return l.fate, nil
}

// turn returns the next channel, and the VC index on it, of a packet with class k that
// arrives at switch u on channel a. It returns -1 if there is no next hop.
func (w *walk) turn(a, u, k int32) (b, v int32) {
	if b = w.out[u]; b < 0 {
		return -1, -1
	}
	if v = w.vcOn(a, b, k); v < 0 {
		return -1, -1
	}
	return b, v
}

// fateAt returns the fate of a packet that ends on channel b; -1 means that it is dropped.
func (w *walk) fateAt(b int32) uint8 {
	if b == w.end {
		return arriving
	}
	return lost
}

// follow follows the packet of endpoint e, from the state with class k on VC
// index v of the channel out of switch u, until the rest of the path is known.
func (w *walk) follow(e, u, v, k int32) error {
	w.stack = w.stack[:0]
	var last *leg // the leg from which the rest is known
	for {
		i := int(u)*len(w.used) + int(w.leg0[k])
		last = &w.legs[i]
		if last.vcs>>v&1 != 0 {
			break
		}
		if v >= w.VCs {
			return w.noSuchVC(u, v, k)
		}
		last.vcs |= 1 << v
		a := w.out[u]
		u = w.Head[a]
		b, onward := w.turn(a, u, k)
		if b < 0 || b >= w.links {
			last.passes, last.fate = 1, w.fateAt(b)
			break
		}
		if onward >= w.VCs {
			return w.noSuchVC(u, onward, k)
		}
		if err := w.depend(a*w.VCs+v, b*w.VCs+onward, e); err != nil {
			return err
		}
		if last.fate != unseen {
			break // visited on another VC; from the next switch on the paths are the same
		}
		last.fate = open
		w.stack = append(w.stack, i)
		v = onward
	}
	w.unwind(last.fate, last.passes)
	return nil
}

func (w *walk) noSuchVC(u, v, k int32) error {
	return Reject("subject", "a packet to destination %d with class %d leaves switch %d on VC index %d of %d", w.d, k, u, v, w.VCs)
}

// unwind gives the open legs their fate. If the walk has met an open leg again, packets
// circulate for ever, because the leg alone decides which leg is next.
func (w *walk) unwind(fate uint8, passes int32) {
	if fate == open {
		fate, w.facts.loops = lost, w.d
	}
	for i := len(w.stack) - 1; i >= 0; i-- {
		passes++
		l := &w.legs[w.stack[i]]
		l.fate, l.passes = fate, passes
	}
}

// depend compares the dependency of VC x on VC y with the orders. A table permits one
// next hop, so both kinds of order require that the rank rises.
func (w *walk) depend(x, y, e int32) error {
	for i := range w.orders {
		if o := &w.orders[i]; o.ranks[x] >= o.ranks[y] {
			return Reject(o.claim, "rank of VC %d is not below that of VC %d, which a packet from %s to destination %d takes next",
				x, y, w.EndpointName(e), w.d)
		}
	}
	return nil
}
