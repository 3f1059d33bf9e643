package resolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/booksim"
	"github.com/turnproof/turnproof/model/format/infiniband/folder"
	"github.com/turnproof/turnproof/model/format/infiniband/levels"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file reads a network and its routing, with the premises of verdicts about them.

// Request names a network and a routing, and states premises of verdicts about them. Its words
// are those of the flags of the command check, and errors name these flags. Empty fields have the
// default of the flag.
type Request struct {
	Network   string // a spec, a file, a folder of dumps, or a configuration of BookSim 2
	Routing   string // see Routing
	SL, SL2VL string // files of service levels and of SL-to-VL tables
	Paths     string // one of PathWords, for turn sets
	Hosts     string // which nodes of a DOT, GraphML or edge list network are hosts
	LMC       *uint  // of hosts whose file does not contain it; 0 to 7

	Management string // one of ManagementWords
	Multicast  string // a file of multicast tables, or "none"
	Flows      string // a file of the pairs that talk, or SOURCE:DESTINATION[,...]
	Switching  string // a value of model.Switching
	Waiting    string // a value of model.Waiting
	Assume     string // names of premises, separated by commas, that are accepted under Strict
	Strict     bool
	Gated      bool            // hops are gated, which implies cut-through
	Flow       model.Switching // the discipline that flow control implies, or ""
	TakesFlow  bool            // the caller uses the flow control that the network's file states
	Sizes      Sizes           // of packets and buffers

	NeedsRouting bool // fail if nothing names a routing
	Sums         bool // compute the SHA-256 of each file that is read
	// Prepare, if not nil, replaces the network before its routing is read.
	Prepare func(*model.Network) (*model.Network, error)
	// Like, if not nil, is a subject of the same network, which is then not read again.
	Like *Subject
}

// Sources are the words or files that network and routing come from.
type Sources struct{ Network, Routing, SL, SL2VL, Multicast, Flows string }

// Files lists the sources that are named.
func (s Sources) Files() []string {
	return slices.DeleteFunc([]string{s.Network, s.Routing, s.SL, s.SL2VL, s.Multicast, s.Flows}, func(file string) bool { return file == "" })
}

// Subject is a network and, if one was named, its routing.
type Subject struct {
	Name  string // of the network, for headings
	Net   *model.Network
	Whole *model.Network // as it was read, with its own number of VCs
	Rel   model.Relation // nil if no routing was named

	Booksim *booksim.Config   // the configuration that the network was read from, or nil
	Routed  *format.RoutedRun // what the network's file states about its routers, or nil
	Routing string            // the word that named the routing
	Table   *model.Table      // Rel, if its file held forwarding tables and no flows restrict them, or nil
	Vlans   *vlan.Set         // the VLANs of Rel, or nil
	Flows   []model.Flow      // the pairs that talk, if the request restricts them; Rel is restricted to them
	Allowed *model.TurnSet    // the turn set that Rel was made of, or nil
	Source  any               // what Rel was made of, or nil; see methods.Of and programs.Of
	From    Sources

	Files    []model.Input // the files that were read, with their sums, if Request.Sums is set
	Notes    []string      // what readers ignored or assumed
	Warnings []string      // notes that could change a verdict
	Premises []model.Premise
	// Switching is the discipline that the input names, or "". SwitchingFrom is the place.
	Switching     model.Switching
	SwitchingFrom string

	asked    Request
	talking  []model.Flow // the pairs that talk by the network's file, if it states the routing, or nil
	far      adaptive
	protocol *model.Protocol // of messages that share buffers by the network's file, or nil
	doubts   []model.Doubt
	stated   facts.Facts      // that a configuration states
	format   format.Options   // with which files are read
	found    *format.Findings // in all files of a fabric
	network  format.Findings  // in the file of the network alone
}

// Load reads the network and the routing that q names.
func Load(ctx context.Context, q Request) (*Subject, error) {
	s := &Subject{Name: q.Network, asked: q, found: &format.Findings{}}
	if q.LMC != nil && *q.LMC > 7 {
		return nil, fmt.Errorf("--lmc %d: want 0 to 7", *q.LMC)
	}
	if err := s.find(); err != nil {
		return nil, err
	}
	if q.Like != nil {
		network := q.Like.network
		s.Net, s.found = q.Like.Whole, &network
	}
	return s, s.read(ctx)
}

// find sets the sources. Those of a folder are the dumps in it, unless the request names others.
func (s *Subject) find() error {
	q := &s.asked
	s.From = Sources{q.Network, q.Routing, q.SL, q.SL2VL, "", ""}
	if st, err := os.Stat(q.Network); topo.IsSpec(q.Network) || err != nil || !st.IsDir() {
		return nil
	}
	f, err := folder.Read(q.Network, q.Routing)
	if err != nil {
		return err
	}
	from := &s.From
	s.Notes, from.Network, from.Multicast, s.far.folder = append(s.Notes, f.Notes...), f.Network, f.Multicast, f
	from.Routing = cmp.Or(from.Routing, f.Adaptive, f.Tables)
	from.SL, from.SL2VL = cmp.Or(from.SL, f.Levels), cmp.Or(from.SL2VL, f.SL2VL)
	return nil
}

