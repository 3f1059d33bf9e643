package ethernet

import (
	"fmt"
	"math"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
)

// This file defines the options and checks them.

// Time is simulated time in picoseconds. A run may last 100 days.
type Time int64

// Units of time.
const (
	Nanosecond  Time = 1e3
	Microsecond Time = 1e6
	Millisecond Time = 1e9
	Second      Time = 1e12
)

// Seconds returns t in seconds.
func (t Time) Seconds() float64 { return float64(t) / float64(Second) }

// Control is a kind of flow control.
type Control string

// Kinds of flow control. An account is of one channel and priority. With Pause it is of one
// channel: all priorities share BufferBytes and are stopped together.
const (
	Drop  Control = "drop"  // none: frames are dropped
	Pause Control = "pause" // IEEE 802.3x: PAUSE stops one direction of a link
	PFC   Control = "pfc"   // IEEE 802.1Qbb: stops one priority of one direction
)

// Place says where a full buffer drops frames. Data sheets rarely say.
type Place string

// Values of Place.
const (
	AtIngress Place = "ingress" // an account has BufferBytes; a frame that does not fit is dropped when received
	AtEgress  Place = "egress"  // the queue of a channel and priority has BufferBytes: tail drop
)

// Options are the options of a run. A field of 0 has its default. To get no delay, jitter or
// warm-up at all, set the field to a negative value (ClockPPM, Propagation, Latency, Reaction,
// Jitter, Warmup).
type Options struct {
	LinkRate     int64   // bit/s of every link; default 1e9
	ClockPPM     float64 // the clock of each channel deviates by up to this many millionths; default 100
	PayloadBytes int     // of a frame; default 1470, iperf's UDP datagram
	HeaderBytes  int     // headers of a frame; default 46: UDP 8, IP 20, Ethernet 18. Short frames are padded to 64
	Tagged       bool    // adds 4 bytes on every link

	Propagation Time // of a cable; default 50 ns, 10 m
	Latency     Time // of a switch, from last bit received to queued; default 1 µs

	Control     Control // default Drop
	DropAt      Place   // default AtIngress, the only one with Pause and PFC
	BufferBytes int     // of an account or queue; default 65536. Preamble and gap take no memory
	XoffBytes   int     // XOFF if an account exceeds this; default BufferBytes - Headroom
	XonBytes    int     // XON when the account has shrunk to this; default XoffBytes/2
	Reaction    Time    // time from the receipt of a PAUSE until no new frame begins; default 1024 bit times

	Servers  int  // hosts behind each host of the network: its links are as many times faster; default 1
	Watchdog Time // with PFC: drop the frames of a priority that was stopped without a break for this time; 0: never
	Restore  Time // and no more when it has been released for this time; default Watchdog

	QueueFrames int     // queue of a host's NIC; default 86, the paper's 128 KB
	Jitter      float64 // intervals between frames are (1 ± Jitter) × average; default 0.1
	Seed        uint64

	Warmup    Time // time before the measurement; default 10 ms
	Window    Time // time of the measurement; default 100 ms
	GoOn      bool // continue after a freeze has been found
	ScanEvery Time // minimum time between two searches for a freeze; default 16 frame times
}

const (
	gapBytes     = 20 // preamble 8, gap 12
	minFrame     = 64
	controlBytes = minFrame + gapBytes
	priorities   = 8
)

// settled returns o with its defaults filled in, or an error.
func settled(o Options) (Options, error) {
	defaultTo(&o.LinkRate, 1e9)
	defaultTo(&o.ClockPPM, 100)
	defaultTo(&o.PayloadBytes, 1470)
	defaultTo(&o.HeaderBytes, 46)
	defaultTo(&o.Propagation, 50*Nanosecond)
	defaultTo(&o.Latency, Microsecond)
	defaultTo(&o.Control, Drop)
	defaultTo(&o.DropAt, AtIngress)
	defaultTo(&o.BufferBytes, 1<<16)
	defaultTo(&o.QueueFrames, 86)
	defaultTo(&o.Servers, 1)
	defaultTo(&o.Restore, o.Watchdog)
	defaultTo(&o.Jitter, 0.1)
	defaultTo(&o.Warmup, 10*Millisecond)
	defaultTo(&o.Window, 100*Millisecond)
	if err := ranges(o); err != nil {
		return o, err
	}
	defaultTo(&o.Reaction, duration(1024/8, o.LinkRate))
	o.Propagation, o.Latency = max(o.Propagation, 0), max(o.Latency, 0)
	o.Reaction, o.Warmup = max(o.Reaction, 0), max(o.Warmup, 0)
	o.Jitter, o.ClockPPM = max(o.Jitter, 0), max(o.ClockPPM, 0)
	defaultTo(&o.ScanEvery, 16*sizesOf(o).frame)
	return thresholds(o)
}

