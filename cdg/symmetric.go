package cdg

import (
	"context"
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file builds the dependency graph of a relation from one destination of each orbit of its symmetries.

// Orbits returns the first group of each orbit of the groups under symmetries of r, with the number of groups in
// the orbit. The symmetries must be those of a model.Symmetric.
func Orbits(r model.Relation, groups []Group, symmetries []*model.Automorphism) []Group {
	of := make([]int, r.Network().NumHosts()) // by host: the number of its group
	for _, g := range groups {
		for _, d := range g.Dests {
			of[r.DestinationHost(d)] = g.Number
		}
	}
	seen := make([]bool, len(groups))
	var first []Group
	var queue []int
	for _, g := range groups {
		if seen[g.Number] {
			continue
		}
		seen[g.Number] = true
		queue = append(queue[:0], g.Number)
		for i := 0; i < len(queue); i++ {
			for _, a := range symmetries {
				if image := of[a.Host(r.DestinationHost(groups[queue[i]].Dests[0]))]; !seen[image] {
					seen[image] = true
					queue = append(queue, image)
				}
			}
		}
		g.Orbit = len(queue)
		first = append(first, g)
	}
	return first
}

// BuildSymmetric returns the channel dependency graph of r, given the first group of each orbit of symmetries of r (see
// Orbits). It calls visit with the states of these groups only. It fails like Build. Cost: the states of these
// groups, and dependencies × symmetries.
func BuildSymmetric(ctx context.Context, r model.Relation, groups []Group, symmetries []*model.Automorphism, visit Visit) (*Graph, error) {
	b, err := build(ctx, r, groups, visit)
	if err != nil {
		return nil, err
	}
	b.close(symmetries)
	return b.graph(), nil
}

// close adds the images of all dependencies until the symmetries map each dependency to another one.
func (b *builder) close(symmetries []*model.Automorphism) {
	vcs := b.net.VCs()
	waiting := make([]bool, len(b.row)) // by VC: whether it is in the queue
	var queue []model.VCID
	push := func(v model.VCID) {
		if !waiting[v] {
			waiting[v] = true
			queue = append(queue, v)
		}
	}
	for v := range model.VCID(len(b.row)) {
		if b.used[v/64]>>(v%64)&1 != 0 {
			push(v)
		}
	}
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		waiting[v] = false
		in, _ := b.net.Channel(v)
		out := b.net.Out(b.net.Head(in))
		for _, a := range symmetries {
			w := a.VC(v)
			before, isNew := b.deps, b.used[w/64]>>(w%64)&1 == 0
			b.use(w)
			for j := range b.width(v) {
				if b.row[v] == 0 {
					break
				}
				for set := b.words[int(b.row[v]-1)+j]; set != 0; set &= set - 1 {
					at := 64*j + bits.TrailingZeros64(set)
					b.add(w, b.net.VC(a.Channel(out[at/vcs]), at%vcs))
				}
			}
			if isNew || b.deps > before {
				push(w)
			}
		}
		if i == len(b.row) { // forget what is done
			queue = append(queue[:0], queue[i+1:]...)
			i = -1
		}
	}
}
