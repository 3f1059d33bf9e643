package vlans

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file collects the paths that a routing relation offers to each pair of hosts.

// None means that a pair has no demand: it does not send, or its hosts are at one switch.
const None = -1

// DefaultWays is the default limit of the paths collected for each pair.
const DefaultWays = 32

// Demand is a list of alternative paths of one or more pairs of hosts. A solution must carry one
// of them.
type Demand struct {
	Ways  [][]model.LinkID // the links of each path, in ascending order
	Layer int              // demands of different layers share no VLAN
	// More is true if the relation has more paths than were collected. It is always false if
	// Collect was asked for one path of each pair.
	More bool
}

// Paths has the demands of all pairs. Pairs with equal paths share a demand.
type Paths struct {
	Net     *model.Network // has one VC per channel
	Demands []Demand
	Of      []int32 // by source and destination: index in Demands, or None
	Pairs   int64   // number of ordered pairs of hosts that send
}

// Demand returns the index of a pair's demand, or None.
func (p *Paths) Demand(source, dest model.HostID) int32 {
	return p.Of[int(source)*p.Net.NumHosts()+int(dest)]
}

// Collect lists the paths of all pairs of hosts in the relation's order of preference, at most
// ways paths (0: DefaultWays) for each pair. Paths that differ only in VCs are one path. It fails
// if a pair has no path, or a path visits a switch twice, because no tree contains such a path. If
// keep is not nil, only hosts for which keep returns true are considered; a bound of their demands
// also holds for all hosts. Cost: the total length of all paths of all pairs.
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

// add returns the index of a demand, or None if the hosts are at one switch. It adds the demand if
// it is new.
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
	p.Demands[i].More = p.Demands[i].More && d.More // equal demands are complete if one of them is
	return i
}

// InLayers splits demands by layer. layer returns the layer of each pair that sends, from 0 on.
// Paths of different layers get different VLANs, with different priorities.
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

// walker enumerates the paths of one pair at a time.
type walker struct {
	rel   model.Relation
	net   *model.Network
	most  int
	found Demand
	bad   error // why the last rejected path was rejected
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

// follow enumerates the paths from state s, depth first.
func (w *walker) follow(s model.State) {
	if w.found.More || w.most == 1 && len(w.found.Ways) == 1 {
		return // if one path is wanted, the first one suffices
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
			w.bad = fmt.Errorf("a path visits switch %s twice", w.net.SwitchName(w.net.Head(c)))
			continue
		}
		w.at, w.links = append(w.at, w.net.Head(c)), append(w.links, model.LinkID(c/2))
		w.follow(model.State{VC: hop.VC, Dest: s.Dest, Class: hop.Class})
		w.at, w.links = w.at[:len(w.at)-1], w.links[:len(w.links)-1]
	}
}

// arrived adds the current path, unless a path with the same links is known.
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
