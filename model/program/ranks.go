package program

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file evaluates the channel numbers that a program states in its function rank.

// Ranks returns the numbers that rank of the program gives the VCs between switches of n, by VC. Each is a
// tuple, which proofs compare from left to right. The result is nil if the program has no rank. n must
// be of its family and have at least as many VCs as the program uses.
func (p *Program) Ranks(n *model.Network) ([][]int, error) {
	sides, err := p.SidesOn(n)
	if err != nil || !p.Ranked {
		return nil, err
	}
	in, err := p.OnFaulty(Numbers(sides), worksOn(n))
	if err != nil {
		return nil, err
	}
	g, list := n.Grid(), make([][]int, n.NumLinkVCs())
	for c := range model.ChannelID(n.NumLinkChannels()) {
		u := n.Tail(c)
		d, plus, _ := g.PortDirection(n.TailPort(c))
		a := Dir(2 * d)
		if !plus {
			a++
		}
		for vc := range min(p.VCs, n.VCs()) {
			tuple, err := in.Rank(Numbers(g.Coords(u, nil)), a, vc, wrapsAt(g, u, a))
			if err != nil {
				return nil, err
			}
			list[n.VC(c, vc)] = make([]int, len(tuple))
			for k, x := range tuple {
				number, ok := small(x)
				if !ok {
					return nil, fmt.Errorf("program: %s: rank returned %s; want numbers", p.Name, show(x))
				}
				list[n.VC(c, vc)][k] = number
			}
		}
	}
	return list, nil
}

// CompareRanks compares two results of rank from left to right. It returns a negative number if a is
// less. A missing number is less than any number.
func CompareRanks(a, b []int) int { return slices.Compare(a, b) }
