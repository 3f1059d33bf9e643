// Command turnproof checks, tabulates and draws the routing of interconnection
// networks. "turnproof help" lists its commands; README.md shows it at work.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/spelling"
)

// version is set by the linker. A build without that takes the version of the module.
var version = moduleVersion()

// moduleVersion is the version that go install fetched, else "development".
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		return info.Main.Version
	}
	return "development"
}

// Exit statuses that scripts rely on, see docs/command-line.md.
const (
	exitHolds       = 0 // the claim holds, or the work is done
	exitRefuted     = 1
	exitUsage       = 2 // usage or input error
	exitUndecided   = 3
	exitInterrupted = 130 // as shells have it for SIGINT
)

// exitStatuses are what they mean.
var exitStatuses = []struct {
	code  int
	about string
}{
	{exitHolds, "the claims hold, or the work is done"},
	{exitRefuted, "a claim is refuted, a simulation froze, or there is none of what was looked for"},
	{exitUsage, "wrong usage or input, or a file that cannot be written"},
	{exitUndecided, "undecided, at a limit, or points of a sweep are missing"},
	{exitInterrupted, "interrupted (SIGINT), and nothing was found that could be reported"},
}

// status is an exit status that is no error: a verdict.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	code := run(ctx, os.Args, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run runs the command line args and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	line := newProgress(stderr)
	out := &painter{to: bufio.NewWriter(&wiping{stdout, line, isTerminal(stdout)}), terminal: isTerminal(stdout)}
	set := &settings{}
	app := newApp(out, &wiping{stderr, line, false}, set)
	err := app.RunContext(ctx, intersperse(app, args))
	line.end()
	if ferr := out.Flush(); ferr != nil {
		err = fmt.Errorf("standard output cannot be written: %w", ferr)
	}
	var s status
	switch {
	case err == nil:
		return exitHolds
	case errors.As(err, &s):
		return int(s)
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "turnproof: interrupted")
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "turnproof:", plain.Line(set.blame(err).Error(), mostWords))
	return exitUsage
}

// mostWords bounds the bytes of an error: it may quote input.
const mostWords = 1500

func newApp(stdout, stderr io.Writer, set *settings) *cli.App {
	app := &cli.App{
		Name:            "turnproof",
		Usage:           "prove the routing of a network free of deadlock, or show the loop",
		UsageText:       "turnproof COMMAND NETWORK [flags]",
		Version:         version,
		HideHelpCommand: true,
		Flags:           append(globalFlags(), cli.HelpFlag), // the library adds it to commands only, where one is called help
		Before:          set.global,

		DisableSliceFlagSeparator: true,             // the keys of a routing are joined by commas
		Metadata:                  map[string]any{}, // files that are read, see writeFile
		Writer:                    stdout,
		ErrWriter:                 stderr,
		ExitErrHandler:            func(*cli.Context, error) {}, // run decides
		OnUsageError:              usageError,
		Commands: []*cli.Command{
			checkCommand(), compareCommand(), completeCommand(), completionCommand(), configCommand(set), convertCommand(), drawCommand(), enumerateCommand(), helpCommand(), layersCommand(), manCommand(), networksCommand(), possibleCommand(), proveCommand(), replayCommand(), reportCommand(), reproduceCommand(), routingsCommand(), simCommand(), sweepCommand(), tableCommand(), turnsCommand(), versionCommand(), vlanCommand(),
		},
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return cli.ShowAppHelp(c)
			}
			return fmt.Errorf("no command %q%s; \"turnproof help\" lists them", c.Args().First(), spelling.Suggest(c.Args().First(), commandNames(c.App)))
		},
	}
	for _, c := range app.Commands {
		c.OnUsageError = usageError
		c.HideHelpCommand = true
		c.Before = func(c *cli.Context) error { return begin(c, set) }
	}
	return app
}

// begin is what comes before every command.
func begin(c *cli.Context, set *settings) error {
	if c.Command.Name == completeName {
		return nil
	}
	if err := errors.Join(refuseEmpty(c), refuseArguments(c)); err != nil {
		return err
	}
	if err := set.command(c); err != nil {
		return err
	}
	if p, ok := c.App.Writer.(*painter); ok && c.Bool("json") {
		p.plain()
	}
	if err := errors.Join(refuseWords(c), standardInput(c), standardOutput(c)); err != nil {
		return err
	}
	progressOf(c.App.ErrWriter).start(c.Command.Name)
	return nil
}

// refuseEmpty refuses flags that are given without a word.
func refuseEmpty(c *cli.Context) error {
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		if _, ok := f.(*cli.StringFlag); ok && c.IsSet(name) && c.String(name) == "" {
			return fmt.Errorf("--%s is given without a word", name)
		}
	}
	return nil
}

func commandNames(app *cli.App) (names []string) {
	for _, c := range shownCommands(app) {
		names = append(names, c.Name)
	}
	return names
}

// intersperse moves global flags before the command and its flags before its other
// arguments, as the library wants them; "--" ends the flags.
func intersperse(app *cli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	var global, flags, rest []string
	var cmd *cli.Command
	known := app.Flags
	for i := 1; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			rest = append(rest, args[i+1:]...)
			i = len(args)
		case a == "-" || !strings.HasPrefix(a, "-"):
			if cmd != nil {
				rest = append(rest, a)
				continue
			}
			if cmd = app.Command(a); cmd == nil || cmd.Name == completeName {
				return args // the word will be named, or all is for the command
			}
			known = append(slices.Clone(cmd.Flags), app.Flags...)
		default:
			name, value, joined := strings.Cut(strings.TrimLeft(a, "-"), "=")
			f := flagCalled(known, name)
			if _, again := f.(*cli.StringSliceFlag); again && name != f.Names()[0] { // the library wants one form of each
				if a = "--" + f.Names()[0]; joined {
					a += "=" + value
				}
			}
			to := &flags
			if f != nil && f != cli.HelpFlag && flagCalled(app.Flags, name) == f {
				to = &global
			} else if cmd == nil {
				to = &global // the library's own, or none
			}
			if f != nil && f.Names()[0] == managementFlagName && !joined {
				if i+1 < len(args) && isManagementWord(args[i+1]) {
					i++
					value = args[i]
				}
				a, joined = "--"+managementFlagName+"="+cmp.Or(value, managementAll), true
			}
			*to = append(*to, a)
			if f != nil && takesValue(f) && !joined {
				if i++; i == len(args) { // the library will say what is missing
					if to == &global {
						return []string{args[0], a}
					}
					return []string{args[0], cmd.Name, a}
				}
				*to = append(*to, args[i])
			}
		}
	}
	out := append([]string{args[0]}, global...)
	if cmd == nil {
		return append(out, rest...)
	}
	out = append(append(out, cmd.Name), flags...)
	return append(append(out, "--"), rest...)
}

// oneArgument returns the only argument of a command.
func oneArgument(c *cli.Context, what string) (string, error) {
	switch c.NArg() {
	case 0:
		return "", fmt.Errorf("%s is missing: turnproof %s %s", what, c.Command.Name, c.Command.ArgsUsage)
	case 1:
		return c.Args().First(), nil
	}
	return "", fmt.Errorf("one %s is wanted, got %q", what, c.Args().Slice())
}
