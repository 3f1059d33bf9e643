package replay

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file steers the packets of a witness to their places. Each packet has its own path to the
// first VC that it must hold and from there to the last. At the end of the path it may take all
// hops that the relation permits. Whether a packet is frozen depends on the hops that the relation
// permits, also while the packet is on its path.

// steered is a relation in which every packet has its own destination. A class below steps is the
// index of the packet's state in its path. A class c of the relation is class c + steps here; the
// packet has it after the end of its path.
type steered struct {
	model.Relation
	ways  []way
	steps int  // number of states of the longest path
	free  bool // whether packets may take all hops of the relation, not only those along their paths
	// commits reports whether a packet waits for one hop in a state of the relation. If nil,
	// packets never do. A packet on its path has then chosen the next state of the path.
	commits func(model.State) bool
}

// way is the path of a packet: its states from injection to its place.
type way struct {
	dest    model.DestID
	path    []model.State
	commits bool       // whether the packet waits for one hop at the end of the path
	chosen  model.VCID // the VC of this hop
}

// add adds a packet with its path.
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

// Next implements model.Relation: it returns the next state of the path. At the end of the path,
// or if s.free, it returns the hops of the relation.
func (s *steered) Next(at model.State, buf []model.Hop) []model.Hop {
	w := &s.ways[at.Dest]
	i := int(at.Class) + 1
	if i < len(w.path) && at.VC != w.path[i-1].VC {
		return buf // no packet can be in this state
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

// real converts a state of s to the state of the relation.
func (s *steered) real(at model.State) model.State {
	w := &s.ways[at.Dest]
	if at.Dest = w.dest; int(at.Class) < len(w.path) {
		at.Class = w.path[at.Class].Class
	} else {
		at.Class -= model.Class(s.steps)
	}
	return at
}

// list is a source with fixed packets for each host, in the order of creation.
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

// injection is a packet of an attempt, with its path and the clock of its creation.
type injection struct {
	source  model.HostID
	created engine.Clock
	flits   int
	way     way
}

// flits returns the length of a packet of a witness. With wormhole switching it is the number of
// flits that exactly fills the VCs that the packet holds, but at most Options.Flits.
func (t *trial) flits(h Held) int {
	if t.o.Switching == model.Wormhole {
		return min(room(t.r.Network(), t.o.Engine, h.Path[len(h.Path)-h.Holds:]), t.o.Flits)
	}
	return t.o.Flits
}

// inject simulates the injections until no packet moves any more.
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

// atTails tries all packets at once, each injected by a host at the switch where the first VC that
// it holds starts.
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

// neighbour returns a host that can inject a packet directly onto the first VC that h holds. It
// prefers a host that injects no other packet.
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

// inOrder tries paths from any host: first timed so that all packets reach their places at the
// same time, then with random delays and paths.
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
