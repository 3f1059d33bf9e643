package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file reads which packets to and from the ports of switches themselves a verdict includes.

// ManagementWords returns the values of Request.Management.
func ManagementWords() []string { return []string{"none", "hosts", "all"} }

// ParseManagement reads one of ManagementWords.
func ParseManagement(word string) (model.Management, error) {
	switch word {
	case "none", "false": // --management was once a flag without a word
		return model.NoManagement, nil
	case "hosts":
		return model.HostManagement, nil
	case "all", "true":
		return model.AllManagement, nil
	}
	return model.NoManagement, fmt.Errorf("--management %s, known are %s", word, strings.Join(ManagementWords(), ", "))
}

// withManagement returns the table with the management traffic that the request includes.
func (s *Subject) withManagement(t *model.Table) (*model.Table, error) {
	if s.asked.Management == "" {
		return t, nil
	}
	mode, err := ParseManagement(s.asked.Management)
	if err != nil {
		return nil, err
	}
	s.Premise(model.PremiseManagement, mode.Text(), "--management")
	return t.WithManagement(mode), nil
}

// lostManagement fails if management traffic is included and a tool dropped the LID of a switch.
func (s *Subject) lostManagement() error {
	asked := !slices.Contains([]string{"", "none", "false"}, s.asked.Management)
	if lost := s.found.LostManagement; asked && len(lost) > 0 {
		return fmt.Errorf("%s has no entry for LID %d, which is a switch's in %s: dump_fts omits "+
			"the last LID of a range if this LID is a multiple of 64; "+
			"without --management only packets between hosts are checked", s.From.Routing, lost[0], s.From.Network)
	}
	return nil
}
