package nfplus1

import (
	"context"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file simulates a routing at a requested load.

// reading is one reading of what the paper leaves open: packet length, switching, clocks of a hop, and whether
// the send buffer of 2 holds flits or packets.
type reading struct {
	name   string
	flits  int
	engine engine.Options
}

const wormhole = "wormhole, 3 clocks a hop, buffers of %d flits, packets of %d"

// readings returns all readings, the default one first.
func readings() (list []reading) {
	for _, c := range [][2]int{{2, 16}, {2, 4}, {2, 64}, {16, 4}, {16, 16}, {16, 64}} {
		list = append(list, reading{fmt.Sprintf(wormhole, c[0], c[1]), c[1], engine.Options{Timing: engine.Paper, BufferFlits: c[0]}})
	}
	return append(list,
		reading{"wormhole, 5 clocks a switch (BookSim 2), buffers of 8 flits, packets of 16", 16, engine.Options{BufferFlits: 8}},
		reading{"cut-through, 3 clocks a hop, buffers of 2 packets, packets of 16", 16,
			engine.Options{Timing: engine.Paper, Switching: model.CutThrough, BufferFlits: 32}})
}

// readingNames are the readings of Item.Beside.
func readingNames() (list []string) {
	for _, x := range readings() {
		list = append(list, x.name)
	}
	return list
}

// selected returns the readings that the options select.
func selected(r *paper.Result) (list []reading) {
	for i, x := range readings() {
		if r.Wants(i, x.name) {
			list = append(list, x)
		}
	}
	return list
}

// job is a simulation.
type job struct {
	routing, spec string // name, and word for package resolve
	vcs           int
	traffic       string
	reading       reading
	load          float64 // requested
	seed          uint64
	clocks        engine.Clock
	network       string // defaults to the 16x16 torus
}

func (j *job) key() string {
	where := ""
	if j.network != "" {
		where = j.network + ": "
	}
	return where + fmt.Sprintf("%s (%s), %d VCs, %s, %s, load %g, seed %d, %d clocks", j.routing, j.spec, j.vcs, j.traffic, j.reading.name,
		j.load, j.seed, j.clocks)
}

// run returns throughput, mean transfer time and mean distance of the packets that arrive. Time and distance are
// NaN if no packet arrives.
//
// The transfer time is that of all packets that arrive in the measured window, from the clock in which the head
// leaves the source. A mean over packets created in the window would leave out most packets of a full network.
func (j *job) run(ctx context.Context) ([]float64, error) {
	network := "torus:16x16"
	if j.network != "" {
		network = j.network
	}
	n, err := topo.Parse(fmt.Sprintf("%s,vcs=%d", network, j.vcs))
	if err != nil {
		return nil, err
	}
	route, err := resolve.Routing(ctx, j.spec, "", n, format.Options{})
	if err != nil {
		return nil, err
	}
	warmup, time, distance, packets := j.clocks/5, 0.0, 0, 0
	s := trial.Settings{Engine: j.reading.engine, Traffic: j.traffic, NoSelf: true, Load: j.load, Flits: j.reading.flits, Clocks: j.clocks,
		Warmup: warmup, Seed: j.seed, Report: func(d engine.Delivery) {
			if d.Arrived >= warmup {
				time += float64(d.Arrived - d.Injected)
				distance += distanceOn(n, model.SwitchID(d.Source), model.SwitchID(d.Dest))
				packets++
			}
		}}
	s.Engine.Select = engine.SelectOrder
	res, err := trial.Run(ctx, route.Relation, s)
	if err == nil && res.Deadlock != nil {
		err = fmt.Errorf("%s: a deadlock in clock %d", j.key(), res.Deadlock.Clock)
	}
	if err != nil {
		return nil, err
	}
	if packets == 0 {
		return []float64{res.Accepted, math.NaN(), math.NaN()}, nil
	}
	return []float64{res.Accepted, time / float64(packets), float64(distance) / float64(packets)}, nil
}

// distanceOn returns the number of links of a shortest path on a torus or mesh.
func distanceOn(n *model.Network, from, to model.SwitchID) (hops int) {
	g := n.Grid()
	for d, side := range g.Sides {
		apart := max(g.Coord(from, d), g.Coord(to, d)) - min(g.Coord(from, d), g.Coord(to, d))
		if g.Wrap[d] {
			apart = min(apart, side-apart)
		}
		hops += apart
	}
	return hops
}
