package transition_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file judges changes by all sets of changed entries. The judge follows single paths, and shares no code with the package.

const size = 5 // switches, each with one host

// little is a random network, with two tables as next switches: -1 is no entry, the switch itself is its host.
type little struct {
	link [size][size]bool
	next [2][size][size]int // by table, destination and switch
}

// drawLittle draws a ring with chords. The new table is the old one with some other entries.
func drawLittle(r *rand.Rand) *little {
	w := &little{}
	join := func(u, v int) { w.link[u][v], w.link[v][u] = u != v, u != v }
	for u := range size {
		join(u, (u+1)%size)
	}
	join(r.IntN(size), r.IntN(size))
	join(r.IntN(size), r.IntN(size))
	for d := range size {
		changes := r.IntN(2) == 0
		far := [size]int{}
		for u := range far {
			far[u] = 99
		}
		far[d] = 0
		for range size {
			for u := range size {
				for v := range size {
					if w.link[u][v] {
						far[u] = min(far[u], far[v]+1)
					}
				}
			}
		}
		for u := range size {
			w.next[0][d][u] = w.out(r, u, func(v int) bool { return far[v] < far[u] })
			w.next[1][d][u] = w.next[0][d][u]
			switch {
			case u == d:
				w.next[0][d][u], w.next[1][d][u] = u, u
			case changes && r.IntN(3) == 0:
				w.next[1][d][u] = w.out(r, u, func(v int) bool { return far[v] <= far[u] || r.IntN(4) == 0 })
			}
		}
	}
	return w
}

// out draws a neighbour, or -1 if none is permitted.
func (w *little) out(r *rand.Rand, u int, permits func(v int) bool) int {
	for _, v := range r.Perm(size) {
		if w.link[u][v] && permits(v) {
			return v
		}
	}
	return -1
}

// channel is a number of the channel from u to v.
func channel(u, v int) int { return u*size + v }

// walk follows packets from all switches to d. It adds their dependencies, and reports whether one of them circles.
func (w *little) walk(d int, table func(u int) int, deps map[[2]int]bool) (circles bool) {
	for h := range size {
		before, u := -1, h
		for hops := 0; h != d; hops++ {
			v := w.next[table(u)][d][u]
			if v < 0 || v == u {
				break
			}
			if before >= 0 {
				deps[[2]int{channel(before, u), channel(u, v)}] = true
			}
			if before, u = u, v; hops > 2*size {
				circles = true
				break
			}
		}
	}
	return circles
}

// cyclic reports whether dependencies have a cycle: it removes those into whose end nothing else leads, as long as it can.
func cyclic(deps map[[2]int]bool) bool {
	left := map[[2]int]bool{}
	for d := range deps {
		left[d] = true
	}
	for more := true; more; {
		more = false
		for d := range left {
			goesOn := false
			for e := range left {
				goesOn = goesOn || e[0] == d[1]
			}
			if !goesOn {
				delete(left, d)
				more = true
			}
		}
	}
	return len(left) > 0
}

// change returns the change of a case.
func (w *little) change(t *testing.T) *transition.Change {
	t.Helper()
	b := model.NewBuilder()
	for range size {
		b.AddSwitch(model.Switch{})
	}
	port := func(v int) model.Port { return model.Port(v + 1) } // to switch v; that to the own number leads to the host
	for u := range size {
		for v := range u {
			if w.link[u][v] {
				b.AddLink(model.SwitchID(u), port(v), model.SwitchID(v), port(u))
			}
		}
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: port(u)})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var tables [2]*model.Table
	for i := range tables {
		tables[i] = model.NewTable(n, model.AllAddresses(n))
		for d := range size {
			for u, v := range w.next[i][d] {
				if v >= 0 {
					tables[i].SetPort(model.SwitchID(u), model.DestID(d), port(v))
				}
			}
		}
	}
	c, err := transition.New(tables[0], tables[1])
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// cases returns a number of cases.
func cases(short uint64) uint64 {
	if longtest.On() {
		return 10 * short
	}
	return short
}

