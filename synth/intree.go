package synth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// InTrees makes forwarding tables without input ports (InfiniBand) from a turn set. For each
// destination it chooses an in-tree: one output channel for each switch, so that each two
// consecutive channels make an allowed turn.
//
// The search is complete. Either every switch with hosts has a path to every switch with hosts, or
// NoInTree names a destination for which no choice of channels serves all switches. The paths need
// not be shortest, unless TreeOptions.Shortest is set. On random networks they are 0 to 3.2 %
// longer than the shortest legal paths.
//
// A set that leaves a legal path for each pair can have no in-tree, since paths that meet at a
// switch continue on the same channel. intree_test.go has the smallest examples. An acyclic,
// connected set has in-trees to all switches in each of these cases:
//
//   - It allows all turns of some spanning tree: the tree is the in-tree. This covers up*/down*,
//     L-turn, R-turn and turn prohibition (a switch's parent is its heir, see prohibition.go).
//   - It is maximal: allowing any further turn, U-turns aside, closes a cycle. Such a set contains
//     all turns that rise by some numbering. At each switch choose the last channel that leads to
//     the destination. Let a be the channel of u, entering w, and e that of w. The channel that
//     follows a on its legal path comes after a and not after e, so the turn from a to e rises.
//     And e does not lead back to u: what then follows e would be a later channel of u than a.
//   - It is maximal by pairs: it has the reverse of each of its turns, and no further turn can be
//     allowed together with its reverse. Let r be a numbering, and number channel c by r(c) -
//     r(reverse of c). Ties can be broken so that reverses keep opposite signs. All turns that
//     rise by this number form an acyclic set closed under reversal. The maximal set contains
//     them. This covers turn addition.
//
// The method has three steps. Allowed turns close no cycle, so a choice of channels is a tree as
// soon as it fits from each switch to the next.
//
// 1. Grow: from the destination outwards, level by level. Of several channels take the one that
//     most further switches can follow on a shortest legal path.
// 2. Repair, if switches are left over: give them any channel, then change one channel at a time
//     so that fewer turns are not allowed. Weights rise where the search gets stuck (P. Morris,
//     The breakout method for escaping from local minima, AAAI 1993).
// 3. If the repair gives up, ask a SAT solver: at most one channel for each switch, one for those
//     with hosts, and after each channel one that may follow it.
//
// At the end paths are shortened, and load is spread over paths of equal length. Cost: steps 1 and
// 2 take O(channels × degree) for each destination. 4,096 switches of degree 4 take 16 s with
// up*/down* and 32 s with turn addition, which needs step 2 for every destination (one core of a
// busy machine). Memory: that of the table. Invariant outside step 2: fits(choice[u]) for every
// switch u that has a choice.

// TreeOptions are the options of InTrees. The zero value is the default.
type TreeOptions struct {
	// Shortest asks for paths as short as the shortest legal ones. Such trees may not exist
	// although other trees do.
	Shortest bool
	// Limit bounds the time for one formula. If 0, there is no limit.
	Limit time.Duration
}

// Forwarding is a table and statistics of its making. A pair is a source host and a destination of
// a host at another switch.
type Forwarding struct {
	Table     *model.Table // an entry for each address of each endpoint; packets have class 0
	Pairs     int64
	MeanPath  float64 // average number of links on a path, over the pairs
	MaxPath   int
	MeanLegal float64 // the same for shortest legal paths, which no single table may be able to use
	Longer    int64   // pairs whose path is longer than the shortest legal one
	Load      []int64 // by channel between switches: number of pairs whose path uses it

	Trees    int // number of destination switches
	Searched int // trees that growing left incomplete
	Solved   int // trees that needed the formula

	// Unmanaged are switches without hosts whose management endpoint has no in-tree. The table has
	// no entries for these endpoints.
	Unmanaged []model.SwitchID
}

