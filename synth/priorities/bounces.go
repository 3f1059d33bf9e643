package priorities

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file makes the routes of packets that may bounce: on networks of levels, all paths that go up and down, and go up again after they
// have come down at most some times. They are what is left to frames when cables fail: Tagger's expected lossless paths.

// Bouncing returns all paths between the switches with hosts of a network of levels with at most most bounces (see Levels). A path does
// not go back by the cable by which it came. It fails if the network has no levels.
// Cost: O(channels × ports × most).
func Bouncing(n *model.Network, isEnd func(model.SwitchID) bool, most int) (*Routes, error) {
	if isEnd == nil {
		isEnd = func(model.SwitchID) bool { return false }
	}
	level := Levels(n, isEnd)
	if level == nil {
		return nil, fmt.Errorf("priorities: the network has no levels: switches of one level have a cable, or all have hosts")
	}
	r := &Routes{Net: n, turn: newTurnNumbers(n), isEnd: isEnd}
	f := flow{}
	type place struct {
		c model.ChannelID
		j int
	}
	node := map[place]int32{}
	var places []place
	visit := func(p place) int32 {
		i, ok := node[p]
		if !ok {
			i = int32(len(places))
			node[p] = i
			places, f.channel = append(places, p), append(f.channel, p.c)
		}
		return i
	}
	isLink := func(c model.ChannelID) bool { return n.Kind(c) == model.SwitchToSwitch && !isEnd(n.Head(c)) }
	up := func(c model.ChannelID) bool { return level[n.Head(c)] > level[n.Tail(c)] }
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, c := range n.Out(u) {
			if !isEnd(u) && level[u] == 0 && isLink(c) {
				f.starts = append(f.starts, step{r.number(Turn{u, model.NoChannel, c}), visit(place{c, 0})})
			}
		}
	}
	for i := 0; i < len(places); i++ {
		p := places[i]
		u := n.Head(p.c)
		var list []step
		for _, c := range n.Out(u) {
			to := place{c, p.j}
			if !isLink(c) || c == n.Reverse(p.c) {
				continue
			}
			if !up(p.c) && up(c) {
				to.j++
			}
			if to.j <= most {
				list = append(list, step{r.number(Turn{u, p.c, c}), visit(to)})
			}
		}
		f.next = append(f.next, list)
	}
	r.flows = []flow{f}
	return r, nil
}

// bouncing is the relation of packets that may bounce. Their class is the number of bounces so far.
type bouncing struct {
	net   *model.Network
	isEnd func(model.SwitchID) bool
	level []int
	most  int
}

// BouncingRelation returns the relation of the paths of Bouncing, to all hosts. Packets that can no longer arrive are dropped. It fails as
// Bouncing does.
func BouncingRelation(n *model.Network, isEnd func(model.SwitchID) bool, most int) (model.Relation, error) {
	r, err := Bouncing(n, isEnd, most)
	if err != nil {
		return nil, err
	}
	return &bouncing{n, r.isEnd, Levels(n, r.isEnd), most}, nil
}

// Network implements model.Relation.
func (b *bouncing) Network() *model.Network { return b.net }

// Classes implements model.Relation.
func (b *bouncing) Classes() int { return b.most + 1 }

// Sources implements model.Relation.
func (b *bouncing) Sources() int { return b.net.NumHosts() }

// Destinations implements model.Relation.
func (b *bouncing) Destinations() int { return b.net.NumHosts() }

// DestinationHost implements model.Relation.
func (b *bouncing) DestinationHost(d model.DestID) model.HostID { return model.HostID(d) }

// Commits implements model.Committer: a hash chooses the next hop.
func (b *bouncing) Commits(model.State) bool { return true }

// Inject implements model.Relation.
func (b *bouncing) Inject(_ model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	return append(buf, 0)
}

// Next implements model.Relation.
func (b *bouncing) Next(s model.State, buf []model.Hop) []model.Hop {
	in, _ := b.net.Channel(s.VC)
	u := b.net.Head(in)
	if u == model.NoSwitch {
		return buf
	}
	to := b.net.Host(model.HostID(s.Dest))
	if to.Switch == u {
		return append(buf, model.Hop{VC: b.net.VC(b.net.EjectChannel(model.HostID(s.Dest)), 0)})
	}
	isFirst := b.net.Kind(in) != model.SwitchToSwitch || b.isEnd(b.net.Tail(in))
	for _, c := range b.net.Out(u) {
		v := b.net.Head(c)
		switch {
		case b.net.Kind(c) != model.SwitchToSwitch || c == b.net.Reverse(in):
		case b.isEnd(u), v == to.Switch && b.isEnd(v): // from hosts at several switches, or to them
			buf = append(buf, model.Hop{VC: b.net.VC(c, 0), Class: s.Class})
		case b.isEnd(v):
		default:
			k := s.Class
			if up := b.level[v] > b.level[u]; up && !isFirst && b.level[b.net.Tail(in)] > b.level[u] {
				k++
			}
			if int(k) <= b.most {
				buf = append(buf, model.Hop{VC: b.net.VC(c, 0), Class: k})
			}
		}
	}
	return buf
}
