package workload

// This file finds the receive of each message.
//
// The k-th receive of a channel, in the order in which receives start, takes the k-th message, in
// the order in which sends start. So messages do not overtake each other (MPI 4.0, section 3.5),
// even if the packets do. At a rank with a receive of Any, messages match in the order of their
// arrival: a receive takes the first message that has arrived and fits, and a message the first
// receive that waits and fits.

// matcher has the sends and receives that have started.
type matcher struct {
	g        *Graph
	sends    [][]OpID // by channel, in the order of their start
	receives [][]OpID
	waiting  [][]OpID // by wild rank: receives without a message
	arrived  [][]OpID // by wild rank: messages without a receive
}

func newMatcher(g *Graph) matcher {
	return matcher{g: g, sends: make([][]OpID, g.channels), receives: make([][]OpID, g.channels), waiting: make([][]OpID, g.Ranks),
		arrived: make([][]OpID, g.Ranks)}
}

// send handles the start of a send, and returns its receive, or NoOp if that is not known yet.
func (m *matcher) send(op OpID) OpID {
	c := m.g.channel[op]
	if c < 0 {
		return NoOp
	}
	k := len(m.sends[c])
	m.sends[c] = append(m.sends[c], op)
	if k < len(m.receives[c]) {
		return m.receives[c][k]
	}
	return NoOp
}

// receive handles the start of a receive, and returns its send, or NoOp if that is not known yet.
func (m *matcher) receive(op OpID) OpID {
	if c := m.g.channel[op]; c >= 0 {
		k := len(m.receives[c])
		m.receives[c] = append(m.receives[c], op)
		if k < len(m.sends[c]) {
			return m.sends[c][k]
		}
		return NoOp
	}
	rank := m.g.Ops[op].Rank
	list := m.arrived[rank]
	for i, send := range list {
		if m.fits(send, op) {
			m.arrived[rank] = append(list[:i], list[i+1:]...)
			return send
		}
	}
	m.waiting[rank] = append(m.waiting[rank], op)
	return NoOp
}

// arrive handles the arrival of a message that has no receive yet, and returns its receive, or
// NoOp. Only a wild rank has one.
func (m *matcher) arrive(op OpID) OpID {
	if m.g.channel[op] >= 0 {
		return NoOp
	}
	rank := m.g.Ops[op].Peer
	list := m.waiting[rank]
	for i, receive := range list {
		if m.fits(op, receive) {
			m.waiting[rank] = append(list[:i], list[i+1:]...)
			return receive
		}
	}
	m.arrived[rank] = append(m.arrived[rank], op)
	return NoOp
}

// fits reports whether a receive takes the message of a send to its rank.
func (m *matcher) fits(send, receive OpID) bool {
	s, r := &m.g.Ops[send], &m.g.Ops[receive]
	return (r.Peer == Any || r.Peer == s.Rank) && (r.Tag == Any || r.Tag == s.Tag)
}