// NoInTree is the error for a destination that has no in-tree. The search was exhaustive.
type NoInTree struct {
	Dest model.SwitchID
	// Sources are switches with hosts whose paths to Dest cannot agree at every switch. Without
	// any one of them the others have an in-tree, unless the time limit ended this test.
	Sources  []model.SwitchID
	Shortest bool // if true, in-trees exist, but none with shortest legal paths only
}

// Error implements error.
func (e *NoInTree) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no in-tree of allowed turns to switch %d", e.Dest)
	if e.Shortest {
		b.WriteString(" on shortest legal paths")
	}
	b.WriteString(", proved by exhaustive search: no choice of one channel per switch serves all of switches ")
	for i, u := range e.Sources {
		switch {
		case i == 10:
			fmt.Fprintf(&b, " and %d more", len(e.Sources)-i)
			return b.String()
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, u)
	}
	return b.String()
}

// ErrUndecided is returned if TreeOptions.Limit was reached.
var ErrUndecided = errors.New("undecided: the time limit for a formula was reached")

// InTrees makes a table from an acyclic set of a network with one VC. It fails with *NoInTree if a
// destination has no in-tree.
func InTrees(ctx context.Context, set *model.TurnSet, o TreeOptions) (*Forwarding, error) {
	f, err := newForest(set, o)
	if err != nil {
		return nil, err
	}
	for v, list := range f.dests {
		if len(list) == 0 {
			continue
		}
		if err := f.serve(ctx, model.SwitchID(v), list); err != nil {
			return nil, err
		}
	}
	if k := float64(f.res.Pairs); k > 0 {
		f.res.MeanPath /= k
		f.res.MeanLegal /= k
	}
	return f.res, nil
}

// forest is the state of InTrees, destination by destination.
type forest struct {
	*route.Search
	net    *model.Network
	o      TreeOptions
	res    *Forwarding
	head   []model.SwitchID    // by channel
	out    [][]model.ChannelID // by switch: the channels to other switches
	before [][]model.ChannelID // by channel: its possible predecessors
	hosts  []int64             // by switch
	dests  [][]model.DestID    // by switch: the destinations of its endpoints

	// allowed has a bit for each turn, at index next[input channel] plus the place of the output
	// channel.
	allowed     []uint64
	next, place []int

	root   model.SwitchID
	need   []uint32 // by switch: links on a shortest legal path, or route.Unreached
	live   []bool   // by channel: whether it may be chosen
	choice []model.ChannelID
	length []uint32         // by switch with a choice
	order  []model.SwitchID // switches with a choice by ascending length, the root first
	seen   []bool           // by switch, scratch
	amount []int64          // by switch, scratch: number of hosts whose path passes it
}

func newForest(set *model.TurnSet, o TreeOptions) (*forest, error) {
	n := set.Network()
	if n.VCs() != 1 {
		return nil, fmt.Errorf("in-trees are for one virtual channel, not %d", n.VCs())
	}
	if _, ok := cdg.FromTurns(set).Numbering(); !ok {
		return nil, errors.New("in-trees are for turn sets without cycles")
	}
	k, m := n.NumSwitches(), n.NumLinkChannels()
	f := &forest{Search: route.NewLegal(set).NewSearch(), net: n, o: o, head: n.Heads(), out: make([][]model.ChannelID, k),
		hosts: make([]int64, k), dests: make([][]model.DestID, k),
		need: make([]uint32, k), live: make([]bool, m), choice: make([]model.ChannelID, k), length: make([]uint32, k), seen: make([]bool,
			k), amount: make([]int64, k)}
	f.layOut(set)
	f.res = &Forwarding{Table: f.newTable(), Load: make([]int64, m)}
	return f, nil
}

