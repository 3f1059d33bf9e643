package area

import (
	"math/bits"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/tables"
)

// This file decides whether the bits of LBDR express a routing.
//
// LBDR (J. Flich, J. Duato, IEEE Computer Architecture Letters 7(1), 2008) has twelve bits in each router of a mesh of two
// dimensions. Bit Cx says that there is a link in direction x. Bit Rxy says that a packet with a destination in the quadrant of x
// and y may leave in direction x. A packet whose destination is straight ahead goes on if Cx is set. Four comparators tell the
// quadrant.

// lbdrArea returns the area of a router with LBDR. It has 12 bits and its coordinates, and compares each coordinate for less
// and for more.
func lbdrArea(g *model.Grid) tables.Area {
	width := bits.Len(uint(max(1, g.Sides[0]-1))) + bits.Len(uint(max(1, g.Sides[1]-1)))
	return tables.Area{Design: "lbdr", Entries: 1, Bits: 12 + width, Comparators: 4, ComparedBits: 2 * width}
}

// expressibleAsLBDR reports whether these bits express the next hops of a routing exactly. The VCs of a port must be permitted
// all or none.
func expressibleAsLBDR(r model.Relation, l *tables.Lookup) bool {
	n := r.Network()
	g := n.Grid()
	if g == nil || g.Dims() != 2 || g.Wrap[0] || g.Wrap[1] {
		return false
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		if !lbdrAt(r, l, u) {
			return false
		}
	}
	return true
}

// lbdrAt reports whether bits express the next hops of a switch.
func lbdrAt(r model.Relation, l *tables.Lookup, u model.SwitchID) bool {
	n := r.Network()
	known := map[[2]model.Port]bool{} // Rxy, by the ports of x and y
	for d := range model.DestID(l.Dest) {
		hops, ok := portsOf(l, u, d)
		v := n.Host(r.DestinationHost(d)).Switch
		if !ok {
			return false
		}
		if len(hops) == 0 || u == v {
			continue // no packet here, or delivered
		}
		x, y := direction(n.Grid(), u, v, 0), direction(n.Grid(), u, v, 1)
		for port := range hops {
			if port != x && port != y {
				return false
			}
		}
		for _, a := range [][2]model.Port{{x, y}, {y, x}} {
			if a[0] == 0 {
				continue
			}
			if old, seen := known[a]; seen && old != hops[a[0]] {
				return false
			}
			known[a] = hops[a[0]]
		}
	}
	for a, permitted := range known { // Cx holds for quadrants, too
		if straight, seen := known[[2]model.Port{a[0], 0}]; permitted && seen && !straight {
			return false
		}
	}
	return true
}

// portsOf returns the ports of a set. ok is false if the set has some of the VCs of a port only.
func portsOf(l *tables.Lookup, u model.SwitchID, d model.DestID) (ports map[model.Port]bool, ok bool) {
	count := map[model.Port]int{}
	for _, o := range l.OutputsOf(l.At(tables.Input{Switch: u, Dest: d})) {
		count[o.Port]++
	}
	ports, ok = map[model.Port]bool{}, true
	for p, k := range count {
		ports[p] = true
		ok = ok && (k == l.VCs || p > 4) // hosts have VC 0
	}
	return ports, ok
}

// direction returns the port that leads from u to v in dimension d, or 0 if they agree there.
func direction(g *model.Grid, u, v model.SwitchID, d int) model.Port {
	switch x, y := g.Coord(u, d), g.Coord(v, d); {
	case x < y:
		return model.Port(2*d + 1)
	case x > y:
		return model.Port(2*d + 2)
	}
	return 0
}
