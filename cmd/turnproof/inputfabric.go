package main

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// This file passes on what the files of an InfiniBand fabric tell besides its
// network and its tables.

// tell passes the findings on to the result.
func (in *input) tell() {
	in.warnings = append(in.warnings, in.found.Warnings...)
	in.premises = append(in.premises, in.found.Premises...)
	in.doubts = append(in.doubts, in.found.Doubts...)
}

// lostManagement refuses --management if a tool dropped the LID of a switch.
func (in *input) lostManagement(c *cli.Context) error {
	asked := !slices.Contains([]string{"", "none", "false"}, c.String(managementFlagName))
	if lost := in.found.LostManagement; asked && len(lost) > 0 {
		return fmt.Errorf("%s has no entry for LID %d, which is a switch's in %s: dump_fts leaves out the last LID of a range if it is a multiple of 64; without --management the hosts alone are judged", in.from.routing, lost[0], in.from.network)
	}
	return nil
}
