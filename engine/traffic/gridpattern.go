package traffic

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

// This file is the patterns on coordinates.
//
// They move the switch and keep the host's place among the hosts of its switch,
// on grids whose switches have the same number of hosts; other networks get what
// comes next to it on host numbers. Where a grid has a hole, the host sends none.

// onGrid makes the permutation in which move changes the coordinates of each
// host's switch; nil where the network is no such grid.
func onGrid(n *model.Network, move func(coords []int)) fixed {
	g := n.Grid()
	if g == nil || n.NumHosts()%n.NumSwitches() != 0 {
		return nil
	}
	at := make([][]model.HostID, n.NumSwitches()) // by switch
	place := make([]int, n.NumHosts())            // by host: its place there
	for h := range model.HostID(n.NumHosts()) {
		u := n.Host(h).Switch
		place[h] = len(at[u])
		at[u] = append(at[u], h)
	}
	for _, hosts := range at {
		if len(hosts) != n.NumHosts()/n.NumSwitches() {
			return nil
		}
	}
	list := make(fixed, n.NumHosts())
	var coords []int
	for h := range list {
		coords = g.Coords(n.Host(model.HostID(h)).Switch, coords[:0])
		move(coords)
		list[h] = model.NoHost
		if u := g.At(coords); u != model.NoSwitch {
			list[h] = at[u][place[h]]
		}
	}
	return list
}

// further goes so many steps on in every dimension.
func further(n *model.Network, steps func(side int) int) fixed {
	return onGrid(n, func(coords []int) {
		for d, side := range n.Grid().Sides {
			coords[d] = (coords[d] + steps(side)) % side
		}
	})
}

// around goes so many hosts on.
func around(n *model.Network, steps int) fixed {
	list := make(fixed, n.NumHosts())
	for h := range list {
		list[h] = model.HostID((h + steps) % len(list))
	}
	return list
}

// tornado goes ceil(k/2) - 1 steps on in a dimension of k.
func tornado(n *model.Network, _ string, _ uint64) (Pattern, error) {
	if list := further(n, func(side int) int { return (side+1)/2 - 1 }); list != nil {
		return list, nil
	}
	return around(n, n.NumHosts()/2), nil
}

// shift sends so many hosts further. On a torus of N by N, shift:N/2 is the tornado of
// Yokota et al., flow limiting against congestion, section 4.1.2.
func shift(n *model.Network, argument string, _ uint64) (Pattern, error) {
	k, err := strconv.Atoi(argument)
	if err != nil || k < 0 || k >= n.NumHosts() {
		return nil, fmt.Errorf("traffic: shift:%s, a number of hosts from 0 to %d was expected", clip(argument), n.NumHosts()-1)
	}
	return around(n, k), nil
}

func neighbour(n *model.Network, _ string, _ uint64) (Pattern, error) {
	if list := further(n, func(int) int { return 1 }); list != nil {
		return list, nil
	}
	return around(n, 1), nil
}

// antiTranspose swaps x and y after each is counted from the other end: the
// transpose of a matrix whose first row is that of the highest y.
func antiTranspose(n *model.Network, _ string, _ uint64) (Pattern, error) {
	if g := n.Grid(); g != nil && g.Dims() == 2 && g.Sides[0] == g.Sides[1] {
		k := g.Sides[0] - 1
		if list := onGrid(n, func(c []int) { c[0], c[1] = k-c[1], k-c[0] }); list != nil {
			return list, nil
		}
	}
	return nil, errors.New("traffic: anti-transpose needs a square grid with a host at each switch")
}

// transpose swaps x and y. With one host at each switch of a grid of 2^k by 2^k
// that is swapping the halves of the address.
func transpose(n *model.Network, argument string, seed uint64) (Pattern, error) {
	if g := n.Grid(); g != nil && g.Dims() == 2 && g.Sides[0] == g.Sides[1] {
		if list := onGrid(n, func(c []int) { c[0], c[1] = c[1], c[0] }); list != nil {
			return list, nil
		}
	}
	return address("transpose, on what is no square grid,", swapped)(n, argument, seed)
}
