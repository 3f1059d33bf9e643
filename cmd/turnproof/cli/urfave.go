package cli

import urfave "github.com/urfave/cli/v2"

// This file names the types of urfave/cli that commands use.

type (
	// App is the application: the commands and the global flags.
	App = urfave.App
	// Command is a command with its flags and its action.
	Command = urfave.Command
	// Context is what the action of a command receives.
	Context = urfave.Context
	// Flag is a flag of a command.
	Flag = urfave.Flag
	// StringFlag is a flag with a word.
	StringFlag = urfave.StringFlag
	// StringSliceFlag is a flag that may be repeated.
	StringSliceFlag = urfave.StringSliceFlag
	// IntSliceFlag is a flag with a whole number that may be repeated.
	IntSliceFlag = urfave.IntSliceFlag
	// BoolFlag is a flag without a word.
	BoolFlag = urfave.BoolFlag
	// IntFlag is a flag with a whole number.
	IntFlag = urfave.IntFlag
	// Int64Flag is a flag with a whole number.
	Int64Flag = urfave.Int64Flag
	// UintFlag is a flag with a whole number from 0.
	UintFlag = urfave.UintFlag
	// Uint64Flag is a flag with a whole number from 0.
	Uint64Flag = urfave.Uint64Flag
	// Float64Flag is a flag with a number.
	Float64Flag = urfave.Float64Flag
)

// NewStringSlice returns the default of a StringSliceFlag.
var NewStringSlice = urfave.NewStringSlice

// NewContext returns a context with flags of its own.
var NewContext = urfave.NewContext