// layOut stores the turns for fast lookup.
func (f *forest) layOut(set *model.TurnSet) {
	m := f.net.NumLinkChannels()
	f.before, f.next, f.place = make([][]model.ChannelID, m), make([]int, m), make([]int, m)
	for u := range f.out {
		for _, c := range f.net.Out(model.SwitchID(u)) {
			if f.net.Kind(c) == model.SwitchToSwitch {
				f.place[c] = len(f.out[u])
				f.out[u] = append(f.out[u], c)
			}
		}
	}
	bits := 0
	for c := range f.next {
		f.next[c] = bits
		bits += len(f.out[f.head[c]])
	}
	f.allowed = make([]uint64, bits/64+1)
	for t := range set.All() {
		f.before[t.Out] = append(f.before[t.Out], model.ChannelID(t.In))
		at := f.next[t.In] + f.place[t.Out]
		f.allowed[at/64] |= 1 << (at % 64)
	}
}

// newTable returns an empty table whose destinations are all addresses of all endpoints.
func (f *forest) newTable() *model.Table {
	for h := range model.HostID(f.net.NumHosts()) {
		f.hosts[f.net.Host(h).Switch]++
	}
	list := model.AllAddresses(f.net)
	for d, dest := range list {
		u := f.net.Host(dest.Host).Switch
		f.dests[u] = append(f.dests[u], model.DestID(d))
	}
	return model.NewTable(f.net, list)
}

// serve adds the entries for the destinations at switch v.
func (f *forest) serve(ctx context.Context, v model.SwitchID, list []model.DestID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.begin(v)
	f.res.Trees++
	if err := f.chooseChannels(ctx); err != nil {
		var none *NoInTree
		if f.hosts[v] == 0 && errors.As(err, &none) {
			f.res.Unmanaged = append(f.res.Unmanaged, v)
			return nil
		}
		return err
	}
	f.shorten()
	for _, d := range list {
		f.spread()
		f.enter(d)
	}
	return nil
}

// begin searches for legal paths to switch v and marks the channels that may be chosen.
func (f *forest) begin(v model.SwitchID) {
	f.root = v
	f.To(v)
	clear(f.live)
	for u := range f.need {
		f.need[u], f.choice[u] = route.Unreached, model.NoChannel
	}
	for _, b := range f.Order { // ascending by distance
		c, u := model.ChannelID(b), f.net.Tail(model.ChannelID(b))
		if u != v {
			f.need[u] = min(f.need[u], f.Dist[b])
			f.live[c] = !f.o.Shortest || f.shortest(c)
		}
	}
}

// shortest reports whether channel c may start or continue a shortest legal path. No path starts
// at a switch without hosts.
func (f *forest) shortest(c model.ChannelID) bool {
	if u := f.net.Tail(c); f.hosts[u] > 0 && f.Dist[c] > f.need[u] {
		return false
	}
	for _, d := range f.After(model.VCID(c)) {
		if f.live[d] && f.joins(c, model.ChannelID(d)) {
			return true
		}
	}
	return f.net.Head(c) == f.root
}

// joins reports whether d may follow c.
func (f *forest) joins(c, d model.ChannelID) bool {
	at := f.next[c] + f.place[d]
	return f.allowed[at/64]>>(at%64)&1 != 0 && (!f.o.Shortest || f.Dist[c] == f.Dist[d]+1)
}

// fits reports whether the channel chosen at the far end of c may follow c.
func (f *forest) fits(c model.ChannelID) bool {
	w := f.head[c]
	return w == f.root || f.choice[w] != model.NoChannel && f.joins(c, f.choice[w])
}

// carries reports whether all switches whose choice leads to u keep a fitting choice if u chooses
// channel c.
func (f *forest) carries(u model.SwitchID, c model.ChannelID) bool {
	for _, o := range f.out[u] {
		if a := f.net.Reverse(o); f.choice[f.net.Tail(a)] == a && !f.joins(a, c) {
			return false
		}
	}
	return true
}

