package sim

import (
	"context"
	"fmt"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/timeline/live"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file shows a simulation while it runs (--live): on a terminal at standard error as a picture
// that is redrawn, otherwise as a line each second. An interrupt ends the run with the results so far.

// liveRun is a command with --live. Its methods do nothing if it is nil.
type liveRun struct {
	interrupt context.Context // ends at an interrupt
}

func liveFlag() cli.Flag {
	return &cli.BoolFlag{Name: "live", Category: cli.CategoryWatch,
		Usage: "show the load of the links while the simulation runs, on standard error; an interrupt ends it with the results so far"}
}

// readLive returns nil without --live. With it, the context of the command no longer ends at an
// interrupt, so that results are still written.
func readLive(c *cli.Context) *liveRun {
	if !c.Bool("live") {
		return nil
	}
	l := &liveRun{c.Context}
	c.Context = context.WithoutCancel(c.Context)
	return l
}

// watch adds a view to the settings of a run. The caller calls end after the run.
func (l *liveRun) watch(c *cli.Context, in *resolve.Subject, s *trial.Settings) (end func(*trial.Result)) {
	if l == nil {
		return func(*trial.Result) {}
	}
	o := live.Options{Title: fmt.Sprintf("%s, routing %s, traffic %s", in.Name, in.RoutingName(), s.Traffic), Clocks: s.Clocks,
		PerFlit: engine.Clock(s.Engine.LinkClocks), Stop: func() bool { return l.interrupt.Err() != nil }}
	if !s.Finite() {
		o.Load = s.Load
		if o.Clocks == 0 {
			o.Clocks = trial.DefaultClocks
		}
	}
	var v *live.View
	screen := cli.ScreenOf(c)
	if screen != nil {
		o.Colour, o.ASCII, o.Size, o.Show = screen.Colour(), screen.ASCII(), screen.Size, screen.Show
	} else {
		o.Every = time.Second
		o.Show = func([]string) { fmt.Fprintln(c.App.ErrWriter, v.Line()) }
	}
	v = live.New(in.Net, o)
	s.Progress, s.Engine.Loads = nil, true
	s.Watchers = append(s.Watchers, v)
	return func(res *trial.Result) {
		if res != nil {
			v.End(res.Deadlock)
		}
		if screen != nil {
			screen.End()
		}
	}
}
