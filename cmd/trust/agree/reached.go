package agree

import (
	"context"
	"fmt"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file compares what verify says about the reach of deadlocks with all states of the network: a deadlock is
// reached if and only if the states have one, and deadlock-free is proved if and only if they have none.

// reachTally counts relations for which the search over all states finished.
type reachTally struct {
	drawn, judged int
	said          map[string]int // by switching, verdict, evidence and reach
	moves         int            // the longest schedule
	wrong         []string
}

// reachRelations generates relations and tables of all kinds, and relations whose packets cross the paths of each other.
var reachRelations = rapid.Custom(func(t *rapid.T) *Case {
	r := drawer{t}
	var c *Case
	switch r.IntN(8) {
	case 0:
		c = cases.Draw(t, "case")
	case 1:
		c = detours(r)
	case 2:
		c = crossings(r)
	case 3:
		c = wanderers(r)
	default:
		c = passages(r)
	}
	c.Switching, c.Waiting = pick(r, "vct", "saf", "wormhole"), pick(r, "", "", waitsOne, waitsMixed)
	return c
})

// drawReach returns relation k of a seed.
func drawReach(seed, k uint64) *Case {
	for i := uint64(0); ; i++ {
		c := reachRelations.Example(rapidSeed(seed, k<<8|i))
		if c.Table != nil && c.Waiting == waitsMixed {
			c.Waiting = ""
		}
		if c.Named == nil && (c.States == nil || len(c.States.Inject) > 0) {
			return c
		}
	}
}

// crossings draws one path for each pair of hosts: a random walk of different channels. The class of a packet is
// the number of its hops so far.
func crossings(r drawer) *Case {
	c := &Case{Kind: "paths that cross", VCs: 1}
	c.ring(3+r.IntN(2), true)
	for u := range c.Switches {
		if r.one(3) {
			c.Links = append(c.Links, [2]int{u, (u + 2) % c.Switches})
		}
	}
	for range 2 + r.IntN(3) {
		c.Hosts = append(c.Hosts, r.IntN(c.Switches))
		c.Dests = append(c.Dests, len(c.Dests))
	}
	type leg struct {
		dest int
		at   place
	}
	next, most := map[leg]place{}, 4*c.Switches
	var inject [][3]int
	for d := range c.Dests {
		for h := range c.Hosts {
			if h == c.Dests[d] || r.one(4) {
				continue
			}
			class := h * most
			inject = append(inject, [3]int{h, d, class})
			at, used := place{-1 - h, 0, class}, map[int]bool{}
			for k := 1; k < most; k++ {
				u := c.head(at.Channel)
				out := c.out(u)
				ch := out[r.IntN(len(out))]
				if used[ch] || u == c.Hosts[c.Dests[d]] && (k > 2 || r.one(2)) {
					break
				}
				used[ch] = true
				to := place{ch, 0, class + k}
				next[leg{d, at}] = to
				at = to
			}
		}
	}
	c.fill(len(c.Hosts)*most, inject, func(d int, at place) []place {
		if to, ok := next[leg{d, at}]; ok {
			return []place{to}
		}
		if c.head(at.Channel) == c.Hosts[c.Dests[d]] {
			return []place{{-1 - c.Dests[d], 0, at.Class}}
		}
		return nil
	})
	return c
}

// passages draws a relation on a line of two or three switches. At their switch packets may leave or go on, so that packets pass
// the same channels in different orders, and two of them could only change places.
func passages(r drawer) *Case {
	c := &Case{Kind: "packets that change places", VCs: 1 + boolInt(r.one(4))}
	c.ring(2+boolInt(r.one(4)), false)
	for range 3 + boolInt(r.one(2)) {
		c.Hosts = append(c.Hosts, r.IntN(c.Switches))
		c.Dests = append(c.Dests, len(c.Dests))
	}
	c.fill(1, c.injections(r, 1), func(d int, at place) (hops []place) {
		u, to := c.head(at.Channel), c.Dests[d]
		if c.Hosts[to] == u {
			hops = append(hops, place{-1 - to, 0, 0})
		}
		all := c.out(u)
		for k, ch := range all {
			if r.one(2+len(hops)) || len(hops) == 0 && k == len(all)-1 {
				hops = append(hops, place{ch, r.IntN(c.VCs), 0})
			}
		}
		return hops
	})
	return c
}

// tallyReach judges relations of a seed, from number first, until the search has finished for count of them.
func tallyReach(ctx context.Context, seed, first uint64, count int) (*reachTally, error) {
	t := &reachTally{said: map[string]int{}}
	return t, each(ctx, func(uint64) bool { return t.judged < count && len(t.wrong) < mostFound },
		func(ctx context.Context, k uint64) (reachResult, error) {
			return judgeReach(ctx, drawReach(seed, first+k))
		}, t.add)
}

// reachResult is the result for one relation.
type reachResult struct {
	finished bool
	said     string
	moves    int
	wrong    string
}

// judgeReach asks verify and the search.
func judgeReach(ctx context.Context, c *Case) (one reachResult, err error) {
	rel, err := c.relation()
	if err != nil {
		return one, err
	}
	rep, err := verify.Check(ctx, rel, verify.Options{Switching: model.Switching(c.Switching), Waiting: model.Waiting(c.Waiting), NoPairs: true})
	if err != nil {
		return one, err
	}
	w, most := newWalk(c.expanded()), 1
	if c.Switching == "wormhole" {
		most = longestWorm(min(mostWorm, len(w.vcs)), rep)
	}
	all := newShapes(w, most, mostShapes, false)
	found := all.backward(ctx, mostVisits)
	one.finished, one.moves = found.complete, len(rep.Schedule)
	sort := "states"
	if c.Table != nil {
		sort = "table"
	}
	one.said = fmt.Sprintf("%s, %s: %s", c.Switching, sort, rep.DeadlockFree.Verdict)
	for _, k := range rep.Certificate.Claims {
		if k.Claim == "deadlock-free" {
			one.said += " by " + k.Evidence
		}
	}
	isReached := rep.Reached != nil && *rep.Reached
	said := verdict(rep.DeadlockFree.Verdict)
	if said == refuted && !isReached {
		one.said += ", reach open"
	}
	switch {
	case !one.finished:
	case isReached != (rep.Schedule != nil) || isReached && said != refuted:
		one.wrong = "reached, without a schedule or a refutation"
	case isReached && !found.reached:
		one.wrong = "reached, and no state of the network is a deadlock"
	case said == proved && found.reached:
		one.wrong = "proved, and a state of the network is a deadlock"
	case said == undecided || said == refuted && !isReached && c.Table == nil:
		one.wrong = "open, and the search over all states has decided"
	case said == refuted && !isReached && found.reached:
		one.wrong = "a deadlock is reached, and no schedule is found"
	}
	return one, ctx.Err()
}

func (t *reachTally) add(k uint64, one reachResult) {
	t.drawn++
	if !one.finished {
		return
	}
	t.judged++
	t.said[one.said]++
	t.moves = max(t.moves, one.moves)
	if one.wrong != "" {
		t.wrong = append(t.wrong, fmt.Sprintf("relation %d (%s): %s", k, one.said, one.wrong))
	}
}
