package topo

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file builds packages of chiplets on an interposer.
//
// There are X by Y chiplets, each a mesh of M by N switches. The interposer is a mesh of P by Q
// switches; P is a multiple of X, and Q of Y. Each chiplet covers P/X by Q/Y interposer
// switches, at most M by N. Interposer switch (i,j) under a chiplet corresponds to chiplet
// switch (⌊i(M-1)/(P/X-1)⌋, ⌊j(N-1)/(Q/Y-1)⌋), with 0 for a coordinate if only one switch is
// covered, so corners correspond to corners. The two are linked if the chiplet switch is on the
// edge of its chiplet (the boundary routers of the papers). The default, P = 2X and Q = 2Y,
// links the four corners of each chiplet. Source: Yin et al., Modular routing design for
// chiplet-based systems, ISCA 2018; Majumder et al., Remote Control, IEEE Trans. Computers
// 2021; Taheri et al., DeFT, DATE 2022: four chiplets of 4x4 with four boundary routers each.
// The papers place the boundary routers at different edge switches; this package uses the
// corners. Numbers: chiplets row by row, the switches of each chiplet row by row, then the
// interposer. x runs fastest. Ports: 1 E, 2 W, 3 N, 4 S as on a mesh, 5 between chiplet and
// interposer, hosts from 6.

// portVertical is the port of links between chiplets and interposer.
const portVertical model.Port = 5

// ChipletSize is the size of a package of chiplets. Each pair is x, then y.
type ChipletSize struct {
	Chiplets   [2]int // number of chiplets
	Of         [2]int // switches of each chiplet
	Interposer [2]int // switches; a zero defaults to twice Chiplets, or once if the side of a chiplet is 1
}

// Chiplet returns a package of chiplets. Each chiplet switch has one host by default,
// interposer switches have none.
func Chiplet(z ChipletSize, o Options) (*model.Network, error) {
	z, err := z.complete()
	if err != nil {
		return nil, err
	}
	per, chiplets, hosts := z.Of[0]*z.Of[1], product(z.Chiplets[:]...), o.hosts(1)
	n := min(product(chiplets, per)+product(z.Interposer[:]...), saturated)
	d, err := newDraft(size{
		switches: n,
		links:    product(chiplets, meshLinks(z.Of)) + meshLinks(z.Interposer) + product(chiplets, z.vertical()),
		hosts:    product(chiplets, per, hosts),
		ports:    int(portVertical) + hosts,
	}, o)
	if err != nil {
		return nil, err
	}
	interposer := chiplets * per
	for c := range chiplets {
		d.mesh(c*per, z.Of)
	}
	d.mesh(interposer, z.Interposer)
	for c := range chiplets {
		z.linkToInterposer(d, c, c*per, interposer)
	}
	for u := range interposer {
		d.next[u] = portVertical + 1 // also if port 5 is not used
		d.attach(u, hosts)
	}
	d.name = z.name
	d.attribute("chiplet", z.chipletOf)
	d.attribute("x", func(u model.SwitchID) int { return z.place(u)[0] })
	d.attribute("y", func(u model.SwitchID) int { return z.place(u)[1] })
	return d.build()
}

// complete returns the size with defaults. It fails if a side is out of range.
func (z ChipletSize) complete() (ChipletSize, error) {
	for i, axis := range []string{"x", "y"} {
		if z.Interposer == [2]int{} || z.Interposer[i] == 0 {
			z.Interposer[i] = min(2, z.Of[i]) * z.Chiplets[i]
		}
		for _, side := range []int{z.Chiplets[i], z.Of[i], z.Interposer[i]} {
			if side < 1 || side > MaxSwitches {
				return z, fmt.Errorf("a chiplet package with side %d in %s, allowed are 1 to %d", side, axis, MaxSwitches)
			}
		}
		if z.Interposer[i]%z.Chiplets[i] != 0 || z.Interposer[i]/z.Chiplets[i] > z.Of[i] {
			return z, fmt.Errorf("an interposer with %d switches in %s under %s of %d, allowed are multiples of %d up to %d",
				z.Interposer[i], axis, plural(z.Chiplets[i], "chiplet"), z.Of[i], z.Chiplets[i], product(z.Chiplets[i], z.Of[i]))
		}
	}
	return z, nil
}

