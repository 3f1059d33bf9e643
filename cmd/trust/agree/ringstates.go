package agree

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file judges flow control of rings by all states of the network. It shares no code with the prover, the checker
// and package bubble, only the routing. Packets wait at their hosts outside of the network. A ring is found by the
// transitive closure of the dependencies.

// flowJudge is a network with flow control.
type flowJudge struct {
	r                       model.Relation
	kind                    string
	packet, buffer, assumed int
	off                     map[model.ChannelID]bool // entries onto the channel are off
	fromRings               bool                     // only entries from other switches are off

	ring   []int // by VC between switches: its ring, or -1
	size   []int // by ring: its VCs
	starts []model.State
}

// lodger is a packet in the network. Its head is on the last VC of held.
type lodger struct {
	dest  model.DestID
	class model.Class
	held  []model.VCID
}

func (p *lodger) head() model.VCID { return p.held[len(p.held)-1] }

func newFlowJudge(r model.Relation, kind string, packet, buffer, assumed int) *flowJudge {
	j := &flowJudge{r: r, kind: kind, packet: packet, buffer: buffer, assumed: assumed, off: map[model.ChannelID]bool{}}
	n := r.Network()
	seen := map[model.State]bool{}
	for h := range model.HostID(r.Sources()) {
		for d := range model.DestID(r.Destinations()) {
			if !model.Sends(r, h, d) {
				continue
			}
			for _, k := range r.Inject(h, d, nil) {
				s := model.InjectState(r, h, d, k)
				j.starts = append(j.starts, s)
				seen[s] = true
			}
		}
	}
	m := n.NumLinkVCs()
	reach, next := make([][]bool, m), make([][]bool, m)
	for v := range reach {
		reach[v], next[v] = make([]bool, m), make([]bool, m)
	}
	escaper, _ := r.(model.Escaper)
	counts := func(v model.VCID) bool { return n.IsLinkVC(v) && (escaper == nil || escaper.EscapeVC(v)) }
	for work := slices.Clone(j.starts); len(work) > 0; {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		for _, h := range r.Next(s, nil) {
			if counts(s.VC) && counts(h.VC) {
				next[s.VC][h.VC], reach[s.VC][h.VC] = true, true
			}
			if to := (model.State{VC: h.VC, Dest: s.Dest, Class: h.Class}); n.IsLinkVC(h.VC) && !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	for k := range reach {
		for v := range reach {
			for w := range reach {
				reach[v][w] = reach[v][w] || reach[v][k] && reach[k][w]
			}
		}
	}
	j.findRings(reach, next)
	return j
}

// findRings finds the sets of VCs that reach each other, if each VC has one successor in the set.
func (j *flowJudge) findRings(reach, next [][]bool) {
	j.ring = slices.Repeat([]int{-1}, len(reach))
	for v := range reach {
		if !reach[v][v] || j.ring[v] >= 0 {
			continue
		}
		var set []int
		for w := range reach {
			if reach[v][w] && reach[w][v] {
				set = append(set, w)
			}
		}
		isRing := true
		for _, a := range set {
			after := 0
			for _, b := range set {
				after += boolInt(next[a][b])
			}
			isRing = isRing && after == 1
		}
		if isRing {
			for _, w := range set {
				j.ring[w] = len(j.size)
			}
			j.size = append(j.size, len(set))
		}
	}
}

// fills returns the VCs that a worm fills, 1 without worms.
func (j *flowJudge) fills(flits int) int {
	if j.kind != "worm-bubble" {
		return 1
	}
	return (flits + j.buffer - 1) / j.buffer
}

// entries returns how often packet p has entered ring r with VCs that it still holds.
func (j *flowJudge) entries(p *lodger, r int) (count int) {
	isIn := func(v model.VCID) bool { return int(v) < len(j.ring) && j.ring[v] == r }
	for i, v := range p.held {
		count += boolInt(isIn(v) && (i == 0 || !isIn(p.held[i-1])))
	}
	return count
}

// mayTake reports whether a packet that comes from VC from can have VC to in a state.
func (j *flowJudge) mayTake(list []lodger, from, to model.VCID) bool {
	n := j.r.Network()
	if !n.IsLinkVC(to) {
		return true
	}
	there, inRing := 0, 0
	for i := range list {
		for _, v := range list[i].held {
			there += boolInt(v == to)
		}
		if j.ring[to] >= 0 {
			inRing += j.entries(&list[i], j.ring[to])
		}
	}
	free := j.buffer - there*j.packet
	if j.kind == "worm-bubble" && there > 0 || j.kind != "worm-bubble" && free < j.packet {
		return false
	}
	fromLink := n.IsLinkVC(from)
	if j.ring[to] < 0 || fromLink && j.ring[from] == j.ring[to] {
		return true
	}
	if c, _ := n.Channel(to); j.off[c] && (fromLink || !j.fromRings) {
		return true
	}
	switch j.kind {
	case "bubble":
		return free >= 2*j.assumed
	case "critical-bubble":
		return inRing+1 < j.size[j.ring[to]]*(j.buffer/j.assumed)
	}
	return (inRing+1)*j.fills(j.assumed) < j.size[j.ring[to]]
}

// after returns the state after packet i, the first of its VC, has taken a hop.
func (j *flowJudge) after(list []lodger, i int, to model.Hop) []lodger {
	p := list[i]
	next := append(slices.Clone(list[:i]), list[i+1:]...)
	if !j.r.Network().IsLinkVC(to.VC) {
		return next
	}
	held := append(slices.Clone(p.held), to.VC)
	return append(next, lodger{p.dest, to.Class, held[max(0, len(held)-j.fills(j.packet)):]})
}

// hops returns the hops that a packet can take, and whether it has a hop at all. A packet behind another one has hops, of
// which it can take none.
func (j *flowJudge) hops(list []lodger, i int) (can []model.Hop, some bool) {
	p := &list[i]
	for k := range list[:i] {
		if list[k].head() == p.head() {
			return nil, true
		}
	}
	all := j.r.Next(model.State{VC: p.head(), Dest: p.dest, Class: p.class}, nil)
	for _, h := range all {
		if j.mayTake(list, p.head(), h.VC) {
			can = append(can, h)
		}
	}
	return can, len(all) > 0
}

// isDeadlocked reports whether packets are left when every packet that can move, or is dropped, is removed, again and again.
func (j *flowJudge) isDeadlocked(list []lodger) bool {
	list = slices.Clone(list)
	for more := true; more; {
		more = false
		for i := 0; i < len(list); i++ {
			if can, some := j.hops(list, i); len(can) > 0 || !some {
				list, more = slices.Delete(list, i, i+1), true
				break
			}
		}
	}
	return len(list) > 0
}

// key identifies a state.
func (j *flowJudge) key(list []lodger) string {
	var b []byte
	for v := range model.VCID(len(j.ring)) {
		for _, p := range list {
			if p.head() == v {
				b = append(b, byte(p.dest), byte(p.class), byte(len(p.held)))
				for _, w := range p.held {
					b = append(b, byte(w)) // fewer than 256 VCs
				}
			}
		}
		b = append(b, 255)
	}
	return string(b)
}

// decide visits all states. It returns ok false if there are more than most.
func (j *flowJudge) decide(most int) (deadlock, ok bool) {
	seen := map[string]bool{j.key(nil): true}
	work := [][]lodger{nil}
	for k := 0; k < len(work); k++ {
		list := work[k]
		if len(work) > most {
			return false, false
		}
		add := func(next []lodger) {
			if s := j.key(next); !seen[s] {
				seen[s] = true
				work = append(work, next)
			}
		}
		for _, s := range j.starts {
			hops, can := j.r.Next(s, nil), 0
			for _, h := range hops {
				if !j.mayTake(list, s.VC, h.VC) {
					continue
				}
				if can++; j.r.Network().IsLinkVC(h.VC) {
					add(append(slices.Clone(list), lodger{s.Dest, h.Class, []model.VCID{h.VC}}))
				}
			}
			if len(list) == 0 && can == 0 && len(hops) > 0 {
				return true, true // the packet can never leave its host
			}
		}
		for i := range list {
			can, some := j.hops(list, i)
			for _, h := range can {
				add(j.after(list, i, h))
			}
			if !some {
				add(append(slices.Clone(list[:i]), list[i+1:]...)) // it is dropped
			}
		}
		if j.isDeadlocked(list) {
			return true, true
		}
		work[k] = nil
	}
	return false, true
}
