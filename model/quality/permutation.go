package quality

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
)

// This file finds the permutation that loads a channel most. The paths over a channel form a bipartite graph of hosts that send and
// hosts that receive. A permutation uses a matching of this graph, and every matching is a permutation in which some hosts do
// not send. So the largest load of a channel is the size of a largest matching, exactly. A pair with several addresses counts if
// the path of one of them has the channel.
//
// Source: B. Towles and W. J. Dally, Worst-case traffic for oblivious routing functions, IEEE Computer Architecture Letters 1, 2002, for one
// path of each pair. Matching: H. W. Kuhn, The Hungarian method for the assignment problem, Naval Research Logistics Quarterly 2, 1955.
// Hosts of one group have the same paths, so a group is one vertex that is matched as often as it has hosts.

// Permutation is the permutation that loads a channel most.
type Permutation struct {
	Load    int             // of the channel; no permutation loads a channel more
	Channel model.ChannelID // NoChannel if no path has a link
	Pairs   []Pair          // the pairs whose paths have the channel; Dest is such an address
}

// edge says that hosts of a group send to a host over a channel.
type edge struct{ group, to int32 }

// matching finds largest matchings.
type matching struct {
	size  []int32 // by group: its hosts
	free  []int32 // by group: its hosts that are not matched
	has   [][]int32
	of    map[int32][]int32 // by host: the groups that send to it over the channel
	seen  []int             // by group: the last search that met it
	round int
}

func newMatching(sizes []int32) *matching {
	return &matching{size: sizes, free: slices.Clone(sizes), has: make([][]int32, len(sizes)), seen: make([]int, len(sizes))}
}

// largest returns the size of a largest matching of the edges. m.has then lists the hosts to which each group sends.
func (m *matching) largest(edges []edge) int {
	copy(m.free, m.size)
	for g := range m.has {
		m.has[g] = m.has[g][:0]
	}
	m.of = map[int32][]int32{}
	var order []int32
	for _, e := range edges {
		list := m.of[e.to]
		if list == nil {
			order = append(order, e.to)
		}
		if !slices.Contains(list, e.group) {
			m.of[e.to] = append(list, e.group)
		}
	}
	total := 0
	for _, to := range order {
		if m.round++; m.place(to) {
			total++
		}
	}
	return total
}

// place matches a host that receives, and moves others to other groups if that is needed.
func (m *matching) place(to int32) bool {
	for _, g := range m.of[to] {
		if m.free[g] > 0 {
			m.free[g]--
			m.has[g] = append(m.has[g], to)
			return true
		}
	}
	for _, g := range m.of[to] {
		if m.seen[g] == m.round {
			continue
		}
		m.seen[g] = m.round
		for i, other := range m.has[g] {
			if m.place(other) {
				m.has[g][i] = to
				return true
			}
		}
	}
	return false
}

// permutations finds the largest load of each channel, and the worst permutation.
func (m *Measures) permutations(ctx context.Context, p *paths, edges [][]edge) (*Permutation, error) {
	sizes := p.sizes()
	own := make([]*matching, parallel.Workers(len(edges)))
	err := parallel.Do(ctx, len(own), len(edges), func(w, c int) error {
		if own[w] == nil {
			own[w] = newMatching(sizes)
		}
		m.Channels[c].Permutation = own[w].largest(edges[c])
		return nil
	})
	if err != nil {
		return nil, err
	}
	worst := &Permutation{Channel: model.NoChannel}
	for c := range m.Channels {
		if k := m.Channels[c].Permutation; k > worst.Load {
			worst.Load, worst.Channel = k, model.ChannelID(c)
		}
	}
	if worst.Channel == model.NoChannel {
		return worst, nil
	}
	found := newMatching(sizes)
	found.largest(edges[worst.Channel])
	walk := p.newWalker()
	for g, list := range found.has {
		for i, to := range list {
			from := p.groups[g][i]
			for _, d := range p.dests[to] {
				if ok, _ := walk.walk(from, d); ok && slices.Contains(walk.path, worst.Channel) {
					worst.Pairs = append(worst.Pairs, Pair{from, model.HostID(to), d})
					break
				}
			}
		}
	}
	return worst, nil
}
