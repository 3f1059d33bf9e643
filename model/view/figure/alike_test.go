package figure

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/turnproof/turnproof/model"
)

// renamed returns the network with management endpoints, and with long names of hosts if name is not empty.
func renamed(n *model.Network, name string) *model.Network {
	b := model.NewBuilder()
	for u := range model.SwitchID(n.NumSwitches()) {
		b.AddSwitch(model.Switch{Name: fmt.Sprint("leaf-", int(u))})
	}
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		b.AddLink(k.A, k.APort, k.B, k.BPort)
	}
	for h := range model.HostID(n.NumHosts()) {
		x := *n.Host(h)
		if x.LID = uint16(h + 1); name != "" {
			x.Name = fmt.Sprintf(name, int(x.Switch), int(h))
		}
		b.AddHost(x)
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		b.AddHost(model.Host{Switch: u, Management: true, LID: uint16(1000 + int(u))})
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}

// drawnNetworks returns networks of all ways of placing switches.
func drawnNetworks() map[string]*model.Network {
	list := map[string]*model.Network{"leaf-spine": leafSpine(4, 3, 2), "fat tree": fatTree(4), "ring": ring(6, 2, 1), "mesh without coordinates": grid(4, 3, false)}
	for seed := range uint64(3) {
		list[fmt.Sprint("irregular, few hosts, ", seed)] = irregular(9+int(seed), 3, 1, seed)
		list[fmt.Sprint("irregular, many hosts, ", seed)] = irregular(12+int(seed), 4, 4, seed)
	}
	return list
}

// loopPictures returns the drawing of the network around a cycle, and that of the cycle.
func loopPictures(n *model.Network, o Options) (around, cycle *Graph) {
	steps := aroundSteps(n, 1, shortestWalk(n, 0)...)
	shown := o
	for _, s := range steps {
		for _, h := range []model.HostID{s.Source, s.Destination} {
			if h != model.NoHost && !slices.Contains(shown.Show, h) {
				shown.Show = append(shown.Show, h)
			}
		}
	}
	return Network(n, shown), CycleOnNetwork(n, steps, o)
}

// TestNodesApart checks that no two nodes overlap in the drawings of a network with long names of hosts, of a cycle, of its
// packets as a deadlock, and of a path, as pages and files have them.
func TestNodesApart(t *testing.T) {
	t.Parallel()
	for name, n := range drawnNetworks() {
		short := renamed(n, "")
		n = renamed(n, "rack-%02d-10.0.11.%d_24 port 0")
		for _, o := range []Options{{}, {LIDs: true}, {MaxSwitches: 2}} {
			around, cycle := loopPictures(n, o)
			var worms []Worm
			for _, s := range aroundSteps(n, 0, shortestWalk(n, 0)...) {
				worms = append(worms, Worm{Source: s.Source, Destination: s.Destination, Holds: []model.VCID{s.VC}})
			}
			for i := range worms {
				worms[i].Waits = worms[(i+1)%len(worms)].Holds
			}
			drawings := map[string]*Graph{"network": Network(n, o), "around": around, "cycle": cycle, "deadlock": Configuration(n, worms, o),
				"management": CycleOnNetwork(short, fromSwitches(short, shortestWalk(n, 0)), o)}
			for what, g := range drawings {
				checkApart(t, fmt.Sprintf("%s, %s, LIDs %v", name, what, o.LIDs), g)
			}
		}
	}
	joined := renamed(joinedTrees(), "")
	checkApart(t, "management in joined trees", CycleOnNetwork(joined, fromSwitches(joined, []int{0, 16, 20, 8, 21, 17}), Options{MaxSwitches: 2}))
}

// checkApart checks that no two nodes of a drawing overlap, and that the number of no channel is behind a node.
func checkApart(t *testing.T, name string, g *Graph) {
	t.Helper()
	svg := render(t, g, "svg")
	p := readPicture(t, svg)
	for _, b := range badgesOn(t, svg, p.nodes) {
		t.Errorf("%s: the number %s of a channel is behind a node", name, b)
	}
	for i, a := range p.nodes {
		for _, b := range p.nodes[:i] {
			if a.meets(b, 1) {
				t.Errorf("%s: two nodes at %.0f,%.0f overlap", name, a.x0, a.y0)
			}
		}
	}
}

// fromSwitches returns a cycle whose packets come from the switches at which their channels begin.
func fromSwitches(n *model.Network, walk []int) []Step {
	steps := aroundSteps(n, 0, walk...)
	for i := range steps {
		c, _ := n.Channel(steps[i].VC)
		h := model.HostID(n.NumHosts() + int(n.Tail(c)))
		steps[i].Source, steps[i].Path = h, []model.VCID{n.VC(n.InjectChannel(h), 0), steps[i].VC}
	}
	return steps
}

