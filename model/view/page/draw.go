package page

import (
	"context"
	"errors"
	"fmt"
	"html/template"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/view/figure"
)

// This file puts a drawing into a page, or says why it is left out.

// MostParts is the largest number of nodes, lines and arcs of a drawing. A larger one makes the page
// slow, or is not readable.
const MostParts = 4000

// Draw returns the drawing of a graph. If the graph is too large or cannot be laid out, it returns a
// note. instead, if not empty, is the command that draws the graph.
func Draw(ctx context.Context, id string, g *figure.Graph, instead string) (Block, error) {
	if k := g.Parts(); k > MostParts {
		return Omit(fmt.Sprintf("%s: omitted; %s parts are more than %s.", g.Title, wording.Thousands(int64(k)), wording.Thousands(MostParts)),
			instead), nil
	}
	f, err := NewFigure(ctx, id, g)
	if errors.Is(err, figure.ErrTooLarge) {
		return Note{Text: fmt.Sprintf("%s: omitted; too large to lay out here.", g.Title)}, nil
	}
	if errors.Is(err, figure.ErrNoLayout) {
		return Note{Text: fmt.Sprintf("%s: omitted; %v.", g.Title, figure.ErrNoLayout)}, nil
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Sketch is a graph with the identifier of its drawing, and the command that draws it instead, or "".
type Sketch struct {
	ID      string
	Graph   *figure.Graph
	Instead string
}

// DrawAlike returns the drawings of graphs of the same network. They have the same size, and nodes of the same name are at the same place
// as in the first one. If a graph is too large or cannot be laid out, it returns the results of Draw.
func DrawAlike(ctx context.Context, list ...Sketch) (blocks []Block, err error) {
	graphs := make([]*figure.Graph, len(list))
	large := false
	for i, s := range list {
		graphs[i] = s.Graph
		large = large || s.Graph.Parts() > MostParts
	}
	var drawings [][]byte
	var width float64
	if !large {
		drawings, width, err = figure.InlineAlike(ctx, graphs...)
	}
	switch {
	case large, errors.Is(err, figure.ErrTooLarge), errors.Is(err, figure.ErrNoLayout):
		for _, s := range list {
			b, err := Draw(ctx, s.ID, s.Graph, s.Instead)
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, b)
		}
		return blocks, nil
	case err != nil:
		return nil, err
	}
	for i, s := range list {
		g := s.Graph
		blocks = append(blocks, &Figure{ID: s.ID, Title: g.Title, Notes: g.Notes, Legend: g.Legend, SVG: template.HTML(drawings[i]), Width: width})
	}
	return blocks, nil
}

// Omit returns a note with the reason why something is not drawn. instead, if not empty, is the
// command that draws it.
func Omit(why, instead string) Note {
	if instead != "" {
		why += " It is drawn by"
	}
	return Note{Text: why, Code: instead}
}
