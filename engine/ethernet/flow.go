package ethernet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file computes the path of each flow before the run. Routing is deterministic, or a hash chooses one of the next hops for a
// flow at each switch (ECMP, model.Committer). So the relation is asked once for each hop.
//
// Each path is checked: one next hop for each state, no repeated state, and the last switch is
// that of the destination host. Memory: 24 bytes for each hop of each flow.

// FirstClass, as the class of a flow, is the first class that the relation offers.
const FirstClass model.Class = -1

// addPath appends the hops of flow f to s.place.
func (s *Sim) addPath(rel model.Relation, f *Flow, number int) error {
	hash := rand.New(rand.NewPCG(s.o.Seed, 0x68617368<<32|uint64(number)))
	k, err := entryClass(rel, f)
	if err != nil {
		return err
	}
	f.Class = k
	n, seen := s.net, map[model.State]bool{}
	x := model.InjectState(rel, f.Source, f.Dest, k)
	for hops := []model.Hop(nil); ; x.VC, x.Class = hops[0].VC, hops[0].Class {
		c, i := n.Channel(x.VC)
		p := s.placeOf(c, i, x.Class)
		s.place = append(s.place, p)
		if p.last {
			if h := n.HostOf(c); h != rel.DestinationHost(f.Dest) {
				return fmt.Errorf("ends at %s, destination %d is %s", n.HostLabel(h), f.Dest, n.HostLabel(rel.DestinationHost(f.Dest)))
			}
			return nil
		}
		if seen[x] {
			return fmt.Errorf("goes round for ever: comes back to channel %d in class %d", c, x.Class)
		}
		seen[x] = true
		if hops = rel.Next(x, hops[:0]); len(hops) > 1 && commits(rel, x) {
			hops = append(hops[:0], choose(n, hops, f.Via, hash))
		}
		if len(hops) != 1 {
			return fmt.Errorf("%d next hops at switch %s (channel %d, class %d), Ethernet has one", len(hops), n.SwitchName(n.Head(c)), c, x.Class)
		}
	}
}

// commits reports whether a hash chooses the next hop of a packet.
func commits(rel model.Relation, x model.State) bool {
	c, ok := rel.(model.Committer)
	return ok && c.Commits(x)
}

// choose returns a next hop: one in via, or else one between switches, if there is one. Others drop frames, or deliver them.
func choose(n *model.Network, hops []model.Hop, via []model.ChannelID, hash *rand.Rand) model.Hop {
	var list []model.Hop
	for _, h := range hops {
		c, _ := n.Channel(h.VC)
		if slices.Contains(via, c) {
			return h
		}
		if n.Kind(c) == model.SwitchToSwitch {
			list = append(list, h)
		}
	}
	if len(list) == 0 {
		list = hops
	}
	return list[hash.IntN(len(list))]
}

func (s *Sim) placeOf(c model.ChannelID, priority int, k model.Class) place {
	kind := s.net.Kind(c)
	p := place{
		vc: int32(s.net.VC(c, priority)), channel: int32(c), class: int32(k),
		first: kind == model.Inject, last: kind == model.Eject,
	}
	p.account, p.bit = p.vc, 1<<priority
	if s.o.Control == Pause {
		p.account, p.bit = p.channel, 1
	}
	return p
}

// entryClass checks f and returns the class of its frames at injection.
func entryClass(rel model.Relation, f *Flow) (model.Class, error) {
	switch {
	case f.Source < 0 || int(f.Source) >= rel.Sources():
		return 0, fmt.Errorf("no source %d, sources are 0 to %d", f.Source, rel.Sources()-1)
	case f.Dest < 0 || int(f.Dest) >= rel.Destinations():
		return 0, fmt.Errorf("no destination %d, destinations are 0 to %d", f.Dest, rel.Destinations()-1)
	case rel.DestinationHost(f.Dest) == f.Source:
		return 0, fmt.Errorf("from host %d to itself", f.Source)
	case !(f.Rate > 0) || math.IsInf(f.Rate, 0):
		return 0, fmt.Errorf("rate of %v bit/s, it must be above 0", f.Rate)
	case f.Start < 0 || f.Start > 1e6*Second:
		return 0, fmt.Errorf("starts at %v s, allowed are 0 to 1e6", f.Start.Seconds())
	}
	offered := rel.Inject(f.Source, f.Dest, nil)
	for _, k := range offered {
		if f.Class == FirstClass || f.Class == k {
			return k, nil
		}
	}
	if len(offered) == 0 {
		return 0, fmt.Errorf("no route from host %d to destination %d", f.Source, f.Dest)
	}
	return 0, fmt.Errorf("class %d is not offered from host %d to destination %d, offered are %v", f.Class, f.Source, f.Dest, offered[:min(len(offered), 10)])
}

// Arrives reports whether the frames of a flow arrive at their host for every choice of the hash. The flow has a source and destination of
// the relation. Cost: O(states).
func Arrives(rel model.Relation, f Flow) bool {
	k, err := entryClass(rel, &f)
	if err != nil {
		return false
	}
	n := rel.Network()
	seen, todo := map[model.State]bool{}, []model.State{model.InjectState(rel, f.Source, f.Dest, k)}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		c, _ := n.Channel(x.VC)
		if n.Kind(c) == model.Eject {
			if n.HostOf(c) != rel.DestinationHost(f.Dest) {
				return false
			}
			continue
		}
		hops := rel.Next(x, nil)
		if len(hops) == 0 {
			return false
		}
		for _, h := range hops {
			if to := (model.State{VC: h.VC, Dest: x.Dest, Class: h.Class}); !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return true
}
