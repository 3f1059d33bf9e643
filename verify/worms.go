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

// This file searches for a deadlock of worms: packets that hold several VCs at
// once, as they do under wormhole switching. Z3 chooses worms such that no two
// hold the same VC and each waits only for VCs that are held.
//
// Promise: what is returned is such a set, and its worms get to their places from the empty
// network, each alone (wormpaths.go) and all together (wormarrival.go). If no set is found, nothing follows: only worms of at
// most maxWorm VCs are tried, the shorter ones first, and at most maxWorms of them.
// Cost: that of Z3, up to the limit.

const (
	maxWorm   = 5
	maxWorms  = 20000
	wormLimit = 20 * time.Second
	// maxChoices is how many sets are tried that are a deadlock, but may not get into place.
	maxChoices = 64
)

// worm is a packet that holds the last VCs of its path.
type worm struct {
	packet *cdg.Packet
	held   []model.VCID
	next   []model.VCID // what it waits for, ascending
	chosen model.VCID   // the VC that it has chosen, -1 if it waits for any of next
	// variants are places on these VCs with these next hops.
	variants []variant
}

// variant is a window of the worms to a destination.
type variant struct {
	dest model.DestID
	at   window
}

// findWorms returns the packets of a deadlock, how many VCs each holds and which VC each
// has chosen; nil if none was found or this build has no Z3. States for which commits returns true
// wait for one next hop; if commits is nil, none do.
func findWorms(ctx context.Context, r model.Relation, commits func(model.State) bool) ([]*cdg.Packet, []int, []model.VCID, error) {
	if !smt.Available() {
		return nil, nil, nil, nil
	}
	worms, err := collectWorms(ctx, r, commits)
	if err != nil {
		return nil, nil, nil, err
	}
	worms = blockable(worms)
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

// chooseWorms returns worms that are a deadlock and get to their places together, by the last VC
// that they hold, with their packets; or nil. It tries up to maxChoices sets that are a deadlock.
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
		set := knot(worms, chosen)
		packets, ok := arrivals.of(pick(worms, set))
		if !ok {
			clauses = append(clauses, notAll(set))
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

// notAll says that not all of the worms with the given numbers are chosen.
func notAll(numbers []int) (clause []int32) {
	for _, i := range numbers {
		clause = append(clause, -int32(i)-1)
	}
	return clause
}

// collectWorms lists the different worms, by length.
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
			for at := range paths.all() {
				for w := range paths.worms(at, commits) {
					key := string(keyOf(w))
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

func keyOf(w worm) (key []byte) {
	for _, v := range append(slices.Clone(w.held), w.next...) {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	return append(key, byte(len(w.held)))
}

// blockable drops worms that wait for a VC which no other worm can hold, until
// none is left that does.
func blockable(worms []worm) []worm {
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

// wormClauses says: some worm; no VC held twice; what is waited for is held. Variables
// are the worms, then one per VC (it is held), then helpers that count.
func wormClauses(worms []worm) (variables int, clauses [][]int32) {
	holders := map[model.VCID][]int32{}
	var order []model.VCID // of first sight, so that the clauses have one order
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
		before := int32(0) // one of the holders so far is chosen
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

// knot returns the numbers of the fewest chosen worms that are a deadlock: worms that wait,
// directly or through others of them, for each other and for no other worm.
func knot(worms []worm, chosen []bool) (best []int) {
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
