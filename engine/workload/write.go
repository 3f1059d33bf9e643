package workload

import (
	"bufio"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
)

// WriteMessages writes a line of CSV for each message that has arrived, in the order of the
// operations. hosts is the mapping of the run. Times are clocks since the beginning.
func WriteMessages(w io.Writer, g *Graph, r *Result, hosts []model.HostID) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "source,destination,tag,bytes,source_host,destination_host,packets,flits,started,first,left,arrived,received,latency,send,receive")
	for i := range r.Messages {
		m := &r.Messages[i]
		o, received := &g.Ops[m.Send], ""
		if m.Receive != NoOp {
			received = g.At(m.Receive)
		}
		fmt.Fprintf(out, "%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%q,%q\n", o.Rank, o.Peer, o.Tag, o.Amount, hosts[o.Rank], hosts[o.Peer],
			m.Packets, m.Flits, m.Started, m.First, m.Left, m.Arrived, m.Received, m.Latency(), g.At(m.Send), received)
	}
	return out.Flush()
}
