package bubbles

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file searches for a run into a deadlock of a network whose flow control keeps rings from filling up.
//
// First it fills a ring that has an entry by which a packet takes the last slot. It places packets that wait for the next
// VC of the ring, from the VC before that entry backwards, so that all VCs which a packet passes are empty. Then it fills a
// shortest cycle that no flow control protects (cycle.go). Then random runs
// follow: packets that pass VCs which are not proved, moved in random order; packets leave the network only if
// nothing else can move.
// Cost: bounded by the constants below.

const (
	mostRings   = 64 // rings that are filled
	leastRuns   = 20 // random runs
	mostRuns    = 2000
	runSteps    = 1 << 24 // moves of random runs times VCs that each looks at, with more than leastRuns runs
	mostLooks   = 1 << 26 // VCs and packets that all random runs look at
	movesPerVC  = 40      // moves of a random run
	mostDropped = 400     // packets that shorten tries to leave out
)

// FindRun returns a run into a deadlock that accepted accepts, or nil.
func (b *Network) FindRun(ctx context.Context, r model.Relation, accepted func(*Run) bool) (*Run, error) {
	routes, err := b.collectRoutes(ctx, r)
	if err != nil {
		return nil, err
	}
	for k := range min(len(b.List), mostRings) {
		if x := b.fill(r, k, routes.into[k]); x != nil && accepted(x) {
			return x.shorten(accepted), ctx.Err()
		}
	}
	if x, err := b.fillCycle(ctx, r); x != nil && accepted(x) {
		return x.shorten(accepted), ctx.Err()
	} else if err != nil {
		return nil, err
	}
	perRun, looks := movesPerVC*b.n.NumVCs()*b.n.NumVCs(), mostLooks
	for k := range uint64(max(leastRuns, min(mostRuns, runSteps/perRun))) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if x := b.wander(r, routes, rand.New(rand.NewPCG(k, 11)), &looks); x != nil && accepted(x) {
			return x.shorten(accepted), nil
		}
	}
	x, err := b.explore(ctx, r, routes)
	if x == nil {
		return nil, err
	}
	if x = x.drain(rand.New(rand.NewPCG(mostRuns, 11))); x != nil && accepted(x) {
		return x.shorten(accepted), nil
	}
	return nil, nil
}

// shorten leaves out packets that the deadlock does not need.
func (x *Run) shorten(accepted func(*Run) bool) *Run {
	for i, tries := int32(0), 0; int(i) < len(x.Packets) && tries < mostDropped; tries++ {
		if y := x.without(i); y != nil && accepted(y) {
			x = y
		} else {
			i++
		}
	}
	return x
}

// entry is a path from an injection channel into a ring: the last VC is its VC number place.
type entry struct {
	source model.HostID
	path   []model.State
	place  int
	goesOn bool // a packet in the last state can wait for the next VC of the ring
	guards bool // the rule applies to the entry
}

// routes are the routes into each ring, and the injection states of packets that pass a ring or a cycle.
type routes struct {
	into   [][]entry
	starts []model.State
}