func (s *Subject) read(ctx context.Context) (err error) {
	q := &s.asked
	s.format = format.Options{IsLMCKnown: q.LMC != nil, Findings: s.found, Hosts: q.Hosts, Premise: s.take}
	if q.LMC != nil {
		s.format.LMC = uint8(*q.LMC)
	}
	if q.Sums {
		s.format.Sums = func(path, sum string) {
			s.Files = append(s.Files, model.Input{Name: filepath.Base(path), SHA256: sum})
		}
	}
	if err := s.readNetwork(); err != nil {
		return err
	}
	if q.Prepare != nil && s.Rel == nil {
		if s.Net, err = q.Prepare(s.Net); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	s.network = *s.found
	s.compareNetworks()
	if q.Hosts != "" && !s.states(model.PremiseHosts) {
		return fmt.Errorf("--hosts applies to networks from DOT, GraphML and edge lists, not to %s", s.From.Network)
	}
	s.Whole = s.Net
	if err := s.readFlow(); err != nil {
		return err
	}
	if err = s.readRouting(ctx); err == nil {
		err = s.readFlows()
	}
	if err == nil {
		err = s.checkSizes()
	}
	s.Warnings = append(s.Warnings, s.found.Warnings...)
	s.Premises = append(s.Premises, s.found.Premises...)
	s.doubts = append(s.doubts, s.found.Doubts...)
	return err
}

// readNetwork reads the network, and the routing of a file that states one.
func (s *Subject) readNetwork() error {
	switch {
	case IsBookSim(s.From.Network):
		return s.readBookSim()
	case IsRouted(s.From.Network):
		return s.readRouted()
	}
	if s.Net != nil {
		return nil
	}
	n, notes, err := Network(s.From.Network, s.format)
	s.Net, s.Notes = n, append(s.Notes, notes...)
	return err
}

func (s *Subject) readRouting(ctx context.Context) error {
	word, q := s.From.Routing, &s.asked
	switch {
	case word == "" && s.Rel != nil:
		return nil // the network's file named it
	case word == "" && q.NeedsRouting:
		return errors.New("--routing FILE|NAME is missing: want forwarding tables (opensm-lfts.dump, dump_lfts, ibroute or .fdbs), " +
			"a turn set or the name of a routing (\"turnproof routings\" lists them)")
	case word == "" && (s.From.SL != "" || s.From.SL2VL != "" || q.Paths != ""):
		return errors.New("--sl, --sl2vl and --paths need --routing")
	case word == "":
		return nil
	case s.Net.NumHosts() == 0:
		return errors.New(s.found.NoHosts())
	}
	if err := s.route(ctx, word, q.Paths, s.format); err != nil {
		return err
	}
	t := s.Table
	if s.far.table != nil {
		t = s.far.table.Table
	}
	if t != nil {
		return s.completeTable(t)
	}
	for _, flag := range []struct {
		name  string
		given bool
	}{{"sl", q.SL != ""}, {"sl2vl", q.SL2VL != ""}, {"lmc", q.LMC != nil}, {"management", q.Management != ""}} {
		if flag.given {
			return fmt.Errorf("--%s applies to forwarding tables from a file, not to --routing %s", flag.name, word)
		}
	}
	return nil
}

// completeTable adds service levels and management traffic to table t, compares it with the other
// tables of a folder, and makes it the routing.
func (s *Subject) completeTable(t *model.Table) error {
	err := levels.Read(s.From.SL, s.From.SL2VL, t, s.format)
	if err == nil {
		err = s.compareOther(t)
	}
	if err == nil {
		err = s.lostManagement()
	}
	if err != nil {
		return err
	}
	if t, err = s.withManagement(t); err != nil {
		return err
	}
	s.Rel, s.Net = s.adaptively(t), t.Network()
	s.Whole = s.Net.WithVCs(s.Whole.VCs()) // the tables may tell the LMC
	return nil
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
	other := &Subject{Name: s.Name, Net: s.Net, Whole: s.Whole, From: s.From}
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

// RoutingName returns the name of the routing for a title: of a file, the base name.
func (s *Subject) RoutingName() string {
	if IsRoutingName(s.Routing) {
		return s.Routing
	}
	return filepath.Base(s.Routing)
}

// Host returns the host that a word names, or the endpoint inside a switch (see names.Index.Endpoint).
func (s *Subject) Host(word string) (model.HostID, error) { return names.New(s.Net).Endpoint(word) }

// Warn adds a warning, and returns a subject that has it alone, for printing.
func (s *Subject) Warn(text string) *Subject {
	s.Warnings = append(s.Warnings, text)
	return &Subject{Warnings: []string{text}}
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
