package family

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/space"
)

// This file decides whether a set connects every pair of switches on every network of
// the family by some allowed path. A few small members decide for all.
//
// Meshes: the mesh with all sides 2. Two switches of a mesh are corners of the box that they
// span, with side 2 in dimensions where they agree. An allowed path between these corners of the
// small mesh becomes a path in the box if each move is repeated straight on.
//
// Tori: those with sides 3 and 4. Two switches of a larger torus have at most two coordinates in
// each dimension that are not at an edge. Packets pass the other coordinates straight on, so the
// path of the torus of side 4 can be stretched.
//
// H/V graphs on trees: a star of three switches. If LU>RD is allowed, the tree suffices: up to
// an ancestor and down. Otherwise two leaves of the star are not connected. The same holds for
// up*/down*. With any coordinates: lines of three switches, which need every possible turn,
// because there is no other path.
//
// Given families do not say which channels a network has, so they are not decided.

// smallMembers returns the members that decide.
func smallMembers(s *space.Space) (list []*Member, err error) {
	add := func(m *Member, err2 error) {
		if err == nil {
			list, err = append(list, m), err2
		}
	}
	switch s.Kind {
	case space.Mesh:
		sides := make([]int, s.Dims)
		for i := range sides {
			sides[i] = 2
		}
		add(Grid(s, sides))
	case space.Torus:
		for which := range 1 << s.Dims {
			sides := make([]int, s.Dims)
			for i := range sides {
				sides[i] = 3 + which>>i&1
			}
			add(Grid(s, sides))
		}
	case space.HV:
		if s.Tree == space.AnyCoordinates {
			return lines(s)
		}
		n, err := network(3, [][2]int{{0, 1}, {0, 2}})
		return []*Member{treeMember(s, n, [][]int{{0, 0}, {1, 1}, {2, 1}})}, err
	case space.UpDown:
		n, err := network(3, [][2]int{{0, 1}, {0, 2}})
		return []*Member{orderMember(s, n, [][]int{{0}, {1}, {2}})}, err
	}
	return list, err
}

// lines returns three switches in a row for each pair of different directions.
func lines(s *space.Space) (list []*Member, err error) {
	by := [][]int{{-2, -2}, {-2, 2}, {2, -2}, {2, 2}} // LU, LD, RU, RD
	n, err := network(3, [][2]int{{0, 1}, {1, 2}})
	if err != nil {
		return nil, err
	}
	for a, in := range by {
		for b, out := range by {
			if a != b {
				list = append(list, treeMember(s, n, [][]int{{0, 0}, {in[0], in[1]}, {in[0] + out[0] + 1, in[1] + out[1]}}))
			}
		}
	}
	return list, nil
}

// Connector decides connectedness. It is not safe for concurrent use.
type Connector struct {
	space   *space.Space
	members []*reach
	pairs   [][2]int // mesh: turns from one direction to a perpendicular one, and the reverse order
}

// reach is a member, prepared for searches from all its switches at once.
type reach struct {
	m       *Member
	next    [][]successor // by VC
	entered [][]int32     // by switch: the VCs into it
	onVC    []uint64      // by VC: a set of switches from which the VC is reached
	queue   []int32
	queued  []bool
}

type successor struct {
	vc   int32
	turn int32 // the turn that it takes, or -1
}

// NewConnector returns a Connector for a space. It fails if a given family is invalid.
func NewConnector(s *space.Space) (*Connector, error) {
	c := &Connector{space: s}
	if s.Kind == space.Mesh {
		for t, turn := range s.Turns {
			for u, back := range s.Turns[:t] {
				if turn.In == back.Out && turn.Out == back.In && turn.In/2 != turn.Out/2 {
					c.pairs = append(c.pairs, [2]int{t, u})
				}
			}
		}
	}
	members, err := smallMembers(s)
	if err != nil {
		return nil, err
	}
	if s.Kind == space.Given {
		return c, validate(s)
	}
	for _, m := range members {
		if m.Net.NumSwitches() > 64 {
			return nil, fmt.Errorf("cannot decide connectedness on %s: want at most 64 switches, got %d", m.Name, m.Net.NumSwitches())
		}
		c.members = append(c.members, newReach(m))
	}
	return c, nil
}