// badgesOn lists the numbers of channels that are on a node.
func badgesOn(t *testing.T, svg []byte, nodes []box) (list []string) {
	t.Helper()
	_, labels, _ := bytes.Cut(svg, []byte(`<g id="labels">`))
	for _, m := range regexp.MustCompile(`<text[^>]* x="([^"]*)" y="([^"]*)"[^>]*>(\d+)</text>`).FindAllSubmatch(labels, -1) {
		x, _ := strconv.ParseFloat(string(m[1]), 64)
		y, _ := strconv.ParseFloat(string(m[2]), 64)
		if slices.ContainsFunc(nodes, func(b box) bool { return b.holds(x, y-3) }) {
			list = append(list, string(m[3]))
		}
	}
	return list
}

var (
	viewOf = regexp.MustCompile(`viewBox="([^"]*)"`)
	nodeOf = regexp.MustCompile(`(?s)data-key="([sh]\d+)"[^>]*>\s*<title>[^<]*</title>\s*<(?:polygon[^>]*points="([^"]*)"|ellipse[^>]*cx="([^"]*)" cy="([^"]*)")`)
)

// nodePlaces returns the view of a drawing for a page, and the middle of each node by its key.
func nodePlaces(t *testing.T, svg []byte) (view string, at map[string]point) {
	t.Helper()
	at = map[string]point{}
	for _, m := range nodeOf.FindAllSubmatch(svg, -1) {
		var q point
		if len(m[2]) > 0 {
			b := polygonBox(t, string(m[2]))
			q = point{(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2}
		} else {
			q.x, _ = strconv.ParseFloat(string(m[3]), 64)
			q.y, _ = strconv.ParseFloat(string(m[4]), 64)
		}
		at[string(m[1])] = q
	}
	return string(viewOf.FindSubmatch(svg)[1]), at
}

// TestInlineAlike checks that the two drawings of a loop have one size and every common node at one place, whole and in part, and that
// the first one has all switches of the second.
func TestInlineAlike(t *testing.T) {
	t.Parallel()
	for name, n := range drawnNetworks() {
		for _, o := range []Options{{}, {LIDs: true, MaxSwitches: 4}, {Position: gridPosition(4)}} {
			if o.MaxSwitches > 0 {
				o.Focus = vcsOf(aroundSteps(n, 1, shortestWalk(n, 0)...))
			}
			around, cycle := loopPictures(n, o)
			drawings, width, err := InlineAlike(t.Context(), around, cycle)
			if err != nil {
				t.Fatal(err)
			}
			view, at := nodePlaces(t, drawings[0])
			other, also := nodePlaces(t, drawings[1])
			if view != other || width < 50 {
				t.Errorf("%s: views %s and %s", name, view, other)
			}
			if len(also) < 3 || len(at) < len(also) {
				t.Fatalf("%s: %d and %d nodes were found", name, len(at), len(also))
			}
			for key, q := range also {
				if d := q.sub(at[key]).len(); d > 0.02 {
					t.Errorf("%s: %s is at %v and %v", name, key, at[key], q)
				}
			}
		}
	}
}

// TestLikeNetwork checks that a cycle and a path have the switches where the drawing of the network has them.
func TestLikeNetwork(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		for _, hosts := range []int{1, 4} {
			n := irregular(12, 3, hosts, seed)
			places := func(g *Graph) map[string]point {
				svg, err := Inline(t.Context(), g)
				if err != nil {
					t.Fatal(err)
				}
				_, at := nodePlaces(t, svg)
				return at
			}
			walk := shortestWalk(n, 0)
			way := route(n, 0, walk[:2]...)
			want := places(Network(n, Options{}))
			for what, g := range map[string]*Graph{"cycle": CycleOnNetwork(n, aroundSteps(n, 1, walk...), Options{}),
				"path": Paths(n, 0, model.HostID(n.NumHosts()-1), []Path{{VCs: way}}, Options{})} {
				got := places(g)
				if len(got) < n.NumSwitches() {
					t.Fatalf("%d nodes were found", len(got))
				}
				by := got["s0"].sub(want["s0"])
				for u := range n.NumSwitches() {
					key := fmt.Sprint("s", u)
					if d := got[key].sub(want[key]).sub(by); math.Abs(d.x)+math.Abs(d.y) > 0.05 {
						t.Errorf("seed %d, %d hosts, %s: %s is %v away from its place in the network", seed, hosts, what, key, d)
					}
				}
			}
		}
	}
}
