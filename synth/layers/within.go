package layers

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file limits routes to a given number of layers by rerouting the pairs that do not fit.
//
// A turn set is given that closes no cycle and connects all hosts. Then the method always
// succeeds, even with one layer: the last layer allows the turns of the set, and every pair has a
// path there. The layers with the most pairs remain as they are. A pair of another layer keeps its
// path if the set allows the path. Otherwise it uses a shortest legal path. Nue has a similar last
// resort, its escape paths (J. Domke, T. Hoefler and S. Matsuoka, HPDC 2016).

// Kept is a set of routes within a number of layers.
type Kept struct {
	Paths    []route.Path // one for each pair; the VC of each hop is the layer
	Layers   int
	Rerouted int64 // number of pairs with a new path
	Links    int64 // total length of the paths now, and before
	Before   int64
}

// Within puts the routes of rel into at most k layers. r and found are the results of Collect and
// Find for rel. set is a turn set of the network with one VC, used only if k is less than
// found.Layers. Every pair gets a stored path, so networks should have at most 1,024 hosts.
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
	place := make([]int, len(pairs)) // by layer of found: its new number
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
		last = k - 1 // this layer obeys the set; its pairs and those beyond may be rerouted
	}
	legal := newLegalPaths(r.Net, set)
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
					if channels = legal.path(n.Host(h).Switch, n.Host(to).Switch); channels == nil {
						return nil, fmt.Errorf("layers: the turn set leaves no path from %s to %s", n.HostLabel(h), n.HostLabel(to))
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

// legalPaths finds shortest legal paths of a turn set.
type legalPaths struct {
	n    *model.Network
	next [][]model.ChannelID
	prev [][]model.ChannelID
	set  *model.TurnSet
	to   model.SwitchID // the destination of dist
	dist []int
}

func newLegalPaths(n *model.Network, set *model.TurnSet) *legalPaths {
	w := &legalPaths{n: n, next: make([][]model.ChannelID, n.NumLinkChannels()), prev: make([][]model.ChannelID, n.NumLinkChannels()), set: set,
		to: model.NoSwitch, dist: make([]int, n.NumLinkChannels())}
	for t := range set.All() {
		w.next[t.In] = append(w.next[t.In], model.ChannelID(t.Out))
		w.prev[t.Out] = append(w.prev[t.Out], model.ChannelID(t.In))
	}
	return w
}

// allows reports whether all turns of a path are allowed.
func (w *legalPaths) allows(path []model.ChannelID) bool {
	for t := range dependencies(path) {
		if !w.set.Has(t) {
			return false
		}
	}
	return true
}

// path returns a shortest legal path, empty within a switch, or nil if there is none.
func (w *legalPaths) path(from, to model.SwitchID) []model.ChannelID {
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

// search computes, by channel, the number of links from the channel to a switch, or 0 if there is
// no path.
func (w *legalPaths) search(to model.SwitchID) {
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
