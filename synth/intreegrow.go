package synth

import "github.com/turnproof/turnproof/model"

// This file is step 1 of InTrees: it grows in-trees outwards from their root.

// grow gives switches a channel level by level, outwards from the root. A switch gets its channel
// at the first level at which one fits.
func (f *forest) grow() {
	clear(f.seen)
	f.seen[f.root] = true
	level, picks := []model.SwitchID{f.root}, []model.ChannelID(nil)
	for len(level) > 0 {
		level = f.behind(level)
		picks = picks[:0]
		for _, u := range level {
			picks = append(picks, f.pick(u))
		}
		for i, u := range level {
			f.choice[u] = picks[i]
		}
	}
}

// behind returns the unmarked switches without a choice that a live channel joins to the choice of
// a switch in list. It marks them as seen.
func (f *forest) behind(list []model.SwitchID) (next []model.SwitchID) {
	visit := func(a model.ChannelID) {
		if t := f.net.Tail(a); !f.seen[t] && f.live[a] && f.fits(a) {
			f.seen[t] = true
			next = append(next, t)
		}
	}
	for _, u := range list {
		if u == f.root {
			for _, o := range f.out[u] {
				visit(f.net.Reverse(o))
			}
			continue
		}
		for _, a := range f.before[f.choice[u]] {
			visit(a)
		}
	}
	return next
}

// pick returns a channel out of u that fits. It prefers the channel that most unseen switches can
// follow on a shortest legal path, then on any live channel, then the least loaded one.
func (f *forest) pick(u model.SwitchID) model.ChannelID {
	best, most := model.NoChannel, -1
	for _, c := range f.out[u] {
		if !f.live[c] || !f.fits(c) {
			continue
		}
		score := 0
		for _, b := range f.before[c] {
			switch t := f.net.Tail(b); {
			case f.seen[t] || !f.live[b]:
			case f.Dist[b] == f.need[t]:
				score += 32
			default:
				score++
			}
		}
		if score > most || score == most && f.res.Load[c] < f.res.Load[best] {
			best, most = c, score
		}
	}
	return best
}
