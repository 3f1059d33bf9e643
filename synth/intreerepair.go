package synth

import (
	"math/rand/v2"

	"github.com/turnproof/turnproof/model"
)

// This file is step 2 of InTrees: it repairs a choice of channels of which some do not fit (P.
// Morris, The breakout method for escaping from local minima, AAAI 1993).

// repairSteps bounds the steps of a repair. In all successful repairs, except on the smallest
// networks, a few steps for each switch left over were enough.
func (f *forest) repairSteps() int { return 1000 + 20*len(f.out) }

// repairer changes the choice of one switch after another.
type repairer struct {
	*forest
	rng    *rand.Rand
	wrong  []model.SwitchID // switches whose choice does not fit
	place  []int            // by switch: index in wrong plus 1, or 0
	weight []int            // by switch: the weight of a choice that does not fit
}

// repair searches for choices that fit, starting from the grown ones. It returns false if it gave
// up; choices then may not fit.
func (f *forest) repair() bool {
	r := &repairer{forest: f, rng: rand.New(rand.NewPCG(uint64(f.root), 1)), place: make([]int, len(f.out)), weight: make([]int, len(f.out))}
	for u := range model.SwitchID(len(f.out)) {
		r.weight[u] = 1
		if u != f.root && f.choice[u] == model.NoChannel && !r.guess(u) && f.hosts[u] > 0 {
			return false
		}
	}
	for u := range model.SwitchID(len(f.out)) {
		r.note(u)
	}
	for range f.repairSteps() {
		if len(r.wrong) == 0 {
			return true
		}
		r.step(r.wrong[r.rng.IntN(len(r.wrong))])
	}
	return len(r.wrong) == 0
}

// guess gives u the channel with the shortest legal path, and reports whether there is one.
func (r *repairer) guess(u model.SwitchID) bool {
	best := model.NoChannel
	for _, c := range r.out[u] {
		if r.live[c] && (best == model.NoChannel || r.Dist[c] < r.Dist[best]) {
			best = c
		}
	}
	r.choice[u] = best
	return best != model.NoChannel
}

// note adds u to wrong or removes it.
func (r *repairer) note(u model.SwitchID) {
	wrong := r.choice[u] != model.NoChannel && !r.fits(r.choice[u])
	switch at := r.place[u]; {
	case wrong && at == 0:
		r.wrong = append(r.wrong, u)
		r.place[u] = len(r.wrong)
	case !wrong && at > 0:
		last := r.wrong[len(r.wrong)-1]
		r.wrong[at-1], r.place[last] = last, at
		r.wrong, r.place[u] = r.wrong[:len(r.wrong)-1], 0
	}
}

// cost returns the sum of weights around u that would not fit if u chose channel c.
func (r *repairer) cost(u model.SwitchID, c model.ChannelID) (sum int) {
	if !r.fits(c) {
		sum += r.weight[u]
	}
	for _, o := range r.out[u] {
		a := r.net.Reverse(o)
		if t := r.net.Tail(a); r.choice[t] == a && !r.joins(a, c) {
			sum += r.weight[t]
		}
	}
	return sum
}

// move is a change of one switch's channel.
type move struct {
	u      model.SwitchID
	c      model.ChannelID
	gain   int    // the decrease of the cost
	detour uint32 // the excess of its legal path over the shortest one
}

// step changes the choice of u, or that of the switch that u leads to. It makes the move of the
// largest gain, then of the least detour. Without a gain the weight of u rises, and only one move
// in four is made.
func (r *repairer) step(u model.SwitchID) {
	best, ties := move{u: model.NoSwitch}, 0
	try := func(u model.SwitchID, now int, c model.ChannelID) {
		if c == r.choice[u] || !r.live[c] {
			return
		}
		m := move{u, c, now - r.cost(u, c), r.Dist[c] - r.need[u]}
		switch {
		case best.u == model.NoSwitch || m.gain > best.gain || m.gain == best.gain && m.detour < best.detour:
			best, ties = m, 1
		case m.gain == best.gain && m.detour == best.detour:
			if ties++; r.rng.IntN(ties) == 0 {
				best = m
			}
		}
	}
	now := r.cost(u, r.choice[u])
	for _, c := range r.out[u] {
		try(u, now, c)
	}
	if w := r.net.Head(r.choice[u]); r.choice[w] != model.NoChannel {
		now = r.cost(w, r.choice[w])
		for _, d := range r.out[w] {
			if r.joins(r.choice[u], d) {
				try(w, now, d)
			}
		}
	}
	if best.gain <= 0 {
		r.weight[u]++
	}
	if best.u == model.NoSwitch || best.gain <= 0 && r.rng.IntN(4) > 0 {
		return
	}
	r.choice[best.u] = best.c
	r.note(best.u)
	for _, o := range r.out[best.u] {
		r.note(r.net.Head(o))
	}
}
