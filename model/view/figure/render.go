package figure

// This file runs Graphviz. It is the one place that does.
//
// go-graphviz keeps one WebAssembly instance for the whole process, made when
// the program starts, with its memory shared by all that use it. So one layout
// runs at a time here, whatever number of goroutines ask.
// A layout in WebAssembly cannot be interrupted: when ctx ends, Render returns
// at once, and the layout goes on until it ends by itself; until then others
// wait, each as long as its own ctx lets it.
// It finds places for nodes, no more (see layout.go); SVG is drawn from them
// here, and PNG and PDF from the SVG (see repaint.go).

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	graphviz "github.com/goccy/go-graphviz"

	"github.com/turnproof/turnproof/model/view/figure/graphcache"
)

// The library has opened its cache by now.
func init() { graphcache.Restore() }

// Formats lists what Render can make.
var Formats = []string{"dot", "pdf", "png", "svg"}

// Sizes beyond which a layout takes minutes or exhausts the 32-bit memory of
// the instance. Measured: see BenchmarkRender.
const (
	maxLayoutNodes = 2500
	maxLayoutEdges = 12000
)

// ErrTooLarge is returned, wrapped, for a graph too large to be laid out here.
var ErrTooLarge = errors.New("too large to lay out")

// busy holds a token while a layout runs.
var busy = make(chan struct{}, 1)

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
		return nil, nil, fmt.Errorf("figure: format %q is not known, known are %q", format, Formats)
	}
	p, err := g.place(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("figure: %w", err)
	}
	svg := draw(g, p)
	if format == "svg" {
		return svg, nil, nil
	}
	repainted := rasterise
	if format == "pdf" {
		repainted = portable
	}
	if picture, lacking, err = repainted(ctx, svg); err != nil {
		return nil, nil, fmt.Errorf("figure: %s: %w", format, err)
	}
	return picture, lacking, nil
}

// layoutAlone runs layout while no other layout runs, and stops waiting for it
// when ctx ends.
func layoutAlone(ctx context.Context, dot, program string) ([]byte, error) {
	select {
	case busy <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	type result struct {
		plain []byte
		err   error
	}
	done := make(chan result, 1)
	go func() {
		defer func() { <-busy }()
		plain, err := layout(dot, program)
		done <- result{plain, err}
	}()
	select {
	case r := <-done:
		return r.plain, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// shared is the one Graphviz context, made when first needed and kept:
// go-graphviz does not give back all the memory of a context that is closed.
// Who holds the token of busy may use it.
var shared *graphviz.Graphviz

func engine(ctx context.Context) (*graphviz.Graphviz, error) {
	if shared != nil {
		return shared, nil
	}
	gv, err := graphviz.New(ctx)
	if err == nil {
		shared = gv
	}
	return gv, err
}

// layout turns DOT text into Graphviz's plain format. It gives back the graph, also when the
// library panics; the library itself keeps about 80 KB for each drawing of 16
// switches, which matters only to a program that draws for days.
func layout(dot string, program string) (plain []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			shared = nil
			plain, err = nil, fmt.Errorf("graphviz %s: %v", program, p)
		}
	}()
	// The work is not tied to the caller's ctx: an instance that is stopped in
	// the middle of a call is of no more use to anybody.
	ctx := context.Background()
	gv, err := engine(ctx)
	if err != nil {
		return nil, fmt.Errorf("graphviz: %w", err)
	}
	gv.SetLayout(graphviz.Layout(program))
	graph, err := graphviz.ParseBytes([]byte(dot))
	if err != nil {
		return nil, fmt.Errorf("graphviz: DOT text: %w", err)
	}
	defer func() { _ = graph.Close() }()
	var out bytes.Buffer
	if err := gv.Render(ctx, graph, "plain", &out); err != nil {
		return nil, fmt.Errorf("graphviz %s: %w", program, err)
	}
	if !bytes.Contains(out.Bytes(), []byte("\nstop")) {
		return nil, fmt.Errorf("graphviz %s: no complete layout came back", program)
	}
	return out.Bytes(), nil
}
