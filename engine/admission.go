package engine

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file lets heads ask for the channel to their host only if the host has an entry for the
// message that theirs causes.

// admit implements endpoints: it returns the heads of list that may ask for their output VC, in any order. A head that
// needs an entry and finds none waits for it. Heads of the same clock take entries in the order of
// their VCs. The function overwrites list.
func (m *messages) admit(s *kernel, list []int32) []int32 {
	if m.graph != nil {
		return m.admitByRoom(s, list)
	}
	if m.Entries == 0 {
		return list
	}
	m.asking = m.asking[:0]
	keep := list[:0]
	for _, v := range list {
		if i, _ := m.entriesOf(s, &s.vc[v]); i >= 0 {
			m.asking = append(m.asking, v)
		} else {
			keep = append(keep, v)
		}
	}
	slices.Sort(m.asking)
	for _, v := range m.asking {
		x := &s.vc[v]
		i, set := m.entriesOf(s, x)
		if int(m.taken[i]) >= m.Entries {
			m.waits[i].push(v)
			continue
		}
		m.take(s, x, i, set)
		keep = append(keep, v)
	}
	return keep
}

// take gives an entry of list i to the head of x, which then asks for the VCs of set only: the
// channel to its host.
func (m *messages) take(s *kernel, x *vc, i int, set hopSet) {
	m.taken[i]++
	m.from[x.id].taken = true
	m.ask(s, x, set)
}

// entriesOf returns the index in taken of the entries that the head of x needs, and its hop to the
// host. It returns -1 if the head needs none: it may not take the channel to its host, or its
// message causes none.
func (m *messages) entriesOf(s *kernel, x *vc) (int, hopSet) {
	next := m.Causes[m.rel.MessageOf(s.packet[x.id].class)]
	if next < 0 {
		return -1, hopSet{}
	}
	h, set := m.hostHop(s, x)
	if h < 0 {
		return -1, hopSet{}
	}
	return int(h)*m.classes + next, set
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

// release frees an entry of list i, which the first waiting head takes.
func (m *messages) release(s *kernel, i int) {
	if g := m.graph; g != nil {
		g.held[i]--
		g.freed = append(g.freed, int32(i/m.classes))
		return
	}
	m.taken[i]--
	if m.waits[i].len() > 0 {
		v := m.waits[i].pop()
		x := &s.vc[v]
		_, set := m.entriesOf(s, x)
		m.take(s, x, i, set)
		s.await(v)
	}
}
