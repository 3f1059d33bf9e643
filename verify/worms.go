package verify

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file searches for a deadlock of worms: packets that hold several VCs, as under
// wormhole switching. Z3 chooses worms such that no two hold the same VC and each waits only
// for VCs that are held.
//
// Promise: the result is such a set. Its worms can reach their places from the empty
// network, each alone (wormpaths.go) and all together (wormarrival.go). If no set is
// found, nothing follows: only worms of at most maxWorm VCs are tried, short ones first,
// and at most maxWorms of them.
// Cost: that of Z3, up to wormLimit.

const (
	maxWorm   = 5
	maxWorms  = 20000
	wormLimit = 20 * time.Second
	// maxChoices bounds the deadlocks that are tried until their worms can reach their places.
	maxChoices = 64
)

// worm is a packet that holds the last VCs of its path.
type worm struct {
	packet *cdg.Packet
	held   []model.VCID
	next   []model.VCID // VCs that the packet waits for, ascending
	chosen model.VCID   // the VC that the packet has chosen, or -1 if it waits for any of next
	// variants are other places on these VCs with these next hops.
	variants []variant
}

// variant is a window of worms to a destination.
type variant struct {
	dest model.DestID
	at   window
}

// findWorms returns the packets of a deadlock, how many VCs each holds and which VC each has
// chosen. If it finds none, or this build has no Z3, it returns nil. States for which
// commits returns true wait for one next hop. If commits is nil, no state commits.
func findWorms(ctx context.Context, r model.Relation, commits func(model.State) bool) ([]*cdg.Packet, []int, []model.VCID, error) {
	if !smt.Available() {
		return nil, nil, nil, nil
	}
	worms, err := collectWorms(ctx, r, commits)
	if err != nil {
		return nil, nil, nil, err
	}
	worms = removeUnblocked(worms)
	if len(worms) == 0 {
		return nil, nil, nil, nil
	}
	set, err := chooseWorms(ctx, r, worms)
	if err != nil || set == nil {
		return nil, nil, nil, err
	}
	packets, holds, waits := make([]*cdg.Packet, len(set)), make([]int, len(set)), make([]model.VCID, len(set))
	for i, w := range set {
		packets[i], holds[i], waits[i] = w.packet, len(w.held), w.chosen
	}
	if commits == nil {
		waits = nil
	}
	return packets, holds, waits, nil
}

// chooseWorms returns worms that form a deadlock and can reach their places together, with their
// packets, ascending by the last VC. It tries up to maxChoices deadlocks, then returns nil.
func chooseWorms(ctx context.Context, r model.Relation, worms []worm) ([]worm, error) {
	timed, stop := context.WithTimeout(ctx, wormLimit)
	defer stop()
	variables, clauses := wormClauses(worms)
	arrivals := newWormArrivals(r)
	for range maxChoices {
		result, chosen, err := smt.Satisfy(timed, variables, slices.Values(clauses), smt.Limit{})
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case timed.Err() != nil || err == nil && result != smt.Sat:
			return nil, nil
		case err != nil:
			return nil, err
		}
		set := smallestDeadlock(worms, chosen)
		packets, ok := arrivals.findPackets(pick(worms, set))
		if !ok {
			clauses = append(clauses, excludeSet(set))
			continue
		}
		list := pick(worms, set)
		for i := range list {
			list[i].packet = packets[i]
		}
		slices.SortFunc(list, func(a, b worm) int { return int(a.held[len(a.held)-1]) - int(b.held[len(b.held)-1]) })
		return list, nil
	}
	return nil, nil
}

// pick returns the worms with the given numbers.
func pick(worms []worm, numbers []int) (list []worm) {
	for _, i := range numbers {
		list = append(list, worms[i])
	}
	return list
}

// excludeSet returns a clause: not all worms with the given numbers are chosen.
func excludeSet(numbers []int) (clause []int32) {
	for _, i := range numbers {
		clause = append(clause, -int32(i)-1)
	}
	return clause
}

