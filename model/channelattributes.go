package model

import (
	"fmt"
	"slices"
)

// This file keeps attributes of channels, and the clocks of switches. Simulations read them. Verdicts depend on buffers only, by
// the predicates of package facts.

// ChannelAttributes are properties of a channel. A value of 0 means that the simulation decides.
type ChannelAttributes struct {
	Latency    int32 // clocks from when a flit enters the channel until it is at the end
	FlitClocks int32 // clocks for which a flit occupies the channel
	Buffer     int32 // flits of the buffer of each virtual channel at the end
}

// MaxChannelAttribute is the largest value of an attribute of a channel. Simulations have smaller limits.
const MaxChannelAttribute = 1 << 24

// ClockAttribute is the name of the attribute of switches that says in which clocks a switch works: with value K, or without a
// value 1, in every K-th clock.
const ClockAttribute = "clock"

// WithChannelAttributes returns a copy of the network with the given attributes by ChannelID. The caller must not change list
// afterwards. It fails if there is not one entry for each channel, or a value is out of range.
func (n *Network) WithChannelAttributes(list []ChannelAttributes) (*Network, error) {
	if len(list) != n.NumChannels() {
		return nil, fmt.Errorf("model: attributes of %d channels; want %d", len(list), n.NumChannels())
	}
	for c, a := range list {
		for _, x := range a.named() {
			if x.value < 0 || x.value > MaxChannelAttribute {
				return nil, fmt.Errorf("model: %s %d of the channel %s; want 0 to %d", x.name, x.value, n.ChannelLabel(ChannelID(c)), MaxChannelAttribute)
			}
		}
	}
	m := *n
	if m.channels = list; !slices.ContainsFunc(list, func(a ChannelAttributes) bool { return a != ChannelAttributes{} }) {
		m.channels = nil
	}
	return &m, nil
}

func (a ChannelAttributes) named() [3]struct {
	name  string
	value int32
} {
	return [3]struct {
		name  string
		value int32
	}{{"latency", a.Latency}, {"flit_clocks", a.FlitClocks}, {"buffer", a.Buffer}}
}

// ChannelAttributes returns the attributes by ChannelID, or nil if no channel has any. The caller must not change the slice.
func (n *Network) ChannelAttributes() []ChannelAttributes { return n.channels }

// ChannelLabel returns the name to print for channel c: "S1 to S2", with the port if several channels join these switches.
func (n *Network) ChannelLabel(c ChannelID) string {
	end := func(u SwitchID) string {
		if u == NoSwitch {
			return n.HostLabel(n.HostOf(c))
		}
		return n.SwitchLabel(u)
	}
	text := end(n.tail[c]) + " to " + end(n.head[c])
	if n.Kind(c) != SwitchToSwitch {
		return text
	}
	for _, other := range n.Out(n.tail[c]) {
		if other != c && n.Kind(other) == SwitchToSwitch && n.head[other] == n.head[c] {
			return fmt.Sprintf("%s at port %s", text, n.PortLabel(n.tail[c], n.tailPort[c]))
		}
	}
	return text
}

// keepChannels returns n with the attributes of the network from. links and hosts are the numbers that links and endpoints of n
// have there.
func (n *Network) keepChannels(from *Network, links []LinkID, hosts []HostID) (*Network, error) {
	if from.channels == nil {
		return n, nil
	}
	list := make([]ChannelAttributes, n.NumChannels())
	for i, l := range links {
		copy(list[2*i:2*i+2], from.channels[2*l:])
	}
	for i, h := range hosts {
		list[n.InjectChannel(HostID(i))] = from.channels[from.InjectChannel(h)]
		list[n.EjectChannel(HostID(i))] = from.channels[from.EjectChannel(h)]
	}
	return n.WithChannelAttributes(list)
}
