package mend

import (
	"fmt"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
)

// TableOf returns a relation as a table: the next hop of each switch for each destination. It fails if packets at a switch have several next
// hops, if these depend on where the packets come from, or if the relation has virtual channels or classes. A switch that
// packets reach over no channel has no entry.
//
// Cost: O(channels × destinations).
func TableOf(r model.Relation) (*model.Table, error) {
	n := r.Network()
	if n.VCs() > 1 || r.Classes() > 1 {
		return nil, fmt.Errorf("it has %s and %s of packets; want one of each", wording.Count(n.VCs(), "virtual channel", "s"),
			wording.Count(r.Classes(), "class", "es"))
	}
	dests := make([]model.Destination, r.Destinations())
	for d := range dests {
		dests[d] = model.Destination{Host: r.DestinationHost(model.DestID(d)), LID: model.LIDOf(r, model.DestID(d))}
	}
	t := model.NewTable(n, dests)
	var hops []model.Hop
	for d := range model.DestID(len(dests)) {
		seen := make([]bool, n.NumSwitches())
		for c := range model.ChannelID(n.NumChannels()) {
			if n.Kind(c) == model.Eject || n.Kind(c) == model.Inject && !model.Sends(r, n.HostOf(c), d) {
				continue
			}
			u, port := n.Head(c), NoPort
			hops = r.Next(model.State{VC: n.VC(c, 0), Dest: d}, hops[:0])
			if len(hops) > 1 {
				return nil, fmt.Errorf("packets to %s have %d next hops at %s; want one", n.HostLabel(dests[d].Host), len(hops), n.SwitchLabel(u))
			}
			if len(hops) == 1 {
				out, _ := n.Channel(hops[0].VC)
				port = n.TailPort(out)
			}
			before, stated := t.Port(u, d)
			if !stated {
				before = NoPort
			}
			if seen[u] && before != port {
				return nil, fmt.Errorf("the next hop of packets to %s at %s depends on where they come from", n.HostLabel(dests[d].Host), n.SwitchLabel(u))
			}
			if seen[u] = true; port != NoPort {
				t.SetPort(u, d, port)
			}
		}
	}
	return t, nil
}