// collectWorms returns the different worms, ascending by length.
func collectWorms(ctx context.Context, r model.Relation, commits func(model.State) bool) ([]worm, error) {
	known := map[string]int{}
	var all []worm
	x := cdg.NewExplorer(r)
	for length := 1; length <= maxWorm; length++ {
		for d := range model.DestID(r.Destinations()) {
			s := x.Explore(d)
			if err := errors.Join(ctx.Err(), x.Err()); err != nil {
				return nil, err
			}
			paths := newWormPaths(r.Network(), s, length)
			for at := range paths.enumerate() {
				for w := range paths.wormsIn(at, commits) {
					key := string(wormKey(w))
					i, ok := known[key]
					if !ok {
						i = len(all)
						known[key] = i
						all = append(all, w)
					}
					if x := &all[i]; len(x.variants) < maxVariants && x.chosen == w.chosen {
						x.variants = append(x.variants, variant{d, paths.windows[at]})
					}
				}
				if len(all) >= maxWorms {
					return all, nil
				}
			}
		}
	}
	return all, nil
}

func wormKey(w worm) (key []byte) {
	for _, v := range append(slices.Clone(w.held), w.next...) {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	return append(key, byte(len(w.held)))
}

// removeUnblocked removes worms that wait for a VC that no other worm can hold, until no such
// worm is left.
func removeUnblocked(worms []worm) []worm {
	for {
		held := map[model.VCID]bool{}
		for _, w := range worms {
			for _, v := range w.held {
				held[v] = true
			}
		}
		left := slices.DeleteFunc(slices.Clone(worms), func(w worm) bool {
			return slices.ContainsFunc(w.next, func(v model.VCID) bool { return !held[v] })
		})
		if len(left) == len(worms) {
			return left
		}
		worms = left
	}
}

// wormClauses returns these clauses: some worm is chosen; no VC is held twice; each VC that a
// chosen worm waits for is held. The variables are the worms, then one for each VC (it is
// held), then auxiliary variables that count.
func wormClauses(worms []worm) (variables int, clauses [][]int32) {
	holders := map[model.VCID][]int32{}
	var order []model.VCID // in the order of first use, so that the clauses are deterministic
	some := make([]int32, len(worms))
	for i, w := range worms {
		some[i] = int32(i) + 1
		for _, v := range w.held {
			if holders[v] == nil {
				order = append(order, v)
			}
			holders[v] = append(holders[v], int32(i)+1)
		}
	}
	clauses = append(clauses, some)
	variables = len(worms)
	fresh := func() int32 { variables++; return int32(variables) }
	held := map[model.VCID]int32{}
	for _, v := range order {
		held[v] = fresh()
		clauses = append(clauses, append([]int32{-held[v]}, holders[v]...))
		before := int32(0) // an earlier holder is chosen
		for _, w := range holders[v] {
			now := fresh()
			clauses = append(clauses, []int32{-w, now})
			if before != 0 {
				clauses = append(clauses, []int32{-before, now}, []int32{-before, -w})
			}
			before = now
		}
	}
	for i, w := range worms {
		for _, v := range w.next {
			clauses = append(clauses, []int32{-int32(i) - 1, held[v]})
		}
	}
	return variables, clauses
}

// smallestDeadlock returns the numbers of the fewest chosen worms that form a deadlock: worms that wait,
// directly or indirectly, for each other and for no other worm.
func smallestDeadlock(worms []worm, chosen []bool) (best []int) {
	holder := map[model.VCID]int{}
	for i, w := range worms {
		if chosen[i] {
			best = append(best, i)
			for _, v := range w.held {
				holder[v] = i
			}
		}
	}
	for _, i := range slices.Clone(best) {
		list, seen := []int{i}, map[int]bool{i: true}
		for k := 0; k < len(list); k++ {
			for _, v := range worms[list[k]].next {
				if j := holder[v]; !seen[j] {
					seen[j] = true
					list = append(list, j)
				}
			}
		}
		if len(list) < len(best) {
			best = list
		}
	}
	return best
}
