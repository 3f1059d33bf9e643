package vlan

import "github.com/turnproof/turnproof/model"

// This file routes flooded frames: broadcasts, and frames to an address that a switch does not
// know.
//
// A flooded frame is copied to every link of the tree, including links that lead to no member.
// Each copy waits for the next buffers. The dependencies of the frame are therefore those of
// paths from its source to every switch of the tree.
//
// Source: C. Guo, H. Wu, Z. Deng, G. Soni, J. Ye, J. Padhye and M. Lipshteyn, RDMA over
// commodity Ethernet at scale, SIGCOMM 2016, section 4.2: flooding of lossless frames closed a
// cycle that the routing did not have. Class: the index of the VLAN in the set.

type flooding struct {
	*Set
	net   *model.Network // with one additional host per switch, the destinations of flooded frames
	sends [][]model.Class
}

// Flooding returns the relation of flooded frames. In each VLAN in which it sends, a host sends
// to an additional host at every switch of the tree. Static entries are ignored. The network of
// the relation has the same links. Flooding fails if a switch has no free port for the
// additional host.
func (s *Set) Flooding() (model.Relation, error) {
	n := s.net
	b := model.NewBuilder()
	for u := range model.SwitchID(n.NumSwitches()) {
		w := *n.Switch(u)
		w.Ports = 0
		b.AddSwitch(w)
	}
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		b.AddLink(k.A, k.APort, k.B, k.BPort)
	}
	for h := range model.HostID(n.NumHosts()) {
		b.AddHost(*n.Host(h))
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		port := model.Port(1)
		for n.OutAt(u, port) != model.NoChannel {
			port++
		}
		b.AddHost(model.Host{Name: "all hosts at " + n.SwitchName(u), Switch: u, Port: port})
	}
	b.SetVCs(n.VCs())
	net, err := b.Build()
	if err != nil {
		return nil, err
	}
	f := &flooding{Set: s, net: net}
	for h := range model.HostID(n.NumHosts()) {
		f.sends = append(f.sends, nil)
		in := make([]bool, s.Len())
		for d := range model.HostID(n.NumHosts()) {
			if k := s.Use(h, d); k != None && !in[k] {
				in[k] = true
				f.sends[h] = append(f.sends[h], model.Class(k))
			}
		}
	}
	return f, nil
}

// Network implements model.Relation.
func (f *flooding) Network() *model.Network { return f.net }

// Classes implements model.Relation.
func (f *flooding) Classes() int { return max(1, f.Len()) }

// Sources implements model.Relation.
func (f *flooding) Sources() int { return len(f.sends) }

// Destinations implements model.Relation. The destinations are the switches.
func (f *flooding) Destinations() int { return f.net.NumSwitches() }

// DestinationHost implements model.Relation.
func (f *flooding) DestinationHost(d model.DestID) model.HostID {
	return model.HostID(len(f.sends) + int(d))
}

// Inject implements model.Relation.
func (f *flooding) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	for _, k := range f.sends[h] {
		if t := f.tree[k]; t.root[f.net.Host(h).Switch] == t.root[d] {
			buf = append(buf, k)
		}
	}
	return buf
}

// Next implements model.Relation.
func (f *flooding) Next(s model.State, buf []model.Hop) []model.Hop {
	in, _ := f.net.Channel(s.VC)
	switch u := f.net.Head(in); u {
	case model.NoSwitch:
		return buf
	case model.SwitchID(s.Dest):
		return append(buf, model.Hop{VC: f.net.VC(f.net.EjectChannel(f.DestinationHost(s.Dest)), 0), Class: s.Class})
	default:
		out := f.tree[s.Class].next(f.net, u, model.SwitchID(s.Dest))
		return append(buf, model.Hop{VC: f.net.VC(out, f.vc[s.Class]), Class: s.Class})
	}
}
