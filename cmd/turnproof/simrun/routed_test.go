package simrun

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/synth/resolve"
)

// TestFitRouted takes the sizes that a file states, and names what it ignores.
func TestFitRouted(t *testing.T) {
	none := func(string) bool { return false }
	all := func(string) bool { return true }
	for _, c := range []struct {
		run            format.RoutedRun
		set            func(string) bool
		packet, buffer int
		atomic         bool
		warning        string
	}{
		{format.RoutedRun{Packet: 5, Buffer: 4, Atomic: true, Lengths: true, Ignored: []string{"width of GarnetIntLink"}}, none, 5, 4, true,
			"packets of 5 flits and the router of model booksim; these have no effect: width of GarnetIntLink"},
		{format.RoutedRun{Packet: 5, Buffer: 4, Atomic: true, Lengths: true}, all, 8, 9, false, "packets of 8 flits"},
		{format.RoutedRun{Packet: 257, Buffer: 4}, none, 8, 4, false, "these have no effect: packets of up to 257 flits"},
	} {
		s, in := &trial.Settings{Flits: 8}, &resolve.Subject{Fabric: resolve.Fabric{Name: "net", Routed: &c.run}}
		s.Engine.BufferFlits = 9
		FitRouted(s, in, c.set)
		if s.Flits != c.packet || s.Engine.BufferFlits != c.buffer || s.Engine.Atomic != c.atomic ||
			len(in.Warnings) != 1 || !strings.Contains(in.Warnings[0], c.warning) {
			t.Errorf("%+v: packets %d, buffers %d, atomic %v, warnings %q", c.run, s.Flits, s.Engine.BufferFlits, s.Engine.Atomic, in.Warnings)
		}
	}
}
