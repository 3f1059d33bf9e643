package resolve

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/format/booksim"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// This file reads the network and the routing that a configuration of BookSim 2 names.

// readBookSim reads the configuration that s.From names. Its routing function is the routing, unless
// the request names another one.
func (s *Subject) readBookSim() error {
	routing := s.From.Routing
	b, notes, err := booksim.Read(s.From.Network, s.format)
	if err != nil {
		return err
	}
	s.Booksim = b
	s.Notes, s.Warnings = append(s.Notes, notes...), append(s.Warnings, b.Warnings...)
	if s.Net = b.Network; b.Spec != "" {
		if s.Net, err = topo.Parse(b.Spec); err != nil {
			return err
		}
	}
	s.bookSimPremises()
	if routing != "" && routing != b.Routing {
		return nil
	}
	if b.Unrouted != nil {
		return b.Unrouted
	}
	s.From.Routing, s.Routing = "", b.Routing+" ("+b.Why+")"
	switch {
	case b.Table != nil:
		s.Rel = b.Table
	case b.Made != nil:
		s.Rel = b.Made
	default:
		if s.Rel, err = bookSimRelation(b, s.Net); err != nil {
			return err
		}
	}
	s.Net = s.Rel.Network()
	return nil
}

// bookSimPremises adds the switching discipline and the sizes of packets and buffers that the
// configuration states.
func (s *Subject) bookSimPremises() {
	b := s.Booksim
	s.Switching = model.Wormhole
	if b.Run.WholePackets() {
		s.Switching = model.CutThrough
	}
	keys := []string{"packet_size", "vc_buf_size", "wait_for_tail_credit"}
	s.stated = facts.Facts{Packet: b.Run.Longest(), Mixed: b.Run.IsMixed(), Buffer: b.Run.Buffer, Reuse: facts.WhenUnused, Words: b.Run.Sizes()}
	switch {
	case b.Run.Atomic:
		s.stated.Reuse = facts.WhenEmpty
	case b.Run.NotFull:
		s.stated.Reuse = facts.WhenNotFull
		keys = append(keys, "vc_busy_when_full")
	}
	s.SwitchingFrom = b.Source(keys...)
	s.stated.Source = s.SwitchingFrom
	if b.Run.Replies != nil {
		s.Premise(model.PremiseMessages, "requests that cause replies; hosts consume all messages", b.Source("use_read_write"))
	}
}

// bookSimRelation returns the relation of the configuration. If the VCs are divided into layers,
// each layer has a relation of its own.
func bookSimRelation(b *booksim.Config, n *model.Network) (model.Relation, error) {
	o := route.Options{VCRule: b.VCRule, KeepFirst: b.KeepFirst}
	if r := b.Run.Replies; r != nil {
		var parts []model.VirtualNetwork
		for i := range r.First {
			part, err := route.New(b.Relation, n.WithVCs(r.Last[i]-r.First[i]+1), o)
			if err != nil {
				return nil, fmt.Errorf("VCs %d to %d of use_read_write: %w", r.First[i], r.Last[i], err)
			}
			parts = append(parts, model.VirtualNetwork{Relation: part, First: r.First[i]})
		}
		return model.NewVirtualNetworks(n, parts)
	}
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

// SpreadBookSim lets packets use all VCs of the file, for a simulation. The routing table of an
// anynet network itself has one VC, which suffices for the proof.
func (s *Subject) SpreadBookSim() {
	if b := s.Booksim; b != nil && b.Table != nil && s.Rel == b.Table {
		s.Rel = route.AnyVC(b.Table, b.VCs)
		s.Net = s.Rel.Network()
	}
}

// BookSimWord returns the name of the relation of the configuration, or "" if the request names a
// routing.
func (s *Subject) BookSimWord() string {
	if s.Booksim == nil || s.From.Routing != "" {
		return ""
	}
	return s.Booksim.Relation
}

// BookSimSelection returns how a simulation of the configuration chooses among next hops, or "" if the configuration does not say.
func (s *Subject) BookSimSelection() string {
	if s.Booksim == nil || s.From.Routing != "" {
		return ""
	}
	return s.Booksim.Selection
}

// IsBookSim reports whether path is a configuration of BookSim 2.
func IsBookSim(path string) bool { return !topo.IsSpec(path) && booksim.IsConfig(path) }

// BookSimName returns the name of the routing that BookSim 2 calls routing on this network. On a
// torus its dor chooses VCs by another rule.
func BookSimName(network, routing string) string {
	if routing != "dor" || !strings.HasPrefix(network, "torus:") {
		return routing
	}
	if n, err := topo.Parse(network); err != nil || n.VCs() < 2 {
		return routing // the reader reports what is wrong; with one VC there are no classes
	}
	return "dor-booksim"
}
