package compare

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file keeps hosts that are gone: packets to them may be in the network, and follow the old entries.

// withGone matches the old table with the new one on a network that also has the hosts that only the old one has, at their switches and
// ports. Switches that are gone come back without cables. The hosts send nothing, and the new table has no entries for them. Packets to them
// have the service levels of before. It fails if an address of such a host belongs to another one now, or if management traffic counts: it
// also goes to switches.
func withGone(p *matching) (*matching, error) {
	old, now := p.old, p.now
	if now.Management() != model.NoManagement {
		return nil, fmt.Errorf("hosts are gone, and changes with management traffic to them are not decided")
	}
	n, of, err := extended(p)
	if err != nil {
		return nil, err
	}
	first, moved := model.HostID(now.Network().NumHosts()), model.HostID(n.NumHosts()-now.Network().NumHosts())
	dests, rows := []model.Destination{}, []model.DestID{} // of the result; the destination of now, or -1
	for d := range model.DestID(now.HostDestinations()) {
		dests, rows = append(dests, now.Destination(d)), append(rows, d)
	}
	taken := map[string]bool{}
	for d := range model.DestID(now.AllDestinations()) {
		taken[lidKey(now)(d)] = true
	}
	for d := range model.DestID(old.HostDestinations()) {
		to := old.Destination(d)
		h, ok := of[to.Host]
		if !ok {
			continue
		}
		if taken[lidKey(old)(d)] {
			return nil, fmt.Errorf("%s is gone, and its LID %d leads to another host or to a switch", old.Network().HostLabel(to.Host), to.LID)
		}
		dests, rows = append(dests, model.Destination{Host: h, LID: to.LID}), append(rows, -1)
	}
	for d := model.DestID(now.HostDestinations()); int(d) < now.AllDestinations(); d++ {
		to := now.Destination(d)
		dests, rows = append(dests, model.Destination{Host: to.Host + moved, LID: to.LID}), append(rows, d)
	}
	t := model.NewTable(n, dests)
	for e, d := range rows {
		for u := model.SwitchID(0); d >= 0 && int(u) < now.Network().NumSwitches(); u++ {
			if port, ok := now.Port(u, d); ok {
				t.SetPort(u, model.DestID(e), port)
			}
		}
	}
	q := pairUp(old, t)
	q.switchesLeft, q.hostsLeft = now.Network().NumSwitches(), first
	t.SetClasses(q.classesOfGone(now, rows[:t.HostDestinations()]), q.lanesOfGone(now))
	return q, nil
}

// extended returns the new network with the hosts that are gone, and their new numbers by old host.
func extended(p *matching) (*model.Network, map[model.HostID]model.HostID, error) {
	a, b := p.old.Network(), p.now.Network()
	at := map[model.SwitchID]model.SwitchID{}
	for _, u := range p.switches {
		at[u[0]] = u[1]
	}
	var switches []model.Switch
	for u := range model.SwitchID(a.NumSwitches()) {
		if _, ok := at[u]; !ok {
			at[u] = model.SwitchID(b.NumSwitches() + len(switches))
			switches = append(switches, *a.Switch(u))
		}
	}
	kept, of := map[model.HostID]bool{}, map[model.HostID]model.HostID{}
	for _, h := range p.sources {
		kept[h[0]] = true
	}
	var hosts []model.Host
	for h := range model.HostID(a.NumHosts()) {
		if kept[h] {
			continue
		}
		of[h] = model.HostID(b.NumHosts() + len(hosts))
		host := *a.Host(h)
		host.Switch = at[host.Switch]
		hosts = append(hosts, host)
	}
	n, err := b.Extended(switches, hosts)
	return n, of, err
}

// classesOfGone returns the class sets of a table with hosts that are gone. rows gives the destination of now by destination.
func (p *matching) classesOfGone(now *model.Table, rows []model.DestID) []model.ClassSet {
	hosts := p.now.Network().NumHosts()
	before := map[model.HostID]model.HostID{} // by new host
	for _, h := range p.sources {
		before[h[1]] = h[0]
	}
	olds := byAddress(p.old, lidKey(p.old))
	sets := make([]model.ClassSet, len(rows)*hosts)
	for e, d := range rows {
		for h := range p.hostsLeft {
			set := &sets[e*hosts+int(h)]
			if d >= 0 {
				*set = now.ClassesOf(h, d)
			} else if g, ok := before[h]; ok {
				*set = p.old.ClassesOf(g, olds[lidKey(p.now)(model.DestID(e))])
			}
		}
	}
	return sets
}

// lanesOfGone returns the map from classes to VCs of now on the network with the hosts that are gone. Their ports have the VCs of before.
func (p *matching) lanesOfGone(now *model.Table) *model.VCMap {
	if now.VCMap() == nil {
		return nil
	}
	n, b := p.now.Network(), now.Network()
	m := model.NewVCMap(n)
	for u := range model.SwitchID(b.NumSwitches()) {
		eachTurn(n, u, func(in, out model.ChannelID) {
			from, back := b.OutAt(u, n.TailPort(out)), b.OutAt(u, n.TailPort(n.Reverse(in)))
			for k := range model.Class(model.MaxClasses) {
				vc := 0
				if from != model.NoChannel && back != model.NoChannel {
					vc = now.HopVC(b.Reverse(back), from, k)
				} else if v, ok := p.vcOfBefore(in, out, k); ok {
					vc = v
				}
				m.Set(n, u, n.InIndex(in), n.OutIndex(out), k, vc)
			}
		})
	}
	return m
}

// vcOfBefore returns the VC that the old table gives to packets between the ports of two channels of the new network.
func (p *matching) vcOfBefore(in, out model.ChannelID, k model.Class) (int, bool) {
	a, n := p.old.Network(), p.now.Network()
	u := p.oldOf[n.Tail(out)]
	if u == model.NoSwitch {
		return 0, false
	}
	from, back := a.OutAt(u, n.TailPort(out)), a.OutAt(u, n.TailPort(n.Reverse(in)))
	if from == model.NoChannel || back == model.NoChannel {
		return 0, false
	}
	return p.old.HopVC(a.Reverse(back), from, k), true
}

// eachTurn calls visit for each channel into switch u and each channel out of it.
func eachTurn(n *model.Network, u model.SwitchID, visit func(in, out model.ChannelID)) {
	for _, out := range n.Out(u) {
		for _, back := range n.Out(u) {
			visit(n.Reverse(back), out)
		}
	}
}
