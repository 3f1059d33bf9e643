package engine

import (
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file makes the table of a large network's answers small.
//
// The plain table has an entry for each row, destination and class: 2.4 GB on a 128x128 torus. Two
// properties of relations make it smaller. If the relation looks at the switch of a destination
// only (model.SwitchRouted), hosts of one switch share a column. If it also corrects one dimension
// of a grid after another (model.DimensionOrdered), only the first dimension in which the places
// differ counts: the coordinates in it, and the VC if it is one of this dimension. The table then
// has 160,000 entries on a 128x128 torus. Both deliver packets at the switch of their destination;
// these answers are stored by destination.

// columns are the columns of a table, if they are not the destinations.
type columns struct {
	of   []columnOf // by destination
	home []int32    // by destination and class: the number of the answer at its switch
	grid *grid      // nil unless the relation corrects one dimension after another
}

// columnOf says where the answers to a destination are.
type columnOf struct {
	outs   int32 // start of the output ports of its switch in Sim.outs
	column int32
}

// grid finds entries by coordinates.
type grid struct {
	width uint     // bits of a coordinate
	dest  []uint64 // by destination: its coordinates, the first dimension to correct in the lowest bits
	place []placeOf
	sides []int // by dimension, in the order of correction
	first []int // by dimension, in the order of correction: its first row
	kinds int   // ways to enter a switch in one dimension: from outside it, or on a VC in a direction
}

// placeOf describes a VC.
type placeOf struct {
	at    uint64 // coordinates of the switch that it enters, as in grid.dest
	ports int32  // number of the switch's list of ports
	dim   int16  // its dimension in the order of correction, or -1
	kind  int16  // how a packet on it enters the switch in this dimension
}

// bySwitch returns the columns of a relation that looks at the switch of a destination only, or nil.
func (r *routes) bySwitch(s *state) *columns {
	if x, ok := r.rel.(model.SwitchRouted); !ok || !x.SwitchRouted() {
		return nil
	}
	c := &columns{of: make([]columnOf, r.dests), home: make([]int32, r.dests*r.classes)}
	for d := range c.of {
		u := s.net.Host(r.rel.DestinationHost(model.DestID(d))).Switch
		c.of[d] = columnOf{s.port[s.portOf[s.net.Reverse(s.net.Out(u)[0])]].outBase, int32(u)}
	}
	return c
}

// ask asks for the answers at the switches of the destinations, and for all answers of a grid.
func (c *columns) ask(r *routes, s *state) {
	for d := range c.of {
		v := s.portOf[s.net.InjectChannel(r.rel.DestinationHost(model.DestID(d)))] * int32(s.vcs)
		for class := range r.classes {
			c.home[d*r.classes+class] = r.ask(s, v, model.DestID(d), model.Class(class))
		}
	}
	if c.grid != nil && r.small != nil {
		c.grid.ask(r, s)
	}
}

// ask fills the table: for each VC whose row is not known it asks for destinations that differ from
// its switch in one dimension only.
func (g *grid) ask(r *routes, s *state) {
	destAt := make(map[uint64]model.DestID, len(g.dest)) // by coordinates
	for d, at := range g.dest {
		destAt[at] = model.DestID(d)
	}
	asked := map[int]bool{} // by the first entry of a row, or of the row at coordinate 1
	for v := range int32(len(g.place)) {
		if s.port[s.vc[v].in].eject {
			continue
		}
		for i, side := range g.sides {
			own := g.place[v].at >> (uint(i) * g.width) & (1<<g.width - 1)
			rest := g.place[v].at &^ ((1<<g.width - 1) << (uint(i) * g.width))
			for there := range uint64(side) {
				d := destAt[rest|there<<(uint(i)*g.width)]
				if there == own {
					continue
				}
				if first := g.index(v, d, 0, r.classes); there <= 1 {
					if asked[first] {
						break
					}
					asked[first] = true
				}
				for class := range model.Class(r.classes) {
					r.of(s, v, d, class)
				}
			}
		}
	}
}

// byLine returns the grid of a relation that corrects one dimension after another, and its number
// of rows, or nil.
func (r *routes) byLine(s *state) (g *grid, entries int) {
	x, ok := r.rel.(model.DimensionOrdered)
	if !ok || x.DimensionOrder() == nil {
		return nil, 0
	}
	n, order := s.net, x.DimensionOrder()
	g = &grid{width: uint(64 / len(order)), kinds: 1 + 2*s.vcs, place: make([]placeOf, len(s.vc))}
	number := map[string]int32{}
	at, ports := make([]uint64, n.NumSwitches()), make([]int32, n.NumSwitches())
	for u := range model.SwitchID(n.NumSwitches()) {
		var list []byte
		for _, c := range n.Out(u) {
			list = append(list, byte(n.TailPort(c)), byte(n.TailPort(c)>>8))
		}
		if _, known := number[string(list)]; !known {
			number[string(list)] = int32(len(number))
		}
		ports[u] = number[string(list)]
		for i, d := range order {
			at[u] |= uint64(n.Grid().Coord(u, d)) << (uint(i) * g.width)
		}
	}
	place := make([]int16, len(order)) // by dimension: its place in the order
	for i, d := range order {
		place[d] = int16(i)
		g.sides, g.first = append(g.sides, n.Grid().Sides[d]), append(g.first, entries)
		entries += len(number) * g.sides[i] * g.kinds * g.sides[i] * r.classes
		if bits.Len(uint(g.sides[i])) > int(g.width) {
			return nil, 0
		}
	}
	for v := range g.place {
		c := s.chanOf[v/s.vcs]
		u := n.Head(c)
		if u == model.NoSwitch {
			continue
		}
		g.place[v] = placeOf{at: at[u], ports: ports[u], dim: -1}
		if d, plus, ok := n.Grid().PortDirection(n.TailPort(c)); ok && n.Kind(c) == model.SwitchToSwitch {
			g.place[v].dim, g.place[v].kind = place[d], int16(1+v%s.vcs)
			if plus {
				g.place[v].kind += int16(s.vcs)
			}
		}
	}
	for d := range r.dests {
		g.dest = append(g.dest, at[n.Host(r.rel.DestinationHost(model.DestID(d))).Switch])
	}
	return g, entries
}

// index returns the entry for a packet on VC v to d, which is not at the switch of d.
func (g *grid) index(v int32, d model.DestID, class model.Class, classes int) int {
	x, to := &g.place[v], g.dest[d]
	i := uint(bits.TrailingZeros64(x.at^to)) / g.width
	mask := uint64(1)<<g.width - 1
	kind := 0
	if int(x.dim) == int(i) {
		kind = int(x.kind)
	}
	own, there, side := int(x.at>>(i*g.width)&mask), int(to>>(i*g.width)&mask), g.sides[i]
	return g.first[i] + (((int(x.ports)*side+own)*g.kinds+kind)*side+there)*classes + int(class)
}
