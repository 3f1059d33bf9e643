package agree

import (
	"context"
	"fmt"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/engine/replay"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file compares verify and replay with all states of the network, on many random relations under
// wormhole switching.

// wormTally counts results.
type wormTally struct {
	drawn                  int // also relations whose search did not finish, which count nowhere else
	relations              int
	verify                 map[verdict]int
	deadlock               map[verdict]int // by the verdict of verify: some worms of 1 to 6 VCs, or as long as those of the refutation, reach a deadlock
	replayed               int             // relations that are not proved, with a run of replay
	reached                int             // by replay
	notAlone, falseReached int             // refutations and reached deadlocks that are wrong
	wrong                  []string        // defects of turnproof, a line each
	// Refutations in which each worm gets to its place alone, but no lengths of worms reach a deadlock.
	apart []string
}

// tallyWorms judges relations of a seed, from number first, until the search has finished for count of them. If one is
// true, packets choose one of several next hops before they wait.
func tallyWorms(ctx context.Context, seed, first uint64, count int, one bool) (*wormTally, error) {
	t := &wormTally{verify: map[verdict]int{}, deadlock: map[verdict]int{}}
	return t, each(ctx, func(uint64) bool { return t.relations < count && len(t.wrong) < mostFound },
		func(ctx context.Context, k uint64) (wormResult, error) {
			return judgeWorms(ctx, drawWorms(seed, first+k), first+k, one)
		}, t.add)
}

// wormRelations generates relations: half as other cases, half on a line or a ring of three switches with
// one or two VCs, on which packets go back and forth.
var wormRelations = rapid.Custom(func(t *rapid.T) *Case {
	if r := (drawer{t}); r.one(2) {
		return wanderers(r)
	}
	return cases.Draw(t, "case")
})

// drawWorms returns relation k of a seed.
func drawWorms(seed, k uint64) *Case {
	for i := uint64(0); ; i++ {
		if c := wormRelations.Example(rapidSeed(seed, k<<8|i)); c.States != nil && len(c.States.Inject) > 0 {
			c.Switching = "wormhole"
			return c
		}
	}
}

// wanderers draws a relation on three switches in which any hop can be permitted.
func wanderers(r drawer) *Case {
	c := &Case{Kind: "any hop, three switches", VCs: 1 + r.IntN(2)}
	c.ring(3, r.one(3))
	for range 2 + r.IntN(2) {
		c.Hosts = append(c.Hosts, r.IntN(c.Switches))
		c.Dests = append(c.Dests, len(c.Dests))
	}
	stay, often := 2+r.IntN(4), 2+r.IntN(2)
	c.fill(1, c.injections(r, 1), func(d int, at place) (hops []place) {
		u, to := c.head(at.Channel), c.Dests[d]
		if c.Hosts[to] == u && !r.one(stay) {
			hops = append(hops, place{-1 - to, 0, 0})
			if r.one(2) {
				return hops
			}
		}
		for _, ch := range c.out(u) {
			for i := range c.VCs {
				if r.one(often) {
					hops = append(hops, place{ch, i, 0})
				}
			}
		}
		return hops
	})
	return c
}

// wormResult is the result for one relation.
type wormResult struct {
	finished        bool
	said            verdict // by verify
	deadlock        bool    // some state of the network is a deadlock
	notAlone        bool    // some packet of the refutation cannot get to its place alone
	tried, replayed bool    // by replay
	wrong           string
	evidence        string // of a refutation
}

// judgeWorms asks verify, replay and the search about a relation.
func judgeWorms(ctx context.Context, c *Case, seed uint64, chooses bool) (one wormResult, err error) {
	rel, err := c.relation()
	if err != nil {
		return one, err
	}
	rep, err := verify.Check(ctx, rel, verify.Options{Switching: model.Wormhole, Waiting: waiting(chooses)})
	if err != nil {
		return one, err
	}
	w := newWalk(c)
	all := newShapes(w, longestWorm(mostWorm, rep), mostShapes, chooses)
	found := all.backward(ctx, mostVisits)
	if one.finished = found.complete; !one.finished {
		return one, ctx.Err()
	}
	one.deadlock = found.reached
	if one.said = verdict(rep.DeadlockFree.Verdict); one.said == proved {
		if one.deadlock {
			one.wrong = "proved, and a state of the network is a deadlock"
		}
		return one, nil
	}
	if one.said == refuted {
		one.evidence = rep.Certificate.Claims[1].Evidence
	}
	if i := all.notAlone(rel.Network(), rep); i >= 0 {
		one.notAlone = true
		one.wrong = fmt.Sprintf("refuted, and packet %d cannot get to its place alone", i)
		return one, nil
	}
	o := replay.Options{Switching: model.Wormhole, Waiting: waiting(chooses), Seed: seed, Orders: 20, Loads: 2, Clocks: saturated, Flits: 3, Buffer: 1}
	res, err := replay.Run(ctx, rel, heldPackets(rep), o)
	if err != nil {
		return one, err
	}
	one.tried, one.replayed = true, res.Reached
	if res.Reached {
		one.wrong = w.stays(rel.Network(), res.Deadlock, chooses)
		if one.wrong == "" && !one.deadlock {
			one.wrong = "replay reaches a deadlock, and no state of the network is one"
		}
	}
	return one, nil
}

func waiting(one bool) model.Waiting {
	if one {
		return model.WaitOne
	}
	return model.WaitAny
}

// heldPackets returns the packets of a refutation.
func heldPackets(rep *verify.Report) []replay.Held {
	held := make([]replay.Held, len(rep.Configuration))
	for i, p := range rep.Configuration {
		held[i] = replay.Held{Source: p.Source, Dest: p.Dest, Path: p.Path, Holds: heldBy(rep, i)}
		if rep.Chosen != nil && rep.Chosen[i] >= 0 {
			held[i].Commits, held[i].Chosen = true, rep.Chosen[i]
		}
	}
	return held
}

func (t *wormTally) add(k uint64, one wormResult) {
	t.drawn++
	if !one.finished {
		return
	}
	t.relations++
	t.verify[one.said]++
	if one.deadlock {
		t.deadlock[one.said]++
	}
	t.replayed += boolInt(one.tried)
	t.reached += boolInt(one.replayed)
	t.notAlone += boolInt(one.notAlone)
	t.falseReached += boolInt(one.replayed && one.wrong != "")
	if one.wrong != "" {
		t.wrong = append(t.wrong, fmt.Sprintf("relation %d: %s", k, one.wrong))
	}
	if one.said == refuted && !one.deadlock {
		t.apart = append(t.apart, fmt.Sprintf("%d (%s)", k, one.evidence))
	}
}
