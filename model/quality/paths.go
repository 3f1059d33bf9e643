package quality

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file finds the path of each pair.

// paths finds the paths of a routing. Hosts whose paths to every other switch have the same channels form a group.
type paths struct {
	r      model.Relation
	n      *model.Network
	t      *model.Table     // not nil if all paths follow from the rows of a table
	groups [][]model.HostID // the hosts of a switch if t is not nil, else single hosts
	dests  [][]model.DestID // by host: its addresses
	far    *distances
}

func newPaths(r model.Relation) *paths {
	n := r.Network()
	p := &paths{r: r, n: n, dests: make([][]model.DestID, n.NumHosts()), far: newDistances(n)}
	if t, ok := r.(*model.Table); ok && t.IsPlain() {
		p.t = t
	}
	at := map[model.SwitchID]int{}
	for h := range model.HostID(n.NumHosts()) {
		u := n.Host(h).Switch
		g, ok := at[u]
		if !ok || p.t == nil {
			g = len(p.groups)
			at[u], p.groups = g, append(p.groups, nil)
		}
		p.groups[g] = append(p.groups[g], h)
	}
	for d := range model.DestID(r.Destinations()) {
		if h := r.DestinationHost(d); int(h) < n.NumHosts() {
			p.dests[h] = append(p.dests[h], d)
		}
	}
	return p
}

// sizes returns the number of hosts of each group.
func (p *paths) sizes() []int32 {
	list := make([]int32, len(p.groups))
	for g, hosts := range p.groups {
		list[g] = int32(len(hosts))
	}
	return list
}

// walker walks paths, in one goroutine.
type walker struct {
	*paths
	classes     []model.Class
	hops        []model.Hop
	path, other []model.ChannelID
}

func (p *paths) newWalker() *walker { return &walker{paths: p} }

// toDest measures the paths to an address.
func (w *walker) toDest(d model.DestID, x *perDest) error {
	to := w.r.DestinationHost(d)
	*x = perDest{to: to, uses: x.uses[:0], farthest: Pair{model.NoHost, model.NoHost, -1}}
	if int(to) >= w.n.NumHosts() {
		return nil
	}
	dist := w.far.to(w.n.Host(to).Switch)
	w.countPorts(to, dist, x)
	for g, hosts := range w.groups {
		senders, from := int64(0), model.NoHost
		for _, h := range hosts {
			if model.Sends(w.r, h, d) {
				if senders++; from == model.NoHost {
					from = h
				}
			}
		}
		if senders == 0 {
			continue
		}
		x.pairs += senders
		least := dist[w.n.Host(from).Switch]
		if least >= 0 {
			x.shortest = count(x.shortest, int(least), senders)
		}
		ok, err := w.walk(from, d)
		switch {
		case err != nil:
			return err
		case !ok:
			x.lost += senders
			continue
		}
		if len(w.path) >= len(x.hops) {
			x.farthest = Pair{from, to, d}
		}
		x.hops, x.detour = count(x.hops, len(w.path), senders), count(x.detour, len(w.path)-int(least), senders)
		for _, c := range w.path {
			x.uses = append(x.uses, use{c, int32(g), int32(senders)})
		}
	}
	return nil
}

// countPorts counts for each switch the ports on shortest paths to host to.
func (w *walker) countPorts(to model.HostID, dist []int32, x *perDest) {
	for u := range model.SwitchID(w.n.NumSwitches()) {
		k := 0
		if u == w.n.Host(to).Switch {
			k = 1
		}
		for _, c := range w.n.Out(u) {
			if w.n.Kind(c) == model.SwitchToSwitch && !w.n.Absent(c) && dist[u] > 0 && dist[w.n.Head(c)] == dist[u]-1 {
				k++
			}
		}
		if dist[u] >= 0 {
			x.ports = count(x.ports, k, 1)
		}
	}
}

