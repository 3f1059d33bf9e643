package model

import "fmt"

// This file finds routings that take a channel that is absent: the missing direction of a link of one direction.

// UsesAbsent returns a channel that is absent and that packets of r may take, or NoChannel. It looks at all reachable states. Cost: that of
// the states, if the network has links of one direction.
func UsesAbsent(r Relation) ChannelID {
	n := r.Network()
	if n.OneWayLinks() == 0 {
		return NoChannel
	}
	var classes []Class
	var hops []Hop
	for d := range DestID(r.Destinations()) {
		seen, todo := map[State]bool{}, []State(nil)
		add := func(s State) {
			if !seen[s] {
				seen[s] = true
				todo = append(todo, s)
			}
		}
		for h := range HostID(r.Sources()) {
			if !Sends(r, h, d) {
				continue
			}
			classes = r.Inject(h, d, classes[:0])
			for _, k := range classes {
				add(InjectState(r, h, d, k))
			}
		}
		for len(todo) > 0 {
			s := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			hops = r.Next(s, hops[:0])
			for _, x := range hops {
				c, _ := n.Channel(x.VC)
				if n.Absent(c) {
					return c
				}
				if n.Kind(c) == SwitchToSwitch {
					add(State{x.VC, d, x.Class})
				}
			}
		}
	}
	return NoChannel
}

// oneWayText says which link of one direction channel c belongs to.
func (n *Network) oneWayText(c ChannelID) string {
	return fmt.Sprintf("the link from %s to %s has one direction", n.SwitchLabel(n.Head(c)), n.SwitchLabel(n.Tail(c)))
}

// AbsentError is the error about a routing that takes an absent channel.
func (n *Network) AbsentError(c ChannelID) error {
	return fmt.Errorf("packets would take the channel %s, but %s", n.ChannelLabel(c), n.oneWayText(c))
}
