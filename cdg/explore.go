package cdg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file enumerates the reachable states of a relation, one destination at a time. Every
// claim about a relation refers to these states.
//
// Cost: one call of Relation.Next per reachable state, or per group of states with the same hops
// (model.Grouped). Memory: 12 bytes per VC and class, as many per key, and the states of one destination.

// BadHop is the error for a relation that permits an invalid hop.
type BadHop struct {
	State model.State
	Hop   model.Hop
	Why   string
}

// Error implements error.
func (b *BadHop) Error() string {
	return fmt.Sprintf("cdg: the relation permits, for VC %d with destination %d and class %d, the hop to VC %d with class %d: %s",
		b.State.VC, b.State.Dest, b.State.Class, b.Hop.VC, b.Hop.Class, b.Why)
}

// Explorer visits reachable states. It is not safe for concurrent use.
type Explorer struct {
	rel     model.Relation
	classes int
	slots   []slot           // by VC and class
	base    int32            // the places of the current exploration are greater
	round   uint32           // number of the current exploration, from 1
	head    []model.SwitchID // by VC: the switch that it enters
	links   model.VCID       // number of VCs between switches
	asked   []hopRange       // by key
	space   Space
	inject  []model.Class
	err     error
}

// slot is what the explorer knows about a VC and class. It is small, and all of it is read for each hop.
type slot struct {
	place int32          // base, plus 1, plus the index of the state in Space.States; if it is at most base, the state is not reached
	tail  model.SwitchID // the switch that the VC leaves
	key   int32          // see Space.Keys
}

// hopRange is a range of Space.hops.
type hopRange struct {
	round  uint32 // the exploration that asked for the hops; another one has not asked
	lo, hi int32
}

// Space holds the reachable states of one destination in breadth-first order, states on
// injection channels first, with their next states. It does not contain states on ejection
// channels, where packets are consumed.
type Space struct {
	Dest   model.DestID
	States []model.State
	From   []int32 // by state: the state that reached it first, or -1 on an injection channel
	// Keys, by state, are equal only for states with the same hops. They are less than NumKeys.
	Keys    []int32
	NumKeys int
	// Nodes are the keys of the states, each with the range of its hops.
	Nodes   []Node
	lo, hi  []int32     // by state: index of its first hop in hops and next, and 1 + that of the last; states can share hops
	hops    []model.Hop // permitted next hops
	next    []int32     // by hop: index of the next state, or Delivered or WrongHost
	nextKey []int32     // by hop: the key of the next state, or Delivered or WrongHost
}

// Node is the states with one key.
type Node struct{ Key, lo, hi int32 }

// The values of Next for hops to an ejection channel.
const (
	Delivered int32 = -1 // to the endpoint of the destination
	WrongHost int32 = -2 // to another endpoint
)

// NewExplorer returns an explorer of r.
func NewExplorer(r model.Relation) *Explorer {
	n := r.Network()
	x := &Explorer{rel: r, classes: r.Classes(), slots: make([]slot, n.NumVCs()*r.Classes()), links: model.VCID(n.NumLinkVCs()),
		head: make([]model.SwitchID, n.NumVCs())}
	group, groups := groupsOf(r)
	for v := range x.head {
		c, _ := n.Channel(model.VCID(v))
		x.head[v] = n.Head(c)
		for k := range x.classes {
			x.slots[v*x.classes+k] = slot{0, n.Tail(c), group[v]*int32(x.classes) + int32(k)}
		}
	}
	x.asked = make([]hopRange, groups*x.classes)
	x.space.NumKeys = len(x.asked)
	return x
}

// Err returns the first invalid hop as a *BadHop, or nil. Explore leaves invalid hops out.
func (x *Explorer) Err() error { return x.err }

// Explore returns the reachable states of packets to d. The result is valid until the next
// call.
func (x *Explorer) Explore(d model.DestID) *Space {
	s := x.begin(d)
	for i := 0; i < len(s.States); i++ {
		x.expand(i)
	}
	return s
}

