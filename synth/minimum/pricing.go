package minimum

import (
	"math"
	"slices"
)

// This file finds cycles that improve the packing: the prices of their turns add up to less than
// 1.

// cyclesThatPay finds, for each channel, a cheapest cycle through it and channels of higher
// numbers. It adds the new cycles that cost less than 1, and returns their indices.
func (p *packer) cyclesThatPay() (fresh []int) {
	k := p.channels()
	dist, by := make([]float64, k), make([]int32, k)
	done := make([]bool, k)
	for s := range int32(k) {
		for c := range dist {
			dist[c], by[c], done[c] = math.Inf(1), -1, false
		}
		if cycle := p.cheapest(s, dist, by, done); cycle != nil {
			key := make([]byte, 0, 4*len(cycle))
			classes := make([]int32, len(cycle))
			for i, t := range cycle {
				classes[i] = p.row[t]
			}
			for _, t := range slices.Sorted(slices.Values(classes)) {
				key = append(key, byte(t), byte(t>>8), byte(t>>16), byte(t>>24))
			}
			if !p.known[string(key)] {
				p.known[string(key)] = true
				fresh = append(fresh, len(p.columns))
				p.columns, p.basic = append(p.columns, cycle), append(p.basic, false)
			}
		}
	}
	return fresh
}

// cheapest returns the turns of a cheapest cycle through s and channels of higher numbers. It
// returns nil if no cycle costs less than 1. Ties go to the cycle with fewer turns.
func (p *packer) cheapest(s int32, dist []float64, by []int32, done []bool) []int32 {
	const perTurn = 1e-7 // prefers short cycles
	queue := &heap{}
	queue.push(s, 0)
	dist[s] = 0
	closing, best := int32(-1), 1-1e-6
	for len(queue.items) > 0 {
		it := queue.pop()
		c := it.channel
		if done[c] || it.dist >= best {
			continue
		}
		done[c] = true
		for _, t := range p.out[c] {
			b := p.turns[t].out
			d := it.dist + max(0, p.price[p.row[t]]) + perTurn
			if b == s {
				if d < best {
					best, closing = d, t
				}
				continue
			}
			if b > s && d < best && d < dist[b] {
				dist[b], by[b] = d, t
				queue.push(b, d)
			}
		}
	}
	if closing < 0 {
		return nil
	}
	cycle := []int32{closing}
	for c := p.turns[closing].in; c != s; c = p.turns[by[c]].in {
		cycle = append(cycle, by[c])
	}
	slices.Reverse(cycle)
	return cycle
}

// heap is a priority queue of channels by distance.
type heap struct{ items []item }

type item struct {
	dist    float64
	channel int32
}

func (h *heap) push(c int32, d float64) {
	h.items = append(h.items, item{d, c})
	for i := len(h.items) - 1; i > 0; {
		up := (i - 1) / 2
		if h.items[up].dist <= h.items[i].dist {
			break
		}
		h.items[up], h.items[i] = h.items[i], h.items[up]
		i = up
	}
}

func (h *heap) pop() item {
	top := h.items[0]
	last := len(h.items) - 1
	h.items[0] = h.items[last]
	h.items = h.items[:last]
	for i := 0; ; {
		least := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < last && h.items[child].dist < h.items[least].dist {
				least = child
			}
		}
		if least == i {
			return top
		}
		h.items[i], h.items[least] = h.items[least], h.items[i]
		i = least
	}
}
