package agree

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/packets"
	"github.com/turnproof/turnproof/model"
)

// This file compares the two kernels of the simulator, by flits and by packet events, where the second is
// exact: one VC, virtual cut-through or store-and-forward. With the same packets, both must deliver the
// same ones in the same clocks, and freeze the same ones. Routings that drop packets are not compared,
// since package packets does not define when a dropped packet disappears.

// traffic is a source that gives both kernels the same packets: each host has its own random numbers.
type traffic struct {
	rel  model.Relation
	host []*rand.Rand
	at   []engine.Clock
	sent []int64
}

// packetsEach is the number of packets of a host.
const packetsEach = 40

func newTraffic(r model.Relation, seed uint64) *traffic {
	t := &traffic{rel: r, at: make([]engine.Clock, r.Sources()), sent: make([]int64, r.Sources())}
	for h := range r.Sources() {
		t.host = append(t.host, rand.New(rand.NewPCG(seed, uint64(h))))
	}
	return t
}

// Next implements engine.Source.
func (t *traffic) Next(h model.HostID) (engine.Packet, bool) {
	if t.sent[h] == packetsEach || t.rel.Destinations() == 0 {
		return engine.Packet{}, false
	}
	t.sent[h]++
	t.at[h] += engine.Clock(t.host[h].IntN(2 * bufferFlits))
	d := model.DestID(t.host[h].IntN(t.rel.Destinations()))
	if !model.Sends(t.rel, h, d) {
		return t.Next(h)
	}
	return engine.Packet{Created: t.at[h], Source: h, Dest: d, Flits: 1 + t.host[h].IntN(bufferFlits), ID: t.sent[h]}, true
}

func askKernels(ctx context.Context, s *subject) (a answers, err error) {
	if s.rel.Network().VCs() != 1 || s.c.Switching == "wormhole" {
		return a, nil
	}
	o := engine.Options{Timing: engine.Paper, Switching: model.Switching(s.c.Switching),
		BufferFlits: bufferFlits, MaxFlits: bufferFlits, Select: engine.SelectLowest, Waiting: model.WaitAny}
	var one, two []engine.Delivery
	byFlits, err := engine.New(s.rel, newTraffic(s.rel, s.seed), o, func(d engine.Delivery) { one = append(one, d) })
	if err != nil {
		return a, err
	}
	byEvents, err := packets.New(s.rel, newTraffic(s.rel, s.seed), o, func(d engine.Delivery) { two = append(two, d) })
	if err != nil {
		return a, err
	}
	if err := cmp.Or(byFlits.Run(ctx, saturated), byEvents.Run(ctx, saturated)); err != nil {
		return a, err
	}
	for _, err := range slices.Concat(byFlits.Check(), byEvents.Check()) {
		return a, err
	}
	x, y := byFlits.Frozen(), byEvents.Frozen()
	if s.rep.Connected.Verdict == "proved" {
		for _, list := range [][]engine.Delivery{one, two} {
			slices.SortFunc(list, func(a, b engine.Delivery) int {
				return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.ID, b.ID))
			})
		}
		if !slices.Equal(one, two) || len(x) != len(y) {
			return a, fmt.Errorf("%d packets delivered and %d frozen by flits, %d and %d by packet events, or in other clocks",
				len(one), len(x), len(two), len(y))
		}
	}
	if a[deadlockFree] = notFrozen; len(x) > 0 || len(y) > 0 {
		a[deadlockFree] = refuted
	}
	return a, nil
}
