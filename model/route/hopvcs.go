package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file implements routings on any network whose VC follows from the hops passed.
//
// positive-hop: every shortest path; the VC of a link is the number of links passed. Links are used in the order of their VCs, so the graph has
// no cycle. It needs as many VCs as the diameter.
//
// negative-hop: every shortest path. Switches have colours, such that neighbours differ; a hop to a smaller colour is negative. The VC is the number of
// negative hops passed. Between two negative hops the colours increase, so the graph has no cycle. Colours are greedy by the number of the switch, or the two
// sides of a bipartite network, on which about half as many VCs are enough.
//
// valiant: a shortest path to any switch, then a shortest path to the destination; the VC is the number of links passed. It needs twice
// as many VCs as the diameter. A packet at the switch of its destination is delivered. Class: on the first path the source, on a network of
// diameter 2 the number of links passed; then the number of links passed on both.
//
// slimfly-minimal and slimfly-valiant are positive-hop and valiant on a network of diameter 2, with 2 and 4 VCs. Source: Günther, Prevention of deadlocks in
// packet-switched data transport systems, IEEE Trans. Communications 29(4), 1981; Gopal, IEEE Trans. Communications 33(12), 1985;
// Boppana, Chalasani, A comparison of adaptive wormhole routing algorithms, ISCA 1993, section 2 (PHop, NHop); Besta, Hoefler, Slim Fly, SC 2014,
// section IV-D; Valiant, SIAM J. Computing 11(2), 1982. Premises: the network is connected. Cost: distances between all switches once.

// hopVCs is positive-hop or negative-hop.
type hopVCs struct {
	minimal
	colour []int32 // by switch; nil for positive-hop
	fold   vcFold
	needed int
}

// newHopVCs returns the constructor of positive-hop or negative-hop. If diameter is not 0, the network must have it.
func newHopVCs(name string, negative bool, diameter int) func(*model.Network, Options) (model.Relation, error) {
	return func(n *model.Network, o Options) (model.Relation, error) {
		r := &hopVCs{minimal: minimal{net: n}}
		r.dist = newRowCache(n.NumSwitches(), n.NumSwitches(), func(v model.SwitchID) []uint32 { return hv.Hops(n, v) })
		if negative {
			r.colour = colours(n)
		}
		most, err := r.mostHops(name)
		if err != nil {
			return nil, err
		}
		if diameter > 0 && most > diameter {
			return nil, fmt.Errorf("route: %s needs a network of diameter %d; this one has %d", name, diameter, most)
		}
		r.needed = max(most, 1)
		if r.fold, err = foldVCs(name, r.needed, n, o.Beyond); err != nil {
			return nil, err
		}
		return &relation{rule: r, net: n, classes: r.needed + 1}, nil
	}
}

// mostHops returns the number of VCs that the paths use, at least 0: the greatest count of a hop that is not the last, plus one.
func (r *hopVCs) mostHops(name string) (int, error) {
	n, most := r.net, 0
	for v := range model.SwitchID(n.NumSwitches()) {
		dist := r.dist.to(v)
		counts, byDistance := make([]int, len(dist)), make([][]model.SwitchID, len(dist))
		for u, d := range dist {
			if d == unreachable {
				return 0, fmt.Errorf("route: %s needs a connected network; no path leads from switch %s to %s", name,
					n.SwitchName(model.SwitchID(u)), n.SwitchName(v))
			}
			byDistance[d] = append(byDistance[d], model.SwitchID(u))
		}
		for d := 1; d < len(byDistance) && len(byDistance[d]) > 0; d++ {
			for _, u := range byDistance[d] {
				for _, c := range n.Out(u) {
					if w := n.Head(c); w != model.NoSwitch && dist[w]+1 == dist[u] {
						counted := counts[w]
						if w != v {
							counted += r.counts(u, w)
						}
						counts[u] = max(counts[u], counted)
					}
				}
				most = max(most, counts[u]+1)
			}
		}
	}
	return most, nil
}

// counts returns 1 if the hop from u to w is counted, else 0.
func (r *hopVCs) counts(u, w model.SwitchID) int {
	if r.colour != nil && r.colour[w] > r.colour[u] {
		return 0
	}
	return 1
}

// keeps: shortest paths depend on the network only, negative hops on the colours.
func (r *hopVCs) keeps(a *model.Automorphism) bool {
	for u, k := range r.colour {
		if r.colour[a.Switch(model.SwitchID(u))] != k {
			return false
		}
	}
	return true
}