// chooseChannels chooses a channel for each switch. Repairs and formulas ignore load.
func (f *forest) chooseChannels(ctx context.Context) error {
	if f.grow(); f.complete() {
		return nil
	}
	f.res.Searched++
	if f.repair() {
		return nil
	}
	f.res.Solved++
	return f.solve(ctx)
}

// complete reports whether all switches with hosts have a choice.
func (f *forest) complete() bool {
	for u, k := range f.hosts {
		if k > 0 && f.choice[u] == model.NoChannel && model.SwitchID(u) != f.root {
			return false
		}
	}
	return true
}

// walk computes order and length. Switches without a path to the root lose their choice; no host
// depends on them.
func (f *forest) walk() {
	f.order = append(f.order[:0], f.root)
	f.length[f.root] = 0
	clear(f.seen)
	f.seen[f.root] = true
	for i := 0; i < len(f.order); i++ {
		u := f.order[i]
		for _, o := range f.out[u] {
			if t := f.net.Head(o); f.choice[t] == f.net.Reverse(o) {
				f.length[t], f.seen[t] = f.length[u]+1, true
				f.order = append(f.order, t)
			}
		}
	}
	for u := range f.choice {
		if !f.seen[u] {
			f.choice[u] = model.NoChannel
		}
	}
}

// shorten gives switches a channel with a shorter path while one exists that fits and carries the
// switches behind. It goes outwards from the root, so that lengths of nearer switches are up to
// date. Moving the switches behind as well made paths at most 0.03 % shorter.
func (f *forest) shorten() {
	for again := true; again; {
		again = false
		f.walk()
		for _, u := range f.order[1:] {
			f.length[u] = f.length[f.head[f.choice[u]]] + 1
			for _, c := range f.out[u] {
				if k := f.length[f.head[c]] + 1; k < f.length[u] && f.live[c] && f.fits(c) && f.carries(u, c) {
					f.choice[u], f.length[u] = c, k
					again = true
				}
			}
		}
	}
}

// spread moves switches to a channel whose path has a smaller maximum load, then to the least
// loaded channel. A channel must fit, carry the switches behind, and keep the length.
func (f *forest) spread() {
	way, load := f.amount, f.res.Load // path, by switch: the largest load on its path
	way[f.root] = 0
	for _, u := range f.order[1:] {
		best := f.choice[u]
		most := max(way[f.net.Head(best)], load[best])
		for _, c := range f.out[u] {
			w := f.head[c]
			if f.length[w]+1 != f.length[u] || !f.live[c] || !f.fits(c) {
				continue
			}
			m := max(way[w], load[c])
			if (m < most || m == most && load[c] < load[best]) && f.carries(u, c) {
				best, most = c, m
			}
		}
		f.choice[u], way[u] = best, most
	}
}

// enter writes the tree into the table for destination d. It adds the tree's load unless d is a
// management endpoint.
func (f *forest) enter(d model.DestID) {
	t, host := f.res.Table, f.res.Table.DestinationHost(d)
	t.SetPort(f.root, d, f.net.TailPort(f.net.EjectChannel(host)))
	copy(f.amount, f.hosts)
	for i := len(f.order) - 1; i > 0; i-- {
		u := f.order[i]
		c := f.choice[u]
		t.SetPort(u, d, f.net.TailPort(c))
		if f.net.Host(host).Management {
			continue
		}
		f.count(u)
		f.res.Load[c] += f.amount[u]
		f.amount[f.net.Head(c)] += f.amount[u]
	}
}

// count adds the load of the paths from switch u to a host at the root.
func (f *forest) count(u model.SwitchID) {
	k, r := f.hosts[u], f.res
	if k == 0 {
		return
	}
	r.Pairs += k
	r.MeanPath += float64(k) * float64(f.length[u])
	r.MeanLegal += float64(k) * float64(f.need[u])
	r.MaxPath = max(r.MaxPath, int(f.length[u]))
	if f.length[u] > f.need[u] {
		r.Longer += k
	}
}
