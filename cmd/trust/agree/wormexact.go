package agree

import (
	"context"
	"fmt"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file compares verdicts on worms of any lengths with all states of the network. Neither may be
// undecided, and both must agree.

// mostLong is the largest number of VCs of the worms of the judge. It is raised to that of a refutation.
const mostLong = 9

// exactTally counts relations for which the search over all states finished.
type exactTally struct {
	drawn, judged int
	said          map[string]int // by verdict and evidence
	longest       int            // VCs of the longest worm of a refutation
	wrong         []string
}

// tallyExact judges relations of a seed, from number first, until the search has finished for count of them.
func tallyExact(ctx context.Context, seed, first uint64, count int) (*exactTally, error) {
	t := &exactTally{said: map[string]int{}}
	return t, each(ctx, func(uint64) bool { return t.judged < count && len(t.wrong) < mostFound },
		func(ctx context.Context, k uint64) (exactResult, error) {
			return judgeExact(ctx, drawExact(seed, first+k))
		}, t.add)
}

// exactRelations generates relations: those of wormRelations, and detours.
var exactRelations = rapid.Custom(func(t *rapid.T) *Case {
	if r := (drawer{t}); r.one(3) {
		return detours(r)
	}
	c := wormRelations.Draw(t, "case")
	c.Waiting = pick(drawer{t}, "", "", "", waitsMixed)
	return c
})

// drawExact returns relation k of a seed.
func drawExact(seed, k uint64) *Case {
	for i := uint64(0); ; i++ {
		if c := exactRelations.Example(rapidSeed(seed, k<<8|i)); c.States != nil && len(c.States.Inject) > 0 {
			c.Switching = "wormhole"
			return c
		}
	}
}

// detours draws a ring on which packets go on in one direction. At some switches they may also enter any
// VC of a link to an outside switch and come back, so that only long worms fill the ring.
func detours(r drawer) *Case {
	c := &Case{Kind: "ring with detours", VCs: 1 + r.IntN(2)}
	c.ring(3+r.IntN(3), true)
	size := c.Switches
	for u := range size {
		if r.one(3) {
			c.Links = append(c.Links, [2]int{u, c.Switches})
			c.Switches++
		}
	}
	for u := range c.Switches {
		if u >= size && !r.one(3) {
			continue
		}
		for range 1 + boolInt(r.one(4)) {
			c.Hosts = append(c.Hosts, u)
			c.Dests = append(c.Dests, len(c.Dests))
		}
	}
	classes, often := 1+r.IntN(2), 2+r.IntN(3)
	c.fill(classes, c.injections(r, classes), func(d int, at place) (hops []place) {
		u, to := c.head(at.Channel), c.Hosts[c.Dests[d]]
		if u == to {
			return []place{{-1 - c.Dests[d], 0, at.Class}}
		}
		for _, ch := range c.out(u) {
			v := c.head(ch)
			ahead := u < size && v == (u+1)%size || u >= size || v == to
			for i := range c.VCs {
				if ahead && (i == 0 || r.one(often)) || !ahead && v >= size && at.Class == 0 && r.one(often) {
					class := at.Class
					if !ahead && classes > 1 {
						class = r.IntN(classes)
					}
					hops = append(hops, place{ch, i, class})
				}
			}
		}
		return hops
	})
	return c
}

// exactResult is the result for one relation.
type exactResult struct {
	finished bool
	said     string
	longest  int
	wrong    string
}

// judgeExact asks verify and the search.
func judgeExact(ctx context.Context, c *Case) (one exactResult, err error) {
	rel, err := c.relation()
	if err != nil {
		return one, err
	}
	rep, err := verify.Check(ctx, rel, verify.Options{Switching: model.Wormhole, Waiting: model.Waiting(c.Waiting), NoPairs: true})
	if err != nil {
		return one, err
	}
	w := newWalk(c.expanded())
	one.longest = longestWorm(0, rep)
	all := newShapes(w, longestWorm(min(mostLong, len(w.vcs)), rep), mostShapes, false)
	found := all.backward(ctx, mostVisits)
	one.finished = found.complete
	one.said = string(rep.DeadlockFree.Verdict)
	for _, k := range rep.Certificate.Claims {
		if k.Claim == "deadlock-free" {
			one.said += " by " + k.Evidence
		}
	}
	switch said := verdict(rep.DeadlockFree.Verdict); {
	case said == undecided:
		one.finished, one.wrong = true, "undecided: "+rep.DeadlockFree.Reason
	case !one.finished:
	case said == proved && found.reached:
		one.wrong = "proved, and a state of the network is a deadlock"
	case said == refuted && !found.reached:
		one.wrong = "refuted, and no state of the network is a deadlock"
	}
	return one, ctx.Err()
}

func (t *exactTally) add(k uint64, one exactResult) {
	t.drawn++
	if !one.finished {
		return
	}
	t.judged++
	t.said[one.said]++
	t.longest = max(t.longest, one.longest)
	if one.wrong != "" {
		t.wrong = append(t.wrong, fmt.Sprintf("relation %d (%s): %s", k, one.said, one.wrong))
	}
}
