package replay

import (
	"context"
	"slices"

	"turnproof/engine"
	"turnproof/model"
)

// This file sends the packets of a witness to their places: each has a way of its
// own as far as the first VC that it is to hold and from there to the last, and
// beyond that what the relation permits.

// steered is a relation in which every packet is a destination of its own.
type steered struct {
	model.Relation
	ways []way
}

// way is a packet's: its states from injection to its place.
type way struct {
	dest model.DestID
	path []model.State
}

// Destinations implements model.Relation.
func (s *steered) Destinations() int { return len(s.ways) }

// DestinationHost implements model.Relation.
func (s *steered) DestinationHost(d model.DestID) model.HostID {
	return s.Relation.DestinationHost(s.ways[d].dest)
}

// Inject implements model.Relation.
func (s *steered) Inject(_ model.HostID, d model.DestID, buf []model.Class) []model.Class {
	return append(buf, s.ways[d].path[0].Class)
}

// Next implements model.Relation: the way, and at its end what is permitted.
func (s *steered) Next(at model.State, buf []model.Hop) []model.Hop {
	w := &s.ways[at.Dest]
	i := slices.IndexFunc(w.path, func(x model.State) bool { return x.VC == at.VC && x.Class == at.Class })
	if i >= 0 && i+1 < len(w.path) {
		return append(buf, model.Hop{VC: w.path[i+1].VC, Class: w.path[i+1].Class})
	}
	at.Dest = w.dest
	return s.Relation.Next(at, buf)
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
	way     way
}

// inject simulates injections until all is settled.
func (t *trial) inject(ctx context.Context, all []injection, how string) error {
	r := &steered{Relation: t.r}
	source := make(list, t.r.Sources())
	last := engine.Clock(0)
	for i, x := range all {
		r.ways = append(r.ways, x.way)
		source[x.source] = append(source[x.source], engine.Packet{Created: x.created, Source: x.source, Dest: model.DestID(i), Flits: t.o.Flits, ID: int64(i)})
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
			p.Dest = r.ways[p.Dest].dest
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
				best = injection{source: from, way: way{h.Dest, append([]model.State{start}, held...)}}
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
			all[i] = injection{source: h.Source, way: way{h.Dest, h.Path}}
			if try > 0 && t.random.IntN(2) == 0 {
				if x, ok := search.draw(h, t.random); ok {
					all[i] = x
				}
			}
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
