package reach

// Model is the states of packets on VCs between switches, and the hops between them.
type Model struct {
	VCs    int     // number of VCs
	VC     []int32 // by state: its VC
	Enters []bool  // by state: a packet can come there directly from injection
	// Before holds the states from which one hop leads to a state. Those of state i are from First[i] up to First[i+1].
	Before []int32
	First  []int32
	// Clear holds, by state, VCs that no packet may hold when a packet comes into the state: other copies of it pass them. It is nil
	// if packets have no copies.
	Clear [][]int32
}

// before returns the states from which one hop leads to state i.
func (m *Model) before(i int32) []int32 { return m.Before[m.First[i]:m.First[i+1]] }

// Along returns a model in which each packet has one path, given by its VCs between switches, and the places
// of these packets. Packet k holds the last holds[k] VCs of its path.
func Along(vcs int, paths [][]int32, holds []int) (*Model, [][]int32) {
	m := &Model{VCs: vcs}
	var places [][]int32
	for k, path := range paths {
		for i, vc := range path {
			m.First = append(m.First, int32(len(m.Before)))
			if i > 0 {
				m.Before = append(m.Before, int32(len(m.VC))-1)
			}
			m.VC, m.Enters = append(m.VC, vc), append(m.Enters, i == 0)
		}
		var place []int32
		for i := len(m.VC) - holds[k]; i < len(m.VC); i++ {
			place = append(place, int32(i))
		}
		places = append(places, place)
	}
	m.First = append(m.First, int32(len(m.Before)))
	return m, places
}
