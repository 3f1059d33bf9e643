package seams

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/check"
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/replay"
	"github.com/turnproof/turnproof/cmd/turnproof/sim"
	"github.com/turnproof/turnproof/cmd/turnproof/turns"
)

// This file runs commands in this process, which takes a tenth of the time of a process of their own.

// program has the commands that the judges run.
func program() cli.Program {
	return cli.Program{Version: "seams", Commands: []*cli.Command{check.Command(), replay.Command(), sim.Command(), turns.Command()}}
}

// output is what a command prints, and its exit status. A panic has the status statusPanic.
type output struct {
	out, err string
	code     int
	isLate   bool // stopped by the time limit
}

// statusPanic is the status of a command that panics.
const statusPanic = -1

// run runs a command line. A panic in another goroutine ends this process.
func run(ctx context.Context, words []string) (o output) {
	var out, err bytes.Buffer
	defer func() {
		o.out, o.err, o.isLate = out.String(), err.String(), ctx.Err() != nil
		if p := recover(); p != nil {
			o.code, o.err = statusPanic, fmt.Sprintf("%spanic: %v\n%s", o.err, p, debug.Stack())
		}
	}()
	o.code = program().Run(ctx, append([]string{"turnproof"}, words...), &out, &err)
	return o
}

// flagsOf returns the names of the flags of a command.
func flagsOf(c *cli.Command) (list []string) {
	for _, f := range c.Flags {
		list = append(list, f.Names()[0])
	}
	return list
}

// flags of the commands that take options of a line.
var (
	checkFlags  = flagsOf(check.Command())
	simFlags    = flagsOf(sim.Command())
	replayFlags = flagsOf(replay.Command())
)

func takesAll(string) bool         { return true }
func simTakes(flag string) bool    { return slices.Contains(simFlags, flag) }
func replayTakes(flag string) bool { return slices.Contains(replayFlags, flag) }
