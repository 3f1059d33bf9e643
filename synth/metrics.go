package synth

import (
	"context"
	"math"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file measures turn sets.
//
// Sources: PT, SDPT and PPT: Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003,
// section 5.3. Throughput 1/M: Nakashima et al., IPSJ Trans. ACS 4(4), 2011, section 5.1.2.

// Prohibitions counts prohibited turns. Each direction of a turn counts. U-turns do not count; a
// turn back over a parallel link does.
type Prohibitions struct {
	Turns      int     // of the network
	Prohibited int     //
	PerSwitch  []int   // by switch
	PT         float64 // average per switch
	SDPT       float64 // standard deviation over the switches (of the population)
	PPT        int     // number of pairs of a turn and its reverse that are both prohibited
}

// Share returns the part of all turns that is prohibited.
func (p *Prohibitions) Share() float64 {
	if p.Turns == 0 {
		return 0
	}
	return float64(p.Prohibited) / float64(p.Turns)
}

// Count counts the prohibited turns of a set of a network with one VC. Cost: O(turns).
func Count(allowed *model.TurnSet) *Prohibitions {
	n := allowed.Network()
	p := &Prohibitions{PerSwitch: make([]int, n.NumSwitches())}
	for t := range model.Turns(n, false) {
		p.Turns++
		if allowed.Has(t) {
			continue
		}
		p.Prohibited++
		p.PerSwitch[n.Head(model.ChannelID(t.In))]++
		if back := reverse(n, t); !allowed.Has(back) && (t.In < back.In || t.In == back.In && t.Out < back.Out) {
			p.PPT++
		}
	}
	k := float64(max(n.NumSwitches(), 1))
	p.PT = float64(p.Prohibited) / k
	for _, x := range p.PerSwitch {
		p.SDPT += (float64(x) - p.PT) * (float64(x) - p.PT) / k
	}
	p.SDPT = math.Sqrt(p.SDPT)
	return p
}

// PathStats measures the shortest legal paths of all pairs of hosts. All shortest legal paths of a pair
// are used: at each switch traffic is split evenly over the next channels.
type PathStats struct {
	Pairs       int64   // ordered pairs of hosts at different switches
	Unreachable int64   // pairs without a path
	MeanPath    float64 // average number of links on a path, over the pairs that have one
	MaxPath     int
	Paths       float64   // average number of shortest legal paths, over the pairs of switches with hosts that have one
	Load        []float64 // by channel of all kinds; see Scale
	TurnLoad    []float64 // index: input channel (between switches) × the largest number of output channels of a switch + place of the output channel
	Crossing    []float64 // by switch: paths through it if each pair of switches with hosts has one path, split evenly
	wide        int
}

// MaxLoad returns the load M of the busiest channel, hosts' links included, and this channel. The
// throughput is 1/M.
func (w *PathStats) MaxLoad() (float64, model.ChannelID) { return maxLoad(w.Load) }

// Throughput returns 1/M: the part of its traffic that every host can send before the busiest
// channel is full. It returns 0 if no host sends.
func (w *PathStats) Throughput() float64 { return throughput(w.Load) }

// maxLoad returns the largest load and its channel.
func maxLoad(load []float64) (float64, model.ChannelID) {
	most, at := 0.0, model.NoChannel
	for c, x := range load {
		if x > most {
			most, at = x, model.ChannelID(c)
		}
	}
	return most, at
}

func throughput(load []float64) float64 {
	if m, _ := maxLoad(load); m > 0 {
		return 1 / m
	}
	return 0
}

// OfTurn returns the load of a turn.
func (w *PathStats) OfTurn(n *model.Network, t model.Turn) float64 {
	return w.TurnLoad[int(t.In)*w.wide+n.OutIndex(model.ChannelID(t.Out))]
}

// Scale returns the factor by which traffic is multiplied so that the busiest sender sends 1.00.
func Scale(d *model.Demand) float64 {
	most := 0.0
	for _, x := range d.Traffic().Sums(false) {
		most = max(most, x)
	}
	if most == 0 {
		return 1
	}
	return 1 / most
}

// MeasurePaths measures a turn set of a network with one VC under demand d, on all processors. Cost: for each
// switch with hosts one search, and one sweep over the channels that lead to the switch.
func MeasurePaths(ctx context.Context, allowed *model.TurnSet, d *model.Demand) (*PathStats, error) {
	return measurePaths(ctx, allowed, d, parallel.Workers(len(d.Switches())))
}

// measurePaths is MeasurePaths with a number of workers, on which the result does not depend.
func measurePaths(ctx context.Context, allowed *model.TurnSet, d *model.Demand, workers int) (*PathStats, error) {
	n := allowed.Network()
	w := &PathStats{Load: make([]float64, n.NumChannels()), Crossing: make([]float64, n.NumSwitches())}
	for u := range model.SwitchID(n.NumSwitches()) {
		w.wide = max(w.wide, len(n.Out(u)))
	}
	w.TurnLoad = make([]float64, n.NumLinkChannels()*w.wide)
	legal, scale := route.NewLegal(allowed), Scale(d)
	meters := make([]*meter, workers)
	ways := int64(0)
	err := parallel.InOrder(ctx, workers, len(d.Switches()), func(k, i int, x *inflow) error {
		if meters[k] == nil {
			meters[k] = newMeter(legal, d, scale)
		}
		meters[k].to(d.Switches()[i], x)
		return nil
	}, func(x *inflow) {
		w.add(n, x)
		ways += x.ways
	})
	if err != nil {
		return nil, err
	}
	for h, x := range d.Traffic().Sums(false) {
		w.Load[n.InjectChannel(model.HostID(h))] = x * scale
	}
	for h, x := range d.Traffic().Sums(true) {
		w.Load[n.EjectChannel(model.HostID(h))] = x * scale
	}
	if k := w.Pairs - w.Unreachable; k > 0 {
		w.MeanPath /= float64(k)
	}
	if ways > 0 {
		w.Paths /= float64(ways)
	}
	return w, nil
}

// inflow is what the paths to one switch add to PathStats.
type inflow struct {
	pairs, unreachable int64
	links              float64 // on the paths of all pairs of hosts
	longest            int
	ways               int64   // number of pairs of switches with a path
	paths              float64 // number of their shortest legal paths
	passed             []passage
	turns              []portion
}

// passage is what passes a channel.
type passage struct {
	channel model.VCID
	last    bool    // the channel leads to the destination
	flow    float64 // its traffic
	unit    float64 // its traffic if each switch with hosts sends 1
}

// portion is a number to add at an index.
type portion struct {
	at  int
	sum float64
}

// add adds the paths to one switch. The sums of loads depend on the order of the calls.
func (w *PathStats) add(n *model.Network, x *inflow) {
	w.Pairs += x.pairs
	w.Unreachable += x.unreachable
	w.MeanPath += x.links
	w.MaxPath = max(w.MaxPath, x.longest)
	w.Paths += x.paths
	for _, p := range x.passed {
		w.Load[p.channel] += p.flow
		if !p.last {
			w.Crossing[n.Head(model.ChannelID(p.channel))] += p.unit
		}
	}
	for _, t := range x.turns {
		w.TurnLoad[t.at] += t.sum
	}
}

// meter measures the paths to one switch after another.
type meter struct {
	*route.Search
	*inflow // of the present switch
	net     *model.Network
	d       *model.Demand
	scale   float64
	wide    int       // the largest number of output channels of a switch
	amount  []float64 // by switch: what it sends to the destination
	flow    []float64 // by channel: its traffic
	unit    []float64 // by channel: its traffic if each switch with hosts sends 1
	count   []float64 // by channel: number of shortest paths up to it
}

func newMeter(legal *route.Legal, d *model.Demand, scale float64) *meter {
	n := d.Network()
	m := &meter{Search: legal.NewSearch(), net: n, d: d, scale: scale, amount: make([]float64, n.NumSwitches()),
		flow: make([]float64, n.NumLinkChannels()), unit: make([]float64, n.NumLinkChannels()), count: make([]float64, n.NumLinkChannels())}
	for u := range model.SwitchID(n.NumSwitches()) {
		m.wide = max(m.wide, len(n.Out(u)))
	}
	return m
}

// to measures the paths to switch v in x.
func (m *meter) to(v model.SwitchID, x *inflow) {
	*x = inflow{passed: x.passed[:0], turns: x.turns[:0]}
	m.inflow = x
	m.To(v)
	m.d.To(v, m.amount)
	m.Steps(true, func(b model.VCID, next []model.VCID) {
		m.flow[b], m.unit[b], m.count[b] = 0, 0, 0
		if m.Dist[b] == 1 {
			m.count[b] = 1
		}
		for _, o := range next {
			m.count[b] += m.count[o]
		}
	})
	for _, u := range m.d.Switches() {
		if u != v {
			m.inject(u, v)
		}
	}
	m.Steps(false, m.pass)
}

// inject adds the traffic from switch u to switch v.
func (m *meter) inject(u, v model.SwitchID) {
	pairs := int64(len(m.d.Hosts(u))) * int64(len(m.d.Hosts(v)))
	m.pairs += pairs
	dist := m.From(u)
	if dist == route.Unreached {
		m.unreachable += pairs
		return
	}
	m.links += float64(dist) * float64(pairs)
	m.longest = max(m.longest, int(dist))
	m.ways++
	var first []model.VCID
	for _, c := range m.net.Out(u) {
		if m.net.Kind(c) == model.SwitchToSwitch && m.Dist[c] == dist {
			first = append(first, model.VCID(c))
			m.paths += m.count[c]
		}
	}
	for _, c := range first {
		m.flow[c] += m.amount[u] * m.scale / float64(len(first))
		m.unit[c] += 1 / float64(len(first))
	}
}

// pass splits the traffic of channel b evenly over next.
func (m *meter) pass(b model.VCID, next []model.VCID) {
	f, k := m.flow[b], m.unit[b]
	if f == 0 && k == 0 {
		return
	}
	m.passed = append(m.passed, passage{b, len(next) == 0, f, k})
	f, k = f/float64(len(next)), k/float64(len(next))
	for _, o := range next {
		m.flow[o] += f
		m.unit[o] += k
		m.turns = append(m.turns, portion{int(b)*m.wide + m.net.OutIndex(model.ChannelID(o)), f})
	}
}

// unreached counts the ordered pairs of hosts at different switches that have no path.
func unreached(ctx context.Context, d *model.Demand, allowed *model.TurnSet) (pairs int64, err error) {
	legal, workers := route.NewLegal(allowed), parallel.Workers(len(d.Switches()))
	searches, lost := make([]*route.Search, workers), make([]int64, workers)
	err = parallel.Do(ctx, workers, len(d.Switches()), func(k, i int) error {
		if searches[k] == nil {
			searches[k] = legal.NewSearch()
		}
		s, v := searches[k], d.Switches()[i]
		s.To(v)
		for _, u := range d.Switches() {
			if u != v && s.From(u) == route.Unreached {
				lost[k] += int64(len(d.Hosts(u))) * int64(len(d.Hosts(v)))
			}
		}
		return nil
	})
	for _, k := range lost {
		pairs += k
	}
	return pairs, err
}
