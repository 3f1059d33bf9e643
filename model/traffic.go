package model

import (
	"fmt"
	"slices"
)

// Traffic says how much each host sends to each other host, in any unit: blocks
// of hosts that are alike, and single pairs that differ. What hosts would send
// to themselves does not count.
// Memory: O(hosts + groups² + single pairs).
type Traffic struct {
	hosts  int
	group  []int32     // by host
	amount [][]float64 // by group of the source and of the destination
	single []map[HostID]float64
}

// UniformTraffic returns traffic in which each of n's hosts sends one unit to
// each other one.
func UniformTraffic(n *Network) *Traffic {
	return &Traffic{hosts: n.NumHosts(), group: make([]int32, n.NumHosts()), amount: [][]float64{{1}}}
}

// GroupTraffic returns traffic between groups of hosts: amount[g][k] from each
// host of group g to each of group k. It fails where the sizes do not fit or an
// amount is negative or not finite.
func GroupTraffic(n *Network, group []int32, amount [][]float64) (*Traffic, error) {
	if len(group) != n.NumHosts() {
		return nil, fmt.Errorf("model: groups of %d hosts, the network has %d", len(group), n.NumHosts())
	}
	for h, g := range group {
		if g < 0 || int(g) >= len(amount) {
			return nil, fmt.Errorf("model: host %d is in group %d, groups are 0 to %d", h, g, len(amount)-1)
		}
	}
	for g, row := range amount {
		if len(row) != len(amount) {
			return nil, fmt.Errorf("model: group %d sends to %d groups of %d", g, len(row), len(amount))
		}
		for _, w := range row {
			if err := checkAmount(w); err != nil {
				return nil, err
			}
		}
	}
	return &Traffic{hosts: len(group), group: group, amount: amount}, nil
}

// HalvesTraffic returns the traffic of two halves, the first and the second
// half of the hosts: inside from a host to each other one of its half, between to each
// of the other half. In two joined trees the halves are the trees.
func HalvesTraffic(n *Network, inside, between float64) (*Traffic, error) {
	group := make([]int32, n.NumHosts())
	for h := range group {
		if h >= (len(group)+1)/2 {
			group[h] = 1
		}
	}
	return GroupTraffic(n, group, [][]float64{{inside, between}, {between, inside}})
}

// MinTraffic and MaxTraffic bound the amounts of traffic other than 0, so that
// sums neither vanish nor overflow.
const (
	MinTraffic = 1e-100
	MaxTraffic = 1e100
)

func checkAmount(w float64) error {
	if w != 0 && !(w >= MinTraffic && w <= MaxTraffic) {
		return fmt.Errorf("model: traffic of %v, amounts are 0 or from %g to %g", w, MinTraffic, MaxTraffic)
	}
	return nil
}

// Set gives one ordered pair of hosts an amount of its own.
func (t *Traffic) Set(from, to HostID, amount float64) error {
	for _, h := range []HostID{from, to} {
		if h < 0 || int(h) >= t.hosts {
			return fmt.Errorf("model: no host %d, hosts are 0 to %d", h, t.hosts-1)
		}
	}
	if err := checkAmount(amount); err != nil {
		return err
	}
	if t.single == nil {
		t.single = make([]map[HostID]float64, t.hosts)
	}
	if t.single[to] == nil {
		t.single[to] = map[HostID]float64{}
	}
	t.single[to][from] = amount
	return nil
}

// Between returns what host from sends to host to.
func (t *Traffic) Between(from, to HostID) float64 {
	if from == to {
		return 0
	}
	if t.single != nil {
		if w, ok := t.single[to][from]; ok {
			return w
		}
	}
	return t.amount[t.group[from]][t.group[to]]
}

// Sums returns, by host, what it sends to all others, or with received what all
// others send to it. Cost: O(hosts × groups + single pairs).
func (t *Traffic) Sums(received bool) []float64 {
	size := make([]float64, len(t.amount))
	for _, g := range t.group {
		size[g]++
	}
	sum := make([]float64, t.hosts)
	for h, g := range t.group {
		for k := range t.amount {
			w := t.amount[g][k]
			if received {
				w = t.amount[k][g]
			}
			if int32(k) == g {
				sum[h] -= w // to itself
			}
			sum[h] += w * size[k]
		}
	}
	for to, m := range t.single {
		for _, from := range sortedHosts(m) {
			more := m[from] - t.amount[t.group[from]][t.group[to]]
			switch {
			case int(from) == to:
			case received:
				sum[to] += more
			default:
				sum[from] += more
			}
		}
	}
	return sum
}

// Demand sums traffic up by switches.
type Demand struct {
	net    *Network
	t      *Traffic
	counts [][]int32  // by group, by switch: hosts
	hosts  [][]HostID // by switch
	dests  []SwitchID // those with hosts
}

// NewDemand returns the sums of t over the hosts of n's switches.
// Memory: O(groups × switches).
func NewDemand(n *Network, t *Traffic) *Demand {
	d := &Demand{net: n, t: t, counts: make([][]int32, len(t.amount)), hosts: make([][]HostID, n.NumSwitches())}
	for g := range d.counts {
		d.counts[g] = make([]int32, n.NumSwitches())
	}
	for h := range HostID(n.NumHosts()) {
		u := n.Host(h).Switch
		d.counts[t.group[h]][u]++
		d.hosts[u] = append(d.hosts[u], h)
	}
	for u := range SwitchID(n.NumSwitches()) {
		if len(d.hosts[u]) > 0 {
			d.dests = append(d.dests, u)
		}
	}
	return d
}

// Network returns the network.
func (d *Demand) Network() *Network { return d.net }

// Traffic returns the traffic between hosts.
func (d *Demand) Traffic() *Traffic { return d.t }

// Switches returns the switches that have hosts, ascending. It must not be
// written to.
func (d *Demand) Switches() []SwitchID { return d.dests }

// Hosts returns the hosts of switch u. It must not be written to.
func (d *Demand) Hosts(u SwitchID) []HostID { return d.hosts[u] }

// To fills amount, by switch, with what the hosts of each switch send to the
// hosts of switch v; that of v itself is 0, since it takes no link.
// Cost: O(groups × switches + single pairs to v).
func (d *Demand) To(v SwitchID, amount []float64) {
	clear(amount)
	for to, row := range d.counts {
		if row[v] == 0 {
			continue
		}
		for from, hosts := range d.counts {
			w := d.t.amount[from][to] * float64(row[v])
			if w == 0 {
				continue
			}
			for u, k := range hosts {
				if k > 0 {
					amount[u] += w * float64(k)
				}
			}
		}
	}
	for _, h := range d.hosts[v] {
		if d.t.single == nil {
			break
		}
		for _, from := range sortedHosts(d.t.single[h]) {
			amount[d.net.Host(from).Switch] += d.t.single[h][from] - d.t.amount[d.t.group[from]][d.t.group[h]]
		}
	}
	for u := range amount {
		amount[u] = max(amount[u], 0) // of differences that should cancel
	}
	amount[v] = 0
}

func sortedHosts(m map[HostID]float64) []HostID {
	list := make([]HostID, 0, len(m))
	for h := range m {
		list = append(list, h)
	}
	slices.Sort(list)
	return list
}
