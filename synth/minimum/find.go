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

// This file runs the search for a set and the search for a bound side by side. Each uses the
// results of the other.

// Options are the options of Find. The zero value is the default.
type Options struct {
	Time time.Duration // Defaults to 10 s.
	Seed uint64
	// Both couples each turn with its reverse, which traverses the same links backwards: both are
	// allowed or both are prohibited.
	Both bool
	// Cyclefree drops the requirement that all pairs are joined.
	Cyclefree bool
	// Start holds sets to start from. Sets that close a cycle are ignored.
	Start [][]int32 // ranks, by channel between switches
	// Tree is a spanning tree: for each switch the channel to its parent, or NoChannel at the
	// root. All turns of the tree must rise by Start[0]. On networks of more than 300 switches
	// these turns remain allowed, so all pairs are joined and need not be counted. This is much
	// faster, but some sets cannot be found.
	Tree []model.ChannelID
	// Journal names a file. Find reads earlier results from the file and appends new ones.
	Journal string
	// Improved, if not nil, is called after each improvement with the fewest prohibited turns found
	// and the bound. The calls may come from another goroutine, but never at the same time.
	Improved func(least, bound int)
}

// Result is the result of Find.
type Result struct {
	Allowed *model.TurnSet // turns of the network with one VC
	Least   int            // number of prohibited turns; with Both, of pairs of a turn and its reverse
	Bound   int            // lower bound on Least, in the same unit
	Packing *Packing       // shows the bound, or the part of it that cycles show
	Gossip  int            // lower bound from connectedness, see gossip.go; 0 with Cyclefree
	// Steps, if not nil, show the bound together with Packing, in the format of
	// cert.EvidenceRefutation.
	Steps []int32
}

// mostDecided is the largest number of turns for which decisions are tried. On larger networks no
// decision ever finished in our runs, and the annealing uses the time better.
const mostDecided = 500

// mostTurns is the largest number of turns for the linear program, which stores turns² numbers.
const mostTurns = 4000

// hunt is the state that the searches share.
type hunt struct {
	improved func(least, bound int)
	journal  *journal.Journal // may be nil
	kept     [][]int32        // ranks of the sets in the journal
	stop     func()
	began    time.Time

	mu      sync.Mutex
	best    []int32  // ranks of the best set. If nil, no set joins all pairs yet.
	packing *Packing // the heaviest one; result.Packing is the first that shows result.Bound
	result  Result
	clocks  clocks
	fault   error // first error of the journal
}

// better records a set, and adds it to the journal, if it is better than the best one.
func (h *hunt) better(rank []int32, least int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.takes(rank, least) {
		h.note(entry{Prohibited: least, Ranks: rank})
	}
}

// known is like better for a set that is already in the journal.
func (h *hunt) known(rank []int32, least int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.takes(rank, least)
}

// takes makes a set the best one if it has fewer prohibited turns. It reports whether it did.
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
	if h.improved != nil {
		h.improved(h.result.Least, h.result.Bound)
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

// Find searches for the fewest prohibited turns. It returns when the bound is reached, when o.Time
// is over, or when ctx ends. If no set was found by then, it returns an error.
func Find(ctx context.Context, n *model.Network, o Options) (*Result, error) {
	if o.Time == 0 {
		o.Time = 10 * time.Second
	}
	x := newInstance(n)
	x.both = o.Both
	x.keepTree(o.Tree)
	h := &hunt{improved: o.Improved, began: time.Now(), packing: &Packing{Denominator: denominator}, result: Result{Least: math.MaxInt}}
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
		h.result.Packing = h.packing // shows part of the bound
	}
	return &h.result, nil
}

// bound packs cycles. If the packing does not close the gap, it decides for one number of turns
// after another whether such a set exists.
func (x *instance) bound(ctx context.Context, o Options, h *hunt) {
	switch {
	case len(x.turns) == 0:
	case len(x.turns) > mostTurns:
		h.raisePacking(x.disjoint(ctx))
	default:
		if h.result.Steps == nil { // otherwise the journal has a better bound
			x.boundByPacking(ctx, o, h)
		}
		if len(x.turns) <= mostDecided {
			x.boundByDecisions(ctx, o, h)
		}
	}
}

// boundByPacking packs cycles until no cycle improves the packing or the search is over.
func (x *instance) boundByPacking(ctx context.Context, o Options, h *hunt) {
	p := x.newPacker(o.Seed)
	p.pack(ctx, func(sum float64) bool {
		if int(math.Ceil(sum*(1-1e-4)-1e-6)) > h.bound() { // rounding takes time
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
