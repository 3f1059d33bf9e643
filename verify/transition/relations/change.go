package relations

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file lists the states of a change with their old and new next hops.

// Options says how packets wait, and what happens to packets without a next hop.
type Options struct {
	// Waiting overrides how packets wait, if not empty.
	Waiting model.Waiting
	// Drops says that switches drop packets without a next hop.
	Drops bool
}

// The two sides of a change, as indices.
const (
	before = iota
	after
)

// Change is two routing relations of one network, with the same destinations and classes. Next hops have the VCs of the relation with
// more VCs.
type Change struct {
	*Moved  // cables and switches that only one of the two networks has
	rel     [2]model.Relation
	net     *model.Network
	classes int
	one     bool // packets wait for one next hop
	drops   bool

	first   []int32 // by destination: its first state, and one more
	states  []onVC  // by destination, then VC and class
	hops    [2]hops // by side
	differs []bool  // by destination and switch
	several bool    // some state has next hops on several VCs
	twice   bool    // some packet can pass a switch twice
	byInput bool    // some next hops depend on more than switch, destination and class
}

// onVC is a state of a packet to a known destination.
type onVC struct {
	vc    model.VCID
	class model.Class
}

// hops are next hops by state.
type hops struct {
	from []int32 // by state: its first hop, and one more
	to   []model.VCID
	next []int32 // by hop: the state, or -1 if the packet leaves
}

// of returns the next hops of a state, and the states that they lead to.
func (h *hops) of(state int32) ([]model.VCID, []int32) {
	lo, hi := h.from[state], h.from[state+1]
	return h.to[lo:hi], h.next[lo:hi]
}

// New returns the change between two relations on the network of the new one. It fails if they are not of the same switches, hosts, destinations
// and classes, if a hop changes the class, or if packets wait in different ways. If switches drop packets, one network may lack cables.
// Cost: one call of Next for each state of the union and relation.
func New(ctx context.Context, old, now model.Relation, o Options) (*Change, error) {
	if model.ClassText(old) != model.ClassText(now) {
		return nil, errors.New("classes of packets differ: the files that state them, such as config_db.json, belong to both or to none, with the same maps")
	}
	moved := &Moved{}
	err := sameNetwork(old.Network(), now.Network())
	if err != nil && o.Drops {
		old, moved, err = align(old, now.Network())
	}
	if err != nil {
		return nil, err
	}
	vcs := max(old.Network().VCs(), now.Network().VCs())
	c := &Change{net: now.Network().WithVCs(vcs), drops: o.Drops, Moved: moved}
	c.rel = [2]model.Relation{lift(old, c.net), lift(now, c.net)}
	if err := c.sameTraffic(); err != nil {
		return nil, err
	}
	c.classes = max(old.Classes(), now.Classes())
	return c, c.list(ctx, o)
}

// list lists the states, and finds how packets wait.
func (c *Change) list(ctx context.Context, o Options) error {
	x := cdg.NewExplorer(&union{c})
	c.hops[before].from, c.hops[after].from, c.first = []int32{0}, []int32{0}, []int32{0}
	c.differs = make([]bool, c.NumDestinations()*c.net.NumSwitches())
	w := waiting{}
	for side, r := range c.rel {
		w.commits[side] = model.CommitsIn(r, o.Waiting)
	}
	for d := range model.DestID(c.NumDestinations()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := x.Explore(d)
		from := len(c.states)
		for _, at := range s.States {
			c.states = append(c.states, onVC{at.VC, at.Class})
		}
		list := c.states[from:]
		slices.SortFunc(list, compareStates)
		c.first = append(c.first, int32(len(c.states)))
		for i := range list {
			if err := c.addHops(d, int32(from+i), &w); err != nil {
				return err
			}
		}
		c.twice, c.byInput = c.twice || c.passesTwice(d), c.byInput || c.asksInput(d)
	}
	if err := x.Err(); err != nil {
		return err
	}
	c.one, c.several = w.one, w.one || w.all
	if w.one && w.all {
		return fmt.Errorf("some packets wait for one next hop and others for all: changes of such routings are not decided")
	}
	return nil
}

// waiting is how packets with several next hops wait.
type waiting struct {
	commits  [2]func(model.State) bool
	one, all bool
}

func compareStates(a, b onVC) int {
	if a.vc != b.vc {
		return int(a.vc) - int(b.vc)
	}
	return int(a.class) - int(b.class)
}

// addHops adds the next hops of a state.
func (c *Change) addHops(d model.DestID, state int32, w *waiting) error {
	at := model.State{VC: c.states[state].vc, Dest: d, Class: c.states[state].class}
	in, _ := c.net.Channel(at.VC)
	u := c.net.Head(in)
	var sets [2][]model.VCID
	for side, r := range c.rel {
		if int(at.Class) >= r.Classes() {
			return fmt.Errorf("packets of class %d exist with one of the routings only", at.Class)
		}
		for _, h := range r.Next(at, nil) {
			if h.Class != at.Class {
				return fmt.Errorf("packets change their class on the way, and the other routing may mean something else by a class")
			}
			sets[side] = append(sets[side], h.VC)
		}
		slices.Sort(sets[side])
		sets[side] = slices.Compact(sets[side])
		switch {
		case len(sets[side]) == 0 && int(at.VC) >= c.net.NumLinkVCs() && !c.drops:
			from, to := c.net.HostOf(in), c.rel[after].DestinationHost(d)
			return fmt.Errorf("%s has no path to %s by one of the routings", c.net.HostLabel(from), c.net.HostLabel(to))
		case len(sets[side]) < 2:
		case w.commits[side] != nil && w.commits[side](at):
			w.one = true
		default:
			w.all = true
		}
		h := &c.hops[side]
		for _, v := range sets[side] {
			h.to, h.next = append(h.to, v), append(h.next, c.find(d, onVC{v, at.Class}))
		}
		h.from = append(h.from, int32(len(h.to)))
	}
	if !slices.Equal(sets[before], sets[after]) {
		c.differs[int(d)*c.net.NumSwitches()+int(u)] = true
	}
	return nil
}

