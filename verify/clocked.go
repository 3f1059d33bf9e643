package verify

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file decides whether a wormhole network without pauses reaches a deadlock. In each clock every head that may
// enter a free VC does so, unless other heads take all its free VCs in this clock. It visits all states of the network.
//
// Model: a buffer holds one flit, so a packet moves as a whole. Its flits lie on consecutive VCs, from its tail to its
// head. A VC is free if it was empty at the start of the clock. An arrived packet leaves by one flit in each clock. A host
// begins to send at any clock, packets of any length. So the length of a packet is left open until its tail is sent.
//
// Promise: a deadlock after the fewest clocks, or the number of states. Cost: O(states × choices in a clock).
// docs/theorems/clocked.md has the theorem. Source: Schwiebert 1997.

const (
	maxClockedStates  = 300_000    // beyond them the claim is undecided
	maxClockedChoices = 20_000_000 // the same, for choices in a clock
)

// train is a packet in the network: the VCs of its flits, from tail to head.
type train struct {
	vcs  []int32
	head int32 // the state of its head, or -1 if the head has arrived
	open bool  // its tail has not been sent
	from int   // its index in the state before, or -1 if it is new
}

// clocked is the states of packets, by number.
type clocked struct {
	states []model.State
	hops   [][]int32 // by state: the next states
	starts [][]int32 // by host: the states of packets that it may send
	from   []int32   // by host: its injection VC
	arrive []bool    // by state: a packet there leaves the network
}

// newClocked lists the states of a relation, and one more for each VC that a packet leaves the network from.
func newClocked(ctx context.Context, r model.Relation) (*clocked, error) {
	n, x, c := r.Network(), cdg.NewExplorer(r), &clocked{}
	c.starts, c.from = make([][]int32, n.NumHosts()), make([]int32, n.NumHosts())
	for d := range model.DestID(r.Destinations()) {
		s, number := x.Explore(d), map[model.State]int32{}
		of := func(s model.State) int32 {
			if _, ok := number[s]; !ok {
				number[s] = int32(len(c.states))
				c.states, c.hops = append(c.states, s), append(c.hops, nil)
			}
			return number[s]
		}
		for i, st := range s.States {
			k := of(st)
			hops, _ := s.HopsOf(i)
			if ch, _ := n.Channel(st.VC); n.Kind(ch) == model.Inject && len(hops) > 0 {
				h := n.HostOf(ch)
				c.starts[h], c.from[h] = append(c.starts[h], k), int32(st.VC)
			}
			for _, h := range hops {
				if to := of(model.State{VC: h.VC, Class: h.Class, Dest: d}); !slices.Contains(c.hops[k], to) {
					c.hops[k] = append(c.hops[k], to)
				}
			}
		}
		if err := errors.Join(ctx.Err(), x.Err()); err != nil {
			return nil, err
		}
	}
	for i := range c.states {
		ch, _ := n.Channel(c.states[i].VC)
		c.arrive = append(c.arrive, n.Kind(ch) == model.Eject || len(c.hops[i]) == 0)
	}
	return c, nil
}

// arrived returns the state of a head that has moved to state k.
func (c *clocked) arrived(k int32) int32 {
	if c.arrive[k] {
		return -1
	}
	return k
}

// taken returns the VCs with a flit.
func taken(list []train) map[int32]int {
	m := map[int32]int{}
	for i, t := range list {
		for _, v := range t.vcs {
			m[v] = i
		}
	}
	return m
}

// each calls visit for each state that can follow a state after one clock. The packets are not sorted.
func (c *clocked) each(list []train, visit func([]train) bool) {
	full := taken(list)
	to := make([]int32, len(list))
	c.assign(list, full, to, map[int32]bool{}, 0, func() bool { return c.shift(list, full, to, nil, 0, visit) })
}

