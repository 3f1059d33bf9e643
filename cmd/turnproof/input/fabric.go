package input

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/view/wording"
)

// This file passes on what the files of an InfiniBand fabric tell besides its
// network and its tables.

// tell passes the findings on to the result.
func (in *Input) tell() {
	in.Warnings = append(in.Warnings, in.Found.Warnings...)
	in.Premises = append(in.Premises, in.Found.Premises...)
	in.doubts = append(in.doubts, in.Found.Doubts...)
}

// compareNetworks warns if another topology of the folder differs from the one that is judged.
func (in *Input) compareNetworks(o format.Options) {
	f := in.far.folder
	if f == nil || in.From.Network != f.Network {
		return
	}
	o.Findings, o.Premise = &format.Findings{}, nil
	for _, file := range f.OtherNetworks {
		judged, name := filepath.Base(f.Network), filepath.Base(file)
		other, _, err := format.ReadNetwork(file, o)
		if err != nil {
			reason := err.Error()
			var e *format.Error
			if errors.As(err, &e) {
				reason = e.Msg
			}
			in.Warnings = append(in.Warnings, fmt.Sprintf("%s is checked; cannot read %s: %s", judged, name, reason))
			continue
		}
		if d := compare.DiffNetworks(other, in.Net); !d.Same() {
			in.Warnings = append(in.Warnings, fmt.Sprintf("%s is checked; %s has %s: one of the files is older than a change of the fabric", judged, name, differenceWords(d)))
		}
	}
}

// differenceWords says what a topology has more and fewer of than the one that is judged.
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

// lostManagement refuses --management if a tool dropped the LID of a switch.
func (in *Input) lostManagement(c *cli.Context) error {
	asked := !slices.Contains([]string{"", "none", "false"}, c.String(ManagementFlagName))
	if lost := in.Found.LostManagement; asked && len(lost) > 0 {
		return fmt.Errorf("%s has no entry for LID %d, which is a switch's in %s: dump_fts omits the last LID of a range if this LID is a multiple of 64; without --management only packets between hosts are checked", in.From.Routing, lost[0], in.From.Network)
	}
	return nil
}
