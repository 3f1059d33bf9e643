package states

import "math"

// This file has flow control of rings, from its definition in docs/theorems/bubbles.md.

// findRings finds the sets of buffers that reach each other in which each has one successor.
func (n *net) findRings() {
	m := len(n.Buffers)
	n.ring = make([]int, m)
	for b := range n.ring {
		n.ring[b] = -1
	}
	if n.Flow == nil {
		return
	}
	next, reach := n.dependencies()
	for v := range m {
		if !reach[v][v] || n.ring[v] >= 0 {
			continue
		}
		var set []int
		for w := range m {
			if reach[v][w] && reach[w][v] {
				set = append(set, w)
			}
		}
		n.addRing(set, next)
	}
}

// dependencies returns by two buffers whether a packet takes one after the other, and in some steps.
func (n *net) dependencies() (next, reach [][]bool) {
	m := len(n.Buffers)
	next, reach = make([][]bool, m), make([][]bool, m)
	for v := range m {
		next[v], reach[v] = make([]bool, m), make([]bool, m)
	}
	counts := func(b int) bool { return n.Buffers[b].Kind == Link && (n.Flow.Escape == nil || n.Flow.Escape[b]) }
	for _, x := range n.takes() {
		if v, w := x[0], x[1]; counts(v) && counts(w) {
			next[v][w], reach[v][w] = true, true
		}
	}
	for k := range m {
		for v := range m {
			for w := range m {
				reach[v][w] = reach[v][w] || reach[v][k] && reach[k][w]
			}
		}
	}
	return next, reach
}

// takes returns which buffers packets may take one after the other.
func (n *net) takes() (list [][2]int) {
	if n.Flow.Takes != nil {
		return n.Flow.Takes
	}
	for p := range n.Places {
		for _, q := range n.Places[p].Next {
			if q != Leave {
				list = append(list, [2]int{n.Places[p].Buffer, n.Places[q].Buffer})
			}
		}
	}
	return list
}

// addRing adds a set as a ring if each buffer has one successor in it.
func (n *net) addRing(set []int, next [][]bool) {
	slots, least := 0, math.MaxInt
	for _, v := range set {
		after := 0
		for _, w := range set {
			if next[v][w] {
				after++
			}
		}
		if after != 1 {
			return
		}
		slots += n.Buffers[v].Flits / n.Flow.Assumed
		least = min(least, n.Buffers[v].Flits)
	}
	for _, v := range set {
		n.ring[v] = len(n.sizes)
	}
	n.sizes, n.slots, n.least = append(n.sizes, len(set)), append(n.slots, slots), append(n.least, least)
}

// isGuarded reports whether the rule applies to a hop from buffer v to w.
func (n *net) isGuarded(v, w int) bool {
	f := n.Flow
	if f == nil || n.ring[w] < 0 || n.ring[v] == n.ring[w] {
		return false
	}
	fromLink := n.Buffers[v].Kind == Link
	if f.OtherVC != nil && f.OtherVC[w] {
		return false
	}
	isOff := f.Off != nil && f.Off[w] && !(f.FromHosts && fromLink) && !(f.FromRings && !fromLink)
	return !isOff
}

// admits reports whether flow control lets a packet go from buffer v to w.
func (n *net) admits(s state, v, w int) bool {
	if !n.isGuarded(v, w) {
		return true
	}
	f, r := n.Flow, n.ring[w]
	switch f.Kind {
	case "bubble":
		return n.Buffers[w].Flits-n.used(s, w) >= 2*f.Assumed
	case "critical-bubble":
		return n.headsIn(s, r)+1 < n.slots[r]
	}
	fills := (f.Assumed + n.least[r] - 1) / n.least[r]
	return (n.entriesOf(s, r)+1)*fills < n.sizes[r]
}

// headsIn returns the packets whose last VC is in ring r.
func (n *net) headsIn(s state, r int) (count int) {
	for b, list := range s {
		if n.ring[b] != r {
			continue
		}
		for i := range list {
			if list[i].given == 0 {
				count++
			}
		}
	}
	return count
}

// entriesOf returns how often packets have entered ring r with VCs that they still hold.
func (n *net) entriesOf(s state, r int) (count int) {
	for b, list := range s {
		if n.ring[b] != r {
			continue
		}
		for i := range list {
			if list[i].in == list[i].flits {
				count++
			} else if from, _ := n.feederNode(s, b); from < 0 || n.ring[from] != r {
				count++
			}
		}
	}
	return count
}

// feederNode returns the node from which flits come into the last node of buffer w, or -1.
func (n *net) feederNode(s state, w int) (int, int) {
	for b, list := range s {
		for i := range list {
			for k := range n.Places[list[i].place].Next {
				if n.child(s, &list[i], k) == w {
					return b, i
				}
			}
		}
	}
	return -1, -1
}
