package topo

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file builds cube-connected cycles and butterflies.
//
// Cube-connected cycles of order n: each corner of the hypercube of n dimensions becomes a ring of n switches, of which switch d has the link of dimension
// d. There are n*2^n switches of degree 3; the diameter is 6 for n = 3 and 2n+⌊n/2⌋-2 for larger n. Source: Preparata, Vuillemin, The
// cube-connected cycles, Communications of the ACM 24(5), 1981; Friš, Havel, Liebl, The diameter of the cube-connected cycles, Information
// Processing Letters 61, 1997.
//
// Butterfly, a k-ary n-fly: n stages of k^(n-1) switches. A switch of stage i is linked to the k switches of stage i+1 whose rows differ at most in
// digit n-2-i in base k. Links are bidirectional here. The papers' sources are hosts at the first stage, their destinations hosts at the
// last one. Source: Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapter 4.

// CubeConnectedCycles returns the cube-connected cycles of order n. Switch d of corner x has number x*n+d.
func CubeConnectedCycles(n int, o Options) (*model.Network, error) {
	if n < 3 || n > MaxDims {
		return nil, fmt.Errorf("cube-connected cycles of order %d, allowed are 3 to %d", n, MaxDims)
	}
	count, hosts := product(n, 1<<n), o.hosts(1)
	d, err := newDraft(size{switches: count, links: product(count, 3) / 2, hosts: product(count, hosts), ports: 3 + hosts}, o)
	if err != nil {
		return nil, err
	}
	for u := range count {
		x, i := u/n, u%n
		d.link(u, 1, x*n+(i+1)%n, 2)
		if x&(1<<i) == 0 {
			d.link(u, 3, (x|1<<i)*n+i, 3)
		}
	}
	for i := range n {
		d.permute(func(u int) int { return (u/n^1<<i)*n + u%n })
	}
	d.attachAll(hosts)
	d.name = func(u model.SwitchID) string { return "s" + dotted(int(u)/n, int(u)%n) }
	d.attribute("cube", func(u model.SwitchID) int { return int(u) / n })
	d.attribute("position", func(u model.SwitchID) int { return int(u) % n })
	return d.build()
}

// Butterfly returns the k-ary n-fly. Switch r of stage i has number i*k^(n-1)+r. Switches of the first and the last stage have k hosts by default, those of a
// single stage 2k.
func Butterfly(k, n int, o Options) (*model.Network, error) {
	if k < 2 || k > model.MaxPort || n < 1 || n > MaxDims {
		return nil, fmt.Errorf("a %d-ary %d-fly, allowed are 2 to %d and 1 to %d", k, n, model.MaxPort, MaxDims)
	}
	rows, hosts := product(slices.Repeat([]int{k}, n-1)...), o.hosts(k)
	s := size{switches: product(n, rows), links: product(n-1, rows, k), hosts: product(2, rows, hosts), ports: k + hosts}
	if n > 2 {
		s.ports = max(s.ports, 2*k)
	}
	if n == 1 {
		hosts = o.hosts(2 * k)
		s.hosts, s.ports = hosts, hosts
	}
	d, err := newDraft(s, o)
	if err != nil {
		return nil, err
	}
	for i, place := 0, rows/k; i < n-1; i, place = i+1, place/k {
		for r := range rows {
			for x := range k {
				to := r + (x-r/place%k)*place
				back := r / place % k
				p := model.Port(1 + x)
				if i > 0 {
					p += model.Port(k)
				}
				d.link(i*rows+r, p, (i+1)*rows+to, model.Port(1+back))
			}
		}
	}
	for u := range d.next {
		if stage := u / rows; stage == 0 || stage == n-1 {
			d.attach(u, hosts)
		}
	}
	d.name = func(u model.SwitchID) string { return "s" + dotted(int(u)/rows, int(u)%rows) }
	d.attribute("stage", func(u model.SwitchID) int { return int(u) / rows })
	d.attribute("row", func(u model.SwitchID) int { return int(u) % rows })
	return d.build()
}
