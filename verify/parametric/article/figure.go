package article

import (
	"context"
	"errors"
	"strings"

	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file draws a proof: the classes of channels with their ranks, and an arrow for each class of dependencies.

// Figure draws the classes of a proved report with their ranks. An arrow leads from each class to the other
// classes that its packets may request next. It is dashed if the first number of the rank does not rise.
func Figure(ctx context.Context, r *parametric.Report) (*figure.Graph, error) {
	if r.Cases() != nil {
		return nil, errors.New("a proof with failures has ranks for each case; --proof writes all of them")
	}
	if len(r.Ranks) == 0 {
		return nil, errors.New("the proof is by distances and has no ranks")
	}
	steps, err := r.Steps(ctx)
	if err != nil {
		return nil, err
	}
	g := &figure.Graph{Title: "Ranks of " + r.Program + ", " + r.Family, Layout: figure.Flow,
		Notes: []string{"An arrow: a packet on a channel of the first class may request one of the second. Its rank rises.",
			"Ranks of channels that leave switch " + r.Place + ", compared from left to right."}}
	at := map[string]int{}
	for _, x := range r.Ranks {
		if _, known := at[x.Channel]; known { // a rank in pieces
			continue
		}
		at[x.Channel] = len(g.Nodes)
		g.Nodes = append(g.Nodes, figure.Node{Name: x.Channel, Lines: []string{x.Channel, "(" + strings.Join(x.Tuple, ", ") + ")"}})
	}
	for _, s := range steps {
		from, known := at[s.From]
		to, other := at[s.To]
		if !known || !other || from == to {
			continue
		}
		e := figure.Edge{From: from, To: to, Arrow: true, Color: figure.Blue}
		if s.Before == nil || s.Decides > 0 || !s.Constant {
			e.Style, e.Color = figure.Dashed, figure.Vermillion
		}
		g.Edges = append(g.Edges, e)
	}
	g.Legend = figure.Legend{Head: []string{"arrows", "the rank rises"}, Rows: []figure.Row{
		{Color: figure.Blue, Cells: []string{"solid", "in its first number"}},
		{Color: figure.Vermillion, Cells: []string{"dashed", "in a later number"}}}}
	return g, nil
}
