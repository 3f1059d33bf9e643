package cli

import (
	"fmt"
	"regexp"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/spelling"
)

// This file writes the error messages for wrong flags and arguments.

var (
	noSuchFlag = regexp.MustCompile(`^flag provided but not defined: -+(.+)$`)
	noWord     = regexp.MustCompile(`^flag needs an argument: -+(.+)$`)
	wrongWord  = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-+(\S+): `)
)

// usageError replaces the messages of urfave/cli about flags by messages with advice.
func usageError(c *urfave.Context, err error, _ bool) error {
	where, flags := "turnproof help", c.App.Flags
	isCommand := c.Command != nil && c.Command.Name != "" && c.Command.Name != "turnproof"
	if isCommand {
		where, flags = "turnproof "+c.Command.Name+" --help", append(flags, c.Command.Flags...)
	}
	text := err.Error()
	if m := noSuchFlag.FindStringSubmatch(text); m != nil {
		after := ""
		if !isCommand {
			after = ", put the flags of a command after the command"
		}
		return fmt.Errorf("no flag %s%s%s; see %q", dashed(m[1]), spelling.Suggest("--"+m[1], dashedNames(flags)), after, where)
	}
	if m := noWord.FindStringSubmatch(text); m != nil {
		if f := FlagCalled(flags, m[1]); f != nil {
			name, _, _ := strings.Cut(strings.TrimSpace(strings.Split(f.String(), "\t")[0]), ",")
			return fmt.Errorf("%s has no value: %s; see %q", dashed(m[1]), name, where)
		}
	}
	if m := wrongWord.FindStringSubmatch(text); m != nil {
		if f := FlagCalled(flags, m[2]); f != nil {
			return fmt.Errorf("%s %s: want %s; see %q", dashed(m[2]), m[1], kindOf(f), where)
		}
	}
	return fmt.Errorf("%w; see %q", err, where)
}

// dashed returns the name of a flag with its dashes.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// dashedNames returns the long names of flags with their dashes.
func dashedNames(flags []urfave.Flag) (names []string) {
	for _, f := range flags {
		for _, name := range f.Names() {
			if len(name) > 1 {
				names = append(names, "--"+name)
			}
		}
	}
	return names
}

// refuseArguments returns an error if the command takes no arguments but has one.
func refuseArguments(c *urfave.Context) error {
	if c.Command.ArgsUsage == "" && c.NArg() > 0 {
		return fmt.Errorf("%s takes no argument, got %q; see \"turnproof %s --help\"", c.Command.Name, c.Args().First(), c.Command.Name)
	}
	return nil
}
