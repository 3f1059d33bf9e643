package crosscheck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file asks Z3 whether ranks exist that prove flow control of rings, by the rules of docs/theorems/bubbles.md. It covers kinds bubble
// and critical-bubble. A refutation excludes such ranks.
//
// Each ring has an integer, and so has each other VC. A hop rises if it leads to an ejection channel or to a greater integer. Ranks that are equal
// by chance can be made different, because rises are never lost. A state on a ring has an integer that falls along hops within the ring,
// so packets do not go round for ever.

// bubbles is a question about flow control of rings.
type bubbles struct {
	*bubble.Rings
	flow    *bubble.Flow
	isOne   bool
	n       *model.Network
	next    map[model.VCID]model.VCID // by VC of a ring
	text    strings.Builder
	known   map[string]bool    // integers that are declared
	waits   [][2][]string      // by VC: terms that a packet there of cost 0 or 1 waits
	passes  []int              // by VC: the least cost of a packet there
	enters  []int              // by VC: the least cost of a packet that enters the ring there
	stays   map[int32][]string // by VC: terms that a packet of cost 0 that has just entered waits
	isTight bool               // an entry with the rule need not leave a slot
}

// dear is more than the cost of a packet.
const dear = 2

// askBubbles asks whether ranks exist.
func askBubbles(ctx context.Context, rep *verify.Report) (smt.Result, error) {
	f := model.ConditionOf[*bubble.Flow](rep.Conditions)
	rings, err := f.Rule.On(rep.Relation)
	if err != nil {
		return smt.Unknown, err
	}
	b := &bubbles{Rings: rings, flow: f, isOne: rep.Waiting == model.WaitOne, n: rep.Relation.Network(), next: map[model.VCID]model.VCID{},
		known: map[string]bool{}, stays: map[int32][]string{}}
	b.waits = make([][2][]string, b.n.NumLinkVCs())
	b.passes, b.enters = slices.Repeat([]int{dear}, len(b.waits)), slices.Repeat([]int{dear}, len(b.waits))
	for _, ring := range rings.List {
		for i, v := range ring {
			b.next[v] = ring[(i+1)%len(ring)]
		}
	}
	if !b.leavesRoom() {
		return smt.Unsat, nil
	}
	x := cdg.NewExplorer(rep.Relation)
	for d := range model.DestID(rep.Relation.Destinations()) {
		b.addStates(int(d), x.Explore(d))
		if err := ctx.Err(); err != nil {
			return smt.Unknown, err
		}
	}
	for r := range rings.List {
		b.keepSlot(r)
	}
	s, err := smt.NewScript()
	if err != nil {
		return smt.Unknown, err
	}
	result, _, _, err := s.Ask(ctx, b.text.String(), nil, smt.Limit{})
	return result, err
}

// leavesRoom reports whether packets can enter empty rings, and sets isTight.
func (b *bubbles) leavesRoom() bool {
	packet, buffer := b.flow.Packet, b.flow.Buffer
	limits := b.Limits(packet, func(model.VCID) int { return buffer })
	for free := buffer; b.Rule.Kind == bubble.Local && free >= limits.Room; free -= packet {
		b.isTight = b.isTight || free-packet < packet
	}
	return len(b.List) == 0 || buffer >= limits.Room && slices.Min(limits.Most) >= 0
}

// integer returns a variable, and declares it.
func (b *bubbles) integer(kind string, k int) string {
	name := fmt.Sprint(kind, k)
	if !b.known[name] {
		b.known[name] = true
		fmt.Fprintf(&b.text, "(declare-const %s Int)\n", name)
	}
	return name
}

// rank returns the variable of a VC, or of its ring.
func (b *bubbles) rank(v model.VCID) string {
	if r := b.Of(v); r >= 0 {
		return b.integer("ring", int(r))
	}
	return b.integer("vc", int(v))
}

// rises returns the term that a hop rises.
func (b *bubbles) rises(from, to model.VCID) string {
	if !b.n.IsLinkVC(to) {
		return "true"
	}
	return fmt.Sprintf("(< %s %s)", b.rank(from), b.rank(to))
}

