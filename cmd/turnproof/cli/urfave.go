package cli

import urfave "github.com/urfave/cli/v2"

// This file declares aliases of the urfave/cli types that commands use.

type (
	// App is the application: the commands and the global flags.
	App = urfave.App
	// Command is a command with its flags and its action.
	Command = urfave.Command
	// Context is what the action of a command receives.
	Context = urfave.Context
	// Flag is a flag of a command.
	Flag = urfave.Flag
	// StringFlag is a flag with a string value.
	StringFlag = urfave.StringFlag
	// StringSliceFlag is a flag with a string value that may be repeated.
	StringSliceFlag = urfave.StringSliceFlag
	// IntSliceFlag is a flag with an integer value that may be repeated.
	IntSliceFlag = urfave.IntSliceFlag
	// BoolFlag is a flag that is true if given.
	BoolFlag = urfave.BoolFlag
	// IntFlag is a flag with an integer value.
	IntFlag = urfave.IntFlag
	// Int64Flag is a flag with a 64-bit integer value.
	Int64Flag = urfave.Int64Flag
	// UintFlag is a flag with a non-negative integer value.
	UintFlag = urfave.UintFlag
	// Uint64Flag is a flag with a non-negative 64-bit integer value.
	Uint64Flag = urfave.Uint64Flag
	// Float64Flag is a flag with a number.
	Float64Flag = urfave.Float64Flag
)

// NewStringSlice returns the default value of a StringSliceFlag.
var NewStringSlice = urfave.NewStringSlice

// NewContext returns a context with its own flags.
var NewContext = urfave.NewContext
