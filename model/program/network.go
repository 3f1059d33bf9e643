package program

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file checks whether a network belongs to the family of a program.

// SidesOn returns the sides of n. It fails if n is not a network of the program's family.
func (p *Program) SidesOn(n *model.Network) ([]int, error) {
	if p.Family.complete() {
		sides, err := p.hyperXSides(n)
		if err != nil {
			return nil, err
		}
		return sides, p.fits(sides)
	}
	if p.Family.HasAxes() {
		sides, err := p.axisSides(n)
		if err != nil {
			return nil, err
		}
		return sides, p.fits(sides)
	}
	g := n.Grid()
	if g == nil {
		return nil, fmt.Errorf("program: %s is for %s, this network has no coordinates", p.Name, &p.Family)
	}
	for c := range model.ChannelID(n.NumChannels()) {
		if err := onGrid(n, g, c); err != nil {
			return nil, fmt.Errorf("program: %s is for %s: %w", p.Name, &p.Family, err)
		}
	}
	for d, side := range g.Sides {
		if wrap := g.Wrap[d] && side > 1; wrap != (p.Family.WrapsIn(d) && side > 1) {
			return nil, fmt.Errorf("program: %s is for %s, this network is %s", p.Name, &p.Family, described(g))
		}
	}
	return g.Sides, p.fits(g.Sides)
}

// fits returns an error if a network with these sides is not of the program's family.
func (p *Program) fits(sides []int) error {
	shape, err := p.Family.Shape(len(sides))
	if err != nil {
		return fmt.Errorf("program: %s: %w", p.Name, err)
	}
	byName := map[string]int{}
	for d, s := range shape {
		side := sides[d]
		known, ok := byName[s.Name]
		switch {
		case s.Name == "" && s.Length != side && p.Family.Kind != "hypercube", s.Name == "" && side > 2 && p.Family.Kind == "hypercube":
			return fmt.Errorf("program: %s is for %s, dimension %d of this network has side %d", p.Name, &p.Family, d, side)
		case s.Name != "" && ok && known != side:
			return fmt.Errorf("program: %s is for %s, here %s would be %d and %d; sides of their own have names of their own, as in %s(n, m)",
				p.Name, &p.Family, s.Name, known, side, p.Family.Kind)
		}
		byName[s.Name] = side
	}
	if c := p.Family.Failing(sides); c != nil {
		return fmt.Errorf("program: %s is for %s with %s; this network has sides %v", p.Name, &p.Family, c.Text, sides)
	}
	return nil
}

func described(g *model.Grid) string {
	var rings []int
	for d, wrap := range g.Wrap {
		if wrap {
			rings = append(rings, d)
		}
	}
	switch {
	case rings == nil:
		return "a mesh"
	case len(rings) < len(g.Wrap) && len(g.Wrap) <= 10:
		return `a grid with wrap = "` + DimensionWords(rings) + `"`
	}
	return "a torus or ring"
}

// onGrid returns an error if channel c breaks the port convention of grids.
func onGrid(n *model.Network, g *model.Grid, c model.ChannelID) error {
	u, v, port := n.Tail(c), n.Head(c), n.TailPort(c)
	if u == model.NoSwitch {
		return nil
	}
	d, plus, isGrid := g.PortDirection(port)
	if v == model.NoSwitch {
		if isGrid {
			return fmt.Errorf("port %d of switch %s has a host, ports 1 to %d are the grid's", port, n.SwitchName(u), 2*g.Dims())
		}
		return nil
	}
	from, to := g.Coords(u, nil), g.Coords(v, nil)
	if isGrid {
		if from[d]++; !plus {
			from[d] -= 2
		}
		if g.Wrap[d] {
			from[d] = (from[d] + g.Sides[d]) % g.Sides[d]
		}
	}
	if !isGrid || !slices.Equal(from, to) {
		return fmt.Errorf("the link from %s, port %d, to %s does not connect neighbours of the grid", n.SwitchName(u), port, n.SwitchName(v))
	}
	return nil
}

// wrapsAt reports whether the channel that leaves u in direction a is a wraparound channel.
func wrapsAt(g *model.Grid, u model.SwitchID, a Dir) bool {
	d := a.Dim()
	if !g.Wrap[d] {
		return false
	}
	edge := g.Sides[d] - 1
	if a.Minus() {
		edge = 0
	}
	return g.Coord(u, d) == edge
}

