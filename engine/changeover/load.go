package changeover

import (
	"math/rand/v2"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file makes the packets of a run.

// load is a source in which each host sends packets to random destinations, most often back to back. Destinations may stop.
type load struct {
	rel     model.Relation
	random  *rand.Rand
	to      [][]model.DestID // by host: where to; nil for all
	most    int              // flits of the longest packet
	gap     int              // clocks between two packets, at most
	equal   bool             // all packets have most flits
	at      []engine.Clock   // by host: creation of its last packet
	now     engine.Clock     // packets are created later
	stopped []bool           // by destination
	silent  bool             // no host sends
	open    []int64          // by destination: packets that were created and have not arrived
	created int64
}

func newLoad(r model.Relation, random *rand.Rand, e *engine.Options) *load {
	flits := e.MaxFlits
	return &load{rel: r, random: random, most: flits, gap: 1 + flits<<random.IntN(4), equal: e.Switching != model.Wormhole,
		at: make([]engine.Clock, r.Sources()), stopped: make([]bool, r.Destinations()), open: make([]int64, r.Destinations())}
}

// Next implements engine.Source.
func (l *load) Next(h model.HostID) (p engine.Packet, ok bool) {
	d, ok := l.draw(h)
	if l.silent || !ok {
		return p, false
	}
	l.at[h] = max(l.at[h], l.now) + engine.Clock(l.random.IntN(l.gap))
	flits := l.most
	if !l.equal {
		flits = 1 + l.random.IntN(l.most)
	}
	l.open[d]++
	l.created++
	return engine.Packet{Created: l.at[h], Source: h, Dest: d, Flits: flits}, true
}

// draw draws a destination of a host.
func (l *load) draw(h model.HostID) (model.DestID, bool) {
	if l.to != nil {
		if len(l.to[h]) == 0 {
			return 0, false
		}
		d := l.to[h][l.random.IntN(len(l.to[h]))]
		return d, !l.stopped[d]
	}
	for range 100 {
		d := model.DestID(l.random.IntN(len(l.stopped)))
		if !l.stopped[d] && model.Sends(l.rel, h, d) {
			return d, true
		}
	}
	return 0, false
}
