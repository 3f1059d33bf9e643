package energy

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestCounts: the counts follow from the packets that arrive. Under dimension order on a mesh, a
// flit from (x, y) to (x', y') passes |x-x'| + |y-y'| links and one switch more. In between,
// injected flits are in a buffer, on a channel, or ejected.
func TestCounts(t *testing.T) {
	n, err := topo.Parse("mesh:4x3,vcs=2")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := traffic.NewPattern("uniform", n, 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := traffic.NewCollective(n, p, traffic.CollectiveOptions{Packets: 20, Flits: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	flits, links := int64(0), int64(0)
	sim, err := engine.New(r, source, engine.Options{BufferFlits: 5, Loads: true}, func(d engine.Delivery) {
		away := func(a, b int) int64 { return int64(max(a-b, b-a)) }
		flits += 3
		links += 3 * (away(int(d.Source)%4, int(d.Dest)%4) + away(int(d.Source)/4, int(d.Dest)/4))
	})
	if err != nil {
		t.Fatal(err)
	}
	costs := &Costs{BufferWrite: 1, BufferRead: 10, Crossbar: 100, Link: 1000, Injection: 1e4, Ejection: 1e5, SwitchStatic: 7, BufferArea: 2, CrossbarArea: 3}
	for sim.Delivered() < 12*20 {
		if err := sim.Run(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		e := Of(sim, n, costs, sim.Now(), 1).Events
		if e[0].Count-e[1].Count != sim.Buffered() || e[1].Count != sim.FlitHops() || e[1].Count != e[3].Count+e[5].Count || e[4].Count+e[3].Count < e[0].Count {
			t.Fatalf("clock %d: %+v, %d in buffers, %d hops", sim.Now(), e, sim.Buffered(), sim.FlitHops())
		}
	}
	rep := Of(sim, n, costs, 100, 2)
	want := []int64{flits + links, flits + links, flits + links, links, flits, flits}
	total := 0.0
	for i, e := range rep.Events {
		if e.Count != want[i] || e.Name != kinds[i].Name {
			t.Errorf("%+v, want %d", e, want[i])
		}
		total += float64(want[i]) * []float64{1, 10, 100, 1000, 1e4, 1e5}[i]
	}
	static := 7 * 12 * 100.0 / 2
	// 34 link channels and 12 hosts have buffers, of 2 VCs with 5 flits. Ports with the host: 4
	// switches at corners have 3, 6 at sides 4, 2 in the middle 5.
	if area := 2.0*(34+12)*10 + 3*(4*9+6*16+2*25); rep.Static != static || rep.Total != total+static || rep.Area != area {
		t.Errorf("%+v, want static %v, total %v, area %v", rep, static, total+static, area)
	}
}

func TestParse(t *testing.T) {
	c, err := parse("x", strings.NewReader("# pJ\nlink 2.5 # between switches\n\nbuffer-area 3\n"))
	if err != nil || *c != (Costs{Link: 2.5, BufferArea: 3}) {
		t.Error(c, err)
	}
	for text, want := range map[string]string{
		"":               "x: no costs",
		"link\n":         "x:1: 1 columns; want NAME VALUE",
		"\nlinks 1\n":    `x:2: no cost "links" (did you mean link?)`,
		"link 1\nlink 2": "x:2: link is in line 1, too",
		"link -1":        `x:1: link is "-1"; want a number from 0 to 1e+12`,
		"link NaN":       `link is "NaN"`,
	} {
		if _, err := parse("x", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("link 2.5 # between\ncrossbar 3")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parse("x", strings.NewReader(text))
		if err != nil && !strings.HasPrefix(err.Error(), "x:") {
			t.Fatal(err)
		}
		for _, k := range kinds {
			if err == nil && !(*k.at(c) >= 0 && *k.at(c) <= most) {
				t.Fatalf("%s is %v", k.Name, *k.at(c))
			}
		}
	})
}
