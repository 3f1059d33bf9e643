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
	info    []uint64 // by port: bits that stay set
	onWay   []int    // by VC: flits that have not arrived
	scratch []uint64
}

// prepareGates allocates the state of gates. At first every gate in the middle of a packet counts
// as closed.
func (r *reduction) prepareGates() {
	c := r.control
	if c == nil || !c.gating {
		return
	}
	r.gates = &frozenGates{info: make([]uint64, len(r.port)), scratch: make([]uint64, len(r.port)), onWay: make([]int, len(r.vc))}
	for _, list := range r.arrivals {
		for _, v := range list {
			r.gates.onWay[v]++
		}
	}
	if !c.byFlit {
		return
	}
	for i := range r.all {
		x := &r.all[i]
		for k := range x.on[:len(x.on)-1] {
			o := r.vc[x.on[k+1]].in
			x.stuck[k] = c.gated[o]>>r.vc[x.on[k]].bit&1 == 1 && c.exempt[o]>>(x.on[k+1]-o*int32(r.vcs))&1 == 0
		}
	}
}

// lift computes the bits that stay set and opens the gates that none of these bits closes. It
// reports whether a gate opened.
func (r *reduction) lift() (more bool) {
	if r.gates == nil {
		return false
	}
	r.stay()
	for i := range r.all {
		x := &r.all[i]
		for k, stuck := range x.stuck {
			if stuck && !x.gone && (r.opens(x.on[k], x.on[k+1]) || x.upTo(k) == 0) {
				x.stuck[k], more = false, true
			}
		}
	}
	return more
}

// opens reports whether the gate between VCs v and w opens at some time, or does not exist.
func (r *reduction) opens(v, w int32) bool {
	if r.gates == nil {
		return true
	}
	o := r.vc[w].in
	mask := uint64(1) << (w - o*int32(r.vcs))
	return r.control.passes(r.Sim, v, o, mask, r.gates.info[o]) != 0
}

// stay computes the bits of VCinfo that remain set forever, see the head of this file.
func (r *reduction) stay() {
	c, g := r.control, r.gates
	least := make([]int, len(r.vc)) // by VC: slots that stay used
	for i := range r.all {
		x := &r.all[i]
		if x.gone {
			continue
		}
		for k, v := range x.on {
			if c.buffer == gate.Stored {
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
			if c.buffer == gate.Stored {
				taken -= g.onWay[v]
			}
			if int(r.buffer[p])-taken <= c.level {
				busy[p] |= 1 << (i * c.hops)
			}
		}
		busy[p] &= c.busy[p]
	}
	for range c.hops {
		for _, p := range c.links {
			told := busy[p]
			if a := c.ahead[p]; a >= 0 {
				told |= g.info[a] << 1 &^ c.lowest
			}
			g.info[p] = c.info[p] & told
		}
	}
}

// receives reports whether VC w to a host is free, or gets free.
func (r *reduction) receives(w int32) bool {
	v := r.vc[w].owner
	if v < 0 {
		return true
	}
	i := r.number[r.front(v)]
	return i < 0 || r.all[i].gone || !r.all[i].isStuck() // without a number it has left
}

// isStuck reports whether a gate keeps flits of x from following the head.
func (x *standing) isStuck() bool { return x.stuckFrom(0) }

// stuckFrom reports whether a gate at index k or later of x.on keeps flits of x from following the
// head.
func (x *standing) stuckFrom(k int) bool {
	for _, stuck := range x.stuck[k:] {
		if stuck {
			return true
		}
	}
	return false
}
