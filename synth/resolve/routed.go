package resolve

import (
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/topo"
)

// This file reads network files that also state their routing.

// IsRouted reports whether word is a network file that states its routing, in a format of format.ReadRouted.
func IsRouted(word string) bool { return !topo.IsSpec(word) && format.IsRouted(word) }

// readRouted reads the file that s.From names. Its routing is the routing, and the pairs that it names are those that talk,
// unless the request names another routing.
func (s *Subject) readRouted() error {
	r, err := format.ReadRouted(s.From.Network, s.format)
	if err != nil {
		return err
	}
	s.Net = r.Network
	s.Notes = append(s.Notes, r.Notes...)
	if s.From.Routing != "" {
		return nil
	}
	s.Warnings = append(s.Warnings, r.Warnings...)
	if r.Unrouted != nil {
		return r.Unrouted
	}
	s.Rel, s.Routing, s.talking = r.Relation, r.Routing, r.Flows
	return nil
}
