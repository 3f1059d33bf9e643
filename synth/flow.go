package synth

import (
	"context"
	"errors"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
)

// MeasureFlow measures the load that any routing puts on the channels: turn sets, tables and
// programs.
//
// The traffic of a pair of hosts is split evenly over the destinations (LIDs) of the receiving
// host, over the packet's classes by their weights, and at each switch over the permitted next
// virtual channels: by their weights if the routing has any (model.HopWeighted), otherwise evenly.
// For all shortest paths of a turn set the result equals that of MeasurePaths; a test checks this.
// Cost: for each destination one exploration and one sweep over its states.

// ErrReturns means that packets of the routing can return to a state. Their traffic then has no
// finite sum.
var ErrReturns = errors.New("packets can come back to where they were, so that their traffic adds up to nothing definite")

// Flow is the load of a routing. Traffic is scaled so that the busiest sender sends 1.00.
type Flow struct {
	Load     []float64 // by channel, of all kinds
	MeanPath float64   // average number of links on a path, over the pairs of hosts at different switches, lost packets included
	MaxPath  int
	Lost     float64 // the part of the packets that is lost
}

// MaxLoad returns the load of the busiest channel, hosts' links included, and this channel.
func (f *Flow) MaxLoad() (float64, model.ChannelID) { return maxLoad(f.Load) }

// Throughput returns 1/M, where M is the load of the busiest channel, or 0 if no host sends.
func (f *Flow) Throughput() float64 { return throughput(f.Load) }

// MeasureFlow measures routing r under traffic t between the hosts of its network, on all processors. It fails
// with ErrReturns if packets can return to a state.
func MeasureFlow(ctx context.Context, r model.Relation, t *model.Traffic) (*Flow, error) {
	n := r.Network()
	f, weight := &Flow{Load: make([]float64, n.NumChannels())}, 0.0
	scale, names := Scale(model.NewDemand(n, t)), make([]float64, n.NumEndpoints())
	for d := range model.DestID(r.Destinations()) {
		names[r.DestinationHost(d)]++
	}
	meters := make([]*flowMeter, parallel.Workers(r.Destinations()))
	err := parallel.InOrder(ctx, len(meters), r.Destinations(), func(w, d int, x *destFlow) error {
		if meters[w] == nil {
			meters[w] = newFlowMeter(r)
			meters[w].t, meters[w].scale, meters[w].names = t, scale, names
		}
		return meters[w].measure(model.DestID(d), x)
	}, func(x *destFlow) {
		for c, load := range x.Load {
			f.Load[c] += load
		}
		f.MeanPath += x.MeanPath
		f.MaxPath = max(f.MaxPath, x.MaxPath)
		f.Lost += x.Lost
		weight += x.weight
	})
	if err != nil {
		return nil, err
	}
	if weight > 0 {
		f.MeanPath /= weight
		f.Lost /= weight
	}
	return f, nil
}

// destFlow is the flow to one destination. Its MeanPath and Lost are sums over the pairs.
type destFlow struct {
	Flow
	weight float64 // of the pairs
}

// flowMeter measures the flow to one destination after another.
type flowMeter struct {
	*destFlow // of the present destination
	r         model.Relation
	net       *model.Network
	t         *model.Traffic
	scale     float64
	names     []float64 // by endpoint: the number of its destinations
	explorer  *cdg.Explorer
	flow      []float64 // by state: traffic
	unit      []float64 // by state: traffic if each pair of hosts at different switches sends one packet
	links     []int     // by state: the largest number of links passed
	before    []int     // by state: hops into it that are not yet counted
	order     []int32   // the states, each one after all states that lead to it
	buffer    []model.Class
	weights   []uint32
	hops      func(model.State, []uint32) []uint32 // see model.HopWeightsOf
}

func newFlowMeter(r model.Relation) *flowMeter {
	return &flowMeter{r: r, net: r.Network(), explorer: cdg.NewExplorer(r), hops: model.HopWeightsOf(r)}
}