func (r *hopVCs) next(p place, buf []model.Hop) []model.Hop {
	dist := r.dist.to(p.v)
	if int(p.class) > r.needed {
		return buf
	}
	for _, c := range r.net.Out(p.u) {
		if w := r.net.Head(c); w != model.NoSwitch && dist[w]+1 == dist[p.u] {
			class := min(int(p.class)+r.counts(p.u, w), r.needed)
			buf = append(buf, model.Hop{VC: r.net.VC(c, r.fold.index(min(int(p.class), r.needed-1))), Class: model.Class(class)})
		}
	}
	return buf
}

// colours returns colours of the switches, from 0 on, such that neighbours differ: the two sides of a bipartite network, else the smallest
// colour that no neighbour with a smaller number has.
func colours(n *model.Network) []int32 {
	side := hv.Hops(n, 0)
	colour, isBipartite := make([]int32, n.NumSwitches()), true
	for u := range colour {
		colour[u] = int32(side[u] % 2)
	}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		isBipartite = isBipartite && colour[n.Tail(c)] != colour[n.Head(c)]
	}
	if isBipartite {
		return colour
	}
	for u := range colour {
		used := map[int32]bool{}
		for _, c := range n.Out(model.SwitchID(u)) {
			if w := n.Head(c); w != model.NoSwitch && int(w) < u {
				used[colour[w]] = true
			}
		}
		for colour[u] = 0; used[colour[u]]; {
			colour[u]++
		}
	}
	return colour
}

// valiantHops is valiant or slimfly-valiant.
type valiantHops struct {
	hopVCs
	first int // classes of the first path
	byTwo bool
}

func newValiantHops(name string, diameter int) func(*model.Network, Options) (model.Relation, error) {
	minimal := newHopVCs(name, false, diameter)
	return func(n *model.Network, o Options) (model.Relation, error) {
		made, err := minimal(n, Options{Beyond: BeyondLast})
		if err != nil {
			return nil, err
		}
		r := &valiantHops{hopVCs: *made.(*relation).rule.(*hopVCs)}
		r.needed *= 2
		if r.first, r.byTwo = n.NumSwitches(), r.needed <= 4; r.byTwo {
			r.first = 2
		}
		if r.fold, err = foldVCs(name, r.needed, n, o.Beyond); err != nil {
			return nil, err
		}
		list := relation{rule: r, net: n, classes: r.first + r.needed + 1}
		if r.byTwo {
			return &list, nil
		}
		return &fromSource{list}, nil
	}
}

// fromSource is a relation whose packets begin with the switch of their host as their class.
type fromSource struct{ relation }

// Inject implements model.Relation.
func (r *fromSource) Inject(h model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	return append(buf, model.Class(r.net.Host(h).Switch))
}

// Symmetries implements model.Symmetric: the classes are not symmetric.
func (r *fromSource) Symmetries() []*model.Automorphism { return nil }

// group: the source of a packet can be the tail of its channel.
func (r *valiantHops) group(in model.ChannelID, _ int) int { return int(in) }

func (r *valiantHops) next(p place, buf []model.Hop) []model.Hop {
	passed, source := int(p.class)-r.first, model.NoSwitch
	var away []uint32 // distances from the source, on the first path
	if passed < 0 {
		if source = r.source(p); source == model.NoSwitch {
			return buf
		}
		away = r.dist.to(source)
		passed = int(away[p.u])
		buf = r.further(p, away, buf)
	}
	if dist := r.dist.to(p.v); (source == model.NoSwitch || passed > 0) && passed+int(dist[p.u]) <= r.needed {
		for _, c := range r.net.Out(p.u) {
			w := r.net.Head(c)
			if w == model.NoSwitch || dist[w]+1 != dist[p.u] || r.byTwo && away != nil && away[w] == 2 {
				continue // no shorter distance, or the same hop as on the first path
			}
			buf = append(buf, model.Hop{VC: r.net.VC(c, r.fold.index(passed)), Class: model.Class(r.first + passed + 1)})
		}
	}
	return buf
}

// further appends the hops of a packet on its first path that lead away from its source.
func (r *valiantHops) further(p place, away []uint32, buf []model.Hop) []model.Hop {
	class := p.class
	if r.byTwo {
		if class++; int(class) == r.first { // two links from the source, no path leads further
			class += 2
		}
	}
	for _, c := range r.net.Out(p.u) {
		if w := r.net.Head(c); w != model.NoSwitch && away[w] == away[p.u]+1 {
			buf = append(buf, model.Hop{VC: r.net.VC(c, r.fold.index(int(away[p.u]))), Class: class})
		}
	}
	return buf
}

// source returns the source of a packet on its first path, or NoSwitch if no packet has this class here.
func (r *valiantHops) source(p place) model.SwitchID {
	switch {
	case !r.byTwo:
		return model.SwitchID(p.class)
	case p.class == 0:
		return p.u
	}
	return r.net.Tail(p.in)
}
