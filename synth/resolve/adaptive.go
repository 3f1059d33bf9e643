package resolve

import (
	"fmt"
	"path/filepath"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file passes on what a fabric's files say about adaptive routing.

// adaptive is what is known about adaptive routing.
type adaptive struct {
	table  *model.AdaptiveTable // the routing, or nil
	folder *format.Folder       // the folder that was read, or nil
}

// adaptively returns the routing of table t: the adaptive one, if its groups were read. Files that
// speak against a routing by linear tables become a doubt.
func (s *Subject) adaptively(t *model.Table) model.Relation {
	if s.far.table != nil {
		s.far.table = s.far.table.WithTable(t)
		s.doubtPartialDrop()
		return s.far.table
	}
	if f := s.far.folder; f != nil && s.From.Routing != f.Adaptive {
		if d, ok := f.AdaptiveDoubt(); ok {
			s.doubt(d)
			s.Premise(model.PremiseAdaptive, "unknown: the file is not read", f.AdaptiveUnread[0])
		}
	}
	return t
}

// doubtPartialDrop doubts that pairs are connected if a group has a port by which packets are
// dropped and another by which they are not: which of them a switch takes is not known. The
// other claims hold either way, since a packet that is dropped holds nothing.
func (s *Subject) doubtPartialDrop() {
	t := s.far.table
	from, out, k, ok := t.PartialDrop()
	if !ok {
		return
	}
	n := t.Network()
	s.doubt(model.Doubt{Premise: model.PremiseAdaptive, Against: model.AgainstProof,
		Claims: []string{cert.ClaimConnected},
		Reason: fmt.Sprintf("switch %s drops packets of service level %d that come by port %s and leave by port %s, one port of a group; whether it chooses this port is not known",
			n.SwitchName(n.Tail(out)), k, n.PortLabel(n.Tail(out), n.HeadPort(from)), n.PortLabel(n.Tail(out), n.TailPort(out))),
		Next: "map the service level to a data VL at this port, or remove the port from the group"})
}

// compareOther compares the tables of a folder with the other tables in it: linear ones with
// those of another format, adaptive ones with the linear ones.
func (s *Subject) compareOther(t *model.Table) error {
	f := s.far.folder
	if f != nil && f.Tables != "" && s.From.Routing == f.Tables {
		for _, file := range f.OtherTables {
			if err := format.CompareTables(file, t, f.Tables, s.format); err != nil {
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
	return format.CompareLinear(f.Tables, t, s.far.table, f.Adaptive, s.format)
}

// adaptiveWaiting adds the source of the premise on waiting. If no hash chooses a port, packets
// wait for any port of a group.
func (s *Subject) adaptiveWaiting() model.Waiting {
	s.Premise(model.PremiseWaiting, "", fileWord(s.From.Routing))
	if !s.far.table.HasCommits() {
		return model.WaitAny
	}
	return ""
}

// leavesMulticast reports whether the multicast tables m of a file are left out, since hashed
// entries are not judged together with them. The proof is then in doubt.
func (s *Subject) leavesMulticast(m *model.Multicast, file string) bool {
	if s.far.table == nil || !s.far.table.HasCommits() || len(m.Groups) == 0 {
		return false
	}
	s.Premise(model.PremiseMulticast, "present but not checked", filepath.Base(file))
	s.doubt(model.Doubt{Premise: model.PremiseMulticast, Against: model.AgainstProof,
		Reason: "multicast tables are not checked together with entries that hash (HBF)", Next: "omit them with --multicast none"})
	return true
}
