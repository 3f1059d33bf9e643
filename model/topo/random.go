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
// Promise: connected; simple unless Parallel is set; no link joins a switch to
// itself; the same seed gives the same network. Not promised: that all such
// networks are equally likely (the repairs below favour some slightly).
// Source: the pairing model of Bollobás (European J. Combinatorics 1, 1980):
// ports are paired at random. Loops and, without Parallel, double links are
// then removed by switching a pair of links (McKay, Wormald, J. Algorithms 11,
// 1990). Of a network with more than half of all possible links the missing
// ones are drawn. Where no switching is found (few switches, uneven degrees),
// links are laid out by Havel and Hakimi's rule and shuffled by ten switchings
// a link, ten million at most. Parts are joined by switching a link that lies
// on a cycle with one of another part: that breaks no part and makes no double
// link.
// With Parallel it is the network of the turn-addition paper, section 5.2: free
// ports paired at random.
// Cost: O(links) expected, 0.5 µs a link.

// RandomNetwork says which random network to draw.
type RandomNetwork struct {
	Switches  int
	Degree    int    // links of each switch; the least if MaxDegree is given
	MaxDegree int    // 0: all have Degree; else each draws its own
	Parallel  bool   // allow parallel links
	Seed      uint64 // any
}

// Random draws a connected network, one host a switch by default. Links are
// numbered, and ports too, by ascending switch numbers of their ends.
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
		return fmt.Errorf("a random network of degree %d-%d: the least comes first", r.Degree, r.MaxDegree)
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

// draw returns the links; degrees that allow no network are drawn again.
func (r RandomNetwork) draw(rng *rand.Rand) ([]edge, error) {
	for range max(10, min(100, 10_000_000/r.Switches)) {
		degree, sum := r.drawDegrees(rng)
		if !r.possible(degree, sum) {
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
	return nil, fmt.Errorf("no connected network found of %d switches and degrees drawn from %s: take a larger least degree", r.Switches, r.degrees())
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

// possible reports whether a connected network may have these degrees: their
// sum is even and enough for a tree, and no set of switches has more ports
// than it and the others can take. With parallel links that is a matter of
// the switch with most ports; without, of the condition of Erdős and Gallai
// (1960): for all k, the k largest degrees sum up to at most k(k-1) + Σ
// min(d, k) over the others.
func (r RandomNetwork) possible(degree []int32, sum int) bool {
	if sum%2 != 0 || sum < 2*(r.Switches-1) {
		return false
	}
	if r.Degree == r.MaxDegree {
		return true // r.check has seen to the rest
	}
	d := slices.Sorted(slices.Values(degree)) // ascending
	if r.Parallel {
		return 2*int(d[len(d)-1]) <= sum
	}
	small := make([]int, len(d)+1) // small[i]: sum of the i smallest
	for i, k := range d {
		small[i+1] = small[i] + int(k)
	}
	below := 0 // how many degrees are less than k
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

// complementDegrees turns the numbers of links into those of missing ones.
func complementDegrees(degree []int32) {
	for u := range degree {
		degree[u] = int32(len(degree)) - 1 - degree[u]
	}
}
