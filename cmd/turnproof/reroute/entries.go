package reroute

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file writes the entries of a step, if the routing is no table of an InfiniBand fabric.

// writeEntries writes the entries of parts that differ as CSV.
func writeEntries(w io.Writer, c *relations.Change, part transition.Part, parts []int32) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"switch", "destination", "arrives on", "old next hops", "new next hops"}); err != nil {
		return err
	}
	n := c.Network()
	hops := func(list []model.VCID) string {
		var names []string
		for _, v := range list {
			names = append(names, wording.Channel(n, v))
		}
		return strings.Join(names, "; ")
	}
	for d := range model.DestID(c.NumDestinations()) {
		for u := range model.SwitchID(n.NumSwitches()) {
			own := int32(d)
			if part == transition.Switch {
				own = int32(u)
			}
			if !c.Differs(d, u) || !slices.Contains(parts, own) {
				continue
			}
			for _, row := range c.Rows(d, u) {
				in := "any"
				if row.In != model.NoVC {
					in = wording.Channel(n, row.In)
				}
				to := n.HostLabel(c.Relation().DestinationHost(d))
				if err := out.Write([]string{n.SwitchLabel(u), to, in, hops(row.Old), hops(row.New)}); err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}
