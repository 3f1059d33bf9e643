package family

import (
	"fmt"
	"math/big"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges claims by members of a family: a cycle on a member, two switches of a
// member that are not connected, or connected small members.
//
// Why small members suffice for connected. Meshes: the mesh with all sides 2. Two switches of a
// mesh span a box, with side 2 where they agree. A path between these corners of the small mesh
// becomes a path in the box if each hop is repeated straight on. Tori: those with sides 3 and
// 4. Two switches have at most two coordinates in each dimension that are not at an edge; packets
// pass the others straight on. H/V graphs on trees and up*/down*: a star of three switches. With
// LU>RD (up>down) allowed a tree connects all switches; otherwise two leaves of the star are
// not connected. H/V graphs with any coordinates: any two directions may form the only path
// between the ends of three switches in a row, so all turns are needed. Given families cannot
// have this claim.

// channel is a channel of a member.
type channel struct{ tail, head, vc, place int }

// network is a rebuilt member.
type network struct {
	s        *rules
	switches int
	at       [][]int
	channels []channel
	may      map[[2]int]bool // allowed steps between places
}

const mostMember = 1 << 14 // switches

// member rebuilds a member and judges that it belongs to the family.
func (s *rules) member(claim string, m *cert.Member) (*network, error) {
	w := &network{s: s, may: map[[2]int]bool{}}
	for _, step := range s.steps {
		w.may[step] = true
	}
	if s.f.Kind == "mesh" || s.f.Kind == "torus" {
		if len(m.Links) > 0 || len(m.At) > 0 {
			return nil, cert.Reject(claim, "a grid with links or coordinates")
		}
		return w, w.grid(claim, m.Sides)
	}
	if len(m.Sides) > 0 {
		return nil, cert.Reject(claim, "sides are given, but the family is not a grid")
	}
	return w, w.build(claim, m)
}

// grid builds a mesh or torus.
func (w *network) grid(claim string, sides cert.Ints) error {
	f := w.s.f
	least := int32(2)
	if f.Kind == "torus" {
		least = 3
	}
	if len(sides) != f.Dims {
		return cert.Reject(claim, "%d sides for %d dimensions", len(sides), f.Dims)
	}
	w.switches = 1
	for _, side := range sides {
		if side < least || side > mostMember || w.switches > mostMember/int(side) {
			return cert.Reject(claim, "side %d", side)
		}
		w.switches *= int(side)
	}
	for u := range w.switches {
		at, rest := make([]int, len(sides)), u
		for i, side := range sides {
			at[i], rest = rest%int(side), rest/int(side)
		}
		w.at = append(w.at, at)
	}
	stride := 1
	for dim, side := range sides {
		for u := range w.switches {
			for _, sign := range []int{1, -1} {
				x := w.at[u][dim]
				to, over := x+sign, false
				if to < 0 || to == int(side) {
					if f.Kind == "mesh" {
						continue
					}
					to, over = int(side)-1-x, true
				}
				w.gridChannels(sides, u, u+(to-x)*stride, dim, sign, over)
			}
		}
		stride *= int(side)
	}
	return nil
}

// gridChannels adds the VCs of a channel.
func (w *network) gridChannels(sides cert.Ints, tail, head, dim, sign int, over bool) {
	for i := range w.s.places {
		p := &w.s.places[i]
		fits := p.dim == dim && p.sign == sign && p.over == over
		for k, where := range p.at {
			fits = fits && where == part(w.at[head][k], int(sides[k]))
		}
		if fits {
			w.channels = append(w.channels, channel{tail, head, p.vc, i})
		}
	}
}

// part returns 0 at the lower edge, 2 at the upper edge, otherwise 1.
func part(x, side int) int {
	switch x {
	case 0:
		return 0
	case side - 1:
		return 2
	}
	return 1
}

// build builds a member from its links and coordinates.
func (w *network) build(claim string, m *cert.Member) error {
	wide := 2
	if w.s.f.Kind == "updown" {
		wide = 1
	}
	if w.s.f.Kind == "given" {
		wide = w.s.dims
	}
	if len(m.At)%wide != 0 || len(m.At)/wide < 2 || len(m.At)/wide > mostMember || len(m.Links)%2 != 0 {
		return cert.Reject(claim, "%d coordinates, %d ends of links", len(m.At), len(m.Links))
	}
	w.switches = len(m.At) / wide
	for u := range w.switches {
		at := make([]int, wide)
		for i := range at {
			at[i] = int(m.At[u*wide+i])
		}
		w.at = append(w.at, at)
	}
	near := make([][]int, w.switches)
	seen := map[[2]int]bool{}
	for i := 0; i < len(m.Links); i += 2 {
		u, v := int(m.Links[i]), int(m.Links[i+1])
		if u < 0 || v <= u || v >= w.switches || seen[[2]int{u, v}] {
			return cert.Reject(claim, "link %d from %d to %d", i/2, u, v)
		}
		seen[[2]int{u, v}] = true
		near[u], near[v] = append(near[u], v), append(near[v], u)
	}
	if err := w.checkCoordinates(near); err != nil {
		return cert.Reject(claim, "%v", err)
	}
	for u := range near {
		for _, v := range near[u] {
			place, err := w.placeOf(u, v)
			if err != nil {
				return cert.Reject(claim, "%v", err)
			}
			w.channels = append(w.channels, channel{u, v, 0, place})
		}
	}
	return nil
}

// placeOf returns the direction of a channel: the direction whose rows its ends satisfy.
func (w *network) placeOf(u, v int) (int, error) {
	a, b := w.at[u], w.at[v]
	switch w.s.f.Kind {
	case "hv":
		left, up := a[0] > b[0], a[1] > b[1] || a[1] == b[1] && a[0] < b[0]
		return map[[2]bool]int{{true, true}: 0, {true, false}: 1, {false, true}: 2, {false, false}: 3}[[2]bool{left, up}], nil
	case "updown":
		if a[0] > b[0] {
			return 0, nil
		}
		return 1, nil
	}
	found := -1
	for i := range w.s.places {
		if !w.s.places[i].holds(a, b) {
			continue
		}
		if found >= 0 {
			return 0, fmt.Errorf("the channel from %d to %d has two directions", u, v)
		}
		found = i
	}
	if found < 0 {
		return 0, fmt.Errorf("the channel from %d to %d has no direction", u, v)
	}
	return found, nil
}

// holds reports whether a channel from coordinates a to b satisfies all rows of the place. A
// product of two 32-bit numbers fits in 63 bits, but a sum of several may not.
func (p *place) holds(a, b []int) bool {
	sum, term := new(big.Int), new(big.Int)
	for j, row := range p.coeffs {
		sum.SetInt64(0)
		for k := range a {
			sum.Add(sum, term.SetInt64(int64(row[k])*int64(a[k])))
			sum.Add(sum, term.SetInt64(int64(row[len(a)+k])*int64(b[k])))
		}
		if sum.Cmp(term.SetInt64(int64(p.least[j]))) < 0 {
			return false
		}
	}
	return true
}

// follows reports whether channel b may come after channel a on the member.
func (w *network) follows(a, b *channel) bool {
	if a.head != b.tail || !w.may[[2]int{a.place, b.place}] {
		return false
	}
	return w.s.f.UTurns || a.tail != b.head
}

// hasCycle judges a cycle on a member.
func (s *rules) hasCycle(claim *cert.Claim) error {
	m := claim.Member
	w, err := s.member(claim.Claim, m)
	if err != nil {
		return err
	}
	if m.From != 0 || m.To != 0 {
		return cert.Reject(claim.Claim, "a cycle with a pair of switches")
	}
	if len(m.Cycle) == 0 || len(m.Cycle)%3 != 0 {
		return cert.Reject(claim.Claim, "a cycle of %d numbers", len(m.Cycle))
	}
	of := map[[3]int]*channel{}
	for i := range w.channels {
		c := &w.channels[i]
		of[[3]int{c.tail, c.head, c.vc}] = c
	}
	var list []*channel
	seen := map[*channel]bool{}
	for i := 0; i < len(m.Cycle); i += 3 {
		key := [3]int{int(m.Cycle[i]), int(m.Cycle[i+1]), int(m.Cycle[i+2])}
		c := of[key]
		if c == nil || seen[c] {
			return cert.Reject(claim.Claim, "channel %v of the cycle does not exist, or occurs twice", key)
		}
		seen[c] = true
		list = append(list, c)
	}
	for i, c := range list {
		if next := list[(i+1)%len(list)]; !w.follows(c, next) {
			return cert.Reject(claim.Claim, "channel from %d to %d may not follow that from %d to %d", next.tail, next.head, c.tail, c.head)
		}
	}
	return nil
}

// reached returns the switches that paths of allowed turns reach from a switch.
func (w *network) reached(from int) []bool {
	found, on := make([]bool, w.switches), make([]bool, len(w.channels))
	found[from] = true
	out := make([][]int, w.switches)
	var queue []int
	for i := range w.channels {
		out[w.channels[i].tail] = append(out[w.channels[i].tail], i)
		if w.channels[i].tail == from {
			on[i], queue = true, append(queue, i)
		}
	}
	for len(queue) > 0 {
		c := &w.channels[queue[0]]
		queue = queue[1:]
		found[c.head] = true
		for _, j := range out[c.head] {
			if !on[j] && w.follows(c, &w.channels[j]) {
				on[j], queue = true, append(queue, j)
			}
		}
	}
	return found
}

// notConnected judges that no path of allowed turns leads from a switch of a member to another.
func (s *rules) notConnected(claim *cert.Claim) error {
	m := claim.Member
	w, err := s.member(claim.Claim, m)
	if err != nil {
		return err
	}
	if len(m.Cycle) > 0 || m.From < 0 || m.To < 0 || m.From >= w.switches || m.To >= w.switches || m.From == m.To {
		return cert.Reject(claim.Claim, "from switch %d to switch %d", m.From, m.To)
	}
	for u, found := range w.unrestricted(m.From) {
		if u == m.To && !found {
			return cert.Reject(claim.Claim, "the network has no path at all from switch %d to switch %d", m.From, m.To)
		}
	}
	if w.reached(m.From)[m.To] {
		return cert.Reject(claim.Claim, "a path leads from switch %d to switch %d", m.From, m.To)
	}
	return nil
}

// unrestricted returns the switches that channels reach from a switch, whatever the turns.
func (w *network) unrestricted(from int) []bool {
	found := make([]bool, w.switches)
	found[from] = true
	for again := true; again; {
		again = false
		for _, c := range w.channels {
			if found[c.tail] && !found[c.head] {
				found[c.head], again = true, true
			}
		}
	}
	return found
}

// connects judges the claim connected by a search of the small members.
func (s *rules) connects(claim *cert.Claim) error {
	members, err := s.smallMembers(claim.Claim)
	if err != nil {
		return err
	}
	for _, m := range members {
		w, err := s.member(claim.Claim, m)
		if err != nil {
			return err
		}
		for u := range w.switches {
			for v, found := range w.reached(u) {
				if !found {
					return cert.Reject(claim.Claim, "no path leads from switch %d to switch %d of %v", u, v, m.Sides)
				}
			}
		}
	}
	return nil
}

func (s *rules) smallMembers(claim string) (list []*cert.Member, err error) {
	f := s.f
	switch {
	case f.Kind == "mesh":
		m := &cert.Member{}
		for range f.Dims {
			m.Sides = append(m.Sides, 2)
		}
		return []*cert.Member{m}, nil
	case f.Kind == "torus":
		for which := range 1 << f.Dims {
			m := &cert.Member{}
			for i := range f.Dims {
				m.Sides = append(m.Sides, int32(3+which>>i&1))
			}
			list = append(list, m)
		}
		return list, nil
	case f.Kind == "updown":
		return []*cert.Member{{Links: cert.Ints{0, 1, 0, 2}, At: cert.Ints{0, 1, 2}}}, nil
	case f.Kind == "hv" && f.Tree != "coordinates":
		return []*cert.Member{{Links: cert.Ints{0, 1, 0, 2}, At: cert.Ints{0, 0, 1, 1, 2, 1}}}, nil
	}
	for a := range s.directions {
		for b := range s.directions {
			if f.Kind != "hv" || a != b && !s.allowed[a][b] {
				return nil, cert.Reject(claim, "not every turn is allowed, or the family is given")
			}
		}
	}
	return nil, nil
}
