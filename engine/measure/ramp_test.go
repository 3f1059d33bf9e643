package measure

import (
	"math"
	"testing"

	"github.com/turnproof/turnproof/engine"
)

// TestRamp: a model of a network accepts loads up to 0.3, with latency 20 below and 100 above that
// load. Its critical load is right, and its network performance measure equals the closed form.
func TestRamp(t *testing.T) {
	const clocks, hosts, flits = 40_000, 10, 4
	m := NewRamp(RampOptions{Hosts: hosts, To: 0.5, Clocks: clocks, Windows: 100})
	due := 0.0
	for at := engine.Clock(0); at < clocks; at++ {
		load := 0.5 * float64(at) / clocks
		latency := engine.Clock(20)
		if load > 0.3 {
			latency = 100
		}
		for due += min(load, 0.3) * hosts / flits; due >= 1; due-- {
			if at >= latency {
				m.Deliver(engine.Delivery{Packet: engine.Packet{Created: at - latency, Flits: flits}, Arrived: at})
			}
		}
	}
	m.Deliver(engine.Delivery{Packet: engine.Packet{Flits: flits}, Arrived: clocks}) // a packet that arrives after the end
	r := m.Result()
	want := 0.3*0.3/2/20 + 0.3*0.2/100
	if math.Abs(r.NPM-want) > 0.01*want {
		t.Errorf("measure %v, want %v", r.NPM, want)
	}
	if r.CriticalLoad < 0.3 || r.CriticalLoad > 0.33 { // 0.3 is 95 % of load 0.316
		t.Errorf("critical load %v", r.CriticalLoad)
	}
	if p := r.Points[20]; math.Abs(p.Load-0.1025) > 1e-9 || p.Latency != 20 || math.Abs(p.Throughput-p.Load) > 0.01 {
		t.Errorf("%+v", p)
	}
	if empty := NewRamp(RampOptions{Hosts: 1, To: 1, Clocks: 100}).Result(); empty.NPM != 0 || empty.CriticalLoad != 1 || !math.IsNaN(empty.Points[3].Latency) {
		t.Errorf("%+v", empty)
	}
}

func TestFlow(t *testing.T) {
	f := NewFlow(10)
	for i := range engine.Clock(5) {
		f.Deliver(engine.Delivery{Injected: 5 * i, Arrived: 5*i + 12})
	}
	if len(f.Sent) != 3 || f.Sent[0] != 2 || f.Sent[2] != 1 || len(f.Received) != 4 || f.Received[1] != 2 || f.Received[3] != 1 {
		t.Errorf("%+v", f)
	}
}
