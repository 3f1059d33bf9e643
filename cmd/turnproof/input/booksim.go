package input

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// This file answers for BookSim 2 configurations: the network and the routing
// that one names.

// ReadBookSim reads the configuration that in.from names. Its routing function is the
// routing, unless routing is the name of another one.
func (in *Input) ReadBookSim(routing string, o format.Options) error {
	b, notes, err := format.ReadBookSimConfig(in.From.Network, o)
	if err != nil {
		return err
	}
	in.Booksim = b
	in.Notes, in.Warnings = append(in.Notes, notes...), append(in.Warnings, b.Warnings...)
	if in.Net = b.Network; b.Spec != "" {
		if in.Net, err = topo.Parse(b.Spec); err != nil {
			return err
		}
	}
	in.bookSimPremises()
	if routing != "" && routing != b.Routing {
		return nil
	}
	if b.Unrouted != nil {
		return b.Unrouted
	}
	in.From.Routing, in.Routing = "", b.Routing+" ("+b.Why+")"
	if b.Table != nil {
		in.Rel = b.Table
	} else if in.Rel, err = bookSimRelation(b, in.Net); err != nil {
		return err
	}
	in.Net = in.Rel.Network()
	return nil
}

// bookSimPremises states the switching, and the packets and buffers, of the configuration.
func (in *Input) bookSimPremises() {
	b := in.Booksim
	in.Switching = model.Wormhole
	if b.Run.WholePackets() {
		in.Switching = model.CutThrough
	}
	in.SwitchingFrom = b.Source("packet_size", "vc_buf_size", "wait_for_tail_credit")
	in.sizes = &verify.Sizes{Packet: b.Run.Longest(), Buffer: b.Run.Buffer, Atomic: b.Run.Atomic, Source: in.SwitchingFrom}
	in.Premise(model.PremiseBuffers, b.Run.Sizes(), in.SwitchingFrom)
}

// bookSimRelation makes the relation, layer by layer where there are layers.
func bookSimRelation(b *format.BookSim, n *model.Network) (model.Relation, error) {
	o := route.Options{VCRule: b.VCRule, StayOnEscape: b.StayOnEscape, EscapeVCs: b.EscapeVCs}
	if b.Layers == nil {
		return route.New(b.Relation, n, o)
	}
	var layers []model.Relation
	for _, order := range b.Layers {
		o.Order = order
		layer, err := route.New(b.Relation, n.WithVCs(b.VCs/len(b.Layers)), o)
		if err != nil {
			return nil, fmt.Errorf("layer with order %v: %w", order, err)
		}
		layers = append(layers, layer)
	}
	return route.PerLayer(layers...)
}
