package follow

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/engine"
)

// This file chooses the packets to follow: some by their IDs, or the slowest of all.

// Limits of a choice.
const (
	MaxSlowest = 100_000
	maxIDs     = 10_000
)

// Chosen implements engine.Follower.
type Chosen struct {
	ids   map[int64]bool // the packets to follow; nil: all
	limit int            // how many of the slowest to keep, if ids is nil
	ended slowest
}

// Slowest follows all packets and keeps the k with the longest latencies. Of two packets with the
// same latency, that with the lower ID counts as slower.
func Slowest(k int) *Chosen { return &Chosen{limit: k} }

// Parse returns the packets that a word means: IDs separated by commas, or slowest:N.
func Parse(word string) (*Chosen, error) {
	if number, ok := strings.CutPrefix(word, "slowest:"); ok {
		k, err := strconv.Atoi(number)
		if err != nil || k < 1 || k > MaxSlowest {
			return nil, fmt.Errorf("%q: want slowest:N, with N from 1 to %d", word, MaxSlowest)
		}
		return Slowest(k), nil
	}
	c := &Chosen{ids: map[int64]bool{}}
	for text := range strings.SplitSeq(word, ",") {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || id < 0 {
			return nil, fmt.Errorf("%q is no ID of a packet; want IDs separated by commas, or slowest:N", text)
		}
		if c.ids[id] {
			return nil, fmt.Errorf("packet %d is named twice", id)
		}
		c.ids[id] = true
	}
	if len(c.ids) > maxIDs {
		return nil, fmt.Errorf("%d packets, at most %d can be followed", len(c.ids), maxIDs)
	}
	return c, nil
}

// Follow implements engine.Follower.
func (c *Chosen) Follow(p *engine.Packet) bool { return c.ids == nil || c.ids[p.ID] }

// Ended implements engine.Follower.
func (c *Chosen) Ended(j *engine.Journey) {
	switch {
	case c.ids != nil:
		c.ended = append(c.ended, j)
	case j.Dropped:
	case len(c.ended) < c.limit:
		heap.Push(&c.ended, j)
	case slower(j, c.ended[0]):
		c.ended[0] = j
		heap.Fix(&c.ended, 0)
	}
}

// Journeys returns the journeys: by ID, with those that are under way, or the slowest first.
func (c *Chosen) Journeys(underWay []*engine.Journey) []*engine.Journey {
	list := slices.Clone(c.ended)
	if c.ids != nil {
		list = append(list, underWay...)
		slices.SortFunc(list, func(a, b *engine.Journey) int { return cmp.Compare(a.ID, b.ID) })
		return list
	}
	slices.SortFunc(list, func(a, b *engine.Journey) int {
		return cmp.Or(cmp.Compare(b.Ended-b.Created, a.Ended-a.Created), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// Missing returns the IDs of the choice for which there is no journey, ascending.
func (c *Chosen) Missing(journeys []*engine.Journey) (ids []int64) {
	for id := range c.ids {
		if !slices.ContainsFunc(journeys, func(j *engine.Journey) bool { return j.ID == id }) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func slower(a, b *engine.Journey) bool {
	x, y := a.Ended-a.Created, b.Ended-b.Created
	return x > y || x == y && a.ID < b.ID
}

// slowest is a heap with the fastest of the slowest packets at its root.
type slowest []*engine.Journey

// Len implements heap.Interface.
func (s slowest) Len() int { return len(s) }

// Less implements heap.Interface.
func (s slowest) Less(i, j int) bool { return slower(s[j], s[i]) }

// Swap implements heap.Interface.
func (s slowest) Swap(i, j int) { s[i], s[j] = s[j], s[i] }

// Push implements heap.Interface.
func (s *slowest) Push(x any) { *s = append(*s, x.(*engine.Journey)) }

// Pop implements heap.Interface. Chosen never calls it.
func (s *slowest) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}
