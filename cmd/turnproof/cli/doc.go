// Package cli is the command-line framework of turnproof. It contains what all commands share, and
// nothing about networks.
//
// A Program is a version and a list of commands. Program.Run parses a command line, reads the
// settings (environment, project file, user file), runs one command and returns the exit status.
// The package also prints help, manual pages and completions, writes output files atomically,
// shows progress, and colours verdicts.
//
//	code := cli.Program{Version: "1.0", Commands: list}.Run(ctx, os.Args, os.Stdout, os.Stderr)
//
// Commands import this package instead of urfave/cli. It declares aliases of the urfave/cli types
// that commands need. The package imports urfave/cli and internal packages only.
//
// Read first: app.go runs a command; flagtypes.go has the types of flags (Input, Output, Words, ...), which
// decide what a flag does; settings.go finds the defaults of flags; outputs.go writes files; progress.go shows
// the line of progress.
package cli
