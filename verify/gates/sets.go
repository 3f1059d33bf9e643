package gates

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file lists the sets of states that packets with the same path of VCs can be in.
//
// Which hops a packet may take depends on its destination, but how it blocks others depends on its
// VCs only. So the search (search.go) leaves the destination of a packet open: it only notes the
// set of states that the VCs of the path allow.

// stateSets numbers states and sets of them.
type stateSets struct {
	n      *model.Network
	states []model.State
	first  []int32 // by state: its first hop; one more entry at the end
	to     []int32 // by hop: the next state, or -1
	hops   []model.Hop
	vc     []model.VCID // by hop: its VC, as a place
	useful []bool       // by state: a packet there may reach a VC on which it is blocked
	starts [][2]int32   // set and injection VC of each start of a packet

	all   []int32 // by VC: the set of all of its states, if packets there are not distinguished; otherwise nil
	sets  [][]int32
	known map[string]int32
	moves [][]setMove // by set, nil if not computed yet
}

// setMove is a hop that some states of a set have.
type setMove struct {
	vc  model.VCID // the first VC of an ejection channel stands for all of its VCs
	set int32      // the states after it; -1 if the packet leaves
}

// newStateSets returns the states of r. stays reports whether a packet may be blocked on a VC.
func newStateSets(ctx context.Context, r model.Relation, stays func(model.VCID) bool) (*stateSets, error) {
	s := &stateSets{n: r.Network(), known: map[string]int32{}}
	x := cdg.NewExplorer(r)
	starts := map[model.VCID][]int32{}
	for d := range model.DestID(r.Destinations()) {
		space := x.Explore(d)
		if err := errors.Join(ctx.Err(), x.Err()); err != nil {
			return nil, err
		}
		base := int32(len(s.states))
		for i, st := range space.States {
			s.states, s.first = append(s.states, st), append(s.first, int32(len(s.to)))
			hops, next := space.HopsOf(i)
			for j, h := range hops {
				to := int32(-1)
				if next[j] >= 0 {
					to = base + next[j]
				}
				s.to, s.hops, s.vc = append(s.to, to), append(s.hops, h), append(s.vc, s.place(h.VC))
			}
			if !s.n.IsLinkVC(st.VC) {
				starts[st.VC] = append(starts[st.VC], base+int32(i))
			}
		}
	}
	s.first = append(s.first, int32(len(s.to)))
	s.findUseful(stays)
	for c := range model.ChannelID(s.n.NumChannels()) {
		for k := range s.n.VCs() {
			if v := s.n.VC(c, k); len(starts[v]) > 0 {
				s.starts = append(s.starts, [2]int32{s.set(starts[v]), int32(v)})
			}
		}
	}
	return s, nil
}

// place returns the VC that counts the packets which enter VC v.
func (s *stateSets) place(v model.VCID) model.VCID {
	if c, _ := s.n.Channel(v); s.n.Kind(c) == model.Eject {
		return s.n.VC(c, 0)
	}
	return v
}

// findUseful marks the states from which some state on a VC is reached where packets may be blocked.
func (s *stateSets) findUseful(stays func(model.VCID) bool) {
	s.useful = make([]bool, len(s.states))
	for i, st := range s.states {
		s.useful[i] = s.n.IsLinkVC(st.VC) && stays(st.VC)
	}
	for more := true; more; {
		more = false
		for i := range s.states {
			for _, to := range s.to[s.first[i]:s.first[i+1]] {
				if !s.useful[i] && to >= 0 && s.useful[to] {
					s.useful[i], more = true, true
				}
			}
		}
	}
}

// set returns the number of a set of states.
func (s *stateSets) set(list []int32) int32 {
	slices.Sort(list)
	list = slices.Compact(list)
	var key []byte
	for _, i := range list {
		key = binary.LittleEndian.AppendUint32(key, uint32(i))
	}
	k, ok := s.known[string(key)]
	if !ok {
		k = int32(len(s.sets))
		s.known[string(key)] = k
		s.sets, s.moves = append(s.sets, list), append(s.moves, nil)
	}
	return k
}

// movesOf returns the hops of a set.
func (s *stateSets) movesOf(set int32) []setMove {
	if s.moves[set] != nil {
		return s.moves[set]
	}
	after := map[model.VCID][]int32{}
	var vcs []model.VCID
	add := func(v model.VCID, to int32) {
		if _, ok := after[v]; !ok {
			vcs = append(vcs, v)
			after[v] = nil
		}
		if to >= 0 {
			after[v] = append(after[v], to)
		}
	}
	for _, i := range s.sets[set] {
		for e := s.first[i]; e < s.first[i+1]; e++ {
			add(s.vc[e], s.to[e])
		}
	}
	slices.Sort(vcs)
	moves := make([]setMove, 0, len(vcs))
	for _, v := range vcs {
		m := setMove{v, -1}
		if len(after[v]) > 0 && s.all != nil {
			m.set = s.all[v]
		} else if len(after[v]) > 0 {
			m.set = s.set(after[v])
		}
		moves = append(moves, m)
	}
	s.moves[set] = moves
	return moves
}

// merge makes the states of each VC one set, if coarse is true. The search then has runs that the network
// does not have.
func (s *stateSets) merge(coarse bool) {
	clear(s.moves)
	if s.all = nil; !coarse {
		return
	}
	on := make([][]int32, s.n.NumVCs())
	for i, st := range s.states {
		on[st.VC] = append(on[st.VC], int32(i))
	}
	for _, list := range on {
		s.all = append(s.all, s.set(list))
	}
}

// isUseful reports whether some state of a set is useful.
func (s *stateSets) isUseful(set int32) bool {
	return set >= 0 && slices.ContainsFunc(s.sets[set], func(i int32) bool { return s.useful[i] })
}
