package parametric

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file finds examples against the claims deterministic and fully-adaptive on one network.

// twoHops returns two packets from one source to one destination, with as few hops as possible, that differ in their last state, or nil.
func twoHops(ctx context.Context, r model.Relation) (found *Example, err error) {
	n := r.Network()
	err = cdg.EachSpace(ctx, r, model.NoHost, func(d model.DestID, s *cdg.Space) error {
		from := make([]int, len(s.States)) // by state: the state before it, or -1
		var queue []int
		for i, at := range s.States {
			from[i] = -2
			c, _ := n.Channel(at.VC)
			if n.Kind(c) != model.Inject {
				continue
			}
			if i > 0 && s.States[i-1].VC == at.VC { // two classes from one source
				list := []*cdg.Packet{packetBy(n, s, nil, -1, model.Hop{VC: at.VC, Class: s.States[i-1].Class}),
					packetBy(n, s, nil, -1, model.Hop{VC: at.VC, Class: at.Class})}
				slices.SortFunc(list, func(p, q *cdg.Packet) int { return compareStates(p.Path[0], q.Path[0]) })
				found = &Example{Claim: "deterministic", Relation: r, Packets: list}
				return nil
			}
			from[i] = -1
			queue = append(queue, i)
		}
		for ; len(queue) > 0; queue = queue[1:] {
			i := queue[0]
			hops, next := s.HopsOf(i)
			if k := slices.IndexFunc(hops, func(h model.Hop) bool { return h != hops[0] }); k > 0 {
				if list := []*cdg.Packet{packetBy(n, s, from, i, hops[0]), packetBy(n, s, from, i, hops[k])}; found == nil ||
					len(list[0].Path) < len(found.Packets[0].Path) {
					slices.SortFunc(list, func(p, q *cdg.Packet) int { return compareStates(p.Path[len(p.Path)-1], q.Path[len(q.Path)-1]) })
					found = &Example{Claim: "deterministic", Relation: r, Packets: list}
				}
				return nil
			}
			for _, j := range next {
				if j >= 0 && from[j] == -2 {
					from[j] = i
					queue = append(queue, int(j))
				}
			}
		}
		return nil
	})
	return found, err
}

// compareStates compares by VC, then by class.
func compareStates(a, b model.State) int {
	return cmp.Or(cmp.Compare(a.VC, b.VC), cmp.Compare(a.Class, b.Class))
}

// prefix is the begin of a shortest path: where packets can be that follow it, and the prefix before.
type prefix struct {
	states  []int // in the space of the destination, ascending
	channel model.ChannelID
	before  *prefix
	hops    int
}

// barredPath returns a path with as few hops as possible that leads nearer to its destination with each hop, and that no packet can take, or nil.
// It visits each set of states after the same channel once for each source.
func barredPath(ctx context.Context, r model.Relation) (found *Example, err error) {
	n := r.Network()
	err = cdg.EachSpace(ctx, r, model.NoHost, func(d model.DestID, s *cdg.Space) error {
		distance := distancesTo(n, n.Head(n.InjectChannel(r.DestinationHost(d))))
		for h := range model.HostID(r.Sources()) {
			if h == r.DestinationHost(d) {
				continue
			}
			if p := barredFrom(n, s, h, distance); p != nil && (found == nil || p.hops < len(found.Packets[0].Path)-1) {
				found = &Example{Claim: "fully-adaptive", Relation: r, Packets: []*cdg.Packet{p.packet(n, h, d)}}
			}
		}
		return nil
	})
	return found, err
}

// firstPrefix returns the path of packets that a source has just created.
func firstPrefix(n *model.Network, s *cdg.Space, h model.HostID) *prefix {
	first := &prefix{channel: n.InjectChannel(h)}
	for i, at := range s.States {
		if c, _ := n.Channel(at.VC); c == first.channel {
			first.states = append(first.states, i)
		}
	}
	return first
}

// nearer returns the paths with one more hop, which leads nearer to the destination.
func (p *prefix) nearer(n *model.Network, s *cdg.Space, distance []int) (list []*prefix) {
	u := n.Head(p.channel)
	for _, c := range n.Out(u) {
		if !n.IsLinkVC(n.VC(c, 0)) || distance[n.Head(c)] != distance[u]-1 {
			continue
		}
		q := &prefix{channel: c, before: p, hops: p.hops + 1}
		for _, i := range p.states {
			hops, next := s.HopsOf(i)
			for k, x := range hops {
				if onto, _ := n.Channel(x.VC); onto == c {
					q.states = append(q.states, int(next[k]))
				}
			}
		}
		slices.Sort(q.states)
		q.states = slices.Compact(q.states)
		list = append(list, q)
	}
	return list
}

// barredFrom is barredPath from one source to the destination of a space.
func barredFrom(n *model.Network, s *cdg.Space, h model.HostID, distance []int) *prefix {
	seen := map[string]bool{}
	for queue := []*prefix{firstPrefix(n, s, h)}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if len(p.states) == 0 {
			return p
		}
		for _, q := range p.nearer(n, s, distance) {
			if key := fmt.Sprint(q.channel, q.states); !seen[key] {
				seen[key] = true
				queue = append(queue, q)
			}
		}
	}
	return nil
}

// packet returns the path as that of a packet with the first VC of each channel.
func (p *prefix) packet(n *model.Network, h model.HostID, d model.DestID) *cdg.Packet {
	made := &cdg.Packet{Source: h, Dest: d}
	for ; p != nil; p = p.before {
		made.Path = append(made.Path, model.State{VC: n.VC(p.channel, 0), Dest: d})
	}
	slices.Reverse(made.Path)
	return made
}
