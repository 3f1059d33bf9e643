package vlans

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/vlan"
)

// Size says how many resources of the switches a set of VLANs uses, and how long its paths are.
type Size struct {
	Spanning      int     // VLANs that contain all switches
	MostAtSwitch  int     // largest number of VLANs at a switch
	StaticEntries int     // static address entries of all switches
	Shortest      bool    // whether all frames take shortest paths
	MeanPath      float64 // mean length of a path in links
	MostPairs     int     // largest number of pairs whose paths use one channel
}

// Measure returns the size of a set.
func Measure(s *vlan.Set) (m Size) {
	n := s.Network()
	at := make([]int, n.NumSwitches())
	for k := range s.Len() {
		if len(s.At(k).Links) == n.NumSwitches()-1 {
			m.Spanning++
		}
		for u, is := range members(s, k) {
			if is {
				at[u]++
				m.MostAtSwitch = max(m.MostAtSwitch, at[u])
			}
		}
		for range s.Entries(k) {
			m.StaticEntries++
		}
	}
	m.measurePaths(s)
	return m
}

// members reports, by switch, whether it takes part in VLAN k.
func members(s *vlan.Set, k int) []bool {
	n := s.Network()
	is := make([]bool, n.NumSwitches())
	for _, l := range s.At(k).Links {
		is[n.Link(l).A], is[n.Link(l).B] = true, true
	}
	for _, h := range s.At(k).Hosts {
		is[n.Host(h).Switch] = true
	}
	return is
}

// measurePaths follows the path of each pair of hosts.
func (m *Size) measurePaths(s *vlan.Set) {
	n := s.Network()
	carries := make([]int, n.NumLinkChannels())
	links, pairs := 0, 0
	m.Shortest = true
	for to := range model.HostID(n.NumHosts()) {
		least := hv.Hops(n, n.Host(to).Switch)
		for from := range model.HostID(n.NumHosts()) {
			k := s.Use(from, to)
			if k == vlan.None || from == to {
				continue
			}
			hops, u := 0, n.Host(from).Switch
			for u != n.Host(to).Switch && hops <= n.NumSwitches() {
				c := s.Next(k, u, to)
				if c == model.NoChannel || n.Head(c) == model.NoSwitch {
					break
				}
				u = n.Head(c)
				hops++
				carries[c]++
				m.MostPairs = max(m.MostPairs, carries[c])
			}
			if u == n.Host(to).Switch {
				links, pairs = links+hops, pairs+1
				m.Shortest = m.Shortest && hops == int(least[n.Host(from).Switch])
			}
		}
	}
	m.MeanPath = float64(links) / float64(max(1, pairs))
}
