package topo

import (
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

// This file builds dragonflies.
//
// Source: Kim, Dally, Scott, Abts, Technology-driven, highly-scalable dragonfly topology, ISCA
// 2008. A group is a complete network of a switches, each with h global links. With g = a*h+1
// groups every two groups share one global link. Global port t of a group, 0 <= t < a*h, is at switch t/h of the
// group; arrangement.go says where it leads. With fewer groups the a*h ports go through the g-1 other groups
// several times, in whole rounds. The ports left over are free. Ports of a switch: a-1 local
// ports by neighbour, then h global ports, then hosts.

// DragonflySize is the size of a dragonfly, with the letters of the paper. Its p is
// Options.Hosts.
type DragonflySize struct {
	A int // switches per group
	H int // global links per switch
	G int // groups; 0 means A*H+1, the maximum
	// Arrangement is the arrangement of global links. Defaults to ArrangementAbsolute.
	Arrangement string
}

// Dragonfly returns a dragonfly. Switch s of group g has number g*A+s.
func Dragonfly(z DragonflySize, o Options) (*model.Network, error) {
	if z.A < 1 || z.A > model.MaxPort || z.H < 0 || z.H > model.MaxPort {
		return nil, fmt.Errorf("a dragonfly with a=%d and h=%d, allowed are 1 to %d and 0 to %d", z.A, z.H, model.MaxPort, model.MaxPort)
	}
	if z.G == 0 {
		z.G = z.A*z.H + 1
	}
	if z.G < 1 || z.G > z.A*z.H+1 {
		return nil, fmt.Errorf("a dragonfly with %d groups, allowed are 1 to a*h+1 = %d", z.G, z.A*z.H+1)
	}
	arrangement, err := newArrangement(z.Arrangement)
	if err != nil {
		return nil, err
	}
	rounds := rounds(z.G, z.A*z.H)
	n, hosts := product(z.A, z.G), o.hosts(1)
	d, err := newDraft(size{
		switches: n,
		links:    product(z.G, z.A, z.A-1)/2 + product(z.G, z.G-1, rounds)/2,
		hosts:    product(n, hosts),
		ports:    z.A - 1 + z.H + hosts,
	}, o)
	if err != nil {
		return nil, err
	}
	for g := range z.G {
		d.complete(g*z.A, z.A)
		arrange(arrangement, g, z.G, rounds, func(t, other, s int) {
			u, p := z.global(g, t)
			v, q := z.global(other, s)
			d.link(u, p, v, q)
		})
	}
	for u := range n {
		d.next[u] = model.Port(z.A + z.H) // also if a global port is free
	}
	d.attachAll(hosts)
	d.permute(func(u int) int { return (u + z.A) % n })
	d.name = func(u model.SwitchID) string {
		return "g" + strconv.Itoa(int(u)/z.A) + "s" + strconv.Itoa(int(u)%z.A)
	}
	d.attribute("group", func(u model.SwitchID) int { return int(u) / z.A })
	return d.build()
}

// complete links each two of count switches from first on. Port 1+t of switch s leads to switch t < s, port t to switch t > s.
func (d *draft) complete(first, count int) {
	for s := range count {
		for t := s + 1; t < count; t++ {
			d.link(first+s, model.Port(t), first+t, model.Port(s+1))
		}
	}
}

// global returns the switch and the port of global port t of group g.
func (z DragonflySize) global(g, t int) (int, model.Port) {
	return g*z.A + t/z.H, model.Port(z.A + t%z.H)
}
