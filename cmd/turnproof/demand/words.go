package demand

import (
	"strings"

	"github.com/turnproof/turnproof/engine/traffic"
)

// This file lists the words of traffic, for completion.

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
