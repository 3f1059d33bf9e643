package states

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// drawTiny draws a case of a few buffers, with any features that fit together.
func drawTiny(rng *rand.Rand) Case {
	c := Case{Switching: Switching(rng.IntN(3)), Reuse: Reuse(rng.IntN(3))}
	if c.Switching != Wormhole && c.Reuse == WhenFull {
		c.Reuse = WhenRoom
	}
	links := 2 + rng.IntN(3)
	packet := 1 + rng.IntN(2)
	for b := range links {
		flits := 1 + rng.IntN(3)
		if c.Switching != Wormhole {
			flits = max(flits, packet)
		}
		c.Buffers = append(c.Buffers, Buffer{Name: fmt.Sprint("b", b), Flits: flits, Channel: b})
	}
	hosts := 1 + rng.IntN(2)
	for h := range hosts {
		c.Buffers = append(c.Buffers, Buffer{Name: fmt.Sprint("h", h), Kind: Inject, VCs: 1 + rng.IntN(2), Flits: 1 + rng.IntN(2), Channel: -1, Host: h})
	}
	dests := 1 + rng.IntN(2)
	for d := range dests {
		for b := range c.Buffers {
			p := Place{Buffer: b, Host: d, Commits: rng.IntN(4) == 0}
			for w := range links {
				if w != b && rng.IntN(3) == 0 || w == b && rng.IntN(20) == 0 {
					p.Next = append(p.Next, d*len(c.Buffers)+w)
				}
			}
			if c.Buffers[b].Kind == Link && (len(p.Next) == 0 || rng.IntN(3) == 0) && rng.IntN(10) > 0 {
				p.Next = append(p.Next, Leave)
			}
			c.Places = append(c.Places, p)
		}
		for h := range hosts {
			lengths := []int{packet}
			if packet > 1 && rng.IntN(4) == 0 {
				lengths = []int{1, packet}
			}
			c.Streams = append(c.Streams, Stream{Start: d*len(c.Buffers) + links + h, Flits: lengths})
		}
	}
	if rng.IntN(4) == 0 {
		drawCopies(rng, &c, links)
	}
	if rng.IntN(4) == 0 && c.Switching != Wormhole {
		c.Flow = &Flow{Kind: []string{"bubble", "critical-bubble"}[rng.IntN(2)], Assumed: packet}
	}
	return c
}

// drawCopies adds multicast packets on a tree of some buffers.
func drawCopies(rng *rand.Rand, c *Case, links int) {
	order := rng.Perm(links)
	first := len(c.Places)
	for i, b := range order {
		c.Places = append(c.Places, Place{Buffer: b, All: true})
		if i > 0 {
			from := first + rng.IntN(i)
			c.Places[from].Next = append(c.Places[from].Next, first+i)
		}
	}
	for i := range order {
		p := &c.Places[first+i]
		if len(p.Next) == 0 || rng.IntN(3) == 0 {
			p.Next = append(p.Next, Leave)
		}
	}
	c.Places = append(c.Places, Place{Buffer: links, All: true, Next: []int{first}})
	c.Streams = append(c.Streams, Stream{Start: len(c.Places) - 1, Flits: c.Streams[0].Flits})
}

// TestReductions compares the search with that of each flit alone, without reductions.
func TestReductions(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(300) {
		c := drawTiny(rand.New(rand.NewPCG(seed, 1)))
		plain, err := Search(context.Background(), c, Limits{Plain: true, States: 2000})
		if err != nil {
			count[err.Error()]++
			continue
		}
		got, err := Search(context.Background(), c, Limits{States: 20000})
		if err != nil {
			t.Fatal(err)
		}
		count[fmt.Sprint(got.Verdict, " ", plain.Verdict)]++
		if got.Verdict != plain.Verdict && got.Verdict != Unknown && plain.Verdict != Unknown {
			t.Errorf("seed %d: %s, each flit alone %s: %+v", seed, got.Verdict, plain.Verdict, c)
			for _, line := range append(got.Run, plain.Run...) {
				t.Log(line)
			}
			if count["bad"]++; count["bad"] > 3 {
				break
			}
		}
		if got.States > plain.States && plain.Verdict == Free {
			t.Errorf("seed %d: %d states, each flit alone %d", seed, got.States, plain.States)
		}
	}
	t.Log(count)
}
