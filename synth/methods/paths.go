package methods

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file makes the relation of a turn set: which of its legal paths packets take.

// Values of the option paths, beside those of synth.PathRules.
const (
	PathsTable         = "table"
	PathsShortestTable = "shortest-table"
	PathsAny           = "any"   // not only shortest ones
	PathsDrawn         = "drawn" // source routing
)

// pathChoices is the table of the values.
var pathChoices = []resolve.PathChoice{
	{Name: resolve.PathsAll, About: "every shortest legal path (the default)"},
	{Name: PathsAny, About: "every legal path, also longer ones, from which the destination can still be reached"},
	{Name: PathsDrawn, About: "every shortest legal path; the source draws one for each packet (source routing)"},
	{Name: PathsTable, About: "one path, by forwarding tables without input ports; where shortest paths cannot be kept, near the shortest"},
	{Name: PathsShortestTable, About: "as table, with shortest legal paths only; an error if there is no such table"},
	{Name: synth.PathsBalanced, About: "one shortest legal path for each pair; repeatedly relieves the most loaded links"},
	{Name: synth.PathsGreedy, About: "one for each pair, pair by pair the one with the least loaded links"},
	{Name: synth.PathsDestination, About: "one for each pair, chosen for all sources of a destination together"},
	{Name: synth.PathsFirst, About: "one for each pair, at each switch the lowest port"},
}

// fromTurnSet returns the routing that takes paths of a turn set. Its network is n, or n with one
// VC. paths is a value of PathChoices.
func fromTurnSet(ctx context.Context, allowed *model.TurnSet, n *model.Network, paths string) (model.Relation, error) {
	if paths == PathsAny {
		return route.AnyPath(synth.Lift(allowed, n)), nil
	}
	if paths == resolve.PathsAll || paths == synth.PathsFirst {
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
	if paths == PathsDrawn {
		list, err := route.AllPaths(route.FromTurns(allowed, false), maxDrawnPaths)
		if err != nil {
			return nil, fmt.Errorf("paths=%s: %w", paths, err)
		}
		return route.Paths(n.WithVCs(1), list)
	}
	if n.NumHosts() > resolve.MaxPairHosts {
		return nil, fmt.Errorf("paths=%s keeps a path for every pair, %d hosts are more than %d", paths, n.NumHosts(), resolve.MaxPairHosts)
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

// maxDrawnPaths is the largest number of paths among which sources draw.
const maxDrawnPaths = 1 << 20
