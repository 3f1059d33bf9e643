package figure

// This file renders a graph as a picture.
//
// Graphviz only computes positions of nodes (see layout.go). It runs in the separate program
// turnproof-layout, because go-graphviz would start with every program that contains it, also if
// nothing is drawn. SVG is written by svg.go, PNG and PDF by painter.go.

import (
	"context"
	"fmt"
)

// Formats returns the names of the formats that Render writes.
func Formats() []string {
	return []string{"dot", "pdf", "png", "svg"}
}

// Render returns the graph in one of Formats. It may be called concurrently.
func Render(ctx context.Context, g *Graph, format string) ([]byte, error) {
	picture, _, err := RenderLacking(ctx, g, format)
	return picture, err
}

// RenderLacking does the same as Render. It also returns the texts with characters for which a PNG
// or PDF has empty boxes.
func RenderLacking(ctx context.Context, g *Graph, format string) (picture []byte, lacking []string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, fmt.Errorf("figure: %w", err)
	}
	switch format {
	case "dot":
		return []byte(g.DOT()), nil, nil
	case "svg", "png", "pdf":
	default:
		return nil, nil, fmt.Errorf("figure: format %q is not known, known are %q", format, Formats())
	}
	p, err := g.place(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("figure: %w", err)
	}
	s, scale := newDrawing(g, p)
	if format == "svg" {
		return s.svg(scale, false), nil, nil
	}
	if picture, lacking, err = s.paint(ctx, format, scale); err != nil {
		return nil, nil, fmt.Errorf("figure: %s: %w", format, err)
	}
	return picture, lacking, nil
}

// newDrawing returns the complete sheet of a graph whose nodes have positions, and the size in
// points on paper of a point of the sheet.
func newDrawing(g *Graph, p *placement) (s *sheet, scale float64) {
	if g.Width > 0 {
		return fitted(g, p)
	}
	s = newSheet(g, p)
	s.run()
	return s, 1
}
