package simrun

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/lists"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file sets latency, width and buffer of each channel: those of the network, then flags that are set, then the file of --links.

// linksFlag returns the flag --links.
func linksFlag() cli.Flag {
	return &cli.Input{StringFlag: cli.StringFlag{Name: "links", Category: cli.CategoryRouter,
		Usage: "set channels by `FILE`: CSV with columns from, to, and latency, flit_clocks or buffer"}}
}

// FitLinks sets the attributes of the channels. set reports whether a flag is set. file is that of --links, or "".
func FitLinks(s *trial.Settings, in *resolve.Subject, set func(flag string) bool, file string) error {
	n := in.Rel.Network()
	list := s.Engine.Channels
	if list == nil {
		list = n.ChannelAttributes()
	}
	list = slices.Clone(list)
	for c := range list {
		if kind := n.Kind(model.ChannelID(c)); kind == model.SwitchToSwitch && set("link-delay") {
			list[c].Latency = 0
		}
		if set("buffer") {
			list[c].Buffer = 0
		}
		if set("link-clocks") || set("eject-clocks") && n.Kind(model.ChannelID(c)) == model.Eject {
			list[c].FlitClocks = 0
		}
	}
	if file != "" {
		var err error
		if list, err = lists.ReadLinks(file, n, list, format.Options{}); err != nil {
			return err
		}
		in.SumFile(file)
	}
	s.Engine.Channels = list
	return nil
}

// LongestTrip returns the longest round trip of credits in a run whose channels or clocks differ, otherwise nil.
func LongestTrip(in *resolve.Subject, s *trial.Settings) (*engine.RoundTrip, error) {
	if !s.Engine.Uneven(in.Rel.Network()) {
		return nil, nil
	}
	o := s.Engine
	o.MaxFlits = s.Longest()
	trip, err := engine.RoundTripOf(in.Rel, o)
	if err != nil || trip.Channel == model.NoChannel {
		return nil, err
	}
	return &trip, nil
}

// WarnShort prints a warning if buffers are too small for a round trip of credits on their channels.
func WarnShort(c *cli.Context, in *resolve.Subject, s *trial.Settings) error {
	trip, err := LongestTrip(in, s)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	if trip == nil || len(trip.Short) == 0 {
		return nil
	}
	more := ""
	if k := len(trip.Short); k > 1 {
		more = fmt.Sprintf(" and of %s", wording.Count(k-1, "other channel", "s"))
	}
	text := fmt.Sprintf("the buffers of the channel %s%s are smaller than a round trip of credits: a VC that is alone on the channel has pauses",
		in.Rel.Network().ChannelLabel(trip.Short[0]), more)
	in.Warnings = append(in.Warnings, text)
	fmt.Fprintln(cli.Warnings(c), "warning:", plain.Text(text))
	return nil
}

// TripText describes a round trip.
func TripText(n *model.Network, t *engine.RoundTrip) string {
	return fmt.Sprintf("%d clocks at most, %s: a VC needs %s to send without a pause, it has %d", t.Clocks, plain.Text(n.ChannelLabel(t.Channel)),
		wording.Count(t.Slots, "slot", "s"), t.Buffer)
}
