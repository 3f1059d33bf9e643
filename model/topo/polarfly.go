package topo

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file builds PolarFly: the polarity graph of Erdős and Rényi.
//
// Switches are the points of the projective plane over the field of q elements. Two different points are linked if they are
// orthogonal, the dot product of their vectors being 0. There are q²+q+1 switches. The q+1 points that are orthogonal to themselves
// (quadrics) have degree q, the others q+1. The diameter is 2. Source: Lakhotia, Besta, Monroe, Isham, Iff, Hoefler, Petrini,
// PolarFly: a cost-effective and flexible low-diameter topology, SC 2022, section IV; Erdős, Rényi, On a problem in the theory of
// graphs, 1962. Numbers: (1,y,z) is y*q+z, (0,1,z) is q²+z, (0,0,1) is q²+q.

// PolarFly returns the PolarFly of the field of q elements, with one host per switch by default.
func PolarFly(q int, o Options) (*model.Network, error) {
	if p, _ := primePower(q); p == 0 || q > maxField {
		return nil, fmt.Errorf("a PolarFly with q=%d, allowed are prime powers from 2 to %d%s", q, maxField, nearestPrimePowers(q))
	}
	n, hosts := q*q+q+1, o.hosts(1)
	d, err := newDraft(size{switches: n, links: q * (q + 1) * (q + 1) / 2, hosts: product(n, hosts), ports: q + 1 + hosts}, o)
	if err != nil {
		return nil, err
	}
	f, err := newField(q)
	if err != nil {
		return nil, err
	}
	for u := range n {
		for _, v := range f.orthogonal(u) {
			if u < v {
				d.join(u, v)
			}
		}
	}
	d.attachAll(hosts)
	d.name = func(u model.SwitchID) string {
		a, b, c := f.point(int(u))
		return "s" + dotted(a, b, c)
	}
	return d.build()
}

// point returns the vector of a point, whose first coordinate other than 0 is 1.
func (f *field) point(u int) (a, b, c int) {
	switch q := f.q; {
	case u < q*q:
		return 1, u / q, u % q
	case u < q*q+q:
		return 0, 1, u - q*q
	}
	return 0, 0, 1
}

// orthogonal returns the q+1 points that are orthogonal to point u, ascending.
func (f *field) orthogonal(u int) (list []int) {
	a, b, c := f.point(u)
	q := f.q
	// solve appends the points first+z with z in the field and known + c*z = 0.
	solve := func(known, first int) {
		switch {
		case c != 0:
			list = append(list, first+f.divide(f.negative(known), c))
		case known == 0:
			for z := range q {
				list = append(list, first+z)
			}
		}
	}
	for y := range q {
		solve(f.add(a, f.multiply(b, y)), y*q)
	}
	solve(b, q*q)
	if c == 0 {
		list = append(list, q*q+q)
	}
	return list
}
