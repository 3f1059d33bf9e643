package gates

import (
	"fmt"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file lets a packet come to its places while those before it stay in theirs.
//
// It comes in one of two ways. Whole: from VC to VC until its tail is where it is to stay;
// then so many of its flits go on over each hop as are to be beyond it. Or through: each flit
// goes to where it is to stay before the next one sets out. A hop needs a VC with
// room for the whole packet into which no other is coming, nobody before it on the VC that it
// leaves, and at a gate that this is open for the head, and by flit for all flits.

// journey is the way of one packet.
type journey struct {
	*deadlock
	i      int
	beyond []int         // by place: how many of its flits pass the hop after it
	at     map[int32]int // by VC: the place
}

// comes judges that packet i can come, and lays it on its path.
func (x *deadlock) comes(i int) error {
	y, err := x.journey(i)
	if err != nil {
		return err
	}
	if why := y.room(); why != "" {
		return cert.Reject(x.claim.Claim, "packet %d %s", i, why)
	}
	if why := y.gates(y.whole); why != "" && y.gates(y.through) != "" {
		return cert.Reject(x.claim.Claim, "packet %d %s", i, why)
	}
	last, arrived := x.last(i)
	if arrived {
		last--
	}
	for j := x.tail[i]; j <= last; j++ {
		v := x.vc(i, j)
		x.on[v] = append(x.on[v], standing{i, j})
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

// hop gives the VCs of the hop after place j, and whether any flit passes it.
func (y *journey) hop(j int) (from, to int32, passed bool) {
	return y.vc(y.i, j), y.vc(y.i, j+1), y.beyond[j] > 0
}

// room says which hop has no room, "" if all have.
func (y *journey) room() string {
	if first := y.vc(y.i, 0); !y.available(first) {
		return fmt.Sprintf("finds no room on VC %d, where it begins", first)
	}
	for j := range len(y.beyond) - 1 {
		from, to, passed := y.hop(j)
		switch {
		case !passed:
		case len(y.on[from]) > 0:
			return fmt.Sprintf("does not get on from VC %d, where others are before it", from)
		case int(to) < y.LinkVCs() && !y.available(to):
			return fmt.Sprintf("finds no room on VC %d", to)
		}
	}
	return ""
}

// gates says which gate keeps the packet, "" if none does; held tells of one.
func (y *journey) gates(held func(j int) bool) string {
	for j := range len(y.beyond) - 1 {
		if from, to, passed := y.hop(j); passed && y.gated.hasGate(from, to) && held(j) {
			return fmt.Sprintf("is kept from VC %d by the gate before it", to)
		}
	}
	return ""
}

// whole reports whether the gate of the hop after place j is closed for a flit of a packet
// that comes whole. While it passes, the bit before the gate may go from set to
// clear, and that beyond from clear to set: so it is enough to look before the first
// flit, before the second, and when the bit beyond has been set.
func (y *journey) whole(j int) bool {
	_, to, _ := y.hop(j)
	looks := []int{0}
	if y.ByFlit {
		looks = append(looks, 1, y.Buffer-y.Level-y.taken[to])
	}
	before := y.Packet // flits that are before the gate, or beyond
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

// through reports the same of a packet whose flits come one by one. Where they are to stay they
// only get more, so it is enough to look at the last that the gate may keep.
func (y *journey) through(j int) bool {
	passed := 0
	if y.ByFlit {
		passed = y.beyond[j] - 1
	}
	_, to, _ := y.hop(j)
	return y.closedWith(to, func(place int) (flits int, there bool) {
		flits = min(max(passed-y.beyond[place], 0), int(y.flits[y.i][place]))
		if place == j {
			flits++ // the one that is to pass
		}
		return flits, place <= j || passed > 0
	})
}

// closedWith reports whether a gate is closed by the packets that stand and by the one that
// comes, of which so many flits are at a place, if it has slots there.
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
