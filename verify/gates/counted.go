package gates

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file counts VCs whose bits are set, and packets that stop at the gates which these bits close.
//
// Let the flits behind heads move as far as they can. Suppose that whole packets do not set a bit. Then the first packet of a
// VC with a set bit is before a closed gate, and its head is beyond it, in a VC that no other packet is entering. If that VC's
// own bit cannot be set, there are at least as many such VCs as set bits. If no set of bits closes the gates of as many VCs
// outside of the set, no bit is set. Package verify/cert/gates has the proof.
//
// Cost: 2^k for each k VCs that gates see together, at most maxLine.

// maxLine bounds the VCs that are counted together.
const maxLine = 12

// isCounted reports whether bits are never set after flits behind heads have moved.
func (g *subject) isCounted() bool {
	packet, nearly := g.sizes.Packet, g.sizes.Buffer-g.sizes.Rule.Level
	if g.sizes.Rule.Unit != gate.Flit || g.sizes.Rule.Buffer != gate.Stored || g.whole >= nearly {
		return false
	}
	for k := 1; k <= min(g.sizes.Rule.Level, packet-1); k++ { // flits that are left of the first packet
		if k+(g.sizes.Buffer-k)/packet*packet >= nearly {
			return false
		}
	}
	for _, line := range g.lines() {
		if len(line) > maxLine || !g.closesFew(line) {
			return false
		}
	}
	return true
}

// closesFew reports whether each set of VCs of a line closes the gates of fewer other VCs of the line.
func (g *subject) closesFew(line []model.VCID) bool {
	set := make([]bool, g.size)
	for part := 1; part < 1<<len(line); part++ {
		others := 0
		for i, v := range line {
			if set[v] = part>>i&1 == 1; set[v] {
				others--
			}
		}
		for _, v := range line {
			if !set[v] && g.isClosed(v, set, 0) {
				others++
			}
		}
		if others >= 0 {
			return false
		}
	}
	return true
}

// lines returns the VCs between switches, divided such that gates see bits of VCs in the same part only.
func (g *subject) lines() [][]model.VCID {
	part := make([]int, g.size)
	for v := range part {
		part[v] = v
	}
	for more := true; more; {
		more = false
		for v := range model.VCID(g.size) {
			c, index := g.n.Channel(v)
			for i := 0; i < len(g.gates.Weights) && c != model.NoChannel; i++ {
				for k := range g.n.VCs() {
					if w := g.n.VC(c, k); (k == index || g.sizes.Rule.VCs != gate.Own) && part[v] != part[w] {
						part[v], part[w], more = min(part[v], part[w]), min(part[v], part[w]), true
					}
				}
				c = g.gates.Ahead(c)
			}
		}
	}
	lines := make([][]model.VCID, g.size)
	for v, first := range part {
		lines[first] = append(lines[first], model.VCID(v))
	}
	return slices.DeleteFunc(lines, func(line []model.VCID) bool { return len(line) == 0 })
}
