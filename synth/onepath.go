package synth

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// NewOnePaths gives every pair of hosts one of its shortest legal paths.
//
// Sources: Nakashima et al., IPSJ Trans. ACS 4(4), 2011, sections 4.1.2 and 5.1.1: one path for
// each pair, chosen to balance the links; inside a fat tree the roots in turn, by destination. The
// paper does not say how it balances. Ours takes, pair by pair, the path whose busiest channel has
// the least load, then the path of the least sum. It then repeats this for all pairs a number of
// times (passes), each time without the pair's old path. Cost: for each trip and pass, the
// shortest legal paths between its switches.

// Rules to choose paths.
const (
	PathsBalanced    = "balanced"    // balances the links
	PathsGreedy      = "greedy"      // balances the links, each pair once
	PathsDestination = "destination" // by the number of the destination: one digit selects the next channel at each switch
	PathsFirst       = "first"       // the lowest port at each switch
)

// PathRules returns the rules that choose one path, the default first.
func PathRules() []string {
	return []string{PathsBalanced, PathsGreedy, PathsDestination, PathsFirst}
}

// passes is the number of times that PathsBalanced repeats all pairs.
const passes = 2

// A trip is the unit that gets a path of its own: a pair of hosts. If there are more than
// fineTrips pairs, all hosts of a switch share a path to each host. If there are still more than
// fineTrips, all hosts of a switch share a path to all hosts of another switch.
const (
	grainPairs = iota
	grainHosts
	grainSwitches
)

const fineTrips = 1 << 20

// OnePaths is one path for each pair of hosts with traffic.
type OnePaths struct {
	// Load, by channel of all kinds, is the sum over the paths. Traffic is scaled so that the
	// busiest sender sends 1.00.
	Load        []float64
	Unreachable int64 // pairs without a path

	net   *model.Network
	grain int
	trips []trip
	ways  [][]model.VCID // by trip
}

// List returns the paths for route.Paths, including those between hosts of one switch. It fails if
// hosts share paths.
func (p *OnePaths) List() ([]route.Path, error) {
	if p.grain != grainPairs {
		return nil, fmt.Errorf("%d hosts are too many for a path for every pair", p.net.NumHosts())
	}
	var list []route.Path
	for i, way := range p.ways {
		if len(way) > 0 {
			list = append(list, route.Path{Source: p.trips[i].from, Dest: p.trips[i].to, VCs: way})
		}
	}
	for from := range model.HostID(p.net.NumHosts()) {
		for to := range model.HostID(p.net.NumHosts()) {
			if from != to && p.net.Host(from).Switch == p.net.Host(to).Switch {
				list = append(list, route.Path{Source: from, Dest: to})
			}
		}
	}
	return list, nil
}

// Throughput returns 1/M, where M is the load of the busiest channel.
func (p *OnePaths) Throughput() float64 { return throughput(p.Load) }

// router is the state of NewOnePaths.
type router struct {
	*OnePaths
	*route.Search
	d      *model.Demand
	rule   string
	scale  float64
	most   []float64    // by channel: the largest load on the best path up to it
	sum    []float64    // the sum of loads on this path
	from   []model.VCID // the previous channel on this path
	stamp  []uint32     // by channel: the pair for which most, sum and from are valid
	round  uint32
	levels [2][]model.VCID
	rest   []model.SwitchID // scratch memory of others
	unit   int              // number of the trip
}

// NewOnePaths chooses a path for every pair of hosts with traffic, within a set of a network with
// one VC. It fails for an unknown rule.
func NewOnePaths(ctx context.Context, allowed *model.TurnSet, d *model.Demand, rule string) (*OnePaths, error) {
	rule, err := choose("rule for paths", rule, PathRules())
	if err != nil {
		return nil, err
	}
	n := allowed.Network()
	r := &router{OnePaths: &OnePaths{Load: make([]float64, n.NumChannels()), net: n}, Search: route.NewLegal(allowed).NewSearch(), d: d,
		rule: rule, scale: Scale(d),
		most: make([]float64, n.NumLinkChannels()), sum: make([]float64, n.NumLinkChannels()), from: make([]model.VCID,
			n.NumLinkChannels()), stamp: make([]uint32, n.NumLinkChannels())}
	pairs, k := n.NumHosts()*n.NumHosts(), len(d.Switches())
	switch {
	case rule == PathsDestination && pairs > fineTrips:
		r.grain = grainHosts
	case pairs > fineTrips && n.NumHosts()*k > fineTrips:
		r.grain = grainSwitches
	case pairs > fineTrips:
		r.grain = grainHosts
	}
	for pass := range 1 + passes {
		if err := r.all(ctx, pass > 0); err != nil {
			return nil, err
		}
		if rule != PathsBalanced {
			break
		}
	}
	for h, x := range d.Traffic().Sums(false) {
		r.Load[n.InjectChannel(model.HostID(h))] = x * r.scale
	}
	for h, x := range d.Traffic().Sums(true) {
		r.Load[n.EjectChannel(model.HostID(h))] = x * r.scale
	}
	return r.OnePaths, nil
}

