package input

import (
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model/topo"
)

// This file lists words that flags and arguments of several commands accept, for completion.

// NetworkArgument describes the first argument of most commands.
func NetworkArgument() cli.Argument { return cli.Argument{Words: networkWords(), Files: true} }

// LoadWords returns the words of turns --traffic.
func LoadWords() []string {
	words := []string{"uniform", "halves", "halves:"}
	for _, k := range traffic.Kinds() {
		if k.Permutes() {
			words = append(words, word(k))
		}
	}
	return words
}

func networkWords() (words []string) {
	for _, name := range topo.Names() {
		words = append(words, name+":")
	}
	return words
}

// TrafficWords returns the traffic patterns. Patterns that need an argument end in a colon.
func TrafficWords() (words []string) {
	for _, k := range traffic.Kinds() {
		words = append(words, word(k))
	}
	return append(words, "trace:")
}

// word returns the name of a pattern, with a colon if it needs an argument.
func word(k traffic.Kind) string {
	if word, _, ok := strings.Cut(k.Syntax, ":"); ok && !strings.Contains(word, "[") {
		return word + ":"
	}
	return k.Name
}
