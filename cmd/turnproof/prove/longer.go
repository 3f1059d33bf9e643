package prove

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model/view/wording"
	"github.com/turnproof/turnproof/verify/explain"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file prints a path that refutes the claim minimal.

// longerJSON is a packet whose last hop leads no nearer to its destination.
type longerJSON struct {
	Network     string   `json:"network"`
	Source      string   `json:"source"`
	Destination string   `json:"destination"`
	Hops        []string `json:"hops"`   // the channels between switches
	Before      int      `json:"before"` // links to the destination before the last hop
	After       int      `json:"after"`
}

func newLongerJSON(w *parametric.Witness) *longerJSON {
	l := w.Longer
	n := l.Relation.Network()
	j := &longerJSON{Network: w.Network, Source: n.HostLabel(l.Packet.Source), Destination: explain.DestinationText(l.Relation, l.Packet),
		Before: l.Before, After: l.After}
	for _, at := range l.Packet.Path {
		if n.IsLinkVC(at.VC) {
			j.Hops = append(j.Hops, wording.Channel(n, at.VC))
		}
	}
	return j
}

// printLonger prints the packet.
func printLonger(w io.Writer, x *parametric.Witness) {
	l := newLongerJSON(x)
	fmt.Fprintf(w, "\nNot minimal on %s, the smallest network on which a hop leads no nearer: packet %s -> %s goes\n", l.Network, l.Source, l.Destination)
	for _, hop := range l.Hops {
		fmt.Fprintf(w, "  %s\n", hop)
	}
	fmt.Fprintf(w, "The last hop leads from distance %d to distance %d. The independent checker accepted this path.\n", l.Before, l.After)
}
