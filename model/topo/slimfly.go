package topo

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file builds Slim Flies: the graphs of diameter 2 of McKay, Miller and Širáň (J.
// Combinatorial Theory B 74, 1998).
//
// Source: Besta, Hoefler, Slim Fly: a cost effective low-diameter network topology, SC 2014,
// section II-B; Hafner, Geometric realisation of the graphs of McKay-Miller-Širáň, 2004. q =
// 4w+1 or 4w-1 must be an odd prime here. (The construction also allows prime powers, which
// need Galois field arithmetic.) The network has 2q² switches of degree (3q-δ)/2, where δ is 1
// or -1, equal to q mod 4. q = 5 gives the graph of Hoffman and Singleton. Numbers: switch
// (0,x,y) is x*q+y, switch (1,m,c) is q²+m*q+c.

// SlimFly returns the Slim Fly of prime q, with one host per switch by default. (The paper uses
// half the degree, rounded up.)
func SlimFly(q int, o Options) (*model.Network, error) {
	if q < 3 || q > 1<<10 || !isPrime(q) {
		return nil, fmt.Errorf("a Slim Fly with q=%d, allowed are odd primes from 3 to %d%s", q, 1<<10, nearestPrimes(q))
	}
	x0, x1 := generators(q)
	n, hosts, degree := 2*q*q, o.hosts(1), q+len(x0)
	d, err := newDraft(size{
		switches: n,
		links:    product(n, degree) / 2,
		hosts:    product(n, hosts),
		ports:    degree + hosts,
	}, o)
	if err != nil {
		return nil, err
	}
	d.slimFlyRows(q, 0, x0)
	d.slimFlyRows(q, q*q, x1)
	for x := range q { // (0,x,y) and (1,m,c) are linked if and only if y = m*x + c
		for y := range q {
			for m := range q {
				c := (y - m*x%q + q) % q
				d.join(x*q+y, q*q+m*q+c)
			}
		}
	}
	d.attachAll(hosts)
	d.name = func(u model.SwitchID) string {
		i := int(u)
		return "s" + dotted(i/(q*q), i/q%q, i%q)
	}
	return d.build()
}

// slimFlyRows links switches of the same row whose columns differ by a generator. set must be
// closed under negation.
func (d *draft) slimFlyRows(q, base int, set []int) {
	in := make([]bool, q)
	for _, g := range set {
		in[g] = true
	}
	for row := range q {
		for y := range q {
			for z := y + 1; z < q; z++ {
				if in[z-y] {
					d.join(base+row*q+y, base+row*q+z)
				}
			}
		}
	}
}

// generators returns the sets X and X' of the paper.
func generators(q int) (x0, x1 []int) {
	power := make([]int, q) // powers of a primitive element
	power[0] = 1
	for e, root := 1, primitiveRoot(q); e < q; e++ {
		power[e] = power[e-1] * root % q
	}
	if q%4 == 1 { // even powers, odd powers
		for e := 0; e < q-1; e += 2 {
			x0, x1 = append(x0, power[e]), append(x1, power[e+1])
		}
		return x0, x1
	}
	w := (q + 1) / 4 // X has powers 0, 2 ... 2w-2 and 2w-1, 2w+1 ... 4w-3; X' has each power plus one
	for e := 0; e < 2*w; e += 2 {
		x0, x1 = append(x0, power[e]), append(x1, power[e+1])
	}
	for e := 2*w - 1; e <= 4*w-3; e += 2 {
		x0, x1 = append(x0, power[e]), append(x1, power[e+1])
	}
	return x0, x1
}

// primitiveRoot returns the smallest element whose powers are all of 1..q-1.
func primitiveRoot(q int) int {
	for g := 2; ; g++ {
		order, p := 1, g%q
		for p != 1 {
			p = p * g % q
			order++
		}
		if order == q-1 {
			return g
		}
	}
}

func isPrime(q int) bool {
	for f := 2; f*f <= q; f++ {
		if q%f == 0 {
			return false
		}
	}
	return q > 1
}

func nearestPrimes(q int) string {
	if q < 4 || q > 1<<10 {
		return ""
	}
	lower, upper := q-1, q+1
	for !isPrime(lower) {
		lower--
	}
	for !isPrime(upper) {
		upper++
	}
	return fmt.Sprintf("; the nearest are %d and %d", lower, upper)
}
