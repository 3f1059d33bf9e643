package minimum

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/turnproof/turnproof/internal/journal"
	"github.com/turnproof/turnproof/model"
)

// This file runs the searches side by side: for a set, and for a bound; they tell each other
// what they find.

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
	// Journal names a file that what is found is added to, and taken from if it is there.
	Journal string
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
	// Steps, if there are some, show the bound together with Packing, as
	// cert.EvidenceRefutation says.
	Steps []int32
}

// mostDecided bounds the turns of networks on which it is decided about numbers of turns; beyond,
// no such question was ever seen to end, and annealing has better use for the time.
const mostDecided = 500

// mostTurns bounds the linear programme, which keeps turns² numbers.
const mostTurns = 4000

// hunt is what the searches share.
type hunt struct {
	told    func(least, bound int)
	journal *journal.Journal // nil: there is none
	kept    [][]int32        // ranks, of the sets in it
	stop    func()
	began   time.Time

	mu      sync.Mutex
	best    []int32  // ranks; nil: none is connected yet
	packing *Packing // the heaviest one; result.Packing is the first that shows result.Bound
	result  Result
	clocks  clocks
	fault   error // of the journal
}

// better notes a set, if it is better.
func (h *hunt) better(rank []int32, least int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.takes(rank, least) {
		h.note(entry{Prohibited: least, Ranks: rank})
	}
}

// known is better for a set that is in the journal.
func (h *hunt) known(rank []int32, least int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.takes(rank, least)
}

// takes takes a set, if it is better.
func (h *hunt) takes(rank []int32, least int) bool {
	if rank == nil || least >= h.result.Least {
		return false
	}
	h.best, h.result.Least = rank, least
	h.clocks.foundAt = h.clocks.moves
	h.tell()
	return true
}

// raisePacking records a packing and the bound that it shows. The search for a set may stop the
// packing at any time. Therefore the result holds the first packing that shows the bound, and the
// heaviest one is kept apart.
func (h *hunt) raisePacking(p *Packing) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.result.Steps == nil && p.sum() > h.packing.sum() {
		h.packing = p
	}
	h.raise(p.Bound(), p, nil)
}

// raiseSteps records a bound that steps show together with the heaviest packing.
func (h *hunt) raiseSteps(bound int, steps []int32) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.raise(bound, h.packing, steps)
}

// raise records a bound and its evidence, if the bound is higher than the present one.
func (h *hunt) raise(bound int, p *Packing, steps []int32) {
	if bound > h.result.Bound {
		h.result.Bound, h.result.Packing, h.result.Steps = bound, p, steps
		h.note(entry{Bound: bound, Packing: p, Steps: steps})
		h.tell()
	}
}

func (h *hunt) tell() {
	if h.told != nil {
		h.told(h.result.Least, h.result.Bound)
	}
}

// bestRanks returns the ranks of the best set, or nil.
func (h *hunt) bestRanks() []int32 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.best
}

// bound returns the present bound.
func (h *hunt) bound() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.result.Bound
}

// Find looks for the fewest prohibited turns. It ends when the bound is reached, when the
// time is over, or when ctx ends with something found.
func Find(ctx context.Context, n *model.Network, o Options) (*Result, error) {
	if o.Time == 0 {
		o.Time = 10 * time.Second
	}
	x := newInstance(n)
	x.both = o.Both
	x.keepTree(o.Tree)
	h := &hunt{told: o.Told, began: time.Now(), packing: &Packing{Denominator: denominator}, result: Result{Least: math.MaxInt}}
	h.result.Packing = h.packing
	h.clocks.init(x)
	if !o.Cyclefree {
		if h.result.Gossip = x.gossip(); o.Both {
			h.result.Gossip /= 2
		}
		h.result.Bound = h.result.Gossip
	}
	limited, cancel := context.WithTimeout(ctx, o.Time)
	defer cancel()
	h.stop = cancel
	if o.Journal != "" {
		if err := x.openJournal(o, h); err != nil {
			return nil, err
		}
	}
	bounded := make(chan struct{})
	go func() {
		defer close(bounded)
		x.bound(limited, o, h)
		h.boundDone()
	}()
	x.search(limited, o, h)
	cancel()
	<-bounded
	if h.journal != nil {
		if err := h.journal.Close(); h.fault == nil {
			h.fault = err
		}
		if h.fault != nil {
			return nil, h.fault
		}
	}
	if h.best == nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, errors.New("minimum: no set that joins all switches with hosts was found in the time; is the network connected?")
	}
	h.result.Allowed = x.set(h.best)
	if h.result.Steps == nil && h.result.Packing.Bound() < h.result.Bound {
		h.result.Packing = h.packing // shows a part of the bound
	}
	return &h.result, nil
}

// bound packs cycles. If that does not close the gap, it decides about one number of turns after
// another.
func (x *instance) bound(ctx context.Context, o Options, h *hunt) {
	switch {
	case len(x.turns) == 0:
	case len(x.turns) > mostTurns:
		h.raisePacking(x.disjoint(ctx))
	default:
		if h.result.Steps == nil { // else from a journal
			x.boundByPacking(ctx, o, h)
		}
		if len(x.turns) <= mostDecided {
			x.boundByDecisions(ctx, o, h)
		}
	}
}

// boundByPacking packs cycles until no cycle pays or the search is over.
func (x *instance) boundByPacking(ctx context.Context, o Options, h *hunt) {
	p := x.newPacker(o.Seed)
	p.pack(ctx, func(sum float64) bool {
		if int(math.Ceil(sum*(1-1e-4)-1e-6)) > h.bound() { // worth rounding
			h.raisePacking(p.packing())
		}
		return h.boundWorked(p.work)
	})
	h.raisePacking(p.packing())
}

// boundByDecisions asks whether a set with as few turns as the bound exists. If none does, it
// raises the bound and asks again. It starts from the set that the annealing has after its head start,
// not from the latest one, so that the answer does not depend on the speed of the annealing.
func (x *instance) boundByDecisions(ctx context.Context, o Options, h *hunt) {
	best, ok := h.awaitHeadStart(ctx)
	if !ok {
		return
	}
	for before := h.clocks.work; !h.boundWorked(before); {
		k := h.bound()
		d := x.newDecider(k, h.packing, !o.Cyclefree, func(t int32) bool {
			return best != nil && best[x.turns[t].in] >= best[x.turns[t].out]
		})
		worked := func() int64 { return before + movesPerConflict*d.conflicts }
		answer := d.decide(ctx, func() bool { return h.boundWorked(worked()) })
		before = worked()
		switch answer {
		case found:
			h.decided(ctx, d.ranks(), k, before)
			return
		case refuted:
			h.raiseSteps(k+1, d.proof.written(d))
		case undecided:
			return
		}
	}
}
