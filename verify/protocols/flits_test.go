package protocols_test

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file runs the flits of a few packets through all choices. It shares no code with provers and checker.
//
// Each packet has a tree of VCs, from its injection VC on. A VC has a buffer of some flits. A packet asks for each branch once its head is
// at the front of the VC before, and each branch reads the flits at its own speed. A flit leaves its buffer when all branches have
// read it. Hosts consume at once. A VC that is atomic is given away when it is empty, another one when the last tail has entered it.

// flitPacket is a packet: the VCs of its tree, the first one its injection VC.
type flitPacket struct {
	vcs    []int
	before []int // by index in vcs
}

// flitNet is packets of one length. Packets with the same injection VC are sent in their order.
type flitNet struct {
	packets        []flitPacket
	length, buffer int
	atomic         bool
	after          [][][]int // by packet and index: the indices of the branches
}

// flitState says how many flits have entered each VC of each packet, and which packets have been given each VC and have not left it.
type flitState struct {
	in    [][]int8
	given map[int][]int
}

// newFlitNet returns packets of one length.
func newFlitNet(packets []flitPacket, length, buffer int, atomic bool) *flitNet {
	n := &flitNet{packets: packets, length: length, buffer: buffer, atomic: atomic}
	for _, p := range packets {
		after := make([][]int, len(p.vcs))
		for i, b := range p.before {
			if b >= 0 {
				after[b] = append(after[b], i)
			}
		}
		n.after = append(n.after, after)
	}
	return n
}

func (s *flitState) clone() *flitState {
	c := &flitState{given: map[int][]int{}}
	for _, in := range s.in {
		c.in = append(c.in, slices.Clone(in))
	}
	for v, list := range s.given {
		c.given[v] = slices.Clone(list)
	}
	return c
}

// isFirst reports whether packet p has been given VC v, and no other packet is ahead of it there.
func (s *flitState) isFirst(p, v int) bool { return len(s.given[v]) > 0 && s.given[v][0] == p }

// read returns how many flits of packet p all branches after index i have read.
func (n *flitNet) read(s *flitState, p, i int) int {
	if !s.isFirst(p, n.packets[p].vcs[i]) {
		return 0
	}
	least := int(s.in[p][i]) // a host reads at once
	for _, k := range n.after[p][i] {
		least = min(least, int(s.in[p][k]))
	}
	return least
}

// flits returns the number of flits in VC v.
func (n *flitNet) flits(s *flitState, v int) (sum int) {
	for _, p := range s.given[v] {
		i := slices.Index(n.packets[p].vcs, v)
		sum += int(s.in[p][i]) - n.read(s, p, i)
	}
	return sum
}

// moves returns the flits that can move, as pairs of packet and index of the VC that they enter.
func (n *flitNet) moves(s *flitState) (list [][2]int) {
	for p, packet := range n.packets {
		for i, v := range packet.vcs {
			if !slices.Contains(s.given[v], p) || int(s.in[p][i]) == n.length || n.flits(s, v) == n.buffer {
				continue
			}
			if b := packet.before[i]; b < 0 || s.isFirst(p, packet.vcs[b]) && s.in[p][b] > s.in[p][i] {
				list = append(list, [2]int{p, i})
			}
		}
	}
	return list
}

// move moves a flit, and takes VCs from packets whose tails have left.
func (n *flitNet) move(s *flitState, m [2]int) {
	s.in[m[0]][m[1]]++
	for again := true; again; {
		again = false
		for v, list := range s.given {
			if len(list) > 0 && n.read(s, list[0], slices.Index(n.packets[list[0]].vcs, v)) == n.length {
				s.given[v], again = list[1:], true
			}
		}
	}
}

// gifts returns the VCs that packets can be given, as pairs of packet and index.
func (n *flitNet) gifts(s *flitState) (list [][2]int) {
	for p, packet := range n.packets {
		for i, v := range packet.vcs {
			if s.in[p][i] > 0 || slices.Contains(s.given[v], p) {
				continue
			}
			b := packet.before[i]
			ready := b >= 0 && s.isFirst(p, packet.vcs[b]) && s.in[p][b] > 0
			if b < 0 { // the packets before it have left the host
				ready = true
				for q := range p {
					ready = ready && (n.packets[q].vcs[0] != v || int(s.in[q][0]) == n.length)
				}
			}
			if !ready {
				continue
			}
			if k := len(s.given[v]); k > 0 {
				last := s.given[v][k-1]
				if n.atomic || int(s.in[last][slices.Index(n.packets[last].vcs, v)]) < n.length {
					continue
				}
			}
			list = append(list, [2]int{p, i})
		}
	}
	return list
}

// deadlock reports whether some run ends before all packets have arrived, and how many states there are. A move of a flit
// hinders no other move and no gift. So unless every is true, flits move before VCs are given: the final states are the same.
func (n *flitNet) deadlock(every bool) (found bool, states int) {
	first := &flitState{given: map[int][]int{}}
	for _, p := range n.packets {
		first.in = append(first.in, make([]int8, len(p.vcs)))
	}
	seen, todo := map[string]bool{n.key(first): true}, []*flitState{first}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		states++
		moves, gifts := n.moves(s), n.gifts(s)
		if len(moves)+len(gifts) == 0 && !n.isOver(s) {
			return true, states
		}
		if !every && len(moves) > 0 {
			moves, gifts = moves[:1], nil
		}
		visit := func(t *flitState) {
			if k := n.key(t); !seen[k] {
				seen[k] = true
				todo = append(todo, t)
			}
		}
		for _, m := range moves {
			t := s.clone()
			n.move(t, m)
			visit(t)
		}
		for _, g := range gifts {
			t := s.clone()
			v := n.packets[g[0]].vcs[g[1]]
			t.given[v] = append(t.given[v], g[0])
			visit(t)
		}
	}
	return false, states
}

func (n *flitNet) isOver(s *flitState) bool {
	for _, in := range s.in {
		for _, k := range in {
			if int(k) < n.length {
				return false
			}
		}
	}
	return true
}

func (n *flitNet) key(s *flitState) string {
	var key []byte
	for p, in := range s.in {
		for i, k := range in {
			key = append(key, byte(k), byte(slices.Index(s.given[n.packets[p].vcs[i]], p)+1))
		}
	}
	return string(key)
}

// treeOf returns the packet of a host to some others, or false if the paths form no tree.
func treeOf(r model.Relation, s model.HostID, to []model.HostID) (p flitPacket, ok bool) {
	n := r.Network()
	p = flitPacket{[]int{int(n.VC(n.InjectChannel(s), 0))}, []int{-1}}
	for d := range model.DestID(r.Destinations()) {
		h := r.DestinationHost(d)
		if h == s || !slices.Contains(to, h) {
			continue
		}
		at, state := 0, model.InjectState(r, s, d, r.Inject(s, d, nil)[0])
		for {
			hop := r.Next(state, nil)[0]
			if !n.IsLinkVC(hop.VC) {
				break
			}
			k := slices.Index(p.vcs, int(hop.VC))
			if k < 0 {
				k = len(p.vcs)
				p.vcs, p.before = append(p.vcs, int(hop.VC)), append(p.before, at)
			} else if p.before[k] != at {
				return p, false
			}
			at, state = k, model.State{VC: hop.VC, Dest: d, Class: hop.Class}
		}
	}
	return p, true
}

func (p flitPacket) String() string { return fmt.Sprint(p.vcs) }
