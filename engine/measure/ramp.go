package measure

import (
	"math"

	"github.com/turnproof/turnproof/engine"
)

// This file measures a run whose load rises evenly: the ramp load method.
//
// Source: T. Yokota, K. Ootsu and T. Baba, A quantitative evaluation methodology of
// interconnection networks, IPSJ Trans. ACS 2(3), 2009, as flow limiting against
// congestion, section 2.4, describes it; the paper itself, with its formulas, is not at
// hand. Definitions here:
//
//   - a window is a part of the clocks, its load that of its middle;
//   - throughput: flits that arrive in it, per clock and host;
//   - latency: the mean of the packets that arrive in it;
//   - critical load, at which saturation begins: the load of the first window from
//     which on throughput is below Share of what was created the least latency before,
//     in all windows up to the end; the last load if there is none;
//   - network performance measure: throughput over latency, integrated over the load.

// RampOptions of a RampMeter. Hosts, To and Clocks must be given.
type RampOptions struct {
	Hosts   int
	To      float64      // load at the end, flits per clock and host, from 0 on
	Clocks  engine.Clock // of the ramp
	Windows int          // 0: 50
	Share   float64      // 0: 0.95
}

// RampMeter takes deliveries.
type RampMeter struct {
	o       RampOptions
	flits   []int64
	packets []int64
	latency []float64 // sums
}

// RampPoint is a window. Latency is NaN where nothing arrived.
type RampPoint struct{ Load, Throughput, Latency float64 }

// RampResult is what came out.
type RampResult struct {
	Points       []RampPoint
	CriticalLoad float64 // flits per clock and host
	NPM          float64 // flits per clock and host, over clocks, times a load
}

// NewRamp returns a meter that has seen nothing.
func NewRamp(o RampOptions) *RampMeter {
	if o.Windows == 0 {
		o.Windows = 50
	}
	if o.Share == 0 {
		o.Share = 0.95
	}
	return &RampMeter{o: o, flits: make([]int64, o.Windows), packets: make([]int64, o.Windows), latency: make([]float64, o.Windows)}
}

// Deliver counts a packet that has arrived; after the ramp's end it counts for nothing.
func (m *RampMeter) Deliver(d engine.Delivery) {
	if d.Arrived >= m.o.Clocks {
		return
	}
	i := int(int64(d.Arrived) * int64(m.o.Windows) / int64(m.o.Clocks))
	m.flits[i] += int64(d.Flits)
	m.packets[i]++
	m.latency[i] += float64(d.Arrived - d.Created)
}

// Result returns the figures of the ramp.
func (m *RampMeter) Result() *RampResult {
	r := &RampResult{CriticalLoad: m.o.To}
	step := m.o.To / float64(m.o.Windows)
	clocks := float64(m.o.Clocks) / float64(m.o.Windows) * float64(m.o.Hosts)
	least := math.Inf(1) // latency
	for i := range m.packets {
		if m.packets[i] > 0 {
			least = min(least, m.latency[i]/float64(m.packets[i]))
		}
	}
	for i := range m.flits {
		p := RampPoint{Load: (float64(i) + 0.5) * step, Throughput: float64(m.flits[i]) / clocks, Latency: math.NaN()}
		if m.packets[i] > 0 {
			p.Latency = m.latency[i] / float64(m.packets[i])
			r.NPM += p.Throughput / p.Latency * step
		}
		r.Points = append(r.Points, p)
		if created := p.Load - m.o.To*least/float64(m.o.Clocks); p.Throughput < m.o.Share*created {
			r.CriticalLoad = min(r.CriticalLoad, p.Load)
		} else {
			r.CriticalLoad = m.o.To // not yet, or no more
		}
	}
	return r
}
