package topo

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file builds hexagonal and honeycomb meshes.
//
// Hexagonal mesh of size e: the points of the triangular grid at distance less than e from the centre, 3e(e-1)+1 switches of degree up to 6, diameter
// 2(e-1). With wraparound (the C-wrapped mesh) switches u and u+1, u+3e-1 and u+3e-2 modulo the number of switches are linked, and
// the diameter is e-1. Source:
// Chen, Shin, Kandlur, Addressing, routing, and broadcasting in hexagonal mesh multiprocessors, IEEE Trans. Computers 39(1), 1990.
//
// Honeycomb mesh of size t: t rings of hexagons, 6t² switches of degree up to 3, 9t²-3t links, diameter 4t-1. Switches are the triples of coordinates from
// 1-t to t whose sum is 1 or 2; two are linked if they differ by 1 in one coordinate. The honeycomb torus also has links between opposite
// borders: degree 3, diameter 2t. Source: Stojmenović, Honeycomb networks: topological properties and communication algorithms, IEEE TPDS
// 8(10), 1997, sections 2 and 4.

// HexMesh returns the hexagonal mesh of size e, C-wrapped if wrap is set. Switches are numbered row by row; in the C-wrapped mesh row by row as well.
func HexMesh(e int, wrap bool, o Options) (*model.Network, error) {
	if e < 1 || e > 1<<11 {
		return nil, fmt.Errorf("a hexagonal mesh of size %d, allowed are 1 to %d", e, 1<<11)
	}
	n, hosts := 3*e*(e-1)+1, o.hosts(1)
	d, err := newDraft(size{switches: n, links: 3 * n, hosts: product(n, hosts), ports: 6 + hosts}, o)
	if err != nil {
		return nil, err
	}
	if wrap && e > 1 {
		for u := range n {
			for i, step := range []int{1, 3*e - 1, 3*e - 2} {
				d.link(u, model.Port(1+2*i), (u+step)%n, model.Port(2+2*i))
			}
		}
		d.permute(func(u int) int { return (u + 1) % n })
	} else {
		d.hexagonalRows(e)
	}
	for u := range d.next {
		d.next[u] = 7
	}
	d.attachAll(hosts)
	d.name = numbered("s")
	return d.build()
}

// hexagonalRows links the switches of a hexagonal mesh. Switch (x, y) has |x|, |y|, |x+y| < e and its row is y.
func (d *draft) hexagonalRows(e int) {
	number, next := map[[2]int]int{}, 0
	for y := 1 - e; y < e; y++ {
		for x := max(1-e, 1-e-y); x <= min(e-1, e-1-y); x++ {
			number[[2]int{x, y}] = next
			next++
		}
	}
	for y := 1 - e; y < e; y++ {
		for x := max(1-e, 1-e-y); x <= min(e-1, e-1-y); x++ {
			for i, to := range [][2]int{{x + 1, y}, {x, y + 1}, {x - 1, y + 1}} {
				if v, ok := number[to]; ok {
					d.link(number[[2]int{x, y}], model.Port(1+2*i), v, model.Port(2+2*i))
				}
			}
		}
	}
}

// Honeycomb returns the honeycomb mesh of size t, or the torus if wrap is set. Ports 1 to 3 are those of the coordinates x, y, z.
func Honeycomb(t int, wrap bool, o Options) (*model.Network, error) {
	if t < 1 || t > 1<<10 {
		return nil, fmt.Errorf("a honeycomb of size %d, allowed are 1 to %d", t, 1<<10)
	}
	n, hosts := 6*t*t, o.hosts(1)
	d, err := newDraft(size{switches: n, links: 9 * t * t, hosts: product(n, hosts), ports: 3 + hosts}, o)
	if err != nil {
		return nil, err
	}
	places, number := honeycombPlaces(t)
	for _, at := range places {
		for i := range at {
			to := at
			if to[i]++; sum(at) == 1 {
				if v, ok := number[to]; ok {
					d.link(number[at], model.Port(1+i), v, model.Port(1+i))
				}
			}
		}
	}
	if wrap {
		d.honeycombWraps(t, number)
	}
	for u := range d.next {
		d.next[u] = 4
	}
	d.attachAll(hosts)
	d.name = func(u model.SwitchID) string {
		at := places[u]
		return fmt.Sprintf("(%d,%d,%d)", at[0], at[1], at[2])
	}
	return d.build()
}

// honeycombPlaces returns the places of a honeycomb in ascending order, and their numbers.
func honeycombPlaces(t int) (places [][3]int, number map[[3]int]int) {
	number = map[[3]int]int{}
	for x := 1 - t; x <= t; x++ {
		for y := 1 - t; y <= t; y++ {
			for s := 2; s >= 1; s-- { // z is ascending
				if z := s - x - y; z >= 1-t && z <= t {
					number[[3]int{x, y, z}] = len(places)
					places = append(places, [3]int{x, y, z})
				}
			}
		}
	}
	return places, number
}

// honeycombWraps links opposite borders: switches that lack a neighbour in one coordinate.
func (d *draft) honeycombWraps(t int, number map[[3]int]int) {
	for i := 1; i <= t; i++ {
		for axis, ends := range [][2][3]int{
			{{1 - t, i, t - i + 1}, {t, i - t, 1 - i}},
			{{i, 1 - t, t - i + 1}, {i - t, t, 1 - i}},
			{{i, t - i + 1, 1 - t}, {i - t, 1 - i, t}},
		} {
			d.link(number[ends[1]], model.Port(1+axis), number[ends[0]], model.Port(1+axis))
		}
	}
}

func sum(at [3]int) int { return at[0] + at[1] + at[2] }