// TestAllSets compares mixtures with all sets of changed entries. A packet that meets any mixture meets one entry of each switch, unless it
// circles: some set gives all its hops.
func TestAllSets(t *testing.T) {
	t.Parallel()
	judged, bad, looping := 0, 0, 0
	for k := range cases(1000) {
		w := drawLittle(rand.New(rand.NewPCG(7, k)))
		var places [][2]int
		for d := range size {
			for u := range size {
				if w.next[0][d][u] != w.next[1][d][u] {
					places = append(places, [2]int{d, u})
				}
			}
		}
		if len(places) > 10 {
			continue
		}
		judged++
		union, loops, some := map[[2]int]bool{}, [size]bool{}, false
		for set := range 1 << len(places) {
			deps := map[[2]int]bool{}
			for d := range size {
				table := func(u int) int {
					if i := slices.Index(places, [2]int{d, u}); i >= 0 {
						return set >> i & 1
					}
					return 0
				}
				loops[d] = w.walk(d, table, deps) || loops[d]
			}
			some = some || cyclic(deps)
			for x := range deps {
				union[x] = true
			}
		}
		c := w.change(t)
		m, err := c.Mixture(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var list []model.DestID
		for d, l := range loops {
			if l {
				list = append(list, model.DestID(d))
			}
		}
		if (m.Cycle != nil) != cyclic(union) || !slices.Equal(m.Loops, list) || list == nil && m.Dependencies != len(union) {
			t.Errorf("case %d: cycle %v, loops %v, %d dependencies; all sets: %v, %v, %d", k, m.Cycle, m.Loops, m.Dependencies, cyclic(union), list, len(union))
		}
		still, err := c.MixtureOf(t.Context(), transition.Entry, true)
		if err != nil || still.Undecided != "" || (still.Cycle != nil) != some {
			t.Errorf("case %d, drained: cycle %v (%s), %v; all sets: %v", k, still.Cycle, still.Undecided, err, some)
		}
		for _, x := range []*transition.Mixture{m, still} {
			if _, err := c.MixtureCertificate(x, transition.About{Switching: model.CutThrough}); err != nil {
				t.Errorf("case %d: %v", k, err)
			}
		}
		count := func(n *int, is bool) {
			if is {
				*n++
			}
		}
		count(&bad, m.Cycle != nil)
		count(&looping, list != nil)
	}
	t.Logf("%d cases, %d with a cycle, %d with a loop", judged, bad, looping)
	if judged < 100 || bad < judged/20 || looping < 3 || judged-bad < judged/20 {
		t.Error("too few cases of a kind")
	}
}

// TestTokens follows the tokens of overlapping static reconfiguration: each state is acyclic if a token passes a channel after those of all
// channels with an old dependency on it.
func TestTokens(t *testing.T) {
	t.Parallel()
	states, otherwise := 0, 0
	for k := range cases(300) {
		r := rand.New(rand.NewPCG(8, k))
		w := drawLittle(r)
		var deps [2]map[[2]int]bool
		for i := range deps {
			deps[i] = map[[2]int]bool{}
			for d := range size {
				w.walk(d, func(int) int { return i }, deps[i])
			}
		}
		if cyclic(deps[0]) || cyclic(deps[1]) {
			continue
		}
		passed := map[int]bool{}
		free := func(c int) bool { // whether the token may pass
			for x := range deps[0] {
				if x[1] == c && !passed[x[0]] {
					return false
				}
			}
			return true
		}
		for len(passed) < size*size {
			c := r.IntN(size * size)
			if passed[c] || !free(c) {
				continue
			}
			passed[c] = true
			states++
			if cyclic(tokenState(deps, passed)) {
				t.Fatalf("case %d: a cycle after %d tokens", k, len(passed))
			}
		}
		for range 5 { // any order
			clear(passed)
			for _, c := range r.Perm(size * size) {
				if passed[c] = true; cyclic(tokenState(deps, passed)) {
					otherwise++
					break
				}
			}
		}
	}
	t.Logf("%d states; %d other orders of tokens have a cycle", states, otherwise)
	if states < 1000 || otherwise == 0 {
		t.Error("too few cases of a kind")
	}
}

// tokenState returns the dependencies while tokens have passed some channels: old packets are on other channels, or wait behind packets
// on channels whose token has passed too early; new packets are on those channels and wait for any.
func tokenState(deps [2]map[[2]int]bool, passed map[int]bool) map[[2]int]bool {
	state := map[[2]int]bool{}
	for x := range deps[0] {
		if !passed[x[0]] {
			state[x] = true
		}
	}
	for x := range deps[1] {
		if passed[x[0]] {
			state[x] = true
		}
	}
	return state
}
