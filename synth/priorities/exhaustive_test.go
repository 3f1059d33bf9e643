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

// This file compares Find with a judge that tries all rules. The judge writes out every path, and shares no code with the package.

// drawn is a routing with next hops by switch and destination; each switch has a host.
type drawn struct {
	net  *model.Network
	next [][][]model.ChannelID // by destination and switch
}

func (d *drawn) Network() *model.Network                     { return d.net }
func (d *drawn) Classes() int                                { return 1 }
func (d *drawn) Sources() int                                { return d.net.NumHosts() }
func (d *drawn) Destinations() int                           { return d.net.NumHosts() }
func (d *drawn) DestinationHost(x model.DestID) model.HostID { return model.HostID(x) }
func (d *drawn) Commits(model.State) bool                    { return true }
func (d *drawn) Inject(_ model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	return append(buf, 0)
}

func (d *drawn) Next(s model.State, buf []model.Hop) []model.Hop {
	c, _ := d.net.Channel(s.VC)
	u := d.net.Head(c)
	if u == model.NoSwitch {
		return buf
	}
	if int(u) == int(s.Dest) {
		return append(buf, model.Hop{VC: d.net.VC(d.net.EjectChannel(model.HostID(s.Dest)), 0)})
	}
	for _, out := range d.next[s.Dest][u] {
		buf = append(buf, model.Hop{VC: d.net.VC(out, 0)})
	}
	return buf
}

// draw draws a ring with some chords. The next hops to a destination go down in a random order of the switches, which need not be one of
// shortest paths.
func draw(t *testing.T, r *rand.Rand) *drawn {
	t.Helper()
	n := 3 + r.IntN(3)
	b := model.NewBuilder()
	ports := make([]model.Port, n)
	port := func(u int) model.Port { ports[u]++; return ports[u] }
	for u := range n {
		b.AddSwitch(model.Switch{Name: fmt.Sprint("s", u)})
	}
	for u := range n {
		v := (u + 1) % n
		b.AddLink(model.SwitchID(u), port(u), model.SwitchID(v), port(v))
	}
	for range r.IntN(4) / 3 {
		if u, v := r.IntN(n), r.IntN(n); u != v {
			b.AddLink(model.SwitchID(u), port(u), model.SwitchID(v), port(v))
		}
	}
	for u := range n {
		b.AddHost(model.Host{Name: fmt.Sprint("h", u), Switch: model.SwitchID(u), Port: port(u)})
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	d := &drawn{net: net}
	around := r.IntN(4) // all one way round, or by a random order
	for dest := range n {
		rank := r.Perm(n)
		for u := range n {
			if around > 0 {
				rank[u] = (dest - u + n) % n
			}
		}
		at := slices.Index(rank, 0)
		rank[at], rank[dest] = rank[dest], rank[at]
		list := make([][]model.ChannelID, n)
		for u := range n {
			for _, c := range net.Out(model.SwitchID(u)) {
				if net.Kind(c) == model.SwitchToSwitch && rank[net.Head(c)] < rank[u] && (len(list[u]) == 0 || r.IntN(3) == 0) {
					list[u] = append(list[u], c)
				}
			}
		}
		d.next = append(d.next, list)
	}
	return d
}

// turnOf is a turn of the judge: the channel before, or -1 - switch for hosts, and the channel.
type turnOf [2]int

// paths returns all paths as lists of turns.
func (d *drawn) paths() (list [][]turnOf) {
	for dest := range d.next {
		for from := range d.next {
			if from == dest {
				continue
			}
			var walk func(u, in int, path []turnOf)
			walk = func(u, in int, path []turnOf) {
				if u == dest {
					list = append(list, slices.Clone(path))
				}
				for _, c := range d.next[dest][u] {
					walk(int(d.net.Head(c)), int(c), append(path, turnOf{in, int(c)}))
				}
				if u != dest && len(d.next[dest][u]) == 0 && len(path) > 0 {
					list = append(list, slices.Clone(path))
				}
			}
			walk(from, -1-from, nil)
		}
	}
	return list
}

// fewest returns the fewest priorities up to most, and the fewest rules with them, by trying all rules: for each turn and priority the
// next priority. It returns 0 if there are too many.
func fewest(paths [][]turnOf, most int) (k, rules int) {
	index := map[turnOf]int{}
	for _, p := range paths {
		for _, t := range p {
			if _, ok := index[t]; !ok {
				index[t] = len(index)
			}
		}
	}
	for k = 1; k <= most; k++ {
		digits := len(index) * k
		total := 1
		for range digits {
			if total *= k; total > 1<<20 {
				return 0, 0
			}
		}
		to := make([]int, digits)
		best := -1
		for code := range total {
			for i, x := 0, code; i < digits; i++ {
				to[i], x = x%k, x/k
			}
			if changes, ok := tryRules(paths, index, to, k); ok && (best < 0 || changes < best) {
				best = changes
			}
		}
		if best >= 0 {
			return k, best
		}
	}
	return k, 0
}

// tryRules reports whether rules leave no circle, and how many rules change a priority of some frame.
func tryRules(paths [][]turnOf, index map[turnOf]int, to []int, k int) (changes int, ok bool) {
	next := map[[2]int]map[[2]int]bool{}
	met := map[int]bool{}
	for _, p := range paths {
		at := [2]int{-1, 0}
		for _, t := range p {
			i := index[t]*k + at[1]
			if to[i] != at[1] {
				met[i] = true
			}
			then := [2]int{t[1], to[i]}
			if at[0] >= 0 {
				if next[at] == nil {
					next[at] = map[[2]int]bool{}
				}
				next[at][then] = true
			}
			at = then
		}
	}
	return len(met), !left(next)
}

// left reports whether a graph has a circle. It removes vertices without successors.
func left(next map[[2]int]map[[2]int]bool) bool {
	for changed := true; changed; {
		changed = false
		for b, list := range next {
			for c := range list {
				if next[c] == nil {
					delete(list, c)
				}
			}
			if len(list) == 0 {
				delete(next, b)
				changed = true
			}
		}
	}
	return len(next) > 0
}

// TestExhaustive compares Find with the judge on random routings.
func TestExhaustive(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(longtest.Cases(200, 10000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		d := draw(t, r)
		k, rules := fewest(d.paths(), 2)
		if k == 0 {
			count["large"]++
			continue
		}
		routes, err := priorities.Collect(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := priorities.Find(t.Context(), routes, priorities.Options{Time: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if k > 2 { // the judge knows only that two are not enough
			if f.Bound < 3 || f.Priorities < 3 {
				t.Fatalf("seed %d: %d priorities, at least %d; the judge finds none with 2", seed, f.Priorities, f.Bound)
			}
		} else if f.Priorities != k || f.Bound != k || len(f.Rules) != rules || k > 1 && f.RuleBound != rules {
			t.Fatalf("seed %d: %d priorities (at least %d), %d rules (at least %d); the judge finds %d and %d", seed, f.Priorities, f.Bound,
				len(f.Rules), f.RuleBound, k, rules)
		}
		count[fmt.Sprint(k)]++
	}
	if count["1"] == 0 || count["2"] == 0 {
		t.Errorf("cases %v: too one-sided", count)
	}
	t.Log(count)
}
