package measure

import (
	"math"

	"github.com/turnproof/turnproof/engine"
)

// This file measures a run whose load rises linearly: the ramp load method.
//
// Source: T. Yokota, K. Ootsu and T. Baba, A quantitative evaluation methodology of
// interconnection networks, IPSJ Trans. ACS 2(3), 2009. That paper was not available; the method
// follows its description in section 2.4 of the flow limiting paper. Definitions used here:
//
//   - window: a part of the clocks; its load is the load in its middle;
//   - throughput: flits that arrive in a window, per clock and host;
//   - latency: the mean latency of the packets that arrive in a window;
//   - critical load, at which saturation begins: the load of the first window such that, in this window and
//     all later ones, throughput is below Share of the load that was created one minimum latency
//     earlier. If there is no such window, it is the last load;
//   - network performance measure: the integral of throughput divided by latency over the load.

// RampOptions are the options of a RampMeter. Hosts, To and Clocks are required.
type RampOptions struct {
	Hosts   int
	To      float64      // load at the end of the ramp, which starts at 0; flits per clock and host
	Clocks  engine.Clock // length of the ramp
	Windows int          // number of windows; defaults to 50
	Share   float64      // see critical load; defaults to 0.95
}

// RampMeter measures a ramp from its deliveries.
type RampMeter struct {
	o       RampOptions
	flits   []int64
	packets []int64
	latency []float64 // sums by window
}

// RampPoint has the figures of a window. Latency is NaN if no packet arrived.
type RampPoint struct{ Load, Throughput, Latency float64 }

// RampResult has the figures of a ramp.
type RampResult struct {
	Points       []RampPoint
	CriticalLoad float64 // flits per clock and host
	NPM          float64 // network performance measure: (flits per clock and host) / clocks * load
}

// NewRamp returns a meter without deliveries.
func NewRamp(o RampOptions) *RampMeter {
	if o.Windows == 0 {
		o.Windows = 50
	}
	if o.Share == 0 {
		o.Share = 0.95
	}
	return &RampMeter{o: o, flits: make([]int64, o.Windows), packets: make([]int64, o.Windows), latency: make([]float64, o.Windows)}
}

// Deliver counts a delivered packet. Packets that arrive after the end of the ramp do not count.
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
	least := math.Inf(1) // smallest mean latency of a window
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
			r.CriticalLoad = m.o.To // not saturated yet, or no longer
		}
	}
	return r
}
