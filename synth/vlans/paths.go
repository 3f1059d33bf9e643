package vlans

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file collects what the pairs of hosts want of a routing relation.

// None is no demand: the pair does not send, or its hosts are at one switch.
const None = -1

// DefaultWays is how many ways of a pair are looked at.
const DefaultWays = 32

// Demand is what one or more pairs of hosts want: one of its ways.
type Demand struct {
	Ways  [][]model.LinkID // the links of each, ascending
	Layer int              // demands of different layers share no VLAN
	// More says that there were more ways than were looked at. Where one was asked
	// for, it is the path, and there are no more.
	More bool
}

// Paths are the demands of all pairs, equal ones once.
type Paths struct {
	Net     *model.Network // with one VC per channel
	Demands []Demand
	Of      []int32 // by source and destination; None
	Pairs   int64   // ordered pairs of hosts that send
}

// Demand returns the demand of a pair, None if it has none.
func (p *Paths) Demand(source, dest model.HostID) int32 {
	return p.Of[int(source)*p.Net.NumHosts()+int(dest)]
}

// Collect lists the ways of all pairs of hosts, ways of each at most (0:
// DefaultWays), in the relation's order of preference. VCs are not looked at. It
// fails where a pair has no way, or one that visits a switch twice, which is in
// no tree. With keep only hosts that it reports are looked at: bounds of their
// demands hold for all.
// Cost: the hops of all ways of all pairs.
func Collect(ctx context.Context, rel model.Relation, ways int, keep func(model.HostID) bool) (*Paths, error) {
	if ways == 0 {
		ways = DefaultWays
	}
	n := rel.Network()
	p := &Paths{Net: n.WithVCs(1), Of: make([]int32, n.NumHosts()*n.NumHosts())}
	for i := range p.Of {
		p.Of[i] = None
	}
	w := &walker{rel: rel, net: n, most: ways}
	known := map[string]int32{}
	for d := range model.DestID(rel.Destinations()) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := rel.DestinationHost(d)
		if n.Host(to).Management || keep != nil && !keep(to) {
			continue
		}
		for h := range model.HostID(n.NumHosts()) {
			if !model.Sends(rel, h, d) || keep != nil && !keep(h) {
				continue
			}
			p.Pairs++
			demand, err := w.pair(h, d)
			if err != nil {
				return nil, err
			}
			i, at := p.add(demand, known), &p.Of[int(h)*n.NumHosts()+int(to)]
			if i != None && *at != None && *at != i {
				return nil, fmt.Errorf("vlans: %s has several addresses with different routes; one way for each pair of hosts is wanted", n.HostLabel(to))
			}
			*at = i
		}
	}
	return p, nil
}

// add returns the number of a demand, None where the hosts are at one switch.
func (p *Paths) add(d Demand, known map[string]int32) int32 {
	if len(d.Ways[0]) == 0 {
		return None
	}
	key := keyOf(d.Ways)
	i, ok := known[key]
	if !ok {
		i = int32(len(p.Demands))
		known[key] = i
		p.Demands = append(p.Demands, d)
	}
	p.Demands[i].More = p.Demands[i].More && d.More // one of those that have no more is enough
	return i
}

// InLayers tells the demands of a pair's layer apart: 0, 1, ... for each pair that
// sends. Paths of different layers get different VLANs, with priorities of their own.
func (p *Paths) InLayers(layer func(source, dest model.HostID) int) *Paths {
	type part struct {
		demand int32
		layer  int
	}
	q := &Paths{Net: p.Net, Of: slices.Clone(p.Of), Pairs: p.Pairs}
	known := map[part]int32{}
	for at, i := range p.Of {
		if i == None {
			continue
		}
		w := part{i, layer(model.HostID(at/p.Net.NumHosts()), model.HostID(at%p.Net.NumHosts()))}
		k, ok := known[w]
		if !ok {
			k = int32(len(q.Demands))
			known[w] = k
			q.Demands = append(q.Demands, Demand{p.Demands[i].Ways, w.layer, p.Demands[i].More})
		}
		q.Of[at] = k
	}
	return q
}

func keyOf(ways [][]model.LinkID) string {
	var key []byte
	for _, way := range ways {
		key = binary.AppendUvarint(key, uint64(len(way)))
		for _, l := range way {
			key = binary.AppendUvarint(key, uint64(l))
		}
	}
	return string(key)
}

// walker follows the packets of one pair at a time.
type walker struct {
	rel   model.Relation
	net   *model.Network
	most  int
	found Demand
	bad   error // why a way was not taken
	at    []model.SwitchID
	links []model.LinkID
}

func (w *walker) pair(h model.HostID, d model.DestID) (Demand, error) {
	w.found, w.bad = Demand{}, nil
	for _, k := range w.rel.Inject(h, d, nil) {
		w.at, w.links = append(w.at[:0], w.net.Host(h).Switch), w.links[:0]
		w.follow(model.InjectState(w.rel, h, d, k))
	}
	to := w.net.HostLabel(w.rel.DestinationHost(d))
	if len(w.found.Ways) == 0 && w.bad != nil {
		return w.found, fmt.Errorf("vlans: from %s to %s %w", w.net.HostLabel(h), to, w.bad)
	}
	if len(w.found.Ways) == 0 {
		return w.found, fmt.Errorf("vlans: %s has no route to %s", w.net.HostLabel(h), to)
	}
	return w.found, nil
}

// follow goes on from state s, depth first.
func (w *walker) follow(s model.State) {
	if w.found.More || w.most == 1 && len(w.found.Ways) == 1 {
		return // with one way wanted, that is the path
	}
	for _, hop := range w.rel.Next(s, nil) {
		c, _ := w.net.Channel(hop.VC)
		if w.net.Kind(c) != model.SwitchToSwitch {
			if w.net.HostOf(c) == w.rel.DestinationHost(s.Dest) {
				w.arrived()
			}
			continue
		}
		if slices.Contains(w.at, w.net.Head(c)) {
			w.bad = fmt.Errorf("a way visits switch %s twice", w.net.SwitchName(w.net.Head(c)))
			continue
		}
		w.at, w.links = append(w.at, w.net.Head(c)), append(w.links, model.LinkID(c/2))
		w.follow(model.State{VC: hop.VC, Dest: s.Dest, Class: hop.Class})
		w.at, w.links = w.at[:len(w.at)-1], w.links[:len(w.links)-1]
	}
}

// arrived takes the way, unless it is known: VCs make no difference.
func (w *walker) arrived() {
	way := slices.Clone(w.links)
	slices.Sort(way)
	if slices.ContainsFunc(w.found.Ways, func(known []model.LinkID) bool { return slices.Equal(known, way) }) {
		return
	}
	if len(w.found.Ways) == w.most {
		w.found.More = true
		return
	}
	w.found.Ways = append(w.found.Ways, way)
}
