package route_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/route"
)

// everything returns a relation of each kind on small networks.
func everything(t testing.TB) map[string]model.Relation {
	list := map[string]model.Relation{}
	add := func(name string, n *model.Network, o route.Options) {
		list[fmt.Sprintf("%s %v %v %d %+v", name, n.Grid().Sides, n.Grid().Wrap, n.VCs(), o)] = build(t, name, n, o)
	}
	hole := grid(t, 2, false, square(3), func(u model.SwitchID, d int) bool { return u != 4 || d != 0 })
	for _, n := range []*model.Network{mesh(t, 2, 4, 3), hole} {
		for _, name := range []string{"minimal", "dor", "dor-booksim", "west-first", "north-last", "negative-first", "odd-even", "updown", "nf", "duato", "duato-nonminimal"} {
			add(name, n, route.Options{})
		}
	}
	for _, n := range []*model.Network{torus(t, 3, 4, 3), torus(t, 4, 2, 5)} {
		for _, name := range []string{"minimal", "dor", "dor-booksim", "updown", "nf", "nf+1", "duato", "duato-nonminimal"} {
			add(name, n, route.Options{})
		}
		for _, rule := range []string{route.RulePlain, route.RulePosition, route.RuleEntry, route.RuleBalanced} {
			add("dor", n, route.Options{VCRule: rule, BothWays: true, Order: []int{1, 0}})
		}
		add("duato-nonminimal", n, route.Options{Misroutes: 1, StayOnEscape: true})
		add("nf+1", n, route.Options{NF: route.NFOptions{FigureAsPrinted: true, WithoutState3: true}})
	}
	add("e-cube", mesh(t, 1, 2, 2, 2), route.Options{})
	add("dor", torus(t, 1, 4, 1, 3), route.Options{})
	n := mesh(t, 1, 3, 3)
	a, b := build(t, "minimal", n, route.Options{}), build(t, "west-first", n, route.Options{})
	var err error
	if list["escape"], err = route.Escape(a, b); err != nil {
		t.Fatal(err)
	}
	if list["layers"], err = route.PerLayer(b, list["escape"], build(t, "duato-nonminimal", n.WithVCs(2), route.Options{})); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestConformance(t *testing.T) {
	for name, r := range everything(t) {
		t.Run(name, func(t *testing.T) { modeltest.Conformance(t, r) })
	}
	rapid.Check(t, func(d *rapid.T) {
		n := modeltest.Network(d, 6) // may be disconnected
		modeltest.Conformance(t, build(t, "minimal", n, route.Options{}))
		modeltest.Conformance(t, build(t, "updown", n, route.Options{}))
	})
}

// routePath is a path as a list of channels.
type routePath []model.ChannelID

// paths returns the paths of packets from host h to d as lists of channels between switches,
// "4,7,9". Paths that differ only in VCs are listed once.
func paths(r model.Relation, h model.HostID, d model.DestID) []string {
	n, found := r.Network(), map[string]bool{}
	var walk func(s model.State, path routePath)
	walk = func(s model.State, path routePath) {
		for _, hop := range r.Next(s, nil) {
			c, _ := n.Channel(hop.VC)
			if n.Kind(c) == model.Eject {
				found[fmt.Sprint(path)] = true
				continue
			}
			walk(model.State{VC: hop.VC, Dest: d, Class: hop.Class}, append(path[:len(path):len(path)], c))
		}
	}
	for _, k := range r.Inject(h, d, nil) {
		walk(model.InjectState(r, h, d, k), nil)
	}
	list := make([]string, 0, len(found))
	for p := range found {
		list = append(list, p)
	}
	slices.Sort(list)
	return list
}

// TestTurnTables checks each turn model: its paths are exactly the shortest paths of the mesh
// without a prohibited turn, found by trying every order of moves.
func TestTurnTables(t *testing.T) {
	const e, w, n, s = 'E', 'W', 'N', 'S'
	// prohibited reports whether turn a>b is prohibited in column x.
	for name, prohibited := range map[string]func(a, b byte, x int) bool{
		"minimal":        func(a, b byte, x int) bool { return false },
		"dor":            func(a, b byte, x int) bool { return a == n || a == s },
		"west-first":     func(a, b byte, x int) bool { return b == w },
		"north-last":     func(a, b byte, x int) bool { return a == n },
		"negative-first": func(a, b byte, x int) bool { return (a == e || a == n) && (b == w || b == s) },
		"nf":             func(a, b byte, x int) bool { return b == n },
		"odd-even": func(a, b byte, x int) bool { // Chiu 2000, rules 1 and 2
			return x%2 == 0 && a == e || x%2 == 1 && b == w
		},
	} {
		net := mesh(t, 1, 5, 4)
		g, r := net.Grid(), build(t, name, net, route.Options{})
		for h := range model.HostID(20) {
			for d := range model.DestID(20) {
				if int(h) == int(d) {
					continue
				}
				from, to := g.Coords(model.SwitchID(h), nil), g.Coords(model.SwitchID(d), nil)
				var want []string
				var walk func(x, y int, last byte, path routePath)
				walk = func(x, y int, last byte, path routePath) {
					if x == to[0] && y == to[1] {
						want = append(want, fmt.Sprint(path))
						return
					}
					try := func(b byte, nx, ny int, p model.Port) {
						if last != 0 && last != b && prohibited(last, b, x) {
							return
						}
						c := net.OutAt(g.At([]int{x, y}), p)
						walk(nx, ny, b, append(path[:len(path):len(path)], c))
					}
					if x < to[0] {
						try(e, x+1, y, 1)
					} else if x > to[0] {
						try(w, x-1, y, 2)
					}
					if y < to[1] {
						try(n, x, y+1, 3)
					} else if y > to[1] {
						try(s, x, y-1, 4)
					}
				}
				walk(from[0], from[1], 0, nil)
				slices.Sort(want)
				if got := paths(r, h, d); !slices.Equal(got, want) || len(want) == 0 {
					t.Fatalf("%s from %v to %v: %d paths, the turn table leaves %d", name, from, to, len(got), len(want))
				}
			}
		}
	}
}

// TestAdaptiveness compares numbers of shortest paths with the formulas of Glass and Ni 1992,
// section 5. The numbers of minimal routing are binomials.
func TestAdaptiveness(t *testing.T) {
	net := mesh(t, 1, 5, 5)
	for name, full := range map[string]func(dx, dy int) bool{
		"minimal":        func(dx, dy int) bool { return true },
		"west-first":     func(dx, dy int) bool { return dx >= 0 },
		"north-last":     func(dx, dy int) bool { return dy <= 0 },
		"negative-first": func(dx, dy int) bool { return dx <= 0 && dy <= 0 || dx >= 0 && dy >= 0 },
	} {
		r := build(t, name, net, route.Options{})
		for h := range 25 {
			for d := range 25 {
				dx, dy := d%5-h%5, d/5-h/5
				want := int64(1)
				if full(dx, dy) {
					want = new(big.Int).Binomial(int64(abs(dx)+abs(dy)), int64(abs(dx))).Int64()
				}
				if h != d {
					if got := len(paths(r, model.HostID(h), model.DestID(d))); int64(got) != want {
						t.Fatalf("%s from %d to %d: %d paths, want %d", name, h, d, got, want)
					}
				}
			}
		}
	}
}

func abs(x int) int { return max(x, -x) }

// TestEveryHopGetsNearer checks that every hop of a minimal relation decreases the distance,
// which is computed here.
func TestEveryHopGetsNearer(t *testing.T) {
	for name, r := range everything(t) {
		if strings.Contains(name, "nonminimal") || strings.Contains(name, "AsPrinted:true") || name == "layers" || strings.HasPrefix(name, "updown") {
			continue
		}
		hole := strings.Contains(name, "[3 3]")
		if hole && !strings.HasPrefix(name, "minimal") {
			continue // the formulas do not count paths around the hole
		}
		n := r.Network()
		x := cdg.NewExplorer(r)
		for d := range model.DestID(r.Destinations()) {
			dist := distances(n, n.Host(r.DestinationHost(d)).Switch)
			s := x.Explore(d)
			for i, st := range s.States {
				in, _ := n.Channel(st.VC)
				hops, _ := s.HopsOf(i)
				for _, h := range hops {
					if c, _ := n.Channel(h.VC); n.Kind(c) == model.SwitchToSwitch && dist[n.Head(c)] != dist[n.Head(in)]-1 {
						t.Fatalf("%s: from switch %d to %d bound for %d", name, n.Head(in), n.Head(c), d)
					}
				}
			}
		}
	}
}

// distances relaxes all links until nothing changes.
func distances(n *model.Network, to model.SwitchID) []int {
	dist := make([]int, n.NumSwitches())
	for u := range dist {
		dist[u] = 1 << 20
	}
	dist[to] = 0
	for changed := true; changed; {
		changed = false
		for c := range model.ChannelID(n.NumLinkChannels()) {
			if d := dist[n.Head(c)] + 1; d < dist[n.Tail(c)] {
				dist[n.Tail(c)], changed = d, true
			}
		}
	}
	return dist
}

// TestUpDownPaths checks that the paths are exactly the shortest paths that go up, then down,
// found by trying every path. The root has the least eccentricity.
func TestUpDownPaths(t *testing.T) {
	rapid.Check(t, func(d *rapid.T) { upDownPaths(t, connected(d, 7), d.Fatalf) })
	// At switch 1 packets from 3 to 6 have gone down; going up to 5 would be equally short.
	b := model.NewBuilder()
	for u := range model.SwitchID(7) {
		b.AddSwitch(model.Switch{})
		b.AddHost(model.Host{Switch: u})
	}
	port := map[int]model.Port{}
	for _, l := range [][2]int{{0, 2}, {0, 3}, {0, 5}, {1, 3}, {1, 4}, {1, 5}, {2, 4}, {4, 6}, {5, 6}} {
		for _, u := range l {
			port[u]++
		}
		b.AddLink(model.SwitchID(l[0]), port[l[0]], model.SwitchID(l[1]), port[l[1]])
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	upDownPaths(t, n, t.Fatalf)
}

// upDownPaths compares all paths of up*/down* and its turns with their definition.
func upDownPaths(t *testing.T, n *model.Network, fatal func(format string, args ...any)) {
	root, least := model.NoSwitch, 1<<20
	for u := range model.SwitchID(n.NumSwitches()) {
		if far := slices.Max(distances(n, u)); far < least {
			root, least = u, far
		}
	}
	if c := hv.Center(n, model.SwitchID(n.NumSwitches()-1)); c != root {
		fatal("centre %d, want %d", c, root)
	}
	depth := distances(n, root)
	up := func(c model.ChannelID) bool {
		u, v := n.Tail(c), n.Head(c)
		return depth[v] < depth[u] || depth[v] == depth[u] && v < u
	}
	r := build(t, "updown", n, route.Options{})
	for h := range model.HostID(n.NumHosts()) {
		for to := range model.HostID(n.NumHosts()) {
			if h == to {
				continue
			}
			if got, want := paths(r, h, model.DestID(to)), upThenDown(n, up, h, to); !slices.Equal(got, want) {
				fatal("host %d to %d: %v, want %v", h, to, got, want)
			}
		}
	}
	set := r.(model.Restricted).Turns()
	for turn := range model.Turns(n, true) {
		in, _ := n.Channel(turn.In)
		out, _ := n.Channel(turn.Out)
		if want := in != n.Reverse(out) && (up(in) || !up(out)); set.Has(turn) != want {
			fatal("turn from VC %d to %d is in the set: %v", turn.In, turn.Out, !want)
		}
	}
}

// upThenDown lists the shortest paths without an up channel after a down channel.
func upThenDown(n *model.Network, up func(model.ChannelID) bool, h, to model.HostID) (want []string) {
	for length := 0; len(want) == 0; length++ {
		var walk func(u model.SwitchID, down bool, path routePath)
		walk = func(u model.SwitchID, down bool, path routePath) {
			if len(path) == length {
				if u == n.Host(to).Switch {
					want = append(want, fmt.Sprint(path))
				}
				return
			}
			for _, c := range n.Out(u) {
				if n.Kind(c) == model.SwitchToSwitch && !(down && up(c)) {
					walk(n.Head(c), !up(c), append(path[:len(path):len(path)], c))
				}
			}
		}
		walk(n.Host(h).Switch, false, nil)
	}
	slices.Sort(want)
	return want
}

// TestDuatoIsAnEscape compares duato with minimal adaptive routing joined with a
// dimension-order escape.
func TestDuatoIsAnEscape(t *testing.T) {
	for _, c := range []struct {
		wrap     bool
		escapes  int
		adaptive int
	}{{false, 1, 1}, {false, 1, 2}, {true, 2, 1}, {true, 2, 2}} {
		n := grid(t, 1, c.wrap, []int{4, 5})
		o := route.Options{}
		if c.wrap {
			o.VCRule = route.RulePosition
		}
		joined, err := route.Escape(build(t, "minimal", n.WithVCs(c.adaptive), route.Options{}), build(t, "dor", n.WithVCs(c.escapes), o))
		if err != nil {
			t.Fatal(err)
		}
		r := build(t, "duato", n.WithVCs(c.adaptive+c.escapes), route.Options{})
		a, b := r.(route.Escaper), joined.(route.Escaper)
		for v := range model.VCID(n.WithVCs(c.adaptive + c.escapes).NumVCs()) {
			if a.EscapeVC(v) != b.EscapeVC(v) {
				t.Fatalf("VC %d is an escape in one only", v)
			}
			for d := range model.DestID(n.NumHosts()) {
				s := model.State{VC: v, Dest: d}
				if p, q := r.Next(s, nil), joined.Next(s, nil); !slices.Equal(p, q) {
					t.Fatalf("%+v: VC %d, destination %d: duato %v, joined %v", c, v, d, p, q)
				}
			}
		}
	}
}

// TestMisroutes checks that no packet makes more hops than the bound allows.
func TestMisroutes(t *testing.T) {
	for _, m := range []int{1, 3} {
		n := mesh(t, 2, 3, 3)
		rep := check(t, build(t, "duato-nonminimal", n, route.Options{Misroutes: m}))
		if most := 4 + 2*m + 1; rep.Routes.Longest > most || rep.Routes.Longest < 5+m {
			t.Errorf("%d misroutes: the longest path has %d switches; want at most %d", m, rep.Routes.Longest, most)
		}
	}
}

// TestNumberings checks the numbers of section 4.3 of the paper. From a 5x5 torus on they
// increase on all dependencies of NF+1 except one kind. If channel 1 of x- gets a = 1, they
// increase on all.
func TestNumberings(t *testing.T) {
	for k := 3; k <= 8; k++ {
		n := torus(t, 2, k, k)
		r := build(t, "nf+1", n, route.Options{})
		number := func(v model.VCID, repaired bool) [3]int {
			c, vc := n.Channel(v)
			x, y := n.Grid().Coord(n.Tail(c), 0), n.Grid().Coord(n.Tail(c), 1)
			switch n.TailPort(c) {
			case 3: // y+
				return [3]int{0, vc, y}
			case 4: // y-
				return [3]int{0, 2*(k-x) - 1, (1+vc)*k - 1 - y}
			case 1: // x+
				return [3]int{1, vc, x}
			}
			switch {
			case vc == 0: // x-
				return [3]int{0, 2 * (k - x), 0}
			case repaired:
				return [3]int{1, 1, k - 1 - x}
			}
			return [3]int{0, 1, k - 1 - x}
		}
		wrong := map[string]int{}
		x := cdg.NewExplorer(r)
		for d := range model.DestID(r.Destinations()) {
			s := x.Explore(d)
			for i, st := range s.States {
				hops, _ := s.HopsOf(i)
				for _, h := range hops {
					if !n.IsLinkVC(st.VC) || !n.IsLinkVC(h.VC) {
						continue
					}
					a, b := number(st.VC, false), number(h.VC, false)
					if slices.Compare(a[:], b[:]) >= 0 {
						in, i := n.Channel(st.VC)
						out, j := n.Channel(h.VC)
						wrong[fmt.Sprintf("port %d VC %d > port %d VC %d", n.TailPort(in), i, n.TailPort(out), j)]++
					}
					if a, b := number(st.VC, true), number(h.VC, true); slices.Compare(a[:], b[:]) >= 0 {
						t.Fatalf("side %d: repaired, %v is before %v", k, a, b)
					}
				}
			}
		}
		const kind = "port 2 VC 0 > port 2 VC 1" // across the wraparound channel of x-
		if _, ok := wrong[kind]; ok != (k >= 5) || len(wrong) > 1 {
			t.Errorf("side %d: the printed numbers fall on %v", k, wrong)
		}
	}
}

// TestPaths checks that a path set has exactly the given paths.
func TestPaths(t *testing.T) {
	n := mesh(t, 2, 3, 3)
	r := build(t, "minimal", n, route.Options{})
	var list []route.Path
	for h := range model.HostID(9) {
		for d := range model.DestID(9) {
			if int(h) == int(d) {
				continue
			}
			for i, p := range paths(r, h, d) {
				if (i+int(h)+int(d))%3 == 1 {
					continue
				}
				path := route.Path{Source: h, Dest: model.HostID(d)}
				for _, f := range strings.Fields(strings.Trim(p, "[]")) {
					var c model.ChannelID
					if _, err := fmt.Sscan(f, &c); err != nil {
						t.Fatal(err)
					}
					path.VCs = append(path.VCs, n.VC(c, (i+int(h))%2))
				}
				list = append(list, path)
			}
		}
	}
	set, err := route.Paths(n, append(list, list[0]))
	if err != nil {
		t.Fatal(err)
	}
	modeltest.Conformance(t, set)
	count := 0
	for h := range model.HostID(9) {
		for d := range model.DestID(9) {
			if int(h) != int(d) {
				count += len(paths(set, h, d))
			}
		}
	}
	if count != len(list) || set.Classes() < 2 {
		t.Errorf("%d paths of %d, %d classes", count, len(list), set.Classes())
	}
	// Dimension order depends only on the destination, so one class suffices.
	list = nil
	dor := build(t, "dor", n, route.Options{})
	for h := range model.HostID(9) {
		for d := range model.HostID(9) {
			path := route.Path{Source: h, Dest: d}
			for s := model.InjectState(dor, h, model.DestID(d), 0); h != d; {
				if s.VC = dor.Next(s, nil)[0].VC; !n.IsLinkVC(s.VC) {
					break
				}
				path.VCs = append(path.VCs, s.VC)
			}
			if h != d {
				list = append(list, path)
			}
		}
	}
	if set, err = route.Paths(n, list); err != nil || set.Classes() != 1 || !acyclic(set) {
		t.Errorf("dimension order as paths: %v", err)
	}
}

// TestVCRules follows packets around rings and compares the half of the VCs on each channel
// with the rule.
func TestVCRules(t *testing.T) {
	// By rule: the half on a channel, given the direction, whether the path crosses the
	// wraparound channel, and whether it has crossed it already.
	for rule, half := range map[string]func(minus, wraps, behind bool) bool{
		route.RuleDateline: func(_, _, behind bool) bool { return behind },
		route.RulePosition: func(_, wraps, behind bool) bool { return !wraps || behind },
		route.RuleEntry:    func(minus, wraps, _ bool) bool { return wraps != minus },
	} {
		for _, vcs := range []int{2, 3, 4} {
			if vcs == 3 && rule == route.RuleEntry {
				continue // the halves overlap, see below
			}
			for k := 3; k <= 8; k++ {
				n := torus(t, vcs, k)
				r := build(t, "dor", n, route.Options{VCRule: rule, BothWays: true})
				for i := range k * k {
					followRing(t, r, i/k, i%k, func(minus, wraps, behind bool, vc int) {
						if got := vc >= (vcs+1)/2; got != half(minus, wraps, behind) {
							t.Fatalf("%s, ring of %d, %d to %d: minus %v, wraps %v, behind %v, VC %d", rule, k, i/k, i%k, minus, wraps, behind, vc)
						}
					})
				}
			}
		}
	}
}

// followRing calls show for every hop of every path from host h to d.
func followRing(t *testing.T, r model.Relation, h, d int, show func(minus, wraps, behind bool, vc int)) {
	n, k := r.Network(), r.Network().NumSwitches()
	paths := 0
	var walk func(s model.State, behind bool, hops int)
	walk = func(s model.State, behind bool, hops int) {
		for _, hop := range r.Next(s, nil) {
			c, vc := n.Channel(hop.VC)
			if n.Kind(c) == model.Eject {
				if paths++; 2*hops > k {
					t.Fatalf("ring of %d, %d to %d: %d hops", k, h, d, hops)
				}
				return
			}
			minus := n.TailPort(c) == 2
			show(minus, minus == (h < d), behind, vc)
			last := min(n.Tail(c), n.Head(c)) == 0 && max(n.Tail(c), n.Head(c)) == model.SwitchID(k-1)
			walk(model.State{VC: hop.VC, Dest: model.DestID(d), Class: hop.Class}, behind || last, hops+1)
		}
	}
	if h != d {
		walk(model.InjectState(r, model.HostID(h), model.DestID(d), 0), false, 0)
		if both := 2*abs(h-d) == k; both && paths < 2 {
			t.Fatalf("ring of %d, %d to %d: one path only", k, h, d)
		}
	}
}

// TestBookSimPartitions compares the VCs on all channels with dor_next_torus and
// dim_order_torus of BookSim, which are re-implemented here. Partition 0 has VCs 0 to V-1-V/2,
// partition 1 VCs V/2 to V-1. A packet stays in its partition.
func TestBookSimPartitions(t *testing.T) {
	for vcs := 2; vcs <= 5; vcs++ {
		for k := 3; k <= 7; k++ {
			for _, balanced := range []bool{false, true} {
				o := route.Options{}
				if balanced {
					o.VCRule = route.RuleBalanced
				}
				r := build(t, "dor-booksim", torus(t, vcs, k), o)
				for i := range k * k {
					if i/k != i%k {
						comparePartitions(t, r, i/k, i%k, balanced)
					}
				}
			}
		}
	}
}

func comparePartitions(t *testing.T, r model.Relation, cur, dest int, balanced bool) {
	k, vcs := r.Network().NumSwitches(), r.Network().VCs()
	want := map[string]bool{}
	for dir := range 2 {
		dist2 := k - 2*((dest-cur+k)%k)
		if dir == 0 && dist2 < 0 || dir == 1 && dist2 > 0 {
			continue
		}
		var partitions []int
		switch middle := (k - 1) / 2; {
		case !balanced && (dir == 0 && dest < cur || dir == 1 && dest < cur):
			partitions = []int{1}
		case !balanced:
			partitions = []int{0}
		case dir == 0 && cur > dest || dir == 1 && cur < dest:
			partitions = []int{1}
		case dir == 0 && cur <= middle && dest > middle || dir == 1 && cur > middle && dest <= middle:
			partitions = []int{0}
		default:
			partitions = []int{0, 1}
		}
		for _, p := range partitions {
			want[fmt.Sprint(dir, p*(vcs/2), vcs-1-(1-p)*(vcs/2))] = true
		}
	}
	// A path is identified by its direction and its permitted VCs. Each of its hops must permit
	// the same VCs.
	got := map[string]bool{}
	var walk func(s model.State, path string)
	walk = func(s model.State, path string) {
		n := r.Network()
		least, most := map[string]int{}, map[string]int{}
		next := map[string][]model.State{}
		for _, h := range r.Next(s, nil) {
			c, vc := n.Channel(h.VC)
			if n.Kind(c) == model.Eject {
				got[path] = true
				return
			}
			// Without a class, the partition is the half of the VC.
			p := int(h.Class)
			if vcs%2 == 0 {
				p = vc / (vcs / 2)
			}
			key := fmt.Sprint(int(n.TailPort(c))-1, p)
			if _, ok := least[key]; !ok {
				least[key] = vc
			}
			most[key] = vc
			next[key] = append(next[key], model.State{VC: h.VC, Dest: s.Dest, Class: h.Class})
		}
		for key, list := range next {
			sign := fmt.Sprint(key[:1], " ", least[key], " ", most[key])
			if path != "" && sign != path {
				t.Fatalf("ring of %d, %d VCs, %d to %d: %s, then %s", k, vcs, cur, dest, path, sign)
			}
			for _, to := range list {
				walk(to, sign)
			}
		}
	}
	walk(model.InjectState(r, model.HostID(cur), model.DestID(dest), 0), "")
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("ring of %d, %d VCs, %d to %d, balanced %v: %v, BookSim %v", k, vcs, cur, dest, balanced, got, want)
	}
}

// TestFigure7 checks that with the figure as printed packets overshoot and go around a whole
// ring.
func TestFigure7(t *testing.T) {
	for k := 3; k <= 7; k++ {
		rep := check(t, build(t, "nf+1", torus(t, 2, k, k), route.Options{NF: route.NFOptions{FigureAsPrinted: true}}))
		if want := 2*((k+1)/2-1) + k + 1; rep.Routes.Longest != want {
			t.Errorf("side %d: the longest path has %d switches; want %d", k, rep.Routes.Longest, want)
		}
	}
}

// TestCenter compares Center with distances between all pairs.
func TestCenter(t *testing.T) {
	rapid.Check(t, func(d *rapid.T) {
		n := connected(d, 16)
		root, least := model.NoSwitch, 1<<20
		for u := range model.SwitchID(n.NumSwitches()) {
			if far := slices.Max(distances(n, u)); far < least {
				root, least = u, far
			}
		}
		for u := range model.SwitchID(n.NumSwitches()) {
			if c := hv.Center(n, u); c != root {
				d.Fatalf("centre %d, want %d", c, root)
			}
		}
	})
}
