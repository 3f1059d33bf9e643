package replay

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file sends the packets of a witness to their places: each has a path of its
// own as far as the first VC that it is to hold and from there to the last, and
// beyond that what the relation permits. Whether a packet is frozen is judged by what the
// relation permits, on the path as well.

// steered is a relation in which every packet is a destination of its own, and a class
// that is less than steps is the place of a packet on its path. The others are steps more than
// those of the relation.
type steered struct {
	model.Relation
	ways  []way
	steps int  // states of the longest path
	free  bool // permit all hops of the relation, not only those along the paths
	// commits says in which states of the relation a packet waits for one hop; nil: nowhere. A
	// packet on its path has chosen the next state of the path there.
	commits func(model.State) bool
}

// way is a packet's: its states from injection to its place.
type way struct {
	dest    model.DestID
	path    []model.State
	commits bool       // the packet waits for one hop at the end
	chosen  model.VCID // which leads there
}

// add gives a packet its path.
func (s *steered) add(w way) {
	s.ways, s.steps = append(s.ways, w), max(s.steps, len(w.path))
}

// Classes implements model.Relation.
func (s *steered) Classes() int { return s.steps + s.Relation.Classes() }

// Destinations implements model.Relation.
func (s *steered) Destinations() int { return len(s.ways) }

// DestinationHost implements model.Relation.
func (s *steered) DestinationHost(d model.DestID) model.HostID {
	return s.Relation.DestinationHost(s.ways[d].dest)
}

// Inject implements model.Relation.
func (s *steered) Inject(_ model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	return append(buf, 0)
}

// Next implements model.Relation: the next state of the path; at its end, or if all hops are
// permitted, those of the relation.
func (s *steered) Next(at model.State, buf []model.Hop) []model.Hop {
	w := &s.ways[at.Dest]
	i := int(at.Class) + 1
	if i < len(w.path) && at.VC != w.path[i-1].VC {
		return buf // no packet is there
	}
	if i < len(w.path) && (!s.free || s.Commits(at)) {
		return append(buf, model.Hop{VC: w.path[i].VC, Class: model.Class(i)})
	}
	if int(at.Class) < s.steps && i > len(w.path) {
		return buf
	}
	first := len(buf)
	buf = s.Relation.Next(s.real(at), buf)
	if i == len(w.path) && w.commits {
		left := slices.DeleteFunc(buf[first:], func(h model.Hop) bool { return h.VC != w.chosen })
		buf = buf[:first+len(left)]
	}
	for ; first < len(buf); first++ {
		buf[first].Class += model.Class(s.steps)
	}
	return buf
}

// Commits implements model.Committer.
func (s *steered) Commits(at model.State) bool { return s.commits != nil && s.commits(s.real(at)) }

// real is the state of the relation for one of s.
func (s *steered) real(at model.State) model.State {
	w := &s.ways[at.Dest]
	if at.Dest = w.dest; int(at.Class) < len(w.path) {
		at.Class = w.path[at.Class].Class
	} else {
		at.Class -= model.Class(s.steps)
	}
	return at
}

// list is a source of packets known beforehand, of each host in the order of
// creation.
type list [][]engine.Packet

// Next implements engine.Source.
func (l list) Next(h model.HostID) (engine.Packet, bool) {
	if len(l[h]) == 0 {
		return engine.Packet{}, false
	}
	p := l[h][0]
	l[h] = l[h][1:]
	return p, true
}

// injection is a packet of an attempt.
type injection struct {
	source  model.HostID
	created engine.Clock
	flits   int
	way     way
}

// flits is the length of a packet of a witness: under wormhole switching one that fills the VCs that
// it holds, and no more.
func (t *trial) flits(h Held) int {
	if t.o.Switching == model.Wormhole {
		return min(h.Holds*t.o.Buffer, t.o.Flits)
	}
	return t.o.Flits
}

