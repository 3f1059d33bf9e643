package traffic

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file reads packets from a file, compressed or not:
//
//	# id clock source destination; further columns are ignored
//	0 0 1 6
//	1 0 4 25
//
// The packets may be in any order. Those of a host are sent by ascending clock, those of one clock
// in the order of the file. Deliveries carry the IDs, which need not be distinct.
//
// Memory: 24 bytes for each packet.

// TraceOptions complete the data of the file.
type TraceOptions struct {
	// Flits is the length of the packets. Defaults to 1.
	Flits int
	// FlitsColumn is the column, 5 or more, counted from 1, that gives the length of each packet.
	// If 0, Flits does.
	FlitsColumn int
	Dests       []model.DestID // as in Options
}

// Trace is a source of packets from a file.
type Trace struct {
	host    [][]traced // by source, by ascending clock
	next    []int      // by source
	dests   []model.DestID
	packets int
	last    engine.Clock
}

type traced struct {
	created engine.Clock
	id      int64
	dest    model.HostID
	flits   int32
}

// ReadTrace reads a trace of packets between n's hosts. Errors in the file are *FileError with the
// line.
func ReadTrace(path string, n *model.Network, o TraceOptions) (*Trace, error) {
	return newTrace(n, o, func(f func(*lines) error) error { return readFile(path, n, f) })
}

func parseTrace(name string, r io.Reader, n *model.Network, o TraceOptions) (*Trace, error) {
	return newTrace(n, o, func(f func(*lines) error) error { return readLines(name, r, n, f) })
}

func newTrace(n *model.Network, o TraceOptions, each func(func(*lines) error) error) (*Trace, error) {
	if o.Flits == 0 {
		o.Flits = 1
	}
	switch {
	case o.Flits < 1 || o.Flits > math.MaxInt32:
		return nil, fmt.Errorf("traffic: packets of %d flits, at least 1 is needed", o.Flits)
	case o.FlitsColumn != 0 && o.FlitsColumn < 5:
		return nil, fmt.Errorf("traffic: lengths in column %d of a trace, the first 4 are id, clock, source, destination", o.FlitsColumn)
	}
	if err := checkDests(o.Dests, n.NumHosts()); err != nil {
		return nil, err
	}
	t := &Trace{host: make([][]traced, n.NumHosts()), next: make([]int, n.NumHosts()), dests: o.Dests, last: -1}
	if err := each(func(l *lines) error { return t.line(l, o) }); err != nil {
		return nil, err
	}
	for _, list := range t.host {
		slices.SortStableFunc(list, func(a, b traced) int { return cmp.Compare(a.created, b.created) })
	}
	return t, nil
}

func (t *Trace) line(l *lines, o TraceOptions) error {
	if k := len(l.columns); k < max(4, o.FlitsColumn) {
		what := "id, clock, source and destination were expected"
		if k >= 4 {
			what = fmt.Sprintf("the length was expected in column %d", o.FlitsColumn)
		}
		return l.errorf("%d columns, %s", k, what)
	}
	id, err := l.number(0, "id", math.MinInt64, math.MaxInt64)
	if err != nil {
		return err
	}
	created, err := l.number(1, "clock", 0, int64(never))
	if err != nil {
		return err
	}
	source, err := l.host(2, "source")
	if err != nil {
		return err
	}
	to, err := l.host(3, "destination")
	if err != nil {
		return err
	}
	flits := int64(o.Flits)
	if o.FlitsColumn > 0 {
		if flits, err = l.number(o.FlitsColumn-1, "length", 1, math.MaxInt32); err != nil {
			return err
		}
	}
	t.host[source] = append(t.host[source], traced{engine.Clock(created), id, to, int32(flits)})
	t.packets++
	t.last = max(t.last, engine.Clock(created))
	return nil
}

// Packets returns the number of packets.
func (t *Trace) Packets() int { return t.packets }

// Last returns the clock in which the last packet is created, or -1 if there is none.
func (t *Trace) Last() engine.Clock { return t.last }

// MaxFlits returns the length of the longest packet, or 0 if there is none.
func (t *Trace) MaxFlits() (most int) {
	for _, list := range t.host {
		for _, p := range list {
			most = max(most, int(p.flits))
		}
	}
	return most
}

// Separate implements engine.Separate.
func (t *Trace) Separate() bool { return true }

// Next implements engine.Source.
func (t *Trace) Next(h model.HostID) (engine.Packet, bool) {
	i := t.next[h]
	if i == len(t.host[h]) {
		return engine.Packet{}, false
	}
	t.next[h]++
	p := t.host[h][i]
	return engine.Packet{Created: p.created, Source: h, Dest: dest(t.dests, p.dest), Flits: int(p.flits), ID: p.id}, true
}
