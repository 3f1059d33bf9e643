// Command turnproof checks, tabulates and draws the routing of interconnection
// networks. "turnproof help" lists its commands; README.md shows it at work.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/urfave/cli/v2"

	"turnproof/model/spelling"
)

// version is set by the linker.
var version = "development"

// Exit statuses that scripts rely on.
const (
	exitHolds     = 0 // the claim holds, or the work is done
	exitRefuted   = 1
	exitUsage     = 2 // usage or input error
	exitUndecided = 3
)

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
	out := bufio.NewWriter(stdout)
	app := newApp(out, stderr)
	err := app.RunContext(ctx, intersperse(app, args))
	if ferr := out.Flush(); ferr != nil {
		err = fmt.Errorf("standard output cannot be written: %w", ferr)
	}
	var s status
	switch {
	case err == nil:
		return exitHolds
	case errors.As(err, &s):
		return int(s)
	}
	fmt.Fprintln(stderr, "turnproof:", err)
	return exitUsage
}

func newApp(stdout, stderr io.Writer) *cli.App {
	app := &cli.App{
		Name:                 "turnproof",
		Usage:                "prove the routing of a network free of deadlock, or show the loop",
		UsageText:            "turnproof COMMAND NETWORK [flags]",
		Version:              version,
		EnableBashCompletion: true,
		Suggest:              true,

		DisableSliceFlagSeparator: true,             // the keys of a routing are joined by commas
		Metadata:                  map[string]any{}, // files that are read, see writeFile
		Writer:                    stdout,
		ErrWriter:                 stderr,
		ExitErrHandler:            func(*cli.Context, error) {}, // run decides
		OnUsageError:              usageError,
		Commands: []*cli.Command{
			checkCommand(), compareCommand(), completionCommand(), convertCommand(), drawCommand(), enumerateCommand(), layersCommand(), networksCommand(), possibleCommand(), proveCommand(), replayCommand(), reportCommand(), reproduceCommand(), routingsCommand(), simCommand(), sweepCommand(), tableCommand(), turnsCommand(), versionCommand(), vlanCommand(),
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
		c.Before = refuseEmpty
	}
	return app
}

// usageError keeps the library from printing help after a wrong flag.
func usageError(c *cli.Context, err error, _ bool) error {
	where := "turnproof help"
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != "turnproof" {
		where = "turnproof " + c.Command.Name + " --help"
		if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: "); ok {
			return fmt.Errorf("no flag %s%s; see %q", name, spelling.Suggest(name, flagNames(c.Command)), where)
		}
	}
	return fmt.Errorf("%w; see %q", err, where)
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

// flagNames are the flags of a command as they are typed.
func flagNames(cmd *cli.Command) (names []string) {
	for _, f := range cmd.Flags {
		for _, name := range f.Names() {
			if len(name) > 1 {
				names = append(names, "--"+name)
			}
		}
	}
	return names
}

func commandNames(app *cli.App) (names []string) {
	for _, c := range app.Commands {
		names = append(names, c.Name)
	}
	return names
}

// intersperse moves the flags of the command before its other arguments, as
// the library wants them; "--" ends the flags.
func intersperse(app *cli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	cmd := app.Command(args[1])
	if cmd == nil {
		return args
	}
	takesValue, first := map[string]bool{}, map[string]string{}
	for _, f := range cmd.Flags {
		_, isBool := f.(*cli.BoolFlag)
		if _, again := f.(*cli.StringSliceFlag); again {
			for _, name := range f.Names()[1:] {
				first["-"+name] = "--" + f.Names()[0]
			}
		}
		for _, name := range f.Names() {
			takesValue[name] = !isBool
		}
	}
	var flags, rest []string
	for i := 2; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if a == "-" || !strings.HasPrefix(a, "-") {
			rest = append(rest, a)
			continue
		}
		if name, value, given := strings.Cut(a, "="); first[name] != "" { // the library wants one form of each
			if a = first[name]; given {
				a += "=" + value
			}
		}
		flags = append(flags, a)
		if takesValue[strings.TrimLeft(a, "-")] {
			if i++; i == len(args) {
				return append([]string{args[0], args[1]}, flags...) // the library will say what is missing
			}
			flags = append(flags, args[i])
		}
	}
	out := append(append([]string{args[0], args[1]}, flags...), "--")
	if len(flags) > 0 && flags[len(flags)-1] == "--generate-bash-completion" {
		return args
	}
	return append(out, rest...)
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
