package ethernet

import (
	"math/rand/v2"

	"github.com/turnproof/turnproof/model"
)

// This file is the simulation: its state, and the loop over the events.

const none = int32(-1)

// underPause, as the frame that a channel is sending, means that it is sending a PAUSE.
const underPause = int32(-2)

// frame is a frame in a queue, on a channel, or within a switch.
type frame struct {
	id       int64 // number in the order of creation
	next     int32 // next frame of its queue, or next unused frame, or none
	flow     int32
	at       int32 // its place, as an index into Sim.place
	measured bool  // whether it was created within the window
}

// channel is the state of both ends of a channel. Masks have a bit for each account at its end,
// see place.bit.
type channel struct {
	frame   Time  // time of a frame, by the clock of this link
	sending int32 // the frame being sent, or none, or underPause
	reverse int32
	blocked int32 // injection channel: the first flow whose application waits for the NIC
	waiters int32 // the last such flow
	turn    uint8 // the priority of the last frame sent
	waiting uint8 // priorities with queued frames (bits by priority)
	stopped uint8 // accounts to which the sender may not begin a frame
	over    uint8 // accounts that exceeded XOFF and have not shrunk to XON, as the receiver knows
	told    uint8 // the value of over in the receiver's last message
}

// queue holds the frames that wait for a channel in one priority. length includes the frame being
// sent.
type queue struct{ first, last, length int32 }

// source is the state of a flow at its host.
type source struct {
	interval float64 // time between frames in ps
	start    int32   // start of its path, as an index into Sim.place
	next     int32   // next flow that waits for the same NIC, or none
}

// Sim is a run. It is not safe for concurrent use.
type Sim struct {
	net   *model.Network
	o     Options
	z     sizes
	flows []Flow
	place []place // places of all flows, path by path

	now      Time
	calendar calendar
	random   *rand.Rand

	source  []source  // by flow
	channel []channel // by channel
	queue   []queue   // by VC
	account []account // by place.account
	frame   []frame
	unused  int32

	suspect    []bool // by account: whether it could be part of a freeze
	maySuspect bool   // whether any account could

	scanAt   Time // time of the next search for a freeze, or never
	deadlock *Deadlock
	count    counters
}

// Options returns the options of the run with their defaults filled in.
func (s *Sim) Options() Options { return s.o }

// Now returns the time that the simulation has reached.
func (s *Sim) Now() Time { return s.now }
