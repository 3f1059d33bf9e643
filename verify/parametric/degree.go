package parametric

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file computes how adaptive a routing is on one network: the degree of adaptiveness of Glass and Ni (The turn model for adaptive routing,
// ISCA 1992). It is the number of shortest paths of a pair that packets can take, divided by the number of all its shortest paths.

// degreeSides are the sides of the networks for which Degrees computes the degree, if the family has them.
var degreeSides = []int{4, 6, 8}

// maxDegreeSwitches bounds these networks.
const maxDegreeSwitches = 100

// Degrees returns the degree of adaptiveness on small networks of the family without failures. A path is a sequence of channels: paths that
// differ in their VCs count once.
func (r *Report) Degrees(ctx context.Context) (list []Degree, err error) {
	f := r.family
	var settings [][]int
	for _, side := range degreeSides {
		values := slices.Repeat([]int{side}, len(f.sizes))
		if len(f.sizes) == 0 && len(settings) > 0 {
			break
		}
		sides := f.sidesOf(values)
		if point := f.point(make([]int, f.dims), make([]int, f.dims), sides); product(sides) <= maxDegreeSwitches && allHold(f.domain(), point) {
			settings = append(settings, sides)
		}
	}
	if len(settings) == 0 {
		settings = f.sizesUpTo(maxDegreeSwitches, maxDegreeSwitches)
		settings = settings[:min(len(settings), len(degreeSides))]
	}
	for _, sides := range settings {
		n, err := f.network(sides)
		if err != nil {
			return nil, err
		}
		rel, _, err := f.program.Relation(ctx, n)
		if err != nil {
			return nil, err
		}
		d, err := degreeOf(ctx, rel)
		if err != nil {
			return nil, err
		}
		d.Network = f.spec(sides)
		list = append(list, d)
	}
	return list, nil
}

// degreeOf computes the degree of adaptiveness of a relation. Counts of paths are exact up to 2^53.
// Cost: for each pair the number of sets of states in which packets on shortest paths can be.
func degreeOf(ctx context.Context, r model.Relation) (Degree, error) {
	n := r.Network()
	pairs, sum, all, one := 0, 0.0, 0, 0
	err := cdg.EachSpace(ctx, r, model.NoHost, func(d model.DestID, s *cdg.Space) error {
		to := n.Head(n.InjectChannel(r.DestinationHost(d)))
		distance := distancesTo(n, to)
		total := pathsTo(n, to, distance)
		for h := range model.HostID(r.Sources()) {
			u := n.Head(n.InjectChannel(h))
			if h == r.DestinationHost(d) || u == to || distance[u] == n.NumSwitches() {
				continue
			}
			permitted := permittedPaths(n, s, h, distance)
			pairs++
			sum += permitted / total[u]
			if permitted == total[u] {
				all++
			} else if permitted == 1 {
				one++
			}
		}
		return nil
	})
	k := float64(max(pairs, 1))
	return Degree{Mean: sum / k, All: float64(all) / k, One: float64(one) / k}, err
}

// pathsTo returns the number of shortest paths from each switch to a switch.
func pathsTo(n *model.Network, to model.SwitchID, distance []int) []float64 {
	order := make([]model.SwitchID, n.NumSwitches())
	for u := range order {
		order[u] = model.SwitchID(u)
	}
	slices.SortStableFunc(order, func(a, b model.SwitchID) int { return distance[a] - distance[b] })
	count := make([]float64, len(order))
	count[to] = 1
	for _, u := range order {
		for _, c := range n.Out(u) {
			if n.IsLinkVC(n.VC(c, 0)) && distance[n.Head(c)] == distance[u]-1 {
				count[u] += count[n.Head(c)]
			}
		}
	}
	return count
}

// permittedPaths returns the number of shortest paths to the destination of a space that packets from a source can take.
func permittedPaths(n *model.Network, s *cdg.Space, h model.HostID, distance []int) float64 {
	type place struct {
		at    *prefix
		paths float64
	}
	layer := map[string]*place{"": {firstPrefix(n, s, h), 1}}
	for left := distance[n.Head(n.InjectChannel(h))]; left > 0; left-- {
		next := map[string]*place{}
		for _, x := range layer {
			for _, q := range x.at.nearer(n, s, distance) {
				if len(q.states) == 0 {
					continue
				}
				key := fmt.Sprint(q.states)
				if next[key] == nil {
					next[key] = &place{at: q}
				}
				next[key].paths += x.paths
			}
		}
		layer = next
	}
	sum := 0.0
	for _, x := range layer {
		sum += x.paths
	}
	return sum
}
