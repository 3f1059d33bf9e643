package gates

import (
	"fmt"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges that a packet can reach its places while the packets before it stay where
// they are.
//
// The packet moves in one of two ways. Whole: all of it moves from VC to VC until its tail is
// in place; then the flits that belong beyond each hop pass it. By flit: each flit moves to
// its place before the next flit starts. A hop needs a VC that has room for the whole packet
// and that no other packet is entering, no packet in front on the VC that it leaves, and an open
// gate for the head or, with gates by flit, for all flits.

// journey is the path of one packet.
type journey struct {
	*deadlock
	i      int
	beyond []int         // by place: the number of its flits that pass the hop after it
	at     map[int32]int // by VC: the place
}

// arrive judges that packet i can reach its places, and puts it there.
func (x *deadlock) arrive(i int) error {
	y, err := x.journey(i)
	if err != nil {
		return err
	}
	if why := y.room(); why != "" {
		return cert.Reject(x.claim.Claim, "packet %d %s", i, why)
	}
	if why := y.gates(y.isClosedWhole); why != "" && y.gates(y.isClosedByFlit) != "" {
		return cert.Reject(x.claim.Claim, "packet %d %s", i, why)
	}
	last, arrived := x.last(i)
	if arrived {
		last--
	}
	for j := x.tail[i]; j <= last; j++ {
		v := x.vc(i, j)
		x.on[v] = append(x.on[v], presence{i, j})
		x.taken[v] += int(x.flits[i][j])
	}
	return nil
}

func (x *deadlock) journey(i int) (*journey, error) {
	y := &journey{x, i, nil, map[int32]int{}}
	left := x.Packet
	for j, k := range x.flits[i] {
		v := x.vc(i, j)
		if _, twice := y.at[v]; twice {
			return nil, cert.Reject(x.claim.Claim, "packet %d passes VC %d twice", i, v)
		}
		left -= int(k)
		y.at[v], y.beyond = j, append(y.beyond, left)
	}
	return y, nil
}

// hop returns the VCs of the hop after place j, and whether any flit passes the hop.
func (y *journey) hop(j int) (from, to int32, passed bool) {
	return y.vc(y.i, j), y.vc(y.i, j+1), y.beyond[j] > 0
}

// room returns why some hop has no room, or "".
func (y *journey) room() string {
	if first := y.vc(y.i, 0); !y.available(first) {
		return fmt.Sprintf("finds no room on VC %d, its first VC", first)
	}
	for j := range len(y.beyond) - 1 {
		from, to, passed := y.hop(j)
		switch {
		case !passed:
		case len(y.on[from]) > 0:
			return fmt.Sprintf("cannot leave VC %d, where other packets are in front of it", from)
		case int(to) < y.LinkVCs() && !y.available(to):
			return fmt.Sprintf("finds no room on VC %d", to)
		}
	}
	return ""
}

// gates returns which gate stops the packet, or "". isClosed reports whether the gate after place j
// is closed.
func (y *journey) gates(held func(j int) bool) string {
	for j := range len(y.beyond) - 1 {
		if from, to, passed := y.hop(j); passed && y.gated.hasGate(from, to) && held(j) {
			return fmt.Sprintf("cannot enter VC %d, because its gate is closed", to)
		}
	}
	return ""
}

// isClosedWhole reports whether the gate of the hop after place j is closed for a flit of a packet
// that moves whole. While the packet passes, the bit before the gate may change from set to clear, and the bit
// beyond it from clear to set. So three tests suffice: before the first flit, before the
// second, and when the bit beyond has been set.
func (y *journey) isClosedWhole(j int) bool {
	_, to, _ := y.hop(j)
	looks := []int{0}
	if y.ByFlit {
		looks = append(looks, 1, y.Buffer-y.Level-y.taken[to])
	}
	before := y.Packet // flits before the gate or beyond it
	if j > y.tail[y.i] {
		before = y.beyond[j-1]
	}
	for _, passed := range looks {
		if passed >= 0 && passed < y.beyond[j] && y.closedWith(to, func(place int) (flits int, there bool) {
			switch {
			case place == j:
				return before - passed, true
			case place == j+1:
				return passed, passed > 0
			case place < j && place >= y.tail[y.i]:
				return int(y.flits[y.i][place]), true
			}
			return 0, false
		}) {
			return true
		}
	}
	return false
}

// isClosedByFlit reports the same for a packet that moves flit by flit. The flits in place only
// increase, so it suffices to test the last flit that the gate may stop.
func (y *journey) isClosedByFlit(j int) bool {
	passed := 0
	if y.ByFlit {
		passed = y.beyond[j] - 1
	}
	_, to, _ := y.hop(j)
	return y.closedWith(to, func(place int) (flits int, there bool) {
		flits = min(max(passed-y.beyond[place], 0), int(y.flits[y.i][place]))
		if place == j {
			flits++ // the flit at the gate
		}
		return flits, place <= j || passed > 0
	})
}

// closedWith reports whether the gate of VC to is closed by the packets in place and the moving packet. own
// returns the moving packet's flits at a place, and whether it takes slots there.
func (y *journey) closedWith(to int32, own func(place int) (flits int, there bool)) bool {
	return y.gated.closed(to, func(v int32) bool {
		flits, packets := y.taken[v], len(y.on[v])
		if place, passes := y.at[v]; passes {
			if k, there := own(place); there {
				flits, packets = flits+k, packets+1
			}
		}
		return y.nearlyFull(flits, packets)
	})
}
