package cli

import (
	"errors"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"
)

// begin runs before each command. It checks the command line, applies the settings, and starts the
// progress line.
func begin(c *urfave.Context, set *settings) error {
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
	if err := errors.Join(standardInput(c), standardOutput(c)); err != nil {
		return err
	}
	ProgressOf(c.App.ErrWriter).start(c.Command.Name)
	return nil
}

// refuseEmpty returns an error if a string flag has an empty value.
func refuseEmpty(c *urfave.Context) error {
	given := c.FlagNames()
	for _, f := range c.Command.Flags {
		if _, ok := plainFlag(f).(*urfave.StringFlag); !ok {
			continue
		}
		if name := f.Names()[0]; slices.Contains(given, name) && c.String(name) == "" {
			return fmt.Errorf("--%s has no value", name)
		}
	}
	return nil
}
