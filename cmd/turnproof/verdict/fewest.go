package verdict

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/protocols"
)

// This file prints which classes of a protocol can share virtual networks.

// FewestJSON is the result of --fewest-networks.
type FewestJSON struct {
	Separate  string      `json:"separate"`     // the verdict if no class shares a network
	Pairs     [][2]string `json:"cannot_share"` // pairs of classes
	Networks  int         `json:"networks"`     // 0 if none were found
	Classes   [][]string  `json:"classes"`      // by network of one such choice
	Tried     int         `json:"tried"`
	Undecided int         `json:"undecided"` // choices of fewer networks
}

// NewFewestJSON returns s in the form of the schema.
func NewFewestJSON(p *model.Protocol, s *protocols.Sharing) *FewestJSON {
	j := &FewestJSON{Separate: string(s.Separate), Pairs: [][2]string{}, Networks: s.Fewest, Classes: [][]string{}, Tried: s.Tried, Undecided: s.Undecided}
	for _, pair := range s.Pairs {
		j.Pairs = append(j.Pairs, [2]string{p.Names[pair[0]], p.Names[pair[1]]})
	}
	for v := range s.Fewest {
		var names []string
		for c, network := range s.Networks {
			if network == v && len(p.Rules[c].To) > 0 {
				names = append(names, p.Names[c])
			}
		}
		j.Classes = append(j.Classes, names)
	}
	return j
}

// PrintFewest prints j.
func PrintFewest(w io.Writer, j *FewestJSON) {
	switch {
	case j.Networks == 0 && j.Separate == string(verify.Refuted):
		fmt.Fprintf(w, "\nFewest virtual networks: none are enough; the messages can block each other even if each class has its own.\n")
		return
	case j.Networks == 0:
		fmt.Fprintf(w, "\nFewest virtual networks: undecided.\n")
		return
	}
	var parts []string
	for _, names := range j.Classes {
		parts = append(parts, strings.Join(names, "+"))
	}
	fmt.Fprintf(w, "\nFewest virtual networks: %d, as in %s (%s decided).\n", j.Networks, strings.Join(parts, ","), wording.Count(j.Tried, "choice", "s"))
	if j.Undecided > 0 {
		fmt.Fprintf(w, "  Fewer may be enough: %s undecided.\n", wording.Count(j.Undecided, "choice", "s are", " is"))
	}
	for _, pair := range j.Pairs {
		fmt.Fprintf(w, "  %s and %s cannot share a network\n", pair[0], pair[1])
	}
}
