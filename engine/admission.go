package engine

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file lets heads ask for the channel to their host only if the host has room for what their messages cause.

// admit implements endpoints: it returns the heads of list that may ask for their output VC, in any order. A head that finds no
// room at its host waits for it. Heads of the same clock take room in the order of their VCs. The function overwrites list.
func (m *messages) admit(s *kernel, list []int32) []int32 {
	if m.isChain && m.Entries == 0 {
		return list
	}
	g := m.graph
	m.asking = m.asking[:0]
	keep := list[:0]
	for _, v := range list {
		if h, _ := m.hostHop(s, &s.vc[v]); h >= 0 {
			m.asking = append(m.asking, v)
		} else {
			keep = append(keep, v)
		}
	}
	slices.Sort(m.asking)
	for _, v := range m.asking {
		h, _ := m.hostHop(s, &s.vc[v])
		if !m.takeRoom(s, v) {
			g.waits[h] = append(g.waits[h], v)
			continue
		}
		keep = append(keep, v)
		if len(g.joins[m.rel.MessageOf(s.packet[s.vc[v].id].class)]) > 0 {
			m.retry(s, h) // the head may have opened the entry of its transaction
		}
	}
	return keep
}

// takeRoom takes the room at its host for the head of v, which then asks for the channel to the host. It reports
// whether there was room.
func (m *messages) takeRoom(s *kernel, v int32) bool {
	x := &s.vc[v]
	h, set := m.hostHop(s, x)
	o := &m.from[x.id]
	c := m.rel.MessageOf(s.packet[x.id].class)
	if !m.graph.canConsume(o.tx, h, c) {
		return false
	}
	o.taken = m.graph.take(o.tx, h, c)
	m.ask(s, x, set)
	return true
}

// hostHop returns the host that the head of x may ask for the channel to, and the hop. It returns -1
// if the head may not take the channel to its host.
func (m *messages) hostHop(s *kernel, x *vc) (int32, hopSet) {
	to := m.rel.DestinationHost(s.packet[x.id].dest)
	isHost := func(o int32) bool { return s.port[o].eject && model.HostID(s.hostOf[o]) == to }
	if x.answer == 0 && isHost(x.port) {
		return s.hostOf[x.port], hopSet{mask: x.mask, port: s.port[x.port].index, class: x.class}
	}
	if x.answer != 0 {
		base := s.port[x.in].outBase
		for _, set := range s.routes.sets[-1-x.answer] {
			if o := s.outs[base+int32(set.port)]; isHost(o) {
				return s.hostOf[o], set
			}
		}
	}
	return -1, hopSet{}
}

// ask makes the head of x ask for the VCs of set only.
func (m *messages) ask(s *kernel, x *vc, set hopSet) {
	x.answer, x.port, x.mask, x.class = 0, s.outs[s.port[x.in].outBase+int32(set.port)], set.mask, set.class
}
