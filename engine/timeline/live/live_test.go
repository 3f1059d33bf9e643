package live

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// shown is a run that a view has drawn.
type shown struct {
	frames [][]string
	result *trial.Result
}

// show simulates with a view whose clock goes on by 10 ms at each look.
func show(t *testing.T, spec, routing string, s trial.Settings, o Options) (*shown, *View) {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, at := &shown{}, time.Unix(0, 0)
	o.Show = func(lines []string) { x.frames = append(x.frames, lines) }
	o.Now = func() time.Time { at = at.Add(10 * time.Millisecond); return at }
	o.Title = spec
	s.Engine.Loads = true
	v := New(n, o)
	s.Watchers = []trial.Watcher{v}
	if x.result, err = trial.Run(context.Background(), r, s); err != nil {
		t.Fatal(err)
	}
	v.End(x.result.Deadlock)
	return x, v
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestFrames: frames fit into every size, with and without colour, and colour changes nothing but
// escape sequences.
func TestFrames(t *testing.T) {
	for _, spec := range []string{"mesh:4x4 dor", "torus:5x4,vcs=2 dor", "torus:16x16,vcs=2 dor", "ring:6,vcs=2 dor", "fattree:k=4 updown", "hypercube:4 e-cube"} {
		name, routing, _ := strings.Cut(spec, " ")
		for _, size := range [][2]int{{80, 24}, {40, 12}, {200, 60}, {20, 5}, {1, 1}} {
			s := trial.Settings{Load: 0.2, Flits: 3, Clocks: 3000, Seed: 1}
			o := Options{Clocks: 3000, Load: 0.2, Size: func() (int, int) { return size[0], size[1] }}
			plain, _ := show(t, name, routing, s, o)
			o.Colour = true
			coloured, _ := show(t, name, routing, s, o)
			if len(plain.frames) < 2 || len(plain.frames) != len(coloured.frames) {
				t.Fatalf("%s: %d frames, with colour %d", name, len(plain.frames), len(coloured.frames))
			}
			for k, frame := range plain.frames {
				if len(frame) > size[1] {
					t.Errorf("%s: %d lines of %d", name, len(frame), size[1])
				}
				for i, line := range frame {
					if utf8.RuneCountInString(line) > size[0] || strings.Contains(line, "\x1b") {
						t.Errorf("%s: line %q in %d columns", name, line, size[0])
					}
					if got := escapes.ReplaceAllString(coloured.frames[k][i], ""); got != line {
						t.Errorf("%s: with colour %q, without %q", name, got, line)
					}
				}
			}
		}
	}
}

// TestNoChange: a view, at whatever speed, changes no result.
func TestNoChange(t *testing.T) {
	text := func(o Options) string {
		x, _ := show(t, "mesh:4x4", "dor", trial.Settings{Load: 0.3, Flits: 3, Clocks: 3000, Seed: 4}, o)
		x.result.Loads = nil
		return fmt.Sprintf("%+v", *x.result)
	}
	want := text(Options{Every: time.Hour})
	for _, every := range []time.Duration{1, 30 * time.Millisecond, time.Second} {
		if got := text(Options{Every: every}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestStop: Stop ends the run, which keeps its results so far.
func TestStop(t *testing.T) {
	looks := 0
	x, _ := show(t, "mesh:4x4", "dor", trial.Settings{Load: 0.3, Flits: 3, Clocks: 1 << 30, Warmup: 10, Seed: 4}, Options{Stop: func() bool { looks++; return looks == 5 }})
	if r := x.result; !r.Stopped || r.Clocks < 100 || r.Clocks > 100_000 || r.Delivered == 0 {
		t.Errorf("%+v", r)
	}
}

// TestMap: in a 3x2 mesh with one packet stream, the map shows the only loaded channel in its place.
func TestMap(t *testing.T) {
	n, err := topo.Parse("torus:4x3")
	if err != nil {
		t.Fatal(err)
	}
	v := New(n, Options{ASCII: true, Show: func([]string) {}})
	for c := range model.ChannelID(n.NumLinkChannels()) {
		v.frame.load = make([]float64, n.NumLinkChannels())
		v.frame.load[c] = 1
		lines := v.links(n.Grid(), 4, 3)
		if len(lines) != 6 || strings.Count(strings.Join(lines, ""), "#") != 1 {
			t.Fatalf("channel %d: %q", c, lines)
		}
		var row, column int
		for y, line := range lines {
			if x := strings.IndexByte(line, '#'); x >= 0 {
				row, column = y, x
			}
		}
		g := n.Grid()
		from, to := g.Coords(n.Tail(c), nil), g.Coords(n.Head(c), nil)
		step := func(d, side int) int { return (to[d] - from[d] + side) % side }
		var wantRow, wantColumn int
		switch {
		case step(0, 4) == 1: // to the right of its switch
			wantRow, wantColumn = 2*(2-from[1]), 3*from[0]+1
		case step(0, 4) == 3: // left of its switch, which is right of the next one
			wantRow, wantColumn = 2*(2-from[1]), 3*to[0]+2
		case step(1, 3) == 2: // down
			wantRow, wantColumn = 2*(2-from[1])+1, 3*from[0]
		default:
			wantRow, wantColumn = 2*(2-to[1])+1, 3*from[0]+1
		}
		if row != wantRow || column != wantColumn {
			t.Errorf("from %v to %v: row %d column %d, want %d and %d", from, to, row, column, wantRow, wantColumn)
		}
	}
}

// TestFrozen: the last frame of a deadlock marks as many channels as frozen packets hold.
func TestFrozen(t *testing.T) {
	x, v := show(t, "torus:4x4", "minimal", trial.Settings{Load: 0.9, Flits: 8, Clocks: 20_000, Seed: 5}, Options{ASCII: true})
	d := x.result.Deadlock
	if d == nil {
		t.Fatal("no deadlock")
	}
	held := map[model.ChannelID]bool{}
	for _, p := range d.Packets {
		for _, on := range p.On {
			if c, _ := v.n.Channel(on); v.n.IsLinkVC(on) {
				held[c] = true
			}
		}
	}
	last := x.frames[len(x.frames)-1]
	text := strings.Join(last[4:12], "\n")
	if got := strings.Count(text, "X"); got != len(held) {
		t.Errorf("%d marks, %d channels are held:\n%s", got, len(held), text)
	}
	if !strings.HasPrefix(last[len(last)-1], fmt.Sprintf("X DEADLOCK: closed in clock %s", "")) {
		t.Errorf("%q", last[len(last)-1])
	}
}

// TestFigures: the figures of a frame are those of its clocks.
func TestFigures(t *testing.T) {
	n, err := topo.Parse("mesh:2x2")
	if err != nil {
		t.Fatal(err)
	}
	v := New(n, Options{Title: "t", Clocks: 1000, Load: 0.5, ASCII: true, Show: func([]string) {}})
	v.frame = frame{from: 100, to: 300, counts: counts{packets: 4, flits: 40, latency: 100}, delivered: 9, buffered: 3, inNetwork: 2, oldest: 70, speed: 12345}
	got := strings.Join(v.figures(), "\n")
	for _, want := range []string{"clock 300 of 1,000  ######.............. 30 %", "12.3 k flit hops", "load 0.5000", "accepted 0.0500", "latency 25.0 clocks",
		"2 packets, 3 flits in buffers, oldest 70 clocks; 9 delivered"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if got, want := v.Line(), "clock 300 of 1,000: accepted 0.0500, latency 25.0, 2 packets in the network, the oldest 70 clocks old, busiest channel 0 %"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for load, want := range map[float64]int{0: 0, 0.01: 1, 0.25: 1, 0.26: 2, 0.5: 2, 0.75: 3, 0.76: 4, 1: 4, 1.2: 4} {
		if got := level(load); got != want {
			t.Errorf("load %g: level %d, want %d", load, got, want)
		}
	}
}
