package synth

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file is the table of the options of methods. Flags, help texts and the keys of a routing
// are made from it.

// Option describes an option of methods: its name, its words and the field of Options that it sets.
type Option = option.Option[Options]

var (
	rootOption = option.New("root", "number, name or GUID of the root switch, or a rule: "+strings.Join(rootNames(), ", "), option.Text,
		func(o *Options) *string { return &o.Root }, notEmpty("a switch or a rule was expected")).WithDefault(RootAuto)
	searchOption = option.NewWord("tree", "spanning tree: breadth or depth first", hv.Searches(),
		func(o *Options) *string { return &o.Tree.Search })
	turnTrafficOption = option.NewWord("turn-traffic", "paths of the traffic that weighs turns: all shortest ones, or one per pair",
		TurnTrafficRules(), func(o *Options) *string { return &o.TurnTraffic })
	growOptions = []Option{
		option.NewWord("neighbours", "order in which the neighbours of a switch are scanned", hv.NeighbourOrders(),
			func(o *Options) *string { return &o.Tree.Neighbours }),
		option.NewWord("parent", "which of several possible parents", hv.ParentRules(), func(o *Options) *string { return &o.Tree.Parent }),
		option.NewWord("children", "order of children in preorder", hv.ChildOrders(), func(o *Options) *string { return &o.Tree.Children }),
		option.New("tree-file", "read the spanning tree from `FILE`: lines \"SWITCH PARENT\" in preorder, - for the parent of the root", option.Input,
			func(o *Options) *string { return &o.TreeFile }, notEmpty("a file was expected")),
		option.NewValue("given-tree", "the spanning tree itself", func(o *Options) **hv.Given { return &o.Tree.Given }),
	}
	tiesOption = option.NewWord("ties", "which of two switches at the same depth is up", hv.TieRules(),
		func(o *Options) *string { return &o.Ties })
)

// upDownOptions are the options of up*/down*.
var upDownOptions = slices.Concat([]Option{rootOption, searchOption}, growOptions, []Option{tiesOption})

// turnModelOptions are the options of L-turn and R-turn.
var turnModelOptions = slices.Concat([]Option{rootOption}, growOptions, []Option{
	option.NewWord("marks", "when the cycle-detection algorithm DA clears its marks (only channel is sound)", MarkRules(),
		func(o *Options) *string { return &o.DA.Marks }),
	option.NewWord("starts", "order of DA's start switches", StartOrders(), func(o *Options) *string { return &o.DA.Starts }),
	option.NewBool("stop-at-start", "DA's searches end at their start switch (not sound)", func(o *Options) *bool { return &o.DA.StopAtStart }),
	option.NewBool("all-conditional", "no DA: all conditional turns stay prohibited", func(o *Options) *bool { return &o.DA.Off }),
})

// prohibitionOptions are the options of turn prohibition.
var prohibitionOptions = []Option{
	option.NewWord("select", "which switch turn prohibition takes next (anywhere can disconnect)", Selections(),
		func(o *Options) *string { return &o.Select }),
	option.NewWord("totals", "which turns weigh a switch for that", TotalRules(), func(o *Options) *string { return &o.Totals }),
	turnTrafficOption,
}

// additionOptions are the options of turn addition.
var additionOptions = []Option{
	option.NewWord("form", "form of turn addition (paper can be cyclic, both unconnected)", Forms(), func(o *Options) *string { return &o.Form }),
	option.NewWord("equal", "order of turns of equal traffic", EqualRules(), func(o *Options) *string { return &o.Equal }),
	turnTrafficOption,
	option.New("order-file", "test the turns of `FILE` first: lines \"FROM AT TO [WEIGHT]\" with switches, heaviest first", option.Input,
		func(o *Options) *string { return &o.OrderFile }, notEmpty("a file was expected")),
}

// releaseOptions are read by every method.
var releaseOptions = []Option{
	option.NewBool("release", "at the end release every prohibited turn that closes no cycle", func(o *Options) *bool { return &o.Release }),
	option.NewBool("both-directions", "a turn together with its reverse or not at all: what is released, and all that minimum decides",
		func(o *Options) *bool { return &o.BothDirections }),
}

// minimumOptions are the options of minimum.
var minimumOptions = []Option{
	option.New("objective", "what makes a set better for minimum, the smaller the better: goals "+goalNames()+
		", as sums, the more important first: turns,path+2*load", option.Text,
		func(o *Options) *string { return &o.Objective }, readObjective),
	option.New("pareto", "two goals, as turns,load: minimum looks for all sets that are best in both", option.Text,
		func(o *Options) *string { return &o.Pareto }, readTwoGoals),
	option.NewBool("keep-tree", "minimum keeps the turns of a spanning tree, as the policy LU>RD of the turn model does",
		func(o *Options) *bool { return &o.KeepTree }),
	option.NewBool("cycle-free-only", "minimum may leave hosts unconnected (exit status 1 then): only no cycle is asked for",
		func(o *Options) *bool { return &o.Cyclefree }),
	option.New("stretch", "minimum keeps for each pair a legal path of at most this many times the length of a shortest path of the network; "+
		"1: a shortest path",
		option.Text, func(o *Options) *float64 { return &o.Stretch }, within(1, "a number of 1 or more was expected")),
	option.New("journal", "`FILE` that minimum keeps what it finds in, and goes on from", option.File,
		func(o *Options) *string { return &o.Journal }, notEmpty("a file was expected")),
	option.New("seconds", "how long minimum searches at most (default: 10)", option.Seconds,
		func(o *Options) *float64 { return &o.Seconds }, within(math.SmallestNonzeroFloat64, "seconds above 0 were expected, up to a million")),
	option.NewValue("keep", "turns that minimum always allows", func(o *Options) **model.TurnSet { return &o.Keep }),
	option.NewValue("prohibit", "turns that minimum always prohibits", func(o *Options) **model.TurnSet { return &o.Prohibit }),
}

// seedOption seeds methods and trees. Every method reads it.
var seedOption = option.New("seed", "number that random orders are drawn from", option.Text, func(o *Options) *uint64 { return &o.Seed },
	func(word string) (uint64, error) {
		k, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			err = errors.New("a number was expected")
		}
		return k, err
	}).Then(func(o *Options) { o.Tree.Seed = o.Seed })

// AllOptions returns the options of all methods.
func AllOptions() []Option {
	return option.Join(upDownOptions, turnModelOptions, prohibitionOptions, additionOptions, releaseOptions, minimumOptions, []Option{seedOption})
}

// notEmpty accepts every word but the empty one.
func notEmpty(want string) func(string) (string, error) {
	return func(word string) (string, error) {
		if word == "" {
			return "", errors.New(want)
		}
		return word, nil
	}
}

// within reads a number from least to a million.
func within(least float64, want string) func(string) (float64, error) {
	return func(word string) (float64, error) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil || !(x >= least && x <= 1e6) {
			return 0, errors.New(want)
		}
		return x, nil
	}
}

func readObjective(word string) (string, error) {
	if word == "" {
		return "", errors.New("a goal was expected")
	}
	_, err := ParseObjective(word)
	return word, err
}

func readTwoGoals(word string) (string, error) {
	list, err := ParseObjective(word)
	if err == nil && len(list) != 2 {
		err = errors.New("two goals were expected, as turns,load")
	}
	return word, err
}

func goalNames() string {
	var names []string
	for _, g := range Goals() {
		names = append(names, g[0])
	}
	return strings.Join(names, ", ")
}

func rootNames() (names []string) {
	for _, r := range RootRules() {
		names = append(names, r.Name)
	}
	return names
}
