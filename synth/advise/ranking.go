package advise

import (
	"cmp"
	"context"

	"github.com/turnproof/turnproof/model"
)

// This file finds the turns of tables that do not obey up*/down* (M. D. Schroeder et al., Autonet: a high-speed, self-configuring local
// area network using point-to-point links, IEEE Journal on Selected Areas in Communications 9, 1991).
//
// Each switch has a rank: its distance from a root. A channel goes up if it enters a switch of smaller rank, or of the same rank and a
// smaller GUID, as in OpenSM (osm_ucast_updn.c). This order of switches has no ties, so every cycle of channels has a channel
// that goes up behind one that goes down. Paths that never do so have no cycle of dependencies.
//
// OpenSM looks for a shortest legal path of each switch, and stores its first hop. A packet at a switch follows the hop that this
// switch stores. That hop can go up although the packet came down: a table does not know where a packet comes from.

// Ranking is an order of the switches, and the turns of a table against it.
type Ranking struct {
	Root         model.SwitchID
	Dependencies int    // pairs of channels between switches that packets use one after the other
	Wrong        []Turn // those that go up after down; without them there is no cycle
}

// Turn is a dependency with a packet.
type Turn struct {
	In, Out model.ChannelID
	From    model.HostID // the packet's source
	Dest    model.DestID
	// IsLegal reports whether the path of the switch between the channels, from there on, obeys up*/down*.
	IsLegal bool
}

// mostShare bounds the turns against the order: at most one of mostShare dependencies. With more, the tables do not follow up*/down*.
const mostShare = 10

// Rank returns the ranking with the fewest turns against it, over all roots. It returns nil if there are too many, or if there is none.
// Packets between hosts count. Cost: one breadth-first search for each root, and one look at each dependency.
func Rank(ctx context.Context, t *model.Table) (*Ranking, error) {
	n := t.Network()
	all := turnsOf(t)
	best := &Ranking{Root: model.NoSwitch, Dependencies: len(all)}
	least := len(all) + 1
	for root := range model.SwitchID(n.NumSwitches()) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rank, wrong := ranksFrom(n, root), 0
		for i := range all {
			if isWrong(n, rank, all[i].In, all[i].Out) {
				wrong++
			}
		}
		if wrong < least {
			least, best.Root = wrong, root
		}
	}
	if least == 0 || least*mostShare > len(all) {
		return nil, nil
	}
	rank := ranksFrom(n, best.Root)
	for _, x := range all {
		if isWrong(n, rank, x.In, x.Out) {
			x.IsLegal = isLegal(t, rank, n.Head(x.In), x.Dest)
			best.Wrong = append(best.Wrong, x)
		}
	}
	return best, nil
}

// ranksFrom returns the distance of each switch from a root. Switches without a path to the root have the largest rank.
func ranksFrom(n *model.Network, root model.SwitchID) []int {
	rank := make([]int, n.NumSwitches())
	for u := range rank {
		rank[u] = n.NumSwitches()
	}
	rank[root] = 0
	queue := []model.SwitchID{root}
	for i := 0; i < len(queue); i++ {
		for _, c := range n.Out(queue[i]) {
			if v := n.Head(c); n.Kind(c) == model.SwitchToSwitch && rank[v] > rank[queue[i]]+1 {
				rank[v] = rank[queue[i]] + 1
				queue = append(queue, v)
			}
		}
	}
	return rank
}

// isUp reports whether a channel between switches goes up. The order of switches is total: rank, then GUID, then number.
func isUp(n *model.Network, rank []int, c model.ChannelID) bool {
	u, v := n.Tail(c), n.Head(c)
	return cmp.Or(cmp.Compare(rank[v], rank[u]), cmp.Compare(n.Switch(v).GUID, n.Switch(u).GUID), cmp.Compare(v, u)) < 0
}

// isWrong reports whether a packet goes up after down.
func isWrong(n *model.Network, rank []int, in, out model.ChannelID) bool {
	return !isUp(n, rank, in) && isUp(n, rank, out)
}

// turnsOf returns the dependencies between channels of switches that packets between hosts cause, each with its first packet.
func turnsOf(t *model.Table) (list []Turn) {
	n := t.Network()
	seen := map[[2]model.ChannelID]bool{}
	first := map[model.SwitchID]model.HostID{}
	var sources []model.SwitchID
	for h := range model.HostID(n.NumHosts()) {
		if u := n.Host(h).Switch; !hasKey(first, u) {
			first[u] = h
			sources = append(sources, u)
		}
	}
	for d := range model.DestID(t.Destinations()) {
		to := t.DestinationHost(d)
		if int(to) >= n.NumHosts() {
			continue
		}
		row := t.Row(d)
		for _, u := range sources {
			if u == n.Host(to).Switch {
				continue
			}
			in, from := model.NoChannel, first[u]
			for range n.NumSwitches() {
				out := row[u]
				if out < 0 || n.Kind(out) != model.SwitchToSwitch {
					break
				}
				if key := [2]model.ChannelID{in, out}; in != model.NoChannel && !seen[key] {
					seen[key] = true
					list = append(list, Turn{In: in, Out: out, From: from, Dest: d})
				}
				in, u = out, n.Head(out)
			}
		}
	}
	return list
}

func hasKey(m map[model.SwitchID]model.HostID, u model.SwitchID) bool { _, ok := m[u]; return ok }

// isLegal reports whether the path of packets from switch u to destination d arrives and never goes up after down.
func isLegal(t *model.Table, rank []int, u model.SwitchID, d model.DestID) bool {
	n, isDown := t.Network(), false
	for range n.NumSwitches() + 1 {
		out := t.Row(d)[u]
		switch {
		case out < 0:
			return false
		case n.Kind(out) == model.Eject:
			return n.HostOf(out) == t.DestinationHost(d)
		case isUp(n, rank, out) && isDown:
			return false
		}
		isDown = isDown || !isUp(n, rank, out)
		u = n.Head(out)
	}
	return false
}
