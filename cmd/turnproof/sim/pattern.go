package sim

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/energy"
	"github.com/turnproof/turnproof/engine/follow"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file simulates packets of a traffic pattern.

// A run is one run of the command with packets of a traffic pattern.
type run struct {
	c        *cli.Context
	path     string // of the network
	settings trial.Settings
	messages trial.MessageWords
	costs    *energy.Costs  // of --energy, or nil
	chosen   *follow.Chosen // the packets to follow, or nil
	paper    *paged         // of --page, or nil
	in       *resolve.Subject
}

// readRun reads what flags say of a run. It reads no network.
func readRun(c *cli.Context) (*run, error) {
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return nil, err
	}
	r := &run{c: c, path: path}
	if r.settings, err = simrun.Settings(c); err != nil {
		return nil, err
	}
	s := &r.settings
	s.Engine.Workers = runtime.GOMAXPROCS(0)
	if r.messages, err = simrun.MessagesOf(c); err != nil {
		return nil, err
	}
	if err := simOutputs(c); err != nil {
		return nil, err
	}
	if r.costs, err = readCosts(c); err != nil {
		return nil, err
	}
	if r.chosen, err = readFollow(c); err != nil {
		return nil, err
	}
	if !c.IsSet("load") && !s.Finite() && !resolve.IsBookSim(path) {
		return nil, errors.New("--load is missing: want flits per clock and host, such as 0.2; or --collective, --traffic trace:FILE or --workload SPEC")
	}
	if _, file, ok := strings.Cut(s.Traffic, ":"); ok {
		cli.Reads(c, file) // for other patterns, this names no file and has no effect
	}
	r.paper, err = readPage(c, path, *s)
	return r, err
}

// readNetwork reads the network and its routing, and fits the settings to them.
func (r *run) readNetwork() (err error) {
	c, s := r.c, &r.settings
	if err := bookSimRouting(c, r.path); err != nil {
		return err
	}
	cli.Reads(c, c.String("links"))
	if r.in, err = input.Read(c, r.path, true, c.Bool("json") || r.paper != nil); err != nil {
		return err
	}
	if err := adapt(r.in, c, s, r.messages); err != nil {
		return err
	}
	if err := r.paper.loadOther(c, r.messages); err != nil {
		return err
	}
	simrun.StateMessages(c, r.messages, r.in)
	s.Engine.Loads = c.String("figure") != "" || c.String("loads-out") != "" || r.costs != nil
	s.Flitwise = s.Flitwise || r.costs != nil // packet events do not count the flits in buffers
	if c.String("occupancy") != "" {
		s.Occupancy = 1000
	}
	if r.chosen != nil {
		s.Engine.Follow = r.chosen
	}
	return nil
}

// simulate runs the simulation, writes the output files and prints the result.
func (r *run) simulate() error {
	began := time.Now()
	c, in, s := r.c, r.in, &r.settings
	showProgress(c, s, "simulating")
	r.paper.watch(in, s)
	res, err := r.trial()
	if err != nil {
		return err
	}
	if res.Delivered == 0 && res.Deadlock == nil {
		input.PrintWarnings(c, in.Warn("no packet was delivered: the run measures nothing"))
	}
	in.SumTraffic(s.Traffic)
	in.SumFile(c.String("energy"))
	seconds := time.Since(began).Seconds()
	if err := writeSim(in, c, res); err != nil {
		return err
	}
	var spent *energy.Report
	if sim, ok := res.Loads.(*engine.Sim); ok && r.costs != nil {
		spent = energy.Of(sim, in.Net, r.costs, res.Clocks, c.Float64("frequency"))
	}
	if err := printSim(c, in, s, res, seconds, spent); err != nil {
		return err
	}
	if r.chosen != nil {
		if err := printFollowed(in, c, r.chosen, res); err != nil {
			return err
		}
	}
	frozen := res.Deadlock != nil
	if r.paper != nil {
		other, err := r.paper.finish(c, in, s, res)
		if err != nil {
			return err
		}
		frozen = frozen || other
	}
	if frozen {
		return cli.Status(cli.ExitRefuted)
	}
	return nil
}

// trial runs the simulation, and writes the arriving packets to the file of --packets-out meanwhile.
func (r *run) trial() (res *trial.Result, err error) {
	f := r.c.String("packets-out")
	if f == "" {
		if res, err = trial.Run(r.c.Context, r.in.Rel, r.settings); err != nil {
			err = fmt.Errorf("%s: %w", r.in.Name, err)
		}
		return res, err
	}
	var failed error // error of the simulation, not of writing the file
	err = cli.WriteFile(r.c, f, func(w io.Writer) error {
		out := traffic.NewPacketWriter(w, "", r.in.Net, r.in.Rel.DestinationHost)
		r.settings.Report = out.Deliver
		if res, failed = trial.Run(r.c.Context, r.in.Rel, r.settings); failed != nil {
			return failed
		}
		return out.Close()
	})
	if failed != nil {
		return nil, fmt.Errorf("%s: %w", r.in.Name, failed)
	}
	return res, err
}
