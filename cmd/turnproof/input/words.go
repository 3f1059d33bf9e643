package input

import (
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model/topo"
)

// This file lists the words of flags and arguments that several commands share.

// NetworkArgument is the first argument of most commands.
func NetworkArgument() cli.Argument { return cli.Argument{Words: networkWords(), Files: true} }

// LoadWords are the words for the load of each pair of hosts.
func LoadWords() []string { return []string{"uniform", "halves", "halves:"} }

func networkWords() (words []string) {
	for _, f := range topo.Families() {
		words = append(words, f.Name+":")
	}
	return words
}

// TrafficWords are the patterns; those that want more end in a colon.
func TrafficWords() (words []string) {
	for _, k := range traffic.Kinds() {
		if word, _, ok := strings.Cut(k.Syntax, ":"); ok && !strings.Contains(word, "[") {
			words = append(words, word+":")
		} else {
			words = append(words, k.Name)
		}
	}
	return append(words, "trace:")
}
