package verify

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/encode"
)

// This file makes a run of the network without pauses from the states that a search has found.
//
// Moves of the run: the packets whose heads move in a clock, then -1 at the end of the clock.

// clockedRun is a run of the packets.
type clockedRun struct {
	packets []*cdg.Packet
	flits   cert.Ints // by packet: how many flits it has sent, or 1 more if its tail is not sent
	moves   cert.Ints
	here    []int // by packet of the state: its number
}

// refute makes the evidence of a run into state found, and notes its deadlock in rep.
func (s *clockedSearch) refute(rep *Report, found int32) cert.Claim {
	var way []int32
	for at := found; at >= 0; at = s.before[at] {
		way = append(way, at)
	}
	slices.Reverse(way)
	run := &clockedRun{}
	for i := 1; i < len(way); i++ {
		run.clock(s, rep.Relation.Network(), way[i-1], way[i])
	}
	list := unpackTrains(s.keys[found])
	for i, t := range list {
		if t.open {
			run.flits[run.here[i]]++
		}
	}
	rep.Holds = nil
	stuck := s.blocked(list)
	for _, i := range stuck {
		rep.Configuration = append(rep.Configuration, run.packets[run.here[i]])
		rep.Holds = append(rep.Holds, len(list[i].vcs))
	}
	reached := true
	rep.Reached, rep.Run = &reached, &Run{run.packets, run.moves}
	rep.DeadlockFree.Reason = fmt.Sprintf("a run of %d clocks without pauses ends with %d packets that can never move", len(way)-1, len(stuck))
	return cert.Claim{Evidence: cert.EvidenceClockedRun, Packets: encode.Packets(run.packets), Holds: &run.flits, Moves: &run.moves}
}

// clock adds the clock from state a to state b.
func (r *clockedRun) clock(s *clockedSearch, n *model.Network, a, b int32) {
	before := unpackTrains(s.keys[a])
	s.each(before, func(after []train) bool {
		if pack(after) != s.keys[b] {
			return true
		}
		here := make([]int, len(after))
		for i, t := range after {
			if t.from < 0 {
				r.start(s, n, t)
				here[i] = len(r.packets) - 1
				continue
			}
			here[i] = r.here[t.from]
			r.step(s, &before[t.from], &t, here[i])
		}
		r.moves, r.here = append(r.moves, -1), here
		return false
	})
}

// start adds the first move of a new packet.
func (r *clockedRun) start(s *clockedSearch, n *model.Network, t train) {
	c, _ := n.Channel(model.VCID(t.vcs[0]))
	st := s.states[t.head]
	r.packets = append(r.packets, &cdg.Packet{Source: n.HostOf(c), Dest: st.Dest, Path: []model.State{st}})
	r.flits, r.moves = append(r.flits, 1), append(r.moves, int32(len(r.packets)-1))
}

// step adds what packet p does in a clock: it is before at its start, and t at its end.
func (r *clockedRun) step(s *clockedSearch, before, t *train, p int) {
	moved := before.head < 0
	if last := t.vcs[len(t.vcs)-1]; last != before.vcs[len(before.vcs)-1] {
		moved = true
		r.packets[p].Path = append(r.packets[p].Path, s.after(before.head, t))
		r.moves = append(r.moves, int32(p))
	}
	if before.open && moved {
		r.flits[p]++
	}
}

// after returns the state that follows state k in packet t.
func (s *clockedSearch) after(k int32, t *train) model.State {
	for _, to := range s.hops[k] {
		if int32(s.states[to].VC) == t.vcs[len(t.vcs)-1] && s.arrived(to) == t.head {
			return s.states[to]
		}
	}
	panic("no such hop")
}
