package gates

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/verify/waits"
)

// This file collects the waits of packets, the hops with a gate, and the places of packets
// that have passed a gate.

// subject are the waits and gated hops of a relation.
type subject struct {
	*waits.Table
	sizes           *gate.Setup
	gates           *gate.Gates
	n               *model.Network
	size            int      // number of VCs between switches
	gated           [][]bool // by wait and next hop: whether the hop has a gate
	hops            []gatedHop
	entries         [][]entry // by VC: where packets that passed gates enter it from
	ejectionEntries [][]entry // by endpoint: where packets that passed gates enter its ejection channel from
	passages        []passage
	passageNumber   map[passage]int32

	// direct considers only packets beyond gates whose next hop is ejection. This leaves fewer
	// VCs, but their parts of a deadlock fit together more often.
	direct bool
	// building ignores that partly arrived packets keep others from arriving.
	building bool
	vcs      gate.VCs // VCs whose bits close a gate

	counted        bool // no bit is set after flits behind heads have moved (counted.go)
	whole, passing int  // the most slots that stay taken: by whole packets; if the first packet passes a gate
}

// gatedHop is a hop with a gate, from VC in to VC out. in may be an injection VC.
type gatedHop struct {
	in, out model.VCID
	packet  *cdg.Packet // a packet whose path ends with in and out; preferably one that arrives next
	arrives bool
}

func collect(ctx context.Context, r model.Relation, o *gate.Setup) (*subject, error) {
	gates, err := o.Rule.On(r)
	if err != nil {
		return nil, err
	}
	if o.Packet < 1 || o.Buffer < o.Packet || o.Rule.Level >= o.Buffer {
		return nil, fmt.Errorf("cannot use gates with packets of %d flits, buffers of %d and level %d: want level < buffer and "+
			"packet <= buffer", o.Packet, o.Buffer, o.Rule.Level)
	}
	n := r.Network()
	g := &subject{sizes: o, gates: gates, n: n, size: n.NumLinkVCs(), vcs: o.Rule.VCs}
	if g.Table, err = waits.Collect(ctx, r, nil, func() {}); err != nil {
		return nil, err
	}
	for i, v := range g.At {
		in, _ := n.Channel(v)
		list := make([]bool, len(g.Next[i]))
		for j, w := range g.Next[i] {
			list[j] = gates.Has(in, w)
		}
		g.gated = append(g.gated, list)
	}
	g.whole, g.passing = maxSlots(o)
	g.counted = g.isCounted()
	if o.Rule.Unit == gate.Flit {
		return g, g.collectHops(ctx, r)
	}
	return g, nil
}

// maxSlots returns the most slots that stay taken: by whole packets, and if the first packet
// has begun to pass a gate.
func maxSlots(o *gate.Setup) (whole, passing int) {
	whole = o.Buffer / o.Packet * o.Packet
	passing = whole
	for first := 1; first < o.Packet; first++ {
		behind := (o.Buffer - first) / o.Packet
		k := first + behind*o.Packet
		if o.Rule.Buffer == gate.Reserved {
			k = (1 + behind) * o.Packet
		}
		passing = max(passing, k)
	}
	return whole, passing
}

// collectHops collects the hops with gates, and the VCs beyond each gate.
func (g *subject) collectHops(ctx context.Context, r model.Relation) error {
	g.entries, g.ejectionEntries = make([][]entry, g.size), make([][]entry, g.n.NumEndpoints())
	g.passageNumber = map[passage]int32{}
	arriving := map[[2]model.VCID]bool{}
	known, x := map[[2]model.VCID]int{}, cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		s := x.Explore(d)
		if err := errors.Join(ctx.Err(), x.Err()); err != nil {
			return err
		}
		for i, st := range s.States {
			in, _ := g.n.Channel(st.VC)
			hops, next := s.HopsOf(i)
			for j, h := range hops {
				if next[j] >= 0 && g.gates.Has(in, h.VC) {
					g.addGatedHop(known, s, i, h.VC, int(next[j]), d)
				}
			}
		}
		g.addEntries(s)
		g.addEjectionWaits(s, d, arriving)
	}
	return nil
}

// addEjectionWaits adds the waits for an ejection channel, which partly arrived packets may keep. known holds the VCs
// and ejection channels of the waits for an ejection channel alone.
func (g *subject) addEjectionWaits(s *cdg.Space, d model.DestID, known map[[2]model.VCID]bool) {
	for i, st := range s.States {
		hops, next := s.HopsOf(i)
		if !g.n.IsLinkVC(st.VC) || len(hops) == 0 || slices.Min(next) >= 0 {
			continue
		}
		in, _ := g.n.Channel(st.VC)
		var list []model.VCID
		var gated []bool
		for _, h := range hops {
			list, gated = append(list, h.VC), append(gated, g.gates.Has(in, h.VC))
		}
		if len(list) == 1 {
			key := [2]model.VCID{st.VC, list[0]}
			if known[key] {
				continue
			}
			known[key] = true
		}
		path := s.PathTo(i)
		first, _ := g.n.Channel(path[0].VC)
		g.At, g.Next, g.gated = append(g.At, st.VC), append(g.Next, list), append(g.gated, gated)
		g.Packet = append(g.Packet, &cdg.Packet{Source: g.n.HostOf(first), Dest: d, Path: path})
	}
}

// addGatedHop records a hop with a gate and a packet that takes the hop.
func (g *subject) addGatedHop(known map[[2]model.VCID]int, s *cdg.Space, i int, out model.VCID, to int, d model.DestID) {
	key := [2]model.VCID{s.States[i].VC, out}
	_, after := s.HopsOf(to)
	arrives := len(after) > 0 && slices.Min(after) < 0
	at, ok := known[key]
	if ok && (g.hops[at].arrives || !arrives) {
		return
	}
	path := append(slices.Clone(s.PathTo(i)), s.States[to])
	first, _ := g.n.Channel(path[0].VC)
	h := gatedHop{in: key[0], out: out, packet: &cdg.Packet{Source: g.n.HostOf(first), Dest: d, Path: path}, arrives: arrives}
	if ok {
		g.hops[at] = h
		return
	}
	known[key] = len(g.hops)
	g.hops = append(g.hops, h)
}