// all assigns a path to every trip, destination by destination. The sources of a destination start
// after the destination.
func (r *router) all(ctx context.Context, again bool) error {
	r.unit = 0
	sums := make([]float64, r.net.NumSwitches())
	for _, v := range r.d.Switches() {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.To(v)
		if r.grain == grainSwitches {
			r.d.To(v, sums)
			for _, u := range r.others(v) {
				r.choose(trip{u, v, model.NoHost, model.NoHost, sums[u]}, again)
			}
			continue
		}
		for _, to := range r.d.Hosts(v) {
			for _, u := range r.others(v) {
				r.toHost(u, v, to, again)
			}
		}
	}
	return nil
}

// others returns the switches with hosts except v, those after v first.
func (r *router) others(v model.SwitchID) []model.SwitchID {
	all := r.d.Switches()
	i, _ := slices.BinarySearch(all, v)
	return append(append(r.rest[:0], all[i+1:]...), all[:i]...)
}

// toHost chooses the paths from the hosts of switch u to one host of v.
func (r *router) toHost(u, v model.SwitchID, to model.HostID, again bool) {
	sum := 0.0
	for _, from := range r.d.Hosts(u) {
		amount := r.d.Traffic().Between(from, to)
		if sum += amount; r.grain == grainPairs {
			r.choose(trip{u, v, from, to, amount}, again)
		}
	}
	if r.grain == grainHosts {
		r.choose(trip{u, v, model.NoHost, to, sum}, again)
	}
}

// trip is a unit that gets its own path: from a host, or all hosts of a switch, to a host, or all
// hosts of a switch.
type trip struct {
	u, v     model.SwitchID
	from, to model.HostID // NoHost means all hosts of the switch
	amount   float64
}

// choose chooses the path of a trip.
func (r *router) choose(t trip, again bool) {
	if t.amount == 0 {
		return
	}
	i, amount := r.unit, t.amount*r.scale
	r.unit++
	if again {
		for _, b := range r.ways[i] {
			r.Load[b] -= amount
		}
	}
	var way []model.VCID
	switch {
	case r.From(t.u) == route.Unreached:
		if !again {
			r.Unreachable++
		}
	case r.rule == PathsBalanced || r.rule == PathsGreedy:
		way = r.lightest(t.u)
	default:
		way = r.walk(t.u, int(t.to))
	}
	for _, b := range way {
		r.Load[b] += amount
	}
	switch {
	case again:
		r.ways[i] = way
	case r.rule == PathsBalanced || r.grain == grainPairs:
		r.ways, r.trips = append(r.ways, way), append(r.trips, t)
	}
}

// first returns the channels out of u that start a shortest path.
func (r *router) first(u model.SwitchID, buf []model.VCID) []model.VCID {
	dist := r.From(u)
	for _, c := range r.net.Out(u) {
		if r.net.Kind(c) == model.SwitchToSwitch && r.Dist[c] == dist {
			buf = append(buf, model.VCID(c))
		}
	}
	return buf
}

// onward returns the channels that continue a shortest path after b.
func (r *router) onward(b model.VCID, buf []model.VCID) []model.VCID {
	for _, o := range r.After(b) {
		if r.Dist[o] == r.Dist[b]-1 {
			buf = append(buf, o)
		}
	}
	return buf
}

// walk returns the path that takes at each switch the channel that a digit of the destination's
// number selects, or the first channel.
func (r *router) walk(u model.SwitchID, digits int) (way []model.VCID) {
	for next := r.first(u, nil); len(next) > 0; {
		b := next[0]
		if r.rule == PathsDestination {
			b = next[digits%len(next)]
			digits /= len(next)
		}
		way = append(way, b)
		if r.Dist[b] == 1 {
			break
		}
		next = r.onward(b, next[:0])
	}
	return way
}

// lightest returns the path whose busiest channel has the least load.
func (r *router) lightest(u model.SwitchID) []model.VCID {
	r.round++
	level := r.levels[0][:0]
	for _, b := range r.first(u, nil) {
		level = r.offer(b, model.NoVC, 0, 0, level)
	}
	other := r.levels[1]
	for r.Dist[level[0]] > 1 {
		other = other[:0]
		for _, b := range level {
			for _, o := range r.After(b) {
				if r.Dist[o] == r.Dist[b]-1 {
					other = r.offer(o, b, r.most[b], r.sum[b], other)
				}
			}
		}
		level, other = other, level
	}
	best := level[0]
	for _, b := range level[1:] {
		if r.most[b] < r.most[best] || r.most[b] == r.most[best] && r.sum[b] < r.sum[best] {
			best = b
		}
	}
	r.levels[0], r.levels[1] = level, other
	var way []model.VCID
	for b := best; b != model.NoVC; b = r.from[b] {
		way = append(way, b)
	}
	slices.Reverse(way)
	return way
}

// offer records a path to channel b if it is the best so far.
func (r *router) offer(b, from model.VCID, most, sum float64, level []model.VCID) []model.VCID {
	most, sum = max(most, r.Load[b]), sum+r.Load[b]
	known := r.stamp[b] == r.round
	if !known || most < r.most[b] || most == r.most[b] && sum < r.sum[b] {
		r.most[b], r.sum[b], r.from[b], r.stamp[b] = most, sum, from, r.round
	}
	if !known {
		level = append(level, b)
	}
	return level
}
