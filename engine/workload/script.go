package workload

// This file turns the steps of a collective into operations. In a step a member sends or receives
// some messages at the same time. The operations of its next step require all of them.

// script is a collective in the making.
type script struct {
	b      *builder
	ranks  []int32 // by member: its rank
	bytes  int64
	root   int // a member
	chunks int
	place  func(member int) (file, line int32) // position of a member's operations; if nil, the step
	step   int32                               // number of the current step, from 1
	tag    int64                               // tag of the current step
	last   [][]OpID                            // by member: the operations of its last step
	now    [][]OpID                            // by member: the operations of this step
	active []int                               // members with operations in this step
}

// newScript returns a script for a group of all ranks.
func newScript(b *builder, ranks int) *script {
	s := &script{b: b, ranks: make([]int32, ranks), step: 1, chunks: 1}
	for i := range s.ranks {
		s.ranks[i] = int32(i)
	}
	s.last, s.now = make([][]OpID, ranks), make([][]OpID, ranks)
	return s
}

// members returns the size of the group.
func (s *script) members() int { return len(s.ranks) }

// part returns the size of part i of k parts of the bytes. Parts differ by at most 1 byte.
func (s *script) part(i, k int) int64 {
	low, rest := s.bytes/int64(k), s.bytes%int64(k)
	if int64(i) < rest {
		return low + 1
	}
	return low
}

// message adds a message from member i to member j to the current step.
func (s *script) message(i, j int, bytes int64) {
	s.add(i, Op{Kind: Send, Rank: s.ranks[i], Peer: s.ranks[j], Amount: bytes})
	s.add(j, Op{Kind: Recv, Rank: s.ranks[j], Peer: s.ranks[i], Amount: bytes})
}

func (s *script) add(i int, o Op) {
	o.Tag, o.CPU, o.Line = s.tag, NoCPU, s.step
	if s.place != nil {
		o.File, o.Line = s.place(i)
	}
	x := s.b.add(o)
	s.b.require(x, s.last[i]...)
	if len(s.now[i]) == 0 {
		s.active = append(s.active, i)
	}
	s.now[i] = append(s.now[i], x)
}

// next ends the step.
func (s *script) next() {
	for _, i := range s.active {
		s.last[i], s.now[i] = s.now[i], nil
	}
	s.active = s.active[:0]
	s.step++
	s.tag++
}
