package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/spelling"
)

// Run parses and runs the command line args, and returns the exit status. It prints errors to
// stderr.
func (p Program) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	line := newProgress(stderr)
	out := &painter{to: bufio.NewWriter(&wiping{stdout, line, isTerminal(stdout)}), terminal: isTerminal(stdout)}
	set := &settings{}
	app := p.newApp(out, &wiping{stderr, line, false}, set)
	err := app.RunContext(ctx, intersperse(app, args))
	line.end()
	if ferr := out.Flush(); ferr != nil {
		err = fmt.Errorf("cannot write standard output: %w", ferr)
	}
	var s Status
	switch {
	case err == nil:
		return ExitHolds
	case errors.As(err, &s):
		return int(s)
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		p.failed(args, Interrupted)
		fmt.Fprintln(stderr, "turnproof: interrupted")
		return ExitInterrupted
	}
	reason := plain.Line(set.blame(err).Error(), maxErrorBytes)
	p.failed(args, reason)
	fmt.Fprintln(stderr, "turnproof:", reason)
	return ExitUsage
}

// Interrupted is the reason of a run that a signal has ended.
const Interrupted = "interrupted"

// maxErrorBytes limits the length of a printed error, because an error may quote long input.
const maxErrorBytes = 1500

// Program is a command-line program.
type Program struct {
	Version  string
	Commands []*urfave.Command
	Failed   func(version string, args []string, reason string) // if not nil, called when a command line fails without a result
}

// failed calls Failed.
func (p Program) failed(args []string, reason string) {
	if p.Failed != nil {
		p.Failed(p.Version, args, reason)
	}
}

// App returns the application for inspection. It ignores environment and configuration files, and
// discards all output.
func (p Program) App() *urfave.App { return p.newApp(io.Discard, io.Discard, &settings{strict: true}) }

// newApp returns the application with the commands of p and the commands of this package.
func (p Program) newApp(stdout, stderr io.Writer, set *settings) *urfave.App {
	app := &urfave.App{
		Name:            "turnproof",
		Usage:           "prove the routing of a network deadlock-free, or show the loop",
		UsageText:       "turnproof COMMAND NETWORK [flags]",
		Version:         p.Version,
		HideHelpCommand: true,
		Flags:           append(globalFlags(), urfave.HelpFlag), // urfave/cli adds HelpFlag only if a command is named help
		Before:          set.global,

		DisableSliceFlagSeparator: true,             // values of repeated flags may contain commas, as routings with options do
		Metadata:                  map[string]any{}, // names of the files read, see Reads
		Writer:                    stdout,
		ErrWriter:                 stderr,
		ExitErrHandler:            func(*urfave.Context, error) {}, // Run decides the exit status
		OnUsageError:              usageError,
		Commands: append([]*urfave.Command{completeCommand(), completionCommand(), configCommand(set), helpCommand(), manCommand()},
			p.Commands...),
		Action: func(c *urfave.Context) error {
			if c.NArg() == 0 {
				return urfave.ShowAppHelp(c)
			}
			return fmt.Errorf("no command %q%s; \"turnproof help\" lists them", c.Args().First(), spelling.Suggest(c.Args().First(), CommandNames(c.App)))
		},
	}
	slices.SortFunc(app.Commands, func(a, b *urfave.Command) int { return strings.Compare(a.Name, b.Name) })
	for _, c := range app.Commands {
		c.OnUsageError = usageError
		c.HideHelpCommand = true
		if c.BashComplete == nil {
			c.BashComplete = completeFiles
		}
		c.Before = func(c *urfave.Context) error { return begin(c, set) }
	}
	return app
}
