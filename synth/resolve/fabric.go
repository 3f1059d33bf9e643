package resolve

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file compares the topologies of a folder.

// compareNetworks warns if another topology of the folder differs from the one that is judged, or cannot be read. It fails if that one has lines
// of another dump, which would not be judged.
func (s *Subject) compareNetworks() error {
	f := s.far.folder
	if f == nil || s.From.Network != f.Network {
		return nil
	}
	o := s.format
	o.Premise = nil
	var managers []manager
	for _, file := range f.OtherNetworks {
		o.Findings = &format.Findings{}
		judged, name := filepath.Base(f.Network), filepath.Base(file)
		other, _, err := format.ReadNetwork(file, o)
		if line := infiniband.LineOfTables(file); err != nil && line > 0 {
			return &textfile.Error{File: file, Line: line, Msg: "a line of another dump in a topology; want one kind of dump in a file"}
		}
		if err != nil {
			reason := err.Error()
			var e *textfile.Error
			if errors.As(err, &e) {
				reason = e.Msg
			}
			s.Warnings = append(s.Warnings, fmt.Sprintf("%s is checked; cannot read %s: %s", judged, name, reason))
			managers = append(managers, manager{name, o.Findings.SubnetManager, "cannot be read"})
			continue
		}
		if d := compare.DiffNetworks(other, s.Net); !d.Same() {
			s.Warnings = append(s.Warnings, fmt.Sprintf("%s is checked; %s has %s: one of the files is older than a change of the fabric", judged,
				name, differenceWords(d)))
			managers = append(managers, manager{name, o.Findings.SubnetManager, "is of another state of the fabric"})
		} else {
			managers = append(managers, manager{name, o.Findings.SubnetManager, ""})
		}
	}
	s.findManager(managers)
	return nil
}

// manager is what a further topology says about the port of OpenSM.
type manager struct {
	file  string
	guid  uint64 // 0 if it does not name the port
	fault string // why the file does not count, or ""
}

// findManager takes the port of OpenSM from further topologies, if the judged one does not name it. If they name different ports, or only one that
// does not count names a port, it is not certain.
func (s *Subject) findManager(list []manager) {
	found := s.found
	for _, m := range list {
		if m.guid != 0 && m.fault == "" && found.SubnetManager == 0 {
			found.SubnetManager, found.ManagerFile = m.guid, m.file
		}
	}
	for _, m := range list {
		switch {
		case m.guid == 0 || m.guid == found.SubnetManager:
		case found.SubnetManager != 0:
			found.ManagerDoubt = fmt.Sprintf("%s names 0x%016x, and %s names 0x%016x", found.ManagerFile, found.SubnetManager, m.file, m.guid)
		default:
			found.ManagerDoubt = fmt.Sprintf("%s names 0x%016x, and %s", m.file, m.guid, m.fault)
		}
	}
	if left := s.far.folder.LeftTopology(); left != "" && found.SubnetManager == 0 && found.ManagerDoubt == "" {
		found.ManagerDoubt = left + " is what a collection left, and may name it"
	}
}

// doubtLeft adds a doubt about a premise if a collection left only the rest of a file about it.
func (s *Subject) doubtLeft(premise string) {
	if s.far.folder == nil {
		return
	}
	if d, ok := s.far.folder.LeftDoubt(premise); ok {
		s.doubt(d)
	}
}

// differenceWords lists what another topology has more and fewer of than the judged one.
func differenceWords(d *compare.NetworkDiff) string {
	var words []string
	add := func(word, plural, more string, names []string) {
		if len(names) > 0 {
			words = append(words, fmt.Sprintf("%s %s (%s)", wording.Count(len(names), word, plural), more, names[0]))
		}
	}
	add("switch", "es", "more", d.SwitchesGone)
	add("switch", "es", "fewer", d.SwitchesNew)
	add("host", "s", "more", d.HostsGone)
	add("host", "s", "fewer", d.HostsNew)
	add("cable", "s", "more", d.CablesGone)
	add("cable", "s", "fewer", d.CablesNew)
	return strings.Join(words, ", ")
}