// find returns the number of a state, or -1 if packets have left there.
func (c *Change) find(d model.DestID, s onVC) int32 {
	from := c.first[d]
	i, ok := slices.BinarySearchFunc(c.states[from:], s, compareStates)
	if !ok {
		return -1
	}
	return from + int32(i)
}

// passesTwice reports whether the hops to d of both sides lead from some switch back to it.
func (c *Change) passesTwice(d model.DestID) bool {
	next := make([][]int32, c.net.NumSwitches())
	into := make([]int, c.net.NumSwitches())
	for i := c.first[d]; i < c.first[d+1]; i++ {
		u := c.at(i)
		for side := range c.hops {
			list, _ := c.hops[side].of(i)
			for _, v := range list {
				out, _ := c.net.Channel(v)
				if to := c.net.Head(out); to != model.NoSwitch && !slices.Contains(next[u], int32(to)) {
					next[u] = append(next[u], int32(to))
					into[to]++
				}
			}
		}
	}
	var todo []int32
	for u, k := range into {
		if k == 0 {
			todo = append(todo, int32(u))
		}
	}
	for i := 0; i < len(todo); i++ {
		for _, v := range next[todo[i]] {
			if into[v]--; into[v] == 0 {
				todo = append(todo, v)
			}
		}
	}
	return len(todo) < len(next)
}

// asksInput reports whether next hops of packets to d depend on where they come from.
func (c *Change) asksInput(d model.DestID) bool {
	first := make([]int32, c.net.NumSwitches()) // by switch: 1 + its first state
	for i := c.first[d]; i < c.first[d+1]; i++ {
		u := c.at(i)
		if first[u] == 0 {
			first[u] = i + 1
			continue
		}
		for side := range c.hops {
			a, _ := c.hops[side].of(i)
			if b, _ := c.hops[side].of(first[u] - 1); !slices.Equal(a, b) {
				return true
			}
		}
	}
	return false
}

// at returns the switch of a state.
func (c *Change) at(state int32) model.SwitchID {
	in, _ := c.net.Channel(c.states[state].vc)
	return c.net.Head(in)
}

// Network returns the network, with the VCs of both relations.
func (c *Change) Network() *model.Network { return c.net }

// Sides returns both relations, on the network.
func (c *Change) Sides() (old, now model.Relation) { return c.rel[before], c.rel[after] }

// Waiting returns how packets with several next hops wait: for one of them, or for any.
func (c *Change) Waiting() model.Waiting {
	if c.one {
		return model.WaitOne
	}
	return model.WaitAny
}

// Drops reports whether packets without a next hop are dropped. If not, they keep their VC.
func (c *Change) Drops() bool { return c.drops }

// UsedVCs returns the VCs between switches that next hops of each relation lead to: the highest number of one, plus 1.
func (c *Change) UsedVCs() (old, now int) {
	var used [2]int
	for side, h := range c.hops {
		for _, v := range h.to {
			if _, i := c.net.Channel(v); int(v) < c.net.NumLinkVCs() {
				used[side] = max(used[side], i+1)
			}
		}
	}
	return used[before], used[after]
}

// Relation returns the old relation.
func (c *Change) Relation() model.Relation { return c.rel[before] }

// NumDestinations returns the number of all destinations.
func (c *Change) NumDestinations() int { return c.rel[before].Destinations() }

// Differs reports whether the entry of switch u for d differs in a state that packets can reach.
func (c *Change) Differs(d model.DestID, u model.SwitchID) bool {
	return c.differs[int(d)*c.net.NumSwitches()+int(u)]
}

// Destinations returns the destinations whose entries differ, ascending.
func (c *Change) Destinations() (list []model.DestID) {
	n := c.net.NumSwitches()
	for d := range c.NumDestinations() {
		if slices.Contains(c.differs[d*n:(d+1)*n], true) {
			list = append(list, model.DestID(d))
		}
	}
	return list
}

// Switches returns the switches whose entries differ, ascending.
func (c *Change) Switches() (list []model.SwitchID) {
	for u := range model.SwitchID(c.net.NumSwitches()) {
		for d := range model.DestID(c.NumDestinations()) {
			if c.Differs(d, u) {
				list = append(list, u)
				break
			}
		}
	}
	return list
}

// Exact reports whether a cycle of dependencies in the state of a step always means packets that block each other: each packet waits for one
// hop, and in service no packet passes a switch twice, or next hops depend on switch and destination only, so that packets that circle block each
// other. If not, an order without cycles is proved all the same, but that none exists is not.
func (c *Change) Exact(drained bool) bool {
	return (c.one || !c.several) && (drained || !c.twice || !c.byInput)
}
