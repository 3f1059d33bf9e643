package booksim

import "errors"

// This file has concentrated meshes: K x K routers with 4 nodes each, and express channels along the borders.
//
// Sources: J. Balfour, W. J. Dally, Design tradeoffs for tiled CMP on-chip networks, ICS 2006; booksim2, src/networks/cmesh.cpp.

var cmeshRoutings = []function{
	{name: "dor", leastVC: 1, rule: func(f *Fabric) rule { return f.cmeshPorts(f.Shape.K/2-1, false) },
		why: "dimension order, x first, over express channels for half a side or more, any VC"},
	{name: "dor_no_express", leastVC: 1, rule: func(f *Fabric) rule { return f.cmeshPorts(f.Shape.K, false) }, why: "dimension order, x first, any VC"},
	{name: "xy_yx", leastVC: 2, choice: "drawn", rule: func(f *Fabric) rule { return f.cmeshOrders(1) },
		why: "x first on the lower VCs or y first on the upper, drawn at the source, over express channels for two hops or more"},
	{name: "xy_yx_no_express", leastVC: 2, choice: "drawn", rule: func(f *Fabric) rule { return f.cmeshOrders(f.Shape.K) },
		why: "x first on the lower VCs or y first on the upper, drawn at the source"},
}

// The ports of a router after those of its 4 nodes.
const (
	cmeshPlusX = iota + 4
	cmeshMinusX
	cmeshPlusY
	cmeshMinusY
)

func buildCMesh(s Shape) (*Fabric, error) {
	k := s.K
	switch {
	case s.N != 2 || s.C != 4 || s.XR != 2 || s.YR != 2 || s.X != s.Y:
		return nil, errors.New("BookSim's is broken unless n = 2, c = 4, xr = 2, yr = 2 and x = y")
	case k < 2 || k%2 == 1:
		return nil, errors.New("with an odd k, or k < 2, its express channels have no other end")
	case k*k > limitSwitches/4:
		return nil, tooLarge(limitSwitches+1, 0)
	}
	b := newBuilder(k * k)
	for node := range 4 * k * k {
		b.node("", cmeshRouter(k, node), 2*(node/(2*k)%2)+node%2, 1)
	}
	near, far := 1, 1
	if s.Distances {
		near, far = 2, 2*k/2
	}
	for u := range k * k {
		x, y := u%k, u/k
		if x+1 < k {
			b.link(u, cmeshPlusX, u+1, cmeshMinusX, near)
		}
		if y+1 < k {
			b.link(u, cmeshPlusY, u+k, cmeshMinusY, near)
		}
		for _, e := range []struct {
			at           bool
			along, place int
			port         int
		}{{x == 0, k, y, cmeshMinusX}, {x == k-1, k, y, cmeshPlusX}, {y == 0, 1, x, cmeshMinusY}, {y == k-1, 1, x, cmeshPlusY}} {
			if e.at && e.place < k/2 {
				b.link(u, e.port, u+k/2*e.along, e.port, far)
			}
		}
	}
	return b.fabric(4 * k * k)
}

// cmeshRouter returns the router of a node.
func cmeshRouter(k, node int) int { return node/(2*k)/2*k + node%(2*k)/2 }

// cmeshPort returns the port of a router to another one, x or y first. An express channel is taken on a border for more hops than beyond.
func cmeshPort(k, router, to, beyond int, yFirst bool) int {
	x, y, tx, ty := router%k, router/k, to%k, to/k
	alongX := func() int {
		switch out, far := cmeshMinusX, x-tx; {
		case x < tx && tx-x <= beyond, x < tx && y > 0 && y < k-1:
			return cmeshPlusX
		case x > tx && (far <= beyond || y > 0 && y < k-1):
			return out
		case y == 0:
			return cmeshMinusY
		}
		return cmeshPlusY
	}
	alongY := func() int {
		switch far := y - ty; {
		case y < ty && ty-y <= beyond, y < ty && x > 0 && x < k-1:
			return cmeshPlusY
		case y > ty && (far <= beyond || x > 0 && x < k-1):
			return cmeshMinusY
		case x == 0:
			return cmeshMinusX
		}
		return cmeshPlusX
	}
	if x != tx && (!yFirst || y == ty) {
		return alongX()
	}
	return alongY()
}

func (f *Fabric) cmeshPorts(beyond int, yFirst bool) rule {
	k := f.Shape.K
	return anyVC{ports: func(router, dest int, buf []int) []int {
		return append(buf, cmeshPort(k, router, cmeshRouter(k, dest), beyond, yFirst))
	}}
}

func (f *Fabric) cmeshOrders(beyond int) rule {
	k := f.Shape.K
	by := func(yFirst bool) func(router, dest int) int {
		return func(router, dest int) int { return cmeshPort(k, router, cmeshRouter(k, dest), beyond, yFirst) }
	}
	return orders{by(false), by(true)}
}
