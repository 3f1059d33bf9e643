package cli

import (
	"slices"

	urfave "github.com/urfave/cli/v2"
)

func CommandNames(app *urfave.App) (names []string) {
	for _, c := range ShownCommands(app) {
		names = append(names, c.Name)
	}
	return names
}

func FlagCalled(flags []urfave.Flag, name string) urfave.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// ShownCommands returns the commands that are not hidden.
func ShownCommands(app *urfave.App) (list []*urfave.Command) {
	for _, c := range app.Commands {
		if !c.Hidden {
			list = append(list, c)
		}
	}
	return list
}
