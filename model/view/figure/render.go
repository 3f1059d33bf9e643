package figure

// This file renders a graph as a picture.
//
// Graphviz only computes positions of nodes (see layout.go). It runs in the separate program
// turnproof-layout, because go-graphviz would start with every program that contains it, also if
// nothing is drawn. SVG is written by svg.go, PNG and PDF by painter.go.

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

// Sizes above which a layout takes minutes or exhausts the 32-bit memory of WebAssembly, measured
// with BenchmarkRender.
const (
	maxLayoutNodes = 2500
	maxLayoutEdges = 12000
)

// ErrTooLarge is returned, wrapped, for a graph that is too large for a layout.
var ErrTooLarge = errors.New("too large to lay out")

// ErrNoLayout is returned, wrapped, if the program turnproof-layout is missing.
var ErrNoLayout = layoutrun.ErrMissing

// LayoutFunc lays out DOT text with a program of Graphviz, such as neato, and returns
// Graphviz's plain format.
type LayoutFunc func(ctx context.Context, dot, program string) ([]byte, error)

// layOut is the current LayoutFunc.
var layOut LayoutFunc = layoutrun.Layout

// LayOutWith replaces turnproof-layout, for example with graphviz.Layout, which needs no
// second program. Call it before the first Render.
func LayOutWith(f LayoutFunc) { layOut = f }

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
