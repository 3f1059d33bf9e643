package format

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
)

// This file reads network files that also state their routing, and often the pairs that talk.

// Routed is a network and the routing that its file states.
type Routed struct {
	Network  *model.Network
	Relation model.Relation // nil if Unrouted is not nil
	Routing  string         // the name of the routing, for headings
	// Flows are the pairs of hosts that talk. If nil, all pairs talk.
	Flows []model.Flow
	// Protocol are the classes of messages that share buffers, or nil if none do.
	Protocol *model.Protocol
	// Premises are facts that the file states, and Doubts its evidence against assumptions.
	Premises []model.Premise
	Doubts   []model.Doubt
	// Run are the sizes that the file states, or nil.
	Run *RoutedRun
	// Unrouted gives the reason if turnproof does not know the routing, or is nil.
	Unrouted        error
	Notes, Warnings []string
}

// RoutedRun is what a file states about the routers besides their routes.
type RoutedRun struct {
	Packet, Buffer int      // flits of the longest packet, and of the buffer of a VC; 0: unknown
	Atomic         bool     // a VC takes a new packet only when it is empty
	Lengths        bool     // all packets have this length, as far as the file says
	Routers        string   // the source of the switching discipline
	Source         string   // that of the sizes
	Ignored        []string // keys that change a simulation and that turnproof does not simulate, with their values
}

// routedFormat is a format of network files that state their routing.
type routedFormat struct {
	name string
	is   func(head []byte) bool // recognises a file by its first kilobytes
	read func(*lines) (*Routed, error)
}

// routedFormats is the table of these formats. The first that recognises a file reads it.
var routedFormats = []routedFormat{
	{"floogen", isFloo, readFloo},
	{"gem5", isGarnet, readGarnet},
}

// routedBy returns the format that recognises a file, or nil.
func routedBy(src *lines) *routedFormat {
	head, _ := src.r.Peek(lineSize)
	for i, f := range routedFormats {
		if f.is(head) {
			return &routedFormats[i]
		}
	}
	return nil
}

// IsRouted reports whether the file at path is a network that states its routing. It returns false for standard
// input, which it does not read, and for files that cannot be read. Configurations of BookSim are not among them, see
// IsBookSimConfig.
func IsRouted(path string) bool {
	if path == "-" {
		return false
	}
	src, err := open(path, Options{})
	if err != nil {
		return false
	}
	defer src.close()
	return routedBy(src) != nil
}

// ReadRouted reads a file for which IsRouted is true.
func ReadRouted(path string, o Options) (*Routed, error) {
	src, err := open(path, o)
	if err != nil {
		return nil, err
	}
	defer src.close()
	f := routedBy(src)
	if f == nil {
		return nil, src.wholef("is no network that states its routing")
	}
	return f.read(src)
}

// readWhole returns the text of a file of at most limit bytes. what names the file in an error.
func readWhole(src *lines, limit int, what string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(src.r, int64(limit)+1))
	if err != nil {
		return nil, &Error{File: src.name, Msg: "cannot be read: " + err.Error(), Err: err}
	}
	if len(text) > limit {
		return nil, src.wholef("%s of more than %d bytes", what, limit)
	}
	src.err = io.EOF
	return text, src.end()
}

// at returns an error with a line.
func (l *lines) at(line int, format string, a ...any) error {
	return &Error{File: l.name, Line: line, Msg: fmt.Sprintf(format, a...)}
}