// walk stores the channels between switches of the path from host h to address d in w.path. It returns false if packets
// of some class get lost.
func (w *walker) walk(h model.HostID, d model.DestID) (bool, error) {
	if w.t != nil {
		return w.walkRow(h, d), nil
	}
	w.classes = w.r.Inject(h, d, w.classes[:0])
	for i, k := range w.classes {
		if ok, err := w.walkClass(h, d, k); err != nil || !ok {
			return false, err
		}
		if i > 0 && !slices.Equal(w.path, w.other) {
			return false, ErrSeveral
		}
		w.other = append(w.other[:0], w.path...)
	}
	return len(w.classes) > 0, nil
}

// walkRow walks the row of a plain table. No path without a loop has more hops than the network has switches.
func (w *walker) walkRow(h model.HostID, d model.DestID) bool {
	row, links := w.t.Row(d), w.n.NumLinkChannels()
	w.path = w.path[:0]
	for u := w.n.Host(h).Switch; len(w.path) <= w.n.NumSwitches(); {
		c := row[u]
		switch {
		case c < 0:
			return false
		case int(c) >= links:
			return w.n.HostOf(c) == w.r.DestinationHost(d)
		}
		w.path = append(w.path, c)
		u = w.n.Head(c)
	}
	return false
}

// walkClass walks the path of packets of a class. No path without a loop has more states than there are VCs and classes.
func (w *walker) walkClass(h model.HostID, d model.DestID, k model.Class) (bool, error) {
	s := model.InjectState(w.r, h, d, k)
	w.path = w.path[:0]
	for most := w.n.NumVCs() * w.r.Classes(); len(w.path) <= most; {
		w.hops = w.r.Next(s, w.hops[:0])
		switch {
		case len(w.hops) == 0:
			return false, nil
		case len(w.hops) > 1:
			return false, ErrSeveral
		}
		c, _ := w.n.Channel(w.hops[0].VC)
		if w.n.Kind(c) == model.Eject {
			return w.n.HostOf(c) == w.r.DestinationHost(d), nil
		}
		w.path = append(w.path, c)
		s.VC, s.Class = w.hops[0].VC, w.hops[0].Class
	}
	return false, nil
}

// distances has the links between switches of shortest paths.
type distances struct {
	n *model.Network
	d map[model.SwitchID][]int32 // by switch with hosts, then by switch
}

func newDistances(n *model.Network) *distances {
	x := &distances{n, map[model.SwitchID][]int32{}}
	for h := range model.HostID(n.NumHosts()) {
		if u := n.Host(h).Switch; x.d[u] == nil {
			x.d[u] = reach(n, []model.SwitchID{u})
		}
	}
	return x
}

// to returns the distance of each switch to u, or -1.
func (x *distances) to(u model.SwitchID) []int32 { return x.d[u] }

// reach returns the distance of each switch to the nearest of list, or -1.
func reach(n *model.Network, list []model.SwitchID) []int32 {
	dist := slices.Repeat([]int32{-1}, n.NumSwitches())
	for _, u := range list {
		dist[u] = 0
	}
	queue := slices.Clone(list)
	for i := 0; i < len(queue); i++ {
		for _, c := range n.Out(queue[i]) {
			if v := n.Head(c); n.Kind(c) == model.SwitchToSwitch && dist[v] < 0 && !n.Absent(n.Reverse(c)) {
				dist[v] = dist[queue[i]] + 1
				queue = append(queue, v)
			}
		}
	}
	return dist
}

// ranks returns for each switch the distance to the nearest switch with hosts, or -1.
func ranks(n *model.Network) []int {
	var list []model.SwitchID
	for h := range model.HostID(n.NumHosts()) {
		if u := n.Host(h).Switch; !slices.Contains(list, u) {
			list = append(list, u)
		}
	}
	all := make([]int, n.NumSwitches())
	for u, d := range reach(n, list) {
		all[u] = int(d)
	}
	return all
}
