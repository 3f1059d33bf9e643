package all_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// reread writes a network and reads it again. The reader must recognise the format.
func reread(t rapid.TB, n *model.Network, name string) (again *model.Network, text string) {
	var b bytes.Buffer
	if err := format.WriteNetwork(&b, n, name); err != nil {
		t.Fatal(err)
	}
	head := b.Bytes()[:min(b.Len(), 4096)]
	for _, f := range format.NetworkFormats() {
		if f.Is(head) {
			if f.Name != name {
				t.Fatalf("%s is taken for %s:\n%s", name, f.Name, b.String())
			}
			break
		}
	}
	again, _, err := formattest.ParseNetwork(b.String())
	if err != nil {
		t.Fatalf("%s: what was written is refused: %v\n%s", name, err, b.String())
	}
	for _, err := range again.Check() {
		t.Fatal(err)
	}
	return again, b.String()
}

// plain returns the part of a network that DOT and GraphML keep: without addresses and management
// endpoints.
func plain(t rapid.TB, n *model.Network) *model.Network {
	return formattest.Rebuilt(t, n, func(_ *model.Builder, s *model.Switch, h *model.Host, _ *model.Link) bool {
		if s != nil {
			*s = model.Switch{Name: s.Name, Ports: s.Ports}
		}
		if h != nil {
			*h = model.Host{Name: h.Name, Switch: h.Switch, Port: h.Port, Management: h.Management}
			return !h.Management
		}
		return true
	})
}

var anyName = rapid.OneOf(
	rapid.SampledFrom([]string{"", "0", "1", "01", "a", "host", "hosts", "switch", "vcs", "h0", "S0", "node", `a"b`, `a\`, `\"`, "a b",
		"&amp;", "#x", "x#", "{", "<a>", "é", "\u0085", "\u2028", "\ufeff", "~", "null", "- a", "a: b", "\x00", "\xff", "true", "1e3", "0x1", "\t", "\r\n", "\x7f", "s1", "hh1"}),
	rapid.String(),
)

// dressed draws a network with random names, VCs and attributes.
func dressed(t *rapid.T, name *rapid.Generator[string]) *model.Network {
	n := modeltest.Network(t, 6).WithVCs(rapid.IntRange(1, 4).Draw(t, "vcs"))
	style := rapid.IntRange(0, 3).Draw(t, "style")
	return formattest.Rebuilt(t, n, func(_ *model.Builder, s *model.Switch, h *model.Host, _ *model.Link) bool {
		switch {
		case s != nil && style == 0:
			s.Name = name.Draw(t, "switch")
			s.Ports = rapid.SampledFrom([]int{0, 40, 100}).Draw(t, "ports")
		case s != nil && style == 1:
			s.Name = ""
		case h != nil && style == 0 && !h.Management:
			h.Name = name.Draw(t, "host")
			h.LID = 0
			h.LMC = uint8(rapid.IntRange(0, 7).Draw(t, "lmc"))
			h.NodePort = rapid.IntRange(0, 2).Draw(t, "node port")
			h.PortGUID = rapid.Uint64().Draw(t, "guid")
		case h != nil && style == 2 && !h.Management:
			return rapid.Bool().Draw(t, "host is there")
		case h != nil && style == 3:
			return false
		}
		return true
	})
}

func same(t rapid.TB, want, got *model.Network, text string) {
	if err := modeltest.Different(want, got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	g, h := want.Grid(), got.Grid()
	if g != nil && !slices.Equal(g.Place, h.Place) {
		t.Fatalf("places %v, want %v", h.Place, g.Place)
	}
	if a, b := want.OwnAttributes(), got.OwnAttributes(); !maps.EqualFunc(a, b, slices.Equal) {
		t.Fatalf("attributes %v, want %v", b, a)
	}
}

// TestAttributesRoundTrip: JSON and YAML keep attributes. A switch can be without one.
func TestAttributesRoundTrip(t *testing.T) {
	b := model.NewBuilder()
	var list [2][]int32
	for u := range 3000 {
		b.AddSwitch(model.Switch{})
		list[0], list[1] = append(list[0], int32(u/7)), append(list[1], int32(-u))
	}
	list[1][5], list[1][2999] = model.NoAttribute, model.NoAttribute
	b.SetAttribute("group", list[0])
	b.SetAttribute("l_2", list[1])
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"json", "yaml"} {
		again, text := reread(t, n, name)
		same(t, n, again, text[:200])
	}
	left, err := n.Without(nil, []model.SwitchID{0, 4})
	if err != nil {
		t.Fatal(err)
	}
	if a := left.Attribute("l_2"); len(a) != 2998 || a[0] != -1 || a[3] != model.NoAttribute || a[4] != -6 {
		t.Errorf("after removals %v", a[:6])
	}
	for _, c := range []struct{ text, want string }{
		{`{"group": [1]}`, "net:3: attribute group has 1 values for 2 switches"},
		{`{"Group": [1, 2]}`, `net:3: attribute "Group"`},
		{`{"name": [1, 2]}`, `net:3: attribute "name"`},
		{`{"group": [1, "a"]}`, "net:3: attributes: "},
		{`{"group": [1, 3000000000]}`, "net:3: attributes: "},
		{`[1]`, "net:3: attributes: "},
	} {
		text := "{\n\"schema\": \"turnproof.network/1\",\n\"attributes\": " + c.text + ",\n\"switches\": [{}, {}], \"links\": [{\"a\": 0, \"b\": 1}]}\n"
		_, _, err := formattest.ParseNetwork(text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %s", c.text, err, c.want)
		}
	}
}

