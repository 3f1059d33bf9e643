package judge_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// This file judges networks with links of one direction by all sets of channels. The judge reads no code of the project: it has its own edges,
// distances and paths.

// arcs is a directed graph of switches: each switch has one host and each arc one VC.
type arcs struct {
	n     int
	links [][3]int // ends, and 1 if the link has one direction
	list  [][2]int // the channels that exist
}

func drawArcs(rng *rand.Rand) *arcs {
	g := &arcs{n: 3 + rng.IntN(3)}
	for a := range g.n {
		for b := range g.n {
			if a == b || len(g.list) > 9 {
				continue
			}
			switch rng.IntN(4) {
			case 0:
				g.links, g.list = append(g.links, [3]int{a, b, 1}), append(g.list, [2]int{a, b})
			case 1:
				if a < b {
					g.links, g.list = append(g.links, [3]int{a, b, 0}), append(g.list, [2]int{a, b}, [2]int{b, a})
				}
			}
		}
	}
	return g
}

// yaml returns the network as a file.
func (g *arcs) yaml() string {
	var b strings.Builder
	b.WriteString("schema: turnproof.network/1\nswitches:\n")
	for u := range g.n {
		fmt.Fprintf(&b, "  - {name: s%d}\n", u)
	}
	b.WriteString("hosts:\n")
	for u := range g.n {
		fmt.Fprintf(&b, "  - {name: h%d, switch: s%d}\n", u, u)
	}
	b.WriteString("links:\n")
	for _, l := range g.links {
		fmt.Fprintf(&b, "  - {a: s%d, b: s%d, one_way: %v}\n", l[0], l[1], l[2] == 1)
	}
	return b.String()
}

// distances returns the lengths of shortest paths; g.n stands for no path.
func (g *arcs) distances() [][]int {
	d := make([][]int, g.n)
	for u := range d {
		d[u] = make([]int, g.n)
		for v := range d[u] {
			if d[u][v] = g.n; u == v {
				d[u][v] = 0
			}
		}
	}
	for range g.n {
		for _, a := range g.list {
			for v := range g.n {
				d[a[0]][v] = min(d[a[0]][v], 1+d[a[1]][v])
			}
		}
	}
	return d
}

// judged is what all sets of channels say: next returns whether a packet to v may leave u by an arc.
func (g *arcs) judged(next func(arc, v int) bool) (free, connected bool) {
	reached := map[[2]int]bool{} // arc, destination
	connected = true
	after := func(u, v int) (list []int) {
		for i, a := range g.list {
			if a[0] == u && next(i, v) {
				list = append(list, i)
			}
		}
		return list
	}
	for v := range g.n {
		for u := range g.n {
			if u == v {
				continue
			}
			seen, todo := map[int]bool{}, after(u, v)
			connected = connected && len(todo) > 0
			for len(todo) > 0 {
				i := todo[0]
				if todo = todo[1:]; seen[i] {
					continue
				}
				seen[i], reached[[2]int{i, v}] = true, true
				if w := g.list[i][1]; w != v {
					more := after(w, v)
					connected = connected && len(more) > 0
					todo = append(todo, more...)
				}
			}
			// From every channel that a packet reaches, some path must lead to v.
			for i := range seen {
				connected = connected && g.leads(i, v, after, map[int]bool{})
			}
		}
	}
	for set := 1; set < 1<<len(g.list); set++ {
		if g.blocked(set, reached, after) {
			return false, connected
		}
	}
	return true, connected
}

func (g *arcs) leads(i, v int, after func(u, v int) []int, seen map[int]bool) bool {
	if g.list[i][1] == v {
		return true
	}
	seen[i] = true
	for _, k := range after(g.list[i][1], v) {
		if !seen[k] && g.leads(k, v, after, seen) {
			return true
		}
	}
	return false
}

