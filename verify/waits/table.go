// Package waits finds what packets wait for: the different pairs of a VC and the VCs that a packet on it may take next. From
// them it decides by elimination whether packets can block each other. It serves package verify and the packages below it.
//
// Read first: table.go, eliminate.go.
package waits

import (
	"cmp"
	"context"
	"encoding/binary"
	"iter"
	"maps"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
)

// Table lists the different waits: a packet on VC At[i] waits for any of Next[i].
type Table struct {
	At     []model.VCID
	Next   [][]model.VCID
	Packet []*cdg.Packet // by wait: a packet with this wait
	Chosen []model.VCID  // by wait: the VC that the packet has chosen, or -1 if it waits for any of Next
}

// Collect returns the waits of all states of r. A state that permits ejection or has
// no next hop does not wait. A state for which commits returns true has one wait for
// each next hop. If commits is nil, no state commits. It calls step for each group of destinations.
func Collect(ctx context.Context, r model.Relation, commits func(model.State) bool, step func()) (*Table, error) {
	groups := cdg.Groups(r)
	list := make([]collector, parallel.Workers(len(groups)))
	err := cdg.EachGroup(ctx, r, len(list), groups, func(w int, _ *cdg.Group, s *cdg.Space) error {
		list[w].collect(r.Network(), s, commits)
		step()
		return nil
	})
	if err != nil {
		return nil, err
	}
	first := &list[0]
	for i := range list[1:] {
		first.merge(&list[1+i])
	}
	w := &Table{}
	for _, x := range slices.SortedFunc(maps.Values(first.known), (*wait).compare) {
		w.At, w.Next, w.Chosen, w.Packet = append(w.At, x.at), append(w.Next, x.next), append(w.Chosen, x.chosen), append(w.Packet, x.packet)
	}
	return w, nil
}

// wait is an entry of a Table: number n of the waits that collect found for the destination of the packet.
type wait struct {
	at     model.VCID
	next   []model.VCID
	packet *cdg.Packet
	chosen model.VCID
	n      int
}

// compare orders waits as one worker finds them.
func (x *wait) compare(y *wait) int {
	return cmp.Or(cmp.Compare(x.packet.Dest, y.packet.Dest), cmp.Compare(x.n, y.n))
}

// collector collects the different waits of some destinations, which come in ascending order.
type collector struct {
	known map[string]*wait // the first wait of each kind, by the key of keyOf
	sets  map[string]int32 // the number of each set of next VCs
	seen  map[uint64]bool  // a VC with the number of a set
	of    []int32          // by place in the hops of a Space: 1 + the number of the set of the state whose hops begin there
	key   []byte
	set   []model.VCID
}

// keyOf appends the key of a wait on VC at for the VCs of next.
func keyOf(key []byte, at model.VCID, next []model.VCID) []byte {
	key = binary.LittleEndian.AppendUint32(key, uint32(at))
	for _, v := range next {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	return key
}

func (c *collector) collect(n *model.Network, s *cdg.Space, commits func(model.State) bool) {
	if c.known == nil {
		c.known, c.sets, c.seen = map[string]*wait{}, map[string]int32{}, map[uint64]bool{}
	}
	c.of = slices.Grow(c.of[:0], s.NumHops()+1)[:s.NumHops()+1]
	clear(c.of)
	found := 0
	for i, st := range s.States {
		if !n.IsLinkVC(st.VC) {
			continue
		}
		if set := c.of[s.FirstHop(i)]; commits == nil && set > 0 && c.seen[uint64(st.VC)<<32|uint64(set)] {
			continue
		}
		for next, chosen := range waitsOf(s, i, commits, &c.set) {
			if commits == nil && c.isSeen(st.VC, s.FirstHop(i), next) {
				continue
			}
			c.key = keyOf(c.key[:0], st.VC, next)
			if c.known[string(c.key)] != nil {
				continue
			}
			path := s.PathTo(i)
			first, _ := n.Channel(path[0].VC)
			c.known[string(c.key)] = &wait{st.VC, slices.Clone(next), &cdg.Packet{Source: n.HostOf(first), Dest: s.Dest, Path: path}, chosen, found}
			found++
		}
	}
}

// isSeen reports whether the collector has met VC at with the set next, and notes that it has. hop is the place of
// the hops, which states can share.
func (c *collector) isSeen(at model.VCID, hop int, next []model.VCID) bool {
	c.key = keyOf(c.key[:0], 0, next)
	set, ok := c.sets[string(c.key)]
	if !ok {
		set = int32(len(c.sets)) + 1
		c.sets[string(c.key)] = set
	}
	c.of[hop] = set
	seen := c.seen[uint64(at)<<32|uint64(set)]
	c.seen[uint64(at)<<32|uint64(set)] = true
	return seen
}

// merge adds the waits of another collector.
func (c *collector) merge(o *collector) {
	if c.known == nil {
		c.known = map[string]*wait{}
	}
	for key, x := range o.known {
		if old := c.known[key]; old == nil || x.compare(old) < 0 {
			c.known[key] = x
		}
	}
}

// AddCopies adds the waits of multicast packets. A multicast packet waits for each of its
// copies, so each copy is a wait for one VC.
func (w *Table) AddCopies(ctx context.Context, r model.Relation, m *model.Multicast) error {
	known := map[model.Turn]bool{}
	return cdg.EachCopy(ctx, r, m, func(at, next model.VCID, packet func() *cdg.Packet) {
		turn := model.Turn{In: at, Out: next}
		if next == model.NoVC || known[turn] {
			return
		}
		known[turn] = true
		w.At, w.Next = append(w.At, at), append(w.Next, []model.VCID{next})
		w.Packet, w.Chosen = append(w.Packet, packet()), append(w.Chosen, -1)
	})
}

// IsChoice reports whether two hops differ.
func IsChoice(hops []model.Hop) bool {
	return slices.ContainsFunc(hops, func(h model.Hop) bool { return h != hops[0] })
}

// waitsOf yields each set of VCs that a packet in state i of s can wait for, ascending. With
// each set it yields the VC that the packet has chosen, or -1. If the packet can be ejected or
// has no next hop, it yields nothing. The sets are in buf, and valid until the next one.
func waitsOf(s *cdg.Space, i int, commits func(model.State) bool, buf *[]model.VCID) iter.Seq2[[]model.VCID, model.VCID] {
	return func(yield func([]model.VCID, model.VCID) bool) {
		hops, to := s.HopsOf(i)
		if commits == nil || !IsChoice(hops) || !commits(s.States[i]) {
			if len(hops) > 0 && slices.Min(to) >= 0 {
				*buf = appendVCs((*buf)[:0], hops)
				yield(*buf, -1)
			}
			return
		}
		for k, h := range hops {
			*buf = append((*buf)[:0], h.VC)
			if to[k] >= 0 && !yield(*buf, h.VC) {
				return
			}
		}
	}
}

// appendVCs appends the different VCs of hops, ascending, to an empty list.
func appendVCs(vcs []model.VCID, hops []model.Hop) []model.VCID {
	for _, h := range hops {
		vcs = append(vcs, h.VC)
	}
	if !slices.IsSorted(vcs) {
		slices.Sort(vcs)
	}
	return slices.Compact(vcs)
}
