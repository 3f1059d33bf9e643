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

// This file writes packets that have arrived, in the order of their arrival, in a
// form that ReadTrace reads again:
//
//	# id clock source destination arrival
//	0 0 1 6 32
//
// clock is that of creation, arrival that in which the tail is at the host.

// PacketWriter writes a line for each packet that arrives.
type PacketWriter struct {
	w    *bufio.Writer
	host func(model.DestID) model.HostID
	line []byte
}

// NewPacketWriter writes the comment, which may be empty or have several lines,
// and the names of the columns. host tells whose a destination is, as
// Relation.DestinationHost does; nil: the host's of the same number.
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

// Deliver writes a packet. It fits engine.New; what goes wrong is told by Close.
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

// Close writes what is left and returns the first error of all writing. It leaves
// the writer below open.
func (p *PacketWriter) Close() error { return p.w.Flush() }
