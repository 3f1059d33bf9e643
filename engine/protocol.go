package engine

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file has the state of hosts that follow a protocol: a graph of message classes, see
// model.Protocol.
//
// Rules: a packet of the source begins a transaction. Its host sends one message of each class
// without causes, at the same time. A host consumes a message if it has room for all that the
// message causes: entries in the queue of each class, and an entry in the table of each join that
// the message opens. It takes this room when the head asks for the channel to the host. A table
// keeps a transaction until all inputs of its join have come and the queue of the joined class has
// room. A multicast message is sent as separate messages, which have one entry together. A message
// of a host to itself needs no room and no channel. A lost message ends its transaction: what is
// left of it causes nothing and needs no room.

// protocol is the state of all transactions and hosts.
type protocol struct {
	*model.Protocol
	classes  int
	effects  [][]int // by class: the classes of messages that one message causes
	joins    [][]int // by class: the classes that wait for it and others
	expected []int32 // by class: the messages that a host gets for a join
	role     []int   // by class: the first class with the same targets
	kinds    [][]int // by kind of transaction: the classes that begin it

	tx      []transaction
	unused  []int32 // numbers of tx
	begun   uint64
	held    []int32   // by host and class: entries of the queue in use
	tabled  []int32   // by host and class: entries of the table in use
	waits   [][]int32 // by host: VCs with a head that waits for room
	ready   [][]seat  // by host: complete transactions that wait for room in a queue
	freed   []int32   // hosts that have sent a message in this clock
	serving fifo[handling]
}

// transaction is the state of a transaction.
type transaction struct {
	id        int64  // of the packet that began it
	number    uint64 // for draws
	began     Clock
	initiator model.HostID
	dest      model.HostID // where the packet of the source goes
	live      int32        // messages, and entries in tables
	dead      bool         // whether a message was lost
	entries   []tableEntry
}

// tableEntry is a transaction in the table of a host.
type tableEntry struct {
	host   int32
	join   int16
	isDone bool    // whether all inputs have come
	got    []int32 // by index in the join
}

// seat is an entry of a table.
type seat struct {
	tx   int32
	join int16
}

// handling is a message that a host serves until clock end.
type handling struct {
	end          Clock
	tx           int32
	class        int16
	taken        bool // whether room for the effects is taken
	host, sender model.HostID
}

func newProtocol(p *model.Protocol, hosts int) *protocol {
	n := len(p.Rules)
	g := &protocol{Protocol: p, classes: n, held: make([]int32, hosts*n), tabled: make([]int32, hosts*n),
		waits: make([][]int32, hosts), ready: make([][]seat, hosts)}
	kinds, arrivals := p.Kinds(), p.Arrivals()
	g.kinds = make([][]int, slices.Max(kinds)+1)
	for c := range n {
		g.effects = append(g.effects, slices.DeleteFunc(p.Effects(c), func(e int) bool { return len(p.Rules[e].To) == 0 }))
		g.joins = append(g.joins, p.Joins(c))
		g.role = append(g.role, slices.IndexFunc(p.Rules, func(r model.ClassRule) bool { return slices.Equal(r.To, p.Rules[c].To) }))
		g.expected = append(g.expected, int32(arrivals[c]))
		if len(p.Rules[c].After) == 0 {
			g.kinds[kinds[c]] = append(g.kinds[kinds[c]], c)
		}
	}
	return g
}

// CheckProtocol fails for a protocol that the engine does not simulate: some sources of a multicast class also receive it, and others do
// not. Their transactions have different numbers of copies, and a join counts the same number for all.
func CheckProtocol(p *model.Protocol) error {
	for c, r := range p.Rules {
		if !r.Multicast {
			continue
		}
		both := 0
		for _, h := range r.From {
			if slices.Contains(r.To, h) {
				both++
			}
		}
		if both > 0 && both < len(r.From) {
			return fmt.Errorf("class %s is multicast to %d of the %d hosts that send it; want all of them or none, because a join "+
				"waits for as many answers in each transaction", p.Names[c], both, len(r.From))
		}
	}
	return nil
}

// rooms returns the number of entries of the queue of class c that a host needs at a time.
func (g *protocol) rooms(c int) int32 {
	if g.Rules[c].Multicast {
		return 1
	}
	return int32(g.Rules[c].Copies)
}

// hasRoom reports whether a host with the given number of entries in use has room for class e.
func (g *protocol) hasRoom(used int32, e int) bool {
	n := g.Rules[e].Queue.Entries
	return n == 0 || int(used+g.rooms(e)) <= n
}

// hasSeat reports whether a table of join j with the given number of entries in use has one more.
func (g *protocol) hasSeat(used int32, j int) bool {
	n := g.Rules[j].Table.Entries
	return n == 0 || int(used) < n
}

// entry returns the entry of transaction t in the table of join j at host h, or nil.
func (g *protocol) entry(t, h int32, j int) *tableEntry {
	for i := range g.tx[t].entries {
		if e := &g.tx[t].entries[i]; e.host == h && int(e.join) == j {
			return e
		}
	}
	return nil
}

// canConsume reports whether host h has room for all that a message of class c of transaction t causes.
func (g *protocol) canConsume(t, h int32, c int) bool {
	if g.Rules[c].Consumed || g.tx[t].dead {
		return true
	}
	for _, e := range g.effects[c] {
		if !g.hasRoom(g.held[int(h)*g.classes+e], e) {
			return false
		}
	}
	for _, j := range g.joins[c] {
		if g.entry(t, h, j) == nil && !g.hasSeat(g.tabled[int(h)*g.classes+j], j) {
			return false
		}
	}
	return true
}

// take takes the room for all that a message of class c causes. It reports false if the
// transaction has ended.
func (g *protocol) take(t, h int32, c int) bool {
	if g.tx[t].dead {
		return false
	}
	for _, e := range g.effects[c] {
		g.held[int(h)*g.classes+e] += g.rooms(e)
	}
	for _, j := range g.joins[c] {
		if g.entry(t, h, j) == nil {
			x := &g.tx[t]
			x.entries = append(x.entries, tableEntry{host: h, join: int16(j), got: make([]int32, len(g.Join(j)))})
			x.live++
			g.tabled[int(h)*g.classes+j]++
		}
	}
	return true
}

// giveBack gives back the entries of queues that take has taken.
func (g *protocol) giveBack(h int32, c int) {
	for _, e := range g.effects[c] {
		g.held[int(h)*g.classes+e] -= g.rooms(e)
	}
}

// leave removes the entry of transaction t from the table of join j at host h.
func (g *protocol) leave(t, h int32, j int) {
	x := &g.tx[t]
	x.entries = slices.DeleteFunc(x.entries, func(e tableEntry) bool { return e.host == h && int(e.join) == j })
	x.live--
	g.tabled[int(h)*g.classes+j]--
}

// clone returns a copy, or nil for nil.
func (g *protocol) clone() *protocol {
	if g == nil {
		return nil
	}
	c := *g
	c.tx, c.unused, c.held, c.tabled = slices.Clone(g.tx), slices.Clone(g.unused), slices.Clone(g.held), slices.Clone(g.tabled)
	for i := range c.tx {
		c.tx[i].entries = slices.Clone(g.tx[i].entries)
		for k := range c.tx[i].entries {
			c.tx[i].entries[k].got = slices.Clone(c.tx[i].entries[k].got)
		}
	}
	c.freed = nil
	c.waits, c.ready, c.serving = cloneLists(g.waits), cloneLists(g.ready), g.serving.clone()
	return &c
}