// begin starts an exploration with the states on injection channels.
func (x *Explorer) begin(d model.DestID) *Space {
	s, n := &x.space, x.rel.Network()
	x.forget()
	s.Dest = d
	s.States, s.From, s.Keys, s.Nodes, s.lo, s.hi = s.States[:0], s.From[:0], s.Keys[:0], s.Nodes[:0], s.lo[:0], s.hi[:0]
	s.hops, s.next, s.nextKey = s.hops[:0], s.next[:0], s.nextKey[:0]
	own := x.rel.DestinationHost(d)
	sender, _ := x.rel.(model.Sender)
	for h := range model.HostID(x.rel.Sources()) {
		if h == own || sender != nil && !sender.SendsTo(h, d) {
			continue
		}
		x.inject = x.rel.Inject(h, d, x.inject[:0])
		for _, k := range x.inject {
			at := model.State{VC: n.VC(n.InjectChannel(h), 0), Dest: d, Class: k}
			if int(k) < 0 || int(k) >= x.classes {
				x.err = cmp.Or(x.err, error(&BadHop{at, model.Hop{VC: at.VC, Class: k}, fmt.Sprintf("packets are created with classes 0 to %d", x.classes-1)}))
				continue
			}
			x.push(at, -1)
		}
	}
	return s
}

// forget makes the states of the last exploration unreached.
func (x *Explorer) forget() {
	x.round++
	if x.base += int32(len(x.space.States)); x.base > math.MaxInt32/2 {
		for i := range x.slots {
			x.slots[i].place = 0
		}
		x.base = 0
	}
}

// expand adds the next states of state i. States must be expanded in order.
func (x *Explorer) expand(i int) {
	s := &x.space
	key := s.Keys[i]
	a := &x.asked[key]
	if a.round != x.round {
		*a = hopRange{x.round, int32(len(s.hops)), 0}
		x.ask(i)
		a.hi = int32(len(s.hops))
		s.Nodes = append(s.Nodes, Node{key, a.lo, a.hi})
	}
	s.lo, s.hi = append(s.lo, a.lo), append(s.hi, a.hi)
}

// ask appends the hops of state i, with the next states.
func (x *Explorer) ask(i int) {
	s := &x.space
	first, from := len(s.hops), s.States[i]
	s.hops = x.rel.Next(from, s.hops)
	at := x.head[from.VC]
	for _, h := range s.hops[first:] {
		if uint(h.VC) >= uint(len(x.head)) || uint(h.Class) >= uint(x.classes) || x.slotOf(h.VC, h.Class).tail != at {
			x.reject(from, s.hops[first:])
			s.hops = s.hops[:first]
			break
		}
	}
	for _, h := range s.hops[first:] {
		next, key := Delivered, Delivered
		if h.VC < x.links {
			next, key = x.push(model.State{VC: h.VC, Dest: s.Dest, Class: h.Class}, int32(i))
		} else if end, _ := x.rel.Network().Channel(h.VC); x.rel.Network().HostOf(end) != x.rel.DestinationHost(s.Dest) {
			next, key = WrongHost, WrongHost
		}
		s.next, s.nextKey = append(s.next, next), append(s.nextKey, key)
	}
}

func (x *Explorer) slotOf(v model.VCID, k model.Class) *slot {
	return &x.slots[int(v)*x.classes+int(k)]
}

// groupsOf returns the groups of VCs with the same hops (model.Grouped), numbered from 0, and their number.
func groupsOf(r model.Relation) (group []int32, groups int) {
	n := r.Network()
	group = make([]int32, n.NumVCs())
	g, ok := r.(model.Grouped)
	for v := range group {
		c, _ := n.Channel(model.VCID(v))
		switch {
		case n.Head(c) == model.NoSwitch: // no packet on it has hops
		case ok:
			group[v] = int32(g.GroupOf(model.VCID(v)))
		default:
			group[v] = int32(v)
		}
		groups = max(groups, int(group[v])+1)
	}
	return group, groups
}

