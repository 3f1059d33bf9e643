package transition

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file decides whether several packets can meet their entries in one run.

// Lookup is a packet that meets the entry of a part: the old one, the new one, or either.
type Lookup struct {
	Part [2]int // destination and switch, or -1 for all
	Set  Entries
}

// PartOf returns what stands for the part of an entry.
func PartOf(part Part, d model.DestID, u model.SwitchID) [2]int {
	switch part {
	case Switch:
		return [2]int{-1, int(u)}
	case Destination:
		return [2]int{int(d), -1}
	}
	return [2]int{int(d), int(u)}
}

// InOrder reports whether some order of lookups and changes lets each packet meet its entries: that one lookup has to come before a change, and
// another one after it, leads to no circle. packets has the lookups of each packet in their order.
func InOrder(packets [][]Lookup) bool {
	change := map[[2]int]int{}
	var next [][]int // by lookup or change: those that come later
	add := func() int { next = append(next, nil); return len(next) - 1 }
	for _, lookups := range packets {
		last := -1
		for _, l := range lookups {
			if _, ok := change[l.Part]; !ok {
				change[l.Part] = add()
			}
			now := add()
			if last >= 0 {
				next[last] = append(next[last], now)
			}
			switch last = now; l.Set {
			case OldEntry:
				next[now] = append(next[now], change[l.Part])
			case NewEntry:
				next[change[l.Part]] = append(next[change[l.Part]], now)
			}
		}
	}
	into, done := make([]int, len(next)), []int{}
	for _, list := range next {
		for _, to := range list {
			into[to]++
		}
	}
	for i, k := range into {
		if k == 0 {
			done = append(done, i)
		}
	}
	for i := 0; i < len(done); i++ {
		for _, to := range next[done[i]] {
			if into[to]--; into[to] == 0 {
				done = append(done, to)
			}
		}
	}
	return len(done) == len(next)
}

// inOrder is InOrder for packets of the tables.
func (c *Change) inOrder(packets []*cdg.Packet, part Part) bool {
	var list [][]Lookup
	for _, p := range packets {
		var lookups []Lookup
		for i, s := range p.Path[:len(p.Path)-1] {
			in, _ := c.net.Channel(s.VC)
			l := Lookup{Part: PartOf(part, p.Dest, c.net.Head(in))}
			for set, t := range map[Entries]*model.Table{OldEntry: c.Old, NewEntry: c.New} {
				if slices.ContainsFunc(t.Next(s, nil), func(h model.Hop) bool { return h.VC == p.Path[i+1].VC }) {
					l.Set |= set
				}
			}
			lookups = append(lookups, l)
		}
		list = append(list, lookups)
	}
	return InOrder(list)
}

// contrary is why the cycle of a mixture is not known to be one of packets that can be in the network together.
const contrary = "the dependencies have a cycle, and its packets need the changes in contrary orders"

// ordered gives up a cycle whose packets need the changes in contrary orders.
func (c *Change) ordered(m *Mixture, part Part) {
	if m.Cycle != nil && !c.inOrder(m.Packets, part) {
		m.Cycle, m.Packets, m.Undecided = nil, nil, contrary
	}
}