// addStates adds the states of a destination: that each has a good hop, and where packets wait.
func (b *bubbles) addStates(d int, s *cdg.Space) {
	for i, st := range s.States {
		hops, next := s.HopsOf(i)
		if !b.n.IsLinkVC(st.VC) || len(hops) == 0 {
			continue
		}
		var good []string
		for j, h := range hops {
			term := b.rises(st.VC, h.VC)
			if after, ok := b.next[st.VC]; ok && after == h.VC {
				term = fmt.Sprintf("(or %s (< %s %s))", term, b.integer(fmt.Sprint("steps", d, "of"), int(next[j])), b.integer(fmt.Sprint("steps", d, "of"), i))
			}
			good = append(good, term)
		}
		fmt.Fprintf(&b.text, "(assert (%s %s))\n", map[bool]string{true: "and", false: "or"}[b.isOne], strings.Join(good, " "))
	}
	b.follow(s)
}

// waiting returns the term that a packet waits in state i.
func (b *bubbles) waiting(s *cdg.Space, i int) string {
	hops, _ := s.HopsOf(i)
	var list []string
	for _, h := range hops {
		list = append(list, b.rises(s.States[i].VC, h.VC))
	}
	switch {
	case len(list) == 0:
		return "false"
	case b.isOne:
		return "(not (and " + strings.Join(list, " ") + "))"
	}
	return "(not (or " + strings.Join(list, " ") + "))"
}

// follow finds the packets in rings: those that enter, and where they go within the ring.
func (b *bubbles) follow(s *cdg.Space) {
	type placed struct{ state, cost int }
	var list []placed
	seen := map[placed]bool{}
	visit := func(p placed) {
		if !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	for i, st := range s.States {
		hops, next := s.HopsOf(i)
		for j, h := range hops {
			if !b.IsEntry(st.VC, h.VC) {
				continue
			}
			cost := 0
			if b.IsGuarded(st.VC, h.VC) && !b.isTight {
				cost = 1
			}
			visit(placed{int(next[j]), cost})
			if b.enters[h.VC] = min(b.enters[h.VC], cost); cost == 0 {
				b.stays[int32(h.VC)] = append(b.stays[int32(h.VC)], b.waiting(s, int(next[j])))
			}
		}
	}
	for k := 0; k < len(list); k++ {
		p := list[k]
		v := s.States[p.state].VC
		b.passes[v] = min(b.passes[v], p.cost)
		b.waits[v][p.cost] = append(b.waits[v][p.cost], b.waiting(s, p.state))
		hops, next := s.HopsOf(p.state)
		for j, h := range hops {
			if b.n.IsLinkVC(h.VC) && b.Of(h.VC) == b.Of(v) {
				visit(placed{int(next[j]), p.cost})
			}
		}
	}
}

// keepSlot asserts that packets cannot fill ring r such that all first packets wait.
func (b *bubbles) keepSlot(r int) {
	slots := b.flow.Buffer / b.flow.Packet
	full, last, cost := []string{"true"}, []string{"false"}, []string{"0", "0"}
	for _, v := range b.List[r] {
		cheap := "(or false " + strings.Join(b.waits[v][0], " ") + ")"
		full = append(full, fmt.Sprintf("(or %s %s)", cheap, strings.Join(b.waits[v][1], " ")))
		cost = append(cost, fmt.Sprintf("(ite %s 0 1)", cheap), fmt.Sprint((slots-1)*b.passes[v]))
		switch {
		case slots > 1 && b.enters[v] == 0:
			last = append(last, "true")
		case slots == 1:
			last = append(last, b.stays[int32(v)]...)
		}
	}
	fills := "(or " + strings.Join(last, " ") + ")"
	if b.Rule.Kind != bubble.Local {
		most := b.Limits(b.flow.Packet, func(model.VCID) int { return b.flow.Buffer }).Most[r]
		fills = fmt.Sprintf("(<= (+ %s) %d)", strings.Join(cost, " "), most+1)
	}
	fmt.Fprintf(&b.text, "(assert (not (and %s %s)))\n", strings.Join(full, " "), fills)
}
