package input

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// This file passes on what the files of an InfiniBand fabric tell besides its
// network and its tables.

// tell passes the findings on to the result.
func (in *Input) tell() {
	in.Warnings = append(in.Warnings, in.Found.Warnings...)
	in.Premises = append(in.Premises, in.Found.Premises...)
	in.doubts = append(in.doubts, in.Found.Doubts...)
}

// lostManagement refuses --management if a tool dropped the LID of a switch.
func (in *Input) lostManagement(c *cli.Context) error {
	asked := !slices.Contains([]string{"", "none", "false"}, c.String(ManagementFlagName))
	if lost := in.Found.LostManagement; asked && len(lost) > 0 {
		return fmt.Errorf("%s has no entry for LID %d, which is a switch's in %s: dump_fts leaves out the last LID of a range if it is a multiple of 64; without --management the hosts alone are judged", in.From.Routing, lost[0], in.From.Network)
	}
	return nil
}
