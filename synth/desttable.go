package synth

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// SeveralHops is returned by DestinationTable for a relation with two next hops at a switch to one host.
type SeveralHops struct {
	Switch, Host  string
	First, Second model.Port
}

func (e *SeveralHops) Error() string {
	return fmt.Sprintf("at switch %s packets to %s go on by port %d and by port %d", e.Switch, e.Host, e.First, e.Second)
}

// DestinationTable returns the forwarding table of a relation in which the next hop depends on the destination alone.
// The network must have one VC. The path to a switch is the path to its first host. left counts switches without hosts,
// which have no entries for their own LIDs.
func DestinationTable(ctx context.Context, r model.Relation) (table *model.Table, left int, err error) {
	n := r.Network()
	t := model.NewTable(n, model.AllAddresses(n))
	answers := make([][]model.DestID, n.NumEndpoints())
	for d := range model.DestID(t.AllDestinations()) {
		h := t.DestinationHost(d)
		answers[h] = append(answers[h], d)
	}
	set := func(h model.HostID, u model.SwitchID, p model.Port) {
		for _, d := range answers[h] {
			t.SetPort(u, d, p)
		}
	}
	management := map[model.SwitchID]model.HostID{}
	for h := n.NumHosts(); h < n.NumEndpoints(); h++ {
		management[n.Host(model.HostID(h)).Switch] = model.HostID(h)
	}
	err = cdg.EachSpace(ctx, r, model.NoHost, func(d model.DestID, space *cdg.Space) error {
		h := r.DestinationHost(d)
		port0, managed := management[n.Host(h).Switch]
		delete(management, n.Host(h).Switch) // the first host of a switch leads to it
		seen := map[model.SwitchID]model.ChannelID{}
		for i, at := range space.States {
			hops, _ := space.HopsOf(i)
			entered, _ := n.Channel(at.VC)
			u := n.Head(entered)
			for _, hop := range hops {
				c, _ := n.Channel(hop.VC)
				if old, ok := seen[u]; ok && old != c {
					return &SeveralHops{n.SwitchName(u), n.HostLabel(h), n.TailPort(old), n.TailPort(c)}
				}
				seen[u] = c
				set(h, u, n.TailPort(c))
				if managed && u != n.Host(h).Switch {
					set(port0, u, n.TailPort(c))
				}
			}
		}
		if managed {
			set(port0, n.Host(h).Switch, 0)
		}
		// A host sends to itself through its switch.
		set(h, n.Host(h).Switch, n.Host(h).Port)
		return nil
	})
	return t, len(management), err
}