func newReach(m *Member) *reach {
	k := m.Net.NumLinkVCs()
	r := &reach{m: m, next: make([][]successor, k), entered: make([][]int32, m.Net.NumSwitches()), onVC: make([]uint64, k), queued: make([]bool, k)}
	places := len(m.Space.Places)
	by := make([]int32, places*places)
	for i := range by {
		by[i] = -2
	}
	for _, e := range m.Space.Straight {
		by[e.From*places+e.To] = -1
	}
	for t, turn := range m.Space.Turns {
		for _, e := range turn.Steps {
			by[e.From*places+e.To] = int32(t)
		}
	}
	for t := range model.Turns(m.Net, m.Space.UTurns) {
		if a, b := m.Place[t.In], m.Place[t.Out]; a >= 0 && b >= 0 && by[a*places+b] > -2 {
			r.next[t.In] = append(r.next[t.In], successor{int32(t.Out), by[a*places+b]})
		}
	}
	for v := range k {
		c, _ := m.Net.Channel(model.VCID(v))
		if m.Place[v] >= 0 {
			r.entered[m.Net.Head(c)] = append(r.entered[m.Net.Head(c)], int32(v))
		}
	}
	return r
}

// Decides reports whether connectedness can be decided. It cannot for given families,
// which do not say which channels a network has.
func (c *Connector) Decides() bool { return len(c.members) > 0 }

// Connected reports whether a set connects all pairs on all networks of the family. It returns
// false if Decides does.
func (c *Connector) Connected(set space.Set) bool {
	if !c.Decides() {
		return false
	}
	if c.space.Kind == space.Mesh && c.allowsOneOfEach(set) {
		return true
	}
	for _, r := range c.members {
		if _, _, lost := r.unreached(set); lost {
			return false
		}
	}
	return true
}

// allowsOneOfEach reports whether for any two perpendicular directions of a mesh one may follow the other.
// Then a packet can make its moves in some order, whatever directions it needs: a
// tournament has a path through all of its vertices (L. Rédei, Ein kombinatorischer Satz,
// Acta Litt. Sci. Szeged 7, 1934).
func (c *Connector) allowsOneOfEach(set space.Set) bool {
	for _, p := range c.pairs {
		if !set.Has(p[0]) && !set.Has(p[1]) {
			return false
		}
	}
	return true
}

// Unreached returns a member and two of its switches such that no path leads from the first
// to the second. If there are none, it returns nil.
func (c *Connector) Unreached(set space.Set) (m *Member, from, to model.SwitchID) {
	for _, r := range c.members {
		if u, v, lost := r.unreached(set); lost {
			return r.m, u, v
		}
	}
	return nil, 0, 0
}

// unreached propagates from all switches at once, with a bit for each. It returns a pair
// that is not connected; lost reports whether there is one.
func (r *reach) unreached(set space.Set) (from, to model.SwitchID, lost bool) {
	n := r.m.Net
	r.queue = r.queue[:0]
	for v := range r.onVC {
		r.onVC[v], r.queued[v] = 0, false
		if r.m.Place[v] >= 0 {
			c, _ := n.Channel(model.VCID(v))
			r.onVC[v], r.queued[v] = 1<<n.Tail(c), true
			r.queue = append(r.queue, int32(v))
		}
	}
	for len(r.queue) > 0 {
		v := r.queue[len(r.queue)-1]
		r.queue, r.queued[v] = r.queue[:len(r.queue)-1], false
		for _, o := range r.next[v] {
			if o.turn >= 0 && !set.Has(int(o.turn)) || r.onVC[v]&^r.onVC[o.vc] == 0 {
				continue
			}
			r.onVC[o.vc] |= r.onVC[v]
			if !r.queued[o.vc] {
				r.queued[o.vc] = true
				r.queue = append(r.queue, o.vc)
			}
		}
	}
	all := uint64(1)<<n.NumSwitches() - 1
	for u, into := range r.entered {
		reached := uint64(1) << u
		for _, v := range into {
			reached |= r.onVC[v]
		}
		if missing := all &^ reached; missing != 0 {
			for s := range model.SwitchID(n.NumSwitches()) {
				if missing>>s&1 == 1 {
					return s, model.SwitchID(u), true
				}
			}
		}
	}
	return 0, 0, false
}
