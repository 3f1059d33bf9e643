package model

import (
	"fmt"
	"slices"
)

// Traffic gives the amount that each host sends to each other host, in any unit. It stores
// amounts between groups of hosts and exceptions for single pairs. Traffic of a host to itself
// is ignored. Memory: O(hosts + groups² + exceptions).
type Traffic struct {
	hosts  int
	group  []int32     // by host
	amount [][]float64 // by group of the source and of the destination
	single []map[HostID]float64
}

// UniformTraffic returns traffic in which each host of n sends one unit to each other host.
func UniformTraffic(n *Network) *Traffic {
	return &Traffic{hosts: n.NumHosts(), group: make([]int32, n.NumHosts()), amount: [][]float64{{1}}}
}

// GroupTraffic returns traffic in which each host of group g sends amount[g][k] to each host of
// group k. It fails if the sizes do not match or an amount is negative or not finite.
func GroupTraffic(n *Network, group []int32, amount [][]float64) (*Traffic, error) {
	if len(group) != n.NumHosts() {
		return nil, fmt.Errorf("model: groups of %d hosts; the network has %d", len(group), n.NumHosts())
	}
	for h, g := range group {
		if g < 0 || int(g) >= len(amount) {
			return nil, fmt.Errorf("model: host %d is in group %d; want 0 to %d", h, g, len(amount)-1)
		}
	}
	for g, row := range amount {
		if len(row) != len(amount) {
			return nil, fmt.Errorf("model: group %d has amounts for %d groups; want %d", g, len(row), len(amount))
		}
		for _, w := range row {
			if err := checkAmount(w); err != nil {
				return nil, err
			}
		}
	}
	return &Traffic{hosts: len(group), group: group, amount: amount}, nil
}

// HalvesTraffic returns traffic between the first and the second half of the hosts. Each host
// sends inside to each other host of its half and between to each host of the other half. If
// the network is two joined trees, the halves are the trees.
func HalvesTraffic(n *Network, inside, between float64) (*Traffic, error) {
	group := make([]int32, n.NumHosts())
	for h := range group {
		if h >= (len(group)+1)/2 {
			group[h] = 1
		}
	}
	return GroupTraffic(n, group, [][]float64{{inside, between}, {between, inside}})
}

// MinTraffic and MaxTraffic bound nonzero amounts of traffic, so that sums neither vanish nor
// overflow.
const (
	MinTraffic = 1e-100
	MaxTraffic = 1e100
)

func checkAmount(w float64) error {
	if w != 0 && !(w >= MinTraffic && w <= MaxTraffic) {
		return fmt.Errorf("model: traffic of %v is out of range; want 0 or %g to %g", w, MinTraffic, MaxTraffic)
	}
	return nil
}

// Set sets the amount of one ordered pair of hosts. It fails if a host does not exist or the
// amount is out of range.
func (t *Traffic) Set(from, to HostID, amount float64) error {
	for _, h := range []HostID{from, to} {
		if h < 0 || int(h) >= t.hosts {
			return fmt.Errorf("model: no host %d; want 0 to %d", h, t.hosts-1)
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

// Between returns the amount that host from sends to host to.
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

// Sums returns for each host the amount that it sends to all others, or the amount that it
// receives if received is set. Cost: O(hosts × groups + single pairs).
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
				sum[h] -= w // a host does not send to itself
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

// Demand is traffic summed by switch.
type Demand struct {
	net    *Network
	t      *Traffic
	counts [][]int32  // number of hosts by group and switch
	hosts  [][]HostID // by switch
	dests  []SwitchID // the switches that have hosts
}

// NewDemand sums t over the hosts of each switch of n. Memory: O(groups × switches).
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

// Switches returns the switches that have hosts, ascending. The caller must not change the
// slice.
func (d *Demand) Switches() []SwitchID { return d.dests }

// Hosts returns the hosts of switch u. The caller must not change the slice.
func (d *Demand) Hosts(u SwitchID) []HostID { return d.hosts[u] }

// To sets amount[u] to the traffic from the hosts of switch u to the hosts of switch v.
// amount[v] is 0, because this traffic uses no link. Cost: O(groups × switches + single pairs
// to v).
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
		amount[u] = max(amount[u], 0) // rounding can leave a small negative number
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