func defaultTo[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// ranges fails for single values out of range.
func ranges(o Options) error {
	controls, places := []string{string(Drop), string(Pause), string(PFC)}, []string{string(AtIngress), string(AtEgress)}
	switch {
	case o.LinkRate < 1e3 || o.LinkRate > 1e12:
		return fmt.Errorf("ethernet: link rate %d bit/s, allowed are 1e3 to 1e12", o.LinkRate)
	case o.ClockPPM > 1e5 || math.IsNaN(o.ClockPPM):
		return fmt.Errorf("ethernet: clocks off by %v millionths, allowed are 0 to 1e5", o.ClockPPM)
	case o.PayloadBytes < 1 || o.PayloadBytes > 65000:
		return fmt.Errorf("ethernet: payload of %d bytes, allowed are 1 to 65000", o.PayloadBytes)
	case o.HeaderBytes < 0 || o.HeaderBytes > 1000:
		return fmt.Errorf("ethernet: %d bytes of headers, allowed are 1 to 1000", o.HeaderBytes)
	case o.Control != Drop && o.Control != Pause && o.Control != PFC:
		return fmt.Errorf("ethernet: no flow control %q, known are %q%s", o.Control, controls, spelling.Suggest(string(o.Control), controls))
	case o.DropAt != AtIngress && o.DropAt != AtEgress:
		return fmt.Errorf("ethernet: no place %q to drop at, known are %q%s", o.DropAt, places, spelling.Suggest(string(o.DropAt), places))
	case o.DropAt == AtEgress && o.Control != Drop:
		return fmt.Errorf("ethernet: drops at egress with flow control %q, whose thresholds are those of ingress; only with %q", o.Control, Drop)
	case o.Servers < 1 || o.Servers > 1000 || int64(o.Servers)*o.LinkRate > 1e13:
		return fmt.Errorf("ethernet: %d servers behind a host, allowed are 1 to 1000, and 1e13 bit/s in all", o.Servers)
	case o.Watchdog < 0 || o.Restore < 0 || o.Watchdog > 0 && o.Control != PFC:
		return fmt.Errorf("ethernet: a watchdog with flow control %q; want %q, and times above 0", o.Control, PFC)
	case o.QueueFrames < 1 || o.QueueFrames > 1<<20:
		return fmt.Errorf("ethernet: NIC queue of %d frames, allowed are 1 to %d", o.QueueFrames, 1<<20)
	case o.Jitter > 1 || math.IsNaN(o.Jitter):
		return fmt.Errorf("ethernet: jitter %v, allowed are 0 to 1", o.Jitter)
	case o.Window < 0 || o.ScanEvery < 0:
		return fmt.Errorf("ethernet: window of %d ps, search every %d ps, both must be above 0", o.Window, o.ScanEvery)
	case max(o.Propagation, o.Latency, o.Reaction, o.ScanEvery, o.Watchdog, o.Restore) > Second || max(o.Warmup, o.Window) > 1e6*Second:
		return fmt.Errorf("ethernet: delays are up to a second, warm-up and window up to 1e6")
	}
	return nil
}

// thresholds fills in XoffBytes and XonBytes, and fails if they cannot work.
func thresholds(o Options) (Options, error) {
	stored := sizesOf(o).stored
	if o.BufferBytes < stored || o.BufferBytes > 1<<30 {
		return o, fmt.Errorf("ethernet: buffer of %d bytes, allowed are %d (a frame) to %d", o.BufferBytes, stored, 1<<30)
	}
	if o.Control == Drop {
		if o.XoffBytes != 0 || o.XonBytes != 0 {
			return o, fmt.Errorf("ethernet: thresholds for XOFF and XON with flow control %q", Drop)
		}
		return o, nil
	}
	if room := headroom(o); o.XoffBytes == 0 {
		if o.XoffBytes = o.BufferBytes - room; o.XoffBytes < stored {
			return o, fmt.Errorf("ethernet: buffer of %d bytes, of which %d are headroom: no room for a frame below XOFF", o.BufferBytes, room)
		}
	}
	defaultTo(&o.XonBytes, o.XoffBytes/2)
	if o.XonBytes < 0 || o.XonBytes >= o.XoffBytes || o.XoffBytes > o.BufferBytes {
		return o, fmt.Errorf("ethernet: XON at %d bytes, XOFF at %d, buffer of %d: they must ascend, XOFF up to the buffer",
			o.XonBytes, o.XoffBytes, o.BufferBytes)
	}
	return o, nil
}

// checkNetwork fails for networks that Ethernet cannot have.
func checkNetwork(n *model.Network) error {
	if n.VCs() > priorities {
		return fmt.Errorf("ethernet: %d VCs, Ethernet has %d priorities (in folders with config_db.json, frames that may be dropped have further VCs, "+
			"which are not simulated)", n.VCs(), priorities)
	}
	return nil
}
