package resolve

import (
	"fmt"
	"path/filepath"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband/folder"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
)

// This file handles adaptive forwarding tables of a fabric.

// adaptive holds the adaptive tables.
type adaptive struct {
	table  *model.AdaptiveTable // the routing, or nil
	folder *folder.Files        // the folder that was read, or nil
}

// adaptively returns the adaptive routing that is based on table t, or t if no adaptive tables
// were read. If the folder has adaptive tables that were not read, it adds a doubt.
func (s *Subject) adaptively(t *model.Table) model.Relation {
	if s.far.table != nil {
		s.far.table = s.far.table.WithTable(t)
		s.doubtPartialDrop()
		return s.far.table
	}
	if f := s.far.folder; f != nil && s.From.Routing != f.Adaptive {
		s.doubtLeft(model.PremiseAdaptive)
		if d, ok := f.AdaptiveDoubt(); ok {
			s.doubt(d)
			s.Premise(model.PremiseAdaptive, "unknown: the file is not read", f.AdaptiveUnread[0])
		}
	}
	return t
}

// doubtPartialDrop adds a doubt about the claim connected if a group has one port that drops
// packets and another that does not, since the port that a switch takes is not known. The other
// claims hold in both cases: a dropped packet holds no channel.
func (s *Subject) doubtPartialDrop() {
	t := s.far.table
	from, out, k, ok := t.PartialDrop()
	if !ok {
		return
	}
	n := t.Network()
	s.doubt(model.Doubt{Premise: model.PremiseAdaptive, Against: model.AgainstProof,
		Claims: []string{model.ClaimConnected},
		Reason: fmt.Sprintf("switch %s drops packets of service level %d that come by port %s and leave by port %s, one port of a group; "+
			"whether it chooses this port is not known",
			n.SwitchName(n.Tail(out)), k, n.PortLabel(n.Tail(out), n.HeadPort(from)), n.PortLabel(n.Tail(out), n.TailPort(out))),
		Next: "map the service level to a data VL at this port, or remove the port from the group"})
}

// compareOther compares t with the other tables of the folder: linear tables with those of another
// format, adaptive tables with the linear ones.
func (s *Subject) compareOther(t *model.Table) error {
	f := s.far.folder
	if f != nil && f.Tables != "" && s.From.Routing == f.Tables {
		for _, file := range f.OtherTables {
			if err := lft.Compare(file, t, f.Tables, s.format); err != nil {
				return err
			}
		}
	}
	if f == nil || f.Adaptive == "" || s.From.Routing != f.Adaptive {
		return nil
	}
	for _, name := range f.AdaptiveUnread {
		s.Notes = append(s.Notes, name+" is not read: "+filepath.Base(f.Adaptive)+" has the tables")
	}
	if f.Tables == "" {
		return nil
	}
	return lft.CompareLinear(f.Tables, t, s.far.table, f.Adaptive, s.format)
}

// adaptiveWaiting returns what packets wait for, and adds the source of the premise. If no entry
// chooses a port by a hash, packets wait for any port of a group.
func (s *Subject) adaptiveWaiting() model.Waiting {
	s.Premise(model.PremiseWaiting, "", fileWord(s.From.Routing))
	if !s.far.table.HasCommits() {
		return model.WaitAny
	}
	return ""
}
