package program_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
)

// drawing returns a program for lines with four header states and the given body of inject.
func drawing(lines ...string) string {
	return "family = line(n)\nstates = 4\ndef inject(src, dst):\n    " + strings.Join(lines, "\n    ") + `
def route(cur, dst, inp, state):
    return [towards(cur, dst, 0)]
`
}

// TestInject checks that the classes and weights of pairs are those that inject returns.
func TestInject(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  string // for pairs 0-1, 0-2, 2-0
	}{
		{[]string{"return [0]"}, "[0] [1] [0] [1] [0] [1]"},
		{[]string{"return [2, 1]"}, "[2 1] [1 1] [2 1] [1 1] [2 1] [1 1]"},
		{[]string{"return [(3, 5), 1, 3]"}, "[3 1] [6 1] [3 1] [6 1] [3 1] [6 1]"},
		{[]string{"return [dst.x]"}, "[1] [1] [2] [1] [0] [1]"},
		{[]string{"if src.x < dst.x: return [(1, dst.x - src.x), 0]", "return []"}, "[1 0] [1 1] [1 0] [2 1] [] []"},
		{[]string{"return [1] if src == (0,) else [2]"}, "[1] [1] [1] [1] [2] [1]"},
		{[]string{"return [1] if (0,) == src else [2]"}, "[1] [1] [1] [1] [2] [1]"},
		{[]string{"return [1] if dst in [(2,), (3,)] else [2]"}, "[2] [1] [1] [1] [2] [1]"},
	} {
		r, _, err := compile(t, drawing(c.lines...), "line:3")
		if err != nil {
			t.Errorf("%v: %v", c.lines, err)
			continue
		}
		var parts []string
		for _, pair := range [][2]int{{0, 1}, {0, 2}, {2, 0}} {
			h, d := model.HostID(pair[0]), model.DestID(pair[1])
			classes := r.Inject(h, d, nil)
			parts = append(parts, fmt.Sprint(classes, model.Weights(r, h, d, classes, nil)))
		}
		if got := strings.ReplaceAll(strings.Join(parts, " "), "][", "] ["); got != c.want {
			t.Errorf("%v: %s, want %s", c.lines, got, c.want)
		}
	}
}

// TestInjectRefused checks that invalid results of inject give an error with the reason.
func TestInjectRefused(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"return 3", "inject returned 3; want a list of states"},
		{"return [4]", "entry 1 of inject has header state 4, allowed are 0 to 3"},
		{"return [0, -1]", "entry 2 of inject has header state -1"},
		{"return [(0, 0)]", "has weight 0, allowed are 1 to 1000000"},
		{"return [(0, 1000001)]", "has weight 1000001"},
		{"return [(0, 1, 2)]", "entry 1 of inject is a tuple; want a state or (state, weight)"},
		{"return [E]", "entry 1 of inject is E; want a state"},
		{"return [src.y]", "place has no .y"},
		{"return [dst.x * 4]", "has header state 4, allowed are 0 to 3 (from (0) to (1))"},
	} {
		if _, _, err := compile(t, drawing(c.line), "line:3"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.line, err, c.want)
		}
	}
	if _, err := program.Parse("p.star", strings.Replace(drawing("return [0]"), "inject(src, dst)", "inject(src)", 1)); err == nil || !strings.Contains(err.Error(), "p.star:3:1: inject has 1 parameters; want inject(src, dst)") {
		t.Error(err)
	}
}

// TestEject checks that a program with EJECT is also called at the destination.
func TestEject(t *testing.T) {
	const twice = `family = line(n)
vcs = 2
def route(cur, dst, inp):
    if inp.vc == 0 and cur.x < side(0) - 1:
        return [(E, 0)]
    if cur == dst:
        return [EJECT]
    return [(towards(cur, dst, 0), 1)]
`
	r, notes, err := compile(t, twice, "line:4,hosts=2")
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	modeltest.PassingConformance(t, r)
	n := r.Network()
	for h := range model.HostID(n.NumHosts()) {
		for d := range model.DestID(n.NumHosts()) {
			if model.HostID(d) == h {
				continue
			}
			from, to := int(n.Host(h).Switch), int(n.Host(model.HostID(d)).Switch)
			if got, want := length(t, r, h, d), (3-from)+(3-to); got != want {
				t.Errorf("from host %d to %d: %d links, want %d", h, d, got, want)
			}
		}
	}
}

