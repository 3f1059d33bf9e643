package everysize_test

import (
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges flow control of rings by all states of small networks. It shares no code with the judge.

// flowNetwork is a network with flow control of rings.
type flowNetwork struct {
	*small
	f    *cert.ProgramFlow
	next map[packetState][]packetState // none: the packet is delivered
	ring map[channelID]channelID       // by channel of a ring: the first one of the ring
	size map[channelID]int             // by first channel of a ring: its channels
	from []packetState                 // created packets
}

// newFlowNetwork finds the rings of a network: channels of one direction and VC from each of which packets go on to the next.
// It fails if dependencies have a cycle that is no ring.
func newFlowNetwork(n *small, f *cert.ProgramFlow, sends func(s packetState) bool) (*flowNetwork, error) {
	x := &flowNetwork{small: n, f: f, next: map[packetState][]packetState{}, ring: map[channelID]channelID{}, size: map[channelID]int{}}
	goesOn := map[channelID]bool{}
	err := n.walk(func(s packetState, outputs []program.Output) error {
		if s.dir < 0 && sends(s) {
			x.from = append(x.from, s)
		}
		for _, o := range outputs {
			if o.Dir != program.Eject {
				to, _, _ := n.hop(s.at, int(o.Dir))
				x.next[s] = append(x.next[s], packetState{to, s.to, int(o.Dir), o.VC, o.State, 0})
			}
			if s.dir == int(o.Dir) && s.vc == o.VC {
				goesOn[n.channel(s)] = true
			}
		}
		return nil
	})
	for first := range goesOn {
		ring := []channelID{first}
		for c := first; goesOn[c] && len(ring) <= 12; ring = append(ring, c) {
			c.tail = c.head
			if c.head, _, _ = n.hop(c.head, c.dir); c == first {
				break
			}
		}
		if len(ring) > 1 && ring[len(ring)-1] == first || n.sides[first.dir/2] == len(ring) && x.closes(ring, goesOn) {
			least := slices.MinFunc(ring, func(a, b channelID) int { return slices.Compare(a.tail[:], b.tail[:]) })
			x.ring[first], x.size[least] = least, n.sides[first.dir/2]
		}
	}
	return x, err
}

// closes reports whether packets go on from the last channel of a list to the first one.
func (x *flowNetwork) closes(ring []channelID, goesOn map[channelID]bool) bool {
	last := ring[len(ring)-1]
	to, _, ok := x.hop(last.tail, last.dir)
	return ok && goesOn[last] && to == ring[0].tail
}

// mayTake reports whether a packet can move from one state to another one.
func (x *flowNetwork) mayTake(list []packetState, s, to packetState) bool {
	there, inRing := 0, 0
	c := x.channel(to)
	ring, isRing := x.ring[c]
	for _, p := range list {
		if y := x.channel(p); y == c {
			there++
		}
		if r, ok := x.ring[x.channel(p)]; ok && isRing && r == ring && p.dir == c.dir && p.vc == c.vc {
			inRing++
		}
	}
	free := x.f.Buffer - there*x.f.Packet
	switch isEntry := isRing && !(s.dir == to.dir && s.vc == to.vc); {
	case free < x.f.Packet:
		return false
	case !isEntry:
		return true
	case x.f.Kind == "bubble":
		return free >= 2*x.f.Assumed
	}
	return inRing+1 < x.size[ring]*(x.f.Buffer/x.f.Assumed)
}

// isDeadlocked reports whether packets are left when every packet that can move is removed, again and again. The first packet
// of each channel comes first in list.
func (x *flowNetwork) isDeadlocked(list []packetState) bool {
	list = slices.Clone(list)
	for more := true; more; {
		more = false
		for i := range list {
			if len(x.moves(list, i)) > 0 {
				list, more = slices.Delete(list, i, i+1), true
				break
			}
		}
	}
	return len(list) > 0
}

// moves returns the lists after a move of packet i.
func (x *flowNetwork) moves(list []packetState, i int) (after [][]packetState) {
	s := list[i]
	for _, p := range list[:i] {
		if x.channel(p) == x.channel(s) {
			return nil
		}
	}
	rest := append(slices.Clone(list[:i]), list[i+1:]...)
	if len(x.next[s]) == 0 || s.at == s.to {
		return [][]packetState{rest}
	}
	for _, to := range x.next[s] {
		if x.mayTake(list, s, to) {
			after = append(after, append(slices.Clone(rest), to))
		}
	}
	return after
}

// deadlocks visits the states of a network of one or two dimensions, most at most.
func (x *flowNetwork) deadlocks(most int) bool {
	seen := map[string]bool{}
	work := [][]packetState{nil}
	for k := 0; k < len(work) && k < most; k++ {
		list := work[k]
		add := func(next []packetState) {
			sorted := slices.Clone(next)
			slices.SortStableFunc(sorted, func(a, b packetState) int {
				p, q := x.channel(a), x.channel(b)
				return slices.Compare(append(p.tail[:], p.dir, p.vc), append(q.tail[:], q.dir, q.vc))
			})
			var key []byte
			for _, s := range sorted {
				key = append(key, byte(s.at[0]), byte(s.to[0]), byte(s.at[1]), byte(s.to[1]), byte(s.dir), byte(s.vc), byte(s.state))
			}
			if key := string(key); !seen[key] {
				seen[key] = true
				work = append(work, sorted)
			}
		}
		for _, s := range x.from {
			can := false
			for _, to := range x.next[s] {
				if can = can || x.mayTake(list, s, to); x.mayTake(list, s, to) {
					add(append(slices.Clone(list), to))
				}
			}
			if len(list) == 0 && !can {
				return true
			}
		}
		for i := range list {
			for _, after := range x.moves(list, i) {
				add(after)
			}
		}
		if x.isDeadlocked(list) {
			return true
		}
	}
	return false
}

// TestFlowSizes changes the kind and the sizes of a certificate. The judge accepts it just if no ring of 3 to 5 switches has a
// deadlock among its states. All packets that go in the plus direction are sent.
func TestFlowSizes(t *testing.T) {
	count, most := map[bool]int{}, 2
	if long() {
		most = 3
	}
	for _, kind := range []string{"bubble", "critical-bubble"} {
		for packet := 1; packet <= most; packet++ {
			for buffer := packet; buffer <= most*packet+packet-1; buffer++ {
				for assumed := 1; assumed <= 3; assumed++ {
					c := kept(t, "bubble.torus-vct")
					c.Subject.Program.Flow = &cert.ProgramFlow{Kind: kind, Packet: packet, Buffer: buffer, Assumed: assumed}
					accepted, deadlock := cert.Check(c) == nil, false
					p := parse(t, &c.Subject)
					for side := 3; side <= 2+most; side++ {
						n, err := newSmall(p, []int{side}, c.Subject.Program.Flow)
						if err != nil {
							t.Fatal(err)
						}
						x, err := newFlowNetwork(n, c.Subject.Program.Flow, func(s packetState) bool { return (s.to[0]-s.at[0]+side)%side <= side/2 })
						if err != nil {
							t.Fatal(err)
						}
						deadlock = deadlock || x.deadlocks(60_000)
					}
					if count[accepted]++; accepted == deadlock {
						t.Errorf("%s, packets of %d, taken for %d, buffers of %d: accepted %t, deadlock %t", kind, packet, assumed, buffer, accepted, deadlock)
					}
				}
			}
		}
	}
	if t.Log(count); count[true] < 8 || count[false] < 8 {
		t.Error("the cases are too easy")
	}
}
