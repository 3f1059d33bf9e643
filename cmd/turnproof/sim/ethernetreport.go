package sim

import (
	"fmt"
	"io"
	"math"

	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/engine/ethernet"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file prints the result of a simulation of Ethernet as text or JSON
// (docs/schema/sim-ethernet.json).

type ethernetJSON struct {
	Schema    string             `json:"schema"`
	Network   string             `json:"network"`
	Routing   string             `json:"routing"`
	Control   string             `json:"control"`
	Seed      uint64             `json:"seed"`
	Inputs    []model.Input      `json:"inputs"`   // the files that were read
	Offered   float64            `json:"offered"`  // bit/s of payload sent by all hosts
	Accepted  float64            `json:"accepted"` // bit/s of payload delivered to all hosts
	Loss      float64            `json:"loss"`
	Flows     []ethernetFlowJSON `json:"flows"`
	Delivered int64              `json:"delivered"`
	Lost      int64              `json:"lost"`
	InNetwork int64              `json:"in_network"`
	Busiest   float64            `json:"busiest"` // largest share of the capacity of a link that was used
	Deadlock  bool               `json:"deadlock"`
	Frozen    []pausedJSON       `json:"frozen"`
	FrozenAt  *float64           `json:"frozen_at"` // seconds; null if there was no deadlock
	Watchdog  *watchdogJSON      `json:"watchdog"`  // null without one
	Simulated float64            `json:"simulated"` // simulated time in seconds
	Seconds   float64            `json:"seconds"`
}

type ethernetFlowJSON struct {
	Source      string  `json:"source"`
	Destination string  `json:"destination"`
	Offered     float64 `json:"offered"`
	Accepted    float64 `json:"accepted"`
	Loss        float64 `json:"loss"`
}

// watchdogJSON is what the watchdog did.
type watchdogJSON struct {
	Storms  int64    `json:"storms"`  // times that it began to drop
	Dropped int64    `json:"dropped"` // frames
	First   *float64 `json:"first"`   // seconds; null if it never did
}

// pausedJSON is a buffer in the cycle of a deadlock: it is paused forever.
type pausedJSON struct {
	Channel     say.HopJSON `json:"channel"`
	Frames      int         `json:"frames"`
	Source      string      `json:"source"`
	Destination string      `json:"destination"`
}

func newEthernetJSON(in *resolve.Subject, s *ethernetSettings, flows []ethernet.Flow, r *ethernet.Result, seconds float64) *ethernetJSON {
	n := in.Net
	j := &ethernetJSON{Schema: "turnproof.sim-ethernet/1", Network: in.Name, Routing: in.Routing, Control: string(s.O.Control), Seed: s.O.Seed,
		Inputs:   input.InputsJSON(in),
		Accepted: r.Goodput, Loss: r.LossRatio, Flows: []ethernetFlowJSON{}, Delivered: r.Delivered, Lost: r.Lost, InNetwork: r.InFlight,
		Deadlock: r.Deadlock != nil, Frozen: []pausedJSON{}, Simulated: r.To.Seconds(), Seconds: seconds}
	for i, f := range flows {
		j.Offered += f.Rate
		j.Flows = append(j.Flows, ethernetFlowJSON{n.HostLabel(f.Source), n.HostLabel(in.Rel.DestinationHost(f.Dest)), f.Rate, r.Flows[i].Goodput,
			r.Flows[i].LossRatio})
	}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		j.Busiest = math.Max(j.Busiest, r.Channels[c].Utilisation)
	}
	if d := r.Deadlock; d != nil {
		at := d.Since.Seconds()
		j.FrozenAt = &at
		for _, i := range d.Cycle {
			b := &d.Blocked[i]
			j.Frozen = append(j.Frozen, pausedJSON{say.NewHopJSON(n, n.VC(b.Channel, max(b.Priority, 0))), b.Frames, n.HostLabel(b.Source),
				n.HostLabel(in.Rel.DestinationHost(b.Dest))})
		}
	}
	if s.O.Watchdog > 0 {
		j.Watchdog = &watchdogJSON{Storms: r.Storms, Dropped: r.Stormed}
		if at := r.FirstStorm.Seconds(); r.Storms > 0 {
			j.Watchdog.First = &at
		}
	}
	return j
}

// mostFlows is the number of flows listed as text. The JSON output contains all.
const mostFlows = 16

// printEthernet prints the result as text. ofCycle says that the flows are those of a cycle.
func printEthernet(w io.Writer, in *resolve.Subject, s *ethernetSettings, j *ethernetJSON, r *ethernet.Result, ofCycle bool) {
	n := in.Net
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	p("%s: %s, %s; %s, %s, %s\n\n", in.Name, wording.Count(n.NumSwitches(), "switch", "es"), wording.Count(n.NumHosts(), "host", "s"), in.Routing,
		j.Control, wording.Count(len(j.Flows), "flow", "s"))
	p("%-24s %10s %10s %8s\n", "Mbit/s of payload", "offered", "delivered", "lost")
	for i, f := range j.Flows {
		if i == mostFlows {
			p("and %d more\n", len(j.Flows)-i)
			break
		}
		p("%-24s %10.1f %10.1f %7.2f%%\n", f.Source+" > "+f.Destination, f.Offered/1e6, f.Accepted/1e6, 100*f.Loss)
	}
	p("%-24s %10.1f %10.1f %7.2f%%\n\n", "all", j.Offered/1e6, j.Accepted/1e6, 100*j.Loss)
	p("links:  busiest %.1f %%\n", 100*j.Busiest)
	p("frames: %s delivered, %s lost, %s in the network\n", wording.Thousands(j.Delivered), wording.Thousands(j.Lost), wording.Thousands(j.InNetwork))
	p("work:   %.3f s simulated, %s events, %.2f s\n", j.Simulated, wording.Thousands(r.Events), j.Seconds)
	if x := j.Watchdog; x != nil && x.First == nil {
		p("watchdog: never\n")
	} else if x != nil {
		p("watchdog: dropped %s in %s, the first after %.3f ms\n", wording.Count(int(x.Dropped), "frame", "s"), wording.Count(int(x.Storms), "storm", "s"),
			1e3**x.First)
	}
	if r.Deadlock == nil && s.O.Watchdog == 0 && s.O.Control != ethernet.Drop && ofCycle {
		p("not frozen: the loop can freeze, and these flows keep it moving; turnproof replay drives frames into the deadlock\n")
	}
	if d := r.Deadlock; d != nil {
		p("\nFROZEN since %.3f ms: each of these channels is paused forever, by frames that wait for the channel in the next line.\n", 1e3*d.Since.Seconds())
		for _, i := range d.Cycle {
			b := &d.Blocked[i]
			p("  %s\n      %s stuck; one from %s to %s\n", wording.Channel(n, n.VC(b.Channel, max(b.Priority, 0))),
				wording.Count(b.Frames, "frame", "s"), n.HostLabel(b.Source), n.HostLabel(in.Rel.DestinationHost(b.Dest)))
		}
	}
}
