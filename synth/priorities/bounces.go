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
	r := &Routes{Net: n, turn: map[Turn]int32{}, isEnd: isEnd}
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
