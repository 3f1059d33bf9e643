package gates

// This file counts the VCs whose bits are set after flits behind heads have moved as far as gates let them.
//
// Suppose, by flit and without reserved slots, that whole packets in a buffer leave its bit clear. Let VC v have a set bit.
// Then its first packet P has left v in part: before the gate of the next VC w there are a flits, with
// a + (Buffer-a)/Packet*Packet >= Buffer-Level. P is still entering w. When P began, w had at most Buffer-Packet flits, and no
// other packet has entered since. So w has at most Buffer-a flits, and its bit is not set if a > Level.
//
// So w is outside of the set of VCs with set bits, and its gate is closed. Two such VCs v have different w, because one packet at
// a time enters w. But let each set of VCs that gates see together close the gates of fewer VCs outside of it. Then no bit is set:
// all gates are open, and each packet is on the VC of its head.

// mostCounted bounds the VCs that are counted together, all of whose sets are visited.
const mostCounted = 12

// counted reports whether no bit is set after flits behind heads have moved. whole is the number of slots that whole packets
// fill. A bit is set if nearly slots or more are taken.
func (g *gated) counted(whole, nearly int) bool {
	if !g.ByFlit || g.Reserved || whole >= nearly {
		return false
	}
	for left := 1; left < g.Packet; left++ {
		if left <= g.Level && left+(g.Buffer-left)/g.Packet*g.Packet >= nearly {
			return false
		}
	}
	in := make([]bool, g.LinkVCs())
	for _, group := range g.seenTogether() {
		if len(group) > mostCounted {
			return false
		}
		for set := uint32(1); set < 1<<len(group); set++ {
			if !g.closesFewer(group, set, in) {
				return false
			}
		}
	}
	return true
}

// closesFewer reports whether a set of VCs of a group closes the gates of fewer VCs of the group outside of it. It marks
// the set in a list by VC.
func (g *gated) closesFewer(group []int32, set uint32, in []bool) bool {
	for i, v := range group {
		in[v] = set>>i&1 == 1
	}
	inside, shut := 0, 0
	for _, v := range group {
		if in[v] {
			inside++
		} else if g.closed(v, func(w int32) bool { return in[w] }) {
			shut++
		}
	}
	return shut < inside
}

// seenTogether returns groups of all VCs between switches. The bits that close the gate of a VC are those of its group.
func (g *gated) seenTogether() (groups [][]int32) {
	near := make([][]int32, g.LinkVCs()) // by VC: the VCs that it sees, and that see it
	for v := range int32(len(near)) {
		c := v / g.vcs
		for i := 0; i < len(g.Weights) && c >= 0; i++ {
			for k := range g.vcs {
				if w := c*g.vcs + k; g.VCs != "own" || k == v%g.vcs {
					near[v], near[w] = append(near[v], w), append(near[w], v)
				}
			}
			c = g.Ahead[c]
		}
	}
	seen := make([]bool, len(near))
	for v := range int32(len(near)) {
		if seen[v] {
			continue
		}
		seen[v] = true
		group := []int32{v}
		for at := 0; at < len(group); at++ {
			for _, w := range near[group[at]] {
				if !seen[w] {
					seen[w] = true
					group = append(group, w)
				}
			}
		}
		groups = append(groups, group)
	}
	return groups
}