// TestNativeRoundTrip: JSON and YAML keep everything.
func TestNativeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := dressed(t, anyName)
		for _, name := range []string{"json", "yaml"} {
			again, text := reread(t, n, name)
			same(t, n, again, text)
		}
	})
	b := model.NewBuilder()
	for range 40 {
		b.AddSwitch(model.Switch{})
	}
	place := make([]int, 40)
	for u := range place {
		place[u] = 3 * u
	}
	b.SetGrid(&model.Grid{Sides: []int{60, 2}, Wrap: []bool{true, false}, Place: place})
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"json", "yaml"} {
		again, text := reread(t, n, name)
		same(t, n, again, text)
	}
}

// TestGraphRoundTrip: DOT and GraphML keep everything except addresses, management endpoints and
// the grid.
func TestGraphRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := dressed(t, anyName)
		for _, name := range []string{"dot", "graphml"} {
			if name == "graphml" && format.WriteNetwork(&bytes.Buffer{}, n, name) != nil {
				continue // skip names with characters that XML does not allow
			}
			again, text := reread(t, n, name)
			same(t, plain(t, n), again, text)
		}
	})
}

// TestEdgesRoundTrip: edge lists keep the links between switches, in order, and the switches of
// hosts. They keep names that are single words. Switches whose names are numbers are in the order of the numbers.
func TestEdgesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := dressed(t, anyName)
		if numbered(n) {
			t.Skip("all names are numbers")
		}
		again, text := reread(t, n, "edges")
		if again.VCs() != n.VCs() || again.NumHosts() != n.NumHosts() || again.NumSwitches() != n.NumSwitches() || again.NumLinks() != n.NumLinks() {
			t.Fatalf("other counts\n%s", text)
		}
		for l := range model.LinkID(n.NumLinks()) {
			if a, b := n.Link(l), again.Link(l); min(a.A, a.B) != min(b.A, b.B) || max(a.A, a.B) != max(b.A, b.B) {
				t.Fatalf("link %d: %v, want %v\n%s", l, b, a, text)
			}
		}
		for h := range model.HostID(n.NumHosts()) {
			if n.Host(h).Switch != again.Host(h).Switch {
				t.Fatalf("host %d\n%s", h, text)
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 6) // has names S0, S1, ... and H0, H1, ...
		again, text := reread(t, n, "edges")
		for u := range model.SwitchID(n.NumSwitches()) {
			if n.Switch(u).Name != again.Switch(u).Name {
				t.Fatalf("switch %d: %q\n%s", u, again.Switch(u).Name, text)
			}
		}
		for h := range model.HostID(n.NumHosts()) {
			if n.Host(h).Name != again.Host(h).Name {
				t.Fatalf("host %d: %q\n%s", h, again.Host(h).Name, text)
			}
		}
	})
}

// numbered reports whether the name of each switch is a number.
func numbered(n *model.Network) bool {
	for u := range model.SwitchID(n.NumSwitches()) {
		if textfile.Decimal(n.Switch(u).Name) < 0 {
			return false
		}
	}
	return true
}

// joined lists the pairs of connected switches and the switches of hosts.
func joined(n *model.Network) string {
	var list []string
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		list = append(list, fmt.Sprint(min(k.A, k.B), "-", max(k.A, k.B)))
	}
	slices.Sort(list)
	for h := range model.HostID(n.NumHosts()) {
		list = append(list, fmt.Sprint("host at ", n.Host(h).Switch))
	}
	return fmt.Sprint(n.NumSwitches(), list)
}

// TestAnynetRoundTrip: anynet keeps the links between routers and the routers of nodes. Writing
// and reading again does not change the ports, which are BookSim's.
func TestAnynetRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 8)
		m := formattest.Simple(t, n)
		var c *format.CannotHold
		if err := format.WriteNetwork(&bytes.Buffer{}, n, "anynet"); (err != nil) != (m.NumLinks() < n.NumLinks()) || err != nil && !errors.As(err, &c) {
			t.Fatalf("parallel links: %v", err)
		}
		again, text := reread(t, m, "anynet")
		if joined(m) != joined(again) {
			t.Fatalf("%s, want %s\n%s", joined(again), joined(m), text)
		}
		third, _ := reread(t, again, "anynet")
		if joined(third) != joined(again) {
			t.Fatal("second time otherwise")
		}
	})
}

