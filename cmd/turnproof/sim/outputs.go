package sim

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file writes the results of a run to files.

// simOutputs returns an error if an output flag is invalid, two of them name the same file, or the
// folder of a file is missing.
func simOutputs(c *cli.Context) error {
	others := []string{"packets-out", "occupancy", "loads-out", "messages-out", "follow-out", "page"}
	if err := picture.CheckOutputs(c, others...); err != nil {
		return err
	}
	for _, flag := range append(others, "figure") {
		f := c.String(flag)
		if f == "" || f == "-" {
			continue
		}
		if info, err := os.Stat(filepath.Dir(cli.Location(f))); err != nil || !info.IsDir() {
			return fmt.Errorf("--%s %s: there is no folder %s", flag, f, filepath.Dir(f))
		}
	}
	return nil
}

// writeSim writes the files of --occupancy, --loads-out and --figure, if set.
func writeSim(in *resolve.Subject, c *cli.Context, res *trial.Result) error {
	if f := c.String("occupancy"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return occupancyCSV(w, res.Occupancy) }); err != nil {
			return err
		}
	}
	if f := c.String("loads-out"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return loadsCSV(in, w, res) }); err != nil {
			return err
		}
	}
	f := c.String("figure")
	if f == "" {
		return nil
	}
	kind, err := picture.Format(f)
	if err != nil {
		return err
	}
	if res.Deadlock != nil {
		title := fmt.Sprintf("Frozen since clock %d", res.Deadlock.Clock)
		return picture.Render(c, f, kind, figure.Configuration(in.Net, picture.Worms(in.Rel, res.Deadlock), figure.OptionsFor(in.Net, title)))
	}
	load := make([]float64, in.Net.NumChannels())
	for ch := range load {
		load[ch] = float64(res.Loads.ChannelFlits(model.ChannelID(ch))) / math.Max(1, float64(res.Clocks))
	}
	title := fmt.Sprintf("Flits per clock on %s, %s", resolve.Title(in.Name), in.RoutingName())
	return picture.Render(c, f, kind, figure.Load(in.Net, load, figure.OptionsFor(in.Net, title)))
}

func occupancyCSV(w io.Writer, points []measure.Sample) error {
	fmt.Fprintln(w, "clock,flits,min,max")
	for _, p := range points {
		if _, err := fmt.Fprintf(w, "%d,%.6g,%g,%g\n", p.Clock, p.Mean, p.Min, p.Max); err != nil {
			return err
		}
	}
	return nil
}

// loadsCSV writes the number of flits for each channel out of a switch and for each turn.
func loadsCSV(in *resolve.Subject, w io.Writer, res *trial.Result) error {
	n := in.Net
	fmt.Fprintln(w, "switch,in_port,from,out_port,to,flits,flits_per_clock")
	line := func(u model.SwitchID, port, from string, out model.ChannelID, flits int64) error {
		to := n.HostOf(out)
		name, _ := wording.End(n, n.Head(out), to)
		_, err := fmt.Fprintf(w, "%q,%s,%s,%d,%q,%d,%.6f\n", n.SwitchLabel(u), port, from, n.TailPort(out), name, flits,
			float64(flits)/math.Max(1, float64(res.Clocks)))
		return err
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, out := range n.Out(u) {
			if err := line(u, "", "", out, res.Loads.ChannelFlits(out)); err != nil {
				return err
			}
			for _, back := range n.Out(u) {
				from := n.Reverse(back)
				name, _ := wording.End(n, n.Tail(from), n.HostOf(from))
				if flits := res.Loads.TurnFlits(from, out); flits > 0 {
					if err := line(u, fmt.Sprint(n.HeadPort(from)), fmt.Sprintf("%q", name), out, flits); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