// reject keeps the first invalid hop of state s as error.
func (x *Explorer) reject(s model.State, hops []model.Hop) {
	for _, h := range hops {
		why := ""
		switch {
		case h.VC < 0 || int(h.VC) >= len(x.head):
			why = fmt.Sprintf("VCs are 0 to %d", len(x.head)-1)
		case int(h.Class) < 0 || int(h.Class) >= x.classes:
			why = fmt.Sprintf("classes are 0 to %d", x.classes-1)
		case x.slotOf(h.VC, h.Class).tail != x.head[s.VC]:
			why = "it does not leave the switch that the packet is at"
		}
		if why != "" && x.err == nil {
			x.err = &BadHop{s, h, why}
		}
	}
}

// push returns the index and key of a state and adds the state if it is new.
func (x *Explorer) push(s model.State, from int32) (index, key int32) {
	at := x.slotOf(s.VC, s.Class)
	if at.place <= x.base {
		at.place = x.base + 1 + int32(len(x.space.States))
		x.space.States = append(x.space.States, s)
		x.space.From, x.space.Keys = append(x.space.From, from), append(x.space.Keys, at.key)
	}
	return at.place - x.base - 1, at.key
}

// NextKeys returns, for each hop of a node, the key of the next state, or Delivered or WrongHost.
func (s *Space) NextKeys(n Node) []int32 { return s.nextKey[n.lo:n.hi] }

// NextStates returns, for each hop of a node, the index of the next state, or Delivered or WrongHost.
func (s *Space) NextStates(n Node) []int32 { return s.next[n.lo:n.hi] }

// Alone returns state i as a node of its own, whose key is i.
func (s *Space) Alone(i int) Node { return Node{int32(i), s.lo[i], s.hi[i]} }

// HopsOf returns the hops of state i and the values of Next for them.
func (s *Space) HopsOf(i int) ([]model.Hop, []int32) {
	return s.hops[s.lo[i]:s.hi[i]], s.next[s.lo[i]:s.hi[i]]
}

// NumHops returns the number of hops of all states; hops that states share count once.
func (s *Space) NumHops() int { return len(s.hops) }

// FirstHop returns the place of the first hop of state i among all hops. States with the same place have the same hops,
// unless they have none.
func (s *Space) FirstHop(i int) int { return int(s.lo[i]) }

// Backward lists the predecessors of each state of a Space. Each call of Of reuses its memory.
type Backward struct {
	from  []int32 // predecessors, grouped by state
	start []int32 // by state: index of its first predecessor in from; one more entry at the end
}

// Of computes the predecessors of each state of s.
func (b *Backward) Of(s *Space) {
	n, total := len(s.States), 0
	b.start = slices.Grow(b.start[:0], n+2)[:n+2] // shifted by one while the list is filled
	clear(b.start)
	for i := range s.States {
		for _, j := range s.next[s.lo[i]:s.hi[i]] {
			if j >= 0 {
				b.start[j+2]++
				total++
			}
		}
	}
	for i := range n {
		b.start[i+2] += b.start[i+1]
	}
	b.from = slices.Grow(b.from[:0], total)[:total]
	for i := range s.States {
		_, next := s.HopsOf(i)
		for _, j := range next {
			if j >= 0 {
				b.from[b.start[j+1]] = int32(i)
				b.start[j+1]++
			}
		}
	}
}

// Before returns the predecessors of state i, once per hop.
func (b *Backward) Before(i int32) []int32 { return b.from[b.start[i]:b.start[i+1]] }

// PathTo returns a path of states from an injection channel to state i.
func (s *Space) PathTo(i int) []model.State {
	var p []model.State
	for ; i >= 0; i = int(s.From[i]) {
		p = append(p, s.States[i])
	}
	slices.Reverse(p)
	return p
}
