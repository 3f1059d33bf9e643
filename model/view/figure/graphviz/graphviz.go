// Package graphviz lays out graphs with Graphviz inside this process.
//
// It is the one importer of go-graphviz, which compiles Graphviz from WebAssembly while
// packages are initialised: about 0.7 s, or 0.05 s if the result is cached. A program that
// imports this package pays for this at every start. Package figure therefore does not
// import it; figure runs the program turnproof-layout, unless figure.LayOutWith replaces it.
// go-graphviz keeps what it compiled in os.TempDir(). Other users of the machine can write
// there, so set TMPDIR to a private folder before the program starts.
package graphviz

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	graphviz "github.com/goccy/go-graphviz"
)

// busy holds a token while a layout runs, because go-graphviz has one WebAssembly instance
// for the whole process.
var busy = make(chan struct{}, 1)

// Layout lays out DOT text with a program of Graphviz, such as neato, and returns
// Graphviz's plain format. It may be called concurrently; one layout runs at a time.
// A layout in WebAssembly cannot be interrupted: if ctx ends, Layout returns at once, the
// layout runs to its end, and other callers wait for it as long as their ctx allows.
func Layout(ctx context.Context, dot, program string) ([]byte, error) {
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

// shared is the one Graphviz context. It is made when first needed and kept, because
// go-graphviz does not free all memory of a closed context. The holder of the token of
// busy may use it.
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

// layout frees the graph even if the library panics. The library itself leaks about 80 KB
// for each layout of 16 switches.
func layout(dot, program string) (plain []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			shared = nil
			plain, err = nil, fmt.Errorf("%v", p)
		}
	}()
	ctx := context.Background() // an instance stopped in the middle of a call cannot be used again
	gv, err := engine(ctx)
	if err != nil {
		return nil, err
	}
	gv.SetLayout(graphviz.Layout(program))
	graph, err := graphviz.ParseBytes([]byte(dot))
	if err != nil {
		return nil, fmt.Errorf("DOT text: %w", err)
	}
	defer func() { _ = graph.Close() }()
	var out bytes.Buffer
	if err := gv.Render(ctx, graph, "plain", &out); err != nil {
		return nil, err
	}
	if !bytes.Contains(out.Bytes(), []byte("\nstop")) {
		return nil, errors.New("no complete layout was returned")
	}
	return out.Bytes(), nil
}
