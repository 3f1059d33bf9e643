package quality

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
)

// This file measures traffic in which each host sends to one host at a time: the rounds of an all-to-all exchange, and random bisections.
// Packets go to the first address of a host. A packet without a path loads nothing.

// Shifts is an all-to-all exchange in rounds. In round k, host i sends to host i+k, modulo the number of hosts; hosts have the order
// of the network. A round without contention loads each channel with at most 1.
//
// Source: E. Zahavi, Fat-tree routing and node ordering providing contention free traffic for MPI global collectives, Journal of Parallel
// and Distributed Computing 72, 2012.
type Shifts struct {
	Rounds int
	Mean   float64         // of the load of the busiest channel of each round
	Most   int             // the largest load of a channel in a round
	Round  int             // the first round with it, or 0
	At     model.ChannelID // a channel with it, or NoChannel
	Free   int             // rounds without contention
}

// Bisection is random bisections: the hosts are split at random in halves, and each host exchanges packets with one host of the other
// half, both ways. A packet gets 1/L of the bandwidth of a link, where L is the largest load of a channel on its path.
//
// Source: T. Hoefler, T. Schneider and A. Lumsdaine, Multistage switches are not crossbars: effects of static routing in high-performance
// networks, IEEE Cluster 2008.
type Bisection struct {
	Samples int
	Mean    float64 // bandwidth of a packet, on average over all samples, as a part of that of a link
	Least   float64 // the average of the worst sample
}

// load counts the packets on each channel.
type load struct {
	*walker
	count []int32
	used  []model.ChannelID
}

func newLoad(p *paths) *load {
	return &load{walker: p.newWalker(), count: make([]int32, p.n.NumLinkChannels())}
}

// reset sets all counts to 0.
func (l *load) reset() {
	for _, c := range l.used {
		l.count[c] = 0
	}
	l.used = l.used[:0]
}

// find stores the path of packets between two hosts. It returns false if there is none.
func (l *load) find(from, to model.HostID) (bool, error) {
	if from == to || len(l.dests[to]) == 0 || !model.Sends(l.r, from, l.dests[to][0]) {
		return false, nil
	}
	return l.walk(from, l.dests[to][0])
}

// send adds a packet between two hosts.
func (l *load) send(from, to model.HostID) error {
	ok, err := l.find(from, to)
	if err != nil || !ok {
		return err
	}
	for _, c := range l.path {
		if l.count[c]++; l.count[c] == 1 {
			l.used = append(l.used, c)
		}
	}
	return nil
}

// round is the busiest channel of a round.
type round struct {
	most int32
	at   model.ChannelID
}

// shifts measures all rounds.
func shifts(ctx context.Context, p *paths) (*Shifts, error) {
	hosts := p.n.NumHosts()
	loads := make([]*load, parallel.Workers(hosts-1))
	s, number, total := &Shifts{Rounds: hosts - 1, At: model.NoChannel}, 0, int64(0)
	err := parallel.InOrder(ctx, len(loads), hosts-1, func(w, i int, x *round) error {
		if loads[w] == nil {
			loads[w] = newLoad(p)
		}
		l := loads[w]
		l.reset()
		for h := range hosts {
			if err := l.send(model.HostID(h), model.HostID((h+i+1)%hosts)); err != nil {
				return err
			}
		}
		*x = round{0, model.NoChannel}
		for _, c := range l.used {
			if k := l.count[c]; k > x.most || k == x.most && c < x.at {
				*x = round{k, c}
			}
		}
		return nil
	}, func(x *round) {
		number++
		total += int64(x.most)
		if x.most <= 1 {
			s.Free++
		}
		if int(x.most) > s.Most {
			s.Most, s.Round, s.At = int(x.most), number, x.at
		}
	})
	if s.Rounds > 0 {
		s.Mean = float64(total) / float64(s.Rounds)
	}
	return s, err
}

// Halves returns the partner of each host in bisection number i. One host has no partner, NoHost, if their number is odd.
func Halves(hosts, i int) []model.HostID {
	order := rand.New(rand.NewPCG(1, uint64(i))).Perm(hosts)
	partner, half := make([]model.HostID, hosts), hosts/2
	for h := range partner {
		partner[h] = model.NoHost
	}
	for k := range half {
		a, b := order[k], order[half+k]
		partner[a], partner[b] = model.HostID(b), model.HostID(a)
	}
	return partner
}

// bisections measures random bisections.
func bisections(ctx context.Context, p *paths, samples int) (*Bisection, error) {
	hosts := p.n.NumHosts()
	loads := make([]*load, parallel.Workers(samples))
	b, total := &Bisection{Samples: samples, Least: math.Inf(1)}, 0.0
	err := parallel.InOrder(ctx, len(loads), samples, func(w, i int, x *float64) error {
		if loads[w] == nil {
			loads[w] = newLoad(p)
		}
		var err error
		*x, err = loads[w].bandwidth(Halves(hosts, i))
		return err
	}, func(x *float64) {
		total, b.Least = total+*x, min(b.Least, *x)
	})
	b.Mean = total / float64(samples)
	return b, err
}

// bandwidth returns the bandwidth of a packet on average. A lost packet has none.
func (l *load) bandwidth(partner []model.HostID) (float64, error) {
	l.reset()
	for h, to := range partner {
		if to != model.NoHost {
			if err := l.send(model.HostID(h), to); err != nil {
				return 0, err
			}
		}
	}
	sum, packets := 0.0, 0
	for h, to := range partner {
		if to == model.NoHost {
			continue
		}
		packets++
		ok, err := l.find(model.HostID(h), to)
		if err != nil {
			return 0, err
		}
		if !ok {
			continue
		}
		most := int32(1)
		for _, c := range l.path {
			most = max(most, l.count[c])
		}
		sum += 1 / float64(most)
	}
	return sum / float64(max(packets, 1)), nil
}
