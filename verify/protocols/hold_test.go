package protocols_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/protocols"
)

// holds builds the scene of a deadlock and makes random moves. It returns what moves although it
// should not, or "".
func (m *machine) holds(rng *rand.Rand, d *protocols.Deadlock) string {
	x, k := m.start(), len(m.p.Rules)
	tx := 0
	put := func(h protocols.Message, tx int) note {
		g := note{class: h.Class, from: int(h.Packet.Source), to: int(h.Packet.Dest), tx: tx, kind: h.Packet.Path[len(h.Packet.Path)-1].Class}
		if m.p.Rules[h.Class].Multicast {
			v := h.Packet.Path[len(h.Packet.Path)-1].VC
			for _, to := range m.p.Rules[h.Class].To {
				if int(to) != g.from && m.passes(g.from, int(to), v) {
					g.left |= 1 << to
				}
			}
		}
		return g
	}
	place := func(h protocols.Message) int {
		return m.p.Network[h.Class]*m.n.NumVCs() + int(h.Packet.Path[len(h.Packet.Path)-1].VC)
	}
	frozen := map[int]int{} // by VC: its number of messages
	next := func() int { tx++; return m.tx(60, 0, 0) + 64*m.hosts*tx }
	for _, at := range d.Places {
		if at.Packet == nil {
			continue
		}
		g, path := put(at.Message, next()), at.Packet.Path
		for _, s := range path[len(path)-max(at.Holds, 1) : len(path)-1] {
			v := place(protocols.Message{Class: at.Class, Packet: &cdg.Packet{Path: []model.State{s}}})
			if len(x.on[v]) > 0 {
				return fmt.Sprintf("two messages hold VC %d", v)
			}
			x.on[v], g.tail, frozen[v] = []note{{class: -1}}, append(g.tail, v), 1
		}
		if v := place(at.Message); len(x.on[v]) > 0 {
			return fmt.Sprintf("two messages hold VC %d", v)
		}
		x.on[place(at.Message)] = []note{g}
	}
	of := map[int]int{} // by number of a place: the transaction in its table
	for i := range d.Places {
		if d.Places[i].Packet == nil {
			of[i] = next()
		}
	}
	for range d.Places { // a transaction that waits for another table is that of this table
		for i, at := range d.Places {
			if at.Packet == nil && d.Places[at.Waits[0]].Packet == nil {
				of[at.Waits[0]] = of[i]
			}
		}
	}
	for i, at := range d.Places {
		if at.Packet != nil {
			continue
		}
		e := entry{of[i], make([]int, k)}
		for _, c := range m.p.Join(at.Class) {
			e.got[c] = m.expected(c)
		}
		if at.Awaited >= 0 || d.Places[at.Waits[0]].Packet == nil {
			clear(e.got)
		}
		own := at.Awaited >= 0 && slices.ContainsFunc(d.Places, func(o protocols.Place) bool { return o.Packet == d.Behind[at.Awaited].Packet })
		if g := at.Awaited; own {
			x.on[place(d.Behind[g])][0].tx = of[i]
		} else if g >= 0 {
			x.wait(m, place(d.Behind[g]), put(d.Behind[g], of[i]))
		}
		list := []entry{e}
		for len(list) < m.p.Rules[at.Class].Table.Entries { // the others wait for a copy of the same message
			other := entry{next(), slices.Clone(e.got)}
			if at.Awaited >= 0 && !d.Worms {
				g := d.Behind[at.Awaited]
				x.on[place(g)] = append(x.on[place(g)], put(g, other.tx))
			}
			list = append(list, other)
		}
		x.tables[int(at.Host)*k+at.Class] = list
	}
	for _, at := range d.Places {
		if at.Packet == nil {
			continue
		}
		v := place(at.Message)
		for len(x.on[v]) < m.room && m.longest == 0 {
			x.on[v] = append(x.on[v], put(at.Message, next()))
		}
		frozen[v] = len(x.on[v])
		if len(at.Packet.Path) > max(at.Holds, 1) {
			continue
		}
		h, network := int(at.Packet.Source), m.p.Network[at.Class]
		for c, r := range m.p.Rules { // fill the queues of the host
			if m.p.Network[c] != network || len(r.After) == 0 || r.Queue.Entries == 0 || len(r.To) == 0 || !slices.Contains(r.From, model.HostID(h)) {
				continue
			}
			to := slices.IndexFunc(r.To, func(to model.HostID) bool { return int(to) != h })
			if to < 0 {
				continue // the host sends messages of the class to itself only
			}
			for range r.Queue.Entries {
				g := note{class: c, from: h, to: int(r.To[to]), tx: next()}
				if r.Multicast {
					for _, to := range r.To {
						g.left |= 1 << to
					}
				}
				x.fifo[h*m.networks+network] = append(x.fifo[h*m.networks+network], g)
				x.held[h*k+c]++
			}
		}
	}
	for range 300 {
		list := m.steps(x, true)
		for _, s := range list {
			if s.vc >= 0 && frozen[s.vc] > 0 {
				g := x.on[s.vc][0]
				if g.left == 0 {
					return fmt.Sprintf("%s from host %d to host %d moves on VC %d", m.p.Names[g.class], g.from, g.to, s.vc)
				}
			}
		}
		if len(list) == 0 {
			break
		}
		list[rng.IntN(len(list))].do(x)
		for v, n := range frozen {
			if len(x.on[v]) < n {
				return fmt.Sprintf("a message leaves VC %d", v)
			}
		}
	}
	return ""
}

// wait puts a message behind those on VC v, or, if VCs have one message at a time, into the queue before an injection VC.
func (x *scene) wait(m *machine, v int, g note) {
	if m.longest == 0 {
		x.on[v] = append(x.on[v], g)
		return
	}
	at := g.from*m.networks + m.p.Network[g.class]
	x.fifo[at] = append(x.fifo[at], g)
	x.held[g.from*len(m.p.Rules)+g.class]++
}

// passes reports whether the path from a host to another one uses VC v.
func (m *machine) passes(from, to int, v model.VCID) bool {
	s := model.State{VC: m.n.VC(m.n.InjectChannel(model.HostID(from)), 0), Dest: model.DestID(to)}
	for range m.n.NumVCs() {
		if s.VC == v {
			return true
		}
		hops := m.r.Next(s, nil)
		if len(hops) != 1 {
			return false
		}
		s.VC, s.Class = hops[0].VC, hops[0].Class
	}
	return false
}
