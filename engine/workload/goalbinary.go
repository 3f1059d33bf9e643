package workload

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// This file reads the binary form of GOAL that LogGOPSim's txt2bin writes. All numbers are little
// endian:
//
//	cookie 4223 (8 bytes), ranks (4), processors (1), NICs (1)
//	by rank: begin and end of its data (8 each), counted from the byte after the cookie
//	data of a rank: operations (4), roots (4), the indices of the roots (4 each),
//	  by operation: requirements (4), type (1), peer (4), size (8), tag (4), processor (1), NIC (1),
//	    number (4) and first index (4) of the operations that wait for its end, the same for its start
//	  then the operations that wait (4 each)

const (
	goalCookie   = 4223
	goalOpBytes  = 39
	goalAny      = math.MaxUint32
	goalMaxBytes = 1 << 32
)

// goalSections are the parts of a binary file.
type goalSections struct {
	*builder
	name string
	data []byte // after the cookie
}

// isGoalBinary reports whether a file that starts with these bytes is binary GOAL.
func isGoalBinary(start []byte) bool {
	return len(start) >= 8 && binary.LittleEndian.Uint64(start) == goalCookie
}

// readGoalBinary reads a workload in binary GOAL.
func readGoalBinary(name string, r io.Reader) (*Graph, error) {
	all, err := io.ReadAll(io.LimitReader(r, goalMaxBytes+1))
	if err != nil || len(all) > goalMaxBytes {
		return nil, &Error{File: name, Msg: fmt.Sprintf("cannot be read, or has more than %d bytes", int64(goalMaxBytes)), Err: err}
	}
	if !isGoalBinary(all) || len(all) < 14 {
		return nil, &Error{File: name, Msg: "no binary GOAL: the cookie 4223 or the number of ranks is missing"}
	}
	data := all[8:]
	ranks := binary.LittleEndian.Uint32(data)
	if ranks < 1 || ranks > MaxRanks || uint64(len(data)) < 6+16*uint64(ranks) {
		return nil, &Error{File: name, Msg: fmt.Sprintf("%d ranks in %d bytes", ranks, len(all))}
	}
	s := &goalSections{builder: newBuilder(name, "operation", int(ranks), name), name: name, data: data}
	for rank := range int(ranks) {
		if err := s.rank(rank); err != nil {
			return nil, err
		}
	}
	return s.finish()
}

func (s *goalSections) errorf(rank int, format string, a ...any) error {
	return &Error{File: s.name, Msg: fmt.Sprintf("rank %d: ", rank) + fmt.Sprintf(format, a...)}
}

// rank reads the operations of a rank.
func (s *goalSections) rank(rank int) error {
	begin, end := binary.LittleEndian.Uint64(s.data[6+16*rank:]), binary.LittleEndian.Uint64(s.data[14+16*rank:])
	if begin > end || end > uint64(len(s.data)) || end-begin < 8 {
		return s.errorf(rank, "its data is from byte %d to %d, the file has %d", begin, end, len(s.data))
	}
	part := s.data[begin:end]
	count, roots := uint64(binary.LittleEndian.Uint32(part)), uint64(binary.LittleEndian.Uint32(part[4:]))
	if uint64(len(part)) < 8+4*roots+goalOpBytes*count {
		return s.errorf(rank, "%d operations and %d roots in %d bytes", count, roots, len(part))
	}
	list := part[8+4*roots:]
	waiting := list[goalOpBytes*count:]
	first := OpID(len(s.Ops))
	for i := range int(count) {
		if err := s.operation(rank, i, first, int(count), list[goalOpBytes*i:], waiting); err != nil {
			return err
		}
	}
	return nil
}

// operation reads operation i of count operations of a rank, and the operations that wait for it.
func (s *goalSections) operation(rank, i int, first OpID, count int, b, waiting []byte) error {
	peer, tag, size := binary.LittleEndian.Uint32(b[5:]), binary.LittleEndian.Uint32(b[17:]), binary.LittleEndian.Uint64(b[9:])
	o := Op{Rank: int32(rank), Line: clampLine(i + 1), Tag: int64(tag), CPU: int16(b[21])}
	switch b[4] {
	case 1:
		o.Kind = Send
	case 2:
		o.Kind = Recv
		if tag == goalAny {
			o.Tag = Any
		}
	case 3:
		o.Kind = Calc
	default:
		return s.errorf(rank, "operation %d has type %d; want 1, 2 or 3", i+1, b[4])
	}
	if size > maxTime {
		return s.errorf(rank, "operation %d has size %d, allowed are %d", i+1, size, int64(maxTime))
	}
	o.Amount = int64(size)
	switch {
	case o.Kind == Recv && peer == goalAny:
		o.Peer = Any
	case o.Kind != Calc && peer >= uint32(s.Ranks):
		return s.errorf(rank, "operation %d has peer %d, ranks are 0 to %d", i+1, peer, s.Ranks-1)
	case o.Kind != Calc:
		o.Peer = int32(peer)
	}
	x := s.add(o)
	for k, start := range [...]bool{false, true} {
		n, from := uint64(binary.LittleEndian.Uint32(b[23+8*k:])), uint64(binary.LittleEndian.Uint32(b[27+8*k:]))
		if n == 0 {
			continue // from is undefined
		}
		if 4*(from+n) > uint64(len(waiting)) {
			return s.errorf(rank, "operation %d lists %d operations that wait for it, from %d; the file has %d", i+1, n, from, len(waiting)/4)
		}
		for j := range n {
			y := binary.LittleEndian.Uint32(waiting[4*(from+j):])
			if y >= uint32(count) {
				return s.errorf(rank, "operation %d lets operation %d start, which does not exist", i+1, uint64(y)+1)
			}
			s.pairs = append(s.pairs, pair{first + OpID(y), x, start})
		}
	}
	return nil
}
