package topo

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

// This file builds Xpander and Jellyfish networks.
//
// Xpander: a random lift of the complete network of degree+1 switches. Each of them becomes lift switches (a meta-node), and each of
// its links a random matching between two meta-nodes. Lifts that are not connected are drawn again. Source: Valadarsky,
// Shahaf, Dinitz, Schapira, Xpander: towards optimal-performance datacenters, CoNEXT 2016, section 3; Bilu, Linial, Lifts,
// discrepancy and nearly optimal spectral gap, Combinatorica 26, 2006.
//
// Jellyfish: a random regular network (random.go); the ports that are not linked have hosts. Source: Singla, Hong, Popa, Godfrey,
// Jellyfish: networking data centers randomly, NSDI 2012, section 3.

// XpanderSize is the size of an Xpander.
type XpanderSize struct {
	Degree int    // links per switch
	Lift   int    // switches per meta-node
	Seed   uint64 // any number
}

// Xpander draws an Xpander of (Degree+1)*Lift switches. Switch i of meta-node m has number m*Lift+i.
func Xpander(z XpanderSize, o Options) (*model.Network, error) {
	switch {
	case z.Degree < 1 || z.Degree > model.MaxPort || z.Lift < 1 || z.Lift > MaxSwitches:
		return nil, fmt.Errorf("an Xpander with degree %d and lift %d, allowed are 1 to %d and 1 to %d", z.Degree, z.Lift, model.MaxPort, MaxSwitches)
	case z.Degree < 3 && z.Lift > 1:
		return nil, fmt.Errorf("an Xpander with degree %d and lift %d; want a degree of 3 or more, so that lifts are connected", z.Degree, z.Lift)
	}
	n, hosts := product(z.Degree+1, z.Lift), o.hosts(1)
	d, err := newDraft(size{switches: n, links: product(n, z.Degree) / 2, hosts: product(n, hosts), ports: z.Degree + hosts}, o)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(z.Seed, 0))
	edges := z.draw(rng)
	for range 1000 {
		if len(newComponents(edges, n)) == 1 {
			break
		}
		edges = z.draw(rng)
	}
	for _, e := range edges {
		d.join(int(e[0]), int(e[1]))
	}
	d.attachAll(hosts)
	d.name = func(u model.SwitchID) string {
		return "m" + strconv.Itoa(int(u)/z.Lift) + "s" + strconv.Itoa(int(u)%z.Lift)
	}
	return d.build()
}

// draw returns a matching for each two meta-nodes.
func (z XpanderSize) draw(rng *rand.Rand) (edges []edge) {
	for m := range z.Degree + 1 {
		for k := m + 1; k <= z.Degree; k++ {
			for i, j := range rng.Perm(z.Lift) {
				edges = append(edges, edge{int32(m*z.Lift + i), int32(k*z.Lift + j)})
			}
		}
	}
	return edges
}

// JellyfishSize is the size of a Jellyfish, with the letters of the paper.
type JellyfishSize struct {
	Switches int    // N
	Ports    int    // k: ports per switch
	Degree   int    // r: links per switch; the other ports have hosts
	Seed     uint64 // any number
}

// Jellyfish draws a Jellyfish. A switch has Ports-Degree hosts by default.
func Jellyfish(z JellyfishSize, o Options) (*model.Network, error) {
	if z.Ports < z.Degree || z.Ports > model.MaxPort {
		return nil, fmt.Errorf("a Jellyfish of switches with %d ports and %d links, allowed are %d to %d ports", z.Ports, z.Degree, z.Degree, model.MaxPort)
	}
	if o.Hosts == 0 {
		if o.Hosts = z.Ports - z.Degree; o.Hosts == 0 {
			o.Hosts = NoHosts
		}
	}
	return Random(RandomNetwork{Switches: z.Switches, Degree: z.Degree, Seed: z.Seed}, o)
}
