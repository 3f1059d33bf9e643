package ethernet

import (
	"bytes"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file shows the fabric to those who configure its switches.

// Routes returns the routes without priorities: one class of frames, one virtual channel.
func (f *Found) Routes() model.Relation { return f.plain }

// IsHosts reports whether a switch of the network stands for a host prefix that several switches are connected to.
func (f *Found) IsHosts(u model.SwitchID) bool { return int(u) >= len(f.switches) }

// Dumps returns the dumps of the switches of the folder, by switch of the network.
func (f *Found) Dumps() []*dumps.Switch { return f.switches }

// HostPorts returns the interfaces by which a switch reaches its hosts. Those of a VLAN or port channel are its members, if they are known.
func (f *Found) HostPorts(u model.SwitchID) []string { return f.ports(u, true) }

// CablePorts returns the interfaces of a switch with cables to other switches. Those of a port channel are its members, if they are known.
func (f *Found) CablePorts(u model.SwitchID) []string { return f.ports(u, false) }

func (f *Found) ports(u model.SwitchID, ofHosts bool) (list []string) {
	n := f.plain.net
	add := func(name string) {
		q := f.switches[u].QoS
		switch {
		case name == "":
		case q != nil && len(q.Members[name]) > 0:
			list = append(list, q.Members[name]...)
		default:
			list = append(list, name)
		}
	}
	for _, c := range n.Out(u) {
		isLink := n.Kind(c) == model.SwitchToSwitch
		isOfHosts := n.Kind(c) == model.Eject && !n.Host(n.HostOf(c)).Management || isLink && f.IsHosts(n.Head(c))
		if isOfHosts == ofHosts && (isLink || isOfHosts) {
			add(n.PortName(u, n.TailPort(c)))
		}
	}
	slices.SortFunc(list, compareNatural)
	return slices.Compact(list)
}

// WithQoS returns the fabric with other files config_db.json, by name of the switch. The routes stay.
func (f *Found) WithQoS(files map[string][]byte) (*State, error) {
	c := *f.fabric.b.cabling
	c.switches = nil
	for _, sw := range f.switches {
		fresh := *sw
		fresh.QoS = nil
		src, err := textfile.New(sw.Name+"/config_db.json", bytes.NewReader(files[sw.Name]), nil)
		if err != nil {
			return nil, err
		}
		if err := dumps.ReadSonic(src, &fresh); err != nil {
			return nil, err
		}
		c.switches = append(c.switches, &fresh)
	}
	b := *f.fabric.b
	b.cabling = &c
	rel, err := b.build()
	if err != nil {
		return nil, err
	}
	return b.classify(rel)
}

// Lossless returns the priorities with PFC at some port, and the DSCPs that select their groups at some port. Both are empty if the folder
// does not say.
func (f *Found) Lossless() (priorities, dscps []int) {
	if f.classed == nil {
		return nil, nil
	}
	ports := f.classed.distinctPorts()
	for p := range dumps.Priorities {
		if slices.ContainsFunc(ports, func(q *dumps.PortQoS) bool { return q.Enabled[p] }) {
			priorities = append(priorities, p)
		}
	}
	for d, is := range f.classed.becomeLossless(ports) {
		if is {
			dscps = append(dscps, d)
		}
	}
	return priorities, dscps
}

// HasTunnels reports whether a switch sends frames in a tunnel to its peer (dual ToR).
func (f *Found) HasTunnels() bool {
	return slices.ContainsFunc(f.switches, func(sw *dumps.Switch) bool { return sw.QoS != nil && sw.QoS.Peer.IsValid() })
}

// WithoutPriorities returns the doubts that are not about the present priorities.
func (f *Found) WithoutPriorities(list []model.Doubt) []model.Doubt {
	return slices.DeleteFunc(slices.Clone(list), func(d model.Doubt) bool { return d.Premise == premisePFC })
}

// PremiseOf returns the premises with the priorities by rules in place of the present ones.
func (f *Found) PremiseOf(list []model.Premise, value, source string) []model.Premise {
	list = slices.DeleteFunc(slices.Clone(list), func(p model.Premise) bool { return p.Name == premisePFC })
	return append(list, model.Premise{Name: premisePFC, Value: value, Source: source})
}
