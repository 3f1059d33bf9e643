package booksim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
)

// TestAgainstBookSim compares networks and routing functions with what BookSim 2 itself did: testdata/booksim2.txt has, by
// configuration, the numbers of its channels, nodes, dependencies and first hops, and a checksum of all of them. The file is written by
// .build/booksim-routes/run.sh, whose program routes.cpp describes the lines that are summed.
func TestAgainstBookSim(t *testing.T) {
	text, err := os.ReadFile("testdata/booksim2.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		configuration, want, _ := strings.Cut(strings.TrimSpace(line), " | ")
		keys := map[string]string{"use_noc_latency": "1", "c": "1", "x": "8", "y": "8", "xr": "1", "yr": "1"}
		for item := range strings.SplitSeq(configuration, "; ") {
			key, value, _ := strings.Cut(item, "=")
			keys[key] = value
		}
		number := func(key string) int {
			n, err := strconv.Atoi(keys[key])
			if err != nil {
				t.Fatal(configuration, err)
			}
			return n
		}
		topology, ok := Find(keys["topology"])
		if !ok {
			t.Fatal(configuration)
		}
		f, err := topology.Build(Shape{K: number("k"), N: number("n"), C: number("c"), X: number("x"), Y: number("y"), XR: number("xr"), YR: number("yr"),
			Distances: number("use_noc_latency") == 1})
		if err != nil {
			t.Error(configuration, err)
			continue
		}
		r, err := f.Routing(keys["routing_function"], number("num_vcs"))
		if err != nil {
			t.Error(configuration, err)
			continue
		}
		if have := summary(f, r.Relation); have != want {
			t.Errorf("%s: have %s, BookSim 2 has %s", configuration, have, want)
		}
		seen[keys["topology"]+" "+keys["routing_function"]] = true
	}
	for _, topology := range topologies {
		for _, name := range topology.Routings() {
			if !seen[topology.Name+" "+name] {
				t.Errorf("no configuration of topology %s with routing_function %s in testdata/configurations.txt", topology.Name, name)
			}
		}
	}
}

// summary returns the line of testdata/booksim2.txt after the configuration.
func summary(f *Fabric, r model.Relation) string {
	lines := slices.Concat(channelLines(f), hopLines(f, r))
	slices.Sort(lines)
	count := map[byte]int{}
	for _, l := range lines {
		count[l[0]]++
	}
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n") + "\n"))
	return fmt.Sprintf("%d %d %d %d %s", count['c'], count['n'], count['d'], count['s'], hex.EncodeToString(sum[:8]))
}

// outPort is BookSim's number of the port by which a channel leaves a router.
func outPort(f *Fabric, c model.ChannelID) int {
	p := int(f.Net.TailPort(c)) - 1
	if f.Topology == "fly" && p >= f.Shape.K {
		p -= f.Shape.K // outputs have numbers of their own
	}
	return p
}

// inPort is BookSim's number of the port by which a channel enters a router.
func inPort(f *Fabric, c model.ChannelID) int {
	n := f.Net
	if f.Topology != "flatfly" || n.Kind(c) != model.SwitchToSwitch {
		return int(n.HeadPort(c)) - 1
	}
	before := 0 // flatfly has inputs by the numbers of the routers that they come from
	for d := range model.ChannelID(n.NumLinkChannels()) {
		if n.Head(d) == n.Head(c) && n.Tail(d) < n.Tail(c) {
			before++
		}
	}
	return f.Shape.C + before
}

func channelLines(f *Fabric) (lines []string) {
	n := f.Net
	latency := func(c model.ChannelID) int {
		if a := n.ChannelAttributes(); a != nil {
			return max(1, int(a[c].Latency))
		}
		return 1
	}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		if f.Topology == "fly" && n.Head(c) < n.Tail(c) {
			continue // the direction that BookSim does not have
		}
		lines = append(lines, fmt.Sprintf("c %d %d %d %d %d", n.Tail(c), outPort(f, c), n.Head(c), inPort(f, c), latency(c)))
	}
	for node := range f.nodes {
		in, out := n.InjectChannel(model.HostID(node)), n.EjectChannel(model.HostID(node))
		if f.Split {
			out = n.EjectChannel(model.HostID(node + f.nodes))
		}
		lines = append(lines, fmt.Sprintf("n %d %d %d %d %d %d", node, n.Head(in), int(n.HeadPort(in))-1, outPort(f, out), latency(in), latency(out)))
	}
	return lines
}

// hopLines explores all states of all pairs.
func hopLines(f *Fabric, r model.Relation) (lines []string) {
	n := r.Network()
	known := map[string]bool{}
	for d := range model.DestID(r.Destinations()) {
		home := n.Host(r.DestinationHost(d)).Switch
		visited := map[model.State]bool{}
		var todo []model.State
		for h := range model.HostID(r.Sources()) {
			if n.Host(h).Switch == home {
				continue
			}
			for _, class := range r.Inject(h, d, nil) {
				todo = append(todo, model.InjectState(r, h, d, class))
			}
		}
		for len(todo) > 0 {
			s := todo[0]
			todo = todo[1:]
			c, vc := n.Channel(s.VC)
			for _, hop := range r.Next(s, nil) {
				out, outVC := n.Channel(hop.VC)
				line := fmt.Sprintf("d %d %d %d %d %d %d", d, n.Tail(c), outPort(f, c), vc, outPort(f, out), outVC)
				if n.Kind(c) != model.SwitchToSwitch {
					line = fmt.Sprintf("s %d %d %d %d", d, n.HostOf(c), outPort(f, out), outVC)
				}
				if !known[line] {
					known[line] = true
					lines = append(lines, line)
				}
				if next := (model.State{VC: hop.VC, Dest: d, Class: hop.Class}); n.Head(out) != home && !visited[next] {
					visited[next] = true
					todo = append(todo, next)
				}
			}
		}
	}
	return lines
}