// explore returns the states of packets to d, and orders them. It fails with ErrReturns if packets can return to a state.
func (m *flowMeter) explore(d model.DestID) (*cdg.Space, error) {
	s := m.explorer.Explore(d)
	if err := m.explorer.Err(); err != nil {
		return nil, err
	}
	m.before = resized(m.before, len(s.States))
	for i := range s.States {
		_, next := s.HopsOf(i)
		for _, j := range next {
			if j >= 0 {
				m.before[j]++
			}
		}
	}
	m.order = m.order[:0]
	var ready []int32
	for i, waits := range m.before {
		if waits == 0 {
			ready = append(ready, int32(i))
		}
	}
	for len(ready) > 0 {
		i := ready[len(ready)-1]
		ready, m.order = ready[:len(ready)-1], append(m.order, i)
		_, next := s.HopsOf(int(i))
		for _, j := range next {
			if j >= 0 {
				if m.before[j]--; m.before[j] == 0 {
					ready = append(ready, j)
				}
			}
		}
	}
	if len(m.order) < len(s.States) {
		return nil, ErrReturns
	}
	return s, nil
}

// measure measures the flow to d in x.
func (m *flowMeter) measure(d model.DestID, x *destFlow) error {
	s, err := m.explore(d)
	if err != nil {
		return err
	}
	*x = destFlow{Flow: Flow{Load: resized(x.Load, m.net.NumChannels())}}
	m.destFlow = x
	k := len(s.States)
	m.flow, m.unit, m.links = resized(m.flow, k), resized(m.unit, k), resized(m.links, k)
	for i := range s.States {
		m.inject(s, i)
	}
	for _, i := range m.order {
		m.pass(s, int(i))
	}
	return nil
}

// inject adds the traffic of the host, if state i is in an injection channel.
func (m *flowMeter) inject(s *cdg.Space, i int) {
	c, _ := m.net.Channel(s.States[i].VC)
	if m.net.Kind(c) != model.Inject {
		return
	}
	from, to := m.net.HostOf(c), m.r.DestinationHost(s.Dest)
	m.buffer = m.r.Inject(from, s.Dest, m.buffer[:0])
	share := m.classShare(from, s.Dest, s.States[i].Class) / m.names[to]
	if int(from) < m.net.NumHosts() && int(to) < m.net.NumHosts() {
		m.flow[i] = m.t.Between(from, to) * m.scale * share
	}
	m.Load[c] += m.flow[i]
	if m.net.Host(from).Switch != m.net.Host(to).Switch {
		m.unit[i] = share
		m.weight += share
	}
}

// classShare returns the probability that host h draws class k for a packet to d. k is one of the
// classes in m.buffer.
func (m *flowMeter) classShare(h model.HostID, d model.DestID, k model.Class) float64 {
	m.weights = model.Weights(m.r, h, d, m.buffer, m.weights[:0])
	of, all := 0.0, 0.0
	for i, w := range m.weights {
		all += float64(w)
		if m.buffer[i] == k {
			of += float64(w)
		}
	}
	return of / all
}

// shares returns the weights by which state i splits its traffic over k hops, and their sum. The next call overwrites them.
func (m *flowMeter) shares(s *cdg.Space, i, k int) (weights []uint32, sum float64) {
	if m.weights = m.weights[:0]; m.hops == nil {
		for range k {
			m.weights = append(m.weights, 1)
		}
		return m.weights, float64(k)
	}
	m.weights = m.hops(s.States[i], m.weights)
	for _, w := range m.weights {
		sum += float64(w)
	}
	return m.weights, sum
}

// pass splits the traffic of state i over its next states.
func (m *flowMeter) pass(s *cdg.Space, i int) {
	hops, next := s.HopsOf(i)
	if len(hops) == 0 {
		m.Lost += m.unit[i]
		return
	}
	weights, sum := m.shares(s, i, len(hops))
	for k, h := range hops {
		c, _ := m.net.Channel(h.VC)
		flow, unit := m.flow[i]*float64(weights[k])/sum, m.unit[i]*float64(weights[k])/sum
		m.Load[c] += flow
		j, links := next[k], m.links[i]
		if m.net.Kind(c) == model.SwitchToSwitch {
			m.MeanPath += unit
			links++
		}
		switch m.MaxPath = max(m.MaxPath, links); {
		case j == cdg.WrongHost:
			m.Lost += unit
		case j >= 0:
			m.flow[j] += flow
			m.unit[j] += unit
			m.links[j] = max(m.links[j], links)
		}
	}
}

// resized returns a list of k zeros. It reuses the memory of list if that is large enough.
func resized[T any](list []T, k int) []T {
	if cap(list) < k {
		return make([]T, k)
	}
	list = list[:k]
	clear(list)
	return list
}
