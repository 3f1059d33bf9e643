package sim

import (
	"fmt"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/judging"
	"github.com/turnproof/turnproof/engine/ethernet"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// This file makes the flows that close a cyclic buffer dependency.

// trafficCycle is the word of --traffic for them.
const trafficCycle = "cycle"

// cycleFlows returns a flow for each dependency of a shortest cycle of the routing. Where a hash chooses, it takes the next hops that lead
// along the cycle. It fails if there is no cycle.
func cycleFlows(c *cli.Context, in *resolve.Subject, rate float64) (list []ethernet.Flow, err error) {
	o, err := judging.Options(c, in)
	if err != nil {
		return nil, err
	}
	rep, err := verify.Check(c.Context, in.Rel, o)
	if err != nil {
		return nil, err
	}
	if len(rep.Cycle) == 0 {
		return nil, fmt.Errorf("--traffic %s: the routes of %s have no cyclic dependency, so no flows close one", trafficCycle, in.Name)
	}
	sends := map[model.HostID]int{}
	for _, p := range rep.CyclePackets {
		sends[p.Source]++
	}
	for _, p := range rep.CyclePackets {
		f := ethernet.Flow{Source: p.Source, Dest: p.Dest, Class: p.Path[0].Class, Rate: rate / float64(sends[p.Source])}
		for _, s := range p.Path {
			ch, _ := in.Net.Channel(s.VC)
			f.Via = append(f.Via, ch)
		}
		list = append(list, f)
	}
	return list, nil
}
