package topo

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file draws connected random networks of given degrees.
//
// Promise: the network is connected. It is simple unless Parallel is set. No link connects a
// switch to itself. The same seed gives the same network. Not all such networks are equally
// likely, because the repairs below favour some slightly. Source: the pairing model of Bollobás
// (European J. Combinatorics 1, 1980): ports are paired at random. Loops and, without Parallel,
// double links are then removed by switching a pair of links (McKay, Wormald, J. Algorithms 11,
// 1990). If a network has more than half of all possible links, the missing links are drawn
// instead. If no switching is found (few switches, uneven degrees), links are laid out by the
// rule of Havel and Hakimi and shuffled by ten switchings per link, ten million at most.
// Components are connected by switching a link on a cycle with a link of another component.
// This disconnects no component and makes no double link. With Parallel the result is the
// network of the turn-addition paper, section 5.2: free ports paired at random. Cost: O(links)
// expected, 0.5 µs per link.

// RandomNetwork describes the random network to draw.
type RandomNetwork struct {
	Switches  int
	Degree    int    // links per switch; the minimum if MaxDegree is given
	MaxDegree int    // if 0, every switch has Degree links; else each switch draws its degree
	Parallel  bool   // allow parallel links
	Seed      uint64 // any number
}

// Random draws a connected network, with one host per switch by default. Links and ports are
// numbered by ascending switch numbers of their ends.
func Random(r RandomNetwork, o Options) (*model.Network, error) {
	if r.MaxDegree == 0 {
		r.MaxDegree = r.Degree
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	hosts := o.hosts(1)
	d, err := newDraft(size{
		switches: r.Switches,
		links:    product(r.Switches, r.MaxDegree) / 2,
		hosts:    product(r.Switches, hosts),
		ports:    r.MaxDegree + hosts,
	}, o)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(r.Seed, 0))
	edges, err := r.draw(rng)
	if err != nil {
		return nil, err
	}
	for i, e := range edges {
		edges[i] = edge{min(e[0], e[1]), max(e[0], e[1])}
	}
	slices.SortFunc(edges, func(e, f edge) int { return cmp.Or(cmp.Compare(e[0], f[0]), cmp.Compare(e[1], f[1])) })
	for _, e := range edges {
		d.join(int(e[0]), int(e[1]))
	}
	d.attachAll(hosts)
	d.name = numbered("s")
	return d.build()
}

func (r RandomNetwork) check() error {
	top := model.MaxPort
	if !r.Parallel {
		top = min(top, r.Switches-1)
	}
	switch {
	case r.Switches < 2 || r.Switches > MaxSwitches:
		return fmt.Errorf("a random network of %d switches, allowed are 2 to %d", r.Switches, MaxSwitches)
	case r.Degree > r.MaxDegree:
		return fmt.Errorf("a random network of degree %d-%d; want the smaller number first", r.Degree, r.MaxDegree)
	case r.Degree < 1 || r.MaxDegree > top:
		hint := ""
		if !r.Parallel {
			hint = " (more with parallel=true)"
		}
		return fmt.Errorf("a random network of %d switches and degree %s, allowed are 1 to %d%s", r.Switches, r.degrees(), top, hint)
	case r.Degree == r.MaxDegree && r.Switches%2 != 0 && r.Degree%2 != 0:
		return fmt.Errorf("a random network of %d switches with %d links each: one of the two must be even", r.Switches, r.Degree)
	case product(r.Switches, r.MaxDegree) < 2*(r.Switches-1):
		return fmt.Errorf("a random network of %d switches and degree %s has too few links to be connected", r.Switches, r.degrees())
	}
	return nil
}

func (r RandomNetwork) degrees() string {
	if r.Degree == r.MaxDegree {
		return fmt.Sprint(r.Degree)
	}
	return fmt.Sprintf("%d-%d", r.Degree, r.MaxDegree)
}

// draw returns the links. It draws the degrees again if no network has them, and fails after
// many attempts.
func (r RandomNetwork) draw(rng *rand.Rand) ([]edge, error) {
	for range max(10, min(100, 10_000_000/r.Switches)) {
		degree, sum := r.drawDegrees(rng)
		if !r.isPossible(degree, sum) {
			continue
		}
		dense := !r.Parallel && sum > r.Switches*(r.Switches-1)/2
		if dense {
			complementDegrees(degree)
		}
		s := newSwitcher(degree, !r.Parallel, rng)
		if !s.repair() {
			s.havelHakimi(degree)
		}
		if dense {
			s.complement(r.Switches)
		}
		connect(s.edges, r.Switches, rng)
		return s.edges, nil
	}
	return nil, fmt.Errorf("no connected network found of %d switches and degrees drawn from %s; want a larger minimum degree", r.Switches, r.degrees())
}

// drawDegrees returns a degree for each switch, and their sum.
func (r RandomNetwork) drawDegrees(rng *rand.Rand) ([]int32, int) {
	degree, sum := make([]int32, r.Switches), 0
	for u := range degree {
		k := r.Degree + rng.IntN(r.MaxDegree-r.Degree+1)
		degree[u] = int32(k)
		sum += k
	}
	return degree, sum
}

// isPossible reports whether a connected network can have these degrees. Their sum must be even
// and large enough for a tree. With parallel links no switch may have more ports than all
// others together. Without them, the condition of Erdős and Gallai (1960) must hold: for all k,
// the k largest degrees sum up to at most k(k-1) + Σ min(d, k) over the others.
func (r RandomNetwork) isPossible(degree []int32, sum int) bool {
	if sum%2 != 0 || sum < 2*(r.Switches-1) {
		return false
	}
	if r.Degree == r.MaxDegree {
		return true // r.check tests everything else
	}
	d := slices.Sorted(slices.Values(degree)) // ascending
	if r.Parallel {
		return 2*int(d[len(d)-1]) <= sum
	}
	small := make([]int, len(d)+1) // small[i] is the sum of the i smallest degrees
	for i, k := range d {
		small[i+1] = small[i] + int(k)
	}
	below := 0 // number of degrees less than k
	for k := 1; k <= len(d); k++ {
		for below < len(d) && int(d[below]) < k {
			below++
		}
		others := len(d) - k
		cut := min(below, others)
		if sum-small[others] > k*(k-1)+small[cut]+k*(others-cut) {
			return false
		}
	}
	return true
}

// complementDegrees replaces the number of links of each switch by the number of missing links.
func complementDegrees(degree []int32) {
	for u := range degree {
		degree[u] = int32(len(degree)) - 1 - degree[u]
	}
}