// length follows the only path of a packet and returns its number of links.
func length(t *testing.T, r model.Relation, h model.HostID, d model.DestID) int {
	t.Helper()
	n, s := r.Network(), model.InjectState(r, h, d, 0)
	for links := 0; links < 100; links++ {
		hops := r.Next(s, nil)
		if len(hops) != 1 {
			t.Fatalf("from host %d to %d: %d hops after %d links", h, d, len(hops), links)
		}
		c, _ := n.Channel(hops[0].VC)
		if n.HostOf(c) == r.DestinationHost(d) {
			return links
		}
		s.VC, s.Class = hops[0].VC, hops[0].Class
	}
	t.Fatalf("from host %d to %d: no end", h, d)
	return 0
}

// TestEjectElsewhere checks that EJECT away from the destination loses the packet and adds a
// note.
func TestEjectElsewhere(t *testing.T) {
	_, notes, err := compile(t, "family = line(n)\ndef route(cur, dst, inp):\n    return [EJECT]\n", "line:3")
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "route permits EJECT, where there is no channel; the packet counts as lost") {
		t.Error(err, notes)
	}
}

// TestValiant checks that every path of the example visits the drawn switch in dimension order.
// The mean number of switches on a path is 6 over all pairs and draws.
func TestValiant(t *testing.T) {
	for name, middles := range map[string]func(a, b int) []int{
		"valiant": func(_, _ int) []int { return sequence(0, 16) },
		"romm": func(a, b int) (list []int) {
			for m := range 16 {
				if between(a%4, m%4, b%4) && between(a/4, m/4, b/4) {
					list = append(list, m)
				}
			}
			return list
		},
	} {
		p, err := program.Read("../../examples/routing-programs/" + name + ".star")
		if err != nil {
			t.Fatal(err)
		}
		r, notes, err := p.Relation(t.Context(), network(t, "mesh:4x4"))
		if err != nil || len(notes) > 0 {
			t.Fatal(err, notes)
		}
		modeltest.PassingConformance(t, r)
		total, count := 0.0, 0
		for h := range model.HostID(16) {
			for d := range model.DestID(16) {
				if model.HostID(d) == h {
					continue
				}
				classes := r.Inject(h, d, nil)
				slices.Sort(classes)
				var want []model.Class
				sum := 0
				for _, m := range middles(int(h), int(d)) {
					want = append(want, model.Class(m))
					links := follow(t, r, h, d, model.Class(m))
					if direct := steps(int(h), m) + steps(m, int(d)); links != direct {
						t.Errorf("%s: from %d to %d over %d: %d links, want %d", name, h, d, m, links, direct)
					}
					sum += links
				}
				if !slices.Equal(classes, want) {
					t.Errorf("%s: from %d to %d: states %v, want %v", name, h, d, classes, want)
				}
				total += 1 + float64(sum)/float64(len(want))
				count++
			}
		}
		want := map[string]float64{"valiant": 6, "romm": 1 + 8.0/3}[name]
		if got := total / float64(count); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%s: %v switches on average, want %v", name, got, want)
		}
	}
}

func sequence(from, to int) (list []int) {
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

func between(a, m, b int) bool { return min(a, b) <= m && m <= max(a, b) }

// steps returns the distance between two switches of a 4x4 mesh.
func steps(a, b int) int {
	x, y := a%4-b%4, a/4-b/4
	return max(x, -x) + max(y, -y)
}

// follow returns the links on the path of a packet in class k. In each of its two phases the
// path must go x before y.
func follow(t *testing.T, r model.Relation, h model.HostID, d model.DestID, k model.Class) (links int) {
	t.Helper()
	n, s := r.Network(), model.InjectState(r, h, d, k)
	for range 100 {
		hops := r.Next(s, nil)
		if len(hops) != 1 {
			t.Fatalf("from host %d to %d in state %d: %d hops", h, d, k, len(hops))
		}
		c, _ := n.Channel(hops[0].VC)
		if n.HostOf(c) == r.DestinationHost(d) {
			return links
		}
		if hops[0].Class != k {
			t.Fatalf("from host %d to %d: state %d became %d", h, d, k, hops[0].Class)
		}
		links++
		s.VC = hops[0].VC
	}
	t.Fatalf("from host %d to %d in state %d: no end", h, d, k)
	return 0
}
