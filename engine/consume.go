package engine

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file makes hosts that follow a protocol consume messages. A head or a complete transaction that
// finds no room waits for it, and tries again when its host gets room.

// consume lets a host handle a message, for whose effects room is taken.
func (m *messages) consume(s *kernel, y *handling) {
	g, h, c := m.graph, int32(y.host), int(y.class)
	x := &g.tx[y.tx]
	for _, e := range g.effects[c] {
		switch {
		case x.dead && y.taken:
			g.held[int(h)*g.classes+e] -= g.rooms(e)
		case !x.dead && m.isChain:
			m.causeNext(s, y, e)
		case !x.dead:
			m.cause(s, y.tx, h, e, y.sender, y.end, m.Flits[e])
		}
	}
	for _, j := range g.joins[c] {
		if !x.dead {
			m.join(s, y, j)
		}
	}
	m.finish(s, y.tx)
}

// join counts a message for join j. If the join is complete, its class is sent, or waits for room.
func (m *messages) join(s *kernel, y *handling, j int) {
	g, h := m.graph, int32(y.host)
	e := g.entry(y.tx, h, j)
	e.got[slices.Index(g.Join(j), int(y.class))]++
	if slices.ContainsFunc(g.Join(j), func(c int) bool { return g.misses(e, c) }) {
		return
	}
	e.isDone = true
	if !m.complete(s, seat{y.tx, int16(j)}, h) {
		g.ready[h] = append(g.ready[h], seat{y.tx, int16(j)})
	}
}

// misses reports whether messages of class c have not come yet.
func (g *protocol) misses(e *tableEntry, c int) bool {
	return e.got[slices.Index(g.Join(int(e.join)), c)] < g.expected[c]
}

// complete sends the class of a join whose inputs have come, if its queue has room. It reports
// whether it had.
func (m *messages) complete(s *kernel, y seat, h int32) bool {
	g, j := m.graph, int(y.join)
	if len(g.Rules[j].To) == 0 {
		g.leave(y.tx, h, j)
		return true
	}
	held := &g.held[int(h)*g.classes+j]
	if !g.hasRoom(*held, j) {
		return false
	}
	*held += g.rooms(j)
	m.cause(s, y.tx, h, j, model.HostID(h), s.now, m.Flits[j])
	if !g.tx[y.tx].dead {
		g.leave(y.tx, h, j)
	}
	return true
}

// serve implements endpoints: it ends the service of messages. What they cause can leave from this clock on.
func (m *messages) serve(s *kernel) {
	g := m.graph
	for g.serving.len() > 0 && g.serving.first().end < s.now {
		y := g.serving.pop()
		dead := g.tx[y.tx].dead
		if m.consume(s, &y); !dead && g.tx[y.tx].dead {
			m.retryAll(s)
		}
		if !m.isChain { // a host that consumes a message of a chain gets no room by that
			m.retry(s, int32(y.host))
		}
	}
}

// retry lets complete transactions and heads at host h try again, until none of them finds room.
func (m *messages) retry(s *kernel, h int32) {
	g := m.graph
	for again := true; again; {
		again = false
		for _, y := range g.ready[h] {
			g.tx[y.tx].live++ // the transaction ends below at the earliest
			sent := m.complete(s, y, h)
			if sent {
				g.ready[h] = slices.DeleteFunc(g.ready[h], func(z seat) bool { return z == y })
				again = true
			}
			if m.finish(s, y.tx); sent {
				break
			}
		}
		for i, v := range g.waits[h] {
			if m.takeRoom(s, v) {
				g.waits[h] = slices.Delete(g.waits[h], i, i+1)
				s.await(v)
				again = true
				break
			}
		}
	}
}

// retryFreed lets the hosts that have sent a message in this clock try again.
func (m *messages) retryFreed(s *kernel) {
	for _, h := range m.graph.freed {
		m.retry(s, h)
	}
	m.graph.freed = m.graph.freed[:0]
}

// retryAll lets all hosts try again, after a message is lost.
func (m *messages) retryAll(s *kernel) {
	for h := range m.graph.waits {
		m.retry(s, int32(h))
	}
}
