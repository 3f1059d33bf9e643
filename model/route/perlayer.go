package route

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file joins relations as layers. Each layer has its own range of VCs. A packet chooses a
// layer when it enters the network and stays in it.
//
// Source: the best known use is T. Skeie, O. Lysne, I. Theiss, Layered shortest path (LASH)
// routing in irregular system area networks, IPPS 2002. Promise: layers do not depend on each
// other. The whole is deadlock-free if and only if each layer is. If Inject of a layer returns
// no class for a pair, the pair does not use the layer. Class: the classes of all layers, one
// layer after another.

type perLayer struct {
	layer []model.Relation
	net   *model.Network
	vcs   []int // by layer: its first VC; the last entry is the total
	class []model.Class
}

// PerLayer returns the relation with the given relations as layers. Its network has the sum of
// their VCs. It fails if the layers differ in network or hosts or have too many VCs in total.
func PerLayer(layers ...model.Relation) (model.Relation, error) {
	if len(layers) == 0 {
		return nil, errors.New("route: no layers")
	}
	r := &perLayer{layer: layers, vcs: []int{0}, class: []model.Class{0}}
	for i, l := range layers {
		if err := checkSameHosts(layers[0], l); err != nil {
			return nil, fmt.Errorf("route: layers 0 and %d: %w", i, err)
		}
		r.vcs = append(r.vcs, r.vcs[i]+l.Network().VCs())
		r.class = append(r.class, r.class[i]+model.Class(l.Classes()))
	}
	if top := r.vcs[len(layers)]; top > model.MaxVCs {
		return nil, fmt.Errorf("route: %d virtual channels in %d layers; want at most %d", top, len(layers), model.MaxVCs)
	}
	r.net = layers[0].Network().WithVCs(r.vcs[len(layers)])
	return r, nil
}

// checkSameHosts returns an error if a and b differ in network, sources or destinations.
func checkSameHosts(a, b model.Relation) error {
	n, m := a.Network(), b.Network()
	same := n.NumChannels() == m.NumChannels() && n.NumSwitches() == m.NumSwitches() && slices.Equal(n.Heads(), m.Heads())
	for c := model.ChannelID(0); same && int(c) < n.NumChannels(); c++ {
		same = n.TailPort(c) == m.TailPort(c)
	}
	if !same {
		return errors.New("they are on different networks")
	}
	same = a.Sources() == b.Sources() && a.Destinations() == b.Destinations()
	for d := model.DestID(0); same && int(d) < a.Destinations(); d++ {
		same = a.DestinationHost(d) == b.DestinationHost(d)
	}
	if !same {
		return errors.New("they have different sources or destinations")
	}
	return nil
}

// Network implements model.Relation.
func (r *perLayer) Network() *model.Network { return r.net }

// Classes implements model.Relation.
func (r *perLayer) Classes() int { return int(r.class[len(r.layer)]) }

// Sources implements model.Relation.
func (r *perLayer) Sources() int { return r.layer[0].Sources() }

// Destinations implements model.Relation.
func (r *perLayer) Destinations() int { return r.layer[0].Destinations() }

// DestinationHost implements model.Relation.
func (r *perLayer) DestinationHost(d model.DestID) model.HostID {
	return r.layer[0].DestinationHost(d)
}

// Inject implements model.Relation with every class of every layer.
func (r *perLayer) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	for i, l := range r.layer {
		first := len(buf)
		buf = l.Inject(h, d, buf)
		for j := first; j < len(buf); j++ {
			buf[j] += r.class[i]
		}
	}
	return buf
}

// Weights implements model.Weighted with the weights of each layer.
func (r *perLayer) Weights(h model.HostID, d model.DestID, buf []uint32) []uint32 {
	for _, l := range r.layer {
		buf = model.Weights(l, h, d, l.Inject(h, d, nil), buf)
	}
	return buf
}

// Next implements model.Relation.
func (r *perLayer) Next(s model.State, buf []model.Hop) []model.Hop {
	i := r.layerOf(s.Class)
	c, vc := r.net.Channel(s.VC)
	l := r.layer[i]
	if r.net.Kind(c) == model.SwitchToSwitch {
		vc -= r.vcs[i]
	}
	if vc < 0 || vc >= l.Network().VCs() {
		return buf // a VC of another layer; no packet is in this state
	}
	first := len(buf)
	buf = l.Next(model.State{VC: l.Network().VC(c, vc), Dest: s.Dest, Class: s.Class - r.class[i]}, buf)
	for j := first; j < len(buf); j++ {
		buf[j].VC = shiftVC(l.Network(), r.net, buf[j].VC, r.vcs[i])
		buf[j].Class += r.class[i]
	}
	return buf
}

// layerOf returns the layer that class k belongs to.
func (r *perLayer) layerOf(k model.Class) int {
	i := 0
	for r.class[i+1] <= k {
		i++
	}
	return i
}

// shiftVC maps VC v of network from to network to and adds by to the index of a link's VC. The
// index of an ejection VC does not change.
func shiftVC(from, to *model.Network, v model.VCID, by int) model.VCID {
	c, i := from.Channel(v)
	if from.Kind(c) == model.SwitchToSwitch {
		i += by
	}
	return to.VC(c, i)
}
