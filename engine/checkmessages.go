package engine

import (
	"slices"
)

// This file checks invariants of messages.

// recount implements checker: it compares the entries of queues and tables, and the unfinished transactions, with
// the messages in the network and at hosts.
func (m *messages) recount(s *kernel, bad func(string, ...any)) {
	g := m.graph
	held, tabled := make([]int32, len(g.held)), make([]int32, len(g.tabled))
	live, outstanding := make([]int32, len(g.tx)), make([]int32, len(m.outstanding))
	takes := func(h int32, c int) {
		for _, e := range g.effects[c] {
			held[int(h)*g.classes+e] += g.rooms(e)
		}
	}
	for p := range s.underWay() {
		x, o := &s.packet[p], &m.from[p]
		if live[o.tx]++; o.taken {
			takes(int32(m.rel.DestinationHost(x.dest)), m.rel.MessageOf(x.class))
		}
	}
	for _, y := range g.serving.all() {
		if live[y.tx]++; y.taken {
			takes(int32(y.host), int(y.class))
		}
	}
	waiting := func(y *caused) {
		if y.taken {
			held[int(y.Source)*g.classes+y.Message]++
		}
	}
	for i := range m.pending {
		for _, y := range m.pending[i].all() {
			live[y.tx]++
			waiting(&y)
		}
		if y := &m.sends[i]; y.has {
			if waiting(&y.caused); y.vc < 0 {
				live[y.tx]++
			}
		}
	}
	for t := range g.tx {
		x := &g.tx[t]
		if live[t] += int32(len(x.entries)); live[t] != x.live {
			bad("transaction %d: %d messages and entries, want %d", x.id, x.live, live[t])
		}
		if x.live > 0 {
			outstanding[x.initiator]++
		}
		for _, e := range x.entries {
			tabled[int(e.host)*g.classes+int(e.join)]++
		}
	}
	if !slices.Equal(held, g.held) || !slices.Equal(tabled, g.tabled) || !slices.Equal(outstanding, m.outstanding) {
		bad("entries of queues %d, of tables %d, transactions %d; want %d, %d, %d", g.held, g.tabled, m.outstanding, held, tabled, outstanding)
	}
}
