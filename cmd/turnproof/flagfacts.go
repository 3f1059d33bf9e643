package main

import (
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/enumerate"
	"github.com/turnproof/turnproof/verify"
)

// This file tells what flags stand for: their group in the help of a command with many,
// the words that they take, and whether these are files.

// wordList has the fields of cli.WordList.
type wordList struct {
	Words []string
	Open  bool
}

// wordTables returns the lists for package cli.
func wordTables() map[string]cli.WordList {
	lists := map[string]cli.WordList{}
	for name, l := range wordLists() {
		lists[name] = cli.WordList(l)
	}
	return lists
}

// wordLists are the lists by "COMMAND FLAG" or "FLAG"; the first argument of a command is
// its flag "". What is not here is a number or a free word, or a file (see takesFile).
func wordLists() map[string]wordList {
	switching := wordsOf([]verify.Switching{verify.CutThrough, verify.StoreAndForward, verify.Wormhole})
	drawn := []string{"svg", "png", "dot"}
	networks := wordList{networkWords(), true}
	lists := map[string]wordList{
		"switching": {switching, false}, "waiting": {wordsOf([]model.Waiting{model.WaitAny, model.WaitOne}), false}, "routing": {routingNames(), true}, "against": {routingNames(), true},
		"paths": {pathWords(), false}, "color": {cli.ColourWords, false},
		"fail": {[]string{"links:1", "switches:1"}, false}, "gate": {[]string{"turn", "injection", "both"}, true},
		"traffic": {trafficWords(), true}, "turns traffic": {[]string{"uniform", "halves", "halves:"}, true},
		"sim switching": {wordsOf(engine.Switchings), false}, "sweep switching": {wordsOf(engine.Switchings), false},
		"model": {wordsOf(engine.Timings), false}, "select": {wordsOf(engine.Selections), false}, "arbiter": {wordsOf(engine.Arbiters), false},
		"control": {wordsOf(engine.ControlPaths), false}, "vc-rule": {[]string{"dateline", "plain", "position", "entry", "balanced"}, false},
		"ethernet":     {[]string{"drop", "pause", "pfc"}, true},
		"turns method": {synth.Names(), true}, "vlan method": {[]string{"lines", "search"}, false},
		"draw format": {drawn, false}, "table format": {tableFormatNames(), false}, "reproduce format": {[]string{"text", "markdown"}, false},
		"kind": {kindNames(), false}, "convert to": {convertWords(), false},
		"choices": {wordsOf([]enumerate.Choices{enumerate.All, enumerate.OnePerCycle, enumerate.Maximal, enumerate.Fewest}), false},
		"engine":  {[]string{"gini", "z3"}, false}, "enumerate tree": {[]string{"any", "coordinates", "canonical"}, false},
		"family": {program.Kinds, true}, "reading": {nil, false},
		"completion ": {cli.Shells, false}, "draw ": {drawingNames(), false}, "reproduce ": {reproductionNames(), false}, "prove ": {programNames(), true},
		"man ": {nil, false}, "config ": {nil, false}, "help ": {nil, false},
		"enumerate ": {[]string{"mesh:", "torus:", "hv", "updown"}, true},
	}
	for _, command := range []string{"check", "convert", "layers", "possible", "replay", "report", "sim", "sweep", "table", "turns", "vlan"} {
		lists[command+" "] = networks
	}
	for _, k := range methodKeys {
		if _, ok := lists["turns "+k.name]; !ok {
			lists["turns "+k.name] = wordList{k.values, k.values == nil}
		}
	}
	return lists
}

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

func init() {
	cli.WordTables, cli.NetworkTable = wordTables, networkWords
	cli.BareFlag, cli.BareWord, cli.BareWords = managementFlagName, managementAll, managementModeWords()
}