// inject simulates injections until all is settled.
func (t *trial) inject(ctx context.Context, all []injection, how string) error {
	r := &steered{Relation: t.r, commits: model.CommitsIn(t.r, t.o.Waiting)}
	for _, x := range all {
		r.add(x.way)
	}
	source := make(list, t.r.Sources())
	last := engine.Clock(0)
	for i, x := range all {
		source[x.source] = append(source[x.source], engine.Packet{Created: x.created, Source: x.source, Dest: model.DestID(i), Flits: x.flits, ID: int64(i)})
		last = max(last, x.created)
	}
	longest := 0
	for h := range source {
		slices.SortStableFunc(source[h], func(a, b engine.Packet) int { return int(a.Created - b.Created) })
		longest = max(longest, len(source[h]))
	}
	hops := engine.Clock(t.r.Network().NumSwitches() + 4)
	err := t.simulate(ctx, r, source, last+engine.Clock(longest*t.o.Flits)+hops*engine.Clock(t.o.Flits+4), how)
	if t.res.Reached {
		for i := range t.res.Deadlock.Packets {
			p := &t.res.Deadlock.Packets[i]
			at := r.real(model.State{Dest: p.Dest, Class: p.Class})
			p.Dest, p.Class = at.Dest, at.Class
		}
	}
	return err
}

// atTails tries all packets at once, each from a host at the switch out of which
// the first VC that it holds leads.
func (t *trial) atTails(ctx context.Context, held []Held) error {
	if len(held) == 0 {
		return nil
	}
	used := map[model.HostID]bool{}
	var all []injection
	for _, h := range held {
		x, ok := t.neighbour(h, used)
		if !ok {
			return nil
		}
		used[x.source] = true
		x.flits = t.flits(h)
		all = append(all, x)
	}
	return t.inject(ctx, all, AtTails)
}

// neighbour finds a host that can inject a packet straight onto the first VC
// that h holds; a host that injects none yet if there is one.
func (t *trial) neighbour(h Held, used map[model.HostID]bool) (best injection, found bool) {
	n := t.r.Network()
	held := h.Path[len(h.Path)-h.Holds:]
	c, _ := n.Channel(held[0].VC)
	for from := range model.HostID(t.r.Sources()) {
		if n.Host(from).Switch != n.Tail(c) || !model.Sends(t.r, from, h.Dest) || found && used[from] {
			continue
		}
		for _, class := range t.r.Inject(from, h.Dest, nil) {
			start := model.InjectState(t.r, from, h.Dest, class)
			if !slices.Contains(t.r.Next(start, nil), model.Hop{VC: held[0].VC, Class: held[0].Class}) {
				continue
			}
			if !found || !used[from] {
				best = injection{source: from, way: h.along(append([]model.State{start}, held...))}
				found = true
			}
		}
	}
	return best, found
}

// inOrder tries ways from any host: first so that all come to their places at the
// same time, then with random delays and ways.
func (t *trial) inOrder(ctx context.Context, held []Held) error {
	if len(held) == 0 {
		return nil
	}
	search := newLeadIns(t.r)
	for try := range t.o.Orders {
		all := make([]injection, len(held))
		longest := 0
		for i, h := range held {
			all[i] = injection{source: h.Source, way: h.along(h.Path)}
			if try > 0 && t.random.IntN(2) == 0 {
				if x, ok := search.draw(h, t.random); ok {
					all[i] = x
				}
			}
			all[i].flits = t.flits(h)
			longest = max(longest, len(all[i].way.path))
		}
		for i := range all {
			all[i].created = engine.Clock(3 * (longest - len(all[i].way.path)))
			if try > 1 {
				all[i].created += engine.Clock(t.random.IntN(2 + try*t.o.Flits/t.o.Orders*2))
			}
		}
		if err := t.inject(ctx, all, InOrder); err != nil || t.res.Reached {
			return err
		}
	}
	return nil
}
