package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"turnproof/model"
	"turnproof/model/format"
	"turnproof/model/route"
	"turnproof/model/topo"
)

// This file answers for BookSim 2 configurations: the network and the routing
// that one names.

// readBookSim reads the configuration at in.name. Its routing function is the
// routing, unless --routing says otherwise.
func (in *input) readBookSim(c *cli.Context, o format.Options) error {
	b, notes, err := format.ReadBookSimConfig(in.name, o)
	if err != nil {
		return err
	}
	in.notes = append(in.notes, notes...)
	if in.net = b.Network; b.Spec != "" {
		if in.net, err = topo.Parse(b.Spec); err != nil {
			return err
		}
	}
	if c.String("routing") != "" {
		return nil
	}
	in.routing = b.Routing + " (" + b.Why + ")"
	if b.Table != nil {
		in.rel = b.Table
	} else if in.rel, err = bookSimRelation(b, in.net); err != nil {
		return err
	}
	in.net = in.rel.Network()
	return nil
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
