package layers

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file keeps to a number of layers that is given: what does not fit takes other ways.
//
// Promise: always possible, with one layer, too, where the turn set that is given closes no cycle and
// connects all hosts: the last layer allows its turns, and every pair has a way there. The layers
// with most pairs stay as they are; of the others' pairs those stay on their paths that the set
// allows, the rest goes by its shortest legal ways. (A last resort of that kind is what Nue has with
// its escape paths: J. Domke, T. Hoefler and S. Matsuoka, HPDC 2016.)

// Kept is routes within a number of layers.
type Kept struct {
	Paths    []route.Path // of every pair; the VC of each hop is the layer
	Layers   int
	Rerouted int64 // pairs that have another path than before
	Links    int64 // of all paths, and of the paths before
	Before   int64
}

// Within puts the routes of rel, which were collected and found as they are, into k layers at most.
// The set is of the network with one VC; it is asked only if k are not enough as it is. The network's
// hosts are at most 1,024 here: every pair has a path of its own.
func Within(rel model.Relation, r *Routes, found *Result, k int, set *model.TurnSet) (*Kept, error) {
	if k < 1 || k > model.MaxVCs {
		return nil, fmt.Errorf("layers: %d layers, 1 to %d were expected", k, model.MaxVCs)
	}
	n := r.Net.WithVCs(k)
	kept := &Kept{Layers: min(k, max(found.Layers, 1))}
	pairs := make([]int64, max(found.Layers, 1))
	for _, p := range r.Of {
		if p != None {
			pairs[found.Of[p]]++
		}
	}
	place := make([]int, len(pairs)) // by layer as it was found: the one that it becomes
	order := make([]int, len(pairs))
	for l := range order {
		order[l] = l
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(pairs[b], pairs[a]) })
	for i, l := range order {
		place[l] = i
	}
	last := k
	if found.Layers > k {
		last = k - 1 // where the set rules, and what was in it and beyond is looked at anew
	}
	legal := newWays(r.Net, set)
	for d := range model.DestID(rel.Destinations()) {
		to := rel.DestinationHost(d)
		for h := range model.HostID(r.hosts) {
			if h == to || int(h) >= rel.Sources() || n.Host(to).Management {
				continue
			}
			channels, err := r.walk(rel, h, d)
			if err != nil {
				return nil, err
			}
			kept.Before += int64(len(channels))
			layer := 0
			if p := r.Path(h, d); p != None {
				layer = place[found.Of[p]]
			}
			if layer >= last {
				layer = last
				if !legal.allows(channels) {
					kept.Rerouted++
					if channels = legal.way(n.Host(h).Switch, n.Host(to).Switch); channels == nil {
						return nil, fmt.Errorf("layers: the turn set leaves no way from %s to %s", n.HostLabel(h), n.HostLabel(to))
					}
				}
			}
			kept.Links += int64(len(channels))
			path := route.Path{Source: h, Dest: to}
			for _, c := range channels {
				path.VCs = append(path.VCs, n.VC(c, layer))
			}
			kept.Paths = append(kept.Paths, path)
		}
	}
	return kept, nil
}

// ways finds shortest legal ways of a turn set.
type ways struct {
	n    *model.Network
	next [][]model.ChannelID
	prev [][]model.ChannelID
	set  *model.TurnSet
	to   model.SwitchID // that dist is of
	dist []int
}

func newWays(n *model.Network, set *model.TurnSet) *ways {
	w := &ways{n: n, next: make([][]model.ChannelID, n.NumLinkChannels()), prev: make([][]model.ChannelID, n.NumLinkChannels()), set: set, to: model.NoSwitch, dist: make([]int, n.NumLinkChannels())}
	for t := range set.All() {
		w.next[t.In] = append(w.next[t.In], model.ChannelID(t.Out))
		w.prev[t.Out] = append(w.prev[t.Out], model.ChannelID(t.In))
	}
	return w
}

// allows reports whether all turns of a path are allowed.
func (w *ways) allows(path []model.ChannelID) bool {
	for t := range dependencies(path) {
		if !w.set.Has(t) {
			return false
		}
	}
	return true
}

// way returns a shortest legal way, empty within a switch, nil if there is none.
func (w *ways) way(from, to model.SwitchID) []model.ChannelID {
	if from == to {
		return []model.ChannelID{}
	}
	if w.to != to {
		w.search(to)
	}
	at, best := model.NoChannel, 0
	for _, c := range w.n.Out(from) {
		if w.n.Kind(c) == model.SwitchToSwitch && w.dist[c] > 0 && (at == model.NoChannel || w.dist[c] < best) {
			at, best = c, w.dist[c]
		}
	}
	if at == model.NoChannel {
		return nil
	}
	path := []model.ChannelID{at}
	for w.dist[at] > 1 {
		for _, c := range w.next[at] {
			if w.dist[c] == w.dist[at]-1 {
				path, at = append(path, c), c
				break
			}
		}
	}
	return path
}

// search counts, by channel, the links from there to a switch; 0: no way.
func (w *ways) search(to model.SwitchID) {
	w.to = to
	clear(w.dist)
	var queue []model.ChannelID
	for c := range model.ChannelID(len(w.dist)) {
		if w.n.Head(c) == to {
			w.dist[c] = 1
			queue = append(queue, c)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, c := range w.prev[queue[i]] {
			if w.dist[c] == 0 {
				w.dist[c] = w.dist[queue[i]] + 1
				queue = append(queue, c)
			}
		}
	}
}
