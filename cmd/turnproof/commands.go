package main

import (
	"github.com/turnproof/turnproof/cmd/turnproof/check"
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/compare"
	"github.com/turnproof/turnproof/cmd/turnproof/convert"
	"github.com/turnproof/turnproof/cmd/turnproof/draw"
	"github.com/turnproof/turnproof/cmd/turnproof/enumerate"
	"github.com/turnproof/turnproof/cmd/turnproof/info"
	"github.com/turnproof/turnproof/cmd/turnproof/lab"
	"github.com/turnproof/turnproof/cmd/turnproof/layers"
	"github.com/turnproof/turnproof/cmd/turnproof/possible"
	"github.com/turnproof/turnproof/cmd/turnproof/priorities"
	"github.com/turnproof/turnproof/cmd/turnproof/prove"
	"github.com/turnproof/turnproof/cmd/turnproof/replay"
	"github.com/turnproof/turnproof/cmd/turnproof/report"
	"github.com/turnproof/turnproof/cmd/turnproof/reproduce"
	"github.com/turnproof/turnproof/cmd/turnproof/reroute"
	"github.com/turnproof/turnproof/cmd/turnproof/sim"
	"github.com/turnproof/turnproof/cmd/turnproof/sweep"
	"github.com/turnproof/turnproof/cmd/turnproof/table"
	"github.com/turnproof/turnproof/cmd/turnproof/turns"
	"github.com/turnproof/turnproof/cmd/turnproof/vlan"
	"github.com/turnproof/turnproof/cmd/turnproof/whatif"

	_ "github.com/turnproof/turnproof/model/format/all"  // readers of files; resolve links those of package base
	_ "github.com/turnproof/turnproof/synth/makers"      // they read routings by name
	_ "github.com/turnproof/turnproof/verify/conditions" // commands decide them
)

// commands returns the commands of turnproof in alphabetical order.
func commands() []*cli.Command {
	return []*cli.Command{
		check.Command(),
		compare.Command(),
		convert.Command(),
		draw.Command(),
		enumerate.Command(),
		lab.Command(),
		layers.Command(),
		info.Networks(),
		possible.Command(),
		priorities.Command(),
		prove.Command(),
		replay.Command(),
		report.Command(),
		reproduce.Command(run),
		reroute.Command(),
		info.Routings(),
		sim.Command(),
		sweep.Command(),
		table.Command(),
		turns.Command(),
		info.Version(),
		vlan.Command(),
		whatif.Command(),
	}
}
