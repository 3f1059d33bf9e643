package booksim

import (
	"strconv"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the requests and replies of BookSim 2 (use_read_write).
//
// Source: booksim/booksim2, src/trafficmanager.cpp (sizes, _IssuePacket), routefunc.cpp
// (InitializeRoutingMap: negative ends of ranges).

// Replies are the messages of a configuration with use_read_write: read requests, write
// requests, read replies and write replies, in this order.
type Replies struct {
	First, Last, Flits [4]int // by type: its VCs, and its length
	Writes             float64
}

// replies reads use_read_write and its keys. The load counts a pair of request and reply, so
// Lengths becomes half of the sum of all sizes, as in BookSim.
func (c *configReader) replies(b *Config) error {
	if use, err := c.number("use_read_write", 0, 1); err != nil || use == 0 {
		return err
	}
	r, sum := &Replies{}, 0
	for i, name := range []string{"read_request", "write_request", "read_reply", "write_reply"} {
		half := i / 2 * (b.VCs / 2)
		for _, x := range []struct {
			key           string
			to            *int
			low, high, at int
		}{
			{"_begin_vc", &r.First[i], -1, b.VCs - 1, half},
			{"_end_vc", &r.Last[i], -1, b.VCs - 1, max(half+b.VCs/2-1, (b.VCs-1)*(i/2))},
			{"_size", &r.Flits[i], 1, maxSize, 0},
		} {
			var err error
			if *x.to, err = c.number(name+x.key, x.low, x.high); err != nil {
				return err
			}
			if *x.to < 0 {
				*x.to = x.at
			}
		}
		if r.First[i] > r.Last[i] {
			return c.fault(name+"_end_vc", "%s_end_vc = %d is less than %s_begin_vc = %d", name, r.Last[i], name, r.First[i])
		}
		sum += r.Flits[i]
	}
	var err error
	if r.Writes, err = strconv.ParseFloat(c.value["write_fraction"], 64); err != nil || !(r.Writes >= 0 && r.Writes <= 1) {
		return c.fault("write_fraction", "write_fraction = %s, allowed are 0 to 1", textfile.Clip(c.value["write_fraction"]))
	}
	b.Run.Replies, b.Run.Lengths = r, []int{sum / 2}
	return nil
}
