package traffic

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

// Patterns on coordinates.
//
// They move the switch and keep the host's place among the hosts of its switch. The network must
// be a grid with the same number of hosts at each switch. Other networks get the closest pattern
// on host numbers. A host whose destination would be a missing switch of the grid sends nothing.

// onGrid makes the permutation in which move changes the coordinates of each host's switch. It
// returns nil if the network is no such grid.
func onGrid(n *model.Network, move func(coords []int)) fixed {
	g := n.Grid()
	if g == nil || n.NumHosts()%n.NumSwitches() != 0 {
		return nil
	}
	at := make([][]model.HostID, n.NumSwitches()) // by switch
	place := make([]int, n.NumHosts())            // by host: its place at its switch
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

// further moves a number of steps in every dimension.
func further(n *model.Network, steps func(side int) int) fixed {
	return onGrid(n, func(coords []int) {
		for d, side := range n.Grid().Sides {
			coords[d] = (coords[d] + steps(side)) % side
		}
	})
}

// around moves a number of steps over the host numbers, cyclically.
func around(n *model.Network, steps int) fixed {
	list := make(fixed, n.NumHosts())
	for h := range list {
		list[h] = model.HostID((h + steps) % len(list))
	}
	return list
}

// tornado moves ceil(k/2) - 1 steps in a dimension of k switches.
func tornado(n *model.Network, _ string, _ uint64) (Pattern, error) {
	if list := further(n, func(side int) int { return (side+1)/2 - 1 }); list != nil {
		return list, nil
	}
	return around(n, n.NumHosts()/2), nil
}

// shift moves a number of hosts, cyclically. On a torus of N by N, shift:N/2 is the tornado of
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

// antiTranspose swaps x and y after counting both from the other end: the transpose of a matrix
// whose first row has the highest y.
func antiTranspose(n *model.Network, _ string, _ uint64) (Pattern, error) {
	if g := n.Grid(); g != nil && g.Dims() == 2 && g.Sides[0] == g.Sides[1] {
		k := g.Sides[0] - 1
		if list := onGrid(n, func(c []int) { c[0], c[1] = k-c[1], k-c[0] }); list != nil {
			return list, nil
		}
	}
	return nil, errors.New("traffic: anti-transpose needs a square grid with a host at each switch")
}

// transpose swaps x and y. With one host at each switch of a 2^k by 2^k grid, this swaps the
// halves of the address.
func transpose(n *model.Network, argument string, seed uint64) (Pattern, error) {
	if g := n.Grid(); g != nil && g.Dims() == 2 && g.Sides[0] == g.Sides[1] {
		if list := onGrid(n, func(c []int) { c[0], c[1] = c[1], c[0] }); list != nil {
			return list, nil
		}
	}
	return address("transpose, on what is no square grid,", swapped)(n, argument, seed)
}
