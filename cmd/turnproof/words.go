package main

import (
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/topo"
)

// This file lists the words of flags and arguments that several commands share.

// networkArgument is the first argument of most commands.
func networkArgument() cli.Argument { return cli.Argument{Words: networkWords(), Files: true} }

// loadWords are the words for the load of each pair of hosts.
func loadWords() []string { return []string{"uniform", "halves", "halves:"} }

func networkWords() (words []string) {
	for _, f := range topo.Families() {
		words = append(words, f.Name+":")
	}
	return words
}

// trafficWords are the patterns; those that want more end in a colon.
func trafficWords() (words []string) {
	for _, k := range traffic.Kinds() {
		if word, _, ok := strings.Cut(k.Syntax, ":"); ok && !strings.Contains(word, "[") {
			words = append(words, word+":")
		} else {
			words = append(words, k.Name)
		}
	}
	return append(words, "trace:")
}

func convertWords() []string {
	names, _ := format.NetworkFormats()
	for _, f := range routingFormats {
		names = append(names, f.name)
	}
	return names
}

func drawingNames() (names []string) {
	for _, d := range drawings {
		names = append(names, d.name)
	}
	return names
}

func reproductionNames() (names []string) {
	for _, p := range reproductions() {
		names = append(names, p.name)
	}
	return names
}
