package protocols_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file runs the messages of a protocol step by step, as hosts and switches handle them. It
// judges the provers and shares no code with them, nor with the checker. It reads the rules of a
// protocol, but derives nothing from its graph.

// note is a message. Transactions have numbers; left are the hosts that a multicast message still
// has to reach. tail are the VCs behind its head that it holds, the last one first. On these VCs are notes of class -1.
type note struct {
	class, from, to, tx int
	kind                model.Class
	left                uint32
	tail                []int
}

// entry is a transaction in a table: how many messages of each class have come.
type entry struct {
	tx  int
	got []int
}

// scene is a state of network and hosts.
type scene struct {
	on     [][]note  // by virtual network and VC: first come, first served
	fifo   [][]note  // by host and virtual network
	held   []int     // by host and class: entries in use of the queue
	tables [][]entry // by host and class
	begun  []int     // by kind of transaction and host
}

func (x *scene) clone() *scene {
	y := &scene{held: slices.Clone(x.held), begun: slices.Clone(x.begun)}
	for _, l := range x.on {
		y.on = append(y.on, slices.Clone(l))
	}
	for _, l := range x.fifo {
		y.fifo = append(y.fifo, slices.Clone(l))
	}
	for _, l := range x.tables {
		var c []entry
		for _, e := range l {
			c = append(c, entry{e.tx, slices.Clone(e.got)})
		}
		y.tables = append(y.tables, c)
	}
	return y
}

// isEmpty reports whether nothing is left.
func (x *scene) isEmpty() bool {
	n := 0
	for _, l := range x.on {
		n += len(l)
	}
	for _, l := range x.fifo {
		n += len(l)
	}
	for _, l := range x.tables {
		n += len(l)
	}
	return n == 0
}

// machine is the rules. Each VC has room for room messages, and a host begins most transactions of
// each kind.
type machine struct {
	r        model.Relation
	n        *model.Network
	p        *model.Protocol
	kinds    []int
	room     int
	most     int
	salt     int
	hosts    int
	networks int
	arrivals []int // by class: see expected
	// surprised says that an input that does not open tables has come before the others.
	surprised bool
	longest   int // VCs that messages hold at most; if it is not 0, a VC has flits of one message at a time
}

func newMachine(r model.Relation, p *model.Protocol, room, most, salt int) *machine {
	return &machine{r: r, n: r.Network(), p: p, kinds: p.Kinds(), room: room, most: most, salt: salt, hosts: r.Network().NumHosts(), networks: p.Networks()}
}

func (m *machine) start() *scene {
	c := len(m.p.Rules)
	return &scene{on: make([][]note, m.networks*m.n.NumVCs()), fifo: make([][]note, m.hosts*m.networks), held: make([]int, m.hosts*c),
		tables: make([][]entry, m.hosts*c), begun: make([]int, c*m.hosts)}
}

// tx returns the number of transaction k of a kind and host; initiator is the inverse.
func (m *machine) tx(kind, host, k int) int { return (kind*m.hosts+host)*64 + k }
func (m *machine) initiator(tx int) int     { return tx / 64 % m.hosts }

// targets returns the hosts that a host sends class c to, for a message of another host.
func (m *machine) targets(c, from, tx, sender int) (list []int) {
	r := &m.p.Rules[c]
	switch {
	case r.Dest == model.ToInitiator:
		return []int{m.initiator(tx)}
	case r.Dest == model.ToSender:
		return []int{sender}
	}
	at := tx*7 + m.salt*(1+tx)
	for i := range r.To {
		h := int(r.To[(at+i)%len(r.To)])
		if h != from && (len(list) < r.Copies || r.Multicast) && (h != m.initiator(tx) || len(r.To) <= r.Copies+1 || r.Multicast) {
			list = append(list, h)
		}
	}
	if len(r.To) == 1 && len(list) == 0 { // the only host of the role handles it itself
		return []int{from}
	}
	return list
}

