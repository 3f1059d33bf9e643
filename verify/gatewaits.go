package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file collects how packets wait where there are gates: the ways to wait, the hops with a
// gate, and where packets are that have passed one.

// gatedWaits are the ways to wait, to stop half way and to be beyond a gate.
type gatedWaits struct {
	*waits
	o     *Gating
	gates *gate.Gates
	n     *model.Network
	size  int      // VCs between switches
	gated [][]bool // by way: whether the hop has a gate
	half  []halfWay
	above [][]entry // by VC: how packets that are beyond gates come in
	home  [][]entry // by endpoint: how they come to its ejection channel

	// direct leaves only packets beyond gates that arrive next: fewer than there are, but what
	// is then left fits together more often.
	direct bool
	// building leaves out that a packet half of which has arrived keeps others from arriving.
	building bool
	vcs      gate.VCs // whose bits close a gate

	whole, passing int // the most slots that stay taken in a buffer
}

// halfWay is a hop with a gate; in is an injection VC where that is where it begins.
type halfWay struct {
	in, out model.VCID
	packet  *cdg.Packet // one whose path ends with the two; best, one that arrives next
	arrives bool
}

// entry is a VC by which packets come to another, with the VCs that have a gate before
// them, beyond which they are then.
type entry struct {
	from  model.VCID
	gates []uint64
}

func collectGated(ctx context.Context, r model.Relation, o *Gating) (*gatedWaits, error) {
	gates, err := o.Rule.On(r)
	if err != nil {
		return nil, err
	}
	if o.Packet < 1 || o.Buffer < o.Packet || o.Rule.Level >= o.Buffer {
		return nil, fmt.Errorf("verify: packets of %d flits in buffers of %d, occupancy level %d: a whole packet must fit, and an empty buffer not be nearly full", o.Packet, o.Buffer, o.Rule.Level)
	}
	n := r.Network()
	g := &gatedWaits{o: o, gates: gates, n: n, size: n.NumLinkVCs(), vcs: o.Rule.VCs}
	if g.waits, err = collectWaits(ctx, r, nil); err != nil {
		return nil, err
	}
	for i, v := range g.at {
		in, _ := n.Channel(v)
		list := make([]bool, len(g.next[i]))
		for j, w := range g.next[i] {
			list[j] = gates.Has(in, w)
		}
		g.gated = append(g.gated, list)
	}
	g.whole, g.passing = fullest(o)
	if o.Rule.Unit == gate.Flit {
		return g, g.collectHalf(ctx, r)
	}
	return g, nil
}

// fullest are the most slots that stay taken: by whole packets, and where the first
// has begun to pass a gate.
func fullest(o *Gating) (whole, passing int) {
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

// collectHalf collects the hops with gates, and what lies beyond each.
func (g *gatedWaits) collectHalf(ctx context.Context, r model.Relation) error {
	words := (g.size + 63) / 64
	g.above, g.home = make([][]entry, g.size), make([][]entry, g.n.NumEndpoints())
	arriving := map[[2]model.VCID]bool{}
	known, x := map[[2]model.VCID]int{}, cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		s := x.Explore(d)
		if err := errors.Join(ctx.Err(), x.Err()); err != nil {
			return err
		}
		sets := make([]uint64, len(s.States)*words) // by state: the gates that lie behind it
		work := make([]int, len(s.States))
		for i := range work {
			work[i] = len(work) - 1 - i
		}
		for len(work) > 0 {
			i := work[len(work)-1]
			work = work[:len(work)-1]
			in, _ := g.n.Channel(s.States[i].VC)
			hops, next := s.HopsOf(i)
			for j, h := range hops {
				if next[j] < 0 {
					continue
				}
				from, to := sets[i*words:(i+1)*words], sets[int(next[j])*words:(int(next[j])+1)*words]
				more := false
				if g.gates.Has(in, h.VC) {
					g.note(known, s, i, h.VC, int(next[j]), d)
					more = to[h.VC>>6]>>(h.VC&63)&1 == 0
					to[h.VC>>6] |= 1 << (h.VC & 63)
				}
				for k, word := range from {
					more = more || word&^to[k] != 0
					to[k] |= word
				}
				if more {
					work = append(work, int(next[j]))
				}
			}
		}
		g.enter(s, sets, words)
		g.arrive(s, d, arriving)
	}
	return nil
}

// arrive adds the ways to wait for an ejection channel, which packets half of which have
// arrived may keep.
func (g *gatedWaits) arrive(s *cdg.Space, d model.DestID, known map[[2]model.VCID]bool) {
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
		if key := [2]model.VCID{st.VC, list[0]}; len(list) > 1 || !known[key] {
			known[key] = true
			path := s.PathTo(i)
			first, _ := g.n.Channel(path[0].VC)
			g.at, g.next, g.gated = append(g.at, st.VC), append(g.next, list), append(g.gated, gated)
			g.packet = append(g.packet, &cdg.Packet{Source: g.n.HostOf(first), Dest: d, Path: path})
		}
	}
}

// enter notes how packets that are beyond gates come into VCs.
func (g *gatedWaits) enter(s *cdg.Space, sets []uint64, words int) {
	for i, st := range s.States {
		in, _ := g.n.Channel(st.VC)
		hops, next := s.HopsOf(i)
		for j, h := range hops {
			var into *[]entry
			if c, _ := g.n.Channel(h.VC); next[j] < 0 {
				into = &g.home[g.n.HostOf(c)]
			} else {
				into = &g.above[h.VC]
			}
			list := *into
			at := slices.IndexFunc(list, func(e entry) bool { return e.from == st.VC })
			if at < 0 {
				at = len(list)
				list = append(list, entry{st.VC, make([]uint64, words)})
				*into = list
			}
			for k, word := range sets[i*words : (i+1)*words] {
				list[at].gates[k] |= word
			}
			if g.gates.Has(in, h.VC) {
				list[at].gates[h.VC>>6] |= 1 << (h.VC & 63)
			}
		}
	}
}

// note keeps a hop with a gate, and a packet that has it.
func (g *gatedWaits) note(known map[[2]model.VCID]int, s *cdg.Space, i int, out model.VCID, to int, d model.DestID) {
	key := [2]model.VCID{s.States[i].VC, out}
	_, after := s.HopsOf(to)
	arrives := len(after) > 0 && slices.Min(after) < 0
	at, ok := known[key]
	if ok && (g.half[at].arrives || !arrives) {
		return
	}
	path := append(slices.Clone(s.PathTo(i)), s.States[to])
	first, _ := g.n.Channel(path[0].VC)
	h := halfWay{in: key[0], out: out, packet: &cdg.Packet{Source: g.n.HostOf(first), Dest: d, Path: path}, arrives: arrives}
	if ok {
		g.half[at] = h
		return
	}
	known[key] = len(g.half)
	g.half = append(g.half, h)
}
