package synth

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// NewTurnTraffic computes the traffic of turns before any turn is prohibited. The methods weigh
// turns by this traffic.
//
// Source: Nakashima et al., IPSJ Trans. ACS 4(4), 2011, section 4.1.2: the traffic between servers
// over a provisional routing without prohibited turns, summed over the turns on its paths. The
// paper's routing gives each pair one path, chosen to balance the links (onePathTraffic). By default
// we split the traffic evenly, at each switch over the links on shortest paths. This does not
// depend on an order of the pairs. Cost: for each switch with hosts one search and one sweep,
// O(channels + turns in use). Above trafficBudget only a sample of these switches is considered.

// Rules for Options.TurnTraffic.
const (
	TurnTrafficSplit = "split" // split evenly over all shortest paths
	TurnTrafficOne   = "one"   // one shortest path per pair of hosts, chosen to balance the links (PathsBalanced)
)

// TurnTrafficRules returns the rules for Options.TurnTraffic, the default first.
func TurnTrafficRules() []string { return []string{TurnTrafficSplit, TurnTrafficOne} }

// trafficBudget bounds switches × channels.
const trafficBudget = 2_000_000_000

// slack is the largest relative difference of two sums that counts as rounding.
const slack = 1e-9

// maxTurns bounds the number of turns; each takes 8 bytes.
const maxTurns = 1 << 30

// TurnTraffic holds the traffic of each turn.
type TurnTraffic struct {
	net     *model.Network
	start   []int     // by channel: index into of
	of      []float64 // by input channel, then by place of the output channel at its switch
	Sampled bool      // true if only a sample of the destinations was considered
}

// Of returns the traffic of turn t.
func (t *TurnTraffic) Of(turn model.Turn) float64 {
	return t.of[t.start[turn.In]+t.net.OutIndex(model.ChannelID(turn.Out))]
}

// Pair returns the traffic of a turn and its reverse together.
func (t *TurnTraffic) Pair(turn model.Turn) float64 { return t.Of(turn) + t.Of(reverse(t.net, turn)) }

// NewTurnTraffic returns the traffic of all turns of a network with one VC, split evenly over all
// shortest paths.
func NewTurnTraffic(ctx context.Context, d *model.Demand) (*TurnTraffic, error) {
	t, err := emptyTurnTraffic(d.Network())
	if err != nil {
		return nil, err
	}
	n := t.net
	dests := d.Switches()
	if most := trafficBudget / max(n.NumLinkChannels(), 1); len(dests) > most {
		dests, t.Sampled = sample(dests, max(most, 1)), true
	}
	sweeps := make([]*sweep, parallel.Workers(len(dests)))
	err = parallel.InOrder(ctx, len(sweeps), len(dests), func(w, i int, x *[]portion) error {
		if sweeps[w] == nil {
			sweeps[w] = newSweep(t, d)
		}
		*x = sweeps[w].to(dests[i], (*x)[:0])
		return nil
	}, func(x *[]portion) {
		for _, p := range *x {
			t.of[p.at] += p.sum
		}
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// emptyTurnTraffic returns a traffic of 0 for all turns.
func emptyTurnTraffic(n *model.Network) (*TurnTraffic, error) {
	t := &TurnTraffic{net: n, start: make([]int, n.NumLinkChannels()+1)}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		t.start[c+1] = t.start[c] + len(n.Out(n.Head(c)))
	}
	if turns := t.start[n.NumLinkChannels()]; turns > maxTurns {
		return nil, fmt.Errorf("synth: the traffic of %d turns, allowed are %d", turns, maxTurns)
	}
	t.of = make([]float64, t.start[n.NumLinkChannels()])
	return t, nil
}

// onePathTraffic returns the traffic of all turns of a network with one VC if each pair of hosts
// has one shortest path, chosen to balance the links. Cost: that of NewOnePaths.
func onePathTraffic(ctx context.Context, d *model.Demand) (*TurnTraffic, error) {
	t, err := emptyTurnTraffic(d.Network())
	if err != nil {
		return nil, err
	}
	paths, err := NewOnePaths(ctx, allTurns(t.net), d, PathsBalanced)
	if err != nil {
		return nil, err
	}
	for i, way := range paths.ways {
		for k := 1; k < len(way); k++ {
			t.of[t.start[way[k-1]]+t.net.OutIndex(model.ChannelID(way[k]))] += paths.trips[i].amount
		}
	}
	return t, nil
}

// sample returns k entries of list, evenly spaced.
func sample[T any](list []T, k int) []T {
	if k >= len(list) {
		return list
	}
	out := make([]T, k)
	for i := range out {
		out[i] = list[i*len(list)/k]
	}
	return out
}

// sweep distributes the traffic to one switch after another.
type sweep struct {
	*TurnTraffic // only read
	d            *model.Demand
	flow         []float64 // by channel
	amount       []float64 // by switch: the traffic of its own hosts
	order        []model.SwitchID
	next         []model.ChannelID
	turns        []portion // traffic of turns, by index into of
}

func newSweep(t *TurnTraffic, d *model.Demand) *sweep {
	return &sweep{TurnTraffic: t, d: d, flow: make([]float64, t.net.NumLinkChannels()), amount: make([]float64, t.net.NumSwitches()),
		order: make([]model.SwitchID, t.net.NumSwitches())}
}

// to distributes the traffic to switch v, from the farthest switches inwards. It appends the traffic of the turns
// to list.
func (s *sweep) to(v model.SwitchID, list []portion) []portion {
	s.turns = list
	s.d.To(v, s.amount)
	dist := hv.Hops(s.net, v)
	for u := range s.order {
		s.order[u] = model.SwitchID(u)
	}
	slices.SortFunc(s.order, func(a, b model.SwitchID) int { return int(dist[b]) - int(dist[a]) })
	for _, u := range s.order {
		if u != v {
			s.at(u, dist)
		}
	}
	clear(s.flow)
	return s.turns
}

// at splits the traffic at switch u over the channels on shortest paths.
func (s *sweep) at(u model.SwitchID, dist []uint32) {
	n := s.net
	s.next = s.next[:0]
	for _, c := range n.Out(u) {
		if n.Kind(c) == model.SwitchToSwitch && dist[n.Head(c)]+1 == dist[u] {
			s.next = append(s.next, c)
		}
	}
	share := 1 / float64(len(s.next))
	total := s.amount[u]
	for _, o := range n.Out(u) {
		if n.Kind(o) != model.SwitchToSwitch {
			continue
		}
		in := n.Reverse(o)
		f := s.flow[in]
		if f == 0 {
			continue
		}
		total += f
		for _, c := range s.next {
			s.turns = append(s.turns, portion{s.start[in] + n.OutIndex(c), f * share})
		}
	}
	for _, c := range s.next {
		s.flow[c] = total * share
	}
}

// traffic returns the turn traffic. It is computed at the first call.
func (w *work) traffic() (*TurnTraffic, error) {
	if w.loads != nil {
		return w.loads, nil
	}
	compute := NewTurnTraffic
	if w.o.TurnTraffic == TurnTrafficOne {
		compute = onePathTraffic
	}
	var err error
	w.loads, err = compute(w.ctx, w.demand)
	return w.loads, err
}
