package engine

import "github.com/turnproof/turnproof/model"

// This file computes how many slots a VC needs so that its channel never waits for credits.

// RoundTrip describes the channel between switches on which a slot takes longest to be used again.
type RoundTrip struct {
	Channel model.ChannelID // or model.NoChannel if no two switches are linked
	// Clocks are those from when a flit enters the channel until its slot is free again, if the flit does not wait.
	Clocks Clock
	// Slots is the number of slots that a VC of the channel needs to carry flits without a pause. Buffer is the number that it has.
	Slots, Buffer int
	// Short are the channels between switches whose VCs have fewer slots than that.
	Short []model.ChannelID
}

// RoundTripOf returns the longest round trip in a simulation of r. It fails as New does. Cost: O(channels).
func RoundTripOf(r model.Relation, o Options) (trip RoundTrip, err error) {
	trip.Channel = model.NoChannel
	if err := o.check(); err != nil {
		return trip, err
	}
	n := r.Network()
	s := &state{net: n, rel: r, o: o}
	s.whole = o.Switching != model.Wormhole
	s.vcs, s.port, s.hostOf = n.VCs(), make([]port, n.NumChannels()), make([]int32, n.NumChannels())
	if err := s.number(); err != nil {
		return trip, err
	}
	if err := s.readLinks(); err != nil {
		return trip, err
	}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		p := s.portOf[c]
		start, end := s.tickAtStart(p), s.tickAtEnd(p)
		clocks := onTick(onTick(s.there[p], end)+s.back[p], start)
		each := max(s.takes[p], start, end)
		slots := int((clocks + each - 1) / each)
		if slots > int(s.buffer[p]) {
			trip.Short = append(trip.Short, c)
		}
		if clocks > trip.Clocks {
			trip.Channel, trip.Clocks, trip.Slots, trip.Buffer = c, clocks, slots, int(s.buffer[p])
		}
	}
	return trip, nil
}
