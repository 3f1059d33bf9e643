package quality

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file answers questions about measures.

// Unused returns the links that no path has in either direction, and the channels that no path has though the
// other direction of their link has one.
func (m *Measures) Unused() (links []model.LinkID, channels []model.ChannelID) {
	for c := range model.ChannelID(len(m.Channels)) {
		back := m.Network.Reverse(c)
		switch {
		case m.Channels[c].Paths > 0:
		case m.Channels[back].Paths > 0:
			if !m.Network.Absent(c) {
				channels = append(channels, c)
			}
		case c < back:
			links = append(links, model.LinkID(c/2))
		}
	}
	return links, channels
}

// Idle is the switches of one rank that carry no path.
type Idle struct {
	Rank     int              // links to the nearest switch with hosts; -1 if there is no path to one
	Switches []model.SwitchID // those that carry nothing
	All      int              // the number of switches of the rank
}

// Idle returns the switches without hosts that carry no path, by rank.
func (m *Measures) Idle() (list []Idle) {
	by := map[int]*Idle{}
	for u := range model.SwitchID(m.Network.NumSwitches()) {
		rank := m.Ranks[u]
		if rank == 0 {
			continue
		}
		if by[rank] == nil {
			by[rank] = &Idle{Rank: rank}
		}
		if by[rank].All++; !m.carries(u) {
			by[rank].Switches = append(by[rank].Switches, u)
		}
	}
	for _, x := range by {
		if len(x.Switches) > 0 {
			list = append(list, *x)
		}
	}
	slices.SortFunc(list, func(a, b Idle) int { return cmp.Compare(a.Rank, b.Rank) })
	return list
}

// carries reports whether a path has a channel out of switch u. Paths end at switches with hosts.
func (m *Measures) carries(u model.SwitchID) bool {
	return slices.ContainsFunc(m.Network.Out(u), func(c model.ChannelID) bool {
		return m.Network.Kind(c) == model.SwitchToSwitch && m.Channels[c].Paths > 0
	})
}

// Busiest returns the channels between switches in the order of their paths, those with most first. No more than most are returned.
func (m *Measures) Busiest(most int) []model.ChannelID {
	order := make([]model.ChannelID, len(m.Channels))
	for c := range order {
		order[c] = model.ChannelID(c)
	}
	slices.SortStableFunc(order, func(a, b model.ChannelID) int { return cmp.Compare(m.Channels[b].Paths, m.Channels[a].Paths) })
	return order[:min(len(order), most)]
}

// MaxLoad returns the largest number of paths over a channel, and 0 if there is no channel.
func (m *Measures) MaxLoad() (most int64) {
	for _, c := range m.Channels {
		most = max(most, c.Paths)
	}
	return most
}

// MaxHops returns the hops of a longest path.
func (m *Measures) MaxHops() int { return max(len(m.Hops)-1, 0) }

// MeanHops returns the hops of a path on average.
func (m *Measures) MeanHops() float64 {
	total, pairs := int64(0), int64(0)
	for k, x := range m.Hops {
		total, pairs = total+int64(k)*x, pairs+x
	}
	return float64(total) / float64(max(pairs, 1))
}

// Addresses returns a histogram: by number of addresses, the channels with paths to this many.
func (m *Measures) Addresses() (list []int64) {
	for c, x := range m.Channels {
		if !m.Network.Absent(model.ChannelID(c)) {
			list = count(list, x.Addresses, 1)
		}
	}
	return list
}
