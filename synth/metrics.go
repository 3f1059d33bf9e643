package synth

import (
	"context"
	"math"

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

// MeasurePaths measures a turn set of a network with one VC under demand d. Cost: for each switch
// with hosts one search, and one sweep over the channels that lead to the switch.
func MeasurePaths(ctx context.Context, allowed *model.TurnSet, d *model.Demand) (*PathStats, error) {
	n := allowed.Network()
	m := &meter{PathStats: &PathStats{Load: make([]float64, n.NumChannels())}, Search: route.NewLegal(allowed).NewSearch(), net: n, d: d, scale: Scale(d),
		amount: make([]float64, n.NumSwitches()), flow: make([]float64, n.NumLinkChannels()), unit: make([]float64,
			n.NumLinkChannels()), count: make([]float64, n.NumLinkChannels())}
	for u := range model.SwitchID(n.NumSwitches()) {
		m.wide = max(m.wide, len(n.Out(u)))
	}
	m.TurnLoad, m.Crossing = make([]float64, n.NumLinkChannels()*m.wide), make([]float64, n.NumSwitches())
	for _, v := range d.Switches() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.to(v)
	}
	for h, x := range d.Traffic().Sums(false) {
		m.Load[n.InjectChannel(model.HostID(h))] = x * m.scale
	}
	for h, x := range d.Traffic().Sums(true) {
		m.Load[n.EjectChannel(model.HostID(h))] = x * m.scale
	}
	if k := m.Pairs - m.Unreachable; k > 0 {
		m.MeanPath /= float64(k)
	}
	if m.ways > 0 {
		m.Paths /= float64(m.ways)
	}
	return m.PathStats, nil
}

// meter is the state of MeasurePaths.
type meter struct {
	*PathStats
	*route.Search
	net    *model.Network
	d      *model.Demand
	scale  float64
	ways   int64     // number of pairs of switches with a path
	amount []float64 // by switch: what it sends to the destination
	flow   []float64 // by channel: its traffic
	unit   []float64 // by channel: its traffic if each switch with hosts sends 1
	count  []float64 // by channel: number of shortest paths up to it
}

// to measures the paths to switch v.
func (m *meter) to(v model.SwitchID) {
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
	m.Pairs += pairs
	dist := m.From(u)
	if dist == route.Unreached {
		m.Unreachable += pairs
		return
	}
	m.MeanPath += float64(dist) * float64(pairs)
	m.MaxPath = max(m.MaxPath, int(dist))
	m.ways++
	var first []model.VCID
	for _, c := range m.net.Out(u) {
		if m.net.Kind(c) == model.SwitchToSwitch && m.Dist[c] == dist {
			first = append(first, model.VCID(c))
			m.Paths += m.count[c]
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
	m.Load[b] += f
	if len(next) == 0 || f == 0 && k == 0 {
		return
	}
	m.Crossing[m.net.Head(model.ChannelID(b))] += k
	f, k = f/float64(len(next)), k/float64(len(next))
	for _, o := range next {
		m.flow[o] += f
		m.unit[o] += k
		m.TurnLoad[int(b)*m.wide+m.net.OutIndex(model.ChannelID(o))] += f
	}
}

// unreached counts the ordered pairs of hosts at different switches that have no path.
func unreached(d *model.Demand, allowed *model.TurnSet) (pairs int64) {
	s := route.NewLegal(allowed).NewSearch()
	for _, v := range d.Switches() {
		s.To(v)
		for _, u := range d.Switches() {
			if u != v && s.From(u) == route.Unreached {
				pairs += int64(len(d.Hosts(u))) * int64(len(d.Hosts(v)))
			}
		}
	}
	return pairs
}
