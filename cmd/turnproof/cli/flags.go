package cli

import (
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/spelling"
)

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
type WordList struct {
	Words []string
	Open  bool // other words serve, too: files, or words with keys
}

// wordsFor are the words that a flag of a command takes, or with "" its first argument.
func wordsFor(command, flag string) (WordList, bool) {
	lists := WordTables()
	if l, ok := lists[command+" "+flag]; ok || flag == "" {
		return l, ok
	}
	l, ok := lists[flag]
	return l, ok && l.Words != nil
}

// inputFlags are those whose files are read; all others that take a file write it.
var inputFlags = strings.Fields("routing sl sl2vl multicast against network closed keep prohibit addresses traffic config")

// takesFile reports whether a flag takes the name of a file or folder, as its help tells.
func takesFile(f urfave.Flag) bool {
	d, ok := f.(urfave.DocGenerationFlag)
	if !ok || !d.TakesValue() {
		return false
	}
	usage := d.GetUsage()
	return strings.Contains(usage, "FILE") || strings.Contains(usage, "`DIR`")
}

// writesFile reports whether it does so to write there.
func WritesFile(f urfave.Flag) bool {
	return takesFile(f) && !slices.Contains(inputFlags, f.Names()[0])
}

// takesValue reports whether a word follows a flag.
func takesValue(f urfave.Flag) bool {
	_, isBool := f.(*urfave.BoolFlag)
	return !isBool
}

// refuseWords refuses misspelt words of flags with a closed list; others are left to the
// command.
func refuseWords(c *urfave.Context) error {
	for _, f := range c.Command.Flags {
		text, ok := f.(*urfave.StringFlag)
		if !ok || !c.IsSet(text.Name) {
			continue
		}
		word := c.String(text.Name)
		l, ok := wordsFor(c.Command.Name, text.Name)
		if !ok || l.Open || slices.Contains(l.Words, word) {
			continue
		}
		if near := spelling.Suggest(word, l.Words); near != "" {
			return fmt.Errorf("--%s %s%s, known are %s", text.Name, word, near, strings.Join(l.Words, ", "))
		}
	}
	return nil
}

// wordTables returns the lists of words by "COMMAND FLAG" or "FLAG".
var WordTables func() map[string]WordList

// argumentTable returns the words of a network argument.
var NetworkTable func() []string

// bareFlag is the flag whose word may be missing: it means bareWord. bareWords are its words.
var (
	BareFlag, BareWord string
	BareWords          []string
)