// send puts messages of class c of a transaction into the queues of a host.
func (m *machine) send(x *scene, c, from, tx, sender int) {
	to := m.targets(c, from, tx, sender)
	at := from*m.networks + m.p.Network[c]
	if m.p.Rules[c].Multicast {
		all := uint32(0)
		for _, h := range to {
			all |= 1 << h
		}
		x.fifo[at] = append(x.fifo[at], note{class: c, from: from, to: to[0], tx: tx, left: all})
		return
	}
	for _, h := range to {
		if h == from { // the host handles it itself
			m.consume(x, note{class: c, from: from, to: from, tx: tx}, from)
			x.held[from*len(m.p.Rules)+c]--
			continue
		}
		x.fifo[at] = append(x.fifo[at], note{class: c, from: from, to: h, tx: tx})
	}
}

// rooms returns the number of entries of the queue that a host needs for class c.
func (m *machine) rooms(c int) int {
	if r := &m.p.Rules[c]; !r.Multicast {
		return r.Copies
	}
	return 1
}

// canConsume reports whether host h has room for all that a message causes.
func (m *machine) canConsume(x *scene, g note, h int) bool {
	if m.p.Rules[g.class].Consumed {
		return true
	}
	k := len(m.p.Rules)
	for e, r := range m.p.Rules {
		for _, list := range r.After {
			switch {
			case !slices.Contains(list, g.class):
			case len(list) > 1:
				known := slices.ContainsFunc(x.tables[h*k+e], func(t entry) bool { return t.tx == g.tx })
				if !known && r.Table.Entries > 0 && len(x.tables[h*k+e]) >= r.Table.Entries {
					return false
				}
			case len(r.To) > 0 && r.Queue.Entries > 0 && x.held[h*k+e]+m.rooms(e) > r.Queue.Entries:
				return false
			}
		}
	}
	return true
}

// isFirst reports whether a message makes an entry in a table although its class does not open it.
func (m *machine) isFirst(x *scene, g note, h int) bool {
	return slices.ContainsFunc(m.p.Joins(g.class), func(j int) bool {
		known := slices.ContainsFunc(x.tables[h*len(m.p.Rules)+j], func(t entry) bool { return t.tx == g.tx })
		return !known && !slices.Contains(m.p.Openers(j), g.class)
	})
}

// consume lets host h consume a message.
func (m *machine) consume(x *scene, g note, h int) {
	k := len(m.p.Rules)
	for e, r := range m.p.Rules {
		for _, list := range r.After {
			switch {
			case !slices.Contains(list, g.class):
			case len(list) > 1:
				i := slices.IndexFunc(x.tables[h*k+e], func(t entry) bool { return t.tx == g.tx })
				if i < 0 {
					i = len(x.tables[h*k+e])
					x.tables[h*k+e] = append(x.tables[h*k+e], entry{g.tx, make([]int, k)})
				}
				x.tables[h*k+e][i].got[g.class]++
			case len(r.To) > 0:
				x.held[h*k+e] += m.rooms(e)
				m.send(x, e, h, g.tx, g.from)
			}
		}
	}
}

// expected returns the number of messages of class c that one host gets in a transaction: the most in some transactions of all hosts.
func (m *machine) expected(c int) int {
	if m.arrivals == nil {
		m.arrivals = make([]int, len(m.p.Rules))
		for e, r := range m.p.Rules {
			for _, h := range r.From {
				if len(r.After) == 0 {
					m.countMessages(m.tx(m.kinds[e], int(h), 0))
				}
			}
		}
	}
	return m.arrivals[c]
}

// countMessages counts the messages of a transaction that each host gets.
func (m *machine) countMessages(tx int) {
	for c, list := range m.allMessages(tx) {
		times := make([]int, m.hosts)
		for _, g := range list {
			times[g[1]]++
			m.arrivals[c] = max(m.arrivals[c], times[g[1]])
		}
	}
}

