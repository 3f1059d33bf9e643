package figure

// This file makes pictures of a graph.
//
// Graphviz finds places for nodes and nothing else (see layout.go). It runs in the program
// turnproof-layout, because go-graphviz starts when a program starts, drawing or not. SVG
// is written by svg.go, PNG and PDF by painter.go.

import (
	"context"
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/model/view/figure/layoutrun"
)

// Formats returns the names of the formats that Render writes.
func Formats() []string {
	return []string{"dot", "pdf", "png", "svg"}
}

// Sizes beyond which a layout takes minutes or exhausts the 32-bit memory of
// the instance. Measured: see BenchmarkRender.
const (
	maxLayoutNodes = 2500
	maxLayoutEdges = 12000
)

// ErrTooLarge is returned, wrapped, for a graph too large to be laid out here.
var ErrTooLarge = errors.New("too large to lay out")

// ErrNoLayout is returned, wrapped, if the program turnproof-layout is missing.
var ErrNoLayout = layoutrun.ErrMissing

// LayoutFunc lays out DOT text with a program of Graphviz, such as neato, and returns
// Graphviz's plain format.
type LayoutFunc func(ctx context.Context, dot, program string) ([]byte, error)

// layOut is the LayoutFunc in use.
var layOut LayoutFunc = layoutrun.Layout

// LayOutWith replaces turnproof-layout, for example with graphviz.Layout, which needs no
// second program. Call it before the first Render.
func LayOutWith(f LayoutFunc) { layOut = f }

// Render returns the graph in one of Formats. It may be called concurrently.
func Render(ctx context.Context, g *Graph, format string) ([]byte, error) {
	picture, _, err := RenderLacking(ctx, g, format)
	return picture, err
}

// RenderLacking is Render. It also returns the texts with characters that a PNG or PDF cannot
// show and has empty boxes for.
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
