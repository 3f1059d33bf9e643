package engine

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestCreditRoundTrip: with the slots of a round trip, 100 more flits of a packet take no more clocks than with a very large buffer,
// and with one slot less they do.
func TestCreditRoundTrip(t *testing.T) {
	n, err := topo.Parse("line:2")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []model.ChannelAttributes{{}, {Latency: 1}, {Latency: 7}, {Latency: 20}, {Latency: 9, FlitClocks: 2}, {Latency: 12, FlitClocks: 5}} {
		clocks := func(buffer, flits int) (Clock, RoundTrip) {
			list := make([]model.ChannelAttributes, n.NumChannels())
			list[0] = a
			list[0].Buffer = int32(buffer)
			list[n.InjectChannel(0)].Buffer = 500
			o := Options{Channels: list}
			r, err := route.New("updown", n, route.Options{})
			if err != nil {
				t.Fatal(err)
			}
			l, at := &listSource{lists: make([][]Packet, 2)}, Clock(-1)
			l.lists[0] = []Packet{{Source: 0, Dest: 1, Flits: flits}}
			s, err := New(r, l, o, func(d Delivery) { at = d.Arrived })
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Run(t.Context(), 5000); err != nil {
				t.Fatal(err)
			}
			trip, err := RoundTripOf(r, o)
			if err != nil {
				t.Fatal(err)
			}
			return at, trip
		}
		arrival := func(buffer int) (Clock, RoundTrip) {
			few, trip := clocks(buffer, 100)
			many, _ := clocks(buffer, 200)
			return many - few, trip
		}
		best, trip := arrival(200)
		if trip.Channel != 0 && a.Latency > 1 || trip.Buffer != 200 && trip.Channel == 0 {
			t.Errorf("%+v: %+v", a, trip)
		}
		slots := 0
		for buffer := 1; slots == 0; buffer++ {
			if at, _ := arrival(buffer); at == best {
				slots = buffer
			}
		}
		if _, trip := arrival(slots); trip.Channel == 0 && (trip.Slots != slots || len(trip.Short) > 0) {
			t.Errorf("%+v: %d slots are enough, %+v", a, slots, trip)
		}
		if _, trip := arrival(slots - 1); len(trip.Short) != 1 {
			t.Errorf("%+v: %d slots are too few, %+v", a, slots-1, trip)
		}
	}
}
