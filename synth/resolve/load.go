package resolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband/folder"
	"github.com/turnproof/turnproof/model/topo"
)

// Load reads the network and the routing that q names.
func Load(ctx context.Context, q Request) (*Subject, error) {
	s := &Subject{Fabric: Fabric{Name: q.Network}, reading: reading{asked: q, found: &format.Findings{}}}
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
	if s.folder = format.FolderOf(q.Network); s.folder != nil {
		return nil
	}
	f, err := folder.Read(q.Network, q.Routing)
	if err != nil {
		return err
	}
	from := &s.From
	s.Notes, from.Network, from.Multicast, s.far.folder = append(s.Notes, f.Notes...), f.Network, f.Multicast, f
	s.Warnings = append(s.Warnings, f.Warnings...)
	from.Routing = cmp.Or(from.Routing, f.Adaptive, f.Tables)
	from.SL, from.SL2VL = cmp.Or(from.SL, f.Levels), cmp.Or(from.SL2VL, f.SL2VL)
	return nil
}

func (s *Subject) read(ctx context.Context) (err error) {
	q := &s.asked
	s.format = format.Options{IsLMCKnown: q.LMC != nil, Findings: s.found, Hosts: q.Hosts, Settings: q.Settings, Premise: s.take}
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
	if err := s.compareNetworks(); err != nil {
		return err
	}
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
	case s.folder != nil:
		if err := s.asked.notForFolders(s.folder.Name); err != nil {
			return err
		}
		return s.readRouted(s.folder.Read)
	case IsRouted(s.From.Network):
		return s.readRouted(format.ReadRouted)
	}
	for name := range s.asked.Settings {
		return fmt.Errorf("--%s says something of a file that states its routing, and %s is none", name, s.From.Network)
	}
	if s.Net != nil {
		return nil
	}
	n, notes, err := Network(s.From.Network, s.format)
	s.Net, s.Notes = n, append(s.Notes, notes...)
	return err
}

// notForFolders returns an error if the request says something that has no meaning for a folder that states its routing. name is that of
// the folder's format.
func (q *Request) notForFolders(name string) error {
	for _, flag := range []struct {
		name  string
		given bool
	}{{"sl", q.SL != ""}, {"sl2vl", q.SL2VL != ""}, {"lmc", q.LMC != nil}, {"management", q.Management != ""}, {"multicast", q.Multicast != ""},
		{"hosts", q.Hosts != ""}, {"paths", q.Paths != "" && q.Routing == ""}} {
		if flag.given {
			return fmt.Errorf("--%s does not apply to %s, a folder of dumps of %s", flag.name, q.Network, name)
		}
	}
	for _, flag := range slices.Sorted(maps.Keys(q.Settings)) {
		return fmt.Errorf("--%s does not apply to %s, a folder of dumps of %s", flag, q.Network, name)
	}
	return nil
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
	var further []string
	if f := s.far.folder; f != nil && f.Levels != "" && s.asked.SL == "" {
		further = f.OtherLevels
	}
	if s.asked.SL == "" {
		s.doubtLeft(model.PremiseLevels)
	}
	if s.From.SL2VL == "" {
		s.doubtLeft(model.PremiseSL2VL)
	}
	err := s.readLevels(t, further)
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