// collectRoutes returns the routes into the rings. Each begins with a shortest path to an entry.
func (b *Network) collectRoutes(ctx context.Context, r model.Relation) (*routes, error) {
	list := &routes{into: make([][]entry, len(b.List))}
	place := make([]int, b.n.NumLinkVCs())
	for _, ring := range b.List {
		for i, v := range ring {
			place[v] = i
		}
	}
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		s := x.Explore(d)
		for i, st := range s.States {
			if !b.n.IsLinkVC(st.VC) {
				list.starts = append(list.starts, st)
			}
			hops, next := s.HopsOf(i)
			for j, h := range hops {
				if next[j] < 0 || !b.IsEntry(st.VC, h.VC) {
					continue
				}
				path := s.PathTo(i)
				first, _ := b.n.Channel(path[0].VC)
				b.follow(list, entry{source: b.n.HostOf(first), path: path}, model.State{VC: h.VC, Dest: d, Class: h.Class}, r, place)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return list, x.Err()
}

// follow adds the routes that enter a ring in state to and go on in the ring.
func (b *Network) follow(list *routes, route entry, to model.State, r model.Relation, place []int) {
	k, guards := b.Of(to.VC), b.IsGuarded(route.path[len(route.path)-1].VC, to.VC)
	path := route.path
	for range b.List[k] {
		path = append(path[:len(path):len(path)], to)
		goesOn, found := true, false
		after := to
		for _, h := range r.Next(to, nil) {
			if h.VC == b.next[to.VC] {
				after, found = model.State{VC: h.VC, Dest: to.Dest, Class: h.Class}, true
			} else {
				goesOn = false
			}
		}
		list.into[k] = append(list.into[k], entry{route.source, path, place[to.VC], (goesOn || b.one) && found, guards})
		if !found {
			return
		}
		to = after
	}
}

// fillOrder is an order in which fill places packets.
type fillOrder struct {
	sign       int  // 1: packets that take few VCs of the ring come first; -1: those that take many
	rulesFirst bool // the packets that must enter by the rule are placed first, all others by entries that are off
}

// cost is 1 for packets that come after others of the same VC.
func (o fillOrder) cost(t *entry) int {
	if o.rulesFirst && t.guards {
		return 1
	}
	return 0
}

// fill returns a run that fills ring k, or nil. It tries each VC of the ring as the last one to fill.
func (b *Network) fill(r model.Relation, k int, routes []entry) *Run {
	m := len(b.List[k])
	ends := make([][]*entry, m) // by place: the routes that end there
	for i := range routes {
		ends[routes[i].place] = append(ends[routes[i].place], &routes[i])
	}
	orders := []fillOrder{{1, false}, {-1, false}, {1, true}, {-1, true}}
	if len(b.off) == 0 {
		orders = orders[:2]
	}
	for _, o := range orders {
		for _, list := range ends {
			slices.SortStableFunc(list, func(p, q *entry) int {
				return cmp.Or(o.cost(p)-o.cost(q), o.sign*(len(p.path)-len(q.path)))
			})
		}
		if o.sign < 0 && b.each == 1 {
			continue // packets hold one VC, whatever their path
		}
		for last := range m {
			if x := b.fillFrom(r, k, last, ends, o); x != nil {
				if _, number := x.stuck(); number == x.Left() && number > 0 {
					return x
				}
			}
		}
	}
	return nil
}

// fillFrom fills ring k from the VC before the one at place last backwards. It returns nil if a packet cannot be placed.
func (b *Network) fillFrom(r model.Relation, k, last int, ends [][]*entry, o fillOrder) *Run {
	m, x := len(b.List[k]), b.NewRun(r)
	for i := 1; i <= m && o.rulesFirst; i++ {
		place := (last - i + 2*m) % m
		isOff := func(t *entry) bool { return t.goesOn && !t.guards }
		if v := b.List[k][place]; len(x.queue[v]) == 0 && !slices.ContainsFunc(ends[place], isOff) {
			if x = x.placeOne(v, ends[place]); x == nil {
				return nil
			}
		}
	}
	for i := 1; i <= m && x != nil; i++ {
		place := (last - i + 2*m) % m
		x = x.fillVC(b.List[k][place], ends[place])
	}
	return x
}

// fillVC fills VC v with packets, of which the first waits for the next VC of the ring, or returns nil.
func (x *Run) fillVC(v model.VCID, routes []*entry) *Run {
	for x != nil && x.canMove(model.NoVC, v) {
		x = x.placeOne(v, routes)
	}
	return x
}

// placeOne places a packet on VC v, or returns nil.
func (x *Run) placeOne(v model.VCID, routes []*entry) *Run {
	for _, t := range routes {
		if len(x.queue[v]) == 0 && !t.goesOn {
			continue
		}
		if y := x.place(t); y != nil {
			return y
		}
	}
	return nil
}

// place creates a packet and moves it along a route. It returns nil if the packet cannot move to the end.
func (x *Run) place(t *entry) *Run {
	for i := 1; i < len(t.path); i++ { // before the copy, which costs more
		if last := i == len(t.path)-1; !x.canMove(t.path[i-1].VC, t.path[i].VC) || len(x.queue[t.path[i].VC]) > 0 && !last {
			return nil
		}
	}
	y := x.clone()
	if !y.Create(t.source, t.path[0]) {
		return nil
	}
	for _, to := range t.path[1:] {
		if !y.Step(int32(len(y.Packets)-1), to) {
			return nil
		}
	}
	return y
}

// wander returns a random run into a deadlock, or nil. It counts looks down by the VCs and packets that it looks at, and
// ends at 0.
func (b *Network) wander(r model.Relation, routes *routes, random *rand.Rand, looks *int) *Run {
	x := b.NewRun(r)
	creates := 0.2 + 0.6*random.Float64()
	if len(routes.starts) == 0 {
		return nil
	}
	for range movesPerVC * len(x.queue) {
		if *looks -= len(x.queue); *looks < 0 {
			return nil
		}
		if random.Float64() < creates && x.createOne(routes, random) || x.moveOne(random, false, nil) {
			continue
		}
		created := false
		for range 20 {
			created = created || x.createOne(routes, random)
		}
		if created {
			continue
		}
		*looks -= len(x.Packets)
		if _, number := x.stuck(); number > 0 {
			return x.drain(random)
		}
		if !x.moveOne(random, true, nil) && x.held > 0 {
			return nil // some packets are dropped at their next hop
		}
	}
	return nil
}

// createOne creates a random packet, and reports whether there is room.
func (x *Run) createOne(routes *routes, random *rand.Rand) bool {
	s := routes.starts[random.IntN(len(routes.starts))]
	c, _ := x.n.Channel(s.VC)
	return x.Create(x.n.HostOf(c), s)
}

// moveOne moves a random packet by a random hop, and reports whether one can move. Packets leave the network only if out
// is true. Packets that stay do not move; stay may be nil.
func (x *Run) moveOne(random *rand.Rand, out bool, stay []bool) bool {
	type choice struct {
		packet int32
		to     model.State
	}
	var list []choice
	for v, q := range x.queue {
		if len(q) == 0 || x.at(q[0]).VC != model.VCID(v) || stay != nil && stay[q[0]] {
			continue
		}
		for _, h := range x.Next(q[0]) {
			if (out || !x.isOut(h.VC)) && x.canMove(model.VCID(v), h.VC) {
				list = append(list, choice{q[0], model.State{VC: h.VC, Dest: x.at(q[0]).Dest, Class: h.Class}})
			}
		}
	}
	if len(list) == 0 {
		return false
	}
	c := list[random.IntN(len(list))]
	return x.Step(c.packet, c.to)
}

// drain moves packets until only stuck ones are left, and returns the run, or nil if this takes too long.
func (x *Run) drain(random *rand.Rand) *Run {
	stuck, _ := x.stuck()
	for range movesPerVC * len(x.queue) {
		if !x.moveOne(random, true, stuck) {
			return x
		}
	}
	return nil
}
