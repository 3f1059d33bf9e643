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

	mu     sync.Mutex
	best   []int32 // ranks; nil: none is connected yet
	result Result
	fault  error // of the journal
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
	h.tell()
	return true
}

// raise notes a bound and what shows it, if it is better; without steps the packing itself
// does. Of packings that show the same the heavier one is kept, but where steps rest on it.
func (h *hunt) raise(bound int, p *Packing, steps []int32) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if steps == nil && h.result.Steps == nil && p.sum() > h.result.Packing.sum() {
		h.result.Packing = p
	}
	if bound > h.result.Bound {
		h.result.Bound, h.result.Steps = bound, steps
		h.note(entry{Bound: bound, Packing: h.result.Packing, Steps: steps})
		h.tell()
	}
}

func (h *hunt) tell() {
	if h.told != nil {
		h.told(h.result.Least, h.result.Bound)
	}
}

// state returns what is known.
func (h *hunt) state() (best []int32, least, bound int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.best, h.result.Least, h.result.Bound
}

// closed reports whether the best set is as good as the bound.
func (h *hunt) closed() bool {
	_, least, bound := h.state()
	return least <= bound
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
	h := &hunt{told: o.Told, began: time.Now(), result: Result{Least: math.MaxInt, Packing: &Packing{Denominator: denominator}}}
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
		if len(x.turns) > 0 && len(x.turns) <= mostTurns {
			x.bound(limited, o, h)
		} else if len(x.turns) > 0 {
			pack := x.disjoint(limited)
			h.raise(pack.Bound(), pack, nil)
		}
		if h.closed() {
			cancel()
		}
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
	return &h.result, nil
}

// bound packs cycles, and where that does not close the gap decides about one turn after
// another.
func (x *instance) bound(ctx context.Context, o Options, h *hunt) {
	if h.result.Steps == nil { // else from a journal
		p := x.newPacker(o.Seed)
		take := func() {
			pack := p.packing()
			h.raise(pack.Bound(), pack, nil)
		}
		p.pack(ctx, func(sum float64) bool {
			if _, _, bound := h.state(); int(math.Ceil(sum*(1-1e-4)-1e-6)) > bound { // worth rounding
				take()
			}
			return h.closed()
		})
		take()
	}
	for ctx.Err() == nil && !h.closed() && len(x.turns) <= mostDecided {
		best, _, k := h.state()
		d := x.newDecider(k, h.result.Packing, !o.Cyclefree, func(t int32) bool {
			return best != nil && best[x.turns[t].in] >= best[x.turns[t].out]
		})
		switch d.decide(ctx, h) {
		case found:
			h.better(d.ranks(), k)
		case refuted:
			h.raise(k+1, nil, d.proof.written(d))
		case undecided:
			return
		}
	}
}
