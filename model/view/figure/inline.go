package figure

import (
	"context"
	"fmt"
)

// Inline returns the drawing of a graph as an svg element of an HTML page. It omits title,
// notes and legend, because the page writes them as text. Layers have a class instead of an ID,
// so that a page can contain several drawings. An element with a tooltip has its key in
// data-key: the name of a node, or Edge.Key of a line. On networks the keys are s and h with
// the number of a switch or host, l with the number of a link, and a with the number of a
// host's cable.
func Inline(ctx context.Context, g *Graph) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	alone := *g
	alone.Title, alone.Notes, alone.Legend = "", nil, Legend{}
	p, err := alone.place(ctx)
	if err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	s := newSheet(&alone, p)
	s.run()
	return s.svg(1, true), nil
}

// Parts returns the number of elements of a drawing, an estimate of its size.
func (g *Graph) Parts() int { return len(g.Nodes) + len(g.Edges) + len(g.Arcs) }
