package engine

import (
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file lets the caller say in which order packets move.

// Pace reports whether the packet with an ID of the caller may request a VC in a clock. A head that may not
// asks again in each clock. A pace that refuses for finite times models switches that are slow; it permits
// nothing that the routing and the flow control do not.
type Pace func(id int64, to model.VCID, now Clock) bool

// holds removes from mask the VCs of port o that v may not request now. It reports whether mask became empty.
func (p Pace) holds(s *Sim, v, o int32, mask *uint64) bool {
	if p == nil || *mask == 0 {
		return false
	}
	id := s.packet[s.front(v)].id
	for m := *mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); !p(id, s.modelVC(o*int32(s.vcs)+int32(i)), s.now) {
			*mask &^= 1 << i
		}
	}
	return *mask == 0
}
