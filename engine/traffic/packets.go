package traffic

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/names"
)

// This file writes packets that have arrived, in the order of arrival, in a form that ReadTrace
// reads:
//
//	# id clock source destination arrival
//	0 0 1 6 32
//
// Hosts are numbers, or names where a number is no position (see package names).
//
// clock is the clock of creation, arrival that in which the tail reaches the host.

// PacketWriter writes a line for each packet that arrives.
type PacketWriter struct {
	w    *bufio.Writer
	host func(model.DestID) model.HostID
	name []string // by host; nil if hosts are numbers
	line []byte
}

// NewPacketWriter writes the comment, which may be empty or have several lines, and the names of
// the columns. n is the network of the hosts; if nil, hosts are numbers. host returns the host of a destination, as
// Relation.DestinationHost does. If nil, a destination is the host of the same number.
func NewPacketWriter(w io.Writer, comment string, n *model.Network, host func(model.DestID) model.HostID) *PacketWriter {
	p := &PacketWriter{w: bufio.NewWriter(w), host: host}
	if n != nil {
		if x := names.New(n); !x.HasPositions() {
			for h := range model.HostID(n.NumHosts()) {
				p.name = append(p.name, names.Quote(x.HostName(h), names.Blanks))
			}
		}
	}
	if comment != "" {
		for line := range strings.SplitSeq(comment, "\n") {
			fmt.Fprintf(p.w, "# %s\n", line)
		}
	}
	fmt.Fprintln(p.w, "# id clock source destination arrival")
	return p
}

// Deliver writes a packet. Pass it to engine.New. Close returns its errors.
func (p *PacketWriter) Deliver(d engine.Delivery) {
	to := model.HostID(d.Dest)
	if p.host != nil {
		to = p.host(d.Dest)
	}
	p.line = append(strconv.AppendInt(p.line[:0], d.ID, 10), ' ')
	p.line = append(strconv.AppendInt(p.line, int64(d.Created), 10), ' ')
	p.appendHost(d.Source)
	p.appendHost(to)
	p.line = append(strconv.AppendInt(p.line, int64(d.Arrived), 10), '\n')
	p.w.Write(p.line)
}

// appendHost appends a host and a blank to the line.
func (p *PacketWriter) appendHost(h model.HostID) {
	if int(h) < len(p.name) {
		p.line = append(p.line, p.name[h]...)
	} else {
		p.line = strconv.AppendInt(p.line, int64(h), 10)
	}
	p.line = append(p.line, ' ')
}

// Close writes the buffered text and returns the first error of all writing. It does not close the
// underlying writer.
func (p *PacketWriter) Close() error { return p.w.Flush() }
