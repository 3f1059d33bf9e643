package mend

import (
	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file bounds the changes from below without a search.
//
// Promise: every table that will do differs from the given one in at least as many entries.
// Method: each destination that loses packets needs a change among its own entries. Of each cycle,
// some dependency must go, so the entries for each of its users change. Call a dependency light
// if it has fewer than k users. Either some dependency that is not light goes, and k entries
// change at least; or each cycle loses a light one. Then cycles are counted one after the other,
// each for the destinations that none before it counts. So the less of the two numbers is a
// bound, for each k.

// lowerBound returns the greatest such bound for the lost destinations and some cycles.
func (p *problem) lowerBound(cycles [][]model.VCID) int {
	best := len(p.lost)
	low, high := 1, p.given.Destinations()*p.given.Network().NumSwitches()
	for low <= high { // the count falls with k, as a rule: any k is right
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

// countCycles returns how many entries change at least if only dependencies with fewer than k
// users go, or k if that is not enough.
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
