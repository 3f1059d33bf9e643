package quality

import (
	"context"
	"errors"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
)

// Options of Measure. The zero value computes all measures.
type Options struct {
	Bisections int   // number of random bisections; defaults to DefaultBisections, negative: none
	MaxEdges   int64 // bound of the memory of Permutation, 8 bytes each; defaults to DefaultEdges
	MaxSteps   int64 // bound of the steps of Shifts, one for each host and shift; defaults to DefaultSteps
}

// Defaults of Options.
const (
	DefaultBisections = 200
	DefaultEdges      = 1 << 25
	DefaultSteps      = 1 << 28
)

// Measures are the measures of a routing. Pairs without a path count in Lost only.
type Measures struct {
	Network  *model.Network
	Pairs    int64     // ordered pairs of a host and an address of another host
	Lost     int64     // pairs without a path
	Hops     []int64   // by number of hops: pairs with a path of this length
	Shortest []int64   // by number of hops: pairs that the network connects by no shorter path
	Detour   []int64   // by number of hops above the shortest: pairs
	Farthest Pair      // the first pair with a longest path
	Ports    []int64   // by number of ports: pairs of a switch and an address to which this many ports lead on shortest paths
	Channels []Channel // by channel between switches
	Ranks    []int     // by switch: links to the nearest switch with hosts, or -1

	Permutation *Permutation // the worst permutation, or nil if it exceeds Options.MaxEdges
	Shifts      *Shifts      // traffic in rounds, or nil if it exceeds Options.MaxSteps
	Bisection   *Bisection   // random bisections, or nil
}

// Pair is a host and an address of another host. Hosts are NoHost if there is no such pair.
type Pair struct {
	From, To model.HostID
	Dest     model.DestID
}

// Channel is the use of a channel between switches.
type Channel struct {
	Paths       int64 // pairs whose path has the channel
	Sources     int   // hosts with such a path
	Addresses   int   // addresses with such a path; ibdmchk: NUM-DLIDS
	Permutation int   // largest load under a permutation, or -1 if not computed
}

// ErrSeveral means that a pair has several paths.
var ErrSeveral = errors.New("the routing permits several paths for a pair of hosts")

// ErrNoPairs means that no host sends to another one.
var ErrNoPairs = errors.New("no host sends to another one")

// perDest is what the paths to one address add.
type perDest struct {
	to                     model.HostID
	pairs, lost            int64
	hops, shortest, detour []int64
	ports                  []int64
	farthest               Pair
	uses                   []use
}

// use says that hosts of a group send to the address over a channel.
type use struct {
	channel model.ChannelID
	group   int32
	hosts   int32
}

// Measure computes the measures of a routing. It fails with ErrSeveral if a pair has several paths, and
// with ErrNoPairs. Cost: one walk for each pair of a
// switch with hosts and an address, or of a host and an address if packets of the same switch can have different ends; one
// breadth-first search for each switch with hosts; the costs of Permutation, Shifts and Bisection.
func Measure(ctx context.Context, r model.Relation, o Options) (*Measures, error) {
	n := r.Network()
	p := newPaths(r)
	m := &Measures{Network: n, Channels: make([]Channel, n.NumLinkChannels()), Farthest: Pair{model.NoHost, model.NoHost, -1}, Ranks: ranks(n)}
	edges, kept := make([][]edge, n.NumLinkChannels()), int64(0)
	limit := orDefault(o.MaxEdges, DefaultEdges)
	seen := newSources(p, len(m.Channels))
	walkers := make([]*walker, parallel.Workers(r.Destinations()))
	last := make([]model.DestID, len(m.Channels)) // by channel: 1 + the last address that was counted
	number := model.DestID(0)
	err := parallel.InOrder(ctx, len(walkers), r.Destinations(), func(w, d int, x *perDest) error {
		if walkers[w] == nil {
			walkers[w] = p.newWalker()
		}
		return walkers[w].toDest(model.DestID(d), x)
	}, func(x *perDest) {
		number++
		m.add(x)
		for _, u := range x.uses {
			c := &m.Channels[u.channel]
			if c.Paths += int64(u.hosts); last[u.channel] != number {
				last[u.channel] = number
				c.Addresses++
			}
			c.Sources += seen.add(u)
			if kept++; kept <= limit {
				edges[u.channel] = append(edges[u.channel], edge{u.group, int32(x.to)})
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if m.Pairs == 0 {
		return nil, ErrNoPairs
	}
	if kept <= limit {
		m.Permutation, err = m.permutations(ctx, p, edges)
	} else {
		for c := range m.Channels {
			m.Channels[c].Permutation = -1
		}
	}
	if err == nil && int64(n.NumHosts())*int64(n.NumHosts()) <= orDefault(o.MaxSteps, DefaultSteps) {
		m.Shifts, err = shifts(ctx, p)
	}
	if k := orDefault(int64(o.Bisections), DefaultBisections); err == nil && k > 0 && n.NumHosts() > 1 {
		m.Bisection, err = bisections(ctx, p, int(k))
	}
	return m, err
}

// orDefault returns x, or the default if x is 0.
func orDefault(x, otherwise int64) int64 {
	if x == 0 {
		return otherwise
	}
	return x
}

// add adds the counts of one address.
func (m *Measures) add(x *perDest) {
	m.Pairs, m.Lost = m.Pairs+x.pairs, m.Lost+x.lost
	if len(x.hops) > len(m.Hops) {
		m.Farthest = x.farthest
	}
	m.Hops, m.Shortest = sum(m.Hops, x.hops), sum(m.Shortest, x.shortest)
	m.Detour, m.Ports = sum(m.Detour, x.detour), sum(m.Ports, x.ports)
}

// sum adds the numbers of b to those of a.
func sum(a, b []int64) []int64 {
	for i, k := range b {
		a = count(a, i, k)
	}
	return a
}

// count adds k to number i of a histogram, which grows as needed.
func count(a []int64, i int, k int64) []int64 {
	for len(a) <= i {
		a = append(a, 0)
	}
	a[i] += k
	return a
}

// sources counts the hosts that send over each channel.
type sources struct {
	hosts  []int32    // by group
	groups [][]uint64 // by channel: a bit for each group that was counted
}

func newSources(p *paths, channels int) *sources {
	return &sources{p.sizes(), make([][]uint64, channels)}
}

// add returns the number of hosts that a use adds to those of its channel.
func (s *sources) add(u use) int {
	set := s.groups[u.channel]
	if set == nil {
		set = make([]uint64, (len(s.hosts)+63)/64)
		s.groups[u.channel] = set
	}
	if bit := uint64(1) << (u.group % 64); set[u.group/64]&bit == 0 {
		set[u.group/64] |= bit
		return int(s.hosts[u.group])
	}
	return 0
}
