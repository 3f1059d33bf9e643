package minimum

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"turnproof/model"
)

// This file runs both searches at once: for a set, and for a bound.

// Options of Find; the zero value is the default.
type Options struct {
	Time time.Duration // 0: 10 s
	Seed uint64
	// Both allows a turn together with its reverse, the same way backwards, or not at all.
	Both bool
	// Cyclefree drops connectedness: only no cycle is asked for.
	Cyclefree bool
	// Start are sets to begin with; those that close a cycle are left out.
	Start [][]int32 // ranks, by channel between switches
	// Tree, by switch the channel to its parent (NoChannel at the root), is a spanning tree
	// whose turns all rise by Start[0]. On networks of more than 300 switches these turns stay
	// allowed, which keeps all connected, and pairs are not counted: much faster, some sets
	// are out of reach.
	Tree []model.ChannelID
	// Told, if it is not nil, is told of each improvement: turns prohibited, and how many
	// must be. It may be called from another goroutine, one call at a time.
	Told func(least, bound int)
}

// Result of Find.
type Result struct {
	Allowed *model.TurnSet // of the network with one VC
	Least   int            // turns prohibited; with Both, pairs of a turn and its reverse
	Bound   int            // at least so many are in every such set, counted alike
	Packing *Packing       // shows the bound, or as much of it as cycles do
	Gossip  int            // what connectedness shows, see gossip.go; 0 with Cyclefree
}

// mostTurns bounds the linear programme, which keeps turns² numbers.
const mostTurns = 4000

// Find looks for the fewest prohibited turns. It ends when the bound is reached, when the
// time is over, or when ctx ends with something found.
func Find(ctx context.Context, n *model.Network, o Options) (*Result, error) {
	if o.Time == 0 {
		o.Time = 10 * time.Second
	}
	x := newInstance(n)
	x.both = o.Both
	x.keepTree(o.Tree)
	until := time.Now().Add(o.Time)
	var bound, least atomic.Int64
	least.Store(math.MaxInt64)
	var told sync.Mutex
	tell := func() {
		if o.Told != nil {
			told.Lock()
			defer told.Unlock()
			o.Told(int(least.Load()), int(bound.Load()))
		}
	}
	r := &Result{Packing: &Packing{Denominator: denominator}}
	if !o.Cyclefree {
		if r.Gossip = x.gossip(); o.Both {
			r.Gossip = (r.Gossip + 1) / 2
		}
		bound.Store(int64(r.Gossip))
	}
	packed := make(chan struct{})
	stop, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer close(packed)
		if len(x.turns) == 0 || len(x.turns) > mostTurns {
			return
		}
		p := x.newPacker(o.Seed)
		take := func() {
			if better := p.packing(); int64(better.Bound()) > bound.Load() {
				r.Packing = better
				bound.Store(int64(better.Bound()))
				tell()
			}
		}
		p.pack(stop, until, func(sum float64) bool {
			if int64(math.Ceil(sum*(1-1e-4)-1e-6)) > bound.Load() { // worth rounding
				take()
			}
			return bound.Load() >= least.Load()
		})
		take()
	}()
	best, _ := x.search(stop, o, until, func() int { return int(bound.Load()) }, func(k int) {
		least.Store(int64(k))
		tell()
	})
	cancel()
	<-packed
	if best == nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, errors.New("minimum: no set that joins all switches with hosts was found in the time; is the network connected?")
	}
	r.Allowed, r.Least, r.Bound = x.set(best), int(least.Load()), int(bound.Load())
	return r, nil
}
