package main

import "github.com/turnproof/turnproof/cmd/turnproof/cli"

// commands returns the commands of turnproof, in the order of the alphabet.
func commands() []*cli.Command {
	return []*cli.Command{
		checkCommand(),
		compareCommand(),
		convertCommand(),
		drawCommand(),
		enumerateCommand(),
		layersCommand(),
		networksCommand(),
		possibleCommand(),
		proveCommand(),
		replayCommand(),
		reportCommand(),
		reproduceCommand(),
		routingsCommand(),
		simCommand(),
		sweepCommand(),
		tableCommand(),
		turnsCommand(),
		versionCommand(),
		vlanCommand(),
	}
}
