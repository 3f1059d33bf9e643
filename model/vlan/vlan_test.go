package vlan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/verify"
)

func parse(t testing.TB, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func dimensionOrder(t testing.TB, n *model.Network, order []int) *vlan.Set {
	t.Helper()
	s, err := vlan.DimensionOrder(n, order, 1)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lines describes the links of a VLAN as lines: direction and coordinates, with "-" for the
// coordinate along the line.
func lines(n *model.Network, links []model.LinkID) []string {
	count := map[string]int{}
	for _, l := range links {
		k := n.Link(l)
		d, _, _ := n.Grid().PortDirection(k.APort)
		var parts []string
		for e, x := range n.Grid().Coords(k.A, nil) {
			if parts = append(parts, fmt.Sprint(x)); e == d {
				parts[e] = "-"
			}
		}
		count["l("+strings.Join(parts, ",")+")"]++
	}
	var list []string
	for line, k := range count {
		list = append(list, fmt.Sprint(line, " ", k))
	}
	slices.Sort(list)
	return list
}

// TestFigure4 checks the two topologies that VLAN Ethernet, section 3.1, lists in full.
func TestFigure4(t *testing.T) {
	n := parse(t, "mesh:4x4")
	for _, c := range []struct {
		at, order []int
		want      string
	}{
		{[]int{-1, 0}, []int{0, 1}, "l(-,0) 3,l(0,-) 3,l(1,-) 3,l(2,-) 3,l(3,-) 3"},
		{[]int{1, -1}, []int{1, 0}, "l(-,0) 3,l(-,1) 3,l(-,2) 3,l(-,3) 3,l(1,-) 3"},
	} {
		links, err := vlan.VL(n, c.at, c.order)
		if got := strings.Join(lines(n, links), ","); err != nil || got != c.want {
			t.Errorf("VL(%v | %v): %s, %v, want %s", c.at, c.order, got, err, c.want)
		}
	}
}

// TestFigure2 checks VLAN Ethernet, section 2.2: four packets on a 2x2 mesh in two VLANs. In
// one assignment they can wait for each other, in the other (dimension-order routing) they
// cannot.
func TestFigure2(t *testing.T) {
	n := parse(t, "mesh:2x2")
	hosts := vlan.AllHosts(n)
	var without [2][]model.LinkID // VLAN 0 has no link from 1 to 3, VLAN 1 none from 0 to 2
	for k, missing := range [][2]model.SwitchID{{1, 3}, {0, 2}} {
		for l := range model.LinkID(n.NumLinks()) {
			if e := n.Link(l); (e != model.Link{A: missing[0], APort: e.APort, B: missing[1], BPort: e.BPort}) {
				without[k] = append(without[k], l)
			}
		}
	}
	for _, c := range []struct {
		name string
		uses [][3]model.HostID // source, destination, VLAN
		want verify.Verdict
	}{
		{"0 to 3 and 1 to 2 in VLAN 1, 2 to 1 and 3 to 0 in VLAN 0", [][3]model.HostID{{0, 3, 1}, {1, 2, 1}, {2, 1, 0}, {3, 0, 0}}, verify.Refuted},
		{"0 to 3 and 2 to 1 in VLAN 1, 1 to 2 and 3 to 0 in VLAN 0", [][3]model.HostID{{0, 3, 1}, {2, 1, 1}, {1, 2, 0}, {3, 0, 0}}, verify.Proved},
	} {
		for _, priority := range []int{0, 1} { // priority of VLAN 1; with its own priority there is no cycle
			s, err := vlan.New(n, []vlan.VLAN{{ID: 1, Links: without[0], Hosts: hosts}, {ID: 2, Priority: priority, Links: without[1], Hosts: hosts}})
			if err != nil || len(without[0]) != 3 || len(without[1]) != 3 {
				t.Fatal(err)
			}
			for _, u := range c.uses {
				if err := s.SetUse(u[0], u[1], int(u[2])); err != nil {
					t.Fatal(err)
				}
			}
			rep, err := verify.Check(t.Context(), s.Relation(), verify.Options{Switching: model.StoreAndForward, NoPairs: true})
			want := c.want
			if priority == 1 {
				want = verify.Proved
			}
			if err != nil || rep.DeadlockFree.Verdict != want {
				t.Errorf("%s, priorities 0 and %d: %v %v", c.name, priority, rep.DeadlockFree.Verdict, err)
			}
		}
	}
}

// TestVL checks that every topology of definition 3 is a spanning tree with the number of lines
// that the paper gives.
func TestVL(t *testing.T) {
	for _, c := range []struct {
		spec  string
		lines int // (N^M - 1) / (N - 1); unequal sides: sums of products
	}{{"mesh:4x4", 5}, {"mesh:3x3x3", 13}, {"mesh:2x2x2x2", 15}, {"line:5", 1}, {"mesh:4x3", 5}} {
		n := parse(t, c.spec)
		order := make([]int, n.Grid().Dims())
		for d := range order {
			order[d] = d
		}
		for u := range model.SwitchID(n.NumSwitches()) {
			links, err := vlan.VL(n, n.Grid().Coords(u, nil), order)
			if err != nil {
				t.Fatal(err)
			}
			if k := len(lines(n, links)); k != c.lines {
				t.Errorf("%s: %d lines, want %d", c.spec, k, c.lines)
			}
			if _, err := vlan.New(n, []vlan.VLAN{{ID: 1, Links: links}}); err != nil || len(links) != n.NumSwitches()-1 {
				t.Errorf("%s: %d links, %v: no spanning tree", c.spec, len(links), err)
			}
		}
	}
}

// TestTheorem1 checks that every pair takes its dimension-order path, with one VLAN per line,
// on every mesh up to 64 switches and some larger ones.
func TestTheorem1(t *testing.T) {
	var specs []string
	for x := 1; x <= 8; x++ {
		for y := 1; y <= 8; y++ {
			specs = append(specs, fmt.Sprintf("mesh:%dx%d", x, y))
			for z := 1; x*y*z <= 64; z++ {
				specs = append(specs, fmt.Sprintf("mesh:%dx%dx%d", x, y, z))
			}
		}
	}
	specs = append(specs, "line:9", "mesh:2x3x2x3", "hypercube:6", "mesh:16x16", "mesh:3x4,hosts=2")
	for _, spec := range specs {
		n := parse(t, spec)
		s := dimensionOrder(t, n, nil)
		if want := n.NumSwitches() / n.Grid().Sides[0]; s.Len() != want {
			t.Errorf("%s: %d VLANs, want %d", spec, s.Len(), want)
		}
		followsDOR(t, spec, s, nil)
	}
}

// TestOrders checks theorem 1 with the dimensions in any order.
func TestOrders(t *testing.T) {
	n := parse(t, "mesh:3x4x2")
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		followsDOR(t, fmt.Sprint(order), dimensionOrder(t, n, order), order)
	}
}

// TestPivots checks the same paths with lines along each dimension. Lines along the longest
// dimension need the fewest VLANs.
func TestPivots(t *testing.T) {
	for _, spec := range []string{"mesh:2x5", "mesh:5x2", "mesh:3x4x2", "mesh:2x3x2x3"} {
		n := parse(t, spec)
		for pivot, side := range n.Grid().Sides {
			s, err := vlan.AcrossDimension(n, nil, pivot, 1)
			if err != nil || s.Len() != n.NumSwitches()/side {
				t.Fatalf("%s, pivot %d: %v", spec, pivot, err)
			}
			followsDOR(t, fmt.Sprint(spec, " pivot ", pivot), s, nil)
		}
	}
}

// followsDOR compares the path of every pair with the relation dor.
func followsDOR(t *testing.T, name string, s *vlan.Set, order []int) {
	t.Helper()
	n := s.Network()
	dor, err := route.New("dor", n, route.Options{Order: order})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Relation()
	for h := range model.HostID(n.NumHosts()) {
		for d := range model.DestID(n.NumHosts()) {
			if !model.Sends(r, h, d) {
				continue
			}
			classes := r.Inject(h, d, nil)
			if len(classes) != 1 {
				t.Fatalf("%s: %d VLANs from %d to %d", name, len(classes), h, d)
			}
			a, b := model.InjectState(r, h, d, classes[0]), model.InjectState(dor, h, d, 0)
			for n.Head(channel(n, a.VC)) != model.NoSwitch {
				p, q := r.Next(a, nil), dor.Next(b, nil)
				if len(p) != 1 || len(q) != 1 || p[0].VC != q[0].VC {
					t.Fatalf("%s: from %d to %d: %v, dimension order has %v", name, h, d, p, q)
				}
				a.VC, b.VC = p[0].VC, q[0].VC
			}
		}
	}
}

func channel(n *model.Network, v model.VCID) model.ChannelID {
	c, _ := n.Channel(v)
	return c
}

// TestSwapped checks that two lines that use each other's VLAN close a cycle, which the checker
// accepts. Flooding in the original set closes no cycle.
func TestSwapped(t *testing.T) {
	for _, spec := range []string{"mesh:2x2", "mesh:4x4", "mesh:3x3x3"} {
		s := dimensionOrder(t, parse(t, spec), nil)
		flooded, err := s.Flooding()
		if err != nil {
			t.Fatal(err)
		}
		for name, rel := range map[string]model.Relation{"used": s.Relation(), "flooded": flooded} {
			rep, err := verify.Check(t.Context(), rel, verify.Options{Switching: model.StoreAndForward, NoPairs: true})
			if err != nil || rep.Verdict() != verify.Proved || rep.Acyclic.Verdict != verify.Proved {
				t.Errorf("%s %s: %v %v", spec, name, rep.Verdict(), err)
			}
		}
		swap(t, s, 0, 1)
		rep, err := verify.Check(t.Context(), s.Relation(), verify.Options{Switching: model.StoreAndForward, NoPairs: true})
		if err != nil || rep.DeadlockFree.Verdict != verify.Refuted || rep.Connected.Verdict != verify.Proved || len(rep.Cycle) != 4 {
			t.Errorf("%s, VLANs swapped: %v, cycle of %d, %v", spec, rep.DeadlockFree.Verdict, len(rep.Cycle), err)
		}
	}
}

func swap(t *testing.T, s *vlan.Set, a, b int) {
	n := s.Network()
	for h := range model.HostID(n.NumHosts()) {
		for d := range model.HostID(n.NumHosts()) {
			k := s.Use(h, d)
			switch k {
			case a:
				k = b
			case b:
				k = a
			}
			if err := s.SetUse(h, d, k); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestErrors checks invalid sets.
func TestErrors(t *testing.T) {
	n := parse(t, "mesh:2x2")
	all := []model.LinkID{0, 1, 2, 3}
	for _, c := range []struct {
		list []vlan.VLAN
		want string
	}{
		{[]vlan.VLAN{{ID: 7, Links: all}}, "vlan: VLAN 7 has a loop: (0,1) port 4, (0,0) port 1, (1,0) port 3, (1,1) port 2, and back"},
		{[]vlan.VLAN{{ID: 0}}, "vlan: VLAN 0: identifiers are 1 to 4094"},
		{[]vlan.VLAN{{ID: 4095}}, "vlan: VLAN 4095: identifiers are 1 to 4094"},
		{[]vlan.VLAN{{ID: 3}, {ID: 3}}, "vlan: two VLANs have the identifier 3"},
		{[]vlan.VLAN{{ID: 3, Priority: 8}}, "vlan: VLAN 3: priority 8; want 0 to 7"},
		{[]vlan.VLAN{{ID: 3, Links: []model.LinkID{4}}}, "vlan: VLAN 3: link 4 after []: they ascend and are below 4"},
		{[]vlan.VLAN{{ID: 3, Hosts: []model.HostID{1, 1}}}, "vlan: VLAN 3: host 1 after [1]: they ascend and are below 4"},
		{[]vlan.VLAN{{ID: 3, Untagged: []model.HostID{1}}}, "vlan: VLAN 3: h1 is untagged but not a member"},
	} {
		if _, err := vlan.New(n, c.list); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.list, err, c.want)
		}
	}
	for spec, want := range map[string]string{
		"hypercube:13": "vlan: it takes 4096 VLANs; 802.1Q has identifiers up to 4094, from 1 on these are 4094",
		"torus:4x4":    "vlan: these VLANs need a full mesh",
		"star:5":       "vlan: these VLANs need a full mesh",
	} {
		if _, err := vlan.DimensionOrder(parse(t, spec), nil, 1); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", spec, err, want)
		}
	}
	s := dimensionOrder(t, n, nil)
	one, err := vlan.New(n, []vlan.VLAN{{ID: 1, Hosts: []model.HostID{0}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := one.SetUse(0, 1, 0); err == nil || err.Error() != "vlan: h0 sends to h1 in VLAN 1, of which h1 is no member" {
		t.Error(err)
	}
	if k, err := s.PVID(0); k != vlan.None || err != nil {
		t.Errorf("PVID of a tagged port: %d, %v", k, err)
	}
}

// TestTreePaths compares the paths in random trees with a search of their links.
func TestTreePaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 12)
		links := forest(t, n)
		s, err := vlan.New(n, []vlan.VLAN{{ID: 1, Links: links, Hosts: vlan.AllHosts(n)}})
		if err != nil {
			t.Fatal(err)
		}
		for h := range model.HostID(n.NumHosts()) {
			dist := distances(n, links, n.Host(h).Switch)
			for u := range model.SwitchID(n.NumSwitches()) {
				c := s.Next(0, u, h)
				switch {
				case u == n.Host(h).Switch && c != n.EjectChannel(h), dist[u] < 0 && c != model.NoChannel:
					t.Fatalf("at %d, to host %d: channel %d", u, h, c)
				case dist[u] > 0 && (c == model.NoChannel || n.Tail(c) != u || dist[n.Head(c)] != dist[u]-1 || !slices.Contains(links, model.LinkID(c/2))):
					t.Fatalf("at %d, %d from host %d: channel %d", u, dist[u], h, c)
				}
			}
		}
	})
}

