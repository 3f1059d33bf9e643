package queues

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file finds the packets of a state that block each other.

// blockade is a set of packets. The others of the network are looked at as if they were gone.
type blockade struct {
	*run
	packets []*packet
	used    []int // by VC: flits of the packets
	looked  int   // VCs and packets that were looked at
}

// blocked returns the greatest set of packets none of which can move in the absence of all others. Flits must have moved as
// far as they can. A packet has the paths that keep it from moving.
func (r *run) blocked() *blockade {
	b := &blockade{run: r, used: slices.Clone(r.used), looked: len(r.queue) / 4}
	for _, q := range r.queue {
		for _, s := range q {
			if s.p.set != b {
				s.p.set = b
				b.packets = append(b.packets, s.p)
			}
		}
	}
	for again := true; again; {
		again = false
		b.looked += len(b.packets)
		b.packets = slices.DeleteFunc(b.packets, func(p *packet) bool {
			if b.waiting(p) != nil {
				return false
			}
			b.leave(p)
			again = true
			return true
		})
	}
	return b
}

// leave takes a packet out of the set.
func (b *blockade) leave(p *packet) {
	p.set = nil
	for k, v := range p.on[1:] {
		b.used[v] -= p.in[k+1] - p.left(k+1)
	}
}

// waiting returns a trail of packet p on which it can neither move nor get a next VC, or nil.
func (b *blockade) waiting(p *packet) *trail {
	k := len(p.on) - 1
	v := p.on[k]
	switch {
	case p.in[k] == 0 && b.used[v] < b.size(v):
		return nil
	case p.in[k] == 0 || b.isBehind(p, v):
		return p.trails[0]
	}
	for _, t := range p.trails {
		if _, can := b.choice(t.node); !can {
			return t
		}
	}
	return nil
}

// isBehind reports whether another packet is before the head of p on VC v.
func (b *blockade) isBehind(p *packet, v model.VCID) bool {
	for _, s := range b.queue[v] {
		if s.p == p && s.k == len(p.on)-1 {
			return false
		}
		if s.p.set == b {
			return true
		}
	}
	return false
}

// choice reports whether a packet at the front of its VC can get a next VC or leave the network. If it waits for one hop and
// cannot, choice returns the VC of this hop, else model.NoVC.
func (b *blockade) choice(at *node) (model.VCID, bool) {
	for _, to := range at.hops {
		switch can := b.canTake(to.VC); {
		case can && !at.commits:
			return model.NoVC, true
		case !can && at.commits:
			return to.VC, false
		}
	}
	return model.NoVC, at.leaves || at.commits
}

// canTake reports whether VC w can be given to a packet.
func (b *blockade) canTake(w model.VCID) bool {
	q := b.queue[w]
	for i := len(q) - 1; i >= 0; i-- {
		if q[i].p.set == b {
			if q[i].p.in[q[i].k] < b.Packet {
				return false
			}
			break
		}
	}
	return b.admits(w, b.used[w])
}