// blocked reports whether packets can fill the channels of a set and all wait for channels of the set.
func (g *arcs) blocked(set int, reached map[[2]int]bool, after func(u, v int) []int) bool {
	for i := range g.list {
		if set>>i&1 == 0 {
			continue
		}
		stuck := false
		for v := range g.n {
			if !reached[[2]int{i, v}] || g.list[i][1] == v {
				continue
			}
			wait := after(g.list[i][1], v)
			all := len(wait) > 0
			for _, k := range wait {
				all = all && set>>k&1 == 1
			}
			stuck = stuck || all
		}
		if !stuck {
			return false
		}
	}
	return true
}

// TestOneWay compares verdicts on networks with links of one direction, under all shortest paths and under tables that are drawn.
func TestOneWay(t *testing.T) {
	dir := t.TempDir()
	seen := map[string]int{}
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 52))
		g := drawArcs(rng)
		net, routing := filepath.Join(dir, "net.yaml"), "minimal"
		if err := os.WriteFile(net, []byte(g.yaml()), 0o600); err != nil {
			t.Fatal(err)
		}
		dist := g.distances()
		next := func(i, v int) bool {
			return dist[g.list[i][0]][v] < g.n && dist[g.list[i][1]][v]+1 == dist[g.list[i][0]][v]
		}
		if seed%2 == 1 {
			routing = filepath.Join(dir, "table.csv")
			next = g.table(t, rng, routing)
		}
		s, err := resolve.Load(context.Background(), resolve.Request{Network: net, Routing: routing, NeedsRouting: true})
		if err != nil {
			if len(g.list) == 0 || strings.Contains(err.Error(), "no hop in it") {
				continue
			}
			t.Fatalf("seed %d: %v\n%s", seed, err, g.yaml())
		}
		rep, err := verify.Check(context.Background(), s.Rel, verify.Options{Switching: model.CutThrough})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		free, connected := g.judged(next)
		if got := rep.DeadlockFree.Verdict; got != word(free) {
			t.Errorf("seed %d: deadlock-free %s, by all sets %s\n%s", seed, got, word(free), g.yaml())
		}
		if got := rep.Connected.Verdict; got != word(connected) {
			t.Errorf("seed %d: connected %s, by the graph %s\n%s", seed, got, word(connected), g.yaml())
		}
		seen[fmt.Sprint(seed%2, free, connected)]++
	}
	if len(seen) < 7 {
		t.Errorf("only %v were drawn", seen)
	}
}

func word(is bool) verify.Verdict {
	if is {
		return verify.Proved
	}
	return verify.Refuted
}

// table draws a table of next hops, mostly towards the destination, and writes it.
func (g *arcs) table(t *testing.T, rng *rand.Rand, path string) func(i, v int) bool {
	t.Helper()
	dist := g.distances()
	chosen := map[[2]int]int{} // switch, destination: the next switch
	text := "node,destination,next\n"
	for u := range g.n {
		for v := range g.n {
			var to []int
			for _, a := range g.list {
				if a[0] == u && u != v && (dist[a[1]][v] < dist[u][v] || rng.IntN(6) == 0) {
					to = append(to, a[1])
				}
			}
			if len(to) > 0 {
				chosen[[2]int{u, v}] = 1 + to[rng.IntN(len(to))]
				text += fmt.Sprintf("s%d,s%d,s%d\n", u, v, chosen[[2]int{u, v}]-1)
			}
		}
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return func(i, v int) bool { return chosen[[2]int{g.list[i][0], v}] == 1+g.list[i][1] }
}

// TestOneWayRefused wants an error for routings that take the direction that is not there.
func TestOneWayRefused(t *testing.T) {
	dir := t.TempDir()
	net, table := filepath.Join(dir, "net.yaml"), filepath.Join(dir, "table.csv")
	g := &arcs{n: 3, links: [][3]int{{0, 1, 1}, {1, 2, 0}, {2, 0, 1}}}
	if err := os.WriteFile(net, []byte(g.yaml()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(table, []byte("node,destination,next\ns1,s0,s0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for routing, want := range map[string]string{"updown": "but the link from s0 to s1 has one direction", table: "no link"} {
		_, err := resolve.Load(context.Background(), resolve.Request{Network: net, Routing: routing, NeedsRouting: true})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v; want %q", routing, err, want)
		}
	}
}