// allMessages returns, by class, the hosts that each message of a transaction goes from and to.
func (m *machine) allMessages(tx int) [][][2]int {
	list := make([][][2]int, len(m.p.Rules))
	order, _ := m.p.Order()
	for _, c := range order {
		send := func(from, sender int) {
			for _, to := range m.targets(c, from, tx, sender) {
				list[c] = append(list[c], [2]int{from, to})
			}
		}
		if len(m.p.Rules[c].After) == 0 {
			send(m.initiator(tx), -1)
		}
		for _, after := range m.p.Rules[c].After {
			if len(after) == 1 {
				for _, g := range list[after[0]] {
					send(g[1], g[0])
				}
				continue
			}
			for h := range m.hosts {
				if !slices.ContainsFunc(after, func(y int) bool { return !slices.ContainsFunc(list[y], func(g [2]int) bool { return g[1] == h }) }) {
					send(h, -1)
				}
			}
		}
	}
	return list
}

// step is a move, with the VC that it is made from, or -1.
type step struct {
	vc int
	do func(x *scene)
}

// steps returns the moves in a scene. begin says whether transactions may begin.
func (m *machine) steps(x *scene, begin bool) (list []step) {
	if begin {
		list = m.beginnings(x)
	}
	k := len(m.p.Rules)
	for h := range m.hosts {
		for v := range m.networks {
			list = append(list, m.leavings(x, h, v)...)
		}
		for j, r := range m.p.Rules {
			for i, t := range x.tables[h*k+j] {
				if m.isComplete(j, t) && (len(r.To) == 0 || r.Queue.Entries == 0 || x.held[h*k+j]+m.rooms(j) <= r.Queue.Entries) {
					list = append(list, step{-1, func(y *scene) {
						y.tables[h*k+j] = slices.Delete(y.tables[h*k+j], i, i+1)
						if len(r.To) > 0 {
							y.held[h*k+j] += m.rooms(j)
							m.send(y, j, h, t.tx, -1)
						}
					}})
				}
			}
		}
	}
	for at := range x.on {
		if len(x.on[at]) > 0 {
			list = append(list, m.hops(x, at)...)
		}
	}
	return list
}

// isComplete reports whether all messages that join j needs have come.
func (m *machine) isComplete(j int, t entry) bool {
	for _, list := range m.p.Rules[j].After {
		if len(list) > 1 && !slices.ContainsFunc(list, func(c int) bool { return t.got[c] < m.expected(c) }) {
			return true
		}
	}
	return false
}

// beginnings returns the moves that begin a transaction.
func (m *machine) beginnings(x *scene) (list []step) {
	for c, r := range m.p.Rules {
		kind := m.kinds[c]
		first := slices.IndexFunc(m.p.Rules, func(o model.ClassRule) bool { return len(o.After) == 0 })
		for first < c && (len(m.p.Rules[first].After) > 0 || m.kinds[first] != kind) {
			first++
		}
		if len(r.After) > 0 || first != c {
			continue
		}
		for _, host := range r.From {
			h := int(host)
			if n := x.begun[kind*m.hosts+h]; n < m.most {
				list = append(list, step{-1, func(y *scene) {
					y.begun[kind*m.hosts+h]++
					for e, o := range m.p.Rules {
						if len(o.After) == 0 && m.kinds[e] == kind {
							m.send(y, e, h, m.tx(kind, h, n), -1)
						}
					}
				}})
			}
		}
	}
	return list
}

// leavings returns the moves of the first message of a queue into a VC.
func (m *machine) leavings(x *scene, h, v int) (list []step) {
	at := h*m.networks + v
	if len(x.fifo[at]) == 0 {
		return nil
	}
	to := v*m.n.NumVCs() + int(m.n.VC(m.n.InjectChannel(model.HostID(h)), 0))
	if len(x.on[to]) >= m.room {
		return nil
	}
	g := x.fifo[at][0]
	for _, k := range m.r.Inject(model.HostID(h), model.DestID(g.to), nil) {
		list = append(list, step{-1, func(y *scene) {
			y.fifo[at] = y.fifo[at][1:]
			g := g
			g.kind = k
			y.on[to] = append(y.on[to], g)
			if len(m.p.Rules[g.class].After) > 0 {
				y.held[h*len(m.p.Rules)+g.class]--
			}
		}})
	}
	return list
}

