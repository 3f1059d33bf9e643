package engine

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file chooses the path of a packet when its head is routed: a minimal path, or a detour by another switch.
//
// A minimal path consists of permitted hops that each lie on a path of least cost to the destination (distances.go). A
// detour by switch m consists of hops to m that lie on a path of least cost to m, as long as the routing permits such a hop,
// and then of a minimal path. So a path by any switch of a group ends at the entry of the group if the routing says so. If
// no permitted hop lies on a path of least cost to the destination, all permitted hops do. Among several ports each packet
// draws one. The head then waits for all permitted VCs of this port only.
//
// Rules: the switch of the source draws a switch m for each packet, or several (key detours). Let q be the flits queued for
// the first port of a path, and H the number of its hops.
//
//	valiant   the detour by the first m (L. G. Valiant, SIAM J. Computing 11(2), 1982)
//	ugal      the path with the least q*H, which is a minimal one unless q*H exceeds that of a detour by more than the bias
//	          (A. Singh, PhD thesis, Stanford, 2005; J. Kim et al., ISCA 2008, UGAL-L)
//	ugal-g    the path with the least sum of the flits queued for all its ports, an ideal
//	          (M. Besta and T. Hoefler, SC 2014, section IV-C, UGAL-G)
//	par       as ugal, and a packet on a minimal path decides again at each switch that permits detours (N. Jiang, J.
//	          Kim and W. J. Dally, ISCA 2009, PAR)
//
// All draws depend on the seed, the packet's source, destination and creation, and the switch only. So they are the same in
// any order of work, and ugal-g knows which path a packet would take. Cost: a lookup of the permitted hops for each hop of
// each path that is compared.

// passedVia is packet.via behind the switch of a detour.
const passedVia = -1

// mostPathHops bounds the hops of a path that is compared. A longer one is not taken.
const mostPathHops = 255

// detours is the state of the choice of paths.
type detours struct {
	dist *distances
	rule Selection
	keys selectionKeys
	onIt []hopSet // the hops of a path at a switch
}

// newDetours returns the choice of paths that the options ask for, or nil.
func newDetours(s *kernel) (mechanism, error) {
	switch s.o.Select {
	case SelectValiant, SelectUGAL, SelectUGALGlobal, SelectPAR:
	default:
		return nil, nil
	}
	if find[*flows](&s.hooks) != nil {
		return nil, fmt.Errorf("engine: selection %s chooses the path of each packet, but the routing chooses the next hop of some; want waiting any",
			s.o.Select)
	}
	return &detours{dist: newDistances(s.rel), rule: s.o.Select, keys: s.o.keys}, nil
}

func (d *detours) clone() mechanism {
	c := *d
	c.onIt = nil
	return &c
}

// prepare implements preparer: it chooses the paths of the heads that are about to be routed. It changes no queue, so no choice depends on the
// order of the heads.
func (d *detours) prepare(s *kernel) {
	for _, v := range s.heads {
		p := &s.packet[s.vc[v].id]
		if p.via != 0 {
			continue
		}
		if at := d.standsAt(s, v, p.dest, p.class); len(at.sets) > 0 && d.decides(s, v, p, &at) {
			p.via = d.bestPath(s, p, at)
		}
	}
}

// narrow implements narrower: it returns the hop of the front packet of v on its path.
func (d *detours) narrow(s *kernel, v, _ int32) (set hopSet, is bool) {
	p := &s.packet[s.vc[v].id]
	at := d.standsAt(s, v, p.dest, p.class)
	set, p.via = d.hopOn(s, p, &at, p.via)
	return set, true
}

// standpoint is where a packet is and what the routing permits there.
type standpoint struct {
	u    model.SwitchID
	base int32 // start of its output ports in Sim.outs
	sets []hopSet
}

// standsAt returns the standpoint of a packet whose head is on VC v.
func (d *detours) standsAt(s *kernel, v int32, dest model.DestID, class model.Class) standpoint {
	return standpoint{s.switchOf(v), s.port[s.vc[v].in].outBase, s.routes.sets[s.routes.of(&s.state, v, dest, class)]}
}

