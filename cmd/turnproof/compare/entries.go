package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file lists the entries that differ, if the routings are no tables of an InfiniBand fabric.

// hopsJSON is an entry whose next hops differ.
type hopsJSON struct {
	Switch      string   `json:"switch"`
	Destination string   `json:"destination"`
	ArrivesOn   string   `json:"arrives_on"` // empty for any channel
	Old         []string `json:"old_next_hops"`
	New         []string `json:"new_next_hops"`
}

// addRelations adds the difference between two relations. If no change between them is known, it adds nothing but the reason.
func (x *compareJSON) addRelations(s *states.Pair) {
	c, ok := s.Any.(*relations.Change)
	if !ok {
		x.entriesOpen = x.TransitionWhy
		return
	}
	x.Entries = s.Entries
	x.Pairs, x.ChangedWays = c.Pairs()
	n := c.Network()
	x.vcs = n.VCs()
	names := func(list []model.VCID) []string {
		out := []string{}
		for _, v := range list {
			out = append(out, wording.Channel(n, v))
		}
		return out
	}
	for d := range model.DestID(c.NumDestinations()) {
		for u := range model.SwitchID(n.NumSwitches()) {
			if !c.Differs(d, u) {
				continue
			}
			x.changed++
			for _, row := range c.Rows(d, u) {
				e := hopsJSON{n.SwitchLabel(u), n.HostLabel(c.Relation().DestinationHost(d)), "", names(row.Old), names(row.New)}
				if row.In != model.NoVC {
					e.ArrivesOn = wording.Channel(n, row.In)
				}
				x.ChangedHops = append(x.ChangedHops, e)
			}
		}
	}
}

// printHops prints how many entries differ, and the first ones.
func printHops(w io.Writer, x *compareJSON) {
	if x.entriesOpen != "" {
		fmt.Fprintf(w, "Entries were not compared: %s.\n", x.entriesOpen)
		return
	}
	fmt.Fprintf(w, "%s of %s differ.\n", wording.Thousands(int64(x.changed)), wording.Count(x.Entries, "entr", "ies", "y"))
	if len(x.CablesGone)+len(x.CablesNew) > 0 {
		fmt.Fprintf(w, "  (in the new network: old next hops whose cable is gone are left out)\n")
	}
	for i, e := range x.ChangedHops {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(x.ChangedHops)-i, "line", "s"))
			break
		}
		in := ""
		if e.ArrivesOn != "" {
			in = ", arriving on " + x.hopsText([]string{e.ArrivesOn})
		}
		fmt.Fprintf(w, "  %s, to %s%s: %s; was %s\n", e.Switch, e.Destination, in, x.hopsText(e.New), x.hopsText(e.Old))
	}
}

// hopsText joins next hops. VCs of one channel are listed together, and left out if the network has one.
func (x *compareJSON) hopsText(list []string) string {
	var channels []string
	for _, name := range list {
		channel, vc, _ := strings.Cut(name, ", VC ")
		last := len(channels) - 1
		switch {
		case x.vcs == 1:
			channels = append(channels, channel)
		case last >= 0 && strings.HasPrefix(channels[last], channel+" VC "):
			channels[last] += "," + vc
		default:
			channels = append(channels, channel+" VC "+vc)
		}
	}
	if len(channels) == 0 {
		return "no next hop"
	}
	return strings.Join(channels, " or ")
}
