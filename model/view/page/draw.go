package page

import (
	"context"
	"errors"
	"fmt"

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

// Omit returns a note with the reason why something is not drawn. instead, if not empty, is the
// command that draws it.
func Omit(why, instead string) Note {
	if instead != "" {
		why += " It is drawn by"
	}
	return Note{Text: why, Code: instead}
}
