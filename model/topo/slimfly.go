package topo

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file builds Slim Flies: the graphs of diameter 2 of McKay, Miller and Širáň (J.
// Combinatorial Theory B 74, 1998).
//
// Source: Besta, Hoefler, Slim Fly: a cost effective low-diameter network topology, SC 2014,
// section II-B; Hafner, Geometric realisation of the graphs of McKay-Miller-Širáň, J. Combinatorial Theory B 90, 2004; for powers of 2
// Šiagiová, J. Graph Theory 2001. q = 4w+δ is a prime power from 3 on, and δ is 1, 0 or -1. The network has
// 2q² switches of degree (3q-δ)/2. q = 5 gives the graph of Hoffman and Singleton. Numbers: switch
// (0,x,y) is x*q+y, switch (1,m,c) is q²+m*q+c, with elements of the field as in field.go.

// SlimFly returns the Slim Fly of the field of q elements, with one host per switch by default. (The paper uses
// half the degree, rounded up.)
func SlimFly(q int, o Options) (*model.Network, error) {
	if p, _ := primePower(q); q < 3 || q > maxField || p == 0 {
		return nil, fmt.Errorf("a Slim Fly with q=%d, allowed are prime powers from 3 to %d%s", q, maxField, nearestPrimePowers(q))
	}
	degree := (3*q + 1) / 2 // also (3q-1)/2 and 3q/2: q is odd or a multiple of 4
	if q%4 == 1 {
		degree = (3*q - 1) / 2
	}
	n, hosts := 2*q*q, o.hosts(1)
	d, err := newDraft(size{
		switches: n,
		links:    product(n, degree) / 2,
		hosts:    product(n, hosts),
		ports:    degree + hosts,
	}, o)
	if err != nil {
		return nil, err
	}
	f, err := newField(q)
	if err != nil {
		return nil, err
	}
	x0, x1 := generators(f)
	d.slimFlyRows(f, 0, x0)
	d.slimFlyRows(f, q*q, x1)
	for x := range q { // (0,x,y) and (1,m,c) are linked if and only if y = m*x + c
		for y := range q {
			for m := range q {
				d.join(x*q+y, q*q+m*q+f.add(y, f.negative(f.multiply(m, x))))
			}
		}
	}
	d.attachAll(hosts)
	d.name = func(u model.SwitchID) string {
		i := int(u)
		return "s" + dotted(i/(q*q), i/q%q, i%q)
	}
	d.attribute("part", func(u model.SwitchID) int { return int(u) / (q * q) })
	d.attribute("x", func(u model.SwitchID) int { return int(u) / q % q })
	d.attribute("y", func(u model.SwitchID) int { return int(u) % q })
	return d.build()
}

// slimFlyRows links switches of the same row whose columns differ by a generator. set must be
// closed under negation.
func (d *draft) slimFlyRows(f *field, base int, set []int) {
	in := make([]bool, f.q)
	for _, g := range set {
		in[g] = true
	}
	for row := range f.q {
		for y := range f.q {
			for z := y + 1; z < f.q; z++ {
				if in[f.add(z, f.negative(y))] {
					d.join(base+row*f.q+y, base+row*f.q+z)
				}
			}
		}
	}
}

// generators returns the sets X and X' of the paper, from the powers of a primitive element.
func generators(f *field) (x0, x1 []int) {
	q := f.q
	add := func(first, last int) {
		for e := first; e <= last; e += 2 {
			x0, x1 = append(x0, f.power[e]), append(x1, f.power[(e+1)%(q-1)])
		}
	}
	switch q % 4 {
	case 0: // X: even powers 0 to q-2; X': odd powers, and power q-1 = 0
		add(0, q-2)
	case 1: // even powers, odd powers
		add(0, q-3)
	case 3:
		w := (q + 1) / 4 // X has powers 0, 2 ... 2w-2 and 2w-1, 2w+1 ... 4w-3; X' has each power plus one
		add(0, 2*w-2)
		add(2*w-1, 4*w-3)
	}
	return x0, x1
}