// decides reports whether packet p, which is on a minimal path at the end of v, compares it with detours.
func (d *detours) decides(s *kernel, v int32, p *packet, at *standpoint) bool {
	home := s.homeOf(p)
	if at.u == home || s.hostOf[s.vc[v].in] >= 0 {
		return at.u != home
	}
	row := d.dist.from(home)
	return d.rule == SelectPAR && slices.ContainsFunc(at.sets, func(set hopSet) bool { return !d.leadsOn(s, at.base, set, row) })
}

// leadsOn reports whether a hop lies on a path of least cost to the target of row.
func (d *detours) leadsOn(s *kernel, base int32, set hopSet, row []reach) bool {
	o := s.outs[base+int32(set.port)]
	return !s.port[o].eject && d.dist.nearer(row, s.chanOf[o])
}

// hopOn returns the hop of packet p on the path with the given packet.via, and packet.via after it.
func (d *detours) hopOn(s *kernel, p *packet, at *standpoint, via int32) (hopSet, int32) {
	if via > 0 {
		if d.collect(s, at, d.dist.from(model.SwitchID(via-1))) {
			return d.drawPort(s, p, at.u, via), via
		}
		via = passedVia
	}
	if !d.collect(s, at, d.dist.from(s.homeOf(p))) {
		d.collect(s, at, nil)
	}
	return d.drawPort(s, p, at.u, via), via
}

// collect puts the hops to the target of row into detours.onIt, or all hops if row is nil: one set for each port and its
// first class. It reports whether there is one.
func (d *detours) collect(s *kernel, at *standpoint, row []reach) bool {
	list := d.onIt[:0]
	for _, set := range at.sets {
		if row != nil && !d.leadsOn(s, at.base, set, row) {
			continue
		}
		i := slices.IndexFunc(list, func(x hopSet) bool { return x.port == set.port })
		switch {
		case i < 0:
			list = append(list, set)
		case list[i].class == set.class:
			list[i].mask |= set.mask
		}
	}
	d.onIt = list
	return len(list) > 0
}

// drawPort returns one of the collected hops of packet p at switch u.
func (d *detours) drawPort(s *kernel, p *packet, u model.SwitchID, via int32) hopSet {
	list := d.onIt
	if len(list) == 1 {
		return list[0]
	}
	return list[packetDraw(s, p, uint64(u), uint64(uint32(via)))%uint64(len(list))]
}

// packetDraw returns a random number of packet p.
func packetDraw(s *kernel, p *packet, a, b uint64) uint64 {
	return Draw(Draw(Draw(s.o.Seed^detourStream, uint64(p.source), uint64(p.dest)), uint64(p.created), a), a, b)
}

// detourStream separates the random numbers of paths from those of selection.
const detourStream = 0xA0761D6478BD642F

// bestPath returns packet.via of the path that packet p takes from here.
func (d *detours) bestPath(s *kernel, p *packet, at standpoint) int32 {
	best, least := int32(0), 0
	if d.rule != SelectValiant {
		cost, _ := d.pathCost(s, p, at, 0)
		least = cost - d.keys.bias
	}
	for i := range d.keys.detours {
		via := 1 + int32(packetDraw(s, p, uint64(at.u), detourDraws+uint64(i))%uint64(s.net.NumSwitches()))
		if d.rule == SelectValiant {
			return via
		}
		if cost, ok := d.pathCost(s, p, at, via); ok && cost < least {
			best, least = via, cost
		}
	}
	return best
}

// detourDraws is greater than any packet.via, so that the draws of detours are not those of ports.
const detourDraws = 1 << 32

// pathCost returns the cost by which the path with the given packet.via is compared. It returns false if the path ends
// before its destination.
func (d *detours) pathCost(s *kernel, p *packet, at standpoint, via int32) (cost int, ok bool) {
	first, links, sum := 0, 0, 0
	for len(at.sets) > 0 && links <= mostPathHops {
		var set hopSet
		set, via = d.hopOn(s, p, &at, via)
		o := s.outs[at.base+int32(set.port)]
		if s.port[o].eject {
			if d.rule == SelectUGALGlobal {
				return sum, true
			}
			return first * links, true
		}
		q := s.queue(o)
		if links == 0 {
			first = q
		}
		sum, links = sum+q, links+1
		at = d.standsAt(s, o*int32(s.vcs)+int32(bits.TrailingZeros64(set.mask)), p.dest, model.Class(set.class))
	}
	return 0, false
}
