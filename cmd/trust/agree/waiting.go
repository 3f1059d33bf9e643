package agree

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file expands cases in which packets choose one next hop when they arrive. A state with such a
// choice becomes a state for each of its next hops. In the expanded case packets wait for any next hop,
// so that the judges of this package need only this rule.

// The values of Case.Waiting.
const (
	waitsOne   = "one"
	waitsMixed = "mixed"
)

// commits reports whether packets choose their next hop when they arrive at a place.
func (c *Case) commits(dest int, at place) bool {
	switch c.Waiting {
	case waitsOne:
		return true
	case waitsMixed:
		return (dest+at.VC+at.Class+at.Channel)&1 == 0
	}
	return false
}

// committing is a relation that implements model.Committer by commits.
type committing struct {
	model.Relation
	c *Case
}

// Commits implements model.Committer.
func (r *committing) Commits(s model.State) bool {
	return r.c.commits(int(s.Dest), placeOf(r.Network(), s.VC, s.Class))
}

// expanded returns the case with a state for each choice. Class k with choice i becomes class
// k + i * classes.
func (c *Case) expanded() *Case {
	if c.Waiting == "" || c.States == nil {
		return c
	}
	classes := max(c.States.Classes, 1)
	type key struct {
		dest int
		at   place
	}
	choices, most := map[key]int{}, 1
	for _, s := range c.States.Steps {
		if c.commits(s.Dest, s.At) && len(s.Hops) > 1 {
			choices[key{s.Dest, s.At}] = len(s.Hops)
			most = max(most, len(s.Hops))
		}
	}
	each := func(d int, at place) (list []place) {
		for i := range max(1, choices[key{d, at}]) {
			list = append(list, place{at.Channel, at.VC, at.Class + i*classes})
		}
		return list
	}
	x := *c
	x.before = classes
	x.States = &States{Classes: classes * most, Escape: c.States.Escape}
	for _, i := range c.States.Inject {
		for _, at := range each(i[1], place{-1 - i[0], 0, i[2]}) {
			x.States.Inject = append(x.States.Inject, [3]int{i[0], i[1], at.Class})
		}
	}
	for _, s := range c.States.Steps {
		after := func(hops []place) (list []place) {
			for _, h := range hops {
				if h.Channel < 0 {
					list = append(list, h)
				} else {
					list = append(list, each(s.Dest, h)...)
				}
			}
			return list
		}
		for i, at := range each(s.Dest, s.At) {
			hops := s.Hops
			if choices[key{s.Dest, s.At}] > 0 {
				hops = s.Hops[i : i+1]
			}
			x.States.Steps = append(x.States.Steps, Step{s.Dest, at, after(hops)})
		}
	}
	return &x
}

// unexpanded returns the place in the case before it was expanded.
func (c *Case) unexpanded(at place) place {
	if c.before > 0 {
		at.Class %= c.before
	}
	return at
}

// withChoices returns a relation in which each packet of a deadlock has only the hop that it has chosen.
func withChoices(r model.Relation, rep *verify.Report) model.Relation {
	if rep.Chosen == nil {
		return r
	}
	x := &choosing{r, map[model.State]model.VCID{}}
	for i, p := range rep.Configuration {
		if rep.Chosen[i] >= 0 {
			x.at[p.Path[len(p.Path)-1]] = rep.Chosen[i]
		}
	}
	return x
}

type choosing struct {
	model.Relation
	at map[model.State]model.VCID
}

// Next implements model.Relation.
func (r *choosing) Next(s model.State, buf []model.Hop) []model.Hop {
	first := len(buf)
	buf = r.Relation.Next(s, buf)
	v, ok := r.at[s]
	if !ok {
		return buf
	}
	left := slices.DeleteFunc(buf[first:], func(h model.Hop) bool { return h.VC != v })
	return buf[:first+len(left)]
}
