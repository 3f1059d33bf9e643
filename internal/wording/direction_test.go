package wording_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestDirection: a step along the direction leads from the tail to the head, also around a torus. The two channels of a link have
// opposite directions.
func TestDirection(t *testing.T) {
	opposite := map[string]string{"E": "W", "W": "E", "N": "S", "S": "N", "up": "down", "down": "up"}
	for _, spec := range []string{"ring:5", "line:4", "mesh:4x3", "mesh:4x3,holes=1.1", "torus:4x3", "torus:2x2", "mesh:3x2x4", "torus:3x3x3", "hypercube:3"} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		g := n.Grid()
		for c := range model.ChannelID(n.NumChannels()) {
			d := wording.Direction(n, c)
			if n.Kind(c) != model.SwitchToSwitch {
				if d != "" {
					t.Errorf("%s: a host's channel leads %s", spec, d)
				}
				continue
			}
			at := g.Coords(n.Tail(c), nil)
			k := strings.Index("E W N S up down", d) / 4
			if d == "up" || d == "down" {
				k = 2
			}
			step := 1
			if d == "W" || d == "S" || d == "down" {
				step = -1
			}
			at[k] = (at[k] + step + g.Sides[k]) % g.Sides[k]
			if d == "" || g.At(at) != n.Head(c) || wording.Direction(n, n.Reverse(c)) != opposite[d] {
				t.Errorf("%s: %s from %s leads to %s", spec, d, n.SwitchName(n.Tail(c)), n.SwitchName(n.Head(c)))
			}
			want := fmt.Sprintf("%s %s -> %s, VC 0", n.SwitchName(n.Tail(c)), d, n.SwitchName(n.Head(c)))
			if got := wording.Channel(n, n.VC(c, 0)); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	}
	for _, spec := range []string{"hypercube:4", "hyperx:3x3", "fattree:k=4", "dragonfly:a=2,h=1"} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		if d := wording.Direction(n, 0); d != "" || !strings.Contains(wording.Channel(n, 0), " port ") {
			t.Errorf("%s: %q, %s", spec, d, wording.Channel(n, 0))
		}
	}
}

// TestOtherPorts: on a grid from a file whose ports have another order, channels have their port numbers.
func TestOtherPorts(t *testing.T) {
	b := model.NewBuilder()
	for range 3 {
		b.AddSwitch(model.Switch{})
	}
	b.AddLink(0, 2, 1, 1) // W leads east
	b.AddLink(1, 2, 2, 7)
	b.SetGrid(&model.Grid{Sides: []int{3}, Wrap: []bool{false}})
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for c := range model.ChannelID(4) {
		if d := wording.Direction(n, c); d != "" {
			t.Errorf("channel %d has direction %s", c, d)
		}
	}
	if got := wording.Channel(n, 0); got != "(0) port 2 -> (1) port 1, VC 0" {
		t.Error(got)
	}
}