// assign chooses the next state of each head from packet i on, or -1 if it stays.
func (c *clocked) assign(list []train, full map[int32]int, to []int32, won map[int32]bool, i int, visit func() bool) bool {
	if i == len(list) {
		return !c.isGreedy(list, full, to, won) || visit()
	}
	if to[i] = -1; list[i].head >= 0 {
		for _, k := range c.hops[list[i].head] {
			v := int32(c.states[k].VC)
			if _, busy := full[v]; busy || won[v] {
				continue
			}
			to[i], won[v] = k, true
			more := c.assign(list, full, to, won, i+1, visit)
			if delete(won, v); !more {
				return false
			}
		}
		to[i] = -1
	}
	return c.assign(list, full, to, won, i+1, visit)
}

// isGreedy reports whether no head stays that has a free VC which no other head takes.
func (c *clocked) isGreedy(list []train, full map[int32]int, to []int32, won map[int32]bool) bool {
	for i, t := range list {
		if t.head < 0 || to[i] >= 0 {
			continue
		}
		for _, k := range c.hops[t.head] {
			v := int32(c.states[k].VC)
			if _, busy := full[v]; !busy && !won[v] {
				return false
			}
		}
	}
	return true
}

// shift moves the packets from packet i on, and chooses whether they send their tails.
func (c *clocked) shift(list []train, full map[int32]int, to []int32, after []train, i int, visit func([]train) bool) bool {
	if i == len(list) {
		return c.inject(full, after, 0, visit)
	}
	t := list[i]
	t.from = i
	if t.head >= 0 && to[i] < 0 {
		return c.shift(list, full, to, append(after[:i:i], t), i+1, visit)
	}
	if t.head >= 0 {
		t.vcs, t.head = append(t.vcs[:len(t.vcs):len(t.vcs)], int32(c.states[to[i]].VC)), c.arrived(to[i])
	}
	if !t.open {
		t.vcs = t.vcs[1:]
		return c.shift(list, full, to, append(after[:i:i], t), i+1, visit)
	}
	for _, open := range []bool{false, true} {
		if t.open = open; !c.shift(list, full, to, append(after[:i:i], t), i+1, visit) {
			return false
		}
	}
	return true
}

// inject chooses a packet, or none, for each host from host h on.
func (c *clocked) inject(full map[int32]int, after []train, h int, visit func([]train) bool) bool {
	if h == len(c.starts) {
		return visit(slices.DeleteFunc(slices.Clone(after), func(t train) bool { return len(t.vcs) == 0 }))
	}
	if !c.inject(full, after, h+1, visit) {
		return false
	}
	if _, busy := full[c.from[h]]; busy {
		return true
	}
	for _, k := range c.starts[h] {
		for _, open := range []bool{false, true} {
			t := train{vcs: c.from[h : h+1], head: k, open: open, from: -1}
			if !c.inject(full, append(after[:len(after):len(after)], t), h+1, visit) {
				return false
			}
		}
	}
	return true
}

// blocked returns the packets that can never move: the greatest set each of which waits for VCs of the set.
func (c *clocked) blocked(list []train) (stuck []int) {
	full, left := taken(list), make([]bool, len(list))
	for more := true; more; {
		more = false
		for i, t := range list {
			if left[i] || t.head >= 0 && !slices.ContainsFunc(c.hops[t.head], func(k int32) bool {
				by, busy := full[int32(c.states[k].VC)]
				return !busy || left[by]
			}) {
				continue
			}
			left[i], more = true, true
		}
	}
	for i := range list {
		if !left[i] {
			stuck = append(stuck, i)
		}
	}
	return stuck
}

// pack returns a state of the network as text, with its packets ascending by the VC of their tails.
func pack(list []train) string {
	slices.SortFunc(list, func(a, b train) int { return int(a.vcs[0] - b.vcs[0]) })
	var key []byte
	for _, t := range list {
		open := uint64(0)
		if t.open {
			open = 1
		}
		key = binary.AppendUvarint(key, uint64(len(t.vcs))<<1|open)
		key = binary.AppendUvarint(key, uint64(t.head+1))
		for _, v := range t.vcs {
			key = binary.AppendUvarint(key, uint64(v))
		}
	}
	return string(key)
}