// forest draws links without a loop and checks that a link that closes a loop is refused.
func forest(t *rapid.T, n *model.Network) (links []model.LinkID) {
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		closes := distances(n, links, k.A)[k.B] >= 0
		if _, err := vlan.New(n, []vlan.VLAN{{ID: 1, Links: append(slices.Clone(links), l)}}); (err != nil) != closes {
			t.Fatalf("links %v and %d: %v", links, l, err)
		}
		if !closes && rapid.Bool().Draw(t, "take") {
			links = append(links, l)
		}
	}
	return links
}

// distances relaxes links until nothing changes; -1 means no path.
func distances(n *model.Network, links []model.LinkID, to model.SwitchID) []int {
	dist := make([]int, n.NumSwitches())
	for u := range dist {
		dist[u] = -1
	}
	dist[to] = 0
	for range n.NumSwitches() {
		for _, l := range links {
			k := n.Link(l)
			if dist[k.A] >= 0 && dist[k.B] < 0 {
				dist[k.B] = dist[k.A] + 1
			} else if dist[k.B] >= 0 && dist[k.A] < 0 {
				dist[k.A] = dist[k.B] + 1
			}
		}
	}
	return dist
}

// TestFlooding checks flooded frames with two spines and three leaves. Flooded frames also go
// to switches without hosts: no route turns at a spine's dead end, but copies wait there.
func TestFlooding(t *testing.T) {
	b := model.NewBuilder()
	for range 5 {
		b.AddSwitch(model.Switch{})
	}
	for leaf := range model.SwitchID(3) { // links 2*leaf to spine 3, 2*leaf+1 to spine 4
		b.AddLink(leaf, 1, 3, model.Port(leaf+1))
		b.AddLink(leaf, 2, 4, model.Port(leaf+1))
		b.AddHost(model.Host{Switch: leaf, Port: 3})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	hosts := vlan.AllHosts(n)
	s, err := vlan.New(n, []vlan.VLAN{{ID: 2, Links: []model.LinkID{0, 1, 2, 4}, Hosts: hosts}, {ID: 3, Links: []model.LinkID{1, 2, 3, 5}, Hosts: hosts}})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hosts {
		for _, d := range hosts {
			if h != d {
				k := 0
				if h == 0 {
					k = 1
				}
				if err := s.SetUse(h, d, k); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	f, err := s.Flooding()
	if err != nil {
		t.Fatal(err)
	}
	modeltest.Conformance(t, f)
	for name, c := range map[string]struct {
		rel     model.Relation
		verdict verify.Verdict
	}{"routes": {s.Relation(), verify.Proved}, "flooded": {f, verify.Refuted}} {
		rep, err := verify.Check(t.Context(), c.rel, verify.Options{})
		if err != nil || rep.Acyclic.Verdict != c.verdict {
			t.Errorf("%s: %v %v", name, rep.Acyclic.Verdict, err)
		}
	}
}

// TestEntries checks that an entry that leaves the tree loses frames.
func TestEntries(t *testing.T) {
	n := parse(t, "line:3")
	s := dimensionOrder(t, n, nil)
	if s.SetEntry(0, 1, 2, 1) {
		t.Error("port 1 is the way east")
	}
	if !s.SetEntry(0, 1, 2, 2) {
		t.Error("port 2 leads west")
	}
	rep, err := verify.Check(t.Context(), s.Relation(), verify.Options{})
	if err != nil || rep.Connected.Verdict != verify.Refuted || rep.Routes.Unreachable != 2 || rep.LivelockFree.Verdict != verify.Proved {
		t.Errorf("%v %v, %d pairs unreachable", rep.Verdict(), err, rep.Routes.Unreachable)
	}
	modeltest.Conformance(t, s.Relation())
}
