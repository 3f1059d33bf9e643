package booksim

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file has flattened butterflies: K^N routers with C nodes each, linked with all routers that differ in one coordinate.
//
// Sources: J. Kim, W. J. Dally, D. Abts, Flattened butterfly, ISCA 2007; booksim2, src/networks/flatfly_onchip.cpp.

const (
	whyUGAL = "dimension order, x first: to the destination on the upper VCs, or by a drawn router of the box between source and destination on the " +
		"lower ones"
	whyXYYX = "x first on the lower VCs or last dimension first on the upper, "
)

var flatflyRoutings = []function{
	{name: "ran_min", leastVC: 1, rule: func(f *Fabric) rule {
		return anyVC{ports: func(router, dest int, buf []int) []int {
			return append(buf, f.flatflyPort(router, f.flatflyRouter(dest), false))
		}}
	}, why: "dimension order, x first, any VC"},
	{name: "xyyx", leastVC: 2, choice: "drawn", rule: flatflyOrders, why: whyXYYX + "drawn at the source"},
	{name: "adaptive_xyyx", leastVC: 2, choice: "drawn", differs: "BookSim takes the order whose first channel has fewer flits ahead", rule: flatflyOrders,
		why: whyXYYX + "chosen at the source by credits"},
	{name: "valiant", leastVC: 2, choice: "drawn", rule: func(f *Fabric) rule { return flatflyDetour{f: f, any: true} },
		why: "dimension order to a drawn router on the lower VCs, then to the destination on the upper ones"},
	{name: "ugal", leastVC: 2, choice: "drawn", differs: "BookSim compares the flits ahead on both paths",
		rule: func(f *Fabric) rule { return flatflyDetour{f: f} }, why: whyUGAL},
	{name: "ugal_xyyx", leastVC: 4, choice: "drawn", differs: "BookSim compares the flits ahead on both paths",
		rule: func(f *Fabric) rule { return flatflyDetour{f: f, orders: true} },
		why:  "as ugal, with x first on the lower half of the VCs or last dimension first on the upper, drawn at the source"},
	{name: "ugal_pni", why: "each coordinate of the destination has VCs of its own"},
}

func buildFlatfly(s Shape) (*Fabric, error) {
	switch {
	case s.K < 2:
		return nil, fmt.Errorf("k = %d: want 2 or more", s.K)
	case s.N > 4:
		return nil, fmt.Errorf("n = %d: BookSim has up to 4", s.N)
	case s.X != s.Y:
		return nil, fmt.Errorf("x = %d, y = %d: BookSim refuses different values", s.X, s.Y)
	case s.XR != s.YR:
		return nil, fmt.Errorf("xr = %d, yr = %d: BookSim refuses different values", s.XR, s.YR)
	case s.C != s.XR*s.YR:
		return nil, fmt.Errorf("c = %d, xr = %d, yr = %d: BookSim refuses a c other than their product", s.C, s.XR, s.YR)
	}
	routers := power(s.K, s.N)
	if routers != s.X*s.Y {
		return nil, fmt.Errorf("k = %d and n = %d make %d routers, x = %d and y = %d place %d; want the same", s.K, s.N, routers, s.X, s.Y, s.X*s.Y)
	}
	if err := tooLarge(routers*s.K*s.N, routers*s.C); err != nil {
		return nil, err
	}
	b, f := newBuilder(routers), &Fabric{Shape: s}
	distances := s.nodeDistances()
	for node := range routers * s.C {
		p := f.flatflyNodePort(node)
		b.node("", f.flatflyRouter(node), p, distances[p])
	}
	for u := range routers {
		for d, power := 0, 1; d < s.N; d, power = d+1, power*s.K {
			at := u / power % s.K
			for to := at + 1; to < s.K; to++ {
				v, latency := u+(to-at)*power, 1
				if s.Distances {
					latency = s.XR*distance(u%s.X, v%s.X) + s.YR*distance(u/s.X, v/s.X)
				}
				b.link(u, flatflyDimPort(s, d, at, to), v, flatflyDimPort(s, d, to, at), latency)
			}
		}
	}
	return b.fabric(routers * s.C)
}

func distance(a, b int) int { return max(a-b, b-a) }