// unpackTrains returns the packets of a text from pack.
func unpackTrains(text string) (list []train) {
	key := []byte(text)
	next := func() uint64 {
		value, n := binary.Uvarint(key)
		key = key[n:]
		return value
	}
	for len(key) > 0 {
		size := next()
		t := train{open: size&1 == 1, head: int32(next()) - 1}
		for range size >> 1 {
			t.vcs = append(t.vcs, int32(next()))
		}
		list = append(list, t)
	}
	return list
}

// clockedSearch is a search over all states of the network: their texts, and the state before each.
type clockedSearch struct {
	*clocked
	number map[string]int32
	keys   []string
	before []int32
	full   bool // a limit has ended the search
}

// search visits the states in the order of clocks. It returns the first one with a deadlock, or -1.
func (s *clockedSearch) search(ctx context.Context) (int32, error) {
	s.number = map[string]int32{"": 0}
	s.keys, s.before = []string{""}, []int32{-1}
	choices, found := 0, int32(-1)
	for at := int32(0); int(at) < len(s.keys) && found < 0 && !s.full; at++ {
		s.each(unpackTrains(s.keys[at]), func(list []train) bool {
			choices++
			key := pack(list)
			if _, known := s.number[key]; !known {
				s.number[key] = int32(len(s.keys))
				s.keys, s.before = append(s.keys, key), append(s.before, at)
				if len(s.blocked(list)) > 0 {
					found = s.number[key]
				}
			}
			s.full = len(s.keys) > maxClockedStates || choices > maxClockedChoices
			return found < 0 && !s.full && (choices%1024 != 0 || ctx.Err() == nil)
		})
		if err := ctx.Err(); err != nil {
			return -1, err
		}
	}
	return found, nil
}

// checkPauses returns an error for a network whose states without pauses are not defined.
func checkPauses(r model.Relation, o *Options) error {
	switch {
	case o.Switching != model.Wormhole || o.Open:
		return errors.New("cannot decide a network without pauses: want wormhole switching")
	case o.Gating != nil || o.Flow != nil || o.Messages != nil || o.Protocol != nil || o.Multicast != nil && len(o.Multicast.Groups) > 0:
		return errors.New("cannot decide a network without pauses together with gates, flow control of rings, messages or multicast tables")
	case o.Sizes != nil:
		return errors.New("cannot decide a network without pauses for given sizes: packets have any length, and a buffer holds one flit")
	case r.Network().VCs() > 1:
		return fmt.Errorf("cannot decide a network without pauses with %d VCs per channel, which share its clocks: want 1", r.Network().VCs())
	}
	return nil
}

// decideByClocks visits all states of a network without pauses.
func decideByClocks(ctx context.Context, rep *Report) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	claim.Premises = append(claim.Premises, PremiseClocked)
	c, err := newClocked(ctx, rep.Relation)
	if err != nil {
		return cert.Claim{}, err
	}
	s := &clockedSearch{clocked: c}
	found, err := s.search(ctx)
	switch {
	case err != nil:
		return cert.Claim{}, err
	case found >= 0:
		claim.Verdict, claim.Theorem = Refuted, theoremClockedRun
		return s.refute(rep, found), nil
	case s.full:
		claim.Verdict = Undecided
		claim.Reason = fmt.Sprintf("no run into a deadlock among %d states of the network without pauses, and there are more", len(s.keys))
		return cert.Claim{}, nil
	}
	claim.Theorem = theoremClockedStates
	return cert.Claim{Evidence: cert.EvidenceClockedStates, Steps: &cert.Ints{int32(len(s.keys))}}, nil
}
