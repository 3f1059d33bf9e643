package traffic

import (
	"errors"
	"fmt"
	"strconv"
)

// Patterns on coordinates.
//
// They move the switch and keep the host's place among the hosts of its switch. The network must
// be a grid with the same number of hosts at each switch. Other networks get the closest pattern
// on the numbers of hosts or switches. A host whose destination would be a missing switch of the grid sends nothing.

// onGrid makes the permutation in which move changes the coordinates of each place's switch. It
// returns nil if the network is no such grid.
func onGrid(p *places, move func(coords []int)) []int {
	g := p.net.Grid()
	if g == nil || p.len()%p.net.NumSwitches() != 0 {
		return nil
	}
	at := make([][]int, p.net.NumSwitches()) // by switch: its places
	index := make([]int, p.len())            // by place: its index in at
	for i, u := range p.switches {
		index[i] = len(at[u])
		at[u] = append(at[u], i)
	}
	for _, here := range at {
		if len(here) != p.len()/p.net.NumSwitches() {
			return nil
		}
	}
	list := make([]int, p.len())
	var coords []int
	for i := range list {
		coords = g.Coords(p.switches[i], coords[:0])
		move(coords)
		list[i] = noPlace
		if u := g.At(coords); u >= 0 {
			list[i] = at[u][index[i]]
		}
	}
	return list
}

// further moves a number of steps in every dimension.
func further(p *places, steps func(side int) int) []int {
	return onGrid(p, func(coords []int) {
		for d, side := range p.net.Grid().Sides {
			coords[d] = (coords[d] + steps(side)) % side
		}
	})
}

// around moves a number of steps over the numbers of the places, cyclically.
func around(p *places, steps int) []int {
	list := make([]int, p.len())
	for i := range list {
		list[i] = (i + steps) % len(list)
	}
	return list
}

// tornado moves ceil(k/2) - 1 steps in a dimension of k switches.
func tornado(p *places, _ string, _ uint64) ([]int, error) {
	if list := further(p, func(side int) int { return (side+1)/2 - 1 }); list != nil {
		return list, nil
	}
	return around(p, p.len()/2), nil
}

// shift moves a number of hosts or switches, cyclically. On a torus of N by N, shift:N/2 is the tornado of
// Yokota et al., flow limiting against congestion, section 4.1.2.
func shift(p *places, argument string, _ uint64) ([]int, error) {
	k, err := strconv.Atoi(argument)
	if err != nil || k < 0 || k >= p.len() {
		return nil, fmt.Errorf("traffic: shift:%s, a number of %s from 0 to %d was expected", clip(argument), p.many, p.len()-1)
	}
	return around(p, k), nil
}

func neighbour(p *places, _ string, _ uint64) ([]int, error) {
	if list := further(p, func(int) int { return 1 }); list != nil {
		return list, nil
	}
	return around(p, 1), nil
}

// antiTranspose swaps x and y after counting both from the other end: the transpose of a matrix
// whose first row has the highest y.
func antiTranspose(p *places, _ string, _ uint64) ([]int, error) {
	if g := p.net.Grid(); g != nil && g.Dims() == 2 && g.Sides[0] == g.Sides[1] {
		k := g.Sides[0] - 1
		if list := onGrid(p, func(c []int) { c[0], c[1] = k-c[1], k-c[0] }); list != nil {
			return list, nil
		}
	}
	return nil, errors.New("traffic: anti-transpose needs a square grid with a host at each switch")
}

// transpose swaps x and y. With one host at each switch of a 2^k by 2^k grid, this swaps the
// halves of the address.
func transpose(p *places, argument string, seed uint64) ([]int, error) {
	if g := p.net.Grid(); g != nil && g.Dims() == 2 && g.Sides[0] == g.Sides[1] {
		if list := onGrid(p, func(c []int) { c[0], c[1] = c[1], c[0] }); list != nil {
			return list, nil
		}
	}
	return address("transpose, on what is no square grid,", swapped)(p, argument, seed)
}
