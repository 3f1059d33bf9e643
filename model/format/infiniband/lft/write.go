package lft

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband"
)

// This file writes forwarding tables.

// Write writes the tables as OpenSM does, in the format that its file routing engine loads
// (opensm -R file -U FILE), including entries for the LIDs of switches. The format has no classes
// and VCs.
func Write(w io.Writer, t *model.Table) error {
	n := t.Network()
	order := infiniband.DestsByLID(t)
	top := 0
	if len(order) > 0 {
		top = int(t.Destination(order[len(order)-1]).LID)
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		s := n.Switch(u)
		fmt.Fprintf(w, "Unicast lids [0-%d] of switch Lid %d guid 0x%016x ('%s'):\n", top, s.LID, infiniband.SwitchGUID(n, u), s.Name)
		for _, d := range order {
			p, ok := t.Port(u, d)
			if !ok {
				continue
			}
			to := t.Destination(d)
			kind := "Channel Adapter"
			if n.Host(to.Host).Management {
				kind = "Switch"
			}
			if infiniband.IsFurther(t, d) { // the reader finds its end by the routes, because a port GUID has one base LID
				fmt.Fprintf(w, "0x%04x %03d # further LID of '%s'\n", to.LID, p, n.Host(to.Host).Name)
				continue
			}
			fmt.Fprintf(w, "0x%04x %03d # %s portguid 0x%016x: '%s'\n", to.LID, p, kind, infiniband.PortGUIDOf(n, to.Host), n.Host(to.Host).Name)
		}
		if _, err := fmt.Fprintf(w, "%d lids dumped\n", top); err != nil {
			return err
		}
	}
	return nil
}
