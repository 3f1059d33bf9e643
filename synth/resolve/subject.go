package resolve

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/booksim"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file reads a network and its routing, with the premises of verdicts about them.

// Subject is a network and, if one was named, its routing.
type Subject struct {
	Fabric
	Routes
	Stated
	reading
}

// Fabric is the network of a subject.
type Fabric struct {
	Name    string // for headings
	Net     *model.Network
	Whole   *model.Network    // as it was read, with its own number of VCs
	Booksim *booksim.Config   // the configuration that the network was read from, or nil
	Routed  *format.RoutedRun // what the network's file states about its routers, or nil
}

// Routes is the routing of a subject. It is empty if no routing was named.
type Routes struct {
	Rel     model.Relation
	Routing string         // the word that named the routing
	Table   *model.Table   // Rel, if its file held forwarding tables and no flows restrict them, or nil
	Vlans   *vlan.Set      // the VLANs of Rel, or nil
	Flows   []model.Flow   // the pairs that talk, if the request restricts them; Rel is restricted to them
	Allowed *model.TurnSet // the turn set that Rel was made of, or nil
	Source  any            // what Rel was made of, or nil; see methods.Of and programs.Of
}

// Stated is what the input says beside network and routing, and what was read.
type Stated struct {
	From     Sources
	Files    []model.Input // the files that were read, with their sums, if Request.Sums is set
	Notes    []string      // what readers ignored or assumed
	Warnings []string      // notes that could change a verdict
	Premises []model.Premise
	// Switching is the discipline that the input names, or "". SwitchingFrom is the place.
	Switching     model.Switching
	SwitchingFrom string
}

// reading is what this package knows while it reads.
type reading struct {
	asked    Request
	folder   *format.FolderFormat // of a folder that states its routing, or nil
	waiting  model.Waiting        // that the network's file or folder implies, or ""
	talking  []model.Flow         // the pairs that talk by the network's file, if it states the routing, or nil
	far      adaptive
	protocol *model.Protocol // of messages that share buffers by the network's file, or nil
	doubts   []model.Doubt
	stated   facts.Facts      // that a configuration states
	format   format.Options   // with which files are read
	found    *format.Findings // in all files of a fabric
	network  format.Findings  // in the file of the network alone
	kind     format.Kind      // that the network's file or folder states, or ""
	whole    *model.Table     // the Table that flows restrict, or nil
}

// route takes the routing that a word names.
func (s *Subject) route(ctx context.Context, word, paths string, o format.Options) error {
	s.Routing = word
	r, err := Routing(ctx, word, paths, s.Net, o)
	if err != nil {
		return err
	}
	s.Rel, s.Table, s.Vlans, s.Allowed, s.Source, s.far.table = r.Relation, r.Table, r.VLANs, r.Allowed, r.Source, r.Adaptive
	s.Notes, s.Warnings = append(s.Notes, r.Notes...), append(s.Warnings, r.Warnings...)
	if r.Table == nil && r.Adaptive == nil && r.Turns == nil {
		s.Net = s.Rel.Network()
	}
	return nil
}

// Reroute returns a subject of the same network with the routing that a word names. paths chooses
// among the paths of a turn set, see Routing.
func (s *Subject) Reroute(ctx context.Context, word, paths string, o format.Options) (*Subject, error) {
	other := &Subject{Fabric: Fabric{Name: s.Name, Net: s.Net, Whole: s.Whole}, Stated: Stated{From: s.From}}
	return other, other.route(ctx, word, paths, o)
}

// TurnSet returns the turn set with one VC per channel that the routing keeps to, nil if there is
// none.
func (s *Subject) TurnSet() *model.TurnSet {
	if s.Allowed != nil {
		return s.Allowed
	}
	if r, ok := s.Rel.(model.Restricted); ok && r.Turns().Network().VCs() == 1 {
		return r.Turns()
	}
	return nil
}

// Tables returns the forwarding tables of the routing's file, of all pairs, or nil.
func (s *Subject) Tables() *model.Table { return cmp.Or(s.Table, s.whole) }

// Kind says what the network is: by its file, by its GUIDs, or by VLANs.
func (s *Subject) Kind() format.Kind {
	switch {
	case s.kind != "":
		return s.kind
	case s.Net.IsInfiniBand():
		return format.InfiniBand
	case s.Vlans != nil:
		return format.Ethernet
	}
	return format.OnChip
}

// Date returns when the network was read, as its file states it, or "".
func (s *Subject) Date() string { return s.network.Date }

// RoutingName returns the name of the routing for a title: of a file, the base name.
func (s *Subject) RoutingName() string {
	if IsRoutingName(s.Routing) {
		return s.Routing
	}
	return filepath.Base(s.Routing)
}

// Host returns the host that a word names, or the endpoint inside a switch (see names.Index.Endpoint).
func (s *Subject) Host(word string) (model.HostID, error) { return names.New(s.Net).Endpoint(word) }

// LeftOut returns the LIDs for which the tables have entries and that belong to no endpoint of the network. Their entries are left out.
func (s *Subject) LeftOut() []uint16 {
	if s.found == nil {
		return nil
	}
	return s.found.GoneLIDs
}

// Warn adds a warning, and returns a subject that has it alone, for printing.
func (s *Subject) Warn(text string) *Subject {
	s.Warnings = append(s.Warnings, text)
	return &Subject{Stated: Stated{Warnings: []string{text}}}
}

// Remarks lists the warnings and notes, each with its kind.
func (s *Subject) Remarks() (list []string) {
	for _, text := range s.Warnings {
		list = append(list, "Warning: "+text)
	}
	for _, text := range s.Notes {
		list = append(list, "Note: "+text)
	}
	return list
}
