package measure

import (
	"math"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file measures a run.
//
// The window is [Warmup, Until), or the part of it before the end of the run. It decides which
// packets count:
//
//   - Load: flits of packets whose tail arrives in the window, whenever they were
//     created.
//   - Latency: packets created in the window, whenever they arrive. If the run continues after
//     Until until all of them have arrived, none is missing (BookSim 2 in its latency
//     mode). If the run ends at Until, the slowest of the last packets are missing.
//     Below saturation the effect is negligible. Above saturation there is no steady state: the latency
//     depends on the length of the run, and the measured value is too low.
//   - ArrivedLatency: packets that arrive in the window, whenever they were created.
//     Below saturation its mean equals that of Latency.

// Options are the options of a Meter. Hosts is required.
type Options struct {
	Warmup engine.Clock // first clock of the window
	Until  engine.Clock // end of the window; if 0, the end of the run
	Hosts  int
	Batch  engine.Clock // clocks of a batch; defaults to 1000
	// HostOf returns the host of a destination, as Relation.DestinationHost does. If nil, a
	// destination is the host with the same number.
	HostOf func(model.DestID) model.HostID
	// Finite says that the traffic ends. Result.Convergence is its zero value then.
	Finite bool
	// Between is the mean number of clocks between two packets of the busiest source, and Burst the
	// mean number of packets in a burst. If Between is 0, it is estimated from the packets.
	Between, Burst float64
}

// Meter measures a run from its deliveries.
type Meter struct {
	o                Options
	latency, network histogram // latencies of packets created in the window
	arrived          int64     // packets that arrived in the window
	arrivedSum       float64   // sum of the latencies of these packets
	flits            []int64   // by host: flits that arrived in the window
	others           int64     // flits that arrived in the window at management endpoints
	batches          []batch
	current          int          // index of the batch of the last arrival in the window
	from, to         engine.Clock // clocks of this batch
	lags             lags
	warmUp           warmUp
}

// batch counts the arrivals in one batch of clocks.
type batch struct {
	latency float64 // sum of latencies
	packets int64   // number of packets in this sum
	flits   int64
}

// New returns a meter without deliveries.
func New(o Options) *Meter {
	if o.Batch == 0 {
		o.Batch = 1000
	}
	if o.Until == 0 {
		o.Until = math.MaxInt64
	}
	return &Meter{o: o, flits: make([]int64, o.Hosts), lags: lags{last: make([]engine.Clock, o.Hosts), packets: make([]int64, o.Hosts)}}
}

// Deliver counts a delivered packet. Pass it to engine.New as report.
func (m *Meter) Deliver(d engine.Delivery) {
	latency := d.Arrived - d.Created
	if !m.o.Finite {
		m.lags.add(&d)
		m.warmUp.add(d.Arrived, latency)
	}
	if d.Arrived < m.o.Warmup {
		return
	}
	b := m.batch(d.Arrived)
	if d.Arrived < m.o.Until {
		m.arrived++
		m.arrivedSum += float64(latency)
		b.flits += int64(d.Flits)
		if h := m.host(d.Dest); int(h) < len(m.flits) {
			m.flits[h] += int64(d.Flits)
		} else {
			m.others += int64(d.Flits)
		}
	}
	if d.Created >= m.o.Warmup && d.Created < m.o.Until {
		m.latency.add(latency)
		m.network.add(d.Arrived - d.Injected)
		b.latency += float64(latency)
		b.packets++
	}
}

// batch returns the batch of a clock. Clocks after the window belong to the last complete batch of
// the window.
func (m *Meter) batch(at engine.Clock) *batch {
	if at >= m.o.Until {
		at = max(m.o.Warmup+(m.o.Until-m.o.Warmup)/m.o.Batch*m.o.Batch-1, m.o.Warmup)
	}
	if at < m.from || at >= m.to {
		m.current = int((at - m.o.Warmup) / m.o.Batch)
		m.from = m.o.Warmup + engine.Clock(m.current)*m.o.Batch
		m.to = m.from + m.o.Batch
		for len(m.batches) <= m.current {
			m.batches = append(m.batches, batch{})
		}
	}
	return &m.batches[m.current]
}

func (m *Meter) host(d model.DestID) model.HostID {
	if m.o.HostOf == nil {
		return model.HostID(d)
	}
	return m.o.HostOf(d)
}

// Result has the measured figures. A figure that cannot be computed is NaN.
type Result struct {
	Packets            int64   // packets whose latency counts
	Arrived            int64   // packets that arrived in the window
	Accepted           float64 // flits that arrive, per clock and host
	AcceptedError      float64 // half width of the 95 % confidence interval of Accepted
	WorstAccepted      float64 // flits that arrive per clock at the host that gets the fewest
	WorstHost          model.HostID
	MeanLatency        float64 // clocks from the creation of a packet to the arrival of its tail
	LatencyError       float64 // half width of the 95 % confidence interval of MeanLatency
	Median, P99        float64 // quantiles of the latency, with an error of at most 1 %
	MaxLatency         engine.Clock
	MeanNetworkLatency float64 // as MeanLatency, but from when the head leaves the source
	ArrivedLatency     float64 // mean latency of the packets that arrived in the window
	Convergence
}

// Result returns the figures of a run whose next clock is now.
func (m *Meter) Result(now engine.Clock) Result {
	end := min(now, m.o.Until)
	r := Result{
		Packets: m.latency.count, Arrived: m.arrived,
		MeanLatency: m.latency.mean(), Median: m.latency.quantile(0.5), P99: m.latency.quantile(0.99), MaxLatency: m.latency.max,
		MeanNetworkLatency: m.network.mean(), ArrivedLatency: m.arrivedSum / float64(m.arrived),
		Accepted: math.NaN(), WorstAccepted: math.NaN(), WorstHost: model.NoHost,
	}
	if clocks := float64(end - m.o.Warmup); clocks > 0 {
		m.load(&r, clocks)
	}
	r.LatencyError, r.AcceptedError = m.errors(end)
	m.converge(&r, now)
	return r
}

// load sets the fields about load; the window has the given number of clocks.
func (m *Meter) load(r *Result, clocks float64) {
	sum := m.others
	for h, flits := range m.flits {
		sum += flits
		if r.WorstHost == model.NoHost || flits < m.flits[r.WorstHost] {
			r.WorstHost = model.HostID(h)
		}
	}
	r.Accepted = float64(sum) / clocks / float64(m.o.Hosts)
	if r.WorstHost != model.NoHost {
		r.WorstAccepted = float64(m.flits[r.WorstHost]) / clocks
	}
}

// errors returns the half widths of the confidence intervals of latency and load, computed from
// the batches that are complete at clock end.
func (m *Meter) errors(end engine.Clock) (latency, load float64) {
	latencies, loads := m.batchMeans(end)
	return HalfWidth(latencies), HalfWidth(loads)
}

// batchMeans returns the mean latencies and loads of the joined batches that are complete at clock
// end. Batches in which no packet arrived have no latency.
func (m *Meter) batchMeans(end engine.Clock) (latencies, loads []float64) {
	over := max(int((end-m.o.Warmup)/m.o.Batch), 0)
	for len(m.batches) < over { // add batches in which no packet arrived
		m.batches = append(m.batches, batch{})
	}
	list, size := join(m.batches[:over])
	for _, b := range list {
		loads = append(loads, float64(b.flits)/float64(m.o.Batch)/float64(size)/float64(m.o.Hosts))
		if b.packets > 0 {
			latencies = append(latencies, b.latency/float64(b.packets))
		}
	}
	return latencies, loads
}
