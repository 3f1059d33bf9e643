package priorities

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/turnproof/turnproof/model"
)

// This file finds rules step by step. They only raise priorities, by one.

// mostPriorities is the largest number of priorities of rules that are found step by step: a mask has room for them.
const mostPriorities = 60

// Levels returns the level of each switch: its distance from the nearest switch with hosts. It returns nil if switches of one level have
// a cable, or if all have hosts.
func Levels(n *model.Network, isEnd func(model.SwitchID) bool) []int {
	level := make([]int, n.NumSwitches())
	var todo []model.SwitchID
	for u := range level {
		level[u] = -1
	}
	put := func(u model.SwitchID, l int) {
		if level[u] < 0 {
			level[u] = l
			todo = append(todo, u)
		}
	}
	for h := range model.HostID(n.NumHosts()) {
		u := n.Host(h).Switch
		if isEnd == nil || !isEnd(u) {
			put(u, 0)
			continue
		}
		for _, c := range n.Out(u) {
			if n.Kind(c) == model.SwitchToSwitch {
				put(n.Head(c), 0)
			}
		}
	}
	deepest := 0
	for i := 0; i < len(todo); i++ {
		for _, c := range n.Out(todo[i]) {
			if v := n.Head(c); n.Kind(c) == model.SwitchToSwitch && (isEnd == nil || !isEnd(v)) {
				put(v, level[todo[i]]+1)
			}
		}
		deepest = max(deepest, level[todo[i]])
	}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		u, v := n.Tail(c), n.Head(c)
		if (isEnd == nil || !isEnd(u) && !isEnd(v)) && level[u] == level[v] {
			return nil
		}
	}
	if deepest == 0 {
		return nil
	}
	return level
}

// bounces returns the turns that go up after they have come down, or nil if the network has no levels.
func (r *Routes) bounces() (list []int32) {
	level := Levels(r.Net, r.isEnd)
	if level == nil {
		return nil
	}
	list = []int32{}
	for i, t := range r.Turns {
		if t.In != model.NoChannel && level[r.Net.Tail(t.In)] > level[t.Switch] && level[r.Net.Head(t.Out)] > level[t.Switch] {
			list = append(list, int32(i))
		}
	}
	return list
}

// raised returns the rules that raise each priority at some turns.
func raised(turns []int32, n, k int) *rules {
	x := newRules(n, k)
	for _, t := range turns {
		for p := range k - 1 {
			x.set(t, p, p+1)
		}
	}
	return x
}

// solution is rules without circles.
type solution struct {
	*rules
	used  usage
	count int // rules that frames meet
}

// judge returns a solution, or the circles that remain.
func (r *Routes) judge(x *rules) (*solution, [][]use) {
	used, top := r.reached(x)
	if c := r.graphOf(x, used, top).circles(); len(c) > 0 {
		return nil, c
	}
	s := &solution{rules: x, used: used}
	s.k = top + 1
	used.each(func(u use) {
		if x.at(u.turn, int(u.p)) != int(u.p) {
			s.count++
		}
	})
	return s, nil
}

// better reports whether s has fewer priorities than t, or as many and fewer rules.
func (s *solution) better(t *solution) bool {
	return t == nil || s.k < t.k || s.k == t.k && s.count < t.count
}

// greedy finds rules: those of Tagger, if the network has levels, and rules that break one circle after the other.
func (r *Routes) greedy(ctx context.Context, until time.Time) (best *solution) {
	bounces := r.bounces()
	if bounces != nil {
		if s, _ := r.judge(raised(bounces, len(r.Turns), mostPriorities)); s != nil {
			best = s
		}
	}
	if s := r.breakCircles(ctx, bounces); s != nil && s.better(best) {
		best = s
	}
	return r.withoutNeedless(ctx, best, until)
}

// breakCircles raises the priority at a turn of each circle until none is left. It returns nil if it needs too many priorities.
func (r *Routes) breakCircles(ctx context.Context, preferred []int32) *solution {
	x := newRules(len(r.Turns), mostPriorities)
	isPreferred := map[int32]bool{}
	for _, t := range preferred {
		isPreferred[t] = true
	}
	for ctx.Err() == nil {
		s, circles := r.judge(x)
		if s != nil {
			return s
		}
		low := int8(mostPriorities)
		for _, c := range circles {
			low = min(low, c[0].p)
		}
		if low == mostPriorities-1 {
			return nil
		}
		for _, c := range circles {
			if c[0].p != low {
				continue
			}
			u := slices.MinFunc(c, func(a, b use) int {
				if isPreferred[a.turn] != isPreferred[b.turn] {
					if isPreferred[a.turn] {
						return -1
					}
					return 1
				}
				return cmp.Compare(a.turn, b.turn)
			})
			x.set(u.turn, int(u.p), int(u.p)+1)
		}
	}
	return nil
}

// withoutNeedless removes rules as long as no circle arises and no further priority is needed.
func (r *Routes) withoutNeedless(ctx context.Context, s *solution, until time.Time) *solution {
	if s == nil {
		return nil
	}
	for _, u := range s.changes() {
		if ctx.Err() != nil || time.Now().After(until) {
			break
		}
		q := s.at(u.turn, int(u.p))
		s.set(u.turn, int(u.p), int(u.p))
		x := *s.rules
		if t, _ := r.judge(&x); t != nil && t.k <= s.k && t.count < s.count {
			s = t
			continue
		}
		s.set(u.turn, int(u.p), q)
	}
	return s
}

// changes returns the rules that frames meet, in the order of priorities and turns, the last first.
func (s *solution) changes() (list []use) {
	s.used.each(func(u use) {
		if s.at(u.turn, int(u.p)) != int(u.p) {
			list = append(list, u)
		}
	})
	slices.SortFunc(list, func(a, b use) int { return cmp.Or(cmp.Compare(b.p, a.p), cmp.Compare(b.turn, a.turn)) })
	return list
}
