package traffic

import (
	"fmt"
	"math/rand/v2"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// Collectives: all packets of a round exist at its beginning. The result is the time that the
// network takes for them.
//
// A source does not learn of arrivals. A round therefore begins at a fixed clock, or as soon as a
// host has sent the previous round. To make a round wait for all arrivals, give each round a
// Collective and a simulation of its own: the network is empty in between.

// CollectiveOptions say how much is sent. Packets and Flits are required.
type CollectiveOptions struct {
	Packets int // packets of each host in a round
	Flits   int // length of a packet
	Rounds  int // defaults to 1
	// Every is the number of clocks between the beginnings of two rounds. If 0, all rounds begin
	// at clock 0, and a host sends them one after the other.
	Every engine.Clock
	Seed  uint64
	Dests []model.DestID // as in Options
}

// Collective is a source of rounds. A host without a destination sends nothing. All others send
// the same number of packets, whatever their Share.
type Collective struct {
	pattern Pattern
	o       CollectiveOptions
	random  []*rand.Rand // by host
	sent    []int64      // by host: packets sent so far
}

// NewCollective returns a source for n's hosts.
func NewCollective(n *model.Network, p Pattern, o CollectiveOptions) (*Collective, error) {
	o.Rounds = max(o.Rounds, 1)
	switch {
	case o.Packets < 1 || o.Packets > 1<<30 || o.Rounds > 1<<30:
		return nil, fmt.Errorf("traffic: %d rounds of %d packets a host, allowed are 1 to %d of each", o.Rounds, o.Packets, 1<<30)
	case o.Flits < 1:
		return nil, fmt.Errorf("traffic: packets of %d flits, at least 1 is needed", o.Flits)
	case o.Every < 0 || o.Every > never/engine.Clock(o.Rounds):
		return nil, fmt.Errorf("traffic: %d rounds every %d clocks", o.Rounds, o.Every)
	}
	if err := checkDests(o.Dests, n.NumHosts()); err != nil {
		return nil, err
	}
	c := &Collective{pattern: p, o: o, random: make([]*rand.Rand, n.NumHosts()), sent: make([]int64, n.NumHosts())}
	for h := range c.random {
		c.random[h] = rand.New(rand.NewPCG(o.Seed, uint64(h)))
	}
	return c, nil
}

// Packets returns the number of packets that all hosts with a Share send in all rounds. The
// collective is complete when that many packets have arrived.
func (c *Collective) Packets() (sum int64) {
	for h := range c.sent {
		if Share(c.pattern, model.HostID(h)) > 0 {
			sum += c.perHost()
		}
	}
	return sum
}

func (c *Collective) perHost() int64 { return int64(c.o.Packets) * int64(c.o.Rounds) }

// Next implements engine.Source. The ID of a host's packet k is k*hosts + host.
func (c *Collective) Next(h model.HostID) (engine.Packet, bool) {
	k := c.sent[h]
	if k == c.perHost() || Share(c.pattern, h) == 0 {
		return engine.Packet{}, false
	}
	d := c.pattern.Dest(h, c.random[h])
	if d == model.NoHost {
		c.sent[h] = c.perHost()
		return engine.Packet{}, false
	}
	c.sent[h]++
	created := engine.Clock(k/int64(c.o.Packets)) * c.o.Every
	return engine.Packet{Created: created, Source: h, Dest: dest(c.o.Dests, d), Flits: c.o.Flits, ID: k*int64(len(c.sent)) + int64(h)}, true
}
