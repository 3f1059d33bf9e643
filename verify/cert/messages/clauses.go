package messages

import (
	"encoding/binary"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges a proof by clauses that no messages of a protocol block each other (evidence "no-message-deadlock"). It is the
// specification of the evidence, with protocol.go.
//
// States. For each class, in order: for each destination whose endpoint is in To, the states that messages of the class can
// reach, by VC, then class of routing. If the inputs of some join of the class come in order, each source has states of its own, by source.
// A multicast class has for each source a state for each VC of its paths. An edge leads from a state to a next state on a VC between
// switches, for classes that are not multicast, under wormhole switching only. Edges are in the order of their states.
//
// Variables, by number, from 1 on: for each place, h (it is held); for each state, x (a message of the deadlock is in it); for
// each edge, e (a message is in its first state, and directly ahead in its second).
//
// Clauses of kind 0, which follow from protocol and routing:
//
//	some h;
//	h of a place of messages implies x of one of its states;
//	h of a table implies that its transactions wait (below);
//	e implies x of both its states;
//	x of a state implies e of one of its edges, or that each alternative needs a place with h: for a state that commits, one of them; in
//	a state without next hops, it implies e of one of its edges.
//
// Transactions of a table wait for one of these: h of the queue of its endpoint; h of the other tables, and of the queues, where an awaited
// message can be; and the places between switches where awaited messages can be. For these it is h under virtual cut-through and
// store-and-forward.
//
// Under wormhole switching it is y of the table and of a state that the message can reach: its head is in the state. The variables y come last, by
// table, then by state. y implies x. If the class is not multicast, y implies no e of the edges of the state, and that each alternative needs a
// place with h. The tables of the same join and endpoint do not count here, because the message finds the entry of its transaction.
//
// Steps is a list of clauses, as in the evidence no-worms. Its kinds are:
//
//	0: it follows from the clauses before it by unit propagation;
//	1: two literals -h of tables of the same class and endpoint; and, under wormhole switching, two literals -x of states at one
//	   place that is a VC, or two literals -e of edges into one state;
//	2: literals -e of edges that form a path. A message that lies on it, and holds just its VCs, cannot come there;
//	3: literals -e of edges that form a ring.
//
// Proof. Take a run with messages that never move in any continuation. Consider a continuation without new transactions in which these
// messages and transactions are as many as possible, and let h, x and e be true of them. A message that never moves
// waits, at its head, for places that all have such messages: a place whose messages move gets room. A
// transaction that never ends waits for a message of the set: all other messages that it waits for come. So the clauses
// of kind 0 are true. A table has transactions of one sort (protocol.go). A VC holds flits of one message at a time, and a message
// has one path, which is no ring. A message that lies on more VCs contains one that lies on the path of kind 2, alone in the network.
//
// Premises under wormhole switching: as for no-worms. A multicast message waits at each VC for places that all its copies
// need, whether it lies on these or not.

// edges returns the edges of state i: from first up to end.
func (m *messageStates) edges(i int32) (first, end int32) {
	if int(i)+1 < len(m.states) {
		return m.states[i].first, m.states[i+1].first
	}
	return m.states[i].first, int32(len(m.to))
}

// add adds a clause, without literals that occur twice.
func (m *messageStates) add(clause ...int32) {
	slices.Sort(clause)
	m.clauses = append(m.clauses, slices.Compact(clause))
}

// addClauses adds the clauses of kind 0.
func (m *messageStates) addClauses(waits [][][]int) {
	var some []int32
	on := make([][]int32, m.firstTable()) // by place: -h, and x of its states
	for at := range m.places() {
		if some = append(some, m.held(at)); at < len(on) {
			on[at] = []int32{-m.held(at)}
		}
	}
	m.add(some...)
	for i := range int32(len(m.states)) {
		s := &m.states[i]
		on[s.place] = append(on[s.place], m.lies(i))
		ahead := []int32{-m.lies(i)}
		for e, end := m.edges(i); e < end; e++ {
			m.add(-m.goes(e), m.lies(i))
			m.add(-m.goes(e), m.lies(m.to[e]))
			ahead = append(ahead, m.goes(e))
		}
		if len(waits[i]) == 0 {
			m.add(ahead...)
		}
		for _, places := range waits[i] {
			clause := slices.Clone(ahead)
			for _, at := range places {
				clause = append(clause, m.held(at))
			}
			m.add(clause...)
		}
	}
	for _, clause := range on {
		m.add(clause...)
	}
	for k := range m.tables {
		m.addTable(k, waits)
	}
}

// addTable adds the clauses of table k.
func (m *messageStates) addTable(k int, waits [][][]int) {
	t := &m.tables[k]
	clause := []int32{-m.held(m.firstTable() + k)}
	if !m.wormhole {
		for _, at := range m.tableNeeds(t) {
			clause = append(clause, m.held(at))
		}
		m.add(clause...)
		return
	}
	if t.missing < 0 && m.fills(t.join, t.owner) {
		clause = append(clause, m.held(m.queueOf(t.join, t.owner)))
	}
	heads := make([]bool, len(m.states))
	m.eachAwaited(t, func(c int, from, to []int32) bool {
		for _, s := range from {
			for i, other := range m.tables {
				if c != t.join && other.join == c && other.owner == s {
					clause = append(clause, m.held(m.firstTable()+i))
				}
			}
			for _, e := range to {
				if m.markHeads(heads, c, s, e) {
					clause = append(clause, m.held(m.queueOf(c, s)))
				}
			}
		}
		return false
	})
	for i, is := range heads {
		if is {
			clause = append(clause, m.heads(k, int32(i)))
			m.addHead(k, int32(i), waits[i])
		}
	}
	m.add(clause...)
}

// markHeads marks the states, on VCs between switches, of messages of a class from one endpoint to another one. It reports whether there
// are any messages.
func (m *messageStates) markHeads(heads []bool, c int, s, e int32) (sends bool) {
	for d, end := range m.ends {
		if end != e || !m.sends(c, s, e) {
			continue
		}
		reached := map[cert.State]bool{}
		_ = m.visit(d, []int32{s}, func(at cert.State, _ []cert.State) error { // the function returns no error
			if reached[at] = true; m.Classes[c].Multicast {
				reached[cert.State{VC: at.VC}] = true
			}
			return nil
		})
		sends = sends || len(reached) > 0
		for i := range m.states {
			g := &m.groups[m.states[i].group]
			if g.class == c && (g.dest < 0 || g.dest == d) && slices.Contains(g.from, s) && int(m.states[i].at.VC) < m.links && reached[m.states[i].at] {
				heads[i] = true
			}
		}
	}
	return sends
}

// addHead adds the clauses of y of table k and state i, with the alternatives of the state.
func (m *messageStates) addHead(k int, i int32, alternatives [][]int) {
	m.add(-m.heads(k, i), m.lies(i))
	if m.groups[m.states[i].group].dest < 0 {
		return
	}
	for e, end := m.edges(i); e < end; e++ {
		m.add(-m.heads(k, i), -m.goes(e))
	}
	for _, places := range alternatives {
		clause := []int32{-m.heads(k, i)}
		for _, at := range places {
			if n := at - m.firstTable(); n < 0 || m.tables[n].join != m.tables[k].join || m.tables[n].owner != m.tables[k].owner {
				clause = append(clause, m.held(at))
			}
		}
		m.add(clause...)
	}
}

// isShown judges a step of a kind of its own. The literals differ and exist.
func (m *messageStates) isShown(kind int32, literals []int32) bool {
	switch kind {
	case stepPair:
		return len(literals) == 2 && m.isPair(-literals[0], -literals[1])
	case stepApart:
		path, ring := m.path(literals)
		return !ring && len(path) > 1 && m.isFar(path)
	case stepRing:
		path, ring := m.path(literals)
		return ring && len(path) > 0
	}
	return false
}

// isPair reports whether two variables cannot both be true.
func (m *messageStates) isPair(a, b int32) bool {
	places, lies := int32(m.places()), int32(len(m.states))
	a, b = a-1, b-1
	switch {
	case a < 0 || b < 0 || max(a, b) >= places+lies+int32(len(m.to)):
		return false
	case a < places && b < places:
		i, k := int(a)-m.firstTable(), int(b)-m.firstTable()
		return i >= 0 && k >= 0 && m.tables[i].join == m.tables[k].join && m.tables[i].owner == m.tables[k].owner
	case !m.wormhole || a < places || b < places:
		return false
	case a < places+lies && b < places+lies:
		at := m.states[a-places].place
		return at == m.states[b-places].place && at < m.Networks*m.links
	case a >= places+lies && b >= places+lies:
		return m.to[a-places-lies] == m.to[b-places-lies]
	}
	return false
}

// path returns the states of edges that form a path, in order, or a ring. It returns nothing for other edges.
func (m *messageStates) path(literals []int32) (states []int32, ring bool) {
	next, into := map[int32]int32{}, map[int32]bool{}
	for _, l := range literals {
		e := -l - int32(m.places()+len(m.states)) - 1
		if e < 0 || int(e) >= len(m.to) {
			return nil, false
		}
		i, _ := slices.BinarySearchFunc(m.states, e, func(s messageState, e int32) int {
			if s.first <= e {
				return -1
			}
			return 1
		})
		from := int32(i - 1)
		if _, ok := next[from]; ok || into[m.to[e]] {
			return nil, false
		}
		next[from], into[m.to[e]] = m.to[e], true
	}
	start := int32(-1)
	for at := range next {
		if !into[at] {
			start = at
			break
		}
		start = max(start, at)
	}
	at := start
	for range len(next) {
		states = append(states, at)
		to, ok := next[at]
		if !ok {
			return nil, false
		}
		at = to
	}
	if at == start {
		return states, true
	}
	return append(states, at), false
}

// isFar reports whether a message that lies on just these states cannot come there, alone in the network. It visits all places from which it
// comes there, at most mostMessageStates.
func (m *messageStates) isFar(path []int32) bool {
	g := m.states[path[0]].group
	before := map[int32][]int32{}
	for i := range m.states {
		if m.states[i].group == g {
			for e, end := m.edges(int32(i)); e < end; e++ {
				before[m.to[e]] = append(before[m.to[e]], int32(i))
			}
		}
	}
	isVC := func(i int32) bool { return int(m.states[i].at.VC) < m.links }
	seen, todo := map[string]bool{}, [][]int32{path}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !isVC(at[0]) || len(seen) > mostMessageStates {
			return false
		}
		for _, b := range before[at[0]] {
			if !isVC(b) {
				return false // its tail comes from the queue of a host
			}
			if slices.ContainsFunc(at, func(i int32) bool { return m.states[i].at.VC == m.states[b].at.VC }) {
				continue
			}
			back := append([]int32{b}, at[:len(at)-1]...)
			var key []byte
			for _, i := range back {
				key = binary.LittleEndian.AppendUint32(key, uint32(i))
			}
			if !seen[string(key)] {
				seen[string(key)] = true
				todo = append(todo, back)
			}
		}
	}
	return true
}