// hops returns the moves of the first message on a VC.
func (m *machine) hops(x *scene, at int) (list []step) {
	g := x.on[at][0]
	if g.class < 0 {
		return nil
	}
	v, base := model.VCID(at%m.n.NumVCs()), at/m.n.NumVCs()*m.n.NumVCs()
	branches := map[int]uint32{g.to: 0}
	if g.left != 0 {
		branches = m.branches(g, v)
	}
	for _, to := range slices.Sorted(mapKeys(branches)) {
		part := branches[to]
		for _, hop := range m.r.Next(model.State{VC: v, Dest: model.DestID(to), Class: g.kind}, nil) {
			channel, _ := m.n.Channel(hop.VC)
			copied := g
			copied.to, copied.kind, copied.left = to, hop.Class, part
			take := func(y *scene) {
				if m.longest > 0 && g.left == 0 {
					m.pull(y, at, &copied, m.n.Kind(channel) == model.Eject)
					return
				}
				if y.on[at][0].left &^= part; y.on[at][0].left == 0 {
					y.on[at] = y.on[at][1:]
				} else {
					for h := range m.hosts {
						if y.on[at][0].left>>h&1 == 1 {
							y.on[at][0].to = h
						}
					}
				}
			}
			if m.n.Kind(channel) == model.Eject {
				h := int(m.n.HostOf(channel))
				if m.canConsume(x, copied, h) {
					list = append(list, step{at, func(y *scene) {
						take(y)
						m.surprised = m.surprised || m.isFirst(y, copied, h)
						m.consume(y, copied, h)
					}})
				}
			} else if to := base + int(hop.VC); len(x.on[to]) < m.room {
				list = append(list, step{at, func(y *scene) {
					take(y)
					y.on[to] = append(y.on[to], copied)
				}})
			}
		}
	}
	return list
}

// pull moves the tail of message g, whose head leaves VC at.
func (m *machine) pull(x *scene, at int, g *note, ends bool) {
	tail := append(slices.Clone(g.tail), at)
	x.on[at] = []note{{class: -1}}
	for len(tail) > 0 && (ends || len(tail) >= m.length(g)) {
		x.on[tail[0]], tail = nil, tail[1:]
	}
	g.tail = tail
}

// length returns the number of VCs that a message holds at most.
func (m *machine) length(g *note) int {
	if m.longest == 0 {
		return 1
	}
	return 1 + (g.tx*5+g.class*3+m.salt)%m.longest
}

// branches returns the copies of a multicast message on VC v: a destination of each, with all of its
// destinations.
func (m *machine) branches(g note, v model.VCID) map[int]uint32 {
	by := map[model.VCID]uint32{}
	for h := range m.hosts {
		if g.left>>h&1 == 1 {
			by[m.r.Next(model.State{VC: v, Dest: model.DestID(h), Class: g.kind}, nil)[0].VC] |= 1 << h
		}
	}
	list := map[int]uint32{}
	for _, set := range by {
		for h := range m.hosts {
			if set>>h&1 == 1 {
				list[h] = set
				break
			}
		}
	}
	return list
}

func mapKeys(m map[int]uint32) func(func(int) bool) {
	return func(yield func(int) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// walk makes moves in random order: some with new transactions, then the rest without. It reports whether messages
// are left that cannot move.
func (m *machine) walk(rng *rand.Rand, x *scene, moves int) (stuck bool, err error) {
	for i := 0; ; i++ {
		list := m.steps(x, i < moves)
		if len(list) == 0 {
			return !x.isEmpty(), nil
		}
		if i > moves+20000 {
			return false, fmt.Errorf("no end after %d moves", i)
		}
		list[rng.IntN(len(list))].do(x)
	}
}

// search visits all scenes. It reports whether one is reachable in which messages are left that cannot move, and
// whether all scenes were visited.
func (m *machine) search(most int) (stuck, all bool) {
	first := m.start()
	seen, stack := map[string]bool{fmt.Sprint(*first): true}, []*scene{first}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if len(m.steps(x, false)) == 0 && !x.isEmpty() {
			return true, true
		}
		for _, s := range m.steps(x, true) {
			y := x.clone()
			s.do(y)
			if key := fmt.Sprint(*y); !seen[key] {
				if seen[key] = true; len(seen) > most {
					return false, false
				}
				stack = append(stack, y)
			}
		}
	}
	return false, true
}
