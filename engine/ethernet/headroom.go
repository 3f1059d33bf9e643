package ethernet

// This file is about sizes: of frames, in bytes and in time, and of what a buffer must
// still take after XOFF.

// sizes are what a run reckons with. All frames are of one size, so buffers are
// counted in frames: a threshold of b bytes is passed by more than b/stored frames.
type sizes struct {
	stored, wire   int  // bytes of a frame in memory; on a link, preamble and gap included
	frame, control Time // on a link at its nominal rate, of a frame and of a PAUSE
	buffer         int32
	xoff, xon      int32 // frames
	nic, tail      int32 // frames of a NIC's queue; of a switch's, where it is limited
}

// sizesOf needs all of o that it uses to be settled but the thresholds.
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
	if o.DropAt == AtEgress {
		z.buffer, z.tail = z.tail, z.buffer
	}
	if o.Control == Drop {
		z.xoff = 1 << 30
	}
	return z
}

// duration returns how long so many bytes take on a link of rate bit/s, rounded.
func duration(bytes int, rate int64) Time {
	return Time((int64(bytes)*8*int64(Second) + rate/2) / rate)
}

// Headroom returns how many bytes an account of a run with these options can come to
// above XoffBytes, so that nothing is lost iff BufferBytes is at least XoffBytes plus
// that. It is the frame that passes the threshold and all that arrive after it while
//
//	a frame is being sent on the reverse channel    frame
//	the PAUSE is sent there, and gets here          control + propagation
//	the sender reacts                               reaction
//	a frame that it has just begun ends, gets here  frame + propagation
//
// Frames are at least a frame time apart, and the first of these is one after the one
// that passed the threshold, so there are ⌊sum / frame⌋, where the sum is by the slowest
// clock and the divisor by the fastest one (Options.ClockPPM). A PAUSE under way on the reverse
// channel is shorter than a frame, and one PFC frame speaks of all priorities, so XOFF
// never waits for more than the frame above. All other delays are counted in full, so the
// bound is reached where both channels are busy at the wrong moment.
//
// Bytes count in the account when the last bit has come. Options that are not valid
// have the headroom of what they would be; 0 if they are beyond that.
func Headroom(o Options) int {
	o.Control, o.XoffBytes, o.XonBytes = Drop, 0, 0
	o, err := settled(o)
	if err != nil {
		return 0
	}
	return headroom(o)
}

func headroom(o Options) int {
	z := sizesOf(o)
	off := Time(float64(z.frame)*o.ClockPPM/1e6) + 1
	slow, fast := z.frame+off, z.frame-off
	late := slow + z.control + o.Propagation + o.Reaction + slow + o.Propagation
	return z.stored * int(1+late/fast)
}

// Goodput returns what a link carries of payload, in bit/s.
func (o Options) Goodput() (float64, error) {
	o, err := settled(o)
	if err != nil {
		return 0, err
	}
	return float64(o.LinkRate) * float64(o.PayloadBytes) / float64(sizesOf(o).wire), nil
}
