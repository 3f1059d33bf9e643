package flowlimiting

import (
	"context"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/examples/papers/paper"
)

// This file checks what section 2.4 says of the network performance measure: the integral of throughput divided by mean latency over
// the load.

// npm measures made-up ramps: packets of 8 flits that arrive at a rate and with a latency, both constant.
func npm(_ context.Context, r *paper.Result) error {
	for _, x := range []struct {
		name    string
		every   engine.Clock // clocks between packets
		latency engine.Clock
	}{{"base", 20, 100}, {"twice the throughput", 10, 100}, {"half the latency", 20, 50}} {
		const to = 0.6
		o := measure.RampOptions{Hosts: 1, To: to, Clocks: 30_000}
		m := measure.NewRamp(o)
		for at := engine.Clock(0); at < o.Clocks; at += x.every {
			d := engine.Delivery{Arrived: at}
			d.Flits, d.Created = 8, at-x.latency
			m.Deliver(d)
		}
		res, mean := m.Result(), 0.0
		for _, p := range res.Points {
			mean += p.Throughput / p.Latency / float64(len(res.Points))
		}
		r.AddRow(x.name, "NPM", "", nan, res.NPM)
		r.AddRow(x.name, "mean of throughput / latency, times the interval", "", nan, mean*to)
	}
	return nil
}

func npmClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "flow-limiting/npm-grows", Statement: "The network performance measure is higher for a higher throughput and for a lower latency",
			Judge: paper.Needs([][2]string{{"base", "NPM"}, {"twice the throughput", "NPM"}, {"half the latency", "NPM"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[1] > v[0] && v[2] > v[0], fmt.Sprintf("%.3g times for twice the throughput, %.3g times for half the latency",
					v[1]/v[0], v[2]/v[0]))
			})},
		{Name: "flow-limiting/npm-mean", Statement: "It may be regarded as the mean of throughput divided by latency over the loads",
			Judge: paper.Needs([][2]string{{"base", "NPM"}, {"base", "mean of throughput / latency, times the interval"}}, func(v []float64) paper.Finding {
				return paper.Decide(math.Abs(v[0]/v[1]-1) < 1e-9, "equal up to the length of the interval of loads")
			})},
		{Name: "flow-limiting/critical-load", Statement: "The critical load is the load at which saturation by congestion begins",
			LeftOpen: "The text gives no threshold for saturation. Ours is a throughput below 95 % of the load",
			Judge:    func(*paper.Result) paper.Finding { return paper.Finding{Verdict: paper.Open} }},
	}
}
