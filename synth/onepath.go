package synth

import (
	"context"
	"slices"

	"turnproof/model"
	"turnproof/model/route"
)

// This file gives every pair of hosts one of its shortest legal ways.
//
// Sources: Nakashima et al., IPSJ Trans. ACS 4(4), 2011, section 4.1.2 and
// 5.1.1: one way a pair, chosen to balance the links; inside a fat tree roots
// in turn by destination. How the paper balances it does not say; ours takes,
// pair by pair, the way whose most loaded channel is least loaded, then of least
// sum, and goes through all pairs again Passes times with the old way taken out.
// Cost: for each pair and pass the shortest legal ways between its switches.

// The ways to choose.
const (
	PathsBalanced    = "balanced"    // to balance the links
	PathsDestination = "destination" // by the number of the destination, digit by digit over the ways on
	PathsFirst       = "first"       // by the lowest port at each switch
)

// PathRules lists them, the default first.
var PathRules = []string{PathsBalanced, PathsDestination, PathsFirst}

// passes is how often the pairs of PathsBalanced are gone through again.
const passes = 2

// OnePaths is one way for each pair of hosts between which there is traffic.
type OnePaths struct {
	// Load, by channel of all kinds, is what the ways add up to, each host that
	// sends most sending 1.00 in all.
	Load        []float64
	Unreachable int64 // pairs without a way

	net  *model.Network
	ends [][2]model.HostID // by pair
	ways [][]model.VCID
}

// List returns the ways, for route.Paths.
func (p *OnePaths) List() []route.Path {
	list := make([]route.Path, 0, len(p.ways))
	for i, way := range p.ways {
		if len(way) > 0 {
			list = append(list, route.Path{Source: p.ends[i][0], Dest: p.ends[i][1], VCs: way})
		}
	}
	return list
}

// Throughput returns 1/M for the most loaded channel.
func (p *OnePaths) Throughput() float64 {
	if m := slices.Max(append(p.Load[:len(p.Load):len(p.Load)], 0)); m > 0 {
		return 1 / m
	}
	return 0
}

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
}

// NewOnePaths chooses a way for every pair of hosts with traffic between them,
// within a set of a network with one VC.
func NewOnePaths(ctx context.Context, allowed *model.TurnSet, d *model.Demand, rule string) (*OnePaths, error) {
	rule, err := choose("rule for paths", rule, PathRules)
	if err != nil {
		return nil, err
	}
	n := allowed.Network()
	r := &router{OnePaths: &OnePaths{Load: make([]float64, n.NumChannels()), net: n}, Search: route.NewLegal(allowed).NewSearch(), d: d, rule: rule, scale: Scale(d),
		most: make([]float64, n.NumLinkChannels()), sum: make([]float64, n.NumLinkChannels()), from: make([]model.VCID, n.NumLinkChannels()), stamp: make([]uint32, n.NumLinkChannels())}
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

// all goes through the pairs, destination by destination, the sources of each
// beginning after it.
func (r *router) all(ctx context.Context, again bool) error {
	hosts, i := model.HostID(r.net.NumHosts()), 0
	for _, v := range r.d.Switches() {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.To(v)
		for _, to := range r.d.Hosts(v) {
			for k := range hosts {
				from := (to + 1 + k) % hosts
				if r.net.Host(from).Switch == v || r.d.Traffic().Between(from, to) == 0 {
					continue
				}
				r.pair(from, to, i, again)
				i++
			}
		}
	}
	return nil
}

// pair chooses the way of pair number i.
func (r *router) pair(from, to model.HostID, i int, again bool) {
	u := r.net.Host(from).Switch
	amount := r.d.Traffic().Between(from, to) * r.scale
	if again {
		for _, b := range r.ways[i] {
			r.Load[b] -= amount
		}
	}
	var way []model.VCID
	switch {
	case r.From(u) == route.Unreached:
		if !again {
			r.Unreachable++
		}
	case r.rule == PathsBalanced:
		way = r.lightest(u)
	default:
		way = r.walk(u, int(to))
	}
	for _, b := range way {
		r.Load[b] += amount
	}
	if again {
		r.ways[i] = way
	} else {
		r.ways, r.ends = append(r.ways, way), append(r.ends, [2]model.HostID{from, to})
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
