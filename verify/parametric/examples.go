package parametric

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file finds examples against the claims minimal, deterministic and fully-adaptive on one network.

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

// fartherHop returns a packet with as few hops as possible whose last hop does not decrease the distance to its destination, or nil.
func fartherHop(ctx context.Context, r model.Relation) (found *Example, err error) {
	n := r.Network()
	err = cdg.EachSpace(ctx, r, model.NoHost, func(d model.DestID, s *cdg.Space) error {
		distance := distancesTo(n, n.Head(n.InjectChannel(r.DestinationHost(d))))
		from := make([]int, len(s.States)) // by state: the state before it, or -1
		var queue []int
		for i, at := range s.States {
			from[i] = -2
			if c, _ := n.Channel(at.VC); n.Kind(c) == model.Inject {
				from[i] = -1
				queue = append(queue, i)
			}
		}
		for ; len(queue) > 0; queue = queue[1:] {
			i := queue[0]
			c, _ := n.Channel(s.States[i].VC)
			hops, next := s.HopsOf(i)
			for k, h := range hops {
				if !n.IsLinkVC(h.VC) {
					continue
				}
				out, _ := n.Channel(h.VC)
				if a, b := distance[n.Head(c)], distance[n.Head(out)]; b >= a {
					p := packetBy(n, s, from, i, h)
					if found == nil || len(p.Path) < len(found.Packets[0].Path) {
						found = &Example{Claim: "minimal", Relation: r, Before: a, After: b, Packets: []*cdg.Packet{p}}
					}
					return nil
				}
				if j := next[k]; j >= 0 && from[j] == -2 {
					from[j] = i
					queue = append(queue, int(j))
				}
			}
		}
		return nil
	})
	return found, err
}

// packetBy returns the packet that goes to state i, by the states before each, and then makes a hop. If i is -1, the hop is its first state.
func packetBy(n *model.Network, s *cdg.Space, from []int, i int, h model.Hop) *cdg.Packet {
	p := &cdg.Packet{Dest: s.Dest}
	for ; i >= 0; i = from[i] {
		p.Path = append(p.Path, s.States[i])
	}
	slices.Reverse(p.Path)
	p.Path = append(p.Path, model.State{VC: h.VC, Dest: s.Dest, Class: h.Class})
	first, _ := n.Channel(p.Path[0].VC)
	p.Source = n.HostOf(first)
	return p
}

// distancesTo returns the fewest links from each switch to a switch. Switches without a path have a greater distance than all others.
func distancesTo(n *model.Network, to model.SwitchID) []int {
	list := make([]int, n.NumSwitches())
	for u := range list {
		list[u] = n.NumSwitches()
	}
	list[to] = 0
	for queue := []model.SwitchID{to}; len(queue) > 0; queue = queue[1:] {
		for _, c := range n.Out(queue[0]) {
			if v := n.Head(c); n.IsLinkVC(n.VC(c, 0)) && list[v] == n.NumSwitches() {
				list[v] = list[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return list
}

func (x *Example) reason() string {
	switch x.Claim {
	case "minimal":
		return fmt.Sprintf("a hop of a packet leads from distance %d to distance %d", x.Before, x.After)
	case "deterministic":
		if len(x.Packets[0].Path) == 1 {
			return "a source has the choice of two header states"
		}
		return "a packet has the choice of two hops"
	}
	return "no packet can take some shortest path"
}

// evidence returns the evidence of a claim that an example refutes.
func (x *Example) evidence() cert.Claim {
	kind := map[string]string{"minimal": cert.EvidenceFarther, "deterministic": cert.EvidenceTwoHops, "fully-adaptive": cert.EvidenceBarred}
	return cert.Claim{Claim: x.Claim, Verdict: cert.Refuted, Evidence: kind[x.Claim], Packets: encode.Packets(x.Packets)}
}

// exampleOf returns an example against a claim of ExtraClaims with as few hops as possible, or nil.
func exampleOf(ctx context.Context, claim string, r model.Relation) (*Example, error) {
	switch claim {
	case "minimal":
		return fartherHop(ctx, r)
	case "deterministic":
		return twoHops(ctx, r)
	}
	return barredPath(ctx, r)
}

// checkExample returns a witness if the claim of s, which is one of ExtraClaims, fails on a network. The checker has accepted its example.
func (s *system) checkExample(r model.Relation, sides []int, switching model.Switching) (*Witness, error) {
	x, err := exampleOf(s.ctx, s.claims[0], r)
	if x == nil || err != nil {
		return nil, err
	}
	rep, err := verify.Check(s.ctx, r, verify.Options{Switching: switching, AllStates: true, NoPairs: true, NoSearch: true})
	if err != nil {
		return nil, err
	}
	c := *rep.Certificate
	c.Claims = []cert.Claim{x.evidence()}
	if err := cert.Check(&c); err != nil {
		return nil, fmt.Errorf("internal error: the checker rejects an example against %s: %w", x.Claim, err)
	}
	return &Witness{Network: s.spec(sides), Sides: sides, Report: rep, Example: x}, nil
}

// Refutes reports whether a report refutes a claim of ExtraClaims.
func (r *Report) Refutes(claim string) bool {
	return slices.ContainsFunc(r.Examples, func(w *Witness) bool { return w.Example.Claim == claim })
}
