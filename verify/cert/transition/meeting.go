package transition

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file says which entries packets can meet while all parts change in any order, and which dependencies that gives.

// mostSets is the largest number of parts of which all sets are tried: 2^12 states.
const mostSets = 12

// anyOrder judges that no cycle arises while all parts change in any order.
func (x *change) anyOrder(claim *cert.Claim, g *graph) error {
	x.walk.anyLevel = !x.t.Drained
	defer func() { x.walk.anyLevel = false }()
	for d := range x.destinations {
		if x.t.Parts == "destination" && !x.t.Drained {
			g.add(1, g.numbers(x.walk.dependencies(d, all(meetsOld))))
			x.walk.afterwards(func() bool {
				g.add(1, g.numbers(x.walk.dependencies(d, all(meetsNew))))
				return true
			})
			continue
		}
		g.add(1, g.numbers(x.walk.dependencies(d, all(both))))
	}
	switch {
	case g.acyclic():
		return nil
	case !x.t.Drained:
		return cert.Reject(claim.Claim, "the dependencies of old and new entries together have a cycle")
	}
	return x.eachSet(claim)
}

// eachSet judges that the state of each set of changed parts has no cycle.
func (x *change) eachSet(claim *cert.Claim) error {
	place := map[[2]int]int{} // by destination and switch: the part of the entry, if it changes
	parts := map[int]int{}
	n := x.old.Switches
	for i := range x.destinations * n {
		if !x.differs(i/n, i%n) {
			continue
		}
		key := i
		switch x.t.Parts {
		case "switch":
			key = i % n
		case "destination":
			key = i / n
		}
		if _, ok := parts[key]; !ok {
			parts[key] = len(parts)
		}
		place[[2]int{i / n, i % n}] = parts[key]
	}
	if len(parts) > mostSets {
		return cert.Reject(claim.Claim, "the dependencies of old and new entries together have a cycle, and %d parts have too many sets", len(parts))
	}
	for set := range 1 << len(parts) {
		g := newGraph(x.old.LinkVCs())
		for d := range x.destinations {
			g.add(1, g.numbers(x.walk.dependencies(d, func(u int32) int {
				if part, ok := place[[2]int{d, int(u)}]; ok && set>>part&1 != 0 {
					return meetsNew
				}
				return meetsOld
			})))
		}
		if !g.acyclic() {
			return cert.Reject(claim.Claim, "a set of %d changed parts has a cycle (set %d)", len(parts), set)
		}
	}
	return nil
}

// meeting is which entries packets have met.
type meeting struct {
	x    *change
	late map[int32]bool // by switch: this packet has met the new entry; with parts of destinations, of any switch (-1)
	sets map[[2]int]int // drained: by part, the entries that all packets together can have met
	// lookups are those of each packet.
	lookups [][]lookup
}

func (x *change) newMeeting() *meeting { return &meeting{x: x, sets: map[[2]int]int{}} }

// begin begins with the next packet.
func (m *meeting) begin() {
	m.late = map[int32]bool{}
	m.lookups = append(m.lookups, nil)
}

// sends reports whether a source can send a packet so, if packets never meet two states of the tables.
func (m *meeting) sends(d int, s start) bool { return !m.x.t.Drained || m.meet(d, m.x.first(s), s.by) }

// meet notes that a packet to d meets one of the given entries of switch u, in the only state that packets meet.
func (m *meeting) meet(d int, u int32, set int) bool {
	key := [2]int{d, int(u)}
	switch m.x.t.Parts {
	case "switch":
		key[0] = -1
	case "destination":
		key[1] = -1
	}
	if _, ok := m.sets[key]; !ok {
		m.sets[key] = both
	}
	m.sets[key] &= set
	return m.sets[key] != 0
}

// hop reports whether a packet can go from one state to another. Unless drained, it does so by an entry that is not older than one which
// it has met before at the same switch, or with parts of destinations at any switch.
// The last hop is the one that the packet waits for.
func (m *meeting) hop(d int, at, to cert.State, last bool) bool {
	x := m.x
	if x.entries != nil {
		return m.lookUp(d, at, &to, last)
	}
	u := x.old.Head[at.VC/x.old.VCs]
	byOld, byNew := slices.Contains(x.old.Next(d, at, nil), to), slices.Contains(x.now.Next(d, at, nil), to)
	set := 0
	if byOld {
		set |= meetsOld
	}
	if byNew {
		set |= meetsNew
	}
	if x.t.Drained {
		return m.meet(d, u, set)
	}
	k := len(m.lookups) - 1
	m.lookups[k] = append(m.lookups[k], lookup{x.partOf(d, u), set})
	if x.t.Parts == "destination" {
		u = -1
	}
	if byOld && !m.late[u] {
		return true
	}
	m.late[u] = byNew
	return byNew
}
