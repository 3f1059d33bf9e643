package synth

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file gives every pair of hosts one of its shortest legal ways.
//
// Sources: Nakashima et al., IPSJ Trans. ACS 4(4), 2011, section 4.1.2 and
// 5.1.1: one way a pair, chosen to balance the links; inside a fat tree roots
// in turn by destination. How the paper balances it does not say; ours takes,
// pair by pair, the way whose most loaded channel is least loaded, then of least
// sum, and goes through all pairs again Passes times with the old way taken out.
// Cost: for each trip and pass the shortest legal ways between its switches.

// The ways to choose.
const (
	PathsBalanced    = "balanced"    // to balance the links
	PathsGreedy      = "greedy"      // the same, each pair once
	PathsDestination = "destination" // by the number of the destination, digit by digit over the ways on
	PathsFirst       = "first"       // by the lowest port at each switch
)

// PathRules returns the rules that choose one path, the default first.
func PathRules() []string {
	return []string{PathsBalanced, PathsGreedy, PathsDestination, PathsFirst}
}

// passes is how often the pairs of PathsBalanced are gone through again.
const passes = 2

// What takes a way of its own: pairs of hosts; where there are more than
// fineTrips of those all hosts of a switch together to each host; where there are
// more than fineTrips of these, too, all hosts of a switch to all of another.
const (
	grainPairs = iota
	grainHosts
	grainSwitches
)

const fineTrips = 1 << 20

// OnePaths is one way for each pair of hosts between which there is traffic.
type OnePaths struct {
	// Load, by channel of all kinds, is what the ways add up to, each host that
	// sends most sending 1.00 in all.
	Load        []float64
	Unreachable int64 // pairs without a way

	net   *model.Network
	grain int
	trips []trip
	ways  [][]model.VCID // by trip
}

// List returns the ways, for route.Paths, those between hosts of one switch
// among them. It fails where hosts were taken together.
func (p *OnePaths) List() ([]route.Path, error) {
	if p.grain != grainPairs {
		return nil, fmt.Errorf("%d hosts are too many for a way for every pair", p.net.NumHosts())
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

// Throughput returns 1/M for the most loaded channel.
func (p *OnePaths) Throughput() float64 { return throughput(p.Load) }

// router is the work of NewOnePaths.
type router struct {
	*OnePaths
	*route.Search
	d      *model.Demand
	rule   string
	scale  float64
	most   []float64    // by channel: of the best way up to it, the largest load
	sum    []float64    // and the sum
	from   []model.VCID // and the channel before
	stamp  []uint32     // by channel: the pair that the three are of
	round  uint32
	levels [2][]model.VCID
	rest   []model.SwitchID // scratch of others
	unit   int              // number of the trip
}

// NewOnePaths chooses a way for every pair of hosts with traffic between them,
// within a set of a network with one VC.
func NewOnePaths(ctx context.Context, allowed *model.TurnSet, d *model.Demand, rule string) (*OnePaths, error) {
	rule, err := choose("rule for paths", rule, PathRules())
	if err != nil {
		return nil, err
	}
	n := allowed.Network()
	r := &router{OnePaths: &OnePaths{Load: make([]float64, n.NumChannels()), net: n}, Search: route.NewLegal(allowed).NewSearch(), d: d, rule: rule, scale: Scale(d),
		most: make([]float64, n.NumLinkChannels()), sum: make([]float64, n.NumLinkChannels()), from: make([]model.VCID, n.NumLinkChannels()), stamp: make([]uint32, n.NumLinkChannels())}
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

// all goes through what takes a way of its own, destination by destination, the
// sources of each beginning after it.
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

// others lists the switches with hosts but v, those after it first.
func (r *router) others(v model.SwitchID) []model.SwitchID {
	all := r.d.Switches()
	i, _ := slices.BinarySearch(all, v)
	return append(append(r.rest[:0], all[i+1:]...), all[:i]...)
}

// toHost chooses the ways from the hosts of switch u to one host of v.
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

// trip is what takes a way of its own: from a host, or all hosts of a switch,
// to a host, or all.
type trip struct {
	u, v     model.SwitchID
	from, to model.HostID // NoHost: all
	amount   float64
}

// choose chooses the way of a trip.
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

// first lists the channels out of u that begin a shortest way.
func (r *router) first(u model.SwitchID, buf []model.VCID) []model.VCID {
	dist := r.From(u)
	for _, c := range r.net.Out(u) {
		if r.net.Kind(c) == model.SwitchToSwitch && r.Dist[c] == dist {
			buf = append(buf, model.VCID(c))
		}
	}
	return buf
}

// onward lists the channels that go on from b on a shortest way.
func (r *router) onward(b model.VCID, buf []model.VCID) []model.VCID {
	for _, o := range r.After(b) {
		if r.Dist[o] == r.Dist[b]-1 {
			buf = append(buf, o)
		}
	}
	return buf
}

// walk takes at each switch the way that the digit of the destination says, or
// the first.
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

// lightest takes the way whose most loaded channel is least loaded.
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

// offer notes a way to channel b, if it is the best so far.
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
