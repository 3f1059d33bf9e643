package input

import (
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model/topo"
)

// This file lists words that flags and arguments of several commands accept, for completion.

// NetworkArgument describes the first argument of most commands.
func NetworkArgument() cli.Argument { return cli.Argument{Words: networkWords(), Files: true} }

func networkWords() (words []string) {
	for _, name := range topo.Names() {
		words = append(words, name+":")
	}
	return words
}
