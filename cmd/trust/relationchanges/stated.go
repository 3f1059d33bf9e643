package relationchanges

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file reads the world that a certificate states.

// errOther says that a certificate states something that the judge does not know, such as classes of packets.
var errOther = errors.New("the judge does not know such a subject")

// mostSwitches bounds the sets of changed switches that are tried.
const mostSwitches = 8

// stated returns the world of a certificate.
func stated(c *cert.Certificate) (*world, error) {
	n, t := &c.Subject.Network, c.Subject.Transition
	if t == nil || t.OldRelation == nil || t.NewRelation == nil || len(n.Switches) > mostSwitches {
		return nil, errOther
	}
	w := &world{switches: len(n.Switches), vcs: n.VCs, one: t.Waiting == "one", drops: t.Drops, sources: []int{}, sends: map[[2]int]bool{},
		listed: map[[2]int]bool{}}
	for i := 0; i+3 < len(n.Links); i += 4 {
		w.links = append(w.links, [2]int{int(n.Links[i]), int(n.Links[i+2])})
	}
	for e := range t.OldRelation.Sources {
		w.sources = append(w.sources, int(n.Attach[2*e]))
	}
	for _, e := range t.OldRelation.Destinations {
		w.hosts = append(w.hosts, int(n.Attach[2*e]))
	}
	for i := 0; i+2 < len(t.OldRelation.Inject); i += 3 {
		e, d, k := t.OldRelation.Inject[i], t.OldRelation.Inject[i+1], t.OldRelation.Inject[i+2]
		if k != 0 {
			return nil, errOther
		}
		w.sends[[2]int{int(e), int(d)}] = true
	}
	for side, r := range []*cert.Relation{t.OldRelation, t.NewRelation} {
		next := make([][][]int, len(w.hosts))
		for d := range next {
			next[d] = make([][]int, w.numVCs()+len(w.sources))
		}
		for list := r.States; len(list) > 0; {
			d, hops := int(list[0]), list[4:4+2*list[3]]
			at, ok := w.place(list[1])
			if !ok || list[2] != 0 {
				return nil, errOther
			}
			w.listed[[2]int{d, at}] = true
			for i := 0; i < len(hops); i += 2 {
				to := own
				if int(hops[i]) < w.numVCs() {
					to = int(hops[i])
				}
				next[d][at] = append(next[d][at], to)
			}
			list = list[4+2*list[3]:]
		}
		w.next[side] = next
	}
	return w, nil
}

// place returns the place of a VC that is not one of an ejection channel.
func (w *world) place(vc int32) (int, bool) {
	n := w.numVCs()
	if int(vc) < n {
		return int(vc), true
	}
	e := (int(vc) - n) / w.vcs
	return n + e, e < len(w.sources) && (int(vc)-n)%w.vcs == 0
}

// step is a step of a certificate.
type step struct {
	kind int32
	set  int // of parts
}

func steps(list cert.Ints) (out []step) {
	for len(list) > 0 {
		s := step{kind: list[0]}
		for _, p := range list[2 : 2+list[1]] {
			s.set |= 1 << p
		}
		out, list = append(out, s), list[2+list[1]:]
	}
	return out
}

// holds returns whether a claim of a certificate is true of the world.
func (w *world) holds(t *cert.Transition, c *cert.Claim) (bool, error) {
	switch c.Claim + " " + c.Verdict {
	case "deadlock-free proved":
		return !w.someState(t, func(entries func(d int) []rune, together bool) bool {
			var sets []map[dependency]bool
			for d := range w.hosts {
				if e := entries(d); e != nil {
					sets = append(sets, w.walk(d, e, together))
				}
			}
			return w.cyclic(sets...)
		}), nil
	case "livelock-free proved":
		return !w.someState(t, func(entries func(d int) []rune, together bool) bool {
			for d := range w.hosts {
				if e := entries(d); e != nil && w.returns(d, e, together) {
					return true
				}
			}
			return false
		}), nil
	case "deadlock-free refuted":
		return w.blockEachOther(t, c)
	case "safe-order refuted":
		return w.cyclesBlock(t.Drained) && !w.orderWithout(t.Parts == "switch", t.Drained, 0), nil
	case "lower-bound proved":
		if !w.cyclesBlock(false) {
			return false, nil
		}
		if c.Evidence == cert.EvidenceStops {
			return w.stopsAtLeast(*c.Bound), nil
		}
		few := w.fewest(t.Parts == "switch", w.last(t.Parts == "switch"))
		return few < 0 || int64(few) >= *c.Bound, nil
	}
	return false, errOther
}

