package transitions

import "encoding/binary"

// This file searches all runs of all packets with all changes, until packets block each other.

// mostRuns bounds the states of a search.
const mostRuns = 60_000

// moment is a state: what is on each virtual channel, and which entries have changed.
type moment struct {
	on       [32]uint8 // by virtual channel: 0, or 1 + destination*9 + the next channel + 1 (0: to the host)
	switched uint32    // by number of a differing entry
}

// runs is a search of all runs. Each virtual channel holds one packet.
type runs struct {
	*world
	number map[[2]int]int // of the entries that differ, by destination and switch
	seen   map[string]bool
	todo   []moment
}

// reachesDeadlock reports whether some run reaches a state where packets block each other in a circle. It returns false, false if the
// search is too large.
func (w *world) reachesDeadlock() (reached, complete bool) {
	if len(w.links) > 4 {
		return false, false
	}
	x := &runs{w, map[[2]int]int{}, map[string]bool{}, []moment{{}}}
	for d := range w.hosts {
		for u := range w.switches {
			if w.differs(d, u) {
				x.number[[2]int{d, u}] = len(x.number)
			}
		}
	}
	for len(x.todo) > 0 && len(x.seen) <= mostRuns {
		s := x.todo[len(x.todo)-1]
		x.todo = x.todo[:len(x.todo)-1]
		if s.blocked() {
			return true, true
		}
		x.change(s)
		x.create(s)
		x.move(s)
	}
	return false, len(x.todo) == 0
}

// entry returns the entry of switch u for destination d.
func (x *runs) entry(s *moment, d, u int) int {
	if k, ok := x.number[[2]int{d, u}]; ok && s.switched>>k&1 != 0 {
		return x.tables[1][d][u]
	}
	return x.tables[0][d][u]
}

// push adds a state.
func (x *runs) push(s moment) {
	key := string(s.on[:]) + string(binary.LittleEndian.AppendUint32(nil, s.switched))
	if !x.seen[key] {
		x.seen[key] = true
		x.todo = append(x.todo, s)
	}
}

// place puts a packet to d on a virtual channel, where it looks up its entry. A packet that is dropped or arrives leaves at once.
func (x *runs) place(s moment, d, c, class int) moment {
	if next := x.entry(&s, d, x.head(c)); next >= 0 {
		s.on[c*2+class] = uint8(1 + d*9 + next + 1)
	}
	return s
}

// change lets one entry change.
func (x *runs) change(s moment) {
	for k := range len(x.number) {
		if s.switched>>k&1 == 0 {
			other := s
			other.switched |= 1 << k
			x.push(other)
		}
	}
}

// create lets a host create a packet.
func (x *runs) create(s moment) {
	for d := range x.hosts {
		for h, u := range x.hosts {
			for class := range x.classes {
				if c := x.entry(&s, d, u); h != d && (x.sends[0][d][h]|x.sends[1][d][h])>>class&1 != 0 && c >= 0 && s.on[c*2+class] == 0 {
					x.push(x.place(s, d, c, class))
				}
			}
		}
	}
}

// move lets a packet move to the channel that it waits for.
func (x *runs) move(s moment) {
	for v, packet := range s.on {
		if packet == 0 {
			continue
		}
		d, next := int(packet-1)/9, int(packet-1)%9-1
		if to := next*2 + v%2; s.on[to] == 0 {
			other := s
			other.on[v] = 0
			x.push(x.place(other, d, next, v%2))
		}
	}
}

// blocked reports whether following packets from the channel that each holds to the one that it waits for leads round in a circle.
func (s *moment) blocked() bool {
	for v := range s.on {
		at := v
		for range s.on {
			if s.on[at] == 0 {
				break
			}
			at = (int(s.on[at]-1)%9-1)*2 + at%2
		}
		if s.on[at] != 0 {
			return true
		}
	}
	return false
}
