package resolve

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/synth"
)

// This file makes the relation of a turn set: which of its legal paths packets take.

// The ways that a routing takes of those that a turn set leaves, beside
// synth.PathRules.
const (
	PathsAll           = "all"
	PathsTable         = "table"
	PathsShortestTable = "shortest-table"
	PathsAny           = "any" // not only shortest ones
)

// PathChoice is a value of the option paths.
type PathChoice struct{ Name, About string }

// PathChoices returns the values of the option paths, the default first.
func PathChoices() []PathChoice { return slices.Clone(pathChoices) }

// pathChoices are all of them, the default first.
var pathChoices = []PathChoice{
	{PathsAll, "every shortest legal way (the default)"},
	{PathsAny, "every legal way from where the destination can still be reached, also round about"},
	{PathsTable, "one way, by forwarding tables without input ports, near the shortest where these cannot be kept"},
	{PathsShortestTable, "the same with shortest legal ways only, or an error where no such table is"},
	{synth.PathsBalanced, "one shortest legal way a pair, the most loaded links relieved again and again"},
	{synth.PathsGreedy, "one a pair, the least loaded in turn"},
	{synth.PathsDestination, "one a pair, chosen for all sources of a destination together"},
	{synth.PathsFirst, "one a pair, at each switch the lowest port"},
}

func PathWords() (words []string) {
	for _, p := range pathChoices {
		words = append(words, p.Name)
	}
	return words
}

// FromTurnSet makes the relation of a turn set, of n or of n with one VC.
func FromTurnSet(ctx context.Context, allowed *model.TurnSet, n *model.Network, paths string) (model.Relation, error) {
	if paths == PathsAny {
		return route.AnyPath(synth.Lift(allowed, n)), nil
	}
	if paths == PathsAll || paths == synth.PathsFirst {
		return route.FromTurns(synth.Lift(allowed, n), paths == synth.PathsFirst), nil
	}
	if allowed.Network().VCs() > 1 {
		return nil, fmt.Errorf("paths=%s is for turn sets of one VC per channel", paths)
	}
	if paths == PathsTable || paths == PathsShortestTable {
		f, err := synth.InTrees(ctx, allowed, synth.TreeOptions{Shortest: paths == PathsShortestTable})
		if err != nil {
			return nil, err
		}
		return f.Table, nil
	}
	if n.NumHosts() > MaxPairHosts {
		return nil, fmt.Errorf("paths=%s keeps a path for every pair, %d hosts are more than %d", paths, n.NumHosts(), MaxPairHosts)
	}
	p, err := synth.NewOnePaths(ctx, allowed, model.NewDemand(allowed.Network(), model.UniformTraffic(n)), paths)
	if err != nil {
		return nil, err
	}
	list, err := p.List()
	if err != nil {
		return nil, err
	}
	return route.Paths(n.WithVCs(1), list)
}

// MaxPairHosts bounds what is kept, or looked at, pair by pair.
const MaxPairHosts = 1024
