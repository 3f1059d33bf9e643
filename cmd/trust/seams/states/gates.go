package states

// This file has gates, from their definition in docs/theorems/gates.md.

// isGated reports whether the hop from buffer v to w has a gate.
func (n *net) isGated(v, w int) bool {
	g := n.Gates
	if g == nil || n.Buffers[w].Kind != Link || g.Exempt != nil && g.Exempt[w] {
		return false
	}
	if n.Buffers[v].Kind != Link {
		return g.Injection
	}
	return g.Turns && g.Dimension[n.Buffers[v].Channel] != g.Dimension[n.Buffers[w].Channel]
}

// isOpen reports whether no gate stops a flit on the hop from buffer v to w. Late information may be that of the empty
// network, which opens each gate. If fresh is set, the gate sees the state.
func (n *net) isOpen(s state, v, w int, fresh bool) bool {
	g := n.Gates
	if !n.isGated(v, w) || g.Late && !fresh {
		return true
	}
	sum, ch := int64(0), n.Buffers[w].Channel
	for k := 0; k < len(g.Weights) && ch >= 0; k++ {
		if n.bit(s, ch, w) {
			sum += g.Weights[k]
		}
		ch = g.Ahead[ch]
	}
	return sum <= g.Most
}

// bit returns the bit of a channel that counts for buffer w.
func (n *net) bit(s state, ch, w int) bool {
	some, all := false, true
	for k, b := range n.byVC[ch] {
		if b < 0 || n.Buffers[b].Network != n.Buffers[w].Network || n.Gates.VCs == "own" && k != n.Buffers[w].VC {
			continue
		}
		isFull := n.Buffers[b].Flits-n.taken(s, b) <= n.Gates.Level
		some, all = some || isFull, all && isFull
	}
	if n.Gates.VCs == "all" {
		return all
	}
	return some
}

// taken returns the slots of a buffer that count for its bit.
func (n *net) taken(s state, b int) (count int) {
	if !n.Gates.Reserved {
		return n.used(s, b)
	}
	for i := range s[b] {
		count += int(s[b][i].flits)
	}
	return count
}
