package figure

import (
	"context"
	"fmt"
)

// This file makes drawings that are part of an HTML page.

// Inline returns the drawing of a graph as an svg element of an HTML page. Title,
// notes and legend are left out: they are text, and the page writes it. Layers have a
// class in place of an identifier, so that a page may hold several drawings, and what
// has a tooltip is marked by its key in data-key: a node by its name, a line by Edge.Key.
// On networks that is s and h with the number of a switch or host, l of a link and a of
// the cable that attaches a host.
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

// Parts is how many things a drawing holds, by which its size may be judged before
// it is made.
func (g *Graph) Parts() int { return len(g.Nodes) + len(g.Edges) + len(g.Arcs) }
