package ttfabric

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/ttfabric"
	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
	"github.com/turnproof/turnproof/verify"
	_ "github.com/turnproof/turnproof/verify/conditions"
)

// This file judges verdicts on small fabrics by all reachable states. It takes the routes from the relation. Which entries need two free
// slots it computes from names of chips and ports.

// drawn is a small fabric with what the judge needs to know.
type drawn struct {
	text      string
	options   ttfabric.Options
	rings     [][2]bool // by mesh: axes with wrap links
	dims      [][2]int
	unguarded map[string]bool // ports, as M0D1:E
	bubble    bool
	turns     bool // one mesh of two rows, with turns into a ring
}

// drawFabric draws one mesh, or two with one or two cables.
func drawFabric(rng *rand.Rand) *drawn {
	x := &drawn{unguarded: map[string]bool{}, turns: rng.IntN(3) == 0}
	meshes := 1 + rng.IntN(2)*b2i(!x.turns)
	configs := map[string]ttfabric.Config{}
	var b strings.Builder
	for m := range meshes {
		dims := [][2]int{{1, 3}, {1, 4}, {1, 4}, {1, 4}, {4, 1}, {2, 3}, {2, 4}}[rng.IntN(7)]
		if x.turns {
			dims = [2]int{2, 4}
		}
		wraps := [2]bool{dims[0] > 2, dims[1] > 2}
		config := [][]ttfabric.Config{{ttfabric.Fabric2D, ttfabric.Fabric2DX}, {ttfabric.Fabric2DY, ttfabric.Fabric2DXY}}[b2i(wraps[0])][b2i(wraps[1])]
		if rng.IntN(5) == 0 {
			config, wraps = ttfabric.Fabric2D, [2]bool{}
		}
		x.rings, x.dims, configs[fmt.Sprint(m)] = append(x.rings, wraps), append(x.dims, dims), config
		fmt.Fprintf(&b, "mesh_descriptors { name: \"s%d\" arch: BLACKHOLE device_topology { dims: [%d, %d] dim_types: [RING, RING] } "+
			"host_topology { dims: [1, 1] } channels { count: 1 policy: RELAXED } }\n", m, dims[0], dims[1])
	}
	b.WriteString("graph_descriptors { name: \"g\" type: \"FABRIC\"\n")
	for m := range meshes {
		fmt.Fprintf(&b, "instances { mesh { mesh_descriptor: \"s%d\" mesh_id: %d } }\n", m, m)
	}
	if meshes == 2 {
		fmt.Fprintf(&b, "connections { nodes { mesh { mesh_descriptor: \"s0\" mesh_id: 0 } } nodes { mesh { mesh_descriptor: \"s1\" mesh_id: 1 } } "+
			"channels { count: %d policy: RELAXED } assign_z_direction: true }\n", 1+rng.IntN(4))
	}
	b.WriteString("} top_level_instance { graph { graph_descriptor: \"g\" graph_id: 0 } }\n")
	x.text = b.String()
	ring := []ttfabric.Ring{ttfabric.RingBubble, ttfabric.RingBubble, ttfabric.RingNone, ttfabric.RingDateline}[rng.IntN(4)]
	never, vc1 := ttfabric.BetweenNever, rng.IntN(3) > 0
	x.bubble = ring == ttfabric.RingBubble
	x.options = ttfabric.Options{Config: ttfabric.Configuration{Mesh: configs}, Slots: 2, Override: ttfabric.Override{Ring: &ring, VC1: &vc1, Between: &never}}
	if ring == ttfabric.RingNone {
		x.options.Slots = 1
	}
	x.drawFlows(rng)
	return x
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// drawFlows draws flows, most of them round the rings of one mesh, and ports that are not guarded.
func (x *drawn) drawFlows(rng *rand.Rand) {
	known := map[ttfabric.ChipPair]bool{}
	chip := func(m int) ttfabric.Chip { return ttfabric.Chip{Mesh: m, Chip: rng.IntN(x.dims[m][0] * x.dims[m][1])} }
	add := func(from, to ttfabric.Chip) {
		if p := (ttfabric.ChipPair{from, to}); from != to && !known[p] && len(known) < 8 {
			known[p] = true
			x.options.Traffic.Flows = append(x.options.Traffic.Flows, p)
		}
	}
	if x.turns { // into the first row: from the second one, and along it
		for k := range x.dims[0][1] {
			to := ttfabric.Chip{Mesh: 0, Chip: (k + 2) % x.dims[0][1]}
			add(ttfabric.Chip{Mesh: 0, Chip: k}, to)
			add(ttfabric.Chip{Mesh: 0, Chip: k + x.dims[0][1]}, to)
		}
	} else if rng.IntN(4) > 0 { // each chip of a row to the one two further on
		a, b := rng.IntN(len(x.dims)), rng.IntN(len(x.dims))
		for k := range x.dims[b][1] {
			if rng.IntN(20) > 0 {
				add(ttfabric.Chip{Mesh: a, Chip: min(k, x.dims[a][0]*x.dims[a][1]-1)}, ttfabric.Chip{Mesh: b, Chip: (k + 2) % x.dims[b][1]})
			}
		}
	}
	for range rng.IntN(4) * b2i(!x.turns) {
		add(chip(rng.IntN(len(x.dims))), chip(rng.IntN(len(x.dims))))
	}
	if len(x.options.Traffic.Flows) == 0 {
		x.options.Traffic.Flows = []ttfabric.ChipPair{{{Mesh: 0, Chip: 0}, {Mesh: 0, Chip: 1}}}
	}
	if x.bubble && x.rings[0][1] && rng.IntN(2) == 0 {
		p := ttfabric.Port{Chip: ttfabric.Chip{Mesh: 0, Chip: rng.IntN(x.dims[0][1])}, Label: ttfabric.East}
		x.options.Unguarded = []ttfabric.Port{p}
		x.unguarded[p.String()] = true
	}
}

// needs returns the free slots that a hop needs.
func (x *drawn) needs(n *model.Network, in, out model.ChannelID, vc int) int {
	var mesh, chip, toMesh, toChip int
	_, err := fmt.Sscanf(n.Switch(n.Tail(out)).Name, "M%dD%d", &mesh, &chip)
	_, err2 := fmt.Sscanf(n.Switch(n.Head(out)).Name, "M%dD%d", &toMesh, &toChip)
	if err != nil || err2 != nil {
		panic("a chip without a name")
	}
	label := n.PortName(n.Tail(out), n.TailPort(out))
	axis := strings.Index("NSEWZ", label) / 2
	if !x.bubble || vc != 0 || mesh != toMesh || axis > 1 || !x.rings[mesh][axis] {
		return 1
	}
	if n.Kind(in) == model.SwitchToSwitch {
		from := n.PortName(n.Head(in), n.HeadPort(in))
		if strings.Index("NSEWZ", from)/2 == axis || x.unguarded[fmt.Sprintf("M%dD%d:%s", mesh, chip, label)] {
			return 1
		}
	}
	return 2
}

// search visits all states. A state has for each VC between chips the flows of its packets, the first one first.
type search struct {
	paths [][]model.VCID // by flow: its VCs between chips
	needs [][]int        // by flow and hop: free slots that the hop onto the VC needs
	slots int
}

func newSearch(x *drawn, r model.Relation) *search {
	s, n := &search{slots: x.options.Slots}, r.Network()
	for h := range model.HostID(r.Sources()) {
		for d := range model.DestID(r.Destinations()) {
			if !model.Sends(r, h, d) {
				continue
			}
			at := model.InjectState(r, h, d, r.Inject(h, d, nil)[0])
			var path []model.VCID
			var needs []int
			for {
				in, _ := n.Channel(at.VC)
				hop := r.Next(at, nil)[0]
				out, vc := n.Channel(hop.VC)
				if n.Kind(out) == model.Eject {
					break
				}
				path, needs = append(path, hop.VC), append(needs, x.needs(n, in, out, vc))
				at = model.State{VC: hop.VC, Dest: d, Class: hop.Class}
			}
			s.paths, s.needs = append(s.paths, path), append(s.needs, needs)
		}
	}
	return s
}

// state is by VC the flows of its packets.
type state map[model.VCID]string

func (q state) key() string {
	var list []string
	for v, flows := range q {
		if flows != "" {
			list = append(list, fmt.Sprintf("%04d%s", v, flows))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// next returns the hop index of flow f on VC v.
func (s *search) at(f int, v model.VCID) int { return slices.Index(s.paths[f], v) }

// canGo reports whether flow f can take hop i, if queues are q.
func (s *search) canGo(q state, f, i int) bool {
	return i == len(s.paths[f]) || s.slots-len(q[s.paths[f][i]]) >= s.needs[f][i]
}

// stuck reports whether some packets can never move: those that are left when all that can move are taken out again and again.
func (s *search) stuck(q state) bool {
	left := maps.Clone(q)
	for more := true; more; {
		more = false
		for v, flows := range left {
			if f := int(0); flows != "" {
				if f = int(flows[0] - 'a'); s.canGo(left, f, s.at(f, v)+1) {
					left[v], more = flows[1:], true
				}
			}
		}
	}
	return left.key() != ""
}

// run returns whether a reachable state has packets that never move, and whether all states were seen if not.
func (s *search) run(budget int) (stuck, complete bool) {
	seen, work := map[string]bool{"": true}, []state{{}}
	for len(work) > 0 {
		q := work[len(work)-1]
		work = work[:len(work)-1]
		if s.stuck(q) {
			return true, true
		}
		if len(seen) > budget {
			return false, false
		}
		push := func(p state) {
			if key := p.key(); !seen[key] {
				seen[key] = true
				work = append(work, p)
			}
		}
		for v, flows := range q {
			if flows == "" {
				continue
			}
			f := int(flows[0] - 'a')
			if i := s.at(f, v) + 1; s.canGo(q, f, i) {
				p := maps.Clone(q)
				p[v] = flows[1:]
				if i < len(s.paths[f]) {
					p[s.paths[f][i]] += flows[:1]
				}
				push(p)
			}
		}
		for f := range s.paths {
			if s.canGo(q, f, 0) {
				p := maps.Clone(q)
				p[s.paths[f][0]] += string(rune('a' + f))
				push(p)
			}
		}
	}
	return false, true
}

// decide decides a fabric as the command check does.
func decide(t *testing.T, f *ttfabric.Fabric) *verify.Report {
	t.Helper()
	o := verify.Options{Switching: model.CutThrough, Facts: facts.Facts{Packet: 1, Buffer: f.Options.Slots, Reuse: facts.WhenUnused, Source: "test"}}
	if c := f.Net.FlowControl(); c != nil {
		rule, err := bubble.Parse(c.Rule)
		if err != nil {
			t.Fatal(err)
		}
		o.Conditions = append(o.Conditions, &bubble.Flow{Rule: rule, Packet: c.Packet, Buffer: c.Buffer})
	}
	rep, err := verify.Check(context.Background(), f.Relation, o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestJudge compares verdicts with all reachable states.
func TestJudge(t *testing.T) {
	cases, budget := 300, 2000
	if longtest.On() {
		cases, budget = 20000, 40000
	}
	tally := map[string]int{}
	for k := range uint64(cases) {
		x := drawFabric(rand.New(rand.NewPCG(52, k)))
		d, err := meshgraph.Parse("drawn", []byte(x.text))
		if err != nil {
			t.Fatal(err)
		}
		f, err := ttfabric.Build(d, x.options)
		if err != nil {
			if !strings.Contains(err.Error(), "unguarded") && !strings.Contains(err.Error(), "no free ports") {
				t.Fatalf("case %d: %v", k, err)
			}
			continue
		}
		rep := decide(t, f)
		stuck, complete := newSearch(x, f.Relation).run(budget)
		said := rep.DeadlockFree.Verdict
		word := fmt.Sprintf("%s, stuck %v, complete %v", said, stuck, complete)
		tally[word]++
		if said == verify.Proved && stuck || said == verify.Refuted && !stuck && complete {
			t.Errorf("case %d: %s\n%s\n%+v", k, word, x.text, x.options)
		}
	}
	t.Log(tally)
	for _, want := range []string{"proved, stuck false, complete true", "refuted, stuck true, complete true"} {
		if tally[want] < cases/40 {
			t.Errorf("%d cases %s", tally[want], want)
		}
	}
}