// above returns the coordinate of the chiplet switch over interposer switch i, where i counts
// the interposer switches under the chiplet in dimension dim.
func (z ChipletSize) above(dim, i int) int {
	if p := z.Interposer[dim] / z.Chiplets[dim]; p > 1 {
		return i * (z.Of[dim] - 1) / (p - 1)
	}
	return 0
}

// vertical returns the number of links under each chiplet. Only the outermost of the covered
// interposer switches have one, because inner ones correspond to inner chiplet switches. (In a
// chiplet of width one or two all switches are outermost.)
func (z ChipletSize) vertical() int {
	p, q := z.Interposer[0]/z.Chiplets[0], z.Interposer[1]/z.Chiplets[1]
	return product(p, q) - product(max(p-2, 0), max(q-2, 0))
}

// linkToInterposer links chiplet c, whose first switch is base, to the interposer.
func (z ChipletSize) linkToInterposer(d *draft, c, base, interposer int) {
	p, q := z.Interposer[0]/z.Chiplets[0], z.Interposer[1]/z.Chiplets[1]
	left, low := c%z.Chiplets[0]*p, c/z.Chiplets[0]*q
	for j := range q {
		for i := range p {
			x, y := z.above(0, i), z.above(1, j)
			if x == 0 || y == 0 || x == z.Of[0]-1 || y == z.Of[1]-1 {
				d.link(base+x+z.Of[0]*y, portVertical, interposer+left+i+z.Interposer[0]*(low+j), portVertical)
			}
		}
	}
}

// mesh links switches base, base+1, ... as a mesh with the given sides.
func (d *draft) mesh(base int, sides [2]int) {
	for y := range sides[1] {
		for x := range sides[0] {
			u := base + x + sides[0]*y
			if x+1 < sides[0] {
				d.link(u, model.PlusPort(0), u+1, model.MinusPort(0))
			}
			if y+1 < sides[1] {
				d.link(u, model.PlusPort(1), u+sides[0], model.MinusPort(1))
			}
		}
	}
}

func meshLinks(s [2]int) int { return product(s[0]-1, s[1]) + product(s[0], s[1]-1) }

// chipletOf returns the number of the chiplet of a switch, or model.NoAttribute for the interposer.
func (z ChipletSize) chipletOf(u model.SwitchID) int {
	if c := int(u) / (z.Of[0] * z.Of[1]); c < z.Chiplets[0]*z.Chiplets[1] {
		return c
	}
	return model.NoAttribute
}

// place returns the coordinates of a switch among all chiplet switches, or among those of the interposer.
func (z ChipletSize) place(u model.SwitchID) (at [2]int) {
	per := z.Of[0] * z.Of[1]
	c, i := z.chipletOf(u), int(u)%per
	if c == model.NoAttribute {
		i = int(u) - z.Chiplets[0]*z.Chiplets[1]*per
		return [2]int{i % z.Interposer[0], i / z.Interposer[0]}
	}
	return [2]int{c%z.Chiplets[0]*z.Of[0] + i%z.Of[0], c/z.Chiplets[0]*z.Of[1] + i/z.Of[0]}
}

// name returns c1.0s2.3 for switch (2,3) of chiplet (1,0) and i2.3 for switch (2,3) of the
// interposer.
func (z ChipletSize) name(u model.SwitchID) string {
	i, per := int(u), z.Of[0]*z.Of[1]
	c := i / per
	if c >= z.Chiplets[0]*z.Chiplets[1] {
		i -= z.Chiplets[0] * z.Chiplets[1] * per
		return "i" + dotted(i%z.Interposer[0], i/z.Interposer[0])
	}
	i %= per
	return "c" + dotted(c%z.Chiplets[0], c/z.Chiplets[0]) + "s" + dotted(i%z.Of[0], i/z.Of[0])
}
