package energy

import (
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file counts the events of a simulation and adds up their costs.

// Event is a kind of event with its count.
type Event struct {
	Name      string
	Count     int64   // flits
	PicoJoule float64 // of all of them
}

// Report is the energy and the area of a simulated network.
type Report struct {
	Events []Event // in the order of Kinds
	Static float64 // pJ of the switches over all clocks
	Total  float64 // pJ, events and static
	Area   float64 // square micrometres
}

// Of returns the energy of a simulation with engine.Options.Loads of network n, from clock 0 on.
// clocks is how long the network runs, which can be less than what was simulated. ghz is the number
// of clocks in a nanosecond. Cost: O(channels).
func Of(sim *engine.Sim, n *model.Network, c *Costs, clocks engine.Clock, ghz float64) *Report {
	links, ejected := int64(0), int64(0)
	for ch := range model.ChannelID(n.NumLinkChannels()) {
		links += sim.ChannelFlits(ch)
	}
	for h := range model.HostID(n.NumHosts()) {
		ejected += sim.ChannelFlits(n.EjectChannel(h))
	}
	// A flit leaves a buffer when it passes the crossbar into a link or towards a host.
	passed := links + ejected
	r := &Report{Area: c.BufferArea*float64(sim.BufferSlots()) + c.CrossbarArea*float64(pairs(n))}
	for _, e := range []struct {
		name  string
		count int64
		cost  float64
	}{{"buffer-write", passed + sim.Buffered(), c.BufferWrite}, {"buffer-read", passed, c.BufferRead}, {"crossbar", passed, c.Crossbar},
		{"link", links, c.Link}, {"injection", sim.Injected(), c.Injection}, {"ejection", ejected, c.Ejection}} {
		r.Events = append(r.Events, Event{e.name, e.count, float64(e.count) * e.cost})
		r.Total += float64(e.count) * e.cost
	}
	nanoseconds := float64(clocks) / ghz
	r.Static = c.SwitchStatic * float64(n.NumSwitches()) * nanoseconds // 1 mW is 1 pJ in a nanosecond
	r.Total += r.Static
	return r
}

// pairs returns the number of pairs of an input and an output of the same switch.
func pairs(n *model.Network) (sum int64) {
	in, out := make([]int64, n.NumSwitches()), make([]int64, n.NumSwitches())
	for c := range model.ChannelID(n.NumChannels()) {
		if u := n.Head(c); u != model.NoSwitch {
			in[u]++
		}
		if u := n.Tail(c); u != model.NoSwitch {
			out[u]++
		}
	}
	for u := range in {
		sum += in[u] * out[u]
	}
	return sum
}
