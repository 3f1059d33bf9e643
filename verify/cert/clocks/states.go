package clocks

import (
	"encoding/binary"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the evidence clocked-states: it visits all states of the network.

// The limits of the search.
const (
	maxStates  = 1 << 20
	maxChoices = 1 << 26
)

// A picture is a state of the network. By VC it has 0 if the VC is empty, 1 if the flit there has left the network after
// this clock, 2 + the VC of the flit before it, or 2 + the number of VCs + the state of a head.
// Then by endpoint: 1 if the tail of the packet on its injection VC is not sent.
type picture []int32

// survey is a visit of all states.
type survey struct {
	*clocked
	vcs  int32
	next [][]hop // by state
	seen map[string]bool
	work []picture
}

// leaves is the entry of a flit that leaves the network in the next clock.
const leaves = 1

func (x *clocked) allStates(claim *cert.Claim) error {
	s := &survey{clocked: x, vcs: x.Ejection(x.Endpoints), seen: map[string]bool{}}
	for i := range int32(len(x.dest)) {
		s.next = append(s.next, x.hops(i))
	}
	s.note(make(picture, s.vcs+x.Endpoints))
	choices := 0
	for len(s.work) > 0 {
		p := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if s.isDeadlock(p) {
			return cert.Reject(claim.Claim, "a run without pauses reaches a deadlock")
		}
		if choices += s.visitNext(p); len(s.seen) > maxStates || choices > maxChoices {
			return cert.Reject(claim.Claim, "the network has more than %d states, or %d choices", maxStates, maxChoices)
		}
	}
	if n := *claim.Steps; len(n) != 1 || int(n[0]) != len(s.seen) {
		return cert.Reject(claim.Claim, "runs without pauses reach %d states, not %v", len(s.seen), n)
	}
	return nil
}

// note adds a state to the work, if it is new.
func (s *survey) note(p picture) {
	var key []byte
	for _, v := range p {
		key = binary.AppendUvarint(key, uint64(v))
	}
	if !s.seen[string(key)] {
		s.seen[string(key)] = true
		s.work = append(s.work, p)
	}
}

// stateAt returns the state of the head on a VC, or -1 if no waiting head is there.
func (s *survey) stateAt(p picture, v int32) int32 {
	return max(-1, p[v]-2-s.vcs)
}

// isDeadlock reports whether some packets wait for each other: it clears all flits of packets that some hop lets move.
func (s *survey) isDeadlock(p picture) bool {
	p = append(picture{}, p...)
	for more := true; more; {
		more = false
		for v := range s.vcs {
			canMove := p[v] == leaves
			if k := s.stateAt(p, v); k >= 0 {
				for _, h := range s.next[k] {
					canMove = canMove || p[h.vc] == 0
				}
			}
			if canMove {
				s.clear(p, v)
				more = true
			}
		}
	}
	for v := range s.vcs {
		if p[v] != 0 {
			return true
		}
	}
	return false
}

// clear removes the packet whose first flit is on VC v.
func (s *survey) clear(p picture, v int32) {
	for v >= 0 {
		p[v] = 0
		v = s.behind(p, v)
	}
}

// behind returns the VC of the flit that follows the one on VC v, or -1.
func (s *survey) behind(p picture, v int32) int32 {
	for w := range s.vcs {
		if p[w] == 2+v {
			return w
		}
	}
	return -1
}

// visitNext notes all states after a clock, and returns how many choices there are.
func (s *survey) visitNext(p picture) (choices int) {
	var heads []int32 // the VCs of the first flits of all packets
	var sizes []int   // for each head its hops and one more
	for v := range s.vcs {
		if k := s.stateAt(p, v); k >= 0 || p[v] == leaves {
			heads = append(heads, v)
			size := 1
			if k >= 0 {
				size += len(s.next[k])
			}
			sizes = append(sizes, size)
		}
	}
	odometer(sizes, func(pick []int) {
		choices++
		if after, open, ok := s.move(p, heads, pick); ok {
			choices += s.finish(p, after, open)
		}
	})
	return choices
}

// odometer visits all lists of numbers below sizes.
func odometer(sizes []int, visit func(pick []int)) {
	pick := make([]int, len(sizes))
	for {
		visit(pick)
		i := 0
		for i < len(sizes) && pick[i] == sizes[i]-1 {
			pick[i] = 0
			i++
		}
		if i == len(sizes) {
			return
		}
		pick[i]++
	}
}

// move makes the hops that the heads pick (0: none). It returns the endpoints whose packets have moved and may send their
// tails. It returns false if a head picks a full VC, two pick the same, or a head stays that could move.
func (s *survey) move(p picture, heads []int32, pick []int) (after picture, open []int32, ok bool) {
	after = append(picture{}, p...)
	won := map[int32]bool{}
	for i, v := range heads {
		if pick[i] == 0 {
			continue
		}
		to := s.next[s.stateAt(p, v)][pick[i]-1]
		if p[to.vc] != 0 || won[to.vc] {
			return nil, nil, false
		}
		won[to.vc] = true
		after[v], after[to.vc] = 2+to.vc, leaves
		if to.state >= 0 {
			after[to.vc] = 2 + s.vcs + to.state
		}
	}
	for i, v := range heads {
		if k := s.stateAt(p, v); k >= 0 && pick[i] == 0 {
			for _, h := range s.next[k] {
				if p[h.vc] == 0 && !won[h.vc] {
					return nil, nil, false
				}
			}
			continue
		}
		tail := v
		for w := s.behind(p, tail); w >= 0; w = s.behind(p, tail) {
			tail = w
		}
		if e := tail - s.Injection(0); e >= 0 && e < s.Endpoints && p[s.vcs+e] == 1 {
			open = append(open, e)
			continue
		}
		after[tail] = 0
	}
	return after, open, true
}

// finish notes the states with each choice of tails and of new packets, and returns their number.
func (s *survey) finish(p, after picture, open []int32) (choices int) {
	sizes := make([]int, len(open))
	for i := range sizes {
		sizes[i] = 2
	}
	var idle []int32
	for e := range s.Endpoints {
		if p[s.Injection(e)] == 0 && len(s.starts[e]) > 0 {
			idle, sizes = append(idle, e), append(sizes, 1+2*len(s.starts[e]))
		}
	}
	odometer(sizes, func(pick []int) {
		choices++
		q := append(picture{}, after...)
		for i, e := range open {
			q[s.vcs+e] = int32(pick[i])
		}
		for i, e := range idle {
			if k := pick[len(open)+i]; k > 0 {
				q[s.Injection(e)] = 2 + s.vcs + s.starts[e][(k-1)/2]
				q[s.vcs+e] = int32((k - 1) % 2)
			}
		}
		s.note(q)
	})
	return choices
}