// cyclesBlock reports whether a cycle of dependencies is known to mean packets that block each other (statement 3 of the theorem): each packet
// waits for one hop, and in service, none passes a switch twice, or next hops do not depend on where packets come from.
func (w *world) cyclesBlock(drained bool) bool {
	twice, byInput := false, false
	for d := range w.hosts {
		passes := map[dependency]bool{}
		at := map[int][2]string{} // by switch: the next hops by both entries
		for p := range w.next[0][d] {
			if !w.listed[[2]int{d, p}] {
				continue
			}
			u := w.at(p)
			for side := range w.next {
				list := w.next[side][d][p]
				if len(list) > 1 && !w.one {
					return false
				}
				for _, to := range list {
					if to != own {
						passes[dependency{u, w.at(to)}] = true
					}
				}
			}
			text := [2]string{fmt.Sprint(w.next[0][d][p]), fmt.Sprint(w.next[1][d][p])}
			if other, ok := at[u]; ok && other != text {
				byInput = true
			}
			at[u] = text
		}
		twice = twice || closes(w.switches, passes)
	}
	return drained || !twice || !byInput
}

// someState reports whether is holds for the entries that packets can meet at some time. It is called with nil for a destination without packets.
func (w *world) someState(t *cert.Transition, is func(entries func(d int) []rune, together bool) bool) bool {
	list := steps(t.Steps)
	if len(list) == 0 {
		return w.anyMixture(parts(t.Parts), t.Drained, false, is)
	}
	bySwitch := t.Parts == "switch"
	done, away := 0, 0 // parts that have changed, destinations without packets
	now := func(more int) bool {
		return is(func(d int) []rune {
			if !bySwitch && away>>d&1 != 0 {
				return nil
			}
			e := w.all(stays)
			for u := range e {
				part := d
				if bySwitch {
					part = u
				}
				switch {
				case more>>part&1 != 0:
					e[u] = changes
				case done>>part&1 != 0:
					e[u] = changed
				}
			}
			return e
		}, false)
	}
	if now(0) {
		return true
	}
	for _, s := range list {
		switch s.kind {
		case 0:
			if now(s.set) {
				return true
			}
			done |= s.set
		case 1:
			if !bySwitch { // else the network is empty in the step
				away |= s.set
				if now(0) {
					return true
				}
				away &^= s.set
			}
			done |= s.set
		case 2:
			away |= s.set
		case 3:
			away &^= s.set
			done |= s.set
		}
		if now(0) {
			return true
		}
	}
	return false
}

// blockEachOther reports whether the packets of a claim form a cycle, and can meet their entries.
func (w *world) blockEachOther(t *cert.Transition, c *cert.Claim) (bool, error) {
	var list []traveller
	var on, to []int
	for _, p := range c.Packets {
		x := traveller{d: p.Destination}
		for i := 0; i+1 < len(p.Path); i += 2 {
			at, ok := w.place(p.Path[i])
			if !ok || p.Path[i+1] != 0 {
				return false, nil
			}
			x.path = append(x.path, at)
		}
		k := len(x.path)
		if k < 2 || p.Class != 0 || !w.sends[[2]int{p.Source, p.Destination}] || x.path[0] != w.numVCs()+p.Source {
			return false, nil
		}
		on, to = append(on, x.path[k-2]), append(to, x.path[k-1])
		list = append(list, x)
	}
	for i := range to {
		if on[i] >= w.numVCs() || to[i] != on[(i+1)%len(on)] {
			if len(to) > 1 || to[i] >= w.numVCs() {
				return false, nil
			}
			list[i].stranded = true
		}
	}
	if len(list) == 0 || list[0].stranded && w.drops {
		return false, nil
	}
	return w.canMeet(list, parts(t.Parts), t.Drained), nil
}

// last returns the set of parts that change.
func (w *world) last(bySwitch bool) (last int) {
	for d := range w.hosts {
		for u := range w.switches {
			if w.differs(d, u) {
				last |= 1 << map[bool]int{false: d, true: u}[bySwitch]
			}
		}
	}
	return last
}

// orderWithout reports whether an order of single parts exists, if destinations of a set get no packets.
func (w *world) orderWithout(bySwitch, drained bool, away int) bool {
	less := *w
	less.sends = map[[2]int]bool{}
	for pair, is := range w.sends {
		less.sends[pair] = is && away>>pair[1]&1 == 0
	}
	return less.orderExists(bySwitch, drained, w.last(bySwitch)&^away)
}

// stopsAtLeast reports whether no fewer destinations than bound can stop while all others change in service.
func (w *world) stopsAtLeast(bound int64) bool {
	last := w.last(false)
	if w.state(false, 0, 0) || w.state(false, last, 0) {
		return true // no change keeps the network free of deadlock before and after it
	}
	for away := range last + 1 {
		if away&^last == 0 && int64(bits.OnesCount(uint(away))) < bound && w.orderWithout(false, false, away) {
			return false
		}
	}
	return true
}
