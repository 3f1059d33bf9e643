// Package cli is the frame of the turnproof program: what its commands share and what knows
// nothing of networks.
//
// A Program is a version and a list of commands. Program.Run parses a command line, reads the
// settings (environment, project file, user file), runs one command and returns the exit
// status. The package also prints help, manual pages and completions, writes output files
// whole, shows progress, and colours verdicts.
//
//	code := cli.Program{Version: "1.0", Commands: list}.Run(ctx, os.Args, os.Stdout, os.Stderr)
//
// A command imports this package and not urfave/cli: the types of that library that a command
// needs have the same names here. The package imports urfave/cli and internal packages only.
package cli
