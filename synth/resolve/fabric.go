package resolve

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file compares the topologies of a folder.

// compareNetworks warns if another topology of the folder differs from the one that is judged.
func (s *Subject) compareNetworks() {
	f := s.far.folder
	if f == nil || s.From.Network != f.Network {
		return
	}
	o := s.format
	o.Premise = nil
	for _, file := range f.OtherNetworks {
		o.Findings = &format.Findings{}
		judged, name := filepath.Base(f.Network), filepath.Base(file)
		other, _, err := format.ReadNetwork(file, o)
		if err != nil {
			reason := err.Error()
			var e *textfile.Error
			if errors.As(err, &e) {
				reason = e.Msg
			}
			s.Warnings = append(s.Warnings, fmt.Sprintf("%s is checked; cannot read %s: %s", judged, name, reason))
			continue
		}
		if d := compare.DiffNetworks(other, s.Net); !d.Same() {
			s.Warnings = append(s.Warnings, fmt.Sprintf("%s is checked; %s has %s: one of the files is older than a change of the fabric", judged,
				name, differenceWords(d)))
		} else if s.found.SubnetManager == 0 {
			s.found.SubnetManager = o.Findings.SubnetManager
		}
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
