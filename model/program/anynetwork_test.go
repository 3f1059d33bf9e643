package program_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// anyBody returns a program for any network with the given statements in route.
func anyBody(lines ...string) string {
	return "family = network()\ndef route(cur, dst, inp):\n    " + strings.Join(lines, "\n    ") + "\n"
}

// on compiles a program for a network.
func on(t testing.TB, text string, n *model.Network) model.Relation {
	t.Helper()
	p, err := program.Parse("p.star", text)
	if err != nil {
		t.Fatal(err)
	}
	r, notes, err := p.Relation(t.Context(), n)
	if err != nil || notes != nil {
		t.Fatal(err, notes)
	}
	modeltest.Conformance(t, r)
	return r
}

// sorted returns the hops of a state in ascending order.
func sorted(r model.Relation, s model.State) []model.Hop {
	list := r.Next(s, nil)
	slices.SortFunc(list, func(a, b model.Hop) int {
		return 1000*int(a.VC-b.VC) + int(a.Class-b.Class)
	})
	return list
}

// TestNetworkMinimal: a program permits the same hops as the routing minimal, on networks of several kinds.
func TestNetworkMinimal(t *testing.T) {
	for _, spec := range []string{"ring:5", "mesh:3x4", "random:switches=12,degree=4,hosts=2,seed=2", "complete:5,vcs=2", "dragonfly:a=3,h=1", "star:6"} {
		n := network(t, spec)
		want, err := route.New("minimal", n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range []string{
			"return productive(cur, dst)",
			"return [p for p in ports(cur) if distance(p.to, dst) < distance(cur, dst)]",
			"return [s for s in neighbours(cur) if distance(s, dst) + 1 == distance(cur, dst)]",
		} {
			got := on(t, fmt.Sprintf("vcs = %d\n", n.VCs())+anyBody(body), n)
			for d := range model.DestID(n.NumHosts()) {
				for v := range model.VCID(n.NumVCs()) {
					in, _ := n.Channel(v)
					if head := n.Head(in); head == model.NoSwitch || n.Kind(in) == model.SwitchToSwitch && !nearer(want, n, d, v) {
						continue
					}
					s := model.State{VC: v, Dest: d}
					if a, b := sorted(got, s), sorted(want, s); !slices.Equal(a, b) {
						t.Fatalf("%s, %s, state %v: %v, want %v", spec, body, s, a, b)
					}
				}
			}
		}
	}
}

// nearer reports whether minimal can use a VC between switches for packets to d.
func nearer(r model.Relation, n *model.Network, d model.DestID, v model.VCID) bool {
	in, _ := n.Channel(v)
	at := modeltest.Distances(n, n.Host(r.DestinationHost(d)).Switch)
	_, reached := at[n.Tail(in)]
	return reached && at[n.Head(in)] < at[n.Tail(in)]
}

const valiant = `family = network()
vcs = 2
states = 2
def inject(src, dst):
    return [(0, 1, via) for via in switches()]
def route(cur, dst, inp, state, via):
    if state == 0 and cur != via:
        return [(p, 0, 0, via) for p in productive(cur, via)]
    return [(p, 1, 1, None) for p in productive(cur, dst)]
`

// TestNetworkCarriesSwitch follows the packets of a program whose header state is a switch: each path visits this switch, unless
// it meets the destination before, on a shortest path on VC 0, and continues on a shortest path on VC 1.
func TestNetworkCarriesSwitch(t *testing.T) {
	n := network(t, "random:switches=8,degree=3,seed=4")
	r := on(t, valiant, n)
	n = r.Network()
	vias := 0
	for d := range model.DestID(n.NumHosts()) {
		home := n.Host(r.DestinationHost(d)).Switch
		for h := range model.HostID(n.NumHosts()) {
			if h == r.DestinationHost(d) {
				continue
			}
			classes := r.Inject(h, d, nil)
			if len(classes) != n.NumSwitches() {
				t.Fatalf("%d classes, want one for each switch", len(classes))
			}
			for u, k := range classes {
				via := model.SwitchID(u)
				near := modeltest.Distances(n, via)
				first := n.Host(h).Switch
				var follow func(s model.State, at model.SwitchID, hops int)
				follow = func(s model.State, at model.SwitchID, hops int) {
					if at == via && hops == near[first] {
						vias++
					}
					for _, hop := range r.Next(s, nil) {
						c, vc := n.Channel(hop.VC)
						if n.Kind(c) == model.Eject {
							if at != home {
								t.Fatalf("delivered at switch %d", at)
							}
							continue
						}
						phase := 0
						if hops >= near[first] {
							phase = 1
						}
						if vc != phase || phase == 0 && near[n.Head(c)] != near[at]-1 {
							t.Fatalf("via %d, at %d after %d hops: hop to %d on VC %d", via, at, hops, n.Head(c), vc)
						}
						follow(model.State{VC: hop.VC, Dest: d, Class: hop.Class}, n.Head(c), hops+1)
					}
				}
				follow(model.State{VC: n.VC(n.InjectChannel(h), 0), Dest: d, Class: k}, first, 0)
			}
		}
	}
	if vias == 0 {
		t.Error("no packet reached its intermediate switch")
	}
}

// TestNetworkInput: programs see the port, the switch and the VC that a packet came from.
func TestNetworkInput(t *testing.T) {
	n := network(t, "random:switches=10,degree=3,seed=1")
	r := on(t, "vcs = 8\n"+anyBody(
		"if inp.port == None:",
		"    if inp.prev != None or inp.vc != 0: fail('a new packet')",
		"    return [(p, 0) for p in productive(cur, dst)]",
		"if inp.port.to != inp.prev or inp.port.back.to != cur or inp.port.back.back != inp.port: fail('ports')",
		"if distance(inp.prev, dst) != distance(cur, dst) + 1: fail('distance')",
		"return [(p, inp.vc + 1) for p in productive(cur, dst)]"), n)
	n = r.Network()
	for d := range model.DestID(n.NumHosts()) {
		for v := range model.VCID(n.NumLinkVCs()) {
			c, vc := n.Channel(v)
			for _, h := range r.Next(model.State{VC: v, Dest: d}, nil) {
				if out, next := n.Channel(h.VC); n.Kind(out) == model.SwitchToSwitch && next != vc+1 {
					t.Fatalf("from channel %d, VC %d, to VC %d", c, vc, next)
				}
			}
		}
	}
}

// attributed is a line of three switches. The middle one has no attribute group.
func attributed(t *testing.T) *model.Network {
	t.Helper()
	b := model.NewBuilder()
	for range 3 {
		b.AddHost(model.Host{Switch: b.AddSwitch(model.Switch{}), Port: 1})
	}
	b.AddLink(0, 2, 1, 2)
	b.AddLink(1, 3, 2, 2)
	b.AddLink(1, 4, 2, 3)
	b.SetAttribute("group", []int32{4, model.NoAttribute, 7})
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestNetworkAttributes: programs read attributes and ask for them; a neighbour means all ports to it.
func TestNetworkAttributes(t *testing.T) {
	n := attributed(t)
	r := on(t, "family = network()\nvcs = 2\nescape = [1]\n"+strings.SplitN(anyBody(
		"if cur.id == 1:",
		"    if has(cur, 'group') or has(cur, 'level') or not has(dst, 'group'): fail('has')",
		"    return [dst] if dst.group == 7 else [(dst, 1)]",
		"if cur.group != 4 and cur.group != 7: fail('group')",
		"return ports(cur)"), "\n", 2)[1], n)
	n = r.Network()
	middle := model.State{VC: n.VC(n.InjectChannel(1), 0), Dest: 2}
	if list := r.Next(middle, nil); len(list) != 4 {
		t.Errorf("%v; want two ports with two VCs each", list)
	}
	middle.Dest = 0
	if list := r.Next(middle, nil); len(list) != 1 {
		t.Errorf("%v; want one VC", list)
	}
	e, ok := r.(model.Escaper)
	if !ok {
		t.Fatal("no escape")
	}
	for v := range model.VCID(n.NumLinkVCs()) {
		if _, vc := n.Channel(v); e.EscapeVC(v) != (vc == 1) {
			t.Errorf("VC index %d: escape is %v", vc, e.EscapeVC(v))
		}
	}
}

// TestNetworkErrors: errors name the position, and the packet if there is one.
func TestNetworkErrors(t *testing.T) {
	n := attributed(t)
	for _, c := range []struct{ text, want string }{
		{anyBody("return [cur.group]"), "output 1 of route is 7; an output is a port or a neighbour"},
		{anyBody("return [ports(dst)[0]]"), "p.star: output 1 of route is port 2 of 0, but the packet is at 2"},
		{anyBody("return [switches()[2]]"), "which is no neighbour of"},
		{anyBody("return [(dst, 1)] if cur.id == 1 else ports(cur)"), "has VC 1, allowed are 0 to 0"},
		{anyBody("return [(ports(cur)[0], 0, 1)]"), "has header state 1, allowed are 0 to 0"},
		{anyBody("return [(ports(cur)[0], 0, 0, dst)]"), "route needs a fifth parameter"},
		{anyBody("if cur.id == 1 and cur.group: pass", "return ports(cur)"), "p.star:3:27: switch 1 has no attribute group"},
		{anyBody("return [cur.level]"), "p.star:3:16: switch has no .level field or method (a packet at"},
		{anyBody("return productive(cur, 3)"), "want a switch, got 3"},
		{anyBody("return [E]"), "output 1 of route is E"},
		{anyBody("return [plus(0)]"), "network() has no dimensions"},
		{anyBody("return has(cur, 3)"), "takes the name of an attribute; got 3"},
		{anyBody("return ports(cur).extend(ports(cur))"), "p.star:3:23: no attribute extend"},
		{"escape = [(E, 0)]\n" + anyBody("return ports(cur)"), "escape entry 1 is a tuple; want a VC"},
		{"family = network(3)\ndef route(cur, dst, inp):\n    return []\n", "p.star:1:17: network() has no sizes"},
		{"family = mesh(n)\ndef route(cur, dst, inp, state, via):\n    return []\n", "p.star:2:1: route has 5 parameters"},
		{"family = mesh(n)\ndef route(cur, dst, inp):\n    return [E] if cur.group else []\n", "p.star:3:23: no attribute group"},
		{"family = mesh(n)\ndef route(cur, dst, inp):\n    return ports(cur)\n", "undefined: ports"},
	} {
		p, err := program.Parse("p.star", c.text)
		if err == nil {
			_, _, err = p.Relation(t.Context(), n)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%v; want %s", c.text, err, c.want)
		}
	}
}

// TestNetworkTooLarge: a program whose header states carry a switch of a large network is refused, not run.
func TestNetworkTooLarge(t *testing.T) {
	n, err := topo.Parse("random:switches=8192,degree=4")
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Parse("p.star", valiant)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.Relation(t.Context(), n); err == nil || !strings.Contains(err.Error(), "header states are more than") {
		t.Errorf("error %v", err)
	}
}
