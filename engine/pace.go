package engine

import "math/bits"

// This file lets the caller say in which order packets move.

// paced delays heads by Options.Pace.
type paced struct{ may Pace }

func newPaced(s *kernel) (mechanism, error) {
	if s.o.Pace == nil {
		return nil, nil
	}
	return paced{s.o.Pace}, nil
}

// open implements closer.
func (p paced) open(s *kernel, v, o int32, mask uint64) uint64 {
	id := s.packet[s.front(v)].id
	for m := mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); !p.may(id, s.modelVC(o*int32(s.vcs)+int32(i)), s.now) {
			mask &^= 1 << i
		}
	}
	return mask
}

func (p paced) admits(*kernel, int32, int32) bool { return true }

func (p paced) clone() mechanism { return p }
