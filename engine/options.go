package engine

import (
	"fmt"

	"turnproof/model"
)

// Clock counts clocks from 0.
type Clock int64

// PacketID numbers the packets of a run in the order in which they were offered.
type PacketID int32

// Packet is a packet that a host is to send.
type Packet struct {
	Created Clock
	Source  model.HostID
	Dest    model.DestID
	Flits   int
	ID      int64 // the caller's
}

// Source creates packets. It is asked for the next packet of a host when the one
// before has left the host; the packets of a host come in the order of their creation.
type Source interface {
	Next(h model.HostID) (p Packet, ok bool)
}

// Delivery is a packet that has arrived: its head left the source in clock
// Injected, its tail was at the host in clock Arrived.
type Delivery struct {
	Packet
	Injected, Arrived Clock
}

// Options of a simulation. The zero value is the default.
type Options struct {
	// BufferFlits is how many flits fit into the buffer of a VC. 0: 8.
	BufferFlits int
}

const maxBuffer = 1 << 14

func (o *Options) check() error {
	if o.BufferFlits == 0 {
		o.BufferFlits = 8
	}
	if o.BufferFlits < 1 || o.BufferFlits > maxBuffer {
		return fmt.Errorf("engine: a buffer of %d flits, allowed are 1 to %d", o.BufferFlits, maxBuffer)
	}
	return nil
}
