// Command turnproof checks, tabulates and draws the routing of interconnection networks.
// "turnproof help" lists its commands; README.md shows examples.
//
// Read first: commands.go is the list; a folder for each command.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/check"
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// version is set by the linker. Otherwise it is the version of the module.
var version = moduleVersion()

// moduleVersion returns the version of a program installed by go install, or "development".
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		return info.Main.Version
	}
	return "development"
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt kills the program
	code := run(ctx, os.Args, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run runs the command line args and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return newProgram().Run(ctx, args, stdout, stderr)
}

func newProgram() cli.Program {
	return cli.Program{Version: version, Commands: commands(), Failed: check.WriteFailed}
}
