package ethernet

import "github.com/turnproof/turnproof/model"

// Flow is a stream of frames from one host without end-to-end control: a frame every payload /
// Rate seconds from Start on.
type Flow struct {
	Source model.HostID
	Dest   model.DestID
	Class  model.Class       // class at injection: one that the relation offers, or FirstClass
	Rate   float64           // bit/s of payload, above 0
	Start  Time              // the first frame is created within one interval after Start
	Via    []model.ChannelID // where a hash chooses one of several next hops, it takes one of these; others by the seed
}

// place is a hop of a flow's path. A frame is at a place from being queued for its channel until
// being queued for the next channel.
type place struct {
	vc, channel int32
	account     int32 // at the channel's end
	class       int32
	bit         uint8 // bit of account in the masks of channel
	first, last bool  // whether channel is the injection or the ejection channel
}

// account counts the frames that a switch has in memory by one channel and priority, or with Pause
// by one channel.
type account struct {
	frames int32
	lifts  int32 // PAUSEs in transit to the sender that do not stop it
	// since is the time at which the sender was stopped, if it is stopped. stopped is the total
	// time before since, within the window.
	since, stopped Time
	released       Time // when its sender was released, see watchdog.go
	isStorm        bool // the watchdog drops the frames that wait for it
}
