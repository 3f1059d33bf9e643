package quality

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
)

// This file writes measures as text and CSV.

// Print prints the measures and the limits. It prints nothing if x is nil.
func (x *Result) Print(w io.Writer) {
	if x == nil {
		return
	}
	fmt.Fprintf(w, "\nQuality of the routing (%s between hosts; a hop is a link between switches):\n", wording.Count(x.Pairs-x.Lost, "path", "s"))
	for _, line := range x.Lines() {
		fmt.Fprintf(w, "  %s\n", line)
	}
	for _, l := range x.Limits {
		word := "WITHIN"
		if l.Exceeded {
			word = "EXCEEDED"
		}
		fmt.Fprintf(w, "%-9s %s: %s, limit %d\n", word, l.Name, l.Reason, l.Limit)
	}
}

// writeLinks writes a row for each direction of a link.
func (x *Result) writeLinks(w io.Writer) error {
	n, out := x.Network, csv.NewWriter(w)
	if err := out.Write([]string{"from", "from_port", "to", "to_port", "paths", "sources", "addresses", "permutation"}); err != nil {
		return err
	}
	for c := range model.ChannelID(len(x.Channels)) {
		u := x.Channels[c]
		err := out.Write([]string{n.SwitchLabel(n.Tail(c)), n.PortLabel(n.Tail(c), n.TailPort(c)), n.SwitchLabel(n.Head(c)),
			n.PortLabel(n.Head(c), n.HeadPort(c)), strconv.FormatInt(u.Paths, 10), strconv.Itoa(u.Sources), strconv.Itoa(u.Addresses),
			strconv.Itoa(u.Permutation)})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