// axisSides returns the sides of a network of a family with axes. It fails for other networks, also for those with failures.
func (p *Program) axisSides(n *model.Network) ([]int, error) {
	wrong := fmt.Errorf("program: %s is for %s; this network is none, or has failures", p.Name, &p.Family)
	var sides []int
	total := 1
	for d := range p.Family.Sides {
		if d >= len(coordinateNames) {
			return nil, fmt.Errorf("program: %s is for %s; networks with more than %d dimensions have no coordinates", p.Name, &p.Family, len(coordinateNames))
		}
		of := n.Attribute(coordinateNames[d])
		if len(of) == 0 || slices.Max(of) < 0 || slices.Max(of) >= 1<<20 {
			return nil, wrong
		}
		sides = append(sides, int(slices.Max(of))+1)
		total *= sides[d]
	}
	if total != n.NumSwitches() {
		return nil, wrong
	}
	count := 0
	for u := range model.SwitchID(total) {
		here := PlaceIn(sides, u)
		for i, x := range p.Family.Axes(len(sides)) {
			for a := Dir(2 * i); a <= Dir(2*i+1); a++ {
				next, ok := x.Next(sides, here, a.Minus())
				c := n.OutAt(u, a.Port())
				isLink := c != model.NoChannel && n.Head(c) != model.NoSwitch
				if ok != isLink || ok && (!slices.Equal(PlaceIn(sides, n.Head(c)), next) || n.HeadPort(c) != a.Reverse().Port()) {
					return nil, wrong
				}
				if ok {
					count++
				}
			}
		}
	}
	if count != n.NumLinkChannels() {
		return nil, wrong
	}
	return sides, nil
}

// PlaceIn returns the coordinates of switch u in a grid or HyperX network with these sides.
func PlaceIn(sides []int, u model.SwitchID) []int {
	at, k := make([]int, len(sides)), int(u)
	for d, side := range sides {
		at[d], k = k%side, k/side
	}
	return at
}

// HopTo returns the dimension and the new coordinate of the hop by port p of a switch with coordinates at in a HyperX network.
func HopTo(sides, at []int, p model.Port) (d, v int) {
	k := int(p) - 1
	for d = range sides {
		if k < sides[d]-1 {
			break
		}
		k -= sides[d] - 1
	}
	if k >= at[d] {
		k++
	}
	return d, k
}

// hyperXSides returns the sides of a HyperX network with one link between two switches of a line, and ports as topo.HyperX has them. It
// fails for other networks.
func (p *Program) hyperXSides(n *model.Network) ([]int, error) {
	wrong := fmt.Errorf("program: %s is for %s; this network is no complete HyperX with one link between two switches", p.Name, &p.Family)
	var sides []int
	for stride := 1; stride < n.NumSwitches(); stride *= sides[len(sides)-1] {
		sides = append(sides, hyperXSide(n, stride))
		if last := sides[len(sides)-1]; last < 2 || n.NumSwitches()%(stride*last) != 0 || len(sides) > maxDims {
			return nil, wrong
		}
	}
	if sides == nil {
		return nil, wrong
	}
	ports := 0
	for _, side := range sides {
		ports += side - 1
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		at := PlaceIn(sides, u)
		for port := 1; port <= ports; port++ {
			c := n.OutAt(u, model.Port(port))
			if c == model.NoChannel || n.Head(c) == model.NoSwitch {
				return nil, wrong
			}
			d, v := HopTo(sides, at, model.Port(port))
			next := slices.Clone(at)
			next[d] = v
			if back, x := HopTo(sides, next, n.HeadPort(c)); !slices.Equal(PlaceIn(sides, n.Head(c)), next) || back != d || x != at[d] {
				return nil, wrong
			}
		}
	}
	if n.NumLinkChannels() != ports*n.NumSwitches() {
		return nil, wrong
	}
	return sides, nil
}

// hyperXSide returns the number of switches 0, stride, 2*stride, ... of which each two are linked.
func hyperXSide(n *model.Network, stride int) int {
	for side := 1; side*stride < n.NumSwitches(); side++ {
		earlier := map[model.SwitchID]bool{}
		for _, c := range n.Out(model.SwitchID(side * stride)) {
			if v := n.Head(c); v != model.NoSwitch && int(v) < side*stride && int(v)%stride == 0 {
				earlier[v] = true
			}
		}
		if len(earlier) < side {
			return side
		}
	}
	return n.NumSwitches() / stride
}
