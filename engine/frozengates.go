package engine

import "github.com/turnproof/turnproof/model/gate"

// This file decides which gates stay closed in a deadlock.
//
// A bit of VCinfo stays set under two conditions: the flits that never leave its buffer make the
// buffer nearly full, and the bit is set now at every switch from the buffer to the gate. Each of
// these switches then repeats the bit in every clock. Bits that are about to be set are left out,
// so a deadlock may be found some clocks after it has closed.

// frozenGates is the state of gates during the reduction.
type frozenGates struct {
	noObstacle
	*gates
	r       *reduction
	byFlit  bool     // whether gates hold back flits after the head as well
	info    []uint64 // by port: bits that stay set
	onWay   []int    // by VC: flits that have not arrived
	scratch []uint64
}

// freeze implements freezer.
func (c *gates) freeze(r *reduction) obstacle { return newFrozenGates(c, r, false) }

// freeze implements freezer. At first every gate in the middle of a packet counts as closed.
func (c *flitGates) freeze(r *reduction) obstacle { return newFrozenGates(&c.gates, r, true) }

func newFrozenGates(c *gates, r *reduction, byFlit bool) *frozenGates {
	g := &frozenGates{noObstacle{}, c, r, byFlit, make([]uint64, len(r.port)), make([]int, len(r.vc)), make([]uint64, len(r.port))}
	for _, list := range r.arrivals {
		for _, v := range list {
			g.onWay[v]++
		}
	}
	if !byFlit {
		return g
	}
	for i := range r.all {
		x := &r.all[i]
		for k := range x.on[:len(x.on)-1] {
			o := r.vc[x.on[k+1]].in
			x.stuck[k] = c.gated[o]>>r.vc[x.on[k]].bit&1 == 1 && c.exempt[o]>>(x.on[k+1]-o*int32(r.vcs))&1 == 0
		}
	}
	return g
}

// lift implements obstacle: it computes the bits that stay set and opens the gates that none of these bits closes.
func (g *frozenGates) lift() (more bool) {
	r := g.r
	g.stay()
	for i := range r.all {
		x := &r.all[i]
		for k, stuck := range x.stuck {
			if stuck && !x.gone && (g.admits(x.on[k], x.on[k+1]) || x.upTo(k) == 0) {
				x.stuck[k], more = false, true
			}
		}
	}
	return more
}

// admits implements obstacle: it reports whether the gate between VCs v and w opens at some time, or does not exist.
func (g *frozenGates) admits(v, w int32) bool {
	r := g.r
	o := r.vc[w].in
	mask := uint64(1) << (w - o*int32(r.vcs))
	return g.passes(r.kernel, v, o, mask, g.info[o]) != 0
}

// stay computes the bits of VCinfo that remain set forever, see the head of this file.
func (g *frozenGates) stay() {
	c, r := g.gates, g.r
	least := make([]int, len(r.vc)) // by VC: slots that stay used
	for i := range r.all {
		x := &r.all[i]
		if x.gone {
			continue
		}
		for k, v := range x.on {
			if c.rule.Buffer == gate.Stored {
				least[v] += min(x.now[k], x.have[k])
			} else if x.upTo(k) > 0 {
				least[v] += int(r.packet[x.p].flits)
			}
		}
	}
	busy := g.scratch
	for _, p := range c.links {
		busy[p], g.info[p] = 0, 0
		for i := range r.vcs {
			v := int(p)*r.vcs + i
			taken := least[v]
			if c.rule.Buffer == gate.Stored {
				taken -= g.onWay[v]
			}
			if int(r.buffer[p])-taken <= c.rule.Level {
				busy[p] |= 1 << (i * c.rule.Hops)
			}
		}
		busy[p] &= c.busy[p]
	}
	for range c.rule.Hops {
		for _, p := range c.links {
			told := busy[p]
			if a := c.ahead[p]; a >= 0 {
				told |= g.info[a] << 1 &^ c.lowest
			}
			g.info[p] = c.info[p] & told
		}
	}
}

// flows implements obstacle.
func (g *frozenGates) flows(v, w int32) bool { return !g.byFlit || g.admits(v, w) }

// receives implements obstacle: with gates in the middle of packets a VC to a host may stay taken.
func (g *frozenGates) receives(w int32) bool {
	r := g.r
	v := r.vc[w].owner
	if v < 0 {
		return true
	}
	i := r.number[r.front(v)]
	return i < 0 || r.all[i].gone || !r.all[i].isStuck() // without a number it has left
}
