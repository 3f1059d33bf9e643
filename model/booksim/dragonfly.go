package booksim

import (
	"errors"

	"github.com/turnproof/turnproof/model"
)

// This file has dragonflies of the largest size: groups of 2P routers with P nodes and P global channels each. Channels have latency 10
// inside groups and 100 between them.
//
// Sources: J. Kim, W. J. Dally, S. Scott, D. Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008;
// booksim2, src/networks/dragonfly.cpp.

var dragonflyRoutings = []function{
	{name: "min", leastVC: 2, rule: func(f *Fabric) rule { return dragonflyMin{p: f.Shape.K} },
		why: "one global channel to the group of the destination; VC 0 before it, VC 1 from it on"},
	{name: "ugal", leastVC: 3, exact: 3, choice: "drawn", differs: "BookSim compares the flits ahead on both paths",
		rule: func(f *Fabric) rule { return dragonflyUGAL{p: f.Shape.K} },
		why:  "minimal, or by a drawn router of another group on VC 0; then VC 1, and VC 2 from the last global channel on"},
}

func buildDragonfly(s Shape) (*Fabric, error) {
	p := s.K
	if s.N != 1 {
		return nil, errors.New("BookSim has n = 1 only")
	}
	if p > 32 {
		return nil, tooLarge(limitSwitches+1, 0)
	}
	a, groups := 2*p, 2*p*p+1
	if err := tooLarge(a*groups, p*a*groups); err != nil {
		return nil, err
	}
	b := newBuilder(a * groups)
	for node := range p * a * groups {
		b.node("", node/p, node%p, 1)
	}
	for g := range groups {
		for i := range a {
			for j := i + 1; j < a; j++ {
				b.link(g*a+i, p+j-1, g*a+j, p+i, 10)
			}
		}
	}
	for g := range groups {
		for h := g + 1; h < groups; h++ { // global port h-1 of group g, g of group h
			b.link(g*a+(h-1)/p, p+a-1+(h-1)%p, h*a+g/p, p+a-1+g%p, 100)
		}
	}
	return b.fabric(p * a * groups)
}

// dragonflyPort returns the port of a router towards another one, and whether it leads to another group.
func dragonflyPort(p, router, to int) (out int, global bool) {
	a := 2 * p
	gate, link := to, 0
	if g, h := router/a, to/a; g != h {
		if link = h; g < h {
			link = h - 1
		}
		gate = link/p + g*a
	}
	switch {
	case gate == router:
		return p + a - 1 + link%p, true
	case router < gate:
		return gate%a - 1 + p, false
	}
	return gate%a + p, false
}

type dragonflyMin struct {
	plain
	p int
}

func (r dragonflyMin) next(p packet, _ int, buf []choice) []choice {
	out, global := dragonflyPort(r.p, p.router, p.dest/r.p)
	if vc := p.vc; !global {
		return append(buf, choice{out, vc, vc, 0})
	}
	return append(buf, choice{out, 1, 1, 0})
}

// dragonflyUGAL has class 0 for packets to the destination in the group of the source or from the last global channel on
// (phase 2), 1 for others to the destination (phase 1), and 2 and the intermediate router for packets to it (phase 0).
type dragonflyUGAL struct{ p int }

func (r dragonflyUGAL) classes() int { return 2 + 2*r.p*(2*r.p*r.p+1) }

func (r dragonflyUGAL) inject(source, dest int, buf []model.Class) []model.Class {
	a := 2 * r.p
	group, to := source/r.p/a, dest/r.p/a
	if group == to {
		return append(buf, 0)
	}
	buf = append(buf, 1)
	for router := range a * (a*r.p + 1) {
		if router/a != group {
			buf = append(buf, model.Class(2+router))
		}
	}
	return buf
}

func (r dragonflyUGAL) next(p packet, _ int, buf []choice) []choice {
	class := p.class
	if class == 2+p.router {
		class = 1
	}
	if class >= 2 {
		out, _ := dragonflyPort(r.p, p.router, class-2)
		return append(buf, choice{out, 0, 0, class})
	}
	out, global := dragonflyPort(r.p, p.router, p.dest/r.p)
	if global || class == 0 {
		return append(buf, choice{out, 2, 2, 0})
	}
	return append(buf, choice{out, 1, 1, 1})
}
