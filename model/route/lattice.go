package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file computes positions and directions on a mesh, torus or hypercube.
//
// Memory: twelve bytes per switch and dimension.

// dir is a direction on a grid: 2d is plus in dimension d, 2d+1 is minus. A channel in
// direction a leaves its switch through port a+1 (see model.Grid).
type dir int

const noDir dir = -1 // the direction of an injection channel

func (a dir) dim() int    { return int(a) / 2 }
func (a dir) minus() bool { return a&1 == 1 }

// The directions of a 2-D grid.
const (
	east dir = iota
	west
	north
	south
)

// lattice is a checked grid of a network with the coordinates of all switches.
type lattice struct {
	net   *model.Network
	dims  int
	sides []int
	wrap  []bool // by dimension; false if the dimension has one switch only
	coord []int32
	outs  []model.ChannelID // by switch and direction: the channel out, or NoChannel
}

// newLattice returns the lattice of n. It fails if n is not a grid or a link does not connect
// neighbours through the ports of model.Grid. what names the routing in errors.
func newLattice(n *model.Network, what string) (*lattice, error) {
	grid := n.Grid()
	if grid == nil {
		return nil, fmt.Errorf("route: %s needs a mesh, torus or hypercube; this network has no coordinates", what)
	}
	g := &lattice{net: n, dims: grid.Dims(), sides: grid.Sides, wrap: make([]bool, grid.Dims())}
	for d := range g.wrap {
		g.wrap[d] = grid.Wrap[d] && grid.Sides[d] > 1
	}
	buf := make([]int, 0, g.dims)
	for u := range model.SwitchID(n.NumSwitches()) {
		buf = grid.Coords(u, buf[:0])
		for _, x := range buf {
			g.coord = append(g.coord, int32(x))
		}
	}
	for c := range model.ChannelID(n.NumChannels()) {
		if err := g.checkChannel(c, what); err != nil {
			return nil, err
		}
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		for a := range dir(2 * g.dims) {
			g.outs = append(g.outs, n.OutAt(u, model.Port(a+1)))
		}
	}
	return g, nil
}

// checkChannel returns an error if channel c breaks the port convention of model.Grid.
func (g *lattice) checkChannel(c model.ChannelID, what string) error {
	u, v, p := g.net.Tail(c), g.net.Head(c), g.net.TailPort(c)
	if u == model.NoSwitch {
		return nil
	}
	a, onGrid := dir(p-1), p >= 1 && int(p) <= 2*g.dims
	switch {
	case v == model.NoSwitch && !onGrid:
		return nil
	case v == model.NoSwitch:
		return fmt.Errorf("route: %s needs ports 1 to %d for the grid; port %d of switch %s has a host", what, 2*g.dims, p, g.net.SwitchName(u))
	case !onGrid || !g.isStep(u, v, a):
		return fmt.Errorf("route: %s needs a mesh, torus or hypercube: the link from %s, port %d, to %s does not connect neighbours of the grid",
			what, g.net.SwitchName(u), p, g.net.SwitchName(v))
	}
	return nil
}

// isStep reports whether v is the neighbour of u in direction a.
func (g *lattice) isStep(u, v model.SwitchID, a dir) bool {
	for d := range g.dims {
		x, y := g.at(u, d), g.at(v, d)
		if d == a.dim() {
			step := 1
			if a.minus() {
				step = -1
			}
			x += step
			if g.wrap[d] {
				x = (x + g.sides[d]) % g.sides[d]
			}
		}
		if x != y {
			return false
		}
	}
	return true
}

// at returns the coordinate of switch u in dimension d.
func (g *lattice) at(u model.SwitchID, d int) int { return int(g.coord[int(u)*g.dims+d]) }

// out returns the channel that leaves u in direction a, or NoChannel at an edge.
func (g *lattice) out(u model.SwitchID, a dir) model.ChannelID {
	return g.outs[int(u)*2*g.dims+int(a)]
}

// dirOf returns the direction of channel c, or noDir for an injection channel.
func (g *lattice) dirOf(c model.ChannelID) dir { return dir(g.net.TailPort(c)) - 1 }

// wraps reports whether the channel that leaves u in direction a is a wraparound channel.
func (g *lattice) wraps(u model.SwitchID, a dir) bool {
	d := a.dim()
	if a.minus() {
		return g.wrap[d] && g.at(u, d) == 0
	}
	return g.wrap[d] && g.at(u, d) == g.sides[d]-1
}

// crossed reports whether channel c is a wraparound channel. c must not be an injection
// channel.
func (g *lattice) crossed(c model.ChannelID) bool { return g.wraps(g.net.Tail(c), g.dirOf(c)) }

// productive reports which directions of dimension d are productive at u for destination v.
// Both are productive at distance k/2 on a ring of k switches.
func (g *lattice) productive(u, v model.SwitchID, d int) (plus, minus bool) {
	x, y := g.at(u, d), g.at(v, d)
	if x == y {
		return false, false
	}
	if !g.wrap[d] {
		return x < y, x > y
	}
	k := g.sides[d]
	ahead := y - x
	if ahead < 0 {
		ahead += k
	}
	return 2*ahead <= k, 2*ahead >= k
}

// towards returns a productive direction of dimension d from u to v: plus if both are
// productive, noDir if none is.
func (g *lattice) towards(u, v model.SwitchID, d int) dir {
	switch plus, minus := g.productive(u, v, d); {
	case plus:
		return dir(2 * d)
	case minus:
		return dir(2*d + 1)
	}
	return noDir
}

func (g *lattice) isMesh() bool {
	for _, w := range g.wrap {
		if w {
			return false
		}
	}
	return true
}

// mesh2 returns the lattice of a 2-D mesh. It fails for other networks.
func mesh2(n *model.Network, what string) (*lattice, error) {
	g, err := mesh(n, what)
	if err == nil && g.dims != 2 {
		return nil, fmt.Errorf("route: %s needs a mesh of two dimensions; this one has %d", what, g.dims)
	}
	return g, err
}

// mesh returns the lattice of a mesh of any number of dimensions. It fails for other networks.
func mesh(n *model.Network, what string) (*lattice, error) {
	g, err := newLattice(n, what)
	if err == nil && !g.isMesh() {
		return nil, fmt.Errorf("route: %s needs a mesh; this network has wraparound channels", what)
	}
	return g, err
}

// all returns the range of all VCs of n.
func all(n *model.Network) span { return span{0, n.VCs()} }
