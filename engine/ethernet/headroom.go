package ethernet

// This file computes sizes: of frames, in bytes and time, and of the headroom of a buffer.

// sizes are the derived sizes of a run. All frames have one size, so buffers are counted in
// frames: more than b/stored frames exceed a threshold of b bytes.
type sizes struct {
	stored, wire   int  // bytes of a frame in memory, and on a link with preamble and gap
	frame, control Time // time of a frame and of a PAUSE on a link at its nominal rate
	buffer         int32
	xoff, xon      int32 // frames
	// hosts is the number of frames that fit at the end of the link of a host, which is faster.
	hosts     int32
	nic, tail int32 // frames of a NIC's queue, and of a switch's queue if it is limited
}

// sizesOf computes the sizes. All options that it uses, except the thresholds, must have their
// defaults filled in.
func sizesOf(o Options) sizes {
	z := sizes{stored: o.PayloadBytes + o.HeaderBytes, nic: int32(o.QueueFrames)}
	if o.Tagged {
		z.stored += 4
	}
	z.stored = max(z.stored, minFrame)
	z.wire = z.stored + gapBytes
	z.frame, z.control = duration(z.wire, o.LinkRate), duration(controlBytes, o.LinkRate)
	z.buffer, z.tail = int32(o.BufferBytes/z.stored), 1<<30
	z.xoff, z.xon = int32(o.XoffBytes/z.stored), int32(o.XonBytes/z.stored)
	z.hosts = z.buffer
	if o.Control != Drop && o.Servers > 1 {
		z.hosts += int32(o.Servers) * int32(headroom(o)/z.stored+1)
	}
	if o.DropAt == AtEgress {
		z.hosts = z.tail
		z.buffer, z.tail = z.tail, z.buffer
	}
	if o.Control == Drop {
		z.xoff = 1 << 30
	}
	return z
}

// duration returns the time that bytes take on a link of rate bit/s, rounded.
func duration(bytes int, rate int64) Time {
	return Time((int64(bytes)*8*int64(Second) + rate/2) / rate)
}

// Headroom returns the number of bytes by which an account can exceed XoffBytes. Nothing is lost
// if and only if BufferBytes is at least XoffBytes plus this number. The headroom consists of the
// frame that exceeds the threshold and all frames that arrive after it while
//
//	a frame is being sent on the reverse channel    frame
//	the PAUSE is sent there and arrives             control + propagation
//	the sender reacts                               reaction
//	a frame that it has just begun ends, arrives    frame + propagation
//
// Frames are at least a frame time apart. The first of these frames comes one frame time after the
// one that exceeds the threshold, so there are ⌊sum / frame⌋ of them. The sum uses the slowest
// clock and the divisor the fastest one (Options.ClockPPM). A PAUSE being sent on the reverse
// channel is shorter than a frame, and one PFC frame contains all priorities, so XOFF never waits
// for more than one frame. All other delays count in full. The bound is reached if both channels
// are busy at the worst moment.
//
// Bytes count in the account when the last bit has arrived. Invalid options get the headroom that
// valid ones would have, or 0 if that is undefined.
func Headroom(o Options) int {
	o.Control, o.XoffBytes, o.XonBytes = Drop, 0, 0
	o, err := settled(o)
	if err != nil {
		return 0
	}
	return headroom(o)
}

func headroom(o Options) int {
	o.Servers = 1
	z := sizesOf(o)
	off := Time(float64(z.frame)*o.ClockPPM/1e6) + 1
	slow, fast := z.frame+off, z.frame-off
	late := slow + z.control + o.Propagation + o.Reaction + slow + o.Propagation
	return z.stored * int(1+late/fast)
}

// Goodput returns the payload rate of a link in bit/s.
func (o Options) Goodput() (float64, error) {
	o, err := settled(o)
	if err != nil {
		return 0, err
	}
	return float64(o.LinkRate) * float64(o.PayloadBytes) / float64(sizesOf(o).wire), nil
}
