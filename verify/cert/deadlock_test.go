package cert_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	. "github.com/turnproof/turnproof/verify/cert"
)

// This file holds the judge of deadlocks against their definition.

// waiting is a packet that might be part of a deadlock.
type waiting struct {
	packet Packet
	next   []state
	holds  []int32 // the last VCs of its path
}

// bites moves a worm that needs the VCs it holds along its path, tail after head, and reports
// whether the head meets a VC that the worm still lies on.
func (w *waiting) bites() bool {
	var on []int32
	for j := 0; j < len(w.packet.Path); j += 2 {
		if slices.Contains(on, w.packet.Path[j]) {
			return true
		}
		if on = append(on, w.packet.Path[j]); len(on) > len(w.holds) {
			on = on[1:]
		}
	}
	return false
}

// block draws packets, at most one for each VC. It removes those that may take a VC that no packet
// holds, and those that no packet waits for, until nothing changes. Packets that are dropped
// stay.
func block(rng *rand.Rand, n *naive, most int) []waiting {
	var list []waiting
	holder := map[int32]bool{}
	for _, d := range rng.Perm(len(n.paths)) {
		var states []state
		for at := range n.paths[d] {
			states = append(states, at)
		}
		slices.SortFunc(states, func(a, b state) int { return 1000*int(a.vc-b.vc) + int(a.class-b.class) })
		rng.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
		for _, at := range states {
			p := n.packet(d, at)
			k := min(1+rng.IntN(most), len(p.Path)/2-1)
			if !n.isLink(at.vc) || k < 1 || len(n.next(d, at)) == 0 && rng.IntN(4) > 0 {
				continue
			}
			w := waiting{packet: p, next: n.next(d, at)}
			free := true
			for j := len(p.Path) - 2*k; j < len(p.Path); j += 2 {
				free = free && !holder[p.Path[j]] && !slices.Contains(w.holds, p.Path[j])
				w.holds = append(w.holds, p.Path[j])
			}
			if free {
				for _, v := range w.holds {
					holder[v] = true
				}
				list = append(list, w)
			}
		}
	}
	for {
		held, awaited := map[int32]bool{}, map[int32]bool{}
		for _, w := range list {
			for _, v := range w.holds {
				held[v] = true
			}
			for _, to := range w.next {
				awaited[to.vc] = true
			}
		}
		left := slices.DeleteFunc(slices.Clone(list), func(w waiting) bool {
			return slices.ContainsFunc(w.next, func(to state) bool { return !held[to.vc] }) ||
				!slices.ContainsFunc(w.holds, func(v int32) bool { return awaited[v] })
		})
		if len(left) == len(list) {
			slices.SortFunc(left, func(a, b waiting) int { return int(a.holds[len(a.holds)-1] - b.holds[len(b.holds)-1]) })
			return left
		}
		list = left
	}
}

// behind gives packets that wait for those of a deadlock only, and that none of these waits for.
func behind(n *naive, list []waiting) (more []waiting) {
	held := map[int32]bool{}
	for _, w := range list {
		for _, v := range w.holds {
			held[v] = true
		}
	}
	for d := range n.paths {
		for at := range n.paths[d] {
			next := n.next(d, at)
			if n.isLink(at.vc) && !held[at.vc] && len(next) > 0 && !slices.ContainsFunc(next, func(to state) bool { return !held[to.vc] }) {
				more = append(more, waiting{n.packet(d, at), next, []int32{at.vc}})
			}
		}
	}
	return more
}

// TestDeadlocks eliminates drawn packets until a deadlock is left. The checker accepts it, unless
// a packet is dropped or none is left. It rejects the deadlock without one packet, and with an
// additional packet that only waits behind another.
func TestDeadlocks(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	var n *naive
	for seed := range longtest.Share[uint64](24000, 3) {
		rng := rand.New(rand.NewPCG(seed, 11))
		if seed%60 == 0 {
			s := randomRelation(rng, true)
			n = explore(&s)
		}
		s, most := *n.s, 1+int(seed%3)
		if s.Switching = "vct"; most > 1 {
			s.Switching = "wormhole"
		}
		list := block(rng, n, most)
		if len(list) == 0 {
			continue
		}
		judge := func(list []waiting, want bool, what string) {
			claim := Claim{Claim: ClaimDeadlockFree, Verdict: Refuted, Evidence: EvidenceConfiguration}
			holds := Ints{}
			for _, w := range list {
				claim.Packets, holds = append(claim.Packets, w.packet), append(holds, int32(len(w.holds)))
			}
			if most > 1 {
				claim.Evidence, claim.Holds = EvidenceWorms, &holds
			}
			err := Check(&Certificate{Schema: Schema, Subject: s, Claims: []Claim{claim}})
			if want != (err == nil) {
				t.Fatalf("seed %d: %s: %v\n%+v", seed, what, err, claim)
			}
			count[claim.Evidence+" "+what]++
		}
		if slices.ContainsFunc(list, func(w waiting) bool { return len(w.next) == 0 }) {
			judge(list, false, "dropped")
			continue
		}
		if slices.ContainsFunc(list, func(w waiting) bool { return w.bites() }) {
			judge(list, false, "bites")
			continue
		}
		judge(list, true, "deadlock")
		for i := range list {
			less := slices.Delete(slices.Clone(list), i, i+1)
			awaited, held := map[int32]bool{}, map[int32]bool{}
			for _, w := range less {
				for _, v := range w.holds {
					held[v] = true
				}
				for _, to := range w.next {
					awaited[to.vc] = true
				}
			}
			stands := len(less) > 0
			for _, w := range less {
				stands = stands && slices.ContainsFunc(w.holds, func(v int32) bool { return awaited[v] }) &&
					!slices.ContainsFunc(w.next, func(to state) bool { return !held[to.vc] })
			}
			judge(less, stands, "less")
			twice := slices.Insert(slices.Clone(list), i, list[i])
			judge(twice, false, "twice")
			if whole := list[i].packet.Path; most > 1 { // its last VC stays, so does the order
				first := slices.Clone(list)
				first[i].holds = make([]int32, len(whole)/2)
				judge(first, false, "holds its injection channel")
			}
		}
		for _, w := range behind(n, list) {
			more := append(slices.Clone(list), w)
			slices.SortFunc(more, func(a, b waiting) int { return int(a.holds[len(a.holds)-1] - b.holds[len(b.holds)-1]) })
			judge(more, false, "more")
		}
	}
	t.Log(count)
	if count[EvidenceWorms+" bites"] < longtest.Share(4, 3) {
		t.Errorf("only %d deadlocks with a worm that enters its own VCs", count[EvidenceWorms+" bites"])
	}
	for _, evidence := range []string{EvidenceConfiguration, EvidenceWorms} {
		for what, want := range map[string]int{" deadlock": 20, " dropped": 5, " less": 60, " twice": 60, " more": 40} {
			if count[evidence+what] < longtest.Share(want, 3) {
				t.Errorf("%s%s: %d cases only", evidence, what, count[evidence+what])
			}
		}
	}
}
