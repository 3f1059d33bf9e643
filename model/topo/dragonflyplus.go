package topo

import (
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

// This file builds dragonfly+ networks, also called Megafly.
//
// A group has leaf and spine switches; each leaf is linked to each spine. Leaves carry the hosts, spines the global links. Global port t
// of a group, 0 <= t < spines*h, is at spine t/h of the group; arrangement.go says where it leads. With fewer groups than the
// maximum of spines*h+1, the ports go through the other groups several times, in whole rounds. Source: Shpiner, Haramaty,
// Eliad, Zdornov, Gafni, Zahavi, Dragonfly+: low cost topology for scaling datacenters, HiPINEB 2017, section II; Flajslik,
// Borch, Parker, Megafly: a topology for exascale systems, ISC 2018. Ports: on a leaf spines, then hosts; on a spine leaves, then
// global ports.

// DragonflyPlusSize is the size of a dragonfly+. The hosts per leaf are Options.Hosts.
type DragonflyPlusSize struct {
	Leaves int // of a group
	Spines int // of a group
	H      int // global links per spine
	G      int // groups; 0 means Spines*H+1, the maximum
	// Arrangement is the arrangement of global links. Defaults to ArrangementAbsolute.
	Arrangement string
}

// DragonflyPlus returns a dragonfly+. The switches of group g have numbers from g*(Leaves+Spines) on, leaves first.
func DragonflyPlus(z DragonflyPlusSize, o Options) (*model.Network, error) {
	if z.Leaves < 1 || z.Leaves > model.MaxPort || z.Spines < 1 || z.Spines > model.MaxPort || z.H < 0 || z.H > model.MaxPort {
		return nil, fmt.Errorf("a dragonfly+ of %d leaves and %d spines per group and h=%d, allowed are 1 to %d leaves and spines and h up to %d",
			z.Leaves, z.Spines, z.H, model.MaxPort, model.MaxPort)
	}
	if z.G == 0 {
		z.G = z.Spines*z.H + 1
	}
	if z.G < 1 || z.G > z.Spines*z.H+1 {
		return nil, fmt.Errorf("a dragonfly+ of %d groups, allowed are 1 to spines*h+1 = %d", z.G, z.Spines*z.H+1)
	}
	arrangement, err := newArrangement(z.Arrangement)
	if err != nil {
		return nil, err
	}
	rounds, per, hosts := rounds(z.G, z.Spines*z.H), z.Leaves+z.Spines, o.hosts(1)
	n := product(z.G, per)
	d, err := newDraft(size{
		switches: n,
		links:    product(z.G, z.Leaves, z.Spines) + product(z.G, z.G-1, rounds)/2,
		hosts:    product(z.G, z.Leaves, hosts),
		ports:    max(z.Spines+hosts, z.Leaves+z.H),
	}, o)
	if err != nil {
		return nil, err
	}
	for u := range n {
		if g, s := u/per, u%per; s < z.Leaves {
			for t := range z.Spines {
				d.link(u, model.Port(1+t), g*per+z.Leaves+t, model.Port(1+s))
			}
			d.attach(u, hosts)
		}
	}
	at := func(g, t int) (int, model.Port) { return g*per + z.Leaves + t/z.H, model.Port(1 + z.Leaves + t%z.H) }
	for i := range z.G {
		arrange(arrangement, i, z.G, rounds, func(t, j, s int) {
			u, p := at(i, t)
			v, q := at(j, s)
			d.link(u, p, v, q)
		})
	}
	d.permute(func(u int) int { return (u + per) % n })
	d.name = func(u model.SwitchID) string {
		g, s := int(u)/per, int(u)%per
		if s < z.Leaves {
			return "g" + strconv.Itoa(g) + "leaf" + strconv.Itoa(s)
		}
		return "g" + strconv.Itoa(g) + "spine" + strconv.Itoa(s-z.Leaves)
	}
	d.attribute("group", func(u model.SwitchID) int { return int(u) / per })
	d.attribute("level", func(u model.SwitchID) int {
		if int(u)%per < z.Leaves {
			return 0
		}
		return 1
	})
	return d.build()
}