// TestSchema: the JSON written is valid according to docs/schema/network.json.
func TestSchema(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/schema/network.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("network.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("network.json")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := dressed(t, anyName)
		var b bytes.Buffer
		if err := format.WriteNetwork(&b, n, "json"); err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(&b)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Fatal(err)
		}
	})
}

// story is a network file and the network that it describes, in the words of function tell.
type story struct{ name, text, want string }

// tell describes a network in one line.
func tell(n *model.Network) string {
	var b strings.Builder
	for u := range model.SwitchID(n.NumSwitches()) {
		fmt.Fprintf(&b, "%s ", n.SwitchName(u))
	}
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		fmt.Fprintf(&b, "| %d:%d-%d:%d ", k.A, k.APort, k.B, k.BPort)
	}
	for h := range model.HostID(n.NumHosts()) {
		e := n.Host(h)
		fmt.Fprintf(&b, "| %s at %d:%d ", e.Name, e.Switch, e.Port)
	}
	fmt.Fprintf(&b, "| %d", n.VCs())
	return b.String()
}

func TestStories(t *testing.T) {
	for _, c := range []story{
		{"edges: numbers", "2 1\n0 2\n", "0 1 2 | 2:1-1:1 | 0:1-2:2 | h0 at 0:2 | h1 at 1:2 | h2 at 2:3 | 1"},
		{"edges: no last line end, DOS, comments", "# c\r\na b # d\r\nb\tc", "a b c | 0:1-1:1 | 1:2-2:1 | h0 at 0:2 | h1 at 1:3 | h2 at 2:2 | 1"},
		{"edges: weights", "10 20 0.5\n", "10 20 | 0:1-1:1 | h0 at 0:2 | h1 at 1:2 | 1"},
		{"edges: hosts", "a b\nhost x b\nvcs 2\nswitch c\n", "a b c | 0:1-1:1 | x at 1:2 | 2"},
		{"edges: none", "a b\nhosts none\n", "a b | 0:1-1:1 | 1"},
		{"edges: parallel", "a b\na b\nhosts none\n", "a b | 0:1-1:1 | 0:2-1:2 | 1"},
		{"edges: symmetric", "0 1\n1 0\n1 2\n2 1\nhosts none\n", "0 1 2 | 0:1-1:1 | 1:2-2:1 | 1"},
		{"edges: mixed", "0 1\n1 0\n1 2\nhosts none\n", "0 1 2 | 0:1-1:1 | 1:2-0:2 | 1:3-2:1 | 1"},
		{"anynet: BookSim's example", "router 0 node 0 node 1 node 2 router 1\nrouter 1 node 3 node 4 node 5\nrouter 2 node 6 node 7 node 8 router 1 router 0\n",
			"0 1 2 | 0:4-1:4 | 2:5-1:5 | 2:4-0:5 | h0 at 0:1 | h1 at 0:2 | h2 at 0:3 | h3 at 1:1 | h4 at 1:2 | h5 at 1:3 | h6 at 2:1 | h7 at 2:2 | h8 at 2:3 | 1"},
		{"anynet: latencies, repeats, heads of nodes", "router 0 router 1 15 node 0 3\nrouter 1 router 0\nnode 1 router 1",
			"0 1 | 0:2-1:2 | h0 at 0:1 | h1 at 1:1 | 1"},
		{"json: least", `{"schema": "turnproof.network/1", "switches": [{"name": "a"}, {}], "links": [{"a": "a", "b": 1}, {"a": 1, "b": 0, "b_port": 1}]}` + "\n\n", "a 1 | 0:2-1:1 | 1:2-0:1 | h0 at 0:3 | h1 at 1:3 | 1"},
		{"json: no hosts", `{"schema": "turnproof.network/1", "vcs": 3, "switches": [{}], "hosts": []}`, "0 | 3"},
		{"json: links first", `{"links": [{"a": "b", "b": "a"}], "hosts": [], "switches": [{"name": "a"}, {"name": "b"}], "schema": "turnproof.network/1"}`, "a b | 1:1-0:1 | 1"},
		{"yaml: block", "---\n# c\nschema: turnproof.network/1\nswitches:\n# c\n- name: a\n\n  guid: \"0x7\"\n- name: 'b c'\n  # d\n-\n  name: d\nlinks:\n  - a: a\n    b: b c # e\n  - {a: 0, b: 2,\n     b_port: 4}\nhosts: []\n...\n", "a(0x0000000000000007) b c d | 0:1-1:1 | 0:2-2:4 | 1"},
		{"yaml: flow", "switches: [{name: a},\n  {name: b}\n]\nlinks: [{a: a, b: 1}]\nschema: \"turnproof.network/1\"\nvcs: 2\nhosts: [{switch: b, name: \"x\\ty\"}]\n", "a b | 0:1-1:1 | x\ty at 1:2 | 2"},
		{"yaml: grid", "schema: turnproof.network/1\ngrid:\n  sides: [2]\n  wrap: [false]\nswitches: [{}, {}]\nhosts: []\n", "(0) (1) | 1"},
		{"dot", "/* c */ strict graph \"x y\" { node [shape=box]; a -- b -- c [label=<<b>x</b>>]; b -- a; d [shape=plaintext]\n#line\n d -- # as in Graphviz\n a:p:n; subgraph cluster_1 { e; {f g} -- c }; \"q\" + \"r\"; vcs=2 }",
			"a b c e f g qr | 0:1-1:1 | 1:2-2:1 | 4:1-2:2 | 5:1-2:3 | d at 0:2 | 2"},
		{"dot: numbers", "graph{1--0;2--1[b_port=7]}", "0 1 2 | 1:1-0:1 | 2:1-1:7 | h0 at 0:2 | h1 at 1:2 | h2 at 2:2 | 1"},
		{"dot: digraph", "digraph { hosts=none a -> b b -> a a -> c [dir=none] c -> b [a_port=3 b_port=4] b -> c [a_port=4 b_port=3] }",
			"a b c | 0:1-1:1 | 0:2-2:1 | 2:3-1:4 | 1"},
		{"dot: kinds", "Graph { node [kind=host] h; node [kind=switch ports=9] s; h -- s [b_port=9] }", "s | h at 0:9 | 1"},
		{"graphml: networkx", "<?xml version='1.0' encoding='utf-8'?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><key id=\"d0\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/><key id=\"d1\" for=\"edge\" attr.name=\"kind\"/>\n<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/><node id=\"h\"><data key=\"d0\">host</data></node><edge source=\"a\" target=\"b\"><data key=\"d1\">fibre</data></edge><edge source=\"h\" target=\"b\"/></graph></graphml>",
			"a b | 0:1-1:1 | h at 1:2 | 1"},
		{"graphml: Topology Zoo", "<g:graphml xmlns:g=\"x\"><g:key attr.name=\"label\" attr.type=\"string\" for=\"node\" id=\"d33\"/><g:graph edgedefault=\"undirected\"><g:node id=\"0\"><g:data key=\"d33\">New York</g:data></g:node><g:node id=\"1\"><g:data key=\"d33\">Chicago</g:data></g:node><g:edge id=\"e0\" source=\"0\" target=\"1\"/><g:edge id=\"e1\" source=\"0\" target=\"1\"/></g:graph></g:graphml>",
			"New York Chicago | 0:1-1:1 | 0:2-1:2 | h0 at 0:3 | h1 at 1:3 | 1"},
		{"graphml: directed, ports", "<graphml><graph edgedefault=\"directed\"><edge source=\"1\" target=\"0\" sourceport=\"4\" targetport=\"p\"/><edge source=\"0\" target=\"1\" targetport=\"4\"/><node id=\"0\"/><node id=\"1\"/></graph></graphml>",
			"0 1 | 1:4-0:1 | h0 at 0:2 | h1 at 1:1 | 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, _, err := formattest.ParseNetwork(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := tell(n); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestNotes(t *testing.T) {
	for _, c := range [][2]string{
		{"0 1 5\n", "third column of 1 lines"},
		{"0 1\n1 0\n", "2 lines are read as 1 links"},
		{"0 1\n1 0\n1 2\n", "1 pairs of switches stand in both orders"},
		{"router 0 router 1 2\n", "latencies are for simulations"},
		{"node 0 router 1\nrouter 1 router 0\nnode 3 router 1\nnode 1 router 0\nnode 2 router 0\n", "net:3: a node at the head"},
		{`{"schema": "turnproof.network/1", "switches": [{}]}`, "so each switch has one"},
	} {
		_, notes, err := formattest.ParseNetwork(c[0])
		notes = slices.DeleteFunc(notes, func(s string) bool { return strings.Contains(s, "hosts: one at each of") })
		if err != nil || len(notes) != 1 || !strings.Contains(notes[0], c[1]) {
			t.Errorf("%q: notes %q, %v; want %q", c[0], notes, err, c[1])
		}
	}
}

func TestFormatsRefused(t *testing.T) {
	const (
		edges   = "a b\nb c\nhost h c\nvcs 2\n"
		anynet  = "router 0 node 0 router 1 5\nrouter 1 node 1 router 2\n"
		jsonNet = "{\"schema\": \"turnproof.network/1\",\n\"vcs\": 2,\n\"switches\": [{\"name\": \"a\", \"lid\": 3}, {\"name\": \"b\"}],\n\"hosts\": [{\"switch\": 0, \"lid\": 1}],\n\"links\": [\n{\"a\": \"a\", \"b\": 1, \"b_port\": 7}]}\n"
		yamlNet = "schema: turnproof.network/1\nvcs: 2\nswitches:\n  - {name: a, guid: \"0x1\"}\n  - name: b\n    ports: 7\nlinks:\n  - {a: 0, b: 1, b_port: 7}\n"
		dot     = "graph {\n  a -- b;\n  node [kind=host];\n  h;\n  b -- h [a_port=4];\n}\n"
		graphml = "<graphml>\n<key id=\"k\" for=\"node\" attr.name=\"kind\"/>\n<graph edgedefault=\"undirected\">\n<node id=\"a\"/><node id=\"b\"/>\n<node id=\"h\"><data key=\"k\">host</data></node>\n<edge source=\"a\" target=\"b\"/>\n<edge source=\"a\" target=\"h\" sourceport=\"4\"/>\n</graph></graphml>\n"
	)
	for _, f := range []struct {
		name, good string
		cases      []formattest.Refused
	}{
		{"edges", edges, []formattest.Refused{
			{"words", "vcs 2\n", strings.Repeat("a b\n", 2000) + "a b c d\n", `net:2004: want "A B"`},
			{"host twice", "vcs 2", "host h b", "net:4: host h has the name of something in line 3"},
			{"host as a switch", "vcs 2", "h b", "net:4: h is a host (line 3)"},
			{"hosts and none", "vcs 2", "hosts none", "1 hosts in a file that says that it has none"},
			{"vcs", "vcs 2", "vcs 0", "net:4: 0 virtual channels, allowed are 1 to 256"},
		}},
		{"anynet", anynet, []formattest.Refused{
			{"gap", "router 2", "router 3", "there are 3 routers but no router 2"},
			{"gap of nodes", "node 1", "node 2", "there are 2 nodes but no node 1"},
			{"two routers", "node 1", "node 0", "net:2: node 0 hangs on router 1 and on router 0"},
			{"self", "router 2", "router 1", "net:2: link 1-1 joins a router to itself"},
			{"half a pair", "router 2", "router", "net:2: router without a number"},
			{"word", "node 1", "switch 1", `net:2: want "router N" or "node N", got "switch"`},
			{"two latencies", "1 5", "1 5 6", `got "6"`},
			{"negative", "1 5", "1 -5", `got "-5"`},
			{"huge", "router 2", "router 99999999", "allowed are numbers from 0 to"},
			{"nodes", "router 1 node 1", "node 7 node 1", "net:2: node 7 cannot be joined with node 1"},
		}},
		{"json", jsonNet, []formattest.Refused{
			{"schema", "network/1", "check/1", `net:1: schema "turnproof.check/1", want turnproof.network/1`},
			{"no schema", "\"schema\": \"turnproof.network/1\",", "", "schema is missing"},
			{"key", "\"vcs\"", "\"vc\"", `net:2: unknown key "vc", known are schema, vcs`},
			{"twice", "\"vcs\": 2", "\"vcs\": 2, \"vcs\": 2", "net:2: vcs occurs twice"},
			{"twice within", "\"b_port\": 7", "\n\"b_port\": 7,\n\"b_port\": 7", `net:8: link: "b_port" occurs twice`},
			{"twice, escaped", "\"lid\": 3", "\"lid\": 3, \"l\\u0069d\": 4", `net:3: switch: "lid" occurs twice`},
			{"other letters", "\"lid\": 3", "\"LID\": 3", `net:3: switch: unknown field "LID", known are name`},
			{"vcs", "\"vcs\": 2", "\"vcs\": 1000", "net:2: vcs is 1000, allowed are 1 to 256"},
			{"vcs type", "\"vcs\": 2", "\"vcs\": \"2\"", "net:2: vcs: the value is a string, want a whole number"},
			{"field", "\"lid\": 3", "\"lidd\": 3", `net:3: switch: unknown field "lidd", known are name`},
			{"LID", "\"lid\": 3", "\"lid\": 65536", "net:3: switch: LID 65536"},
			{"no reference", "\"switch\": 0, ", "", "net:4: host: switch is missing"},
			{"negative reference", "\"switch\": 0", "\"switch\": -1", "net:4: host: switch -1, want its number or its name"},
			{"far", "\"b\": 1", "\"b\": 2", "net:6: no switch 2; want 0 to 1"},
			{"unknown name", "\"a\": \"a\"", "\"a\": \"c\"", `net:6: no switch is called "c"`},
			{"ambiguous", "\"name\": \"b\"", "\"name\": \"a\"", `net:6: several switches are called "a"`},
			{"self", "\"b\": 1", "\"b\": \"a\"", "net:6: link a-a joins a switch to itself"},
			{"port", "\"b_port\": 7", "\"b_port\": 70000", "net:6: link: port 70000"},
			{"port twice", "}]}\n", "}, {\"a\": 0, \"b\": 1, \"b_port\": 7}]}\n", "net:6: port 7 of switch b has two cables (the other in line 6)"},
			{"same LID", "\"lid\": 1}", "\"lid\": 1}, {\"switch\": 1, \"lid\": 1}", "LID 1 belongs to"},
			{"no switches", "[{\"name\": \"a\", \"lid\": 3}, {\"name\": \"b\"}]", "[]", "no switch in it"},
			{"no list", "[{\"switch\": 0, \"lid\": 1}]", "7", "hosts: want"},
			{"no object", "{\"switch\": 0, \"lid\": 1}", "7", "net:4: hosts: 7, want an object"},
			{"syntax", "\"lid\": 1}", "\"lid\": 1]", "net:4:"},
			{"more", "]}\n", "]}\n\n x", "net:8: 'x' follows the end"},
			{"no UTF-8", "\"a\", \"lid\"", "\"\xff\", \"lid\"", "is no UTF-8"},
			{"base64", "\"name\": \"b\"", "\"name_base64\": \"?\"", "name_base64"},
			{"nesting", "\"lid\": 3", "\"lid\": " + strings.Repeat("[", 20000), "exceeded max depth"},
			{"long", "\"lid\": 3", "\"lid\": \"" + strings.Repeat("x", 2*textfile.MaxToken), "more than 4194304 bytes"},
			{"cut off", "\"b_port\": 7}]}", "", "is it truncated"},
		}},
		{"yaml", yamlNet, []formattest.Refused{
			{"schema", "network/1", "network/2", `net:1: schema "turnproof.network/2"`},
			{"key", "vcs:", "vc:", `net:2: unknown key "vc"`},
			{"value", "vcs: 2", "vcs: two", "net:2: vcs: the value is a string"},
			{"GUID", "\"0x1\"", "1", "net:4: switch: GUID 1, want a string"},
			{"field", "ports: 7", "prots: 7", `net:5: switch: unknown field "prots"`},
			{"key twice", "ports: 7", "ports: 7\n    ports: 8", `net:7: switches: YAML: mapping key "ports" already defined`},
			{"self", "b: 1", "b: 0", "net:8: link a-a joins a switch to itself"},
			{"alias", "name: b", "name: &x b\n  - *x", "net:5:"},
			{"bomb", "name: b", "name: [&x [*x, *x], *x]", "net:5:"},
			{"tag", "name: b", "name: !!binary Yg==", "net:5:"},
			{"documents", "links:", "---\nlinks:", "net:7: a second document begins"},
			{"nesting", "name: b", "name: " + strings.Repeat("[", 60), "net:5: switches: values nest more than 50 deep"},
			{"dashes", "name: b", strings.Repeat("- ", 200) + "b", "net:5: switches: values nest more than 50 deep"},
			{"no list", "links:\n", "links: 7\nhosts:\n", "net:7: links: want a list"},
			{"no list 2", "links:\n", "links:\nhosts:\n", "net:7: links has no value"},
			{"syntax", "{name: a,", "{name: \"a,", "net:4: switches: YAML:"},
			{"UTF-8", "name: b", "name: \xff", "no UTF-8"},
			{"fraction", "ports: 7", "ports: 7.5", "net:5: switch: ports is the number 7.5, want a whole number"},
		}},
		{"dot", dot, []formattest.Refused{
			{"arrow", "a -- b", "a -> b", "net:2: want -- in a graph"},
			{"host, one way", dot, "digraph {\n a -> b\n h [kind=host]\n h -> a\n}", "net:4: the link of host h has one direction; a host needs both"},
			{"other ports", dot, "digraph {\n a -> b [a_port=1]\n b -> a [a_port=1]\n}", "net:2: edge from a to b has no reverse"},
			{"host without cable", "b -- h", "b -- a", "net:4: host h has no cable to a switch"},
			{"host with two", "h;", "h; h -- a", "net:5: host h has a second cable (the first is in line 4)"},
			{"two hosts", "h;", "g; g -- h;", "a cable joins two hosts"},
			{"kind", "h;", "h [kind=router];", `net:4: node h has kind "router", want host or switch`},
			{"port", "a_port=4", "a_port=70000", `net:5: port "70000", allowed are 0 to 65536`},
			{"port twice", "h;", "h; c [kind=switch]; b -- c [a_port=4];", "port 4 of switch b has two cables (the other in line 4)"},
			{"vcs", "graph {", "graph { vcs=900;", "900 virtual channels"},
			{"cut off", "}\n", "", "but the file ends: is it truncated?"},
			{"string", "h;", "\"h;", "the string that begins in line 4 does not end"},
			{"HTML", "h;", "<h;", "the HTML string that begins in line 4 does not end"},
			{"comment", "h;", "/*h;", "the comment that begins in line 4 does not end"},
			{"quotes", "a -- b", "3a -- b", `net:2: "3a" needs quotes`},
			{"character", "a -- b", "a -- !b", `net:2: '!' is no part of DOT`},
			{"second graph", "}\n", "} graph {}\n", "want the end of the file"},
			{"nesting", "h;", strings.Repeat("{", 200), "subgraphs nest more than 100 deep"},
			{"long word", "h;", strings.Repeat("h", textfile.MaxToken+1), "a word of more than 4194304 bytes"},
			{"empty", dot, "graph {}", "no switch in it"},
		}},
		{"graphml", graphml, []formattest.Refused{
			{"not declared", "target=\"b\"", "target=\"c\"", `net:6: node "c" is the end of an edge but is not in the file`},
			{"twice", "<node id=\"b\"/>", "<node id=\"a\"/>", `net:4: node "a" is declared twice (first in line 4)`},
			{"kind", ">host<", ">router<", `net:5: node "h" has kind "router"`},
			{"one way", "undirected", "directed", "net:7: the link of host h has one direction; a host needs both"},
			{"hyperedge", "<edge source=\"a\" target=\"b\"/>", "<hyperedge/>", "net:6: a hyperedge"},
			{"nested", "<node id=\"b\"/>", "<node id=\"b\"><graph/></node>", "net:4: a second or nested graph"},
			{"entities", "<graphml>", "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><graphml>", "net:1: the document declares entities of its own"},
			{"unknown entity", ">host<", ">&host;<", "net:5: XML syntax error"},
			{"nesting", "<node id=\"b\"/>", strings.Repeat("<a>", 100), "net:4: elements nest more than 64 deep"},
			{"long", ">host<", ">" + strings.Repeat("x", 2*textfile.MaxToken) + "<", "more than 4194304 bytes"},
			{"cut off", "</graph></graphml>\n", "", "net:8"},
			{"mismatch", "</graph></graphml>", "</graphml></graph>", "net:8: XML syntax error"},
			{"encoding", "<graphml>", "<?xml version=\"1.0\" encoding=\"latin1\"?><graphml>", `encoding "latin1", want UTF-8`},
			{"no id", "<node id=\"b\"/>", "<node/>", "net:4: a node without an id"},
			{"no graph", graphml, "<graphml></graphml>", "is it truncated"},
		}},
	} {
		t.Run(f.name, func(t *testing.T) {
			formattest.RunRefused(t, f.good, f.cases, func(s string) error {
				_, _, err := formattest.ParseNetwork(s)
				var e *textfile.Error
				if err != nil && !errors.As(err, &e) {
					t.Errorf("%v is no *Error", err)
				}
				return err
			})
		})
	}
}

// TestFormatsCutOff: in formats with an explicit end, a file that is truncated at any byte is
// rejected.
func TestFormatsCutOff(t *testing.T) {
	n, _ := formattest.Pair(t)
	for _, name := range []string{"json", "dot", "graphml"} {
		text := strings.TrimSpace(formattest.Written(t, n, name))
		for cut := range len(text) {
			_, _, err := formattest.ParseNetwork(text[:cut])
			var e *textfile.Error
			if !errors.As(err, &e) {
				t.Fatalf("%s cut off behind %q: %v", name, text[:cut], err)
			}
		}
	}
}

// TestWrongFile: the error for a file that is not a network says what the file is.
func TestWrongFile(t *testing.T) {
	if _, _, err := formattest.ParseNetwork("// c\ntopology = torus;\n"); err == nil || !strings.Contains(err.Error(), "looks like a BookSim configuration") {
		t.Error(err)
	}
	src, err := textfile.New("x.edges", strings.NewReader("a b\na, b, c, d\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := format.ReadNetworkFrom(src, format.Options{}); err == nil || !strings.Contains(err.Error(), "x.edges:2: want") {
		t.Error(err)
	}
}

// fuzzFormat fuzzes one reader. A network that is read must be valid. Written and read again, it
// must be the same, except for parts that the format cannot represent.
func fuzzFormat(f *testing.F, name string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	n, _ := formattest.Pair(f)
	f.Add([]byte(formattest.Written(f, n, name)))
	for _, k := range format.NetworkFormats() {
		if k.Name != name {
			continue
		}
		f.Fuzz(func(t *testing.T, text []byte) {
			k.Is(text[:min(len(text), 4096)])
			src, err := textfile.New("net", bytes.NewReader(text), nil)
			if err != nil {
				return
			}
			n, _, err := k.Read(src, format.Options{})
			if err != nil {
				var e *textfile.Error
				if !errors.As(err, &e) {
					t.Fatalf("%v is no *Error", err)
				}
				return
			}
			for _, err := range n.Check() {
				t.Error(err)
			}
			var b bytes.Buffer
			if err := k.Write(&b, n); err != nil {
				var c *format.CannotHold
				if !errors.As(err, &c) {
					t.Fatal(err)
				}
				return
			}
			text2 := b.String()
			src, err = textfile.New("net", &b, nil)
			if err != nil {
				t.Fatal(err)
			}
			again, _, err := k.Read(src, format.Options{})
			if err != nil {
				t.Fatalf("what was written is refused: %v\n%s", err, text2)
			}
			if name == "edges" || name == "anynet" || name == "constellation" {
				if joined(n) != joined(again) {
					t.Fatalf("%s, want %s\n%s", joined(again), joined(n), text2)
				}
				return
			}
			same(t, n, again, text2)
		})
	}
}

func FuzzEdges(f *testing.F) {
	fuzzFormat(f, "edges", "a b\nb c 1\nhost h c\nvcs 2\nswitch d\n", "0 1\n1 0\nhosts none")
}
func FuzzAnynet(f *testing.F) {
	fuzzFormat(f, "anynet", "router 0 node 0 router 1 5\nnode 1 router 1\n")
}
func FuzzJSON(f *testing.F) {
	fuzzFormat(f, "json", `{"schema":"turnproof.network/1","switches":[{"name":"a"},{}],"links":[{"a":"a","b":1}],"grid":{"sides":[2],"wrap":[true],"place":[0,1]}}`)
}
func FuzzYAML(f *testing.F) {
	fuzzFormat(f, "yaml", "schema: turnproof.network/1\nswitches:\n- name: a\n- {name: b}\n- name: |\n    c\nlinks: [{a: a, b: 1}]\nhosts:\n")
}
func FuzzDOT(f *testing.F) {
	fuzzFormat(f, "dot", "strict digraph x { node [kind=host]; a -> {b c} -> a [a_port=1, dir=both]; subgraph { \"q\" + \"r\" } vcs=2 /* c */ }")
}
func FuzzConstellation(f *testing.F) {
	fuzzFormat(f, "constellation", "0 1 e0\ni0 0\n1 0 2 e1\n\ni1 1\n2 0 e7\n")
}
func FuzzGraphML(f *testing.F) {
	fuzzFormat(f, "graphml", "<graphml><key id=\"k\" for=\"node\" attr.name=\"kind\"><default>host</default></key><graph edgedefault=\"directed\"><data key=\"v\">2</data><node id=\"a\"><data key=\"k\">switch</data></node><edge source=\"a\" target=\"a\"/></graph></graphml>")
}

// TestConstellation reads adjacency lists of Constellation.
func TestConstellation(t *testing.T) {
	good := "0 1 e0\ni0 0\n1 2 e1\ni1 1\n2 0 1 e2 e3\ni2 2\ni3 2\n"
	n, notes, err := formattest.ParseNetwork(good)
	if err != nil {
		t.Fatal(err)
	}
	if n.NumSwitches() != 3 || n.NumHosts() != 4 || n.NumLinks() != 3 || n.OneWayLinks() != 2 || n.Host(3).Name != "i3/e3" {
		t.Errorf("%d switches, %d hosts, %d links, %d of one direction, %s", n.NumSwitches(), n.NumHosts(), n.NumLinks(), n.OneWayLinks(), n.Host(3).Name)
	}
	for l := range model.LinkID(3) {
		k := n.Link(l)
		if both := k.A+k.B == 3; n.IsOneWay(l) == both || !both && (k.A+1)%3 != k.B {
			t.Errorf("link from %d to %d, one way: %v", k.A, k.B, n.IsOneWay(l))
		}
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "2 links of one direction") {
		t.Errorf("notes %q", notes)
	}
	_, notes, err = formattest.ParseNetwork("0 1 e0\n1 0 e1\ni0 0\ni1 0\n")
	if err != nil || !strings.Contains(strings.Join(notes, ""), "2 terminals without a partner at the router only send (i) or only receive (e)") {
		t.Errorf("%v, %q", err, notes)
	}
	formattest.RunRefused(t, good, []formattest.Refused{
		{"twice", "0 1 e0", "0 1 1 e0", "net:1: 0 to 1 for a second time; the first is in line 1"},
		{"terminal twice", "e2 e3", "e2 e2", "net:5: terminal e2 for a second time; the first is in line 5"},
		{"word", "0 1 e0", "0 1 x0 e0", "not recognised"},
	}, func(text string) error {
		_, _, err := formattest.ParseNetwork(text)
		return err
	})
	_, _, err = formattest.ParseNetwork("<graphml><graph edgedefault=\"directed\"><node id=\"2\"><graph id=\"2::\"/></node></graph></graphml>")
	if err == nil || !strings.Contains(err.Error(), "Constellation writes these to noc.adjlist") {
		t.Errorf("modules of rocket-chip: %v", err)
	}
}
