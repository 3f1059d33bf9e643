package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/internal/spelling"
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

// groupedFrom is how many flags a command has whose help shows them in groups.
const groupedFrom = 10

// flagGroup is a heading over flags; the first that has a flag takes it.
type flagGroup struct {
	title, commands, flags string // commands: "" is all
}

var flagGroups = []flagGroup{
	{"Network and routing", "", "routing sl sl2vl paths management hosts lmc multicast against network"},
	{"Method", "turns", "method compare traffic objective pareto keep prohibit keep-tree seconds seed traffic-out"},
	{"VLANs", "vlan", "method pivot ways seconds seed first-id limit per-switch prune priorities untagged"},
	{"Switch configurations", "vlan", "linux sonic addresses port-name"},
	{"What is checked", "check", "switching waiting classes gate packet buffer"},
	{"Failures and mending", "check", "fail mend seconds memory"},
	{"Traffic", "sim sweep", "load loads traffic no-self packet length burst peak collective rounds every seeds"},
	{"Router", "sim sweep", "model switching waiting buffer select arbiter atomic vc-rule link-clocks eject-clocks"},
	{"Delays of model booksim", "sim sweep", "routing-delay vc-alloc-delay switch-alloc-delay traversal-delay link-delay credit-delay"},
	{"Gates and throttling", "sim", "gate throttle control"},
	{"Ethernet", "sim", "ethernet flows"},
	{"Run", "sim sweep", "clocks warmup seed check flitwise workers journal"},
	{"Several machines", "sweep", "shard merge slurm slurm-tasks slurm-option slurm-dry-run slurm-no-wait slurm-cancel"},
	{"Second opinions", "", "cross-check simulate check"},
	{"What is drawn", "draw", "from to number switching waiting"},
	{"What is listed", "enumerate", "choices u-turns tree limit search engine"},
	{"Readings of the method", "turns", "root tree neighbours parent children ties marks starts stop-at-start all-conditional select totals form equal release both-directions orders order stretch"},
	{"Output", "", "output format to json certificate figure sarif junit obligations packets-out occupancy loads-out csv jsonl latency throughput files kind"},
	{"Help", "", "help"},
}

// groupOf is the heading over a flag of a command.
func groupOf(command, flag string) string {
	for _, g := range flagGroups {
		if (g.commands == "" || slices.Contains(strings.Fields(g.commands), command)) && slices.Contains(strings.Fields(g.flags), flag) {
			return g.title
		}
	}
	return "Other"
}

// wordList is what may stand after a flag or as an argument.
type wordList struct {
	words []string
	open  bool // other words serve, too: files, or words with keys
}

// wordLists are the lists by "COMMAND FLAG" or "FLAG"; the first argument of a command is
// its flag "". What is not here is a number or a free word, or a file (see takesFile).
func wordLists() map[string]wordList {
	switching := wordsOf([]verify.Switching{verify.CutThrough, verify.StoreAndForward, verify.Wormhole})
	drawn := []string{"svg", "png", "dot"}
	networks := wordList{networkWords(), true}
	lists := map[string]wordList{
		"switching": {switching, false}, "waiting": {wordsOf([]model.Waiting{model.WaitAny, model.WaitOne}), false}, "routing": {routingNames(), true}, "against": {routingNames(), true},
		"paths": {pathWords(), false}, "color": {colourWords, false},
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
		"completion ": {shells, false}, "draw ": {drawingNames(), false}, "reproduce ": {reproductionNames(), false}, "prove ": {programNames(), true},
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

// wordsFor are the words that a flag of a command takes, or with "" its first argument.
func wordsFor(command, flag string) (wordList, bool) {
	lists := wordLists()
	if l, ok := lists[command+" "+flag]; ok || flag == "" {
		return l, ok
	}
	l, ok := lists[flag]
	return l, ok && l.words != nil
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

// inputFlags are those whose files are read; all others that take a file write it.
var inputFlags = strings.Fields("routing sl sl2vl multicast against network closed keep prohibit addresses traffic config")

// takesFile reports whether a flag takes the name of a file or folder, as its help tells.
func takesFile(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	if !ok || !d.TakesValue() {
		return false
	}
	usage := d.GetUsage()
	return strings.Contains(usage, "FILE") || strings.Contains(usage, "`DIR`")
}

// writesFile reports whether it does so to write there.
func writesFile(f cli.Flag) bool {
	return takesFile(f) && !slices.Contains(inputFlags, f.Names()[0])
}

// takesValue reports whether a word follows a flag.
func takesValue(f cli.Flag) bool {
	_, isBool := f.(*cli.BoolFlag)
	return !isBool
}

// refuseWords refuses misspelt words of flags with a closed list; others are left to the
// command.
func refuseWords(c *cli.Context) error {
	for _, f := range c.Command.Flags {
		text, ok := f.(*cli.StringFlag)
		if !ok || !c.IsSet(text.Name) {
			continue
		}
		word := c.String(text.Name)
		l, ok := wordsFor(c.Command.Name, text.Name)
		if !ok || l.open || slices.Contains(l.words, word) {
			continue
		}
		if near := spelling.Suggest(word, l.words); near != "" {
			return fmt.Errorf("--%s %s%s, known are %s", text.Name, word, near, strings.Join(l.words, ", "))
		}
	}
	return nil
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
