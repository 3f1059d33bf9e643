package agree

import (
	"math/rand/v2"

	"github.com/turnproof/turnproof/model"
)

// This file draws relations with several next hops.

// hopRule reports whether a packet at switch u may take a channel to switch v. far has the distances of
// the switches to the destination.
type hopRule func(far []int, u, v int) bool

func shorter(far []int, u, v int) bool { return far[v] < far[u] }
func anyHop([]int, int, int) bool      { return true }

// injections draws the classes that hosts send to each destination.
func (c *Case) injections(r drawer, classes int) (list [][3]int) {
	for d, to := range c.Dests {
		for h := range c.Hosts {
			for k := range classes {
				if h != to && (k == 0 && !r.one(40) || k > 0 && r.one(3)) {
					list = append(list, [3]int{h, d, k})
				}
			}
		}
	}
	return list
}

// adaptive draws a subset of the hops that a rule allows for each state. A hop is taken with probability
// 1/often; an empty subset is rare.
func adaptive(r drawer, rule hopRule, often int) *Case {
	c := network(r, 1+r.IntN(3))
	classes := 1 + r.IntN(2)
	stray := r.one(3) // some hops lead to wrong hosts, some past the destination
	c.fill(classes, c.injections(r, classes), func(d int, at place) (hops []place) {
		u, to := c.head(at.Channel), c.Dests[d]
		if c.Hosts[to] == u {
			hops = append(hops, place{-1 - to, 0, at.Class})
			if !stray || !r.one(6) {
				return hops
			}
		}
		far := c.distances(c.Hosts[to])
		var may []place
		for _, ch := range c.out(u) {
			for i := range c.VCs {
				if rule(far, u, c.head(ch)) {
					may = append(may, place{ch, i, r.IntN(classes)})
				}
			}
		}
		for _, h := range may {
			if r.one(often) {
				hops = append(hops, h)
			}
		}
		if len(hops) == 0 && len(may) > 0 && !r.one(50) {
			hops = append(hops, pick(r, may...))
		}
		if stray && r.one(30) {
			for h, v := range c.Hosts {
				if v == u && h != to {
					hops = append(hops, place{-1 - h, 0, at.Class})
					break
				}
			}
		}
		return hops
	})
	return c
}

// rings draws a ring on which packets keep their direction. VCs follow a dateline, with random
// exceptions.
func rings(r drawer) *Case {
	c := &Case{VCs: 1 + r.IntN(3)}
	c.ring(3+r.IntN(3), true)
	for u := range c.Switches {
		c.Hosts, c.Dests = append(c.Hosts, u), append(c.Dests, u)
	}
	both := r.one(3)
	date := r.IntN(c.Switches)
	loose := 1 + r.IntN(6)
	c.fill(1, c.injections(r, 1), func(d int, at place) (hops []place) {
		u := c.head(at.Channel)
		if u == d {
			return []place{{-1 - d, 0, 0}}
		}
		channels := []int{2 * u} // to u+1
		back := 2*((u+c.Switches-1)%c.Switches) + 1
		if both && at.Channel < 0 {
			channels = append(channels, back)
		}
		if at.Channel >= 0 && at.Channel%2 == 1 {
			channels = []int{back}
		}
		for _, ch := range channels {
			ahead := (d-u+c.Switches)%c.Switches > (date-u+c.Switches)%c.Switches // the path still crosses the dateline
			if ch%2 == 1 {
				ahead = (u-d+c.Switches)%c.Switches > (u-date+c.Switches)%c.Switches
			}
			first := 0
			if ahead {
				first = c.VCs - 1
			}
			hops = append(hops, place{ch, first, 0})
			for i := range c.VCs {
				if i != first && r.one(loose+1) {
					hops = append(hops, place{ch, i, 0})
				}
			}
		}
		if len(hops) > 1 && r.one(10) {
			hops = hops[1:]
		}
		return hops
	})
	return c
}

// escapes draws any hops on some VCs, and up*/down* hops on the last VC in every state. In some cases the
// escape has a hole. Half of the cases declare the escape.
func escapes(r drawer) *Case {
	c := network(r, 2+r.IntN(2))
	last := c.VCs - 1
	rule, often, hole := pick(r, shorter, anyHop), 2+r.IntN(4), r.one(3)
	stay := r.one(2) // packets stay on the escape
	root := c.distances(r.IntN(c.Switches))
	up := func(ch int) bool {
		u, v := c.tail(ch), c.head(ch)
		return root[v] < root[u] || root[v] == root[u] && v < u
	}
	c.fill(1, c.injections(r, 1), func(d int, at place) (hops []place) {
		u, to := c.head(at.Channel), c.Dests[d]
		if c.Hosts[to] == u {
			return []place{{-1 - to, 0, 0}}
		}
		escaped := at.Channel >= 0 && at.VC == last
		if far := c.distances(c.Hosts[to]); !escaped || !stay {
			for _, ch := range c.out(u) {
				for i := range last {
					if rule(far, u, c.head(ch)) && r.one(often) {
						hops = append(hops, place{ch, i, 0})
					}
				}
			}
		}
		if hole && len(hops) > 0 && r.one(8) {
			return hops
		}
		down := c.downTo(c.Hosts[to], up)
		mayUp := !escaped || up(at.Channel)
		for _, ch := range c.out(u) {
			if !up(ch) && down[c.head(ch)] < down[u] || up(ch) && mayUp && down[u] == 1<<20 {
				hops = append(hops, place{ch, last, 0})
			}
		}
		return hops
	})
	if r.one(2) {
		c.States.Escape = []int{last}
	}
	return c
}

// downTo returns the length of the path of down channels from each switch to a switch; 1<<20 if there is
// no such path.
func (c *Case) downTo(to int, up func(ch int) bool) []int {
	steps := make([]int, c.Switches)
	for u := range steps {
		steps[u] = 1 << 20
	}
	steps[to] = 0
	for range c.Switches {
		for ch := range 2 * len(c.Links) {
			if !up(ch) {
				steps[c.tail(ch)] = min(steps[c.tail(ch)], steps[c.head(ch)]+1)
			}
		}
	}
	return steps
}

// randomTurns draws allowed turns: those that rise in a random order of the VCs, and some others.
func randomTurns(r drawer, n *model.Network) *model.TurnSet {
	set := model.NewTurnSet(n)
	order := rand.New(rand.NewPCG(uint64(r.IntN(1<<20)), 0)).Perm(n.NumLinkVCs())
	more := pick(r, 2, 10, 100)
	for t := range model.Turns(n, r.one(4)) {
		if order[t.In] < order[t.Out] || r.one(more) {
			set.Add(t)
		}
	}
	return set
}
