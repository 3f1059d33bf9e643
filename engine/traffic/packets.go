package traffic

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file writes packets that have arrived, in the order of arrival, in a form that ReadTrace
// reads:
//
//	# id clock source destination arrival
//	0 0 1 6 32
//
// clock is the clock of creation, arrival that in which the tail reaches the host.

// PacketWriter writes a line for each packet that arrives.
type PacketWriter struct {
	w    *bufio.Writer
	host func(model.DestID) model.HostID
	line []byte
}

// NewPacketWriter writes the comment, which may be empty or have several lines, and the names of
// the columns. host returns the host of a destination, as Relation.DestinationHost does. If nil, a
// destination is the host of the same number.
func NewPacketWriter(w io.Writer, comment string, host func(model.DestID) model.HostID) *PacketWriter {
	p := &PacketWriter{w: bufio.NewWriter(w), host: host}
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
	p.line = p.line[:0]
	for i, v := range [...]int64{d.ID, int64(d.Created), int64(d.Source), int64(to), int64(d.Arrived)} {
		if i > 0 {
			p.line = append(p.line, ' ')
		}
		p.line = strconv.AppendInt(p.line, v, 10)
	}
	p.w.Write(append(p.line, '\n'))
}

// Close writes the buffered text and returns the first error of all writing. It does not close the
// underlying writer.
func (p *PacketWriter) Close() error { return p.w.Flush() }
