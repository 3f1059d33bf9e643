package cli

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"
)

// OneArgument returns the argument of a command that takes one. what names the argument in errors.
func OneArgument(c *urfave.Context, what string) (string, error) {
	switch c.NArg() {
	case 0:
		return "", fmt.Errorf("%s is missing: turnproof %s %s", what, c.Command.Name, c.Command.ArgsUsage)
	case 1:
		return c.Args().First(), nil
	}
	return "", fmt.Errorf("want one %s, got %q", what, c.Args().Slice())
}
