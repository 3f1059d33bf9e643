package measure

import (
	"math"

	"turnproof/engine"
)

// This file measures a run.
//
// Source: batch means as A. Law, Simulation Modeling and Analysis, section 9.5.3:
// the time after the warm-up is cut into batches, whose means are taken as
// independent.

// Options of a Meter.
type Options struct {
	Warmup engine.Clock // packets created and delivered before are not counted
	Hosts  int
	Batch  engine.Clock // clocks of a batch; 0: 1000
}

// Meter takes deliveries.
type Meter struct {
	o                Options
	latency, network histogram
	flits            int64 // delivered after the warm-up
	batches          []batch
}

type batch struct {
	sum   float64
	count int64
	flits int64
}

// New returns a meter that has seen nothing.
func New(o Options) *Meter {
	if o.Batch == 0 {
		o.Batch = 1000
	}
	return &Meter{o: o}
}

// Deliver takes a packet that has arrived. Latency counts packets created after
// the warm-up, load all flits of packets that arrive after it.
func (m *Meter) Deliver(d engine.Delivery) {
	if d.Arrived < m.o.Warmup {
		return
	}
	m.flits += int64(d.Flits)
	i := int((d.Arrived - m.o.Warmup) / m.o.Batch)
	for len(m.batches) <= i {
		m.batches = append(m.batches, batch{})
	}
	b := &m.batches[i]
	b.flits += int64(d.Flits)
	if d.Created < m.o.Warmup {
		return
	}
	m.latency.add(d.Arrived - d.Created)
	m.network.add(d.Arrived - d.Injected)
	b.sum += float64(d.Arrived - d.Created)
	b.count++
}

// Result is what was measured; NaN where there is nothing to tell.
type Result struct {
	Packets            int64   // whose latency was taken
	Accepted           float64 // flits per clock and host
	AcceptedError      float64 // half width of the 95 % interval of Accepted
	MeanLatency        float64 // clocks from creation to the tail at the host
	LatencyError       float64
	Median, P99        float64
	MaxLatency         engine.Clock
	MeanNetworkLatency float64 // from the head leaving the source
}

// Result returns the figures of a run up to clock now.
func (m *Meter) Result(now engine.Clock) Result {
	clocks := float64(now - m.o.Warmup)
	r := Result{Packets: m.latency.count, Accepted: float64(m.flits) / clocks / float64(m.o.Hosts), MeanLatency: m.latency.mean(), Median: m.latency.quantile(0.5),
		P99: m.latency.quantile(0.99), MaxLatency: m.latency.max, MeanNetworkLatency: m.network.mean()}
	var latency, load []float64
	for i := range m.batches {
		b := &m.batches[i]
		if engine.Clock(i+1)*m.o.Batch > now-m.o.Warmup {
			break // not over yet
		}
		load = append(load, float64(b.flits)/float64(m.o.Batch)/float64(m.o.Hosts))
		if b.count > 0 {
			latency = append(latency, b.sum/float64(b.count))
		}
	}
	r.LatencyError, r.AcceptedError = halfWidth(latency), halfWidth(load)
	return r
}

// halfWidth returns half the width of the 95 % confidence interval of a mean.
func halfWidth(values []float64) float64 {
	n := float64(len(values))
	if n < 2 {
		return math.NaN()
	}
	mean, sum := 0.0, 0.0
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return student(len(values)-1) * math.Sqrt(sum/(n-1)/n)
}

// student returns the 97.5 % point of Student's distribution: exact to 10
// degrees, then by the first terms of its expansion (G. Hill, Comm. ACM 13, 1970).
func student(degrees int) float64 {
	exact := []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	if degrees <= len(exact) {
		return exact[degrees-1]
	}
	const z = 1.959964
	v := float64(degrees)
	return z + (z*z*z+z)/(4*v) + (5*z*z*z*z*z+16*z*z*z+3*z)/(96*v*v)
}
