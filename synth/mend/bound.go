package mend

import (
	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file computes a lower bound on the number of changes without a search.
//
// Every valid table differs from the given one in at least that number of entries. The argument:
// each destination that loses packets needs a change among its own entries. From each cycle some
// dependency must be removed, so the entries of each of its users change. Call a dependency light
// if it has fewer than k users. There are two cases. If a dependency that is not light is removed,
// at least k entries change. Otherwise each cycle loses a light dependency. Then the cycles are
// counted one after the other, each for the destinations that no earlier cycle counts. So for each
// k the smaller of the two numbers is a bound.

// lowerBound returns a bound from the lost destinations and the given cycles. It searches for the
// best k.
func (p *problem) lowerBound(cycles [][]model.VCID) int {
	best := len(p.lost)
	low, high := 1, p.given.Destinations()*p.given.Network().NumSwitches()
	for low <= high { // the count usually falls as k grows; each k gives a valid bound
		k := (low + high) / 2
		count := p.countCycles(cycles, k)
		best = max(best, min(k, count))
		if count >= k {
			low = k + 1
		} else {
			high = k - 1
		}
	}
	return best
}

// countCycles returns the least number of changed entries if only dependencies with fewer than k
// users may be removed. It returns at least k if some cycle has no such dependency.
func (p *problem) countCycles(cycles [][]model.VCID, k int) int {
	counted := make([]bool, p.given.Destinations())
	count := func(list []model.DestID) {
		for _, d := range list {
			counted[d] = true
		}
	}
	count(p.lost)
	bound := len(p.lost)
	for _, cycle := range cycles {
		least := -1
		var light []model.Turn
		for _, dep := range cdg.Dependencies(cycle) {
			if p.fixed[dep] || len(p.users[dep]) >= k {
				continue
			}
			light = append(light, dep)
			users := 0
			for _, d := range p.users[dep] {
				if !counted[d] {
					users++
				}
			}
			if least < 0 || users < least {
				least = users
			}
		}
		if least < 0 {
			return max(k, bound)
		}
		if bound += least; least > 0 {
			for _, dep := range light {
				count(p.users[dep])
			}
		}
	}
	return bound
}
