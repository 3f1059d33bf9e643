package priorities_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/priorities"
)

// hop is a next hop of a switch for a destination.
type hop struct {
	dest, u int
	c       model.ChannelID
}

// fewestWithdrawn returns the fewest next hops whose removal leaves no circle and keeps all pairs connected, by trying all sets. It returns
// -1 if none does, and -2 if there are too many.
func fewestWithdrawn(d *drawn) int {
	var all []hop
	for dest := range d.next {
		for u, list := range d.next[dest] {
			for _, c := range list {
				all = append(all, hop{dest, u, c})
			}
		}
	}
	if len(all) > 18 {
		return -2
	}
	best := -1
	for mask := range 1 << len(all) {
		removed := 0
		e := &drawn{net: d.net}
		for dest := range d.next {
			e.next = append(e.next, make([][]model.ChannelID, len(d.next[dest])))
		}
		for i, h := range all {
			if mask>>i&1 == 1 {
				removed++
				continue
			}
			e.next[h.dest][h.u] = append(e.next[h.dest][h.u], h.c)
		}
		isWhole := true
		for dest := range d.next {
			for u := range d.next[dest] {
				isWhole = isWhole && (u == dest || len(e.next[dest][u]) > 0 || len(d.next[dest][u]) == 0)
			}
		}
		if !isWhole || best >= 0 && removed >= best {
			continue
		}
		next := map[[2]int]map[[2]int]bool{}
		for _, p := range e.paths() {
			for i := 1; i < len(p); i++ {
				from, to := [2]int{p[i-1][1], 0}, [2]int{p[i][1], 0}
				if next[from] == nil {
					next[from] = map[[2]int]bool{}
				}
				next[from][to] = true
			}
		}
		if !left(next) {
			best = removed
		}
	}
	return best
}

// TestWithdraw compares Withdraw with trying all sets, on routings with a next hop at each switch.
func TestWithdraw(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(longtest.Cases(80, 3000)) {
		d := draw(t, rand.New(rand.NewPCG(seed, 2)))
		r := rand.New(rand.NewPCG(seed, 3))
		for dest := range d.next { // more next hops, in the order of the distances one way round
			for u := range d.next[dest] {
				for _, c := range d.net.Out(model.SwitchID(u)) {
					n := len(d.next)
					v := d.net.Head(c)
					if u != dest && d.net.Kind(c) == model.SwitchToSwitch && (dest-int(v)+n)%n < (dest-u+n)%n && r.IntN(3) == 0 &&
						!slices.Contains(d.next[dest][u], c) {
						d.next[dest][u] = append(d.next[dest][u], c)
					}
				}
			}
		}
		routes, err := priorities.Collect(t.Context(), d, nil)
		if err != nil {
			count["loop"]++
			continue
		}
		isWhole := true
		for dest := range d.next {
			for u := range d.next[dest] {
				isWhole = isWhole && (u == dest || len(d.next[dest][u]) > 0)
			}
		}
		want := fewestWithdrawn(d)
		if !isWhole || want == -2 {
			count["large"]++
			continue
		}
		w := priorities.Withdraw(t.Context(), routes, time.Minute)
		removed := 0
		for _, x := range w.List {
			removed += len(x.Dests)
		}
		if !w.IsDecided || w.IsPossible != (want >= 0) || want >= 0 && (removed != want || w.Bound != want) {
			t.Fatalf("seed %d: %+v; want %d removed", seed, w, want)
		}
		count[fmt.Sprint(want)]++
	}
	if count["0"] == 0 || count["-1"] == 0 || count["1"]+count["2"]+count["3"] == 0 {
		t.Errorf("cases %v: too one-sided", count)
	}
	t.Log(count)
}
