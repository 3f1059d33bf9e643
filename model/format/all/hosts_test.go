package all_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// readHosts reads a network with option --hosts. It returns the names of its hosts, each with its
// switch, and the premise.
func readHosts(t *testing.T, text, hosts string) (list []string, p model.Premise, err error) {
	t.Helper()
	src, err := textfile.New("net", strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	n, _, err := format.ReadNetworkFrom(src, format.Options{Hosts: hosts, Premise: func(q model.Premise) { p = q }})
	if err != nil {
		return nil, p, err
	}
	for h := range model.HostID(n.NumHosts()) {
		list = append(list, n.Host(h).Name+"@"+n.SwitchName(n.Host(h).Switch))
	}
	return list, p, nil
}

// TestHosts: each rule of hosts.go chooses the expected hosts.
func TestHosts(t *testing.T) {
	const clos = "leaf1 spine\nleaf2 spine\nsrv1 leaf1\nsrv2 leaf2\n"
	for _, c := range []struct{ text, hosts, want, premise string }{
		{clos, "", "[srv1@leaf1 srv2@leaf2]", "2 nodes with one cable and a name like srv1, assumed"},
		{clos, "srv1", "[srv1@leaf1]", "1 nodes that match srv1, --hosts"},
		{clos, "srv?,leaf9*", "", "no node matches --hosts leaf9*"},
		{clos, "at:leaf1,at:leaf2", "[h0@leaf1 h2@leaf2]", "one at each of 2 switches that match leaf1,at:leaf2, --hosts"},
		{clos, "leaf1,at:leaf2", "", "no node matches --hosts at:leaf2"},
		{clos, "at:leaf*", "[h0@leaf1 h2@leaf2]", "one at each of 2 switches that match leaf*, --hosts"},
		{clos, "at:*", "[h0@leaf1 h1@spine h2@leaf2 h3@srv1 h4@srv2]", "one at each of 5 switches"},
		{clos, "leaf*", "", "host leaf1 has a second cable"},
		{"a b\nb c\n", "", "[h0@a h1@b h2@c]", "one at each of 3 switches, since no node is called a host, assumed"},
		{"a b\nb c\n", "[ac]", "", "no node matches --hosts [ac]; the nodes are a, b, c"},
		{"node1 node2\nnode2 node3\n", "", "[h0@node1 h1@node2 h2@node3]", "one at each of 3"}, // some nodes named like servers have two cables
		{"node1 node2\n", "", "[h0@node1 h1@node2]", "one at each of 2"},
		{"Node-1 s\nNode-2 s\n", "", "[Node-1@s Node-2@s]", "2 nodes with one cable"},
		{"0 1\n1 2\n", "", "[h0@0 h1@1 h2@2]", "one at each of 3"},
		{"host x a\na b\n", "", "[x@a]", ""},
		{"host x a\na b\n", "a", "", "the file already says which nodes are hosts; remove --hosts a"},
		{"graph { gpu0 -- tor; gpu1 -- tor; tor -- core }", "", "[gpu0@tor gpu1@tor]", "2 nodes with one cable and a name like gpu0"},
		{`graph { "h1":"e0" -- s1:p1; h2 -- s1:p2; nic_1 -- s1 }`, "", "[h1@s1 h2@s1 nic_1@s1]", "3 nodes"},
		{"digraph { a -> b; b -> a; a -> h9; h9 -> a; }", "", "[h9@a]", "1 nodes"},
		{`<graphml><graph edgedefault="undirected"><node id="n0"/><node id="n1"/><edge source="n0" target="n1"/></graph></graphml>`, "n1",
			"[n1@n0]", "1 nodes that match n1"},
	} {
		list, p, err := readHosts(t, c.text, c.hosts)
		got := fmt.Sprintf("%s, %s", p.Value, p.Source)
		if err != nil {
			got = err.Error()
		}
		if (err != nil) != (c.want == "") || err == nil && fmt.Sprint(list) != c.want || !strings.Contains(got, c.premise) {
			t.Errorf("%q, --hosts %q: %v, %s; want %s, %s", c.text, c.hosts, list, got, c.want, c.premise)
		}
	}
}

// TestPortNames: names of ports are kept. Their numbers become port numbers if they differ.
func TestPortNames(t *testing.T) {
	ports := func(text string) (list []string) {
		src, err := textfile.New("net", strings.NewReader(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		n, _, err := format.ReadNetworkFrom(src, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for l := range model.LinkID(n.NumLinks()) {
			k := n.Link(l)
			list = append(list, fmt.Sprintf("%d=%s %d=%s", k.APort, n.PortLabel(k.A, k.APort), k.BPort, n.PortLabel(k.B, k.BPort)))
		}
		left, err := n.Without(nil, []model.SwitchID{model.SwitchID(n.NumSwitches() - 1)})
		if err != nil || left.NumLinks() > 0 && left.PortLabel(left.Link(0).A, left.Link(0).APort) != n.PortLabel(n.Link(0).A, n.Link(0).APort) {
			t.Errorf("%q: without the last switch: %v", text, err)
		}
		return list
	}
	for text, want := range map[string][]string{
		`graph { "leaf1":"swp3" -- "spine1":"swp10"; leaf1:swp1 -- spine2:swp1 }`: {"3=swp3 10=swp10", "1=swp1 1=swp1"},
		`graph { a:"eth1/1" -- b:"eth2/1"; a:"eth2/1" -- b:"Ethernet0" }`:         {"1=eth1/1 1=eth2/1", "2=eth2/1 0=Ethernet0"},
		`graph { a:n -- b:p4:sw; a:9 -- c:x }`:                                    {"1=1 4=p4", "9=9 1=x"},
		`graph { a:up -- b:down [a_port=7 b_port=8]; a -- b }`:                    {"7=up 8=down", "1=1 1=1"},
		`digraph { a:swp4 -> b:swp5; b -> a }`:                                    {"4=swp4 5=swp5"},
		`<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b" sourceport="ge-0/0/7" targetport="3"/></graph></graphml>`: {"7=ge-0/0/7 3=3"},
	} {
		if got := ports(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
