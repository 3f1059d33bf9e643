package program

import (
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/model"
)

// randomNetwork returns a connected network of n switches with one host each.
func randomNetwork(t *testing.T, r *rand.Rand, n int) *model.Network {
	t.Helper()
	b, port, joined := model.NewBuilder(), make([]model.Port, n), map[[2]int]bool{}
	for range n {
		b.AddSwitch(model.Switch{})
	}
	join := func(u, v int) {
		if u != v && !joined[[2]int{u, v}] {
			joined[[2]int{u, v}], joined[[2]int{v, u}] = true, true
			port[u], port[v] = port[u]+1, port[v]+1
			b.AddLink(model.SwitchID(u), port[u], model.SwitchID(v), port[v])
		}
	}
	for v := 1; v < n; v++ {
		join(r.IntN(v), v)
	}
	for range r.IntN(2 * n) {
		join(r.IntN(n), r.IntN(n))
	}
	for u := range n {
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: port[u] + 1})
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// turnsOf lists the turns of a network, and whether the table turn has them.
func turnsOf(v *view, tables tablesOf) map[[3]int]bool {
	set := map[[3]int]bool{}
	for s := range v.neighbours {
		for _, u := range v.neighbours[s] {
			for _, w := range v.neighbours[s] {
				if a := [3]int{int(u.(node).u), s, int(w.(node).u)}; a[0] != a[2] {
					set[a] = tables["turn"].value(a[:]) == 1
				}
			}
		}
	}
	return set
}

// endless reports whether turns close a cycle: some can be followed more often than there are turns.
func endless(set map[[3]int]bool) bool {
	left := map[[3]int]bool{}
	for a, in := range set {
		if in {
			left[a] = true
		}
	}
	for {
		removed := false
		for a := range left {
			goesOn := false
			for b := range left {
				goesOn = goesOn || a[1] == b[0] && a[2] == b[1]
			}
			if !goesOn {
				delete(left, a)
				removed = true
			}
		}
		if !removed {
			return len(left) > 0
		}
	}
}

// TestAdditionTables: the set closes no cycle, has the turns of base paths, and refuses only pairs that close one; ranks rise on its turns; marks
// are those of channels with a path.
func TestAdditionTables(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 17))
	refused := 0
	for k := range 40 {
		n := 2 + k%6
		v := newView(randomNetwork(t, r, n))
		variant := k % 2 * (1 + 2*addWays) // in order, or random
		tables, err := additionTables(v, 1, variant)
		if err != nil {
			t.Fatal(err)
		}
		set := turnsOf(v, tables)
		if endless(set) {
			t.Fatalf("the set of network %d closes a cycle", k)
		}
		paths := map[[3]int]bool{} // of channels and destinations
		for range n * n {
			for a, in := range set {
				paths[[3]int{a[0], a[1], a[1]}], paths[[3]int{a[1], a[2], a[2]}] = true, true
				for d := range n {
					if in && paths[[3]int{a[1], a[2], d}] && d != a[0] && d != a[1] {
						paths[[3]int{a[0], a[1], d}] = true
					}
				}
			}
		}
		for a, in := range set {
			if in && tables["rank"].value(a[:2]) >= tables["rank"].value(a[1:]) {
				t.Errorf("network %d: the rank falls on turn %v", k, a)
			}
			for d := range n {
				if c := [3]int{a[0], a[1], d}; d != a[0] && (tables["reaches"].value(c[:]) == 1) != paths[c] {
					t.Errorf("network %d: channel %v reaches the destination: %v", k, c, paths[c])
				}
				if !in && tables["base"].value([]int{a[0], d}) == a[1] && tables["base"].value([]int{a[1], d}) == a[2] && d != a[1] {
					t.Errorf("network %d: turn %v of a base path is not in the set", k, a)
				}
			}
			if back := [3]int{a[2], a[1], a[0]}; !in && !set[back] {
				refused++
				if set[a], set[back] = true, true; !endless(set) {
					t.Errorf("network %d: turn %v and its reverse close no cycle and are refused", k, a)
				}
				set[a], set[back] = false, false
			}
		}
	}
	if refused < 20 {
		t.Errorf("%d turns are refused", refused)
	}
}
