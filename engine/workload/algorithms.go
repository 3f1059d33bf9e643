package workload

import "math/bits"

// This file has the algorithms of the collectives. N is the number of members.

// ringSteps lets each member send part (member - step + offset) mod N of the bytes to the next
// member, in each of N-1 steps.
func ringSteps(s *script, offset int) {
	n := s.members()
	for k := range n - 1 {
		for i := range n {
			s.message(i, (i+1)%n, s.part((i-k+offset+2*n)%n, n))
		}
		s.next()
	}
}

// ringReduceScatter leaves part i+1 of the reduced bytes at member i.
func ringReduceScatter(s *script) { ringSteps(s, 0) }

// ringAllReduce is a reduce-scatter and an all-gather of the parts.
func ringAllReduce(s *script) {
	ringSteps(s, 0)
	ringSteps(s, 1)
}

// ringAllGather passes the bytes of each member around the ring.
func ringAllGather(s *script) {
	n := s.members()
	for range n - 1 {
		for i := range n {
			s.message(i, (i+1)%n, s.bytes)
		}
		s.next()
	}
}

// reduce is a binomial tree: in step k, members whose distance from the root is an odd multiple of
// 2^k send all bytes to the member that is 2^k nearer to the root.
func reduce(s *script) {
	n := s.members()
	for d := 1; d < n; d *= 2 {
		for i := d; i < n; i += 2 * d {
			s.message((s.root+i)%n, (s.root+i-d)%n, s.bytes)
		}
		s.next()
	}
}

// broadcast is the same tree in the other direction.
func broadcast(s *script) {
	n := s.members()
	for d := 1 << (bits.Len(uint(n-1)) - 1); d > 0; d /= 2 {
		for i := 0; i+d < n; i += 2 * d {
			s.message((s.root+i)%n, (s.root+i+d)%n, s.bytes)
		}
		s.next()
	}
}

func treeAllReduce(s *script) {
	reduce(s)
	broadcast(s)
}

// doublingAllReduce exchanges all bytes with the member whose number differs in bit k, in step k.
// If N is no power of two, the first 2r members, with r = N - 2^k, become r: each even one sends
// its bytes to the next member before the exchanges, and receives the result after them.
func doublingAllReduce(s *script) {
	n := s.members()
	power := 1 << (bits.Len(uint(n)) - 1)
	rest := n - power
	member := func(i int) int { // member i of those that exchange
		if i < rest {
			return 2*i + 1
		}
		return i + rest
	}
	fold := func(to int) {
		for i := range rest {
			s.message(2*i+1-to, 2*i+to, s.bytes)
		}
		s.next()
	}
	fold(1)
	for d := 1; d < power; d *= 2 {
		for i := range power {
			s.message(member(i), member(i^d), s.bytes)
		}
		s.next()
	}
	fold(0)
}

// allToAll sends to the next member first, then to the one after it.
func allToAll(s *script) {
	n := s.members()
	for k := 1; k < n; k++ {
		for i := range n {
			s.message(i, (i+k)%n, s.part((i+k)%n, n))
		}
	}
	s.next()
}

func scatter(s *script) {
	n := s.members()
	for k := 1; k < n; k++ {
		s.message(s.root, (s.root+k)%n, s.part((s.root+k)%n, n))
	}
	s.next()
}

func gather(s *script) {
	n := s.members()
	for k := 1; k < n; k++ {
		s.message((s.root+k)%n, s.root, s.bytes)
	}
	s.next()
}

// pipeline lets a member send chunk k in the step after it has received the chunk.
func pipeline(s *script) {
	n := s.members()
	for step := range n - 1 + s.chunks - 1 {
		for i := range n - 1 {
			if k := step - i; k >= 0 && k < s.chunks {
				s.message(i, i+1, s.part(k, s.chunks))
			}
		}
		s.next()
	}
}

// barrier is the dissemination barrier: in step k, each member informs the member 2^k further.
func barrier(s *script) {
	n := s.members()
	for d := 1; d < n; d *= 2 {
		for i := range n {
			s.message(i, (i+d)%n, 0)
		}
		s.next()
	}
}
