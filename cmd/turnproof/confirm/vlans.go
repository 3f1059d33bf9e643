package confirm

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/turnproof/turnproof/engine/ethernet"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/verify"
)

// VLANResult is the outcome of a simulation of Ethernet.
type VLANResult struct {
	Control  string   `json:"control"`
	Accepted float64  `json:"accepted"` // bit/s of payload received by all hosts; 0 if the network deadlocked
	Offered  float64  `json:"offered"`
	Lost     int64    `json:"lost"`
	Deadlock bool     `json:"deadlock"`
	FrozenAt *float64 `json:"frozen_at"` // seconds; null if there was no deadlock
	Tries    int      `json:"tries"`
}

// vlanTries is the number of simulations of refuted VLANs. If none of them deadlocks, the result says
// so.
const vlanTries = 4

// VLANs simulates the VLANs s, about which rep decided. Hosts send frames at full rate. Flow
// control is PAUSE, or PFC if the VLANs use several priorities. For refuted VLANs the first run
// sends the packets of the cycle. All other runs send a random permutation of the hosts. VLANs
// returns an error if proved VLANs deadlock or lose frames.
func VLANs(ctx context.Context, s *vlan.Set, rep *verify.Report) (*VLANResult, error) {
	out := &VLANResult{Control: string(ethernet.Pause)}
	if len(s.Priorities()) > 1 {
		out.Control = string(ethernet.PFC)
	}
	refuted := rep.DeadlockFree.Verdict == verify.Refuted
	for try := range vlanTries {
		flows, err := permuted(s, uint64(try))
		if refuted && try == 0 {
			flows, err = cycleFlows(rep), nil
		}
		if err != nil {
			return nil, err
		}
		o := ethernet.Options{Control: ethernet.Control(out.Control), Tagged: true, Seed: uint64(try)}
		rate, err := o.Goodput()
		if err != nil {
			return nil, err
		}
		out.Offered = 0
		for i := range flows {
			flows[i].Rate = rate
			out.Offered += rate
		}
		r, err := ethernet.Run(ctx, s.Relation(), flows, o)
		if err != nil {
			return nil, err
		}
		out.Tries, out.Accepted, out.Lost = try+1, r.Goodput, r.Lost
		if r.Deadlock != nil {
			at := r.Deadlock.Since.Seconds()
			out.Deadlock, out.FrozenAt = true, &at
		}
		switch {
		case !refuted && (r.Deadlock != nil || r.Lost > 0):
			return nil, fmt.Errorf("internal error: proved free of deadlock, the simulator froze (%t) or lost %d frames", r.Deadlock != nil, r.Lost)
		case !refuted || out.Deadlock:
			return out, nil
		}
	}
	return out, nil
}

// cycleFlows returns a flow for each pair of hosts whose packets form the cycle.
func cycleFlows(rep *verify.Report) (flows []ethernet.Flow) {
	seen := map[[2]int32]bool{}
	for _, p := range rep.CyclePackets {
		if key := [2]int32{int32(p.Source), int32(p.Dest)}; !seen[key] {
			seen[key] = true
			flows = append(flows, ethernet.Flow{Source: p.Source, Dest: p.Dest, Class: p.Path[0].Class})
		}
	}
	return flows
}

// permuted returns one flow from each host, to a host drawn from a random permutation. It leaves
// out pairs of hosts without a VLAN.
func permuted(s *vlan.Set, seed uint64) (flows []ethernet.Flow, err error) {
	n := s.Network()
	p, err := traffic.NewPattern("permutation", n, seed)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	for h := range model.HostID(n.NumHosts()) {
		if d := p.Dest(h, random); d != model.NoHost && d != h && s.Use(h, d) != vlan.None {
			flows = append(flows, ethernet.Flow{Source: h, Dest: model.DestID(d), Class: ethernet.FirstClass})
		}
	}
	return flows, nil
}
