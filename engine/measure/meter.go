package measure

import (
	"math"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file measures a run.
//
// Which packets count. The window is [Warmup, Until), or what there is of it.
//
//   - Load: flits of packets whose tail arrives in the window, whenever they were
//     created.
//   - Latency: packets created in the window, whenever they arrive. Run on past
//     Until, until they all have, and nothing is left out (BookSim 2 in its latency
//     mode); end the run at Until, and the slow ones of the last packets are missing.
//     Below saturation that does not show. Above, the figure is too low, and what is
//     right depends on the length of the run: there is no steady state.
//   - ArrivedLatency: packets that arrive in the window, whenever they were created.
//     Below saturation it is the same in the mean.

// Options of a Meter. Hosts must be given.
type Options struct {
	Warmup engine.Clock // where the window begins
	Until  engine.Clock // where it ends; 0: with the run
	Hosts  int
	Batch  engine.Clock // clocks of a batch; 0: 1000
	// HostOf tells whose a destination is, as Relation.DestinationHost does.
	// nil: the host's of the same number.
	HostOf func(model.DestID) model.HostID
}

// Meter takes deliveries.
type Meter struct {
	o                Options
	latency, network histogram // of packets created in the window
	arrived          int64     // packets in the window
	arrivedSum       float64   // of their latencies
	flits            []int64   // by host: arrived in the window
	others           int64     // the same at management endpoints
	batches          []batch
}

// batch is what arrived in some clocks of the window.
type batch struct {
	latency float64 // sum
	packets int64   // whose latency that is
	flits   int64
}

// New returns a meter that has seen nothing.
func New(o Options) *Meter {
	if o.Batch == 0 {
		o.Batch = 1000
	}
	if o.Until == 0 {
		o.Until = math.MaxInt64
	}
	return &Meter{o: o, flits: make([]int64, o.Hosts)}
}

// Deliver takes a packet that has arrived. It fits engine.New.
func (m *Meter) Deliver(d engine.Delivery) {
	latency := d.Arrived - d.Created
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

// batch returns the batch of a clock, for those after the window the last whole
// one in it.
func (m *Meter) batch(at engine.Clock) *batch {
	if at >= m.o.Until {
		at = max(m.o.Warmup+(m.o.Until-m.o.Warmup)/m.o.Batch*m.o.Batch-1, m.o.Warmup)
	}
	i := int((at - m.o.Warmup) / m.o.Batch)
	for len(m.batches) <= i {
		m.batches = append(m.batches, batch{})
	}
	return &m.batches[i]
}

func (m *Meter) host(d model.DestID) model.HostID {
	if m.o.HostOf == nil {
		return model.HostID(d)
	}
	return m.o.HostOf(d)
}

// Result is what was measured; NaN where there is nothing to tell.
type Result struct {
	Packets            int64   // whose latency was taken
	Arrived            int64   // packets that arrived in the window
	Accepted           float64 // flits per clock and host
	AcceptedError      float64 // half width of the 95 % interval of Accepted
	WorstAccepted      float64 // flits per clock at the host that got least
	WorstHost          model.HostID
	MeanLatency        float64 // clocks from creation to the tail at the host
	LatencyError       float64 // half width of the 95 % interval of MeanLatency
	Median, P99        float64 // latencies, to 1 %
	MaxLatency         engine.Clock
	MeanNetworkLatency float64 // from the head leaving the source
	ArrivedLatency     float64 // mean over the packets that arrived in the window
}

// Result returns the figures of a run up to clock now.
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
	return r
}

// load fills in the load of the window.
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

// errors returns the half widths of the confidence intervals of latency and load,
// from the batches that were over at clock end.
func (m *Meter) errors(end engine.Clock) (latency, load float64) {
	over := max(int((end-m.o.Warmup)/m.o.Batch), 0)
	for len(m.batches) < over { // in which nothing arrived
		m.batches = append(m.batches, batch{})
	}
	list, size := join(m.batches[:over])
	var latencies, loads []float64
	for _, b := range list {
		loads = append(loads, float64(b.flits)/float64(m.o.Batch)/float64(size)/float64(m.o.Hosts))
		if b.packets > 0 {
			latencies = append(latencies, b.latency/float64(b.packets))
		}
	}
	return HalfWidth(latencies), HalfWidth(loads)
}