// flatflyDimPort is the port from coordinate at to coordinate to of dimension d.
func flatflyDimPort(s Shape, d, at, to int) int {
	if to > at {
		to--
	}
	return s.C + (s.K-1)*d + to
}

// nodeDistances returns the latencies of the channels of nodes, by port.
func (s Shape) nodeDistances() (list []int) {
	y, x := -s.YR/2, -s.XR/2
	for range s.C {
		if y == 0 && s.YR%2 == 0 {
			y++
		}
		if x == 0 && s.XR%2 == 0 {
			x++
		}
		length := 1
		if s.Distances {
			length += max(0, max(y, -y)-1) + max(0, max(x, -x)-1)
		}
		list = append(list, length)
		if y++; y > s.YR/2 {
			y, x = -s.YR/2, x+1
		}
	}
	return list
}

// flatflyRouter returns the router of a node.
func (f *Fabric) flatflyRouter(node int) int {
	s := f.Shape
	row, column := node/(s.X*s.XR), node%(s.X*s.XR)
	return row/s.YR*s.X + column/s.XR
}

// flatflyNodePort returns the port of a node.
func (f *Fabric) flatflyNodePort(node int) int {
	s := f.Shape
	return s.XR*(node/(s.X*s.XR)%s.YR) + node%(s.X*s.XR)%s.XR
}

// flatflyPort returns the port of a router to another one, by the first dimension in which they differ, or the last.
func (f *Fabric) flatflyPort(router, to int, last bool) int {
	s, out := f.Shape, -1
	for d := range s.N {
		if a, b := router%s.K, to%s.K; a != b {
			if out = flatflyDimPort(s, d, a, b); !last {
				break
			}
		}
		router, to = router/s.K, to/s.K
	}
	return out
}

func flatflyOrders(f *Fabric) rule {
	by := func(last bool) func(router, dest int) int {
		return func(router, dest int) int { return f.flatflyPort(router, f.flatflyRouter(dest), last) }
	}
	return orders{by(false), by(true)}
}

// flatflyDetour is valiant, ugal and ugal_xyyx. Class 2i+o has the order o at the source; i is 0 for packets to the destination, or 1 and
// the router where they go first.
type flatflyDetour struct {
	f      *Fabric
	any    bool // by any router; otherwise by those between source and destination
	orders bool
}

func (r flatflyDetour) classes() int { return 2 * (1 + r.f.Net.NumSwitches()) }

func (r flatflyDetour) inject(source, dest int, buf []model.Class) []model.Class {
	from, to := r.f.flatflyRouter(source), r.f.flatflyRouter(dest)
	var drawn []model.Class
	for via := range r.f.Net.NumSwitches() {
		switch {
		case via == from:
			via = -1 // at once to the destination
		case !r.any && !r.between(from, to, via):
			continue
		}
		drawn = append(drawn, model.Class(2*(1+via)))
	}
	if !r.any {
		drawn = append(drawn, 0)
	}
	for _, class := range unique(drawn) {
		if buf = append(buf, class); r.orders {
			buf = append(buf, class+1)
		}
	}
	return buf
}

// between reports whether a router has the coordinates of both others where these are equal.
func (r flatflyDetour) between(from, to, via int) bool {
	k := r.f.Shape.K
	for range r.f.Shape.N {
		if from%k == to%k && via%k != from%k {
			return false
		}
		from, to, via = from/k, to/k, via/k
	}
	return true
}

func (r flatflyDetour) next(p packet, vcs int, buf []choice) []choice {
	half, via, dest := vcs/2, p.class/2-1, r.f.flatflyRouter(p.dest)
	if via == p.router {
		via = -1
	}
	x := choice{low: 0, high: vcs - 1, class: 2 * (1 + via)}
	to := dest
	if via >= 0 {
		to = via
	}
	second := false
	if r.orders {
		if second = p.fresh && p.class%2 == 1 || !p.fresh && p.vc >= half; second {
			x.low += half
		} else {
			x.high -= half
		}
		half /= 2
	}
	if x.port = r.f.flatflyPort(p.router, to, second); via >= 0 {
		x.high -= half
	} else {
		x.low += half
	}
	return append(buf, x)
}
