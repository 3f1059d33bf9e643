package booksim

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

func parseConfig(text string) (*Config, []string, error) {
	src, err := textfile.New("conf", strings.NewReader(text), nil)
	if err != nil {
		return nil, nil, err
	}
	b, notes, err := readConfig(src, format.Options{})
	if err == nil {
		err = b.Unrouted
	}
	return b, notes, err
}

// TestRoutings: for every routing function that BookSim 2 registers, the reader has a
// relation or a reason why there is none.
func TestRoutings(t *testing.T) {
	for _, r := range routingFunctions {
		if r.topology == "anynet" {
			continue
		}
		b, _, err := parseConfig(fmt.Sprintf("topology = %s; k = 4; n = 3; routing_function = %s; num_vcs = 6;", r.topology, r.name))
		switch {
		case r.set == nil && (err == nil || !strings.Contains(err.Error(), r.why)):
			t.Errorf("%s on %s: %v", r.name, r.topology, err)
		case r.set != nil && (err != nil || b.Relation == "" || b.Spec != r.topology+":4x4x4,vcs=6" || b.Why != r.why):
			t.Errorf("%s on %s: %+v, %v", r.name, r.topology, b, err)
		}
	}
	for text, want := range map[string]string{
		"topology=mesh;routing_function=xy_yx;num_vcs=4;":               "dor  false [[0 1] [1 0]]",
		"topology=mesh;routing_function=min_adapt;num_vcs=4;":           "dor  true []",
		"topology=torus;routing_function=dim_order;num_vcs=2;":          "dor-booksim entry false []",
		"routing_function=dim_order_bal;num_vcs=2;":                     "dor-booksim balanced false []",
		"topology=mesh;routing_function=dor;num_vcs=1;traffic=uniform;": "dor  false []",
	} {
		b, _, err := parseConfig(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := fmt.Sprint(b.Relation, " ", b.VCRule, " ", b.KeepFirst, " ", b.Layers); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestSyntax: comments, floating-point numbers, lists, and several assignments in a line
// are read.
func TestSyntax(t *testing.T) {
	const text = "// $Id$\n\n// Topology\ntopology = torus;\nk  = 4; n=2; k = 8;//last counts\nrouting_function\n = dim_order ;\n" +
		"injection_rate = 0.15; internal_speedup = 1.5e0; traffic = hotspot({{0,1},{1,2}}); injection_rate={0.1,0.2}; x = -1; stats_out = -; watch_file = /tmp/a//b;\n"
	b, notes, err := parseConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	if b.K != 8 || b.N != 2 || b.VCs != 16 || b.Spec != "torus:8x8,vcs=16" || len(notes) != 1 || !strings.Contains(notes[0], "default is 16") {
		t.Errorf("%+v, %q", b, notes)
	}
	if !looksLikeConfig([]byte(text)) || looksLikeConfig([]byte("graph { a = b; }")) || looksLikeConfig([]byte("a b\n")) {
		t.Error("not recognised")
	}
}

func TestRefused(t *testing.T) {
	formattest.RunRefused(t, "topology = mesh;\nk = 4;\nrouting_function = dor;\nnum_vcs = 2;\n", []formattest.Refused{
		{"routing of a tree", "mesh", "fattree", "conf:3: routing_function = dor is none that BookSim 2 has for topology fattree; known: nca, anca"},
		{"shape", "mesh", "flatfly; x = 4; y = 2", "conf:1: topology = flatfly: x = 4, y = 2: BookSim refuses different values"},
		{"border", "mesh;\nk = 4", "cmesh; c = 4; xr = 2; yr = 2;\nk = 3", "conf:1: topology = cmesh: with an odd k"},
		{"own VCs", "mesh;\nk = 4;\nrouting_function = dor", "dragonflynew;\nk = 1; n = 1;\nrouting_function = ugal", "ugal with num_vcs = 2: BookSim runs it with 3 only"},
		{"types of a dragonfly", "mesh;\nk = 4;\nrouting_function = dor;\nnum_vcs = 2",
			"dragonflynew;\nk = 1; n = 1;\nrouting_function = min;\nnum_vcs = 16; use_read_write = 1", "ignore the ranges of VCs"},
		{"no relation here", "mesh;\nk = 4;\nrouting_function = dor", "flatfly; x = 2; y = 2;\nk = 4; n = 1;\nrouting_function = ugal_pni",
			"each coordinate of the destination has VCs of its own"},
		{"no topology", "mesh", "ring", "conf:1: topology = ring is none of BookSim 2's"},
		{"routing", "dor", "odd_even", "conf:3: routing_function = odd_even is none that BookSim 2 has for topology mesh; known: dor, dim_order,"},
		{"no relation", "dor", "valiant", "conf:3: routing_function = valiant with topology mesh has no equal routing here: packets go by way of a random switch"},
		{"no routing", "routing_function = dor;", "", "no routing_function is given"},
		{"torus has no dor", "mesh", "torus", "conf:3: routing_function = dor is none that BookSim 2 has for topology torus; known: dim_order"},
		{"VCs", "= 2", "= 0", "conf:4: num_vcs = 0, allowed are 1 to 256"},
		{"odd", "routing_function = dor;\nnum_vcs = 2", "routing_function = xy_yx;\nnum_vcs = 3", "conf:4: xy_yx with num_vcs = 3"},
		{"one VC", "mesh;\nk = 4;\nrouting_function = dor;\nnum_vcs = 2", "torus;\nk = 4;\nrouting_function = dim_order;\nnum_vcs = 1",
			"conf:4: dim_order on a torus with num_vcs = 1: BookSim needs 2"},
		{"min_adapt", "dor;\nnum_vcs = 2", "min_adapt;\nnum_vcs = 1", "it needs 2"},
		{"misspelt", "num_vcs", "num_vc", `conf:4: unknown key "num_vc", did you mean num_vcs?`},
		{"exchanged", "topology", "topoolgy", "did you mean topology?"},
		{"number", "k = 4", "k = four", "conf:2: k = four: want a whole number"},
		{"float", "k = 4", "k = 4.5", "conf:2: k = 4.5: want a whole number"},
		{"word", "dor", "7", "conf:3: routing_function = 7: want a word"},
		{"semicolon", "k = 4;", "k = 4", `conf:3: want ; behind the value of k, got "routing_function"`},
		{"equals", "k = 4;", "k 4;", `conf:2: want = behind k, got "4"`},
		{"quotes", "mesh", "\"mesh\"", "is no part of a BookSim configuration"},
		{"cut off", "2;\n", "", "but the file ends: is it truncated?"},
		{"faults", "num_vcs", "link_failures = 1; num_vcs", "conf:4: link_failures = 1 is not read"},
		{"types", "num_vcs = 2", "num_vcs = 2; use_read_write = 1", "read_request_end_vc = 5"},
		{"anynet", "mesh;\nk = 4;\nrouting_function = dor", "anynet; routing_function = min", "topology = anynet needs a network_file"},
		{"no file", "mesh;\nk = 4;\nrouting_function = dor", "anynet; routing_function = min; network_file = /none/there", "/none/there: no such file"},
		{"empty", "topology = mesh;\nk = 4;\nrouting_function = dor;\nnum_vcs = 2;\n", "// c\n", "no KEY = VALUE; in it"},
		{"long", "k = 4", strings.Repeat(" ", maxConfig), "more than 1048576 bytes"},
	}, func(s string) error {
		_, _, err := parseConfig(s)
		return err
	})
}

// TestAnynet: the network file is found in the folder of the configuration, the SHA-256 of
// both files is reported, and the result has the routing table.
func TestAnynet(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "anynet_config")
	if err := errors.Join(
		os.WriteFile(path, []byte("topology = anynet;\nrouting_function = min;\nnetwork_file = anynet_file;\nnum_vcs = 4;\n"), 0o644),
		os.WriteFile(filepath.Join(dir, "anynet_file"), []byte("router 0 node 0 router 1 5 router 2\nrouter 1 node 1\nrouter 2 node 2 router 1\n"), 0o644),
	); err != nil {
		t.Fatal(err)
	}
	var sums []string
	b, notes, err := Read(path, format.Options{Sums: func(path, _ string) { sums = append(sums, filepath.Base(path)) }})
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	if !IsConfig(path) || IsConfig(filepath.Join(dir, "anynet_file")) {
		t.Error("not recognised")
	}
	if fmt.Sprint(sums) != "[anynet_config anynet_file]" {
		t.Errorf("summed %v", sums)
	}
	// The direct path from 0 to 1 takes five clocks, the path through 2 takes two. From 1 to 0 the
	// direct path takes one.
	if p, _ := b.Table.Port(0, 1); p != 3 || b.Network.Head(b.Network.OutAt(0, p)) != 2 {
		t.Errorf("0 to 1 by port %d", p)
	}
	if p, _ := b.Table.Port(1, 0); b.Network.Head(b.Network.OutAt(1, p)) != 0 {
		t.Errorf("1 to 0 by port %d", p)
	}
}

// routeOf is a literal translation of AnyNet::route of BookSim 2, networks/anynet.cpp, except
// for ports: next[i] is the router to which r sends packets for router i.
func routeOf(a *anynet, size, r int) []int {
	const max = 1 << 60
	dist, prev, left := make([]int, size), make([]int, size), make([]bool, size)
	for i := range size {
		dist[i], prev[i], left[i] = max, -1, true
	}
	dist[r] = 0
	for {
		least, cand := max, -1
		for i := range size {
			if left[i] && dist[i] < least {
				least, cand = dist[i], i
			}
		}
		if cand < 0 {
			break // BookSim does not terminate if a router cannot be reached
		}
		left[cand] = false
		for i := range size {
			if l, ok := a.latency[[2]int{cand, i}]; ok && dist[cand]+l < dist[i] {
				dist[i], prev[i] = dist[cand]+l, cand
			}
		}
	}
	next := make([]int, size)
	for i := range size {
		next[i] = -1
		for at := i; prev[at] >= 0; at = prev[at] {
			next[i] = at
		}
	}
	return next
}

// TestAnynetTable compares our table with BookSim's algorithm.
func TestAnynetTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := formattest.Simple(t, modeltest.Network(t, 12))
		var text bytes.Buffer
		for u := range model.SwitchID(n.NumSwitches()) {
			fmt.Fprintf(&text, "router %d", u)
			for h := range model.HostID(n.NumHosts()) {
				if n.Host(h).Switch == u {
					fmt.Fprintf(&text, " node %d", h)
				}
			}
			for _, c := range n.Out(u) {
				if n.Kind(c) == model.SwitchToSwitch {
					fmt.Fprintf(&text, " router %d %d", n.Head(c), rapid.IntRange(0, 3).Draw(t, "latency"))
				}
			}
			fmt.Fprintln(&text)
		}
		src, err := textfile.New("net", bytes.NewReader(text.Bytes()), nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := parseAnynet(src)
		if err != nil {
			t.Fatal(err)
		}
		net, err := a.network()
		if err != nil {
			t.Fatal(err)
		}
		tab, err := a.table(net)
		if err != nil {
			t.Fatal(err)
		}
		for u := range net.NumSwitches() {
			next := routeOf(a, net.NumSwitches(), u)
			for h := range model.HostID(net.NumHosts()) {
				got := -1
				p, ok := tab.Port(model.SwitchID(u), model.DestID(h))
				if c := net.OutAt(model.SwitchID(u), p); ok && net.Kind(c) == model.SwitchToSwitch {
					got = int(net.Head(c))
				}
				if got != next[net.Host(h).Switch] {
					t.Fatalf("router %d to node %d: router %d, want %d\n%s", u, h, got, next[net.Host(h).Switch], text.String())
				}
			}
		}
	})
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte("// c\ntopology = torus; k = 8; n = 2;\nrouting_function = dim_order; num_vcs = 2; x = -1.5e3; t = {a,b};\n"))
	f.Add([]byte("topology = mesh; routing_function = xy_yx; num_vcs = 4;"))
	f.Fuzz(func(t *testing.T, text []byte) {
		looksLikeConfig(text)
		if bytes.Contains(text, []byte("network_file")) {
			return // an anynet configuration could name any file of this machine
		}
		b, _, err := parseConfig(string(text))
		var e *textfile.Error
		switch {
		case err != nil && !errors.As(err, &e):
			t.Fatalf("%v is no *Error", err)
		case err == nil && (b.Spec == "" || b.Relation == ""):
			t.Fatalf("%+v", b)
		}
	})
}
